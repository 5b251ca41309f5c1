"""One whole shoe, written down: the seeded shuffle may never change under a published seed."""

import json
from collections import Counter
from pathlib import Path

from cutcard.rulebooks import load
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, check_dealt
from cutcard.rules.dealing import deal

GOLDEN = Path(__file__).parent / "deal-rws-commission-seed-7.json"


def test_seed_7_deals_this_shoe_for_ever() -> None:
    assert deal(load("rws-commission"), 7).document() == json.loads(GOLDEN.read_text("utf-8"))


def test_the_shoe_on_file_is_a_lawful_one() -> None:
    """Eight of each card in all; the burn, the cut card and every coup as the rules want them."""
    written = json.loads(GOLDEN.read_text("utf-8"))
    shoe = deal(load("rws-commission"), 7).shoe
    exposed = Card.parse(written["exposed"])
    coups = [Coup.parse(one["coup"]) for one in written["rounds"]]
    dealt = [card for coup in coups for card in coup.dealt]
    before = 1 + written["burned"]

    assert Counter(shoe.cards) == dict.fromkeys(set(shoe.cards), 8)
    assert (written["cards"], len(shoe.cards), len(set(shoe.cards))) == (416, 416, 52)
    assert shoe.cards[0] == exposed
    assert list(shoe.cards[before : before + len(dealt)]) == dealt
    assert written["burned"] == (exposed.points or 10)
    assert before + len(dealt) + written["left"] == 416
    for number, (coup, one) in enumerate(zip(coups, written["rounds"], strict=True), start=1):
        check_dealt(coup)
        assert one["round"] == number
        assert (one["player"], one["banker"]) == (coup.player_points, coup.banker_points)
        assert one["winner"] == coup.winner.value
        assert one["cut_card"] is (number == len(coups))
    # The cut card came out in the last coup: before its first card, or between two of them.
    start_of_last = before + len(dealt) - len(coups[-1].dealt)
    assert start_of_last <= written["cut_card"] < before + len(dealt)
