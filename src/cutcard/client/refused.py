"""Refusals as a client meets them."""

from typing import Any

import msgspec

from cutcard.wire import api

PASSING = frozenset(
    {"server/busy", "server/stopped", "server/not-ready", "store/away", "store/fenced"}
)
"""Refusals after which the same key may be tried again."""


class RefusedError(Exception):
    """Something was not done: a code, a sentence and the clause behind it."""

    def __init__(self, refused: api.Refused) -> None:
        super().__init__(f"{refused.sentence} [{refused.code}]")
        self.code, self.sentence, self.clause = refused.code, refused.sentence, refused.clause
        self.params, self.key = refused.params, refused.key

    @property
    def passing(self) -> bool:
        return self.code in PASSING


def check(body: bytes) -> Any:
    """A decoded answer; raises what was refused."""
    told = msgspec.json.decode(body)
    if isinstance(told, dict) and told.get("is") == "refused":
        raise RefusedError(msgspec.convert(told, api.Refused))
    return told
