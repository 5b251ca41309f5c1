"""Reading: from a rule set's document (plain tables, as TOML gives them) to a Rulebook.

Every mistake that would only show itself at the table is looked for here: a
fact that does not exist, a line that no coup can reach, a coup that no line
decides, a rule without a clause.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from hashlib import sha256
from re import fullmatch
from types import MappingProxyType
from typing import TypeVar

from cutcard.rules.facts import VOCABULARY, Value, possible
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.moment import PATTERN
from cutcard.rules.node import Node, nearest
from cutcard.rules.paytable import Line, PayTable
from cutcard.rules.rulebook import (
    STANDING_PATRONS,
    BackBets,
    Cut,
    Decks,
    Interruption,
    Irregularity,
    Layout,
    Needs,
    Options,
    Remedy,
    Role,
    Rulebook,
    ShoeAfter,
    Spot,
    Stage,
    Text,
)
from cutcard.rules.shoe import FULL_BURN, FULL_COUP, full_shoe
from cutcard.rules.tableau import BANKER_TABLE, PLAYER_TABLE

TOPICS = ("deal", "values", "tableau", "winner", "bets")
"""What every book must say somewhere; refusals about these cite the place."""

MOST_DECKS = 8
"""More decks than any shoe holds."""

ANNOUNCEMENTS = ("open", "close")
"""The words with which betting opens and closes."""

BEHIND = "standing patrons"
"""Who may bet in the box of another patron's seat, where anybody may."""

Listed = Mapping[str, frozenset[str] | None]
"""The documents that may be cited by name, each with its clauses, or None without them."""

Known = TypeVar("Known", bound=Enum)
Named = TypeVar("Named", Irregularity, Layout)


class Clauses:
    """The clauses a document has, to check citations against; None when no list came with it.

    A bare number cites the book's own document (`3.12`), a word before it another
    one (`CB4 5.7`, `HOUSE step`). Of a document whose list is None only the name is known.
    """

    def __init__(self, document: str, known: Listed) -> None:
        self.document = document
        self.cited: dict[str, None] = {}
        self._known = known

    def cite(self, node: Node, key: str = "clause") -> str:
        if key == "clause" and not (node.has(key) and str(node.value(key)).strip()):
            raise node.refuse("missing-clause")
        number = node.text(key)
        head, _, tail = number.partition(" ")
        document, clause = (head, tail) if head in self._known else (self.document, number)
        listed = self._known.get(document)
        if listed is not None and not exists(clause, listed):
            raise node.refuse("unknown-clause", clause=f"{document} {clause}")
        self.cited[document] = None
        return f"{document} {clause}"


def exists(clause: str, ids: Iterable[str]) -> bool:
    """A citation names a clause, or the printed number that its parts or sub-clauses share."""
    return any(id == clause or id.startswith((clause + " ", clause + ".")) for id in ids)


def read(document: Mapping[str, object], file: str, known: Listed) -> Rulebook:
    """A Rulebook from its document; `known` holds the clause numbers of each document."""
    root = Node(file, "", document)
    clauses = Clauses(root.text("document"), known)
    spots = _spots(root, clauses)
    interruption = root.table("interruption")
    decks = _decks(root.table("decks"), clauses)
    cut = _cut(root.table("cut"), clauses, decks)
    burn = root.table("burn")
    book = Rulebook(
        id=root.text("id"),
        name=root.text("name"),
        document=clauses.document,
        operator=root.text("operator"),
        version=root.text("version"),
        effective_from=_date(root, "effective_from"),
        approval=root.text_or_none("approval"),
        house_policy=root.text_or_none("house_policy"),
        hash="",
        decks=decks,
        cut=cut,
        burn_clause=clauses.cite(burn),
        spots=MappingProxyType(spots),
        limits=_limits(root.tables("limit"), clauses, tuple(spots)),
        layouts=tuple(_layouts(root.tables("layout"), clauses, spots).values()),
        back_bets=_back_bets(root, clauses),
        announcements=MappingProxyType(_announcements(root.table("announcements"), clauses)),
        interruption=_member(interruption, "policy", Interruption),
        concludes_clause=clauses.cite(interruption, "concludes"),
        voids_clause=clauses.cite(interruption, "voids"),
        irregularities=MappingProxyType(_irregularities(root.tables("irregularity"), clauses)),
        texts=tuple(_text(node, clauses) for node in root.tables("text")),
        cites=MappingProxyType(_cites(root.table("cites"), clauses)),
        dealer_clause=_dealer(root, clauses),
    )
    for node in (burn, interruption, root):
        node.finish()
    cited = tuple(sorted(clauses.cited))
    return replace(book, hash=content_hash(document), written=document, cited=cited)


def content_hash(document: Mapping[str, object]) -> str:
    """SHA-256 over all that decides how the book plays, the tableau included.

    Comments, blank lines and the order of keys in the file do not matter.
    """
    whole = {"document": document, "tableau": tableau()}
    canonical = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(canonical.encode()).hexdigest()


def tableau() -> list[list[str]]:
    """Both printed tables, word by word, as they go into a book's hash."""
    return [PLAYER_TABLE.split(), BANKER_TABLE.split()]


def _member(node: Node, key: str, kind: type[Known]) -> Known:
    return kind(node.one_of(key, [str(member.value) for member in kind]))


def _date(node: Node, key: str) -> str | None:
    text = node.text_or_none(key)
    if text is not None and not fullmatch(PATTERN, text):
        raise node.refuse("not-date", key=key, word=text)
    return text


def _decks(node: Node, clauses: Clauses) -> Decks:
    least = node.whole("least", 1)
    most = node.whole("most", least)
    if most > MOST_DECKS:
        raise node.refuse("not-ordered", key="most", most=MOST_DECKS)
    usual = node.whole("usual", least)
    if usual > most:
        raise node.refuse("not-ordered", key="usual", most=most)
    decks = Decks(least, most, usual, clauses.cite(node))
    node.finish()
    return decks


def _cut(node: Node, clauses: Clauses, decks: Decks) -> Cut:
    least = node.whole("least", FULL_COUP)
    cut = Cut(least, node.whole("most", least), clauses.cite(node))
    # Even the smallest shoe must have room for the burn and the cut card.
    most = len(full_shoe(decks.least)) - FULL_BURN - 1
    if cut.most > most:
        raise node.refuse("not-ordered", key="most", most=most)
    node.finish()
    return cut


def _dealer(root: Node, clauses: Clauses) -> str | None:
    """The clause of the optional table `[dealer]`: no round opens without a dealer."""
    if not root.has("dealer"):
        return None
    node = root.table("dealer")
    clause = clauses.cite(node)
    node.finish()
    return clause


def _cites(node: Node, clauses: Clauses) -> dict[str, str]:
    cites = {topic: clauses.cite(node, topic) for topic in TOPICS}
    node.finish()
    return cites


def _announcements(node: Node, clauses: Clauses) -> dict[str, Text]:
    said = {}
    for name in ANNOUNCEMENTS:
        said[name] = _text(node.table(name), clauses)
    node.finish()
    return said


def _text(node: Node, clauses: Clauses) -> Text:
    text = Text(node.text("words"), clauses.cite(node))
    node.finish()
    return text


def _layout(node: Node, clauses: Clauses, spots: Iterable[str]) -> Layout:
    labels = node.table("labels") if node.has("labels") else None
    layout = Layout(
        id=node.text("id"),
        name=node.text("name"),
        boxes=node.whole("boxes", 0) if node.has("boxes") else None,
        labels={spot: labels.text(spot) for spot in spots if labels.has(spot)} if labels else {},
        areas=node.texts("areas") if node.has("areas") else (),
        clause=clauses.cite(node),
        terminals=clauses.cite(node, "terminals") if node.has("terminals") else None,
    )
    if layout.terminals is not None and not layout.is_open:
        raise node.refuse("terminals-in-boxes")
    if labels:
        labels.finish()
    node.finish()
    return layout


def _back_bets(root: Node, clauses: Clauses) -> BackBets:
    if not root.has("back_bets"):
        return STANDING_PATRONS
    node = root.table("back_bets")
    who = node.one_of("who", [BEHIND, "none"])
    back_bets = BackBets(who == BEHIND, clauses.cite(node))
    node.finish()
    return back_bets


def _irregularities(nodes: list[Node], clauses: Clauses) -> dict[str, Irregularity]:
    return _once(nodes, [_irregularity(node, clauses) for node in nodes])


def _layouts(nodes: list[Node], clauses: Clauses, spots: Iterable[str]) -> dict[str, Layout]:
    return _once(nodes, [_layout(node, clauses, spots) for node in nodes])


def _once(nodes: list[Node], entries: list[Named]) -> dict[str, Named]:
    """The entries by their ids, each of which may be there once."""
    found: dict[str, Named] = {}
    for node, entry in zip(nodes, entries, strict=True):
        if entry.id in found:
            raise node.refuse("twice", word=entry.id)
        found[entry.id] = entry
    return found


def _irregularity(node: Node, clauses: Clauses) -> Irregularity:
    remedy = _member(node, "remedy", Remedy)
    # Only a void takes the shoe away; beside another remedy the key is refused as unknown.
    says = remedy is Remedy.VOID and node.has("shoe")
    irregularity = Irregularity(
        id=node.text("id"),
        remedy=remedy,
        decides=_member(node, "decides", Role),
        options=_member(node, "options", Options),
        clause=clauses.cite(node),
        shoe=_member(node, "shoe", ShoeAfter) if says else None,
    )
    node.finish()
    return irregularity


def _limits(nodes: list[Node], clauses: Clauses, spots: tuple[str, ...]) -> tuple[Limit, ...]:
    limits = tuple(_limit(node, clauses, spots) for node in nodes)
    for node, least in zip(nodes, limits, strict=True):
        for most in limits:
            pair = (least.kind, most.kind) == (Kind.MINIMUM, Kind.MAXIMUM)
            if pair and set(least.spots) & set(most.spots) and least.amount > most.amount:
                raise node.refuse("not-ordered", key="amount", most=most.amount)
    return limits


def _limit(node: Node, clauses: Clauses, spots: tuple[str, ...]) -> Limit:
    kind = _member(node, "kind", Kind)
    named = node.texts("spots") if node.has("spots") else spots
    for spot in named:
        if spot not in spots:
            raise node.refuse("unknown-word", key="spots", word=spot, known=nearest(spot, spots))
    if kind is Kind.DIFFERENTIAL and len(set(named)) != 2:
        raise node.refuse("not-two-spots", key="spots")
    scope = _member(node, "scope", Scope)
    if kind is Kind.MINIMUM and scope is not Scope.BET:
        raise node.refuse("unknown-word", key="scope", word=scope.value, known=Scope.BET.value)
    limit = Limit(
        kind=kind,
        scope=scope,
        spots=named,
        amount=node.whole("amount", 1),
        clause=clauses.cite(node),
    )
    node.finish()
    return limit


def _spots(root: Node, clauses: Clauses) -> dict[str, Spot]:
    described, paid = root.table("spot"), root.table("bet")
    ids = described.names
    if not ids:
        raise root.refuse("not-table", key="spot")
    for id in paid.names:
        if id not in ids:
            raise paid.refuse("unknown-word", key="bet", word=id, known=nearest(id, ids))
    spots = {id: _spot(id, node, paid, clauses, ids) for id, node in described.entries()}
    labels = [spot.label for spot in spots.values()]
    for place, label in enumerate(labels):
        if label in labels[:place]:
            raise described.refuse("twice", word=label)
    _check_dependencies(described, spots)
    return spots


def _check_dependencies(described: Node, spots: Mapping[str, Spot]) -> None:
    """What another bet needs or follows must stand alone, and be followed by one bet only."""
    alone = [id for id, spot in spots.items() if spot.needs is None and spot.stage is None]
    followed: set[str] = set()
    for id, spot in spots.items():
        wanted = spot.needs.any_of if spot.needs else (spot.stage.follows,) if spot.stage else ()
        for other in wanted:
            if other not in alone:
                known = nearest(other, alone)
                raise described.refuse("unknown-word", key=id, word=other, known=known)
        if spot.stage is not None:
            if spot.stage.follows in followed:
                raise described.refuse("twice", word=spot.stage.follows)
            followed.add(spot.stage.follows)


def _spot(id: str, node: Node, paid: Node, clauses: Clauses, ids: tuple[str, ...]) -> Spot:
    others = tuple(other for other in ids if other != id)
    spot = Spot(
        id=id,
        label=node.text("label"),
        table=_table(paid.tables(id), clauses),
        needs=_needs(node.table("needs"), clauses, others) if node.has("needs") else None,
        stage=_stage(node.table("stage"), clauses, others) if node.has("stage") else None,
    )
    node.finish()
    return spot


def _needs(node: Node, clauses: Clauses, ids: tuple[str, ...]) -> Needs:
    needs = Needs(node.texts("any_of"), clauses.cite(node))
    for id in needs.any_of:
        if id not in ids:
            raise node.refuse("unknown-word", key="any_of", word=id, known=nearest(id, ids))
    node.finish()
    return needs


def _stage(node: Node, clauses: Clauses, ids: tuple[str, ...]) -> Stage:
    declined = node.table("declined")
    declined.one_of("does", ["forfeit"])
    funds = node.one_of("funds", ["together", "each"]) if node.has("funds") else "each"
    stage = Stage(
        follows=node.one_of("follows", ids),
        after_card=_first_four(node, "after_card"),
        multiple=node.whole("multiple", 1),
        clause=clauses.cite(node),
        declined_clause=clauses.cite(declined),
        funds_together=funds == "together",
    )
    declined.finish()
    node.finish()
    return stage


def _first_four(node: Node, key: str) -> int:
    """One of the four cards that every coup has."""
    number = node.whole(key, 1)
    if number > 4:
        raise node.refuse("not-ordered", key=key, most=4)
    return number


def _table(nodes: list[Node], clauses: Clauses) -> PayTable:
    table = PayTable(tuple(_line(node, clauses) for node in nodes))
    cases = set(possible(table.facts))
    undecided = cases
    for node, line in zip(nodes, table.lines, strict=True):
        fitting = {case for case in cases if line.fits(dict(zip(table.facts, case, strict=True)))}
        if not fitting:
            raise node.refuse("impossible-line")
        if not fitting & undecided:
            raise node.refuse("unreachable-line")
        undecided = undecided - fitting
    if undecided:
        example = min(undecided, key=repr)
        words = ", ".join(
            f"{name} = {_toml(value)}" for name, value in zip(table.facts, example, strict=True)
        )
        raise nodes[-1].refuse("uncovered", case=words)
    return table


def _toml(value: Value) -> str:
    return "nothing (a tie)" if value is None else json.dumps(value)


def _line(node: Node, clauses: Clauses) -> Line:
    when = node.table("when") if node.has("when") else Node(node.file, node.place, {})
    odds = _odds(node)
    line = Line(
        when=MappingProxyType({name: _values(when, name) for name in when.names}),
        odds=odds,
        commission=_commission(node, odds) if node.has("commission") else Fraction(0),
        clause=clauses.cite(node),
    )
    node.finish()
    return line


def _values(when: Node, name: str) -> tuple[Value, ...]:
    if name not in VOCABULARY:
        raise when.refuse("unknown-fact", fact=name, known=nearest(name, VOCABULARY))
    given = when.value(name)
    wanted = given if isinstance(given, list) else [given]
    values = VOCABULARY[name].values
    known = tuple(_toml(one) for one in values)
    for value in wanted:
        # True equals 1 in Python but is no number of cards, so kinds are compared too.
        if not any(value == one and type(value) is type(one) for one in values):
            word = json.dumps(value, default=str)
            raise when.refuse("impossible-value", fact=name, word=word, known=known)
    if not wanted:
        raise when.refuse("impossible-value", fact=name, word="[]", known=known)
    return tuple(wanted)


_NUMBER = r"([0-9]{1,9}(?:\.[0-9]{1,9})?)"
_LONG = r"[0-9]+(?:\.[0-9]+)?"


def _odds(node: Node) -> Fraction:
    """`push`, `lose`, `lose 8`, or odds such as `8:1` or `0.95:1`."""
    pays = " ".join(node.text("pays").split())
    if pays == "push":
        return Fraction(0)
    if lost := fullmatch(r"lose(?: ([1-9][0-9]{0,2}))?", pays):
        return -Fraction(lost[1] or 1)
    ratio = fullmatch(rf"{_NUMBER} ?: ?{_NUMBER}", pays)
    if ratio is None and fullmatch(rf"{_LONG} ?: ?{_LONG}|lose [1-9][0-9]*", pays):
        raise node.refuse("long-odds", key="pays", word=pays)
    if ratio is None or not Fraction(ratio[1]) or not Fraction(ratio[2]):
        raise node.refuse("no-fraction", key="pays", word=pays)
    return Fraction(ratio[1]) / Fraction(ratio[2])


def _commission(node: Node, odds: Fraction) -> Fraction:
    """A share of the winnings: `5%`."""
    text = node.text("commission")
    share = fullmatch(rf"{_NUMBER} ?%", text)
    if share is None or not 0 < Fraction(share[1]) < 100 or odds <= 0:
        raise node.refuse("no-percentage", word=text)
    return Fraction(share[1]) / 100
