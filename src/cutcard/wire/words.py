"""The words that messages are made of: names, amounts, cards, and what every question is."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
TableName = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[a-z0-9-]+$")]
SpotName = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[a-z0-9_]+$")]
Amount = Annotated[int, Meta(ge=1, le=10**15)]
Box = Annotated[int, Meta(ge=0, le=10_000)]
"""A betting box; 0 where there is none, as at an open table."""
RoundName = Annotated[str, Meta(max_length=24, pattern=r"^[0-9]+/[0-9]+$")]
Key = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]
Hash = Annotated[str, Meta(min_length=64, max_length=64, pattern=r"^[0-9a-f]{64}$")]
VoucherName = Annotated[str, Meta(min_length=18, max_length=18, pattern=r"^[0-9]{18}$")]
LONGEST_PASSWORD = 256
Secret = Annotated[str, Meta(min_length=1, max_length=LONGEST_PASSWORD)]
"""A password; whether it will do is said in words."""

Millis = Annotated[int, Meta(ge=1, le=10**15)]


class Ask(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="is"):
    """What somebody asks for."""


CardName = Annotated[str, Meta(min_length=2, max_length=3, pattern=r"^(10|[2-9TJQKA])[shdc]$")]
CoupText = Annotated[str, Meta(max_length=40, pattern=r"^[0-9TJQKAshdc /]*$")]
"""Both hands, Player first: `2h 3s 9c / 5d Kc`."""

Words = Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x1f\x7f]*$")]
Reason = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f\x7f]*$")]
Title = Annotated[str, Meta(min_length=1, max_length=64)]
ShoeName = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9 ._/-]+$")]
RoleName = Literal["dealer", "pit supervisor", "pit manager", "shift manager"]
LimitKind = Literal[
    "deposit_day", "deposit_week", "deposit_month", "loss_day", "time_day", "reality_check"
]
