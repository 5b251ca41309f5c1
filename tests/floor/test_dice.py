"""The simulator's dice."""

from collections import Counter

from cutcard.floor.dice import FloorDice


def test_between_reaches_both_ends() -> None:
    dice = FloorDice(1)

    assert {dice.between(-1, 2) for _ in range(200)} == {-1, 0, 1, 2}


def test_one_in_so_many() -> None:
    dice = FloorDice(1)
    thrown = Counter(dice.one_in(10) for _ in range(10_000))

    assert thrown[True] == 974


def test_the_same_seed_picks_the_same() -> None:
    one, other = FloorDice(8), FloorDice(8)

    assert [one.pick("abc") for _ in range(20)] == [other.pick("abc") for _ in range(20)]
