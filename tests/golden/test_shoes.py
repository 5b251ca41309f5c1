"""One whole shoe of every book, as played: cards, bets, nets, and the money at the end.

Three patrons with simple habits sit down at a table of the book and play the shoe of
its seed to the cut card, through table and ledger. What happened is written down in
`shoes/<book>.txt` for anyone to read, and may never change by accident. After a change
that is meant: `python -m tests.golden.test_shoes` writes the files anew.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from cutcard import ledger as books
from cutcard.refusals import Refusal
from cutcard.round import Phase
from cutcard.round.events import Settled
from cutcard.rulebooks import rulebooks
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, Winner, check_dealt, next_side
from cutcard.rules.dealing import demonstration_shoe
from cutcard.rules.limits import Kind
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.shoe import Shoe, deal_shoe
from tests.cases import every
from tests.table.scene import TABLE, Scene, check_in_step, check_replay

SHOES = Path(__file__).parent / "shoes"
SEEDS = {
    "online-baccarat": 1,
    "online-cow-cow": 2,
    "online-no-commission": 3,
    "rws-commission": 7,
    "rws-knockout": 4,
    "rws-non-commission-etg": 5,
    "skycity-commission": 6,
    "skycity-non-commission": 8,
}
PATRONS = ("ann", "bob", "cho")
BUY_IN = 20_000_000


def money(amount: int, sign: str = "-") -> str:
    """Minor units as people write them: 1,234.50."""
    whole, cents = divmod(abs(amount), 100)
    mark = "-" if amount < 0 else "+" if sign == "+" and amount > 0 else ""
    return f"{mark}{whole:,}.{cents:02}"


class Evening:
    """A shoe played to its end by three patrons.

    Ann sits in box 1 and always bets Banker. Bob sits in box 2, bets Player, and
    goes through the book's other spots one by one. Cho stands behind ann, follows
    the last winner, and antes where there are Antes, continuing on a six or better.
    """

    def __init__(self, book: Rulebook) -> None:
        self.book, self.shoe = book, demonstration_shoe(book, SEEDS[book.id])
        self.scene = Scene(book, limits=book.limits)
        self.dealt = 0
        self.last = Winner.BANKER
        minimum = max(one.amount for one in book.limits if one.kind is Kind.MINIMUM)
        self.unit = 2 * minimum
        for patron in PATRONS:
            self.scene.fund(**{patron: BUY_IN})
        self.scene.seat("ann", 1).seat("bob", 2)
        # Cho bets behind ann where the book has standing patrons, else from a seat of her own.
        self.third = 1 if book.back_bets.allowed else 3
        if self.third == 3:
            self.scene.seat("cho", 3)

    def lines(self) -> Iterator[str]:
        shoe, scene = self.shoe, self.scene
        yield f"{self.book.name} ({self.book.id}), seed {SEEDS[self.book.id]}"
        yield f"{len(shoe.cards)} cards, {shoe.behind_cut} behind the cut card"
        self.start_shoe()
        yield f"exposed {shoe.exposed}, burned {len(shoe.burned)}"
        number = 0
        while not self.last_round_played():
            number += 1
            yield ""
            yield from self.round(number)
        left = len(shoe.cards) - self.dealt
        scene.end_shoe(left)
        check_in_step(scene.table, scene.ledger)
        check_replay(scene.table, scene.log)
        yield ""
        yield f"shoe ended after {number} rounds, {left} cards left"
        for patron in PATRONS:
            gained = scene.stack(patron) - BUY_IN
            yield f"{patron:<10} {money(scene.stack(patron)):>12} {money(gained, '+'):>12}"
        yield f"{'commission':<10} {'':>12} {money(scene.commission, '+'):>12}"
        yield f"{'house':<10} {'':>12} {money(scene.house, '+'):>12}"

    def start_shoe(self) -> None:
        self.scene.register("shoe 1").burn(str(self.next_card()))
        for _ in self.shoe.burned:
            self.next_card()
            self.scene.burn()

    def next_card(self) -> Card:
        self.dealt += 1
        return self.shoe.cards[self.dealt - 1]

    def last_round_played(self) -> bool:
        assert self.scene.table.shoe is not None
        if not self.scene.table.shoe.cut_card:
            return False
        with pytest.raises(Refusal) as refused:
            self.scene.open()
        assert refused.value.code == "shoe/last-round"
        return True

    # --- one round

    def round(self, number: int) -> Iterator[str]:
        scene = self.scene
        scene.open()
        self.bets(number)
        scene.close()
        while next_side(scene.table.round.coup) is not None:
            self.draw()
        scene.call().settle()
        check_in_step(scene.table, scene.ledger)
        coup = scene.table.round.coup
        self.last = coup.winner
        assert scene.table.shoe is not None
        cut = ", cut card" if scene.table.shoe.cut_card else ""
        points = f"{coup.player_points}-{coup.banker_points}"
        yield f"{number:>2}  {coup!s:<23}  {points} {coup.winner.value}{cut}"
        for patron in PATRONS:
            own = [one for one in scene.settled.values() if one.bet.patron == patron]
            yield f"    {patron}  " + "; ".join(map(written, own))

    def bets(self, number: int) -> None:
        scene, unit = self.scene, self.unit
        main = ("player", "banker")
        others = [one.id for one in self.book.spots.values() if not one.stage]
        others = [spot for spot in others if spot not in main]
        scene.bet("ann", 1, "banker", unit)
        scene.bet("bob", 2, "player", unit).bet("bob", 2, others[number % len(others)], unit // 2)
        side = "player" if self.last is Winner.PLAYER else "banker"
        scene.bet("cho", self.third, side, 2 * unit)
        if f"ante_{side}" in self.book.spots:
            scene.bet("cho", self.third, f"ante_{side}", unit)

    def draw(self) -> None:
        scene = self.scene
        if self.dealt == self.shoe.cut_position:
            scene.cut_card()
        scene.deal(str(self.next_card()))
        if scene.table.round.phase is Phase.DECIDING:
            first = scene.table.round.coup.player[0]
            for bet in [bet for bet in scene.table.round.bets if bet.spot.startswith("ante")]:
                if bet.patron == "cho":
                    scene.choose("cho", bet.box, bet.spot, first.points >= 6)
            # Bob's attention is elsewhere; his Antes are lost when time is up.
            if scene.table.round.phase is Phase.DECIDING:
                scene.time_is_up()


def written(one: Settled) -> str:
    """`banker 600.00 +570.00 after 30.00 commission`: spot, stake, net."""
    withheld = f" after {money(one.commission)} commission" if one.commission else ""
    return f"{one.bet.spot} {money(one.bet.stake)} {money(one.net, '+')}{withheld}"


def transcript(book: Rulebook) -> str:
    return "\n".join(Evening(book).lines()) + "\n"


def filed(book: Rulebook) -> str:
    return (SHOES / f"{book.id}.txt").read_text(encoding="utf-8")


each_book = every("book", rulebooks(), ids=lambda book: book.id)


def test_every_book_has_its_shoe_on_file_and_no_shoe_is_without_a_book() -> None:
    assert {path.stem for path in SHOES.iterdir()} == {book.id for book in rulebooks()}


@each_book
def test_the_shoe_plays_as_it_is_written(book: Rulebook) -> None:
    assert transcript(book) == filed(book)


# --- what is written, read by itself --------------------------------------------------------------


def minor(text: str) -> int:
    return int(text.replace(",", "").replace(".", ""))


def coups(text: str) -> list[Coup]:
    found = re.findall(r"^ *\d+  (.* / .*?)  ", text, re.MULTILINE)
    return [Coup.parse(one) for one in found]


@each_book
def test_the_rounds_on_file_are_those_of_the_shoe(book: Rulebook) -> None:
    shoe: Shoe = demonstration_shoe(book, SEEDS[book.id])
    expected = [dealt.coup for dealt in deal_shoe(shoe)]

    written_down = coups(filed(book))

    assert written_down == expected
    for coup in written_down:
        check_dealt(coup)
    assert filed(book).count("cut card\n") == 2, "in the heading, and in the last round"


@each_book
def test_the_money_on_file_adds_up(book: Rulebook) -> None:
    """The nets of each patron give the stack, and nothing was made or lost."""
    text = filed(book)
    nets: Counter[str] = Counter()
    withheld = 0
    for patron, bets in re.findall(r"^    (\w+)  (.*)$", text, re.MULTILINE):
        for bet in bets.split("; "):
            figures = re.findall(r"[-+]?[\d,]+\.\d\d", bet)
            nets[patron] += minor(figures[1])
            withheld += sum(map(minor, figures[2:]))
    ends = dict(re.findall(r"^(\w+) .* ([-+]?[\d,]+\.\d\d)$", text, re.MULTILINE))

    assert {patron: minor(ends[patron]) for patron in PATRONS} == dict(nets)
    assert minor(ends["commission"]) == withheld
    assert sum(map(minor, ends.values())) == 0


def test_the_account_of_the_table_is_named_after_it() -> None:
    """What the transcripts call house and commission are the table's own accounts."""
    scene = Evening(rulebooks()[0]).scene

    assert scene.house == scene.ledger.balance(books.house(TABLE))
    assert scene.commission == scene.ledger.balance(books.commission(TABLE))


if __name__ == "__main__":
    SHOES.mkdir(exist_ok=True)
    for each in rulebooks():
        (SHOES / f"{each.id}.txt").write_text(transcript(each), encoding="utf-8")
