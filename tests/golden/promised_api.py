"""The API as it was promised: `python -m tests.golden.promised_api` adds to it what is new.

`api.json` is the OpenAPI document without its words. `lost` compares two such documents by what a
client depends on: paths, methods, parameters, statuses and fields. Names of schemas are no promise.
"""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cutcard.server.description import document

Document = dict[str, Any]

FILE = Path(__file__).with_name("api.json")
WORDS = ("description", "summary", "tags", "title", "examples", "deprecated")
"""What is read by people: it may be said better at any time."""


def bare(part: Any, *, names: bool = False) -> Any:
    """A document without its words; where keys are names, such as those of fields, all stay."""
    if isinstance(part, list):
        return [bare(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        key: bare(value, names=key in ("properties", "schemas", "paths") and not names)
        for key, value in part.items()
        if names or key not in WORDS
    }


def promised() -> Document:
    found: Document = json.loads(FILE.read_text("utf-8"))
    return found


def lost(before: Document, now: Document) -> list[str]:
    """What a client may depend on and would miss, or would have to send in addition."""
    return [*_lost_operations(Comparison(before, now))]


class Comparison:
    """Two documents, and the pairs of schemas that are compared already: some hold themselves."""

    def __init__(self, before: Document, now: Document) -> None:
        self.before, self.now = before, now
        self.done: set[tuple[str, str]] = set()

    def pair(self, old: Document, new: Document) -> tuple[Document, Document] | None:
        """Two schemas where they are written down; None if they were compared before."""
        names = old.get("$ref", ""), new.get("$ref", "")
        if all(names):
            if names in self.done:
                return None
            self.done.add(names)
        return _written(self.before, old), _written(self.now, new)


def _written(document: Document, schema: Document) -> Document:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _lost_operations(two: Comparison) -> Iterator[str]:
    for path, methods in two.before["paths"].items():
        for method, old in methods.items():
            where = f"{method.upper()} {path}"
            new = two.now["paths"].get(path, {}).get(method)
            if new is None:
                yield f"{where} is gone"
                continue
            yield from _lost_parameters(where, old, new, two)
            yield from _lost_body(where, old, new, two)
            for status, answer in old["responses"].items():
                there = new["responses"].get(status)
                if there is None:
                    yield f"{where}: status {status} is gone"
                else:
                    yield from _lost_content(f"{where} {status}", answer, there, two)


def _lost_parameters(where: str, old: Document, new: Document, two: Comparison) -> Iterator[str]:
    before = {(one["name"], one["in"]): one for one in old.get("parameters", ())}
    now = {(one["name"], one["in"]): one for one in new.get("parameters", ())}
    for key in before.keys() - now.keys():
        yield f"{where}: {key[1]} parameter {key[0]} is gone"
    for key, one in now.items():
        if one.get("required") and not before.get(key, {}).get("required"):
            yield f"{where}: {key[1]} parameter {key[0]} is required now"
        if key in before:
            place = f"{where} {key[0]}"
            yield from _lost_fields(place, before[key]["schema"], one["schema"], two, sent=True)


def _lost_body(where: str, old: Document, new: Document, two: Comparison) -> Iterator[str]:
    before, now = old.get("requestBody"), new.get("requestBody")
    if now is None:
        if before is not None:
            yield f"{where}: the body is gone"
    elif before is None:
        if now.get("required"):
            yield f"{where}: a body is required now"
    else:
        yield from _lost_content(where, before, now, two, sent=True)


def _lost_content(
    where: str, old: Document, new: Document, two: Comparison, *, sent: bool = False
) -> Iterator[str]:
    for kind, one in old.get("content", {}).items():
        there = new.get("content", {}).get(kind)
        if there is None:
            yield f"{where}: {kind} is gone"
        else:
            yield from _lost_fields(
                where, one.get("schema", {}), there.get("schema", {}), two, sent
            )


def _lost_fields(
    where: str, old: Document, new: Document, two: Comparison, sent: bool
) -> Iterator[str]:
    """What is no longer in a schema; in one that is sent, also what is asked for in addition."""
    found = two.pair(old, new)
    if found is None:
        return
    old, new = found
    for key in ("type", "format", "const", "enum"):
        if key in old and _narrower(old[key], new.get(key), more=sent or key == "enum"):
            yield f"{where}: {key} was {old[key]}, is {new.get(key)}"
    fields, now = old.get("properties", {}), new.get("properties", {})
    for name, one in fields.items():
        if name not in now:
            yield f"{where}: field {name} is gone"
        else:
            yield from _lost_fields(f"{where}.{name}", one, now[name], two, sent)
    required, still = set(old.get("required", ())), set(new.get("required", ()))
    if sent:
        yield from (f"{where}: field {name} is required now" for name in still - required)
    else:
        yield from (f"{where}: field {name} may be missing" for name in required - still)
    if isinstance(old.get("items"), dict) and old["items"]:
        yield from _lost_fields(f"{where}[]", old["items"], new.get("items", {}), two, sent)
    more = old.get("additionalProperties")
    if isinstance(more, dict) and more:
        there = new.get("additionalProperties")
        there = there if isinstance(there, dict) else {}
        yield from _lost_fields(f"{where}{{}}", more, there, two, sent)
    for key in ("anyOf", "oneOf"):
        for number, one in enumerate(old.get(key, ())):
            many = new.get(key, ())
            if number >= len(many):
                yield f"{where}: a choice is gone"
            else:
                yield from _lost_fields(f"{where}|{number}", one, many[number], two, sent)


def _narrower(old: Any, new: Any, *, more: bool) -> bool:
    """Whether a type or a list of values holds less than before, or more where it may not."""
    if new is None:
        return not more
    before, now = (set(one) if isinstance(one, list) else {one} for one in (old, new))
    return not before <= now if more else before != now


if __name__ == "__main__":
    whole = asyncio.run(document())
    missing = lost(promised(), whole) if FILE.exists() else []
    assert missing == [], missing
    FILE.write_text(json.dumps(bare(whole), separators=(",", ":"), sort_keys=True) + "\n", "utf-8")
