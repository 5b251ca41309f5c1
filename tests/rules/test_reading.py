"""Reading a rulebook: take a good document, break one thing, and see what is said."""

from collections.abc import Mapping
from copy import deepcopy
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutcard.refusals import Refusal
from cutcard.refusals.catalogue import catalogue
from cutcard.rulebooks import FOLDER, documents, ids, load, with_house_policy
from cutcard.rulebooks.clause import read_toml
from cutcard.rules import reading
from cutcard.rules.facts import VOCABULARY
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.reading import content_hash, exists, read
from cutcard.rules.rulebook import (
    Interruption,
    Irregularity,
    Layout,
    Options,
    Remedy,
    Role,
    Rulebook,
    ShoeAfter,
    Text,
)
from tests.cases import every

GONE = object()
"""Stands for a value that is taken away."""

FILE = "my-book.toml"

SMALL_HASH = "3900d203685f31e699a1fb0d31862b90f4fec42fba1383de38786922766b8221"

COMMISSION, KNOCKOUT = "rws-commission", "rws-knockout"


def document(book: str = COMMISSION) -> dict[str, Any]:
    """A good document, as TOML gives it."""
    return deepcopy(dict(with_house_policy(read_toml(FOLDER / f"{book}.toml"))))


def changed(path: str, value: object, book: str = COMMISSION) -> dict[str, Any]:
    """A good document with one value changed, added or taken away: `bet.tie.0.pays`."""
    whole = document(book)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place: Any = whole
    for step in steps:
        place = place[step]
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return whole


def read_changed(path: str, value: object, book: str = COMMISSION) -> Rulebook:
    return read(changed(path, value, book), FILE, known())


def fresh(book: str) -> Rulebook:
    """A good book, read anew: `load` would answer from what it read before."""
    return read(document(book), FILE, known())


def known() -> dict[str, frozenset[str]]:
    return {name: frozenset(one.id for one in listed) for name, listed in documents().items()}


def refused(path: str, value: object, book: str = COMMISSION) -> Refusal:
    with pytest.raises(Refusal) as caught:
        read_changed(path, value, book)
    return caught.value


FACTS = ", ".join(VOCABULARY)
SPOTS = "player, banker, tie, player_pair, banker_pair"
LINE = {"pays": "lose", "clause": "3.13"}

BROKEN: list[tuple[str, object, str, str, dict[str, object], str]] = [
    # What is broken, how; the code, the place and its figures; and the cure that is offered.
    ("name", GONE, "missing", "", {"key": "name"}, 'top level: "name" is missing. Add it'),
    (
        "effective_from",
        "next Tuesday",
        "not-date",
        "",
        {"key": "effective_from", "word": "next Tuesday"},
        "Write 2019-09-16",
    ),
    ("decks.most", 9, "not-ordered", "decks", {"key": "most", "most": 8}, "8 or less"),
    (
        "limit.0.amount",
        200_000,
        "not-ordered",
        "limit[1]",
        {"key": "amount", "most": 100_000},
        "100,000 or less",
    ),
    ("spot", {}, "not-table", "", {"key": "spot"}, "such as spot = { … }"),
    ("decks.least", 1, "not-ordered", "cut", {"key": "most", "most": 40}, "40 or less"),
    (
        "limit.0.scope",
        "table",
        "unknown-word",
        "limit[1]",
        {"key": "scope", "word": "table", "known": "bet"},
        "Use one of: bet",
    ),
    ("layout.1.id", "bean-9", "twice", "layout[2]", {"word": "bean-9"}, "Keep one"),
    ("layout.0.terminals", "2.1", "terminals-in-boxes", "layout[1]", {}, "(boxes = 0)"),
    (
        "spot.tie.needs",
        {"any_of": ["tie"], "clause": "3.7"},
        "unknown-word",
        "spot.tie.needs",
        {"key": "any_of", "word": "tie", "known": "player, banker, player_pair, banker_pair"},
        "Use one of: player",
    ),
    (
        "bet.tie.0.pays",
        "1e999999999:1",
        "no-fraction",
        "bet.tie[1]",
        {"key": "pays", "word": "1e999999999:1"},
        'Write "8:1"',
    ),
    (
        "bet.tie.0.pays",
        "lose 1000",
        "long-odds",
        "bet.tie[1]",
        {"key": "pays", "word": "lose 1000"},
        "up to 999 times",
    ),
    (
        "bet.tie.0.pays",
        "0.3333333333:1",
        "long-odds",
        "bet.tie[1]",
        {"key": "pays", "word": "0.3333333333:1"},
        "up to 9 digits",
    ),
    (
        "bet.tie.0.pays",
        "9999999999:1",
        "long-odds",
        "bet.tie[1]",
        {"key": "pays", "word": "9999999999:1"},
        "up to 9 digits",
    ),
    (
        "spot.tie.label",
        "Banker",
        "twice",
        "spot",
        {"word": "Banker"},
        "Keep one",
    ),
    ("id", GONE, "missing", "", {"key": "id"}, "Add it"),
    ("operator", GONE, "missing", "", {"key": "operator"}, "Add it"),
    ("version", GONE, "missing", "", {"key": "version"}, "Add it"),
    ("document", GONE, "missing", "", {"key": "document"}, "Add it"),
    ("decks", GONE, "missing", "", {"key": "decks"}, "Add it"),
    ("burn", GONE, "missing", "", {"key": "burn"}, "Add it"),
    ("cut", GONE, "missing", "", {"key": "cut"}, "Add it"),
    ("cites", GONE, "missing", "", {"key": "cites"}, "Add it"),
    ("cites.tableau", GONE, "missing", "cites", {"key": "tableau"}, "Add it"),
    ("limit", GONE, "missing", "", {"key": "limit"}, "Add it"),
    ("layout", GONE, "missing", "", {"key": "layout"}, "Add it"),
    ("text", GONE, "missing", "", {"key": "text"}, "Add it"),
    ("interruption", GONE, "missing", "", {"key": "interruption"}, "Add it"),
    ("irregularity", GONE, "missing", "", {"key": "irregularity"}, "Add it"),
    ("announcements.open", GONE, "missing", "announcements", {"key": "open"}, "Add it"),
    ("announcements.close", GONE, "missing", "announcements", {"key": "close"}, "Add it"),
    ("bet.tie", GONE, "missing", "bet", {"key": "tie"}, "Add it"),
    ("bet.tie.0.pays", GONE, "missing", "bet.tie[1]", {"key": "pays"}, "Add it"),
    ("spot.tie.label", GONE, "missing", "spot.tie", {"key": "label"}, "Add it"),
    ("bet.tie.1.clause", GONE, "missing-clause", "bet.tie[2]", {}, 'Add clause = "…"'),
    ("bet.tie.1.clause", " ", "missing-clause", "bet.tie[2]", {}, 'Add clause = "…"'),
    ("bet.tie.1.clause", "", "missing-clause", "bet.tie[2]", {}, 'Add clause = "…"'),
    ("bet.tie.1.clause", 3.12, "not-text", "bet.tie[2]", {"key": "clause"}, "a text in quotes"),
    ("burn.clause", GONE, "missing-clause", "burn", {}, 'Add clause = "…"'),
    ("dealer.clause", GONE, "missing-clause", "dealer", {}, 'Add clause = "…"'),
    ("dealer.clause", "1.99", "unknown-clause", "dealer", {"clause": "CB4 1.99"}, "CB4 1.99"),
    ("dealer", True, "not-table", "", {"key": "dealer"}, "such as dealer = { … }"),
    ("dealer.word", "3", "unknown-key", "dealer", {"key": "word", "known": "clause"}, "clause"),
    ("decks.clause", GONE, "missing-clause", "decks", {}, 'Add clause = "…"'),
    ("cut.clause", GONE, "missing-clause", "cut", {}, 'Add clause = "…"'),
    ("interruption.concludes", GONE, "missing", "interruption", {"key": "concludes"}, "Add it"),
    ("interruption.voids", GONE, "missing", "interruption", {"key": "voids"}, "Add it"),
    (
        "interruption.voids",
        "5.4.9",
        "unknown-clause",
        "interruption",
        {"clause": "CB4 5.4.9"},
        "CB4 5.4.9",
    ),
    ("limit.1.clause", GONE, "missing-clause", "limit[2]", {}, 'Add clause = "…"'),
    ("layout.3.clause", GONE, "missing-clause", "layout[4]", {}, 'Add clause = "…"'),
    ("text.0.clause", GONE, "missing-clause", "text[1]", {}, 'Add clause = "…"'),
    ("irregularity.2.clause", GONE, "missing-clause", "irregularity[3]", {}, 'Add clause = "…"'),
    (
        "announcements.open.clause",
        GONE,
        "missing-clause",
        "announcements.open",
        {},
        'Add clause = "…"',
    ),
    (
        "bet.tie.0.clause",
        "9.9",
        "unknown-clause",
        "bet.tie[1]",
        {"clause": "CB4 9.9"},
        "Cite one from its list of clauses",
    ),
    (
        "bet.tie.0.clause",
        "HOUSE moon",
        "unknown-clause",
        "bet.tie[1]",
        {"clause": "HOUSE moon"},
        "Cite one from its list of clauses",
    ),
    (
        "bet.tie.0.clause",
        "HOUSE",
        "unknown-clause",
        "bet.tie[1]",
        {"clause": "HOUSE "},
        "Cite one from its list of clauses",
    ),
    ("cites.bets", "9", "unknown-clause", "cites", {"clause": "CB4 9"}, "Cite one"),
    (
        "decks.usuall",
        8,
        "unknown-key",
        "decks",
        {"key": "usuall", "known": "usual, clause, least, most"},
        "Known: usual, clause, least, most",
    ),
    (
        "cut.middle",
        8,
        "unknown-key",
        "cut",
        {"key": "middle", "known": "clause, least, most"},
        "Known: clause, least, most",
    ),
    ("burn.clauses", "3", "unknown-key", "burn", {"key": "clauses", "known": "clause"}, "clause"),
    (
        "interruption.polciy",
        "3",
        "unknown-key",
        "interruption",
        {"key": "polciy", "known": "policy, concludes, voids"},
        "Known: policy, concludes, voids",
    ),
    (
        "cites.tabelau",
        "3.12",
        "unknown-key",
        "cites",
        {"key": "tabelau", "known": "tableau, bets, deal, values, winner"},
        "Known: tableau, bets, deal, values, winner",
    ),
    (
        "announcements.last",
        {"words": "x"},
        "unknown-key",
        "announcements",
        {"key": "last", "known": "close, open"},
        "Known: close, open",
    ),
    (
        "announcements.open.word",
        "x",
        "unknown-key",
        "announcements.open",
        {"key": "word", "known": "words, clause"},
        "Known: words, clause",
    ),
    (
        "text.0.word",
        "x",
        "unknown-key",
        "text[1]",
        {"key": "word", "known": "words, clause"},
        "Known: words, clause",
    ),
    (
        "irregularity.0.remedies",
        "x",
        "unknown-key",
        "irregularity[1]",
        {"key": "remedies", "known": "remedy, clause, decides, id, options"},
        "Known: remedy",
    ),
    (
        "limit.1.amuont",
        1,
        "unknown-key",
        "limit[2]",
        {"key": "amuont", "known": "amount, clause, kind, scope, spots"},
        "Known: amount",
    ),
    (
        "layout.3.box",
        1,
        "unknown-key",
        "layout[4]",
        {"key": "box"},
        "Known: boxes",
    ),
    (
        "layout.3.labels.bankr",
        "庄",
        "unknown-key",
        "layout[4].labels",
        {"key": "bankr", "known": "banker, banker_pair, player, player_pair, tie"},
        "Known: banker, banker_pair,",
    ),
    (
        "bet.banker.0.comission",
        "5%",
        "unknown-key",
        "bet.banker[1]",
        {"key": "comission", "known": "commission, clause, pays, when"},
        "Known: commission",
    ),
    (
        "irregularity.6.shoe",
        "goes",
        "unknown-word",
        "irregularity[7]",
        {"key": "shoe", "word": "goes", "known": "leaves, stays"},
        "Use one of: leaves, stays",
    ),
    (
        "irregularity.8.shoe",
        "leaves",
        "unknown-key",
        "irregularity[9]",
        {"key": "shoe", "known": "clause, decides, id, options, remedy"},
        "Known: clause",
    ),
    (
        "interruption.policy",
        "void",
        "unknown-word",
        "interruption",
        {
            "key": "policy",
            "word": "void",
            "known": "conclude if an outcome is established, else void, "
            "conclude once the first card is drawn, else cancel",
        },
        "Use one of: conclude if",
    ),
    (
        "limit.0.kind",
        "least",
        "unknown-word",
        "limit[1]",
        {"key": "kind", "word": "least", "known": "minimum, maximum, differential"},
        "Use one of: minimum, maximum, differential",
    ),
    (
        "limit.0.scope",
        "boxes",
        "unknown-word",
        "limit[1]",
        {"key": "scope", "word": "boxes", "known": "box, bet, patron, table"},
        "Use one of: box, bet, patron, table",
    ),
    (
        "limit.1.spots",
        ["player", "bnaker"],
        "unknown-word",
        "limit[2]",
        {
            "key": "spots",
            "word": "bnaker",
            "known": "banker, player, tie, player_pair, banker_pair",
        },
        "Use one of: banker,",
    ),
    (
        "irregularity.0.decides",
        "pit boss",
        "unknown-word",
        "irregularity[1]",
        {
            "key": "decides",
            "word": "pit boss",
            "known": "dealer, pit supervisor, pit manager, shift manager",
        },
        "Use one of: dealer",
    ),
    (
        "irregularity.0.options",
        "sometimes",
        "unknown-word",
        "irregularity[1]",
        {
            "key": "options",
            "word": "sometimes",
            "known": "never, always, unless established, unless established and reconstructable, "
            "who decided on it",
        },
        "Use one of: never",
    ),
    (
        "irregularity.0.remedy",
        "voided",
        "unknown-word",
        "irregularity[1]",
        {
            "key": "remedy",
            "word": "voided",
            "known": "void, conclude, conclude or void, reconstruct, reconstruct or void, "
            "continue, order cards, rescan, rescan or enter, correct, stands, refuse, as placed, "
            "pro rata, ruling",
        },
        "Use one of: void",
    ),
    (
        "bet.tiger",
        [LINE],
        "unknown-word",
        "bet",
        {"key": "bet", "word": "tiger", "known": "tie, player, banker, player_pair, banker_pair"},
        "Use one of: tie",
    ),
    (
        "bet.tie.0.when",
        {"winer": "tie"},
        "unknown-fact",
        "bet.tie[1].when",
        {"fact": "winer", "known": FACTS},
        "Use one of: winner, player_points",
    ),
    (
        "bet.tie.0.when",
        {"margn": 0},
        "unknown-fact",
        "bet.tie[1].when",
        {"fact": "margn", "known": "margin, " + FACTS.replace("margin, ", "")},
        "Use one of: margin",
    ),
    (
        "bet.tie.0.when",
        {"winner": "draw"},
        "impossible-value",
        "bet.tie[1].when",
        {"fact": "winner", "word": '"draw"', "known": ('"player"', '"banker"', '"tie"')},
        'Use one or more of: "player", "banker", "tie"',
    ),
    (
        "bet.tie.0.when",
        {"winner": []},
        "impossible-value",
        "bet.tie[1].when",
        {"fact": "winner", "word": "[]", "known": ('"player"', '"banker"', '"tie"')},
        'Use one or more of: "player", "banker", "tie"',
    ),
    (
        "bet.tie.0.when",
        {"winner": ["tie", "draw"]},
        "impossible-value",
        "bet.tie[1].when",
        {"fact": "winner", "word": '"draw"', "known": ('"player"', '"banker"', '"tie"')},
        'Use one or more of: "player", "banker", "tie"',
    ),
    (
        "bet.tie.0.when",
        {"player_cards": True},
        "impossible-value",
        "bet.tie[1].when",
        {"fact": "player_cards", "word": "true", "known": ("2", "3")},
        "player_cards can never be true. Use one or more of: 2, 3",
    ),
    (
        "bet.tie.0.when",
        {"margin": False},
        "impossible-value",
        "bet.tie[1].when",
        {"fact": "margin", "word": "false", "known": tuple("0123456789")},
        "Use one or more of: 0, 1, 2",
    ),
    (
        "bet.tie.0.when",
        {"player_pair": 1},
        "impossible-value",
        "bet.tie[1].when",
        {"fact": "player_pair", "word": "1", "known": ("true", "false")},
        "player_pair can never be 1. Use one or more of: true, false",
    ),
    (
        "bet.tie.0.when",
        {"margin": 2.0},
        "impossible-value",
        "bet.tie[1].when",
        {"fact": "margin", "word": "2.0", "known": tuple("0123456789")},
        "Use one or more of: 0, 1, 2",
    ),
    (
        "bet.tie.0.when",
        {"margin": date(2019, 9, 16)},
        "impossible-value",
        "bet.tie[1].when",
        {"fact": "margin", "word": '"2019-09-16"', "known": tuple("0123456789")},
        "Use one or more of: 0, 1, 2",
    ),
    (
        "bet.tie.0.when",
        {"winning_points": 0},
        "impossible-value",
        "bet.tie[1].when",
        {"fact": "winning_points", "word": "0", "known": tuple("123456789")},
        "Use one or more of: 1, 2",
    ),
    (
        "bet.tie",
        [{"pays": "8:1", "clause": "4.1.2"}, LINE],
        "unreachable-line",
        "bet.tie[2]",
        {},
        "Move it up or delete it",
    ),
    (
        "bet.tie.1.when",
        {"winner": "tie"},
        "unreachable-line",
        "bet.tie[2]",
        {},
        "Move it up or delete it",
    ),
    (
        # A natural never has three cards, though natural hands and three cards both occur.
        "bet.tie.0.when",
        {"player_natural": True, "player_cards": 3},
        "impossible-line",
        "bet.tie[1]",
        {},
        "no coup can be",
    ),
    (
        "bet.tie.1.when",
        {"winner": "player"},
        "uncovered",
        "bet.tie[2]",
        {"case": 'winner = "banker"'},
        "Add a line for it; losses need one too",
    ),
    (
        "bet.tie",
        [{**LINE, "when": {"winning_points": [1, 2, 3, 4, 5, 6, 7, 8, 9]}}],
        "uncovered",
        "bet.tie[1]",
        {"case": "winning_points = nothing (a tie)"},
        "Add a line for it",
    ),
    (
        "bet.tie",
        [
            {**LINE, "when": {"winner": "tie"}},
            {**LINE, "when": {"player_pair": True}},
            {**LINE, "when": {"winner": "player"}},
        ],
        "uncovered",
        "bet.tie[3]",
        {"case": 'player_pair = false, winner = "banker"'},
        "Add a line for it",
    ),
    (
        # Ties have no winning points, and still the examples can be put in order.
        "bet.tie",
        [{**LINE, "when": {"winning_points": [1, 3]}}],
        "uncovered",
        "bet.tie[1]",
        {"case": "winning_points = 2"},
        "Add a line for it",
    ),
    (
        "bet.tie.0.pays",
        "8",
        "no-fraction",
        "bet.tie[1]",
        {"key": "pays", "word": "8"},
        'Write "8:1", "push", "lose" or "lose 8"',
    ),
    (
        "bet.banker.0.commission",
        "5",
        "no-percentage",
        "bet.banker[1]",
        {"word": "5"},
        'such as "5%"',
    ),
    ("name", 3, "not-text", "", {"key": "name"}, "must be a text in quotes"),
    ("effective_from", date(2019, 9, 16), "not-text", "", {"key": "effective_from"}, "in quotes"),
    ("approval", "", "not-text", "", {"key": "approval"}, "must be a text in quotes"),
    ("house_policy", 3, "not-text", "", {"key": "house_policy"}, "must be a text in quotes"),
    ("bet.tie.0.pays", 8, "not-text", "bet.tie[1]", {"key": "pays"}, "in quotes"),
    ("bet.banker.0.commission", 5, "not-text", "bet.banker[1]", {"key": "commission"}, "in quotes"),
    ("layout.0.name", 9, "not-text", "layout[1]", {"key": "name"}, "must be a text in quotes"),
    ("layout.0.id", 9, "not-text", "layout[1]", {"key": "id"}, "must be a text in quotes"),
    (
        "limit.1.spots",
        "player",
        "not-texts",
        "limit[2]",
        {"key": "spots"},
        'must be a list of texts, such as ["player", "banker"]',
    ),
    ("layout.0.areas", [], "not-texts", "layout[1]", {"key": "areas"}, "must be a list of texts"),
    (
        "decks.least",
        0,
        "not-whole",
        "decks",
        {"key": "least", "least": 1},
        "must be a whole number, 1 or more",
    ),
    ("decks.least", True, "not-whole", "decks", {"key": "least", "least": 1}, "1 or more"),
    ("decks.most", 3, "not-whole", "decks", {"key": "most", "least": 4}, "4 or more"),
    ("decks.usual", 3, "not-whole", "decks", {"key": "usual", "least": 4}, "4 or more"),
    ("cut.least", 5, "not-whole", "cut", {"key": "least", "least": 6}, "6 or more"),
    ("cut.most", 13, "not-whole", "cut", {"key": "most", "least": 14}, "14 or more"),
    ("limit.0.amount", 0, "not-whole", "limit[1]", {"key": "amount", "least": 1}, "1 or more"),
    ("limit.0.amount", "9", "not-whole", "limit[1]", {"key": "amount", "least": 1}, "1 or more"),
    ("layout.0.boxes", -1, "not-whole", "layout[1]", {"key": "boxes", "least": 0}, "0 or more"),
    (
        "decks.usual",
        9,
        "not-ordered",
        "decks",
        {"key": "usual", "most": 8},
        '"usual" must be 8 or less',
    ),
    ("decks", 8, "not-table", "", {"key": "decks"}, "must be a table, such as decks = { … }"),
    (
        "spot.tie",
        "Tie",
        "not-table",
        "spot",
        {"key": "tie"},
        "must be a table, such as tie = { … }",
    ),
    ("bet.tie.0.when", "tie", "not-table", "bet.tie[1]", {"key": "when"}, "must be a table"),
    ("layout.0.labels", "x", "not-table", "layout[1]", {"key": "labels"}, "must be a table"),
    ("spot.tie.needs", ["player"], "not-table", "spot.tie", {"key": "needs"}, "must be a table"),
    ("spot.tie.stage", "ante", "not-table", "spot.tie", {"key": "stage"}, "must be a table"),
    (
        "bet.tie",
        [],
        "not-tables",
        "bet",
        {"key": "tie"},
        "must be one or more tables, such as [[tie]]",
    ),
    ("limit", {}, "not-tables", "", {"key": "limit"}, "such as [[limit]]"),
    (
        "limit.1.spots",
        ["player"],
        "not-two-spots",
        "limit[2]",
        {"key": "spots"},
        'Name exactly two under "spots"',
    ),
    (
        "limit.1.spots",
        ["tie", "tie"],
        "not-two-spots",
        "limit[2]",
        {"key": "spots"},
        "Name exactly",
    ),
    ("limit.1.spots", GONE, "not-two-spots", "limit[2]", {"key": "spots"}, "Name exactly two"),
    (
        "limit.1.spots",
        ["player", "banker", "tie"],
        "not-two-spots",
        "limit[2]",
        {"key": "spots"},
        "Name exactly two",
    ),
    (
        "irregularity.1.id",
        "excess bets",
        "twice",
        "irregularity[2]",
        {"word": "excess bets"},
        '"excess bets" is there twice. Keep one',
    ),
]

BROKEN_KNOCKOUT: list[tuple[str, object, str, str, dict[str, object], str]] = [
    (
        "spot.winning_total_7.needs.any_of",
        ["player", "bankr"],
        "unknown-word",
        "spot.winning_total_7.needs",
        {"key": "any_of", "word": "bankr"},
        "Use one of: banker",
    ),
    (
        "spot.winning_total_7.needs.any_of",
        "player",
        "not-texts",
        "spot.winning_total_7.needs",
        {"key": "any_of"},
        "must be a list of texts",
    ),
    (
        "spot.winning_total_7.needs.clause",
        GONE,
        "missing-clause",
        "spot.winning_total_7.needs",
        {},
        'Add clause = "…"',
    ),
    (
        "spot.winning_total_7.needs.all_of",
        ["player"],
        "unknown-key",
        "spot.winning_total_7.needs",
        {"key": "all_of", "known": "any_of, clause"},
        "Known: any_of, clause",
    ),
    (
        "spot.winning_total_7.need",
        {},
        "unknown-key",
        "spot.winning_total_7",
        {"key": "need"},
        "Known: needs, label",
    ),
    (
        "spot.wager_player.stage.follows",
        "ante_playr",
        "unknown-word",
        "spot.wager_player.stage",
        {"key": "follows", "word": "ante_playr"},
        "Use one of: ante_player",
    ),
    (
        "spot.wager_player.stage.after_card",
        0,
        "not-whole",
        "spot.wager_player.stage",
        {"key": "after_card", "least": 1},
        "1 or more",
    ),
    (
        "spot.wager_player.stage.multiple",
        0,
        "not-whole",
        "spot.wager_player.stage",
        {"key": "multiple", "least": 1},
        "1 or more",
    ),
    (
        "spot.wager_player.stage.clause",
        GONE,
        "missing-clause",
        "spot.wager_player.stage",
        {},
        'Add clause = "…"',
    ),
    (
        "spot.wager_player.stage.funds",
        "all",
        "unknown-word",
        "spot.wager_player.stage",
        {"key": "funds", "word": "all", "known": "together, each"},
        "Use one of: together, each",
    ),
    (
        "spot.wager_player.stage.declined",
        GONE,
        "missing",
        "spot.wager_player.stage",
        {"key": "declined"},
        "Add it",
    ),
    (
        "spot.wager_player.stage.declined.does",
        "return",
        "unknown-word",
        "spot.wager_player.stage.declined",
        {"key": "does", "word": "return", "known": "forfeit"},
        "Use one of: forfeit",
    ),
    (
        "spot.wager_player.stage.declined.clause",
        GONE,
        "missing-clause",
        "spot.wager_player.stage.declined",
        {},
        'Add clause = "…"',
    ),
    (
        "spot.wager_player.stage.declined.do",
        "x",
        "unknown-key",
        "spot.wager_player.stage.declined",
        {"key": "do", "known": "does, clause"},
        "Known: does, clause",
    ),
    (
        "spot.wager_player.stage.after",
        1,
        "unknown-key",
        "spot.wager_player.stage",
        {"key": "after", "known": "after_card, clause, declined, follows, funds, multiple"},
        "Known: after_card",
    ),
]

CASES = [(COMMISSION, *case) for case in BROKEN] + [(KNOCKOUT, *case) for case in BROKEN_KNOCKOUT]


@every(
    ("book", "path", "value", "code", "place", "figures", "cure"),
    CASES,
    ids=[f"{code} {path}" for _, path, _, code, *_ in CASES],
)
def test_a_broken_book_says_what_where_and_how_to_mend_it(
    book: str,
    path: str,
    value: object,
    code: str,
    place: str,
    figures: dict[str, object],
    cure: str,
) -> None:
    refusal = refused(path, value, book)

    assert (refusal.code, refusal.clause) == (f"rulebook/{code}", None)
    assert refusal.params["file"] == FILE
    assert refusal.params["place"] == place
    assert cure in str(refusal)
    assert str(refusal).startswith(f"{FILE}, {place or 'top level'}: ")
    if "known" in refusal.params and "known" not in figures:
        # A long list: its first word is the cure, the others would only fill the page.
        assert refusal.params.items() >= figures.items()
    else:
        assert refusal.params == {"file": FILE, "place": place, **figures}


def test_every_refusal_of_the_reader_is_tried_here() -> None:
    """Four codes belong to finding and opening a book; all others are in the tables above."""
    codes = {code for code in catalogue("en")["refusal"] if code.startswith("rulebook/")}

    assert codes - {f"rulebook/{case[3]}" for case in CASES} == {
        "rulebook/archived",
        "rulebook/not-utf-8",
        "rulebook/unknown",
        "rulebook/unreadable",
    }


def test_an_unknown_book_is_answered_with_those_there_are() -> None:
    with pytest.raises(Refusal) as caught:
        load("punto-banco")

    assert caught.value.code == "rulebook/unknown"
    assert caught.value.params["book"] == "punto-banco"
    assert "rws-commission" in str(caught.value)


def test_a_file_that_is_no_toml_says_why(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("id = ", encoding="utf-8")

    with pytest.raises(Refusal) as caught:
        load(path)
    assert caught.value.code == "rulebook/unreadable"
    assert caught.value.params["file"] == str(path)
    assert "Invalid value" in str(caught.value)


def test_a_value_that_nobody_asked_for_is_refused_whatever_it_is() -> None:
    """A TOML date too, which no JSON can write."""
    refusal = refused("approved", date(2019, 9, 16))

    assert refusal.code == "rulebook/unknown-key"
    assert refusal.params["key"] == "approved"


@every(
    ("path", "value", "meant"),
    [
        ("effective_form", "2019", "effective_from"),
        ("bet.tie.0.comission", "5%", "commission"),
        ("spot.tie.stge", {}, "stage"),
        ("limit.0.spot", ["tie"], "spots"),
        ("layout.0.aeras", ["Up The Ante"], "areas"),
        ("layout.0.labels", {"bankr": "庄"}, "banker"),
    ],
)
def test_a_misspelt_word_that_may_be_left_out_is_answered_with_the_right_one(
    path: str, value: object, meant: str
) -> None:
    """The documents of these places do without the right word, so nothing else betrays it."""
    refusal = refused(path, value, "online-baccarat")

    assert refusal.code == "rulebook/unknown-key"
    assert str(refusal.params["known"]).split(", ")[0] == meant


def test_a_whole_book_needs_no_optional_word() -> None:
    for key in ("effective_from", "approval"):
        assert getattr(read_changed(key, GONE), key) is None


# Odds


@every(
    ("pays", "odds"),
    [
        ("8:1", "8"),
        ("1:1", "1"),
        ("1:2", "1/2"),
        ("7:2", "7/2"),
        ("0.95:1", "19/20"),
        ("19:20", "19/20"),
        ("8.55:1", "171/20"),
        (" 8 : 1 ", "8"),
        ("push", "0"),
        (" push ", "0"),
        ("lose", "-1"),
        ("lose 1", "-1"),
        ("lose 8", "-8"),
        ("lose  12", "-12"),
    ],
)
def test_odds_in_every_form(pays: str, odds: str) -> None:
    table = read_changed("bet.tie.0.pays", pays).spots["tie"].table

    assert table.lines[0].odds == Fraction(odds)
    assert table.lines[0].commission == 0


@every(
    "pays",
    [
        "8",
        "1:0",
        "0:1",
        "0:0",
        "-1:1",
        "1:-1",
        "-1:-1",
        "a:b",
        "8:1:1",
        ":",
        "8:",
        "lose 0",
        "lose x",
        "lose -8",
        "lose 1.5",
        "lose 8 times",
        "push 1",
        "Push",
        "win",
        "1/0:1",
        "1:1/0",
        "nan:1",
        "inf:1",
    ],
)
def test_anything_else_is_no_odds(pays: str) -> None:
    assert refused("bet.tie.0.pays", pays) == Refusal(
        "rulebook/no-fraction", {"file": FILE, "place": "bet.tie[1]", "key": "pays", "word": pays}
    )


# Commission


@every(
    ("text", "share"),
    [
        ("5%", "1/20"),
        ("5 %", "1/20"),
        ("2.5%", "1/40"),
        ("0.01%", "1/10000"),
        ("99.9%", "999/1000"),
    ],
)
def test_a_commission_is_a_percentage_of_a_win(text: str, share: str) -> None:
    line = read_changed("bet.banker.0.commission", text).spots["banker"].table.lines[0]

    assert line.commission == Fraction(share)
    assert line.net == 1 - Fraction(share)


@every("text", ["5", "0%", "100%", "101%", "-5%", "x%", "%", "5%%", "5% of it", "0.05", "1/0%"])
def test_anything_else_is_no_commission(text: str) -> None:
    assert refused("bet.banker.0.commission", text) == Refusal(
        "rulebook/no-percentage", {"file": FILE, "place": "bet.banker[1]", "word": text}
    )


@pytest.mark.parametrize("line", [1, 2], ids=["push", "lose"])
def test_only_a_win_is_taxed(line: int) -> None:
    refusal = refused(f"bet.banker.{line}.commission", "5%")

    assert refusal.code == "rulebook/no-percentage"
    assert refusal.params["place"] == f"bet.banker[{line + 1}]"


# Clauses


def test_a_clause_is_cited_with_its_document() -> None:
    assert fresh(COMMISSION).spots["banker"].table.lines[0].clause == "CB4 4.1.1"
    own = read_changed("bet.banker.0.clause", "CB4 4.1.1").spots["banker"].table.lines[0]
    house = read_changed("bet.banker.0.clause", "HOUSE step").spots["banker"].table.lines[0]

    assert (own.clause, house.clause) == ("CB4 4.1.1", "HOUSE step")


def test_without_a_clause_list_every_number_is_believed() -> None:
    """A book of one's own, beside which no list of clauses lies."""
    whole = {**document(), "document": "MINE"}
    book = read(whole, FILE, {"HOUSE": known()["HOUSE"]})

    assert book.document == "MINE"
    assert book.spots["banker"].table.lines[0].clause == "MINE 4.1.1"
    assert book.cut.clause == "HOUSE cut"


def test_a_citation_may_name_what_several_clauses_share() -> None:
    listed = ["3.12", "4.1.1 B6", "5.10.1", "Tie"]

    assert exists("3.12", listed)
    assert exists("4.1.1", listed)
    assert exists("4.1", listed)
    assert exists("5.10", listed)
    assert exists("4.1.1 B6", listed)
    assert not exists("3.1", listed)
    assert not exists("5.1", listed)
    assert not exists("4.1.1 B", listed)
    assert not exists("3.12.1", listed)
    assert not exists("T", listed)
    assert not exists("", listed)
    assert not exists("3.12", [])


# The hash


def turned(value: Any) -> Any:
    """The same document with the keys of every table in the opposite order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(one) for one in value] if isinstance(value, list) else value


@every("book", ids())
def test_the_order_of_keys_does_not_change_the_hash(book: str) -> None:
    whole = document(book)

    assert list(turned(whole)) != list(whole)
    assert content_hash(turned(whole)) == content_hash(whole) == load(book).hash


@every(
    ("path", "value"),
    [
        ("bet.tie.0.pays", "9:1"),
        ("bet.tie.0.clause", "4.1.1"),
        ("bet.tie.0.when", {"winner": ["tie"]}),
        ("limit.0.amount", 30_001),
        ("spot.tie.label", "Tie!"),
        ("decks.least", 5),
        ("text.0.words", "庄"),
        ("effective_from", GONE),
    ],
)
def test_any_changed_value_changes_the_hash(path: str, value: object) -> None:
    assert content_hash(changed(path, value)) != content_hash(document())


def test_the_order_of_lines_changes_the_hash() -> None:
    """Lines are tried in order, so their order is part of the rule."""
    lines = document()["bet"]["tie"]

    assert content_hash(changed("bet.tie", lines[::-1])) != content_hash(document())


def test_another_tableau_is_another_book(monkeypatch: pytest.MonkeyPatch) -> None:
    before = content_hash(document())
    for table in ("PLAYER_TABLE", "BANKER_TABLE"):
        with monkeypatch.context() as patched:
            patched.setattr(reading, table, getattr(reading, table).replace("D S", "D D", 1))
            assert content_hash(document()) != before
        with monkeypatch.context() as patched:
            patched.setattr(reading, table, getattr(reading, table).replace(" ", "  "))
            assert content_hash(document()) == before


def test_the_hash_of_a_small_document_for_ever() -> None:
    """Rounds are pinned by this figure, so the way it is computed may not change."""
    assert content_hash({"id": "閒", "n": [1, True]}) == SMALL_HASH


# What is read


def test_a_book_is_read_whole() -> None:
    book = fresh(COMMISSION)

    assert (book.id, book.name) == ("rws-commission", "RWS Commission Baccarat")
    assert (book.document, book.version) == ("CB4", "4")
    assert book.operator == "Resorts World at Sentosa"
    assert book.effective_from == "2019-09-16T08:00+08:00"
    assert book.approval is not None
    assert book.approval.startswith("Gambling Regulatory Authority of Singapore")
    assert book.house_policy is None
    assert book.hash == content_hash(document())
    assert book.burn_clause == "HOUSE burn"
    assert book.dealer_clause == "CB4 1.4"
    assert book.announcements == {
        "open": Text("Place your Bets, please", "CB4 3.3"),
        "close": Text("No more Bets", "CB4 3.8"),
    }
    assert book.interruption is Interruption.ESTABLISHED
    assert (book.concludes_clause, book.voids_clause) == ("CB4 5.4.1", "CB4 5.4.2")
    assert book.irregularities["simultaneous cards"] == Irregularity(
        id="simultaneous cards",
        remedy=Remedy.ORDER_CARDS,
        decides=Role.PIT_SUPERVISOR,
        options=Options.ALWAYS,
        clause="CB4 5.10",
    )
    assert {id for id, one in book.irregularities.items() if one.shoe is ShoeAfter.LEAVES} == {
        "foreign card",
        "insufficient cards",
        "shortage or excess in the shoe",
        "unshuffled cards",
    }
    said = read_changed("irregularity.6.shoe", "stays").irregularities["foreign card"]
    assert said.shoe is ShoeAfter.STAYS
    unsaid = read_changed("irregularity.6.shoe", GONE).irregularities["foreign card"]
    assert unsaid.shoe is None
    assert all(one.id == id for id, one in book.irregularities.items())
    assert len(book.irregularities) == len(document()["irregularity"])
    assert book.texts[0].words == document()["text"][0]["words"]
    assert fresh(KNOCKOUT).house_policy == "rws-commission"


def test_a_book_need_not_want_a_dealer() -> None:
    """Books that are older than the rule have no such table, and play as they did."""
    assert read_changed("dealer", GONE).dealer_clause is None


def test_a_spot_knows_its_id_and_label() -> None:
    spots = fresh(KNOCKOUT).spots

    assert all(spot.id == id for id, spot in spots.items())
    assert spots["player_pair"].label == "P Pair"
    assert spots["wager_player"].needs is None
    assert spots["winning_total_7"].stage is None


def test_a_limit_names_its_spots_or_counts_for_all() -> None:
    least, spread, most = fresh(COMMISSION).limits

    every = ("player", "banker", "tie", "player_pair", "banker_pair")
    assert least == Limit(Kind.MINIMUM, Scope.BET, every, 30_000, "CB4 3.4")
    assert spread == Limit(Kind.DIFFERENTIAL, Scope.BOX, ("player", "banker"), 1_000_000, "CB4 5.1")
    assert most == Limit(Kind.MAXIMUM, Scope.BET, every[2:], 100_000, "CB4 3.5")


def test_layouts_with_and_without_boxes_labels_and_areas() -> None:
    assert fresh(COMMISSION).layouts[3] == Layout(
        id="big-12",
        name="Big Baccarat (12 Players)",
        boxes=12,
        labels={"banker": "庄 BANKER", "player": "閒 PLAYER"},
        areas=(),
        clause="CB4 App D",
    )
    assert fresh(KNOCKOUT).layouts[1] == Layout(
        id="ko-mini-5",
        name="Mini Baccarat (5 Players)",
        boxes=5,
        labels={},
        areas=("Up The Ante",),
        clause="KO2 App B",
    )
    assert fresh("online-baccarat").layouts == (
        Layout("screen", "Online table", 0, {}, (), "ONL B7"),
    )
    assert fresh("rws-non-commission-etg").layouts == (
        Layout("terminal", "Player Terminal", 0, {}, (), "ETG4 2.1.1", "ETG4 1 Player Terminal"),
    )


def test_a_line_is_read_with_its_conditions_as_lists() -> None:
    won, lost = fresh(COMMISSION).spots["tie"].table.lines
    otherwise = fresh("online-baccarat").spots["lucky_six"].table.lines[2]

    assert dict(won.when) == {"winner": ("tie",)}
    assert dict(lost.when) == {"winner": ("player", "banker")}
    assert dict(otherwise.when) == {}


def test_bounds_that_meet_are_in_order() -> None:
    """Least, usual and most may all be one number, and six cards behind the cut will do."""
    decks = read_changed("decks", {"least": 2, "most": 2, "usual": 2, "clause": "2.2.1"}).decks
    cut = read_changed("cut", {"least": 6, "most": 6, "clause": "HOUSE cut"}).cut
    boxes = read_changed("layout.0.boxes", 0).layouts[0].boxes
    amount = read_changed("limit.0.amount", 1).limits[0].amount
    stage = (
        read_changed("spot.wager_player.stage.multiple", 1, KNOCKOUT).spots["wager_player"].stage
    )

    assert (decks.least, decks.most, decks.usual) == (2, 2, 2)
    assert (cut.least, cut.most) == (6, 6)
    assert (boxes, amount) == (0, 1)
    assert stage is not None
    assert stage.multiple == 1


def test_the_document_that_was_read_is_left_alone() -> None:
    whole: Mapping[str, object] = document()
    read(whole, FILE, known())

    assert whole == document()


def test_what_is_needed_or_followed_stands_alone() -> None:
    """A bet that needs one that needs another could never be placed; neither could a circle."""
    circle = refused(
        "spot.player.needs", {"any_of": ["winning_total_7"], "clause": "3.3"}, KNOCKOUT
    )

    figures = {"file": FILE, "place": "spot", "key": "player", "word": "winning_total_7"}
    alone = "banker, tie, player_pair, banker_pair, ante_player, ante_banker"
    assert circle == Refusal("rulebook/unknown-word", {**figures, "known": alone})


def test_a_second_stage_follows_a_bet_that_stands_alone() -> None:
    chain = refused("spot.wager_player.stage.follows", "winning_total_7", KNOCKOUT)

    assert (chain.code, chain.params["key"], chain.params["word"]) == (
        "rulebook/unknown-word",
        "wager_player",
        "winning_total_7",
    )


def test_a_first_stage_is_followed_once() -> None:
    twice = refused("spot.wager_banker.stage.follows", "ante_player", KNOCKOUT)

    assert (twice.code, twice.params["word"]) == ("rulebook/twice", "ante_player")


def test_a_second_stage_comes_after_a_card_that_every_coup_has() -> None:
    assert refused("spot.wager_player.stage.after_card", 5, KNOCKOUT) == Refusal(
        "rulebook/not-ordered",
        {"file": FILE, "place": "spot.wager_player.stage", "key": "after_card", "most": 4},
    )
    fourth = read_changed("spot.wager_player.stage.after_card", 4, KNOCKOUT).spots["wager_player"]
    assert fourth.stage is not None
    assert fourth.stage.after_card == 4


@every(("funds", "together"), [("together", True), ("each", False), (GONE, False)])
def test_second_stages_are_funded_each_by_itself_unless_the_book_says_otherwise(
    funds: object, together: bool
) -> None:
    stage = (
        read_changed("spot.wager_player.stage.funds", funds, KNOCKOUT).spots["wager_player"].stage
    )

    assert stage is not None
    assert stage.funds_together is together


def test_a_loaded_book_cannot_be_changed() -> None:
    book = load(COMMISSION)

    with pytest.raises(TypeError):
        book.spots["zz"] = book.spots["tie"]  # type: ignore[index]
    assert hash(book) == hash(load(COMMISSION)) == hash(book.hash)


def test_a_minimum_may_equal_a_maximum_and_only_shared_spots_are_compared() -> None:
    """The minimum of every bet is 30,000, the maximum of the side bets 100,000."""
    assert read_changed("limit.0.amount", 100_000).limits[0].amount == 100_000
    apart = [
        {"kind": "minimum", "scope": "bet", "spots": ["player"], "amount": 9, "clause": "3.4"},
        {"kind": "maximum", "scope": "bet", "spots": ["tie"], "amount": 1, "clause": "3.5"},
    ]
    assert len(read_changed("limit", apart).limits) == 2


def test_the_cut_card_may_stand_as_deep_as_the_smallest_shoe_allows() -> None:
    """Four decks: 208 cards, less eleven burned and one to deal."""
    assert read_changed("cut.most", 196).cut.most == 196
    assert refused("cut.most", 197).params["most"] == 196
