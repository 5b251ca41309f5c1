"""Exact odds for whoever asks: counted once, one at a time, and kept.

Counting a shoe takes a fraction of a second, the effect of removing each rank seconds. So
nobody may have much counted in a row, only a few may wait, and what was counted before is
answered at once. This is about books and made-up shoes: no table's shoe is ever priced here.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

from cutcard.odds import Composition, Odds, Price, effect_of_removal, odds
from cutcard.odds.bets import counted, fresh
from cutcard.odds.certificate import certificate
from cutcard.odds.sheets import html
from cutcard.refusals import Refusal
from cutcard.rules.cards import parse_cards
from cutcard.rules.rulebook import Rulebook
from cutcard.server.limits import Rate

COUNTS_A_MINUTE = 40
"""Shoes that one address may have counted."""

MOST_WAITING = 8
KEPT = 256
WAIT = 5
"""Seconds after which to ask again when too many wait."""


class Once:
    """Answers that are worked out once: few at a time, kept, and not many for one address."""

    def __init__(self, a_minute: int) -> None:
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._pace = Rate(a_minute, 60_000)
        self._under_way: dict[Hashable, asyncio.Future[Any]] = {}

    async def ask(
        self, key: Hashable, work: Callable[[], "asyncio.Future[Any]"], address: str, now: int
    ) -> Any:
        """The answer known under a key, or the one that `work` will come to."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if wait := self._pace.take(address, now):
            raise Refusal("server/too-often", {"seconds": -(-wait // 1000)})
        if key not in self._under_way:
            if len(self._under_way) >= MOST_WAITING:
                raise Refusal("server/too-often", {"seconds": WAIT})
            self._under_way[key] = work()
            self._under_way[key].add_done_callback(lambda done: self._counted(key, done))
        # Whoever goes away does not take the count from the others who wait for it.
        return await asyncio.shield(self._under_way[key])

    def _counted(self, key: Hashable, done: "asyncio.Future[Any]") -> None:
        del self._under_way[key]
        if not done.cancelled() and done.exception() is None:
            self._kept[key] = done.result()
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)


class Priced:
    """Counts shoes in a thread of its own."""

    def __init__(self) -> None:
        self._once = Once(COUNTS_A_MINUTE)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="odds")

    async def ask(
        self,
        work: Callable[[Rulebook, Composition], Any],
        book: Rulebook,
        shoe: Composition,
        address: str,
        now: int,
    ) -> Any:
        """What `work` makes of a book and a shoe."""
        loop = asyncio.get_running_loop()
        return await self._once.ask(
            (work, book.hash, *_cards(fresh(book, shoe))),
            lambda: loop.run_in_executor(self._thread, work, book, shoe),
            address,
            now,
        )


def _cards(shoe: Composition) -> tuple[Hashable, ...]:
    by_card = (
        None if shoe.cards is None else tuple(sorted((str(c), n) for c, n in shoe.cards.items()))
    )
    return (shoe.decks, tuple(shoe.ranks.values()), by_card)


def made_up(book: Rulebook, decks: int | None, remove: str) -> Composition:
    """A shoe of so many decks, less some cards; refused if the book could not be dealt from it."""
    full = Composition.of_decks(book.decks.usual if decks is None else decks)
    cards = parse_cards(remove)
    shoe = full.without(cards) if cards else full
    shoe.check(book.decks.most, book.decks.clause)
    return shoe


def variant(book: Rulebook) -> str:
    """What kind of game a book is, as lobbies sort them: read from its bets, not its name."""
    spots = book.spots.values()
    if any(spot.stage is not None for spot in spots):
        return "knockout"
    if any(spot.reserve > 1 for spot in spots):
        return "cow-cow"
    if any(line.commission for spot in spots for line in spot.table.lines):
        return "commission"
    return "no-commission"


def odds_document(book: Rulebook, shoe: Composition) -> dict[str, Any]:
    """The odds as the command line writes them, with how each bet and each coup can end."""
    found = odds(book, shoe)
    page: dict[str, Any] = found.document()
    for spot, price in found.bets.items():
        page["bets"][spot]["distribution"] = _distribution(price)
    return {**page, "cards": found.shoe.total, "results": _results(found)}


def removal_document(book: Rulebook, shoe: Composition) -> dict[str, Any]:
    """How each bet's expected value changes when one card of a rank leaves the shoe."""
    return {
        spot: {rank.value: str(change) for rank, change in changes.items()}
        for spot, changes in effect_of_removal(book, shoe).items()
    }


def certificate_page(book: Rulebook, shoe: Composition) -> str:
    return html(certificate(book, shoe))


def _distribution(price: Price) -> list[dict[str, str]]:
    """Every net result a bet can have, the worst first, and how likely it is."""
    by_net: dict[Fraction, int] = {}
    for one in price.outcomes:
        by_net[one.net] = by_net.get(one.net, 0) + one.orders
    return [
        {"net": str(net), "share": str(Fraction(orders, price.orders))}
        for net, orders in sorted(by_net.items())
        if orders
    ]


def _results(found: Odds) -> dict[str, Any]:
    """Winners, lengths and points of a coup, as shares of all orders."""
    cases = counted(found.shoe).cases
    orders = sum(cases.counts.values())
    points = cases.of(("player_points", "banker_points"))
    return {
        "winner": {
            str(one): str(Fraction(n, orders)) for (one,), n in cases.of(("winner",)).items()
        },
        "cards": {str(one): str(Fraction(n, orders)) for (one,), n in cases.of(("cards",)).items()},
        "points": [
            [str(Fraction(points.get((player, banker), 0), orders)) for banker in range(10)]
            for player in range(10)
        ],
    }
