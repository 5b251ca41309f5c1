"""The codec: every kind of event there and back, and nothing read that was not so written."""

import json
from collections import Counter
from enum import Enum
from types import NoneType, UnionType
from typing import Any, NewType, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutcard.chain import canonical
from cutcard.chain.canonical import MOST
from cutcard.refusals import Refusal
from cutcard.roads import Result
from cutcard.round.events import CardDealt
from cutcard.rules.cards import DECK, Card
from cutcard.rules.coup import Coup, Side
from cutcard.table.events import OptionsOffered, ShoeRegistered, SignedOff
from cutcard.table.setup import Setup
from cutcard.wire import ENTRIES, EVENTS, Plain, Standing, parse, parse_tagged, plain, tagged
from cutcard.wire.codec import names
from tests.cases import every

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
POINTS = st.integers(0, 9)
SIMPLE: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXTS,
    int: st.integers(-MOST - 1, MOST),
    bool: st.booleans(),
    NoneType: st.none(),
    Card: st.sampled_from(DECK),
    Result: st.builds(Result, player_points=POINTS, banker_points=POINTS),
}


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value that a type hint allows."""
    if hint in SIMPLE:
        return SIMPLE[hint]
    if isinstance(hint, NewType):
        return values(hint.__supertype__)
    origin, inside = get_origin(hint), get_args(hint)
    if origin is UnionType:
        return st.one_of(*map(values, inside))
    if origin is tuple:
        return st.lists(values(inside[0]), max_size=3).map(tuple)
    if origin is Counter:
        return st.dictionaries(values(inside[0]), st.integers(1, 8), max_size=3).map(Counter)
    if origin is not None:
        # A number that is a key has no sign.
        keys = st.integers(0, 99) if inside[0] is int else values(inside[0])
        return st.dictionaries(keys, values(inside[1]), max_size=3)
    if issubclass(hint, Enum):
        return st.sampled_from([*hint])
    hints = get_type_hints(hint)
    return st.builds(hint, **{name: values(hints[name]) for name in names(hint)})


KINDS = {**EVENTS, **ENTRIES}


@every("name", KINDS)
def test_every_kind_goes_there_and_back(name: str) -> None:
    @settings(max_examples=20)
    @given(values(KINDS[name]))
    def there_and_back(value: Any) -> None:
        written = json.loads(canonical(tagged(value)))

        assert parse_tagged(KINDS, written) == value
        assert canonical(tagged(value)) == canonical(written)

    there_and_back()


@every("kind", [Setup, Standing, Coup, Result])
def test_parts_go_there_and_back(kind: type) -> None:
    @settings(max_examples=40)
    @given(values(kind))
    def there_and_back(value: Any) -> None:
        assert parse(kind, json.loads(canonical(plain(value)))) == value

    there_and_back()


NINE = Card.parse("9h")
DEALT = tagged(CardDealt(Side.PLAYER, NINE, 5, "dealer"))


def test_as_it_is_written() -> None:
    assert DEALT == {
        "is": "CardDealt",
        "side": "player",
        "card": "9h",
        "at": 5,
        "by": "dealer",
        "seen_by": None,
    }
    assert plain(Coup.parse("9h / Ks")) == {"player": ["9h"], "banker": ["Ks"]}
    assert plain(Result.of(Coup.parse("4h 4s / 2d 7c"))) == "B 8 9 pp pn bn"


def test_a_name_that_older_records_do_not_hold_is_left_out() -> None:
    """A log of before is read for ever, and is never written anew with other bytes."""
    old: Plain = {"is": "SignedOff", "person": "dan", "at": 5}
    assert parse_tagged(EVENTS, old) == SignedOff("dan", 5)
    assert tagged(SignedOff("dan", 5)) == old
    assert tagged(SignedOff("dan", 5, "pia")) == {**old, "by": "pia"}
    assert parse_tagged(EVENTS, {**old, "by": "pia"}) == SignedOff("dan", 5, "pia")

    for by, place in ((None, "here"), (3, "by")):
        with pytest.raises(Refusal) as caught:
            parse_tagged(EVENTS, {**old, "by": by})
        assert caught.value == Refusal("wire/record", {"place": place})


@every(
    ("change", "place"),
    [
        ({"is": "CardFlipped"}, "is"),
        ({"is": 3}, "is"),
        ({"side": "tie"}, "side"),
        ({"side": ["player"]}, "side"),
        ({"card": "9H"}, "here"),
        ({"card": "10d"}, "here"),
        ({"card": 9}, "card"),
        ({"card": "9"}, "card"),
        ({"at": True}, "at"),
        ({"at": 5.0}, "at"),
        ({"at": None}, "at"),
        ({"at": 2**63}, "here"),
        ({"by": None}, "by"),
        ({"by": "\ud800"}, "here"),
        ({"seen_by": 1}, "seen_by"),
        ({"more": 1}, "more"),
    ],
)
def test_what_would_not_have_been_written_is_refused(change: dict[str, Any], place: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_tagged(EVENTS, {**DEALT, **change})

    assert caught.value == Refusal("wire/record", {"place": place})
    assert caught.value.message("zh-Hans")


@every("name", [*DEALT])
def test_nothing_may_be_left_out(name: str) -> None:
    with pytest.raises(Refusal, match="nothing that cutcard would have written"):
        parse_tagged(EVENTS, {key: one for key, one in DEALT.items() if key != name})


@every("value", [None, 3, "CardDealt", [], [DEALT]])
def test_what_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(Refusal):
        parse_tagged(EVENTS, value)


def test_the_place_is_told_from_the_outside_in() -> None:
    offered = tagged(OptionsOffered(("ann", "ben"), 5, "CB4 5.12", 4))

    with pytest.raises(Refusal) as caught:
        parse_tagged(EVENTS, {**offered, "patrons": ["ann", 7]})

    assert caught.value.params["place"] == "patrons.1"


@every("keys", [{"9h": 8, "9H": 8}, {"10d": 8}, {"9h": "8"}, ["9h"]])
def test_a_mapping_is_read_strictly(keys: object) -> None:
    told = tagged(ShoeRegistered("blue", {NINE: 8}, "by hand", "dealer", 5))

    with pytest.raises(Refusal):
        parse_tagged(EVENTS, {**told, "manifest": keys})


@every("text", ["", "X 1 2", "B 1", "B 01 2", "B 1 2 bp pp", "B 1 2 xx", "B  1 2"])
def test_results_have_one_spelling(text: str) -> None:
    with pytest.raises(Refusal):
        parse(Result, text)


@every("key", ["01", "-1", "1.0", "１", "", "1" * 19])
def test_numbers_as_keys_have_one_spelling(key: str) -> None:
    stood = {**dict.fromkeys(Standing.__dataclass_fields__), "seats": {key: "ann"}}

    with pytest.raises(Refusal):
        parse(Standing, stood)


def test_what_it_has_no_words_for() -> None:
    with pytest.raises(AssertionError, match="no words"):
        plain(1.5)
    with pytest.raises(AssertionError, match="no words"):
        parse(float, 1.5)
