"""Odds on request: counted once, a few at a time, and never for whoever asks too much."""

import asyncio
import threading
from typing import Any

import pytest

from cutcard.odds import Composition, odds
from cutcard.refusals import Refusal
from cutcard.rulebooks import MORE, load, rulebooks
from cutcard.rules.rulebook import Rulebook
from cutcard.server.priced import (
    COUNTS_A_MINUTE,
    MOST_WAITING,
    Priced,
    made_up,
    odds_document,
    variant,
)
from tests.cases import every
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio
BOOK = load("skycity-commission")
HERE = "203.0.113.7"


class Counter:
    """Work that counts how often it is done, and waits until it may end."""

    def __init__(self) -> None:
        self.done = 0
        self.go = threading.Event()

    def __call__(self, _book: Rulebook, shoe: Composition) -> int:
        self.go.wait(PATIENCE)
        self.done += 1
        return shoe.total


async def test_a_shoe_is_counted_once_for_everybody() -> None:
    priced, work = Priced(), Counter()
    work.go.set()
    shoe = made_up(BOOK, 1, "9h 9s")

    asked = (priced.ask(work, BOOK, shoe, f"10.0.0.{one}", 0) for one in range(5))
    assert await asyncio.gather(*asked) == [50] * 5
    # No bet of this book looks at suits, so two other nines leave the same shoe behind.
    assert await priced.ask(work, BOOK, made_up(BOOK, 1, "9d 9c"), HERE, 0) == 50
    assert work.done == 1


async def test_one_address_may_have_only_so_much_counted() -> None:
    priced, work = Priced(), Counter()
    work.go.set()
    cards = "A23456789TJQK"
    shoes = [
        made_up(BOOK, 8, f"{one}h {other}s")
        for place, one in enumerate(cards)
        for other in cards[place:]
    ]
    for shoe in shoes[:COUNTS_A_MINUTE]:
        await priced.ask(work, BOOK, shoe, HERE, 0)

    with pytest.raises(Refusal) as caught:
        await priced.ask(work, BOOK, shoes[COUNTS_A_MINUTE], HERE, 0)
    assert caught.value.code == "server/too-often"
    # What is known costs nothing, and somebody else has an allowance of their own.
    await priced.ask(work, BOOK, shoes[0], HERE, 0)
    await priced.ask(work, BOOK, shoes[COUNTS_A_MINUTE], "203.0.113.8", 0)


async def test_only_a_few_wait() -> None:
    priced, work = Priced(), Counter()
    waiting = [
        asyncio.ensure_future(priced.ask(work, BOOK, made_up(BOOK, one, ""), f"10.0.0.{one}", 0))
        for one in range(1, MOST_WAITING + 1)
    ]
    await asyncio.sleep(0)

    with pytest.raises(Refusal) as caught:
        await priced.ask(work, BOOK, made_up(BOOK, 8, "9h"), HERE, 0)
    assert caught.value.code == "server/too-often"
    work.go.set()
    assert await asyncio.gather(*waiting) == [52 * one for one in range(1, MOST_WAITING + 1)]


def test_the_document_is_what_odds_counts_and_how_it_can_end() -> None:
    shoe = made_up(BOOK, 6, "9h")
    found: dict[str, Any] = odds_document(BOOK, shoe)
    counted = odds(BOOK, shoe)

    assert found["cards"] == 311
    for spot, price in counted.bets.items():
        assert price.document().items() <= found["bets"][spot].items()
    banker = found["bets"]["banker"]["distribution"]
    assert [one["net"] for one in banker] == ["-1", "0", "19/20"]
    assert banker[-1]["share"] == str(counted.bets["banker"].win)
    assert len(found["results"]["points"]) == 10


@every(
    ("decks", "remove", "code"),
    [
        (1, "9h 9h", "odds/not-in-shoe"),
        (8, "9x", "card/unreadable"),
        (
            1,
            " ".join(f"{rank}{suit}" for rank in "A23456789TJQ" for suit in "shdc"),
            "odds/too-few-cards",
        ),
    ],
)
def test_no_shoe_that_cannot_be(decks: int, remove: str, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        made_up(BOOK, decks, remove)
    assert caught.value.code == code


def test_what_kind_of_game_a_book_is() -> None:
    found = {book.id: variant(book) for book in (*rulebooks(), *rulebooks(MORE))}

    assert found["rws-knockout"] == "knockout"
    assert found["online-cow-cow"] == "cow-cow"
    assert {found["rws-commission"], found["skycity-commission"], found["online-baccarat"]} == {
        "commission"
    }
    assert {
        found["online-no-commission"],
        found["rws-non-commission-etg"],
        found["skycity-non-commission"],
    } == {"no-commission"}
