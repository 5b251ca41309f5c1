"""All roads together: the entry point and its JSON."""

import json

from hypothesis import given
from hypothesis import strategies as st

from cutcard.roads import roads as exported
from cutcard.roads.ask import ask
from cutcard.roads.bead import bead_plate
from cutcard.roads.big import big_road, streaks
from cutcard.roads.counts import count
from cutcard.roads.derived import Derived, derived_road
from cutcard.roads.grid import place
from cutcard.roads.result import Result, parse
from cutcard.roads.scoreboard import Roads, roads
from tests.cases import every

SHOES = st.text(alphabet="BBBPPPT", max_size=90)

EMPTY_GRID = ["", "", "", "", "", ""]
EMPTY_ROAD = {"marks": "", "grid": EMPTY_GRID}
NO_ANSWER = {"big_eye": None, "small": None, "cockroach": None}


def test_the_room_offers_its_entry_point() -> None:
    assert exported is roads


def test_each_road_is_in_its_place(worked: tuple[Result, ...]) -> None:
    columns = streaks(worked)

    assert roads(worked) == Roads(
        bead=bead_plate(worked),
        big=big_road(worked),
        big_eye=derived_road(columns, Derived.BIG_EYE),
        small=derived_road(columns, Derived.SMALL),
        cockroach=derived_road(columns, Derived.COCKROACH),
        ask=ask(worked),
        counts=count(worked),
    )


def test_the_document_of_the_worked_example(worked: tuple[Result, ...]) -> None:
    document = roads(worked).document()
    big = document.pop("big")

    assert isinstance(big, list)
    assert len(big) == 37
    assert big[0] == {"col": 0, "row": 0, "winner": "B", "ties": 1}
    assert big[4] == {"col": 1, "row": 2, "winner": "P", "ties": 1}
    assert big[22] == {"col": 8, "row": 4, "winner": "P", "ties": 0}
    assert big[36] == {"col": 14, "row": 0, "winner": "B", "ties": 0}
    assert document == {
        "bead": ["TTBPPBB", "BBBPBBB", "BPBPPPB", "PBBPPPP", "PBBPBTB", "PBPPPT."],
        "big_eye": {
            "marks": "RBBBRBRRRRRRBRRRRRRRRBBBBRBBRRRBBB",
            "grid": [
                "RBRBRBRBRBRB",
                ".B..R.RB.BRB",
                ".B..R.RB..RB",
                "....R.RB....",
                "....R.R.....",
                "....R.RRR...",
            ],
        },
        "small": {
            "marks": "BBBRRRRRRBBRRRRRRBBRBRBBBBBRBBB",
            "grid": [
                "BRBRBRBRBRB",
                "BRBRB...B.B",
                "BR.R....B.B",
                ".R.R....B..",
                ".R.R....B..",
                ".R.R.......",
            ],
        },
        "cockroach": {
            "marks": "BRRBRRRRBBRRRRRRBRRBBRRRBBBRBB",
            "grid": [
                "BRBRBRBRBRBRB",
                ".R.RBR.RBRB.B",
                "...R.R...RB..",
                "...R.R.......",
                ".....R.......",
                ".....R.......",
            ],
        },
        "ask": {
            "banker": {"big_eye": "B", "small": "R", "cockroach": "R"},
            "player": {"big_eye": "R", "small": "B", "cockroach": "B"},
        },
    }


def test_the_document_of_a_new_shoe() -> None:
    assert roads(()).document() == {
        "bead": EMPTY_GRID,
        "big": [],
        "big_eye": EMPTY_ROAD,
        "small": EMPTY_ROAD,
        "cockroach": EMPTY_ROAD,
        "ask": {"banker": NO_ANSWER, "player": NO_ANSWER},
    }


def test_the_document_of_a_shoe_of_ties() -> None:
    """One green counter in the first cell, and nothing derived."""
    assert roads(parse("TTT")).document() == {
        "bead": ["T", "T", "T", ".", ".", "."],
        "big": [{"col": 0, "row": 0, "winner": None, "ties": 3}],
        "big_eye": EMPTY_ROAD,
        "small": EMPTY_ROAD,
        "cockroach": EMPTY_ROAD,
        "ask": {"banker": NO_ANSWER, "player": NO_ANSWER},
    }


def test_the_answers_go_to_the_side_that_asks() -> None:
    """Only Big Eye Boy can answer in the second column."""
    assert roads(parse("BP")).document()["ask"] == {
        "banker": {"big_eye": "R", "small": None, "cockroach": None},
        "player": {"big_eye": "B", "small": None, "cockroach": None},
    }


@given(SHOES)
def test_a_document_survives_the_wire(text: str) -> None:
    document = roads(parse(text)).document()

    assert json.loads(json.dumps(document)) == document


@given(SHOES)
def test_every_grid_is_six_rows_of_one_length_and_holds_every_mark(text: str) -> None:
    board = roads(parse(text))
    for road in (board.big_eye, board.small, board.cockroach):
        assert len(road.grid) == 6
        assert len({len(row) for row in road.grid}) == 1
        assert sorted("".join(road.grid).replace(".", "")) == sorted(road.text)
        assert road.cells == place(road.text)


@given(st.text(alphabet="BPT", min_size=1, max_size=60), st.data(), st.sampled_from("BPT"))
def test_a_corrected_result_redraws_every_road(
    text: str, choice: st.DataObject, letter: str
) -> None:
    """Drawing, correcting one round and drawing again equals drawing the corrected shoe."""
    position = choice.draw(st.integers(min_value=0, max_value=len(text) - 1))
    results = list(parse(text))
    before = roads(results)
    results[position] = parse(letter)[0]

    assert roads(results) == roads(parse(text[:position] + letter + text[position + 1 :]))
    assert before == roads(parse(text))


@every("text", ["", "TT", "BPBPPPBBT"])
def test_roads_leave_the_results_alone(text: str) -> None:
    results = list(parse(text))
    roads(results).document()

    assert results == list(parse(text))
