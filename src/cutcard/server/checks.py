"""What one key of a configuration cannot know alone: whether it agrees with the others."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import MappingProxyType

from cutcard.refusals import Refusal
from cutcard.round.decide import OPEN_TABLE
from cutcard.rulebooks import MORE, ids
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Layout, Remedy, Rulebook
from cutcard.server.desk import LOGS
from cutcard.server.settings import Place, not_whole, unknown_word
from cutcard.server.shapes import (
    LEAST_ROUND_MS,
    LONGEST_MS,
    MOST_RUN,
    USUAL,
    Config,
    Deals,
    LimitSettings,
    Pace,
    TableSettings,
)
from cutcard.table.advice import entry_of
from cutcard.table.incident import SYSTEM, UNREAD

CLAUSE = "HOUSE limits"
SHUFFLER, SCANNER = "HOUSE shuffler", "CB4 1.3"
LEAST_RUN = 3
"""Fewer cards in order come in every shoe."""

MAIN = ("player", "banker")


def checked(config: Config, top: Place) -> Config:
    """The configuration with its usual pace, or a refusal of what does not agree."""
    config = replace(config, paces=MappingProxyType({USUAL: Pace(), **config.paces}))
    server = config.server
    if (server.tls_cert is None) != (server.tls_key is None):
        raise Refusal("config/half-tls", {"file": top.file, "place": "server"})
    if config.signin.idle_minutes > config.signin.longest_hours * 60:
        most = config.signin.longest_hours * 60
        raise not_whole(Place(top.file, "signin.idle_minutes"), 1, most)
    for name, pace in config.paces.items():
        if pace.least_round_ms < LEAST_ROUND_MS and not pace.test:
            place = Place(top.file, f"pace.{name}.least_round_ms")
            raise not_whole(place, LEAST_ROUND_MS, LONGEST_MS)
    if not config.tables:
        raise Refusal("config/missing", {"file": top.file, "place": top.path, "key": "table"})
    for number, table in enumerate(config.tables, start=1):
        place = Place(top.file, f"table[{number}]")
        if table.name in (*LOGS, SYSTEM):
            # Logs and accounts have these names already.
            raise Refusal(
                "config/not-like",
                {
                    "file": top.file,
                    "place": f"{place.path}.name",
                    "word": table.name,
                    "like": f"{table.name}-1",
                },
            )
        if any(table.name == earlier.name for earlier in config.tables[: number - 1]):
            raise Refusal(
                "config/twice",
                {"file": top.file, "place": f"{place.path}.name", "word": table.name},
            )
        if table.pace not in config.paces:
            raise unknown_word(place.below("pace"), table.pace, tuple(config.paces))
        for by_book, below in _by_each_book(table, place):
            _check_table(by_book, below)
            _check_dealing(by_book, below, config.venue.demonstration)
            _check_cards(by_book, below)
        _check_others(table, place)
    return config


def _by_each_book(table: TableSettings, place: Place) -> Iterator[tuple[TableSettings, Place]]:
    """The table by its own book and by each of the others, with the place of each in the file."""
    yield table, place
    for number, other in enumerate(table.others, start=1):
        yield table.by(other), place.below(f"other[{number}]")


def _check_table(table: TableSettings, place: Place) -> None:
    book = _book(table, place)
    if table.decks is not None and not book.decks.least <= table.decks <= book.decks.most:
        raise not_whole(place.below("decks"), book.decks.least, book.decks.most)
    approval = table.approval
    if approval is not None and approval.first.strip() == approval.second.strip():
        raise Refusal(
            "config/one-signature", {"file": place.file, "place": place.below("approval").path}
        )
    if table.open and book.approval is not None and approval is None:
        raise Refusal(
            "config/not-approved",
            {"file": place.file, "place": place.path, "book": book.name},
            "CB4 pre",
        )
    if approval is not None and approval.hash not in (None, book.hash):
        raise Refusal(
            "config/book-changed",
            {"file": place.file, "place": place.path, "book": book.name, "hash": book.hash},
            "CB4 pre",
        )
    layout = layout_of(table, book)
    if layout is None:
        known = tuple(one.id for one in book.layouts)
        raise unknown_word(place.below("layout"), str(table.layout), known)
    if layout.boxes is not None and table.boxes not in (None, layout.boxes):
        raise unknown_word(place.below("boxes"), str(table.boxes), (str(layout.boxes),))
    if layout.is_open and table.chips:
        where = place.below("chips").path
        raise Refusal("config/open-chips", {"file": place.file, "place": where}, OPEN_TABLE)
    for number, limit in enumerate(table.limits, start=1):
        _check_limit(limit, book, place.below(f"limit[{number}]"))
        if layout.is_open and limit.scope is Scope.BOX:
            others = tuple(one.value for one in Scope if one is not Scope.BOX)
            scope = place.below(f"limit[{number}]").below("scope")
            raise unknown_word(scope, limit.scope.value, others)
    _check_order(limits_of(table, book), place.below("limit"))


def _check_dealing(table: TableSettings, place: Place, demonstration: bool) -> None:
    """Refuse to let the server deal where the book, the shuffler or the scanner wants people."""
    file, where, name, book = place.file, place.path, table.name, table.rulebook
    if table.deals is Deals.STAFF:
        return
    if book.dealer_clause is not None and not demonstration:
        raise Refusal(
            "config/needs-dealer",
            {
                "file": file,
                "place": where,
                "table": name,
                "book": book.name,
                "deals": table.deals.value,
            },
            book.dealer_clause,
        )
    if table.continuous:
        raise Refusal("config/continuous", {"file": file, "place": where, "table": name}, SHUFFLER)
    if not table.scanner:
        raise Refusal("config/no-scanner", {"file": file, "place": where, "table": name}, SCANNER)


def _check_cards(table: TableSettings, place: Place) -> None:
    """Refuse to do without a scanner where the book lets nobody type, and an alarm at any card."""
    book = table.rulebook
    unread = entry_of(book, UNREAD)
    if not table.scanner and unread.remedy is Remedy.RESCAN:
        raise Refusal(
            "config/no-typing",
            {"file": place.file, "place": place.path, "table": table.name, "book": book.name},
            unread.clause,
        )
    if 0 < table.sentinel < LEAST_RUN:
        raise not_whole(place.below("sentinel"), LEAST_RUN, MOST_RUN)


def _check_others(table: TableSettings, place: Place) -> None:
    """The pit names a book by its id, so no two may have the same."""
    books = [table.rulebook.id, *(table.by(other).rulebook.id for other in table.others)]
    for number, book in enumerate(books):
        if book in books[:number]:
            where = place.below(f"other[{number}].book").path
            raise Refusal("config/twice", {"file": place.file, "place": where, "word": book})


def _book(table: TableSettings, place: Place) -> Rulebook:
    try:
        return table.rulebook
    except Refusal as refusal:
        if refusal.code != "rulebook/unknown":
            raise  # It names the book's own file, and the place in it.
        raise unknown_word(place.below("book"), table.book, (*ids(), *ids(MORE))) from None


def _check_limit(limit: LimitSettings, book: Rulebook, place: Place) -> None:
    for spot in limit.spots:
        if spot not in book.spots:
            raise unknown_word(place.below("spots"), spot, tuple(book.spots))
    if limit.kind is Kind.MINIMUM and limit.scope is not Scope.BET:
        raise unknown_word(place.below("scope"), limit.scope.value, (Scope.BET.value,))
    if limit.kind is Kind.DIFFERENTIAL and len(set(limit.spots or MAIN)) != 2:
        raise Refusal(
            "config/not-two-spots", {"file": place.file, "place": place.below("spots").path}
        )


def _check_order(limits: Iterable[Limit], place: Place) -> None:
    """No spot may have a minimum above its maximum: nothing could be bet there."""
    every = list(limits)
    for least in (one for one in every if one.kind is Kind.MINIMUM):
        for most in (one for one in every if one.kind is Kind.MAXIMUM):
            if set(least.spots) & set(most.spots) and least.amount > most.amount:
                raise Refusal(
                    "config/limits-crossed",
                    {
                        "file": place.file,
                        "place": place.path,
                        "least": least.amount,
                        "most": most.amount,
                    },
                )


def layout_of(table: TableSettings, book: Rulebook) -> Layout | None:
    """The layout that was chosen, if the book has it."""
    if table.layout is None:
        return book.layouts[0]
    return next((one for one in book.layouts if one.id == table.layout), None)


def limits_of(table: TableSettings, book: Rulebook) -> tuple[Limit, ...]:
    """The limits of a table: its own, and the book's on the spots where it has none of a kind."""
    own = tuple(
        Limit(
            kind=one.kind,
            scope=one.scope,
            spots=one.spots or (MAIN if one.kind is Kind.DIFFERENTIAL else tuple(book.spots)),
            amount=one.amount,
            clause=CLAUSE,
        )
        for one in table.limits
    )
    return (*own, *(left for limit in book.limits for left in _left(limit, own)))


def _left(limit: Limit, own: tuple[Limit, ...]) -> tuple[Limit, ...]:
    """What the table's own limits leave of one of the book's."""
    taken = {spot for one in own if one.kind is limit.kind for spot in one.spots}
    spots = tuple(spot for spot in limit.spots if spot not in taken)
    if limit.kind is Kind.DIFFERENTIAL and len(spots) < len(limit.spots):
        return ()
    return (replace(limit, spots=spots),) if spots else ()
