"""The auditor's own settlement: results, voids, bets returned, and what is settled anew."""

from collections import Counter, defaultdict

from cutcard.floor.auditor import rules
from cutcard.floor.auditor.cards import Cards
from cutcard.floor.auditor.limits import Lying
from cutcard.floor.auditor.memory import LETTERS, Record, lying, named, nets
from cutcard.floor.auditor.money import Change
from cutcard.floor.auditor.terminals import Terminals


class Settling(Cards, Terminals):
    """From the result to the last chip that changes hands."""

    def _result_called(self, record: Record) -> None:
        over = self.phase == "dealing" and rules.turn(self.player, self.banker) is None
        self._must(over, "a result before the coup was over")
        self._must(not self._undecided(), "a result with an Ante undecided")
        coup = rules.outcome(self.player, self.banker)
        said = record["winner"], record["player_points"], record["banker_points"]
        should = coup.winner, coup.player, coup.banker
        self._must(said == should, f"result called {said}, should be {should}")
        self.phase, self.shown = "result", set(range(len(self.dealt())))

    def _round_settled(self, record: Record) -> None:
        self._must(self.phase == "result", "settled without a result")
        coup = self._check_bets(record["bets"])
        for one in record["bets"]:
            bet = lying(one["bet"])
            if bet.key not in self.removed:
                self._stack(bet.patron, bet.held + one["net"])
            else:
                # The chips are gone; what they lost is owed.
                self._stack(bet.patron, max(0, one["net"]))
                self.owed[bet.patron] += max(0, -one["net"])
        self._played(record["bets"])
        self.results += LETTERS[coup.winner]
        self.phase, self.settled, self.on_road = "over", record["bets"], True

    def _check_bets(self, bets: list[Record]) -> rules.Outcome:
        """Every bet on the layout is settled once, and as the hands have it."""
        coup = rules.outcome(self.player, self.banker)
        times = Counter(lying(one["bet"]).key for one in bets)
        for key, bet in self.bets.items():
            self._must(times[key] == 1, f"{named(bet)} settled {times[key]} times")
        for one in bets:
            bet = lying(one["bet"])
            if self.bets.get(bet.key) == bet:
                self._check_bet(one, bet, coup)
            else:
                self._say(f"{named(bet)} settled, but does not lie so")
        return coup

    def _check_bet(self, one: Record, bet: Lying, coup: rules.Outcome) -> None:
        counts = self.counts.get(bet.key, bet.stake)
        net, commission = self.book[bet.spot].pays(coup)
        if bet.key in self.declined:
            net, commission = rules.LOST
        should = {
            "effective": counts,
            "net": counts * net,
            "commission": counts * commission,
            "removed": bet.key in self.removed,
        }
        for name, figure in should.items():
            self._must(one[name] == figure, f"{named(bet)}: {name} {one[name]}, not {figure}")

    # --- nothing won, nothing lost ----------------------------------------------------------------

    def _round_voided(self, record: Record) -> None:
        self._must(self.under_way, "there was nothing to void")
        self._returned(record, [*self.bets.values()], "a void")
        self.phase, self.shown = "over", set(range(len(self.dealt())))

    def _bets_returned(self, record: Record) -> None:
        patron = record["patron"]
        own = [bet for bet in self.bets.values() if bet.patron == patron]
        self._returned(record, own, f"the choice of {patron}")
        for bet in own:
            del self.bets[bet.key]
        if self.phase == "deciding" and not self._undecided():
            self.due.insert(0, "DecisionsClosed")

    def _returned(self, record: Record, bets: list[Lying], what: str) -> None:
        """Stakes and reserves come back, also of Antes declined; of chips removed, none lies."""
        for name in ("returned", "removed"):
            said = [lying(bet) for bet in record[name]]
            gone = name == "removed"
            should = [bet for bet in bets if (bet.key in self.removed) == gone]
            if sorted(bet.key for bet in said) != sorted(bet.key for bet in should):
                self._say(f"{what} did not return exactly the bets on the layout")
            for bet in said:
                self._must(self.bets.get(bet.key) == bet, f"{named(bet)} returned, lies otherwise")
                if not gone:
                    self._stack(bet.patron, bet.held)

    # --- settled anew -----------------------------------------------------------------------------

    def _settlement_corrected(self, record: Record) -> None:
        if self.settled is None:
            self._say("a settlement corrected that never was")
            return
        self._leaves(record)
        said = record.get("struck", {})
        self._must(said == self.struck, f"debts lowered by {said}, should be {self.struck}")
        for patron, change in self._changes(record).items():
            paid = self._paid(patron, change)
            self.owed[patron] += paid - change
            self._stack(patron, paid)
            self._paid_anew(patron, paid)
        if self.on_road:
            self.results = self.results[:-1]
        if record["coup"] is None:
            self._must(not record["bets"], "a void settlement that settles bets")
            self.settled, self.on_road = None, False
            return
        if record["coup"] != {"player": self.player, "banker": self.banker}:
            self._set(record["coup"])
        over = rules.turn(self.player, self.banker) is None
        self._must(over, "settled anew by hands that are not whole")
        coup = self._check_bets(record["bets"])
        if self.on_road:
            self.results += LETTERS[coup.winner]
        self.settled = record["bets"]

    def _leaves(self, record: Record) -> None:
        """Where patrons may choose, the one who does not go on is settled no more."""
        if self.options is None:
            return
        same = record["coup"] == {"player": self.player, "banker": self.banker}
        self._must(same, "other hands because somebody took the bets back")
        gone = [patron for patron, chosen in self.options.items() if chosen is False]
        self.bets = {key: bet for key, bet in self.bets.items() if bet.patron not in gone}

    def _changes(self, record: Record) -> dict[str, int]:
        """By patron, what has to change hands since the settlement before."""
        before, after = nets(self.settled or []), nets(record["bets"])
        return {who: after.get(who, 0) - before.get(who, 0) for who in {**before, **after}}

    def _paid(self, patron: str, net: int) -> int:
        """What comes to a stack, or from it as far as it goes, once debts have had their part."""
        return max(net - self.struck.get(patron, 0), -self.stacks[patron])

    def moves(self, table: str, record: Record, debts: dict[str, int]) -> Change:
        """What a new settlement should do to the accounts; what a stack cannot pay is owed.

        What this round made somebody owe, and still stands, is owed less before a chip moves, and
        not at all by those who have nothing more to do with it.
        """
        change: Change = defaultdict(lambda: [0, 0])
        stays = nets(record["bets"])
        self.struck = {}
        for patron, net in self._changes(record).items():
            there = net if patron in stays else net + self.stacks[patron]
            off = min(there, self.owed[patron], debts.get(patron, 0))
            if off > 0:
                self.struck[patron] = off
        for patron, net in self._changes(record).items():
            paid = self._paid(patron, net)
            change[f"stack:{table}:{patron}"][0] += paid
            change[f"debt:{patron}"][0] += net - paid
            change[f"house:{table}"][0] -= net
        withheld = sum(one["commission"] for one in record["bets"])
        withheld -= sum(one["commission"] for one in self.settled or [])
        change[f"commission:{table}"][0] += withheld
        change[f"house:{table}"][0] -= withheld
        return {account: both for account, both in change.items() if both != [0, 0]}
