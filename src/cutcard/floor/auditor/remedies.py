"""The auditor's own decision table, and its own answer to whether an outcome is established.

The table is CB4 5.4 to 5.17 as the document has them. What is established is found
by laying every card that may still come, rank by rank, until some bet has gone
both ways; it knows no odds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from cutcard.floor.auditor import rules

SYSTEM = "system"
INTERRUPTION, FOREIGN, TOGETHER = "technical interruption", "foreign card", "simultaneous cards"
UNSHUFFLED, MISCOUNT = "unshuffled cards", "shortage or excess in the shoe"
TOO_FEW, EXCESS, LATE = "insufficient cards", "excess or exposed card", "noticed a round late"
MISREAD, WRONG_NUMBER = "misread card", "wrong number of cards"

SEALS = (FOREIGN, TOO_FEW, UNSHUFFLED, MISCOUNT)
"""What takes the shoe away."""

VOID, RECORD, RETRACT = "void the round", "write it down; nothing changes", "take the report back"
CONCLUDE, DISMISS = "conclude the round", "set the alarm aside"
RECONSTRUCT, PLAY_ON = "put the cards in order", "play on with the cards as they lie"
ORDER, GO_ON = "decide which card came first", "go on"
RESCAN, CORRECT = "scan the card again", "correct the record"
RULE_VOID, RULE_ON = "rule that the round is void", "rule that the round goes on"
RULE_BURN = "rule that the kept cards are burned"
NO_RULING = "void the round for want of a ruling"

VOIDS = (VOID, RULE_VOID, NO_RULING)
SAYS_WHY = (PLAY_ON, DISMISS, RETRACT, CORRECT, NO_RULING)
RULINGS = (RULE_VOID, RULE_ON, RULE_BURN)
WHO_DECIDED = "who decided on it"


@dataclass(frozen=True)
class Remedy:
    """What may be done about one kind of irregularity, by whom, and who is then asked."""

    steps: tuple[str, ...]
    decides: str
    choice: str
    """When patrons may choose: always, never, unless something is decided already, or who
    decided on an Ante by a card that was another one."""


def _table(text: str) -> dict[str, Remedy]:
    rows = [[cell.strip() for cell in row.split("|")] for row in text.strip().splitlines()]
    words = {
        "void": (VOID,),
        "either": (CONCLUDE, VOID),
        "order or void": (RECONSTRUCT, VOID),
        "order": (RECONSTRUCT, PLAY_ON),
        "go on": (GO_ON,),
        "first": (ORDER,),
        "scan": (RESCAN,),
        "correct": (CORRECT,),
        "rule": (RULE_VOID, RULE_ON, RULE_BURN, NO_RULING),
        "stands": (RECORD,),
    }
    return {kind: Remedy(words[step], who, choice) for kind, step, who, choice in rows}


REMEDIES = _table("""
    technical interruption         | either        | pit supervisor | never
    foreign card                   | void          | pit supervisor | never
    shortage or excess in the shoe | void          | pit supervisor | never
    insufficient cards             | void          | pit supervisor | never
    unshuffled cards               | void          | pit supervisor | never
    wrong number of cards          | order or void | pit supervisor | undecided
    excess or exposed card         | order         | pit supervisor | undecided
    card to the wrong side         | order         | pit supervisor | undecided or as they lie
    card to the wrong person       | order         | pit supervisor | undecided or as they lie
    card face up                   | go on         | dealer         | undecided
    simultaneous cards             | first         | pit supervisor | always
    other dealing error            | go on         | pit supervisor | always
    unread card                    | scan          | dealer         | never
    misread card                   | correct       | pit supervisor | who decided on it
    anything else                  | rule          | shift manager  | never
    noticed a round late           | stands        | pit supervisor | never
    wrong display                  | stands        | pit supervisor | never
    misplaced bet                  | stands        | pit supervisor | never
    excess bets                    | stands        | dealer         | never
    excess bets unnoticed          | stands        | pit supervisor | never
    bet below minimum              | stands        | dealer         | never
    bet below minimum unnoticed    | stands        | dealer         | never
    patron walked away             | stands        | dealer         | never
    late bet                       | stands        | dealer         | never
    late withdrawal                | stands        | dealer         | never
""")
"""A book that knows less than CB4 is played by CB4 in what it leaves unsaid."""


def concludes_after_a_card(book: str) -> bool:
    """Whether an interrupted round goes on once a card is out (ONL E1), or else by CB4 5.4."""
    return book.startswith("online")


def wrong_number_clause(book: str) -> str:
    """Under which a round with a card too many is void."""
    own = {"rws-non-commission-etg": "ETG4 5.1.2", "rws-knockout": "KO2 5.1.2"}
    return own.get(book, "CB4 5.5.3")


def gives_a_choice(remedy: Remedy, step: str, established: bool) -> bool:
    """The last column of the decision table."""
    if step in (RETRACT, VOID, RECORD) or remedy.choice == "never":
        return False
    if remedy.choice in ("always", WHO_DECIDED) or not established:
        return True
    return remedy.choice == "undecided or as they lie" and step == PLAY_ON


# --- what is established --------------------------------------------------------------------------

Hand = list[str | None]
"""Cards as they lie; None is one that lies face down."""

LAID = "9A5K38274T6QJ"
"""Ranks in an order in which most bets soon go both ways."""


def established(
    book: dict[str, rules.Spot],
    spots: Iterable[str],
    hands: tuple[list[str], list[str]],
    shown: set[int],
    pool: Counter[str],
) -> set[str]:
    """Bets that are won, or lost, however the coup ends; a push is neither.

    `shown` are the cards that lie open, by their place in the dealing order, and `pool`
    is by rank what nobody has seen.
    """
    both = _open(hands, shown)
    if all(card is None for hand in both for card in hand):
        return set()
    so_far: dict[str, bool | None] = dict.fromkeys(spots)
    player, banker = map(tuple, both)
    for coup in _outcomes(player, banker, frozenset(pool.items()), follows_the_tableau(*hands)):
        for spot, before in [*so_far.items()]:
            net = book[spot].pays(coup)[0]
            if net == 0 or before not in (None, net > 0):
                del so_far[spot]
            else:
                so_far[spot] = net > 0
        if not so_far:
            break
    return set(so_far)


class _Outcomes:
    """Every outcome that a coup can still come to, found only as far as somebody asks."""

    def __init__(self, ends: Iterator[rules.Outcome]) -> None:
        self.ends = ends
        self.found: dict[rules.Outcome, None] = {}

    def __iter__(self) -> Iterator[rules.Outcome]:
        yield from [*self.found]
        for coup in self.ends:
            if coup not in self.found:
                self.found[coup] = None
                yield coup


@lru_cache(maxsize=64)
def _outcomes(
    player: tuple[str | None, ...],
    banker: tuple[str | None, ...],
    pool: frozenset[tuple[str, int]],
    in_turn: bool,
) -> _Outcomes:
    """An incident is looked at more than once, and its cards lie as they did."""
    return _Outcomes(_ends([*player], [*banker], Counter(dict(pool)), in_turn))


def _open(hands: tuple[list[str], list[str]], shown: set[int]) -> tuple[Hand, Hand]:
    """The hands as somebody at the table sees them."""
    both: tuple[Hand, Hand] = ([], [])
    place = 0
    for row in range(max(map(len, hands))):
        for hand, seen in zip(hands, both, strict=True):
            if row < len(hand):
                seen.append(hand[row] if place in shown else None)
                place += 1
    return both


def follows_the_tableau(player: list[str], banker: list[str]) -> bool:
    """Whether all cards lie as they are dealt in turn."""
    one: list[str] = []
    other: list[str] = []
    while len(one) < len(player) or len(other) < len(banker):
        side = rules.turn(one, other)
        hand, laid = (player, one) if side == "player" else (banker, other)
        if side is None or len(laid) == len(hand):
            return False
        laid.append(hand[len(laid)])
    return True


def _ends(player: Hand, banker: Hand, pool: Counter[str], in_turn: bool) -> Iterator[rules.Outcome]:
    """Every outcome that hands can come to with the cards of a pool, some more than once."""
    known: set[object] = set()
    # Once the Banker has drawn, a Player of two cards has stood.
    stood = len(player) == 2 and len(banker) == 3

    def lay(one: list[str], other: list[str]) -> Iterator[rules.Outcome]:
        lies = len(one) < len(player) or len(other) < len(banker)
        if in_turn or not lies:
            side = rules.turn(one, other)
        else:
            # Hands that follow no rule are laid as they lie, and only then go on in turn.
            side = "player" if len(one) < len(player) else "banker"
        if side is None:
            if not lies:
                yield rules.outcome(one, other)
            return
        if side == "player" and len(one) == 2 and stood:
            return
        if len(one) == len(other) == 2 and in_turn:
            state = _state(one, other, pool)
            if state in known:
                return
            known.add(state)
        hand, laid = (player, one) if side == "player" else (banker, other)
        card = hand[len(laid)] if len(laid) < len(hand) else None
        for next in [card] if card is not None else _choices(pool, len(laid) < 2):
            if card is None:
                pool[next[0]] -= 1
            laid.append(next)
            yield from lay(one, other)
            laid.pop()
            if card is None:
                pool[next[0]] += 1

    return lay([], [])


def _state(one: list[str], other: list[str], pool: Counter[str]) -> object:
    """All that the rest of a coup depends on after its first four cards."""
    values: Counter[int] = Counter()
    for rank, number in pool.items():
        values[rules.value(rank)] += number
    rare = tuple(sorted((value, number) for value, number in values.items() if number < 2))
    pairs = one[0][0] == one[1][0], other[0][0] == other[1][0]
    return rules.total(one), rules.total(other), pairs, rare


def _choices(pool: Counter[str], by_rank: bool) -> list[str]:
    """The cards that may come: of the first two every rank counts, after that only values."""
    ranks = [rank for rank in LAID if pool[rank] > 0]
    if by_rank:
        return ranks
    # The most frequent rank stands for its value, so that one of a kind is not taken twice.
    ranks.sort(key=lambda rank: -pool[rank])
    return [*{rules.value(rank): rank for rank in reversed(ranks)}.values()]
