"""The commands: what they answer, for people and for programs, and what they refuse."""

import io
import json
from fractions import Fraction
from pathlib import Path

import pytest

from cutcard.cli.app import parse_bets, spot_typed
from cutcard.refusals import Refusal
from cutcard.rulebooks import FOLDER, MORE, clauses, ids, load
from tests.cases import every
from tests.cli.asking import Ask

COUP = "2h 3s 9c / 5d Kc"
TIE = "Kh 6s / Qd 6c"
BOOKS = (
    "online-baccarat",
    "online-cow-cow",
    "online-no-commission",
    "rws-commission",
    "rws-knockout",
    "rws-non-commission-etg",
    "skycity-commission",
    "skycity-non-commission",
)


def write_own(folder: Path, *changes: tuple[str, str]) -> str:
    """A book of one's own: the simplest one, changed."""
    text = (FOLDER / "skycity-commission.toml").read_text(encoding="utf-8")
    for old, new in (('id = "skycity-commission"', 'id = "mine"'), *changes):
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


# --- rulebooks


def test_rulebooks_lists_all_eight(cutcard: Ask) -> None:
    page = cutcard("rulebooks").page

    assert all(f" {id} " in page for id in BOOKS)


def test_rulebooks_in_json(cutcard: Ask) -> None:
    listed = cutcard("rulebooks", "--json").document["rulebooks"]

    assert [book["id"] for book in listed] == list(BOOKS)
    assert [book["hash"] for book in listed] == [load(id).hash for id in BOOKS]
    assert all(book["spots"][:3] == ["player", "banker", "tie"] for book in listed)
    assert listed[0]["decks"] == {"least": 8, "most": 8, "usual": 8}
    assert listed[3]["decks"] == {"least": 4, "most": 8, "usual": 8}


# --- show


@every("id", BOOKS)
def test_show_is_the_book_as_a_patron_reads_it(cutcard: Ask, id: str) -> None:
    page = cutcard("show", id).page
    book = load(id)

    for title in ("What each bet pays", "Limits", "Tableau", "Irregularities", "Clauses"):
        assert title in page
    for spot in book.spots.values():
        assert spot.label in page
    for one in book.irregularities:
        assert one in page
    assert book.announcements["open"].words in page


@every("id", BOOKS)
def test_show_in_json_has_exact_odds(cutcard: Ask, id: str) -> None:
    shown = cutcard("show", id, "--json").document
    book = load(id)

    assert list(shown["bets"]) == list(book.spots)
    for spot, bet in shown["bets"].items():
        lines = book.spots[spot].table.lines
        assert [Fraction(line["odds"]) for line in bet["lines"]] == [one.odds for one in lines]
        assert [Fraction(line["net"]) for line in bet["lines"]] == [one.net for one in lines]
        assert [line["clause"] for line in bet["lines"]] == [one.clause for one in lines]
        assert (bet["step"], bet["reserve"]) == (book.spots[spot].step, book.spots[spot].reserve)
    assert [limit["amount"] for limit in shown["limits"]] == [one.amount for one in book.limits]
    assert [one["clause"] for one in shown["clauses"]] == [one.citation for one in clauses(book)]


def test_show_prints_the_tableau_cell_by_cell(cutcard: Ask) -> None:
    tableau = cutcard("show", "rws-commission", "--json").document["tableau"]

    assert " ".join(tableau["banker"][4].split()) == "3 D D D D D D D D S D D"


def test_show_reads_a_book_of_ones_own(cutcard: Ask, tmp_path: Path) -> None:
    assert cutcard("show", write_own(tmp_path), "--json").document["id"] == "mine"


@pytest.mark.parametrize("words", ["[/]", "[b]x[/b]"])
@pytest.mark.parametrize("key", ["name", "operator", "version", "label", "words"])
def test_words_in_brackets_are_shown_as_they_are(
    cutcard: Ask, tmp_path: Path, key: str, words: str
) -> None:
    """Whatever an operator writes in a book is text, never an instruction to the terminal."""
    text = (FOLDER / "skycity-commission.toml").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith(f"{key} = "))
    path = write_own(tmp_path, (line, f"{key} = '{words}'"))

    assert words in cutcard("show", path).page


@pytest.mark.parametrize("command", ["rulebooks", "show", "settle", "deal", "clauses", "demo"])
def test_every_command_draws_a_book_of_ones_own(cutcard: Ask, tmp_path: Path, command: str) -> None:
    path = write_own(tmp_path)
    words = {
        "rulebooks": [],
        "show": [path],
        "settle": [path, COUP, "--bet", "banker=100"],
        "deal": [path, "--seed", "7"],
        "clauses": [path],
        "demo": ["--book", path, "--rounds", "3", "--pace", "0"],
    }[command]

    assert cutcard(command, *words).page
    assert cutcard(command, *words, "--json").document


# --- settle


def test_settle_in_json(cutcard: Ask) -> None:
    words = ("settle", "rws-commission", COUP, "--bet", "banker=100", "--bet", "tie=20", "--json")

    assert cutcard(*words).document == {
        "book": "rws-commission",
        "coup": COUP,
        "facts": {
            "winner": "banker",
            "player_points": 4,
            "banker_points": 5,
            "winning_points": 5,
            "losing_points": 4,
            "margin": 1,
            "player_cards": 3,
            "banker_cards": 2,
            "cards": 5,
            "player_natural": False,
            "banker_natural": False,
            "player_pair": False,
            "banker_pair": False,
            "player_suited_pair": False,
            "banker_suited_pair": False,
        },
        "bets": [
            {
                "spot": "banker",
                "stake": 100,
                "net": 95,
                "commission": 5,
                "clause": "CB4 4.1.1",
            },
            {"spot": "tie", "stake": 20, "net": -20, "commission": 0, "clause": "CB4 3.13"},
        ],
        "net": 75,
    }


def test_settle_for_people(cutcard: Ask) -> None:
    words = ("settle", "rws-commission", COUP, "--bet", "banker=100", "--bet", "tie=20")
    page = cutcard(*words).page

    for said in ("2♥ 3♠ 9♣ (4)", "5♦ K♣ (5)", "BANKER", "+95", "−20", "+75", "CB4 3.13"):
        assert said in page


def test_settle_without_bets_tells_the_facts(cutcard: Ask) -> None:
    settled = cutcard("settle", "rws-commission", COUP, "--json").document

    assert (settled["bets"], settled["net"]) == ([], 0)
    assert "Player 4, Banker 5" in cutcard("settle", "rws-commission", COUP).page


@every("coup", ["2H,3S,9C/5D,KC", " 2♥ 3♠ 9♣ / 5♦ K♣ ", "2h 3s 9c/5d kc"])
def test_settle_reads_a_coup_as_people_write_it(cutcard: Ask, coup: str) -> None:
    assert cutcard("settle", "rws-commission", coup, "--json").document["coup"] == COUP


def test_settle_with_the_wager(cutcard: Ask) -> None:
    words = ("--bet", "ante_player=100", "--bet", "wager_player=200", "--json")
    settled = cutcard("settle", "rws-knockout", "9h Ks / 2d 3c", *words).document

    assert [bet["spot"] for bet in settled["bets"]] == ["ante_player", "wager_player"]
    assert all(bet["net"] > 0 for bet in settled["bets"])


@every("side", ["player", "banker"])
@every("coup", ["9h Ks / 2d 3c", "2d 3c / 9h Ks", TIE.replace("6", "9")])
def test_an_ante_whose_wager_was_declined_is_lost(cutcard: Ask, side: str, coup: str) -> None:
    words = ("--bet", f"ante_{side}=100", "--json")
    settled = cutcard("settle", "rws-knockout", coup, *words).document

    assert settled["net"] == -100
    assert settled["bets"] == [
        {
            "spot": f"ante_{side}",
            "stake": 100,
            "net": -100,
            "commission": 0,
            "clause": "KO2 3.4.1",
        }
    ]


def test_four_equal_cards_are_possible_with_four_decks(cutcard: Ask) -> None:
    words = ("settle", "rws-commission", "4h 4h / 4h 4h", "--decks", "4", "--json")

    assert cutcard(*words).document["facts"]["player_suited_pair"] is True


@every("stake", ["1" + "0" * 30, "9" * 4299, "9" * 4300], ids=["31 digits", "4,299", "4,300"])
@every("as_json", [[], ["--json"]], ids=["human", "json"])
def test_a_stake_may_be_of_any_size_or_is_refused(
    cutcard: Ask, stake: str, as_json: list[str]
) -> None:
    """Eight times a number of 4,300 digits has more digits than Python writes unasked."""
    said = cutcard("settle", "rws-commission", TIE, "--bet", f"tie={stake}", *as_json)

    assert said.code in (0, 2)


def test_a_huge_win_is_exact(cutcard: Ask) -> None:
    words = ("settle", "rws-commission", TIE, "--bet", "tie=1" + "0" * 15, "--json")

    assert cutcard(*words).document["net"] == 8 * 10**15


# --- deal


def test_deal_in_json(cutcard: Ask) -> None:
    dealt = cutcard("deal", "rws-commission", "--seed", "7", "--rounds", "2", "--json").document

    assert list(dealt) == [
        "book",
        "seed",
        "decks",
        "cards",
        "exposed",
        "burned",
        "cut_card",
        "rounds",
        "left",
    ]
    assert (dealt["book"], dealt["seed"], dealt["decks"], dealt["cards"]) == (
        "rws-commission",
        7,
        8,
        416,
    )
    assert [list(one) for one in dealt["rounds"]] == [
        ["round", "coup", "player", "banker", "winner", "cut_card"]
    ] * 2


@every("id", BOOKS)
def test_a_whole_shoe_ends_with_the_cut_card_and_every_coup_settles(cutcard: Ask, id: str) -> None:
    dealt = cutcard("deal", id, "--seed", "3", "--json").document
    used = sum(len(one["coup"].replace("/", "").split()) for one in dealt["rounds"])

    assert [one["cut_card"] for one in dealt["rounds"]] == [False] * (len(dealt["rounds"]) - 1) + [
        True
    ]
    assert [one["round"] for one in dealt["rounds"]] == list(range(1, len(dealt["rounds"]) + 1))
    assert 1 + dealt["burned"] + used + dealt["left"] == dealt["cards"] == 416
    for one in dealt["rounds"][:5]:
        settled = cutcard("settle", id, one["coup"], "--json").document
        assert settled["facts"]["winner"] == one["winner"]


def test_deal_for_people(cutcard: Ask) -> None:
    page = cutcard("deal", "rws-commission", "--seed", "7").page

    for said in ("seed 7", "416 cards", "Exposed", "burned", "Cut card", "cut card: last round"):
        assert said in page


@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=["human", "json"])
def test_the_same_seed_gives_the_same_transcript(cutcard: Ask, as_json: list[str]) -> None:
    first, second, other = (
        cutcard("deal", "rws-commission", "--seed", seed, *as_json).page for seed in "778"
    )

    assert first == second
    assert first != other


@every("seed", ["0", "-1", "007", "1" + "0" * 100])
def test_any_whole_number_is_a_seed(cutcard: Ask, seed: str) -> None:
    words = ("deal", "rws-commission", "--seed", seed, "--rounds", "1", "--json")

    assert cutcard(*words).document["seed"] == int(seed)


@every("decks", ["4", "5", "6", "7", "8"])
def test_decks_are_as_many_as_asked_for(cutcard: Ask, decks: str) -> None:
    words = ("deal", "rws-commission", "--seed", "1", "--decks", decks, "--json")

    assert cutcard(*words).document["cards"] == 52 * int(decks)


@every("command", [["deal", "rws-commission", "--seed", "7"], ["demo"]])
@every("rounds", ["1000", str(2**63), "9" * 30])
def test_more_rounds_than_the_shoe_holds_are_the_whole_shoe(
    cutcard: Ask, command: list[str], rounds: str
) -> None:
    whole = cutcard(*command, "--json").document

    assert cutcard(*command, "--rounds", rounds, "--json").document == whole


# --- roads


def test_roads_in_json(cutcard: Ask) -> None:
    drawn = cutcard("roads", "TBBPPP", "--json").document

    assert drawn == {
        "bead": ["T", "B", "B", "P", "P", "P"],
        "big": [
            {"col": 0, "row": 0, "winner": "B", "ties": 1},
            {"col": 0, "row": 1, "winner": "B", "ties": 0},
            {"col": 1, "row": 0, "winner": "P", "ties": 0},
            {"col": 1, "row": 1, "winner": "P", "ties": 0},
            {"col": 1, "row": 2, "winner": "P", "ties": 0},
        ],
        "big_eye": {"marks": "RB", "grid": ["RB", "..", "..", "..", "..", ".."]},
        "small": {"marks": "", "grid": ["", "", "", "", "", ""]},
        "cockroach": {"marks": "", "grid": ["", "", "", "", "", ""]},
        "ask": {
            "banker": {"big_eye": "B", "small": None, "cockroach": None},
            "player": {"big_eye": "R", "small": None, "cockroach": None},
        },
    }


def test_roads_for_people(cutcard: Ask) -> None:
    page = cutcard("roads", "TBBPPP").page

    for said in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig"):
        assert said in page
    assert "Banker 2  Player 3  Tie 1" in page


@every("typed", ["tbbppp", "T B B P P P", "T,B,B,P,P,P", " TBB\tPPP\n"])
def test_roads_reads_results_as_people_write_them(cutcard: Ask, typed: str) -> None:
    assert cutcard("roads", typed, "--json") == cutcard("roads", "TBBPPP", "--json")


def test_roads_reads_a_pipe(cutcard: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("TBB\nPPP\n"))

    assert cutcard("roads", "-").page == cutcard("roads", "TBBPPP").page


def test_an_empty_shoe_has_empty_roads(cutcard: Ask) -> None:
    drawn = cutcard("roads", "", "--json").document

    assert (drawn["bead"], drawn["big"]) == ([""] * 6, [])
    assert "Banker 0  Player 0  Tie 0" in cutcard("roads", "").page


# --- clauses


def test_clauses_counts_every_book(cutcard: Ask) -> None:
    page = cutcard("clauses").page

    assert all(id in page for id in BOOKS)
    assert str(len(clauses())) in page


def test_clauses_in_json(cutcard: Ask) -> None:
    listed = cutcard("clauses", "--json").document

    assert list(listed["counts"]) == ["engine", "awaiting", "procedure", "out of scope"]
    assert sum(listed["counts"].values()) == len(listed["clauses"]) == len(clauses())
    assert list(listed["clauses"][0]) == ["clause", "text", "kept", "awaits", "books"]


@every("id", BOOKS)
def test_clauses_of_one_book(cutcard: Ask, id: str) -> None:
    concerned = [clause.citation for clause in clauses(load(id))]
    listed = cutcard("clauses", id, "--json").document

    assert [one["clause"] for one in listed["clauses"]] == concerned
    assert all(citation in cutcard("clauses", id).page for citation in concerned[:3])


def test_the_clauses_beside_a_book_of_ones_own_are_listed(cutcard: Ask, tmp_path: Path) -> None:
    path = write_own(tmp_path)
    (tmp_path / "clauses").mkdir()
    (tmp_path / "clauses" / "OWN.toml").write_text(
        'document = "OWN"\ntitle = "Ours"\nbooks = ["mine"]\n'
        '[[clause]]\nid = "1"\ntext = "Be kind."\nkept = "procedure"\n',
        encoding="utf-8",
    )

    listed = cutcard("clauses", path, "--json").document

    assert [one["clause"] for one in listed["clauses"]] == ["OWN 1"]


# --- demo


def test_demo_in_json(cutcard: Ask) -> None:
    shown = cutcard("demo", "--rounds", "3", "--json").document

    assert list(shown) == ["book", "seed", "rounds", "net", "roads"]
    assert (shown["book"], shown["seed"], len(shown["rounds"])) == ("rws-commission", 7, 3)
    assert list(shown["roads"]) == ["bead", "big", "big_eye", "small", "cockroach", "ask"]


# --- refusals

S = ["settle", "rws-commission"]
K = ["settle", "rws-knockout", COUP]
D = ["deal", "rws-commission"]

REFUSED = [
    # A book that is not there.
    (["show", "punto"], "rulebook/unknown", None),
    (["show", ""], "rulebook/unknown", None),
    (["show", "📕"], "rulebook/unknown", None),
    (["show", "x" * 5000], "rulebook/unknown", None),
    (["show", "no\nsuch\nbook"], "rulebook/unknown", None),
    (["settle", "punto", COUP], "rulebook/unknown", None),
    (["deal", "punto", "--seed", "7"], "rulebook/unknown", None),
    (["clauses", "punto"], "rulebook/unknown", None),
    (["demo", "--book", "punto"], "rulebook/unknown", None),
    (["show", "nothing/here.toml"], "rulebook/unreadable", None),
    # A coup that is none.
    ([*S, ""], "coup/unreadable", None),
    ([*S, "2h 3s"], "coup/unreadable", None),
    ([*S, "2h 3s / 5d Kc / 9c"], "coup/unreadable", None),
    ([*S, "2h\n3s"], "coup/unreadable", None),
    ([*S, "2h 3s 9x / 5d Kc"], "card/unreadable", None),
    ([*S, "1h 3s / 5d Kc"], "card/unreadable", None),
    ([*S, "🂡 🂱 / 闲 庄"], "card/unreadable", None),
    ([*S, "[bold] 3s / 5d Kc"], "card/unreadable", None),
    ([*S, "\x1b[31m2h 3s / 5d Kc"], "card/unreadable", None),
    # A coup that the tableau does not allow.
    ([*S, "/"], "coup/card-missing", "CB4 3.12"),
    ([*S, "2h / 5d"], "coup/card-missing", "CB4 3.12"),
    ([*S, "2h 3s / 5d Kc"], "coup/card-missing", "CB4 3.12"),
    ([*S, "2h 3s 6c / 2d Kc"], "coup/card-missing", "CB4 3.12"),
    ([*S, "9h Ks 2d / 5d Kc"], "coup/card-too-many", "CB4 3.12"),
    ([*S, "2h 3s 9c / 5d Kc 4d"], "coup/card-too-many", "CB4 3.12"),
    ([*S, "2h 3s 9c 4c / 5d Kc"], "coup/card-too-many", "CB4 3.12"),
    # More cards than there are.
    ([*S, "2h 2h 2h / 2h 2h 2h", "--decks", "4"], "shoe/too-many-copies", "CB4 2.2.1"),
    ([*S, COUP, "--decks", "3"], "shoe/decks", "CB4 2.2.1"),
    ([*S, COUP, "--decks", "9"], "shoe/decks", "CB4 2.2.1"),
    ([*S, COUP, "--decks", "0"], "shoe/decks", "CB4 2.2.1"),
    ([*S, COUP, "--decks", "-8"], "shoe/decks", "CB4 2.2.1"),
    ([*S, COUP, "--decks", "9" * 40], "shoe/decks", "CB4 2.2.1"),
    ([*D, "--seed", "7", "--decks", "9"], "shoe/decks", "CB4 2.2.1"),
    (["deal", "online-baccarat", "--seed", "7", "--decks", "6"], "shoe/decks", "ONL B2"),
    # Stakes.
    ([*S, COUP, "--bet", "banker=30"], "bet/off-step", "HOUSE step"),
    ([*S, COUP, "--bet", "banker=" + "9" * 40], "bet/stake", "HOUSE stake"),
    ([*S, COUP, "--bet", "banker=0"], "bet/stake", "HOUSE stake"),
    ([*S, COUP, "--bet", "banker=-20"], "bet/stake", "HOUSE stake"),
    ([*S, COUP, "--bet", "banker=-" + "9" * 40], "bet/stake", "HOUSE stake"),
    ([*S, COUP, "--bet", "banker=ten"], "bet/unreadable", None),
    ([*S, COUP, "--bet", "banker=1.5"], "bet/unreadable", None),
    ([*S, COUP, "--bet", "banker=1e3"], "bet/unreadable", None),
    ([*S, COUP, "--bet", "banker=nan"], "bet/unreadable", None),
    ([*S, COUP, "--bet", "banker="], "bet/unreadable", None),
    ([*S, COUP, "--bet", "banker"], "bet/unreadable", None),
    ([*S, COUP, "--bet", ""], "bet/unreadable", None),
    ([*S, COUP, "--bet", "banker=20=20"], "bet/unreadable", None),
    ([*S, COUP, "--bet", "banker=" + "9" * 41], "bet/stake", "HOUSE stake"),
    ([*S, COUP, "--bet", "banker=" + "9" * 5000], "bet/stake", "HOUSE stake"),
    ([*S, COUP, "--bet", "banker=20\n20"], "bet/unreadable", None),
    # Bets that the book does not offer, or not so.
    ([*S, COUP, "--bet", "lucky_six=20"], "bet/not-offered", "CB4 3.7"),
    ([*S, COUP, "--bet", "ban ker=20"], "bet/not-offered", "CB4 3.7"),
    ([*S, COUP, "--bet", "=20"], "bet/not-offered", "CB4 3.7"),
    ([*S, COUP, "--bet", "ban\nker=20"], "bet/not-offered", "CB4 3.7"),
    ([*S, COUP, "--bet", "banker=20", "--bet", "banker=20"], "bet/twice", None),
    ([*S, COUP, "--bet", "banker=20", "--bet", " banker =40"], "bet/twice", None),
    ([*S, COUP, "--bet", "banker=20", "--bet", "Banker=40"], "bet/twice", None),
    ([*K, "--bet", "wager_player=200"], "bet/needs-first-bet", "KO2 3.4.2"),
    (
        [*K, "--bet", "ante_banker=100", "--bet", "wager_player=200"],
        "bet/needs-first-bet",
        "KO2 3.4.2",
    ),
    (
        [*K, "--bet", "ante_player=100", "--bet", "wager_player=100"],
        "bet/wrong-multiple",
        "KO2 3.4.2",
    ),
    ([*K, "--bet", "winning_total_7=10"], "bet/needs-main-bet", "KO2 1 Winning Total"),
    (
        [*K, "--bet", "winning_total_7=10", "--bet", "ante_player=100"],
        "bet/needs-main-bet",
        "KO2 1 Winning Total",
    ),
    # Shoes.
    ([*D, "--seed", "7", "--rounds", "0"], "shoe/rounds", None),
    ([*D, "--seed", "7", "--rounds", "-1"], "shoe/rounds", None),
    (["demo", "--rounds", "0"], "shoe/rounds", None),
    # Roads.
    (["roads", "TBX"], "roads/unreadable", None),
    (["roads", "庄闲和"], "roads/unreadable", None),
    (["roads", "B\x00"], "roads/unreadable", None),
    (["roads", "ß"], "roads/unreadable", None),
    # Words that are no command of ours.
    (["punto"], "usage", None),
    (["--punto"], "usage", None),
    (["rulebooks", "--punto"], "usage", None),
    (["show"], "usage", None),
    (["show", "rws-commission", "more"], "usage", None),
    (["settle"], "usage", None),
    (["settle", "rws-commission"], "usage", None),
    ([*S, COUP, "--bet"], "usage", None),
    ([*S, COUP, "--decks", "eight"], "usage", None),
    ([*S, COUP, "--decks", "4.5"], "usage", None),
    (["roads"], "usage", None),
    (["deal"], "usage", None),
    (D, "usage", None),
    ([*D, "--seed", "seven"], "usage", None),
    ([*D, "--seed", "1.5"], "usage", None),
    ([*D, "--seed", "9" * 5000], "usage", None),
    ([*D, "--seed", "7", "--rounds", "all"], "usage", None),
    (["demo", "--pace", "-1"], "usage", None),
    (["demo", "--pace", "slow"], "usage", None),
    (["demo", "--rounds", "1", "--pace", "nan"], "usage", None),
    (["demo", "--rounds", "1", "--pace", "inf"], "usage", None),
    (["demo", "--rounds", "1", "--pace", "1e300"], "usage", None),
    (["--language", "fr", "rulebooks"], "usage", None),
    (["rulebooks", "--language", "en"], "usage", None),
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

    assert said.code == 2
    assert said.out == ""
    assert said.err.endswith(f" [{code}, {clause}]\n" if clause else f" [{code}]\n")
    assert len(said.err.splitlines()) == 1
    assert "Traceback" not in said.err


@every_refusal
def test_bad_input_is_answered_in_json(
    cutcard: Ask, words: list[str], code: str, clause: str | None
) -> None:
    # An option at the end would take what follows for its value.
    place = -1 if words[-1] == "--bet" else len(words)
    said = cutcard(*words[:place], "--json", *words[place:])

    assert said.code == 2
    assert said.err == ""
    error = json.loads(said.out)["error"]
    assert list(error) == ["code", "message", "clause"]
    assert error["message"]
    assert (error["code"], error["clause"]) == (code, clause)


@every(
    ("words", "named"),
    [
        ([*S, COUP, "--decks", "eight"], "--decks"),
        ([*D, "--seed", "seven"], "--seed"),
        ([*D, "--seed", "7", "--rounds", "all"], "--rounds"),
        (["demo", "--pace", "-1"], "--pace"),
        (["--language", "fr", "rulebooks"], "--language"),
        (D, "--seed"),
    ],
    ids=["decks", "seed", "rounds", "pace", "language", "no seed"],
)
def test_a_wrong_value_is_told_with_the_option_it_was_given_for(
    cutcard: Ask, words: list[str], named: str
) -> None:
    assert named in cutcard(*words).err


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\xff\xfe", "rulebook/not-utf-8"),
        (b"id = ", "rulebook/unreadable"),
        (b"", "rulebook/missing"),
        (b'house_policy = "punto"', "rulebook/unknown-word"),
        (b"printed = 2019-09-16", "rulebook/missing"),
    ],
)
@pytest.mark.parametrize("command", ["show", "settle", "deal", "clauses", "demo"])
def test_a_file_that_is_no_rulebook_is_refused(
    cutcard: Ask, tmp_path: Path, command: str, content: bytes, code: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    words = {"settle": [COUP], "deal": ["--seed", "7"]}.get(command, [])
    before = ["--book"] if command == "demo" else []
    said = cutcard(command, *before, str(path), *words)

    assert (said.code, said.out) == (2, "")
    assert said.err.endswith(f" [{code}]\n")
    assert "mine.toml" in said.err or code == "rulebook/unknown"


def test_a_folder_is_no_rulebook(cutcard: Ask, tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()

    assert cutcard("show", str(folder)).err.endswith(" [rulebook/unreadable]\n")


def test_a_refusal_says_what_to_do(cutcard: Ask) -> None:
    known = ", ".join([*ids(), *ids(MORE)])

    assert cutcard("show", "punto").err == (
        f'There is no rulebook "punto". Known: {known}. [rulebook/unknown]\n'
    )


# --- bets


COMMISSION = load("rws-commission")


def test_bets_are_read_in_order() -> None:
    assert list(parse_bets(COMMISSION, ["tie=20", "banker=100"]).items()) == [
        ("tie", 20),
        ("banker", 100),
    ]
    assert parse_bets(COMMISSION, []) == {}


def test_blanks_around_a_bet_do_not_matter() -> None:
    assert parse_bets(COMMISSION, [" banker = 100 "]) == {"banker": 100}


def test_a_stake_below_nothing_is_read_so_that_the_rules_can_refuse_it() -> None:
    assert parse_bets(COMMISSION, ["banker=-5"]) == {"banker": -5}


def test_a_bet_without_a_stake_is_unreadable() -> None:
    with pytest.raises(Refusal) as caught:
        parse_bets(COMMISSION, ["banker=100", "tie"])

    assert caught.value == Refusal("bet/unreadable", {"text": "tie"})


@every(
    ("typed", "book", "spot"),
    [
        ("Banker", "rws-commission", "banker"),
        ("Player Pair", "rws-commission", "player_pair"),
        ("PLAYER-PAIR", "rws-commission", "player_pair"),
        ("庄", "rws-commission", "banker"),
        ("閒對", "rws-commission", "player_pair"),
        ("Ante (Player)", "rws-knockout", "ante_player"),
        ("Winning Total 7", "rws-knockout", "winning_total_7"),
        ("pair", "rws-commission", "pair"),
        ("", "rws-commission", ""),
    ],
)
def test_a_bet_is_known_by_id_label_or_name(typed: str, book: str, spot: str) -> None:
    assert spot_typed(load(book), typed) == spot


def test_who_names_no_bet_is_told_what_to_type(cutcard: Ask) -> None:
    said = cutcard(*S, COUP, "--bet", "dragon=20")

    assert "It offers: player, banker, tie, player_pair, banker_pair. [" in said.err


def test_every_id_can_be_read_in_the_book(cutcard: Ask) -> None:
    words = cutcard("show", "rws-knockout").page.split()

    assert set(load("rws-knockout").spots) <= set(words)
    assert load("rws-knockout").hash in words


def test_bots_without_a_server_say_so_in_one_line(cutcard: Ask) -> None:
    said = cutcard("bots", "http://127.0.0.1:9", "--password", "x", "--seconds", "1")

    assert said.code == 2
    assert "http://127.0.0.1:9 does not answer" in said.err
