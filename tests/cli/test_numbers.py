"""`odds`, `certify` and `design`: what they answer, for people and for programs."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from math import perm
from pathlib import Path

import pytest
from rich.cells import cell_len

from cutcard.cli.numbers import shoe_of
from cutcard.odds import Composition, odds
from cutcard.odds.certificate import Certificate, certificate
from cutcard.odds.sheets import html, markdown
from cutcard.rulebooks import MORE, ids, load
from cutcard.rules.cards import Card, Rank, parse_cards
from tests.cases import every
from tests.cli.asking import Ask

BOOKS = (*ids(), *ids(MORE))
RANKS = "A23456789TJQK"
FIGURES = [
    "win",
    "push",
    "lose",
    "ev",
    "edge",
    "rtp",
    "variance",
    "action",
    "edge_of_action",
]
BY_RANK = ",".join(f"{rank}={32 if rank != 'A' else 31}" for rank in RANKS)
BY_CARD = ",".join(f"{rank}{suit}=8" for rank in RANKS for suit in "cdhs")
FEW = "A=8,5=8,9=8,K=8"


# --- odds


@every("id", BOOKS)
def test_odds_in_json(cutcard: Ask, id: str) -> None:
    document = cutcard("odds", id, "--json").document
    book = load(id)

    assert list(document)[:3] == ["book", "decks", "bets"]
    assert (document["book"], document["decks"]) == (id, 8)
    assert ("strategy" in document) == (id == "rws-knockout")
    assert list(document["bets"]) == [spot.id for spot in book.spots.values() if not spot.stage]
    for spot, bet in document["bets"].items():
        found = odds(book).bets[spot]
        assert {name: Fraction(bet[name]) for name in FIGURES} == {
            name: getattr(found, name) for name in FIGURES
        }
        assert bet["orders"] == perm(416, 6)


def test_percentages_have_six_places(cutcard: Ask) -> None:
    bets = cutcard("odds", "online-baccarat", "--json").document["bets"]

    assert bets["player"]["edge_percent"] == "1.235081"
    assert bets["banker"]["edge_percent"] == "1.057906"
    assert bets["player_natural"]["edge"] == "796/5395"


def test_cow_cow_is_also_told_per_unit_of_action(cutcard: Ask) -> None:
    bet = cutcard("odds", "online-cow-cow", "--json").document["bets"]["banker"]

    assert (bet["edge_percent"], bet["edge_of_action_percent"]) == ("6.518326", "1.022852")


def test_the_strategy_of_knockout(cutcard: Ask) -> None:
    document = cutcard("odds", "rws-knockout", "--json").document

    assert list(document["strategy"]) == ["ante_player", "ante_banker"]
    for spot, choices in document["strategy"].items():
        assert list(choices) == list(RANKS)
        assert {one["decision"] for one in choices.values()} == {"continue"}
        assert all(Fraction(one["continue"]) > Fraction(one["decline"]) for one in choices.values())
        bet = document["bets"][spot]
        assert bet["always_continue"]["edge"] == bet["edge"]


@every("decks", ["4", "5", "6", "7", "8"])
def test_odds_for_so_many_decks(cutcard: Ask, decks: str) -> None:
    document = cutcard("odds", "rws-commission", "--decks", decks, "--json").document

    assert document["decks"] == int(decks)
    assert document["bets"]["tie"]["orders"] == perm(52 * int(decks), 6)


def test_odds_of_a_shoe_by_rank(cutcard: Ask) -> None:
    document = cutcard("odds", "rws-commission", "--shoe", BY_RANK, "--json").document

    assert "decks" not in document
    assert document["shoe"] == {rank: 31 if rank == "A" else 32 for rank in RANKS}
    assert document["bets"]["player"]["orders"] == perm(415, 6)


def test_odds_of_a_shoe_by_card(cutcard: Ask) -> None:
    fresh = cutcard("odds", "side-bets", "--json").document
    given = cutcard("odds", "side-bets", "--shoe", BY_CARD, "--json").document

    assert given["bets"] == fresh["bets"]
    assert given["shoe"]["9h"] == 8
    assert len(given["shoe"]) == 52


def test_removed_cards_have_left_the_shoe(cutcard: Ask) -> None:
    removed = cutcard("odds", "rws-commission", "--remove", "Ah", "--json").document
    given = cutcard("odds", "rws-commission", "--shoe", BY_RANK, "--json").document

    assert removed == given
    less = cutcard("odds", "side-bets", "--remove", "9h, 9♥", "--json").document
    assert (less["shoe"]["9h"], less["shoe"]["9s"]) == (6, 8)


def test_cards_can_leave_a_shoe_that_was_given(cutcard: Ask) -> None:
    words = ("odds", "rws-commission", "--shoe", FEW, "--remove", "9h 9h", "--json")

    assert cutcard(*words).document["shoe"]["9"] == 6


def test_the_effect_of_removal(cutcard: Ask) -> None:
    document = cutcard("odds", "skycity-commission", "--removal", "--json").document

    assert list(document["removal"]) == ["player", "banker", "tie"]
    for changes in document["removal"].values():
        assert list(changes) == list(RANKS)
        assert sum(Fraction(change) for change in changes.values()) == 0
    assert "removal" not in cutcard("odds", "skycity-commission", "--json").document


@every("id", BOOKS)
def test_odds_for_people(cutcard: Ask, id: str) -> None:
    page = cutcard("odds", id).page
    book = load(id)

    assert f"{book.name}, 8 decks" in page
    for spot, price in odds(book).bets.items():
        assert book.spots[spot].label in page
        assert price.document()["edge_percent"] in page  # type: ignore[operator]
    assert ("First card" in page) == (id == "rws-knockout")


def test_action_and_strategy_for_people(cutcard: Ask) -> None:
    assert "6.372697 units in action" in cutcard("odds", "online-cow-cow").page
    page = cutcard("odds", "rws-knockout").page
    assert "continue -0.312591" in page
    assert "continue -0.693956" in page


@pytest.mark.parametrize("words", [("odds", "online-baccarat"), ("odds", "rws-commission")])
@pytest.mark.parametrize("width", [76, 60, 40, 30])
def test_in_a_narrow_terminal_no_figure_is_cut(
    cutcard: Ask, words: tuple[str, ...], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has no room stands below, beside the bets' names again."""
    whole = cutcard(*words).page.split()
    monkeypatch.setenv("COLUMNS", str(width))
    page = cutcard(*words).page

    assert {word for word in whole if "─" not in word} <= set(page.split())
    assert max(map(cell_len, page.splitlines())) <= width
    tables = page.split("Bet ")
    assert all("Player" in table and "Tie" in table for table in tables[1:])


def test_removal_for_people(cutcard: Ask) -> None:
    page = cutcard("odds", "skycity-commission", "--shoe", FEW, "--removal").page

    assert "32 cards" in page
    assert "Effect of removal" in page
    assert "above zero is better for the patron" in page


def test_the_shoe_that_is_meant() -> None:
    book = load("rws-commission")

    assert shoe_of(book, None, None, "") == Composition.of_decks(8)
    assert shoe_of(book, 6, None, "") == Composition.of_decks(6)
    less = shoe_of(book, 6, None, "9h")
    assert less.cards is not None
    assert (less.cards[Card.parse("9h")], less.ranks[Rank.NINE], less.decks) == (5, 23, None)
    assert shoe_of(book, None, "9=8", "9h") == Composition.parse("9=8").without(parse_cards("9h"))


# --- certify


@cache
def certified() -> Certificate:
    return certificate(load("skycity-commission"))


@pytest.mark.parametrize(("name", "write"), [("c.html", html), ("c.md", markdown)])
def test_certify_writes_the_sheet(
    cutcard: Ask, tmp_path: Path, name: str, write: Callable[[Certificate], str]
) -> None:
    path = tmp_path / name
    page = cutcard("certify", "skycity-commission", "-o", str(path)).page

    assert path.read_bytes() == write(certified()).encode()
    assert "written to" in page
    assert name in page.replace("\n", "")


def test_two_certificates_are_the_same_bytes(cutcard: Ask, tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        cutcard("certify", "skycity-commission", "--shoe", FEW, "-o", str(tmp_path / name))

    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_certify_in_json(cutcard: Ask, tmp_path: Path) -> None:
    path = tmp_path / "c.html"
    words = ("certify", "skycity-commission", "--shoe", FEW, "-o", str(path))
    written = cutcard(*words, "--json").document

    assert written == {
        "book": "skycity-commission",
        "hash": load("skycity-commission").hash,
        "file": str(path),
    }
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_without_a_file_the_certificate_is_printed(cutcard: Ask) -> None:
    page = cutcard("certify", "skycity-commission").page

    assert page == markdown(certified())


def test_json_is_json_also_without_a_file(cutcard: Ask) -> None:
    words = ("certify", "skycity-commission", "--shoe", FEW)
    written = cutcard(*words, "--json").document

    assert list(written) == ["book", "hash", "markdown"]
    assert written["markdown"] == cutcard(*words).page


def test_certify_another_shoe(cutcard: Ask, tmp_path: Path) -> None:
    path = tmp_path / "c.html"
    words = ("certify", "skycity-commission", "--decks", "6", "--remove", "9h", "-o", str(path))
    assert cutcard(*words).code == 0
    text = path.read_text(encoding="utf-8")

    assert "311 cards" in text
    assert "9 23" in text
    HTMLParser().feed(text)


# --- design


def test_design_in_json(cutcard: Ask) -> None:
    words = ("design", "rws-commission", "--bet", "tie", "--target-edge", "5%", "--json")
    made = cutcard(*words).document

    assert (made["book"], made["bet"], made["target_edge"]) == ("rws-commission", "tie", "1/20")
    (line,) = made["lines"]
    assert (line["clause"], line["odds"]) == ("CB4 4.1.2", "8")
    assert (line["nearest"]["odds"], line["nearest"]["edge_percent"]) == ("9", "4.844032")
    assert "8" in [step["odds"] for step in line["steps"]]
    assert Fraction(line["exact"]) < 9


def test_design_for_people(cutcard: Ask) -> None:
    page = cutcard("design", "rws-commission", "--bet", "tie", "--target-edge", "5%").page

    assert "Tie of RWS Commission Baccarat: edge 14.359629%, aimed at 5.000000%." in page
    rows = {" ".join(line.split()) for line in page.splitlines()}
    assert "8 to 1 14.359629 now" in rows
    assert "9 to 1 4.844032 nearest whole odds, nearest half odds" in rows
    assert "8.98 to 1 5.034344 nearest to two places" in rows
    assert "Meets the target exactly: 8.983" in page


@every("target", ["90%", "-90%", "0", "1/20"])
def test_a_design_always_shows_what_is_paid_now(cutcard: Ask, target: str) -> None:
    page = cutcard("design", "rws-commission", "--bet", "tie", "--target-edge", target).page

    assert "now 8 to 1" in page


def test_design_of_a_wager(cutcard: Ask) -> None:
    words = ("design", "rws-knockout", "--bet", "wager_banker", "--target-edge", "3%", "--json")
    made = cutcard(*words).document

    assert [line["odds"] for line in made["lines"]] == ["1/2", "1", "2"]
    assert all(line["exact"] is not None for line in made["lines"])


def test_design_for_other_decks(cutcard: Ask) -> None:
    words = ("design", "rws-commission", "--bet", "tie", "--target-edge", "5%", "--decks", "4")

    assert "edge 14.5916" in cutcard(*words).page


# --- any width


@pytest.mark.parametrize("width", ["40", "80", "200"])
@pytest.mark.parametrize(
    "words",
    [
        ["odds", "rws-knockout"],
        ["odds", "side-bets"],
        ["odds", "online-cow-cow", "--shoe", FEW, "--removal"],
        ["odds", "rws-knockout", "--shoe", FEW, "--removal"],
        ["design", "side-bets", "--bet", "dragon_bonus_player", "--target-edge", "1%"],
        ["design", "rws-knockout", "--bet", "wager_player", "--target-edge", "1%"],
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_a_page_fits_its_terminal(
    cutcard: Ask, monkeypatch: pytest.MonkeyPatch, words: list[str], width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    page = cutcard(*words).page

    assert page.strip()
    assert [line for line in page.splitlines() if cell_len(line) > int(width)] == []


# --- refusals

O = ["odds", "rws-commission"]  # noqa: E741
D = ["design", "rws-commission"]

REFUSED = [
    # Shoes that cannot be dealt.
    ([*O, "--shoe", "A=5"], "odds/too-few-cards", None),
    ([*O, "--shoe", ""], "odds/too-few-cards", None),
    ([*O, "--shoe", "A=6", "--remove", "Ah"], "odds/too-few-cards", None),
    (["certify", "rws-commission", "--shoe", "Ah=5"], "odds/too-few-cards", None),
    ([*O, "--shoe", "A=33"], "odds/too-many-cards", "CB4 2.2.1"),
    ([*O, "--shoe", "9h=9"], "odds/too-many-cards", "CB4 2.2.1"),
    ([*O, "--shoe", "A=17", "--decks", "4"], "odds/too-many-cards", "CB4 2.2.1"),
    ([*O, "--shoe", "A=" + "9" * 9], "odds/too-many-cards", "CB4 2.2.1"),
    ([*O, "--decks", "9"], "shoe/decks", "CB4 2.2.1"),
    ([*O, "--decks", "0"], "shoe/decks", "CB4 2.2.1"),
    ([*O, "--decks", "-8"], "shoe/decks", "CB4 2.2.1"),
    ([*O, "--decks", "9" * 40], "shoe/decks", "CB4 2.2.1"),
    (["odds", "online-baccarat", "--decks", "6"], "shoe/decks", "ONL B2"),
    (["certify", "online-baccarat", "--decks", "9"], "shoe/decks", "ONL B2"),
    ([*D, "--bet", "tie", "--target-edge", "5%", "--decks", "9"], "shoe/decks", "CB4 2.2.1"),
    # Shoes that cannot be read.
    ([*O, "--shoe", "A=-31"], "odds/shoe-unreadable", None),
    ([*O, "--shoe", "A=many"], "odds/shoe-unreadable", None),
    ([*O, "--shoe", "A=1.5"], "odds/shoe-unreadable", None),
    ([*O, "--shoe", "A=31,A=31"], "odds/named-twice", None),
    ([*O, "--shoe", "A=9,a=9"], "odds/named-twice", None),
    ([*O, "--shoe", "A=9,T=9,10=9"], "odds/named-twice", None),
    ([*O, "--shoe", "9h=7,9♥=7"], "odds/named-twice", None),
    ([*O, "--shoe", "X=31"], "odds/shoe-unreadable", None),
    ([*O, "--shoe", "A"], "odds/shoe-unreadable", None),
    ([*O, "--shoe", "📕=7"], "odds/shoe-unreadable", None),
    ([*O, "--shoe", "A=" + "9" * 5000], "odds/shoe-unreadable", None),
    ([*O, "--shoe", "A=31,9h=8"], "card/unreadable", None),
    ([*O, "--shoe", "9x=8"], "card/unreadable", None),
    # Suits.
    (["odds", "side-bets", "--shoe", BY_RANK], "odds/suits-needed", None),
    (["certify", "side-bets", "--shoe", FEW], "odds/suits-needed", None),
    # Cards that are not there.
    ([*O, "--remove", " ".join(["9h"] * 9)], "odds/not-in-shoe", None),
    ([*O, "--shoe", FEW, "--remove", "2h"], "odds/not-in-shoe", None),
    ([*O, "--remove", "9"], "card/unreadable", None),
    ([*O, "--remove", "joker"], "card/unreadable", None),
    # Books.
    (["odds", "punto"], "rulebook/unknown", None),
    (["certify", "punto"], "rulebook/unknown", None),
    (["design", "punto", "--bet", "tie", "--target-edge", "5%"], "rulebook/unknown", None),
    # Designs.
    ([*D, "--bet", "tie", "--target-edge", "five"], "odds/target", None),
    ([*D, "--bet", "tie", "--target-edge", ""], "odds/target", None),
    ([*D, "--bet", "tie", "--target-edge", "100%"], "odds/target", None),
    ([*D, "--bet", "tie", "--target-edge", "5"], "odds/target", None),
    ([*D, "--bet", "tie", "--target-edge", "nan"], "odds/target", None),
    ([*D, "--bet", "tie", "--target-edge", "1/0"], "odds/target", None),
    ([*D, "--bet", "lucky_six", "--target-edge", "5%"], "bet/not-offered", "CB4 3.7"),
    ([*D, "--bet", "", "--target-edge", "5%"], "bet/not-offered", "CB4 3.7"),
    # Words.
    (["odds"], "usage", None),
    (["certify"], "usage", None),
    ([*D, "--bet", "tie"], "usage", None),
    ([*D, "--target-edge", "5%"], "usage", None),
    ([*O, "--decks", "eight"], "usage", None),
    ([*O, "--shoe", BY_RANK, "more"], "usage", None),
    (["certify", "rws-commission", "-o", "certificate.pdf"], "usage", None),
    (["certify", "rws-commission", "-o", "certificate"], "usage", None),
    (["certify", "rws-commission", "-o", ""], "usage", None),
    (["certify", "skycity-commission", "-o", "/no/such/folder/c.html"], "usage", None),
]
every_refusal = every(
    ("words", "code", "clause"),
    REFUSED,
    ids=[" ".join(words).encode("unicode_escape").decode()[:60] for words, _, _ in REFUSED],
)


@every_refusal
def test_bad_input_is_answered_in_one_line(
    cutcard: Ask, words: list[str], code: str, clause: str | None
) -> None:
    said = cutcard(*words)

    assert (said.code, said.out) == (2, "")
    assert said.err.endswith(f" [{code}, {clause}]\n" if clause else f" [{code}]\n")
    assert len(said.err.splitlines()) == 1
    assert "Traceback" not in said.err


@every_refusal
def test_bad_input_is_answered_in_json(
    cutcard: Ask, words: list[str], code: str, clause: str | None
) -> None:
    said = cutcard(*words, "--json")

    assert (said.code, said.err) == (2, "")
    error = json.loads(said.out)["error"]
    assert list(error) == ["code", "message", "clause"]
    assert error["message"]
    assert (error["code"], error["clause"]) == (code, clause)


@every("as_json", [[], ["--json"]], ids=["human", "json"])
@every("target", ["1e-5000", "0." + "0" * 4200 + "1", "1e-300"])
def test_an_edge_of_many_digits_is_written_or_refused(
    cutcard: Ask, target: str, as_json: list[str]
) -> None:
    """Python writes no number of more than 4,300 digits unasked."""
    said = cutcard(*D, "--bet", "tie", "--target-edge", target, *as_json)

    assert said.code in (0, 2)


def test_a_wrong_file_is_told_with_the_option_it_was_given_for(
    cutcard: Ask, tmp_path: Path
) -> None:
    for path in ("c.pdf", str(tmp_path / "missing" / "c.md"), str(tmp_path)):
        said = cutcard("certify", "skycity-commission", "--shoe", FEW, "-o", path)
        assert said.code == 2
        assert "-o" in said.err
    assert list(tmp_path.iterdir()) == []
