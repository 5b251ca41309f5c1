"""Questions about money: what a patron wins or loses once the round is over, to the unit."""

from cutcard.round import commands as rounds
from cutcard.round.events import Settled
from cutcard.round.state import Phase
from cutcard.rules.facts import facts
from cutcard.rules.settlement import pay
from cutcard.rules.shoe import SeededDice
from cutcard.school import reasons, words
from cutcard.school.asking import ask
from cutcard.school.lesson import Choice, Question, Topic
from cutcard.school.rehearsal import DEALER, pick
from cutcard.school.situation import Situation
from cutcard.table import incident as kinds
from cutcard.table.advice import Path
from cutcard.table.checks import opened
from cutcard.table.incident import VOIDING


def money(situation: Situation, dice: SeededDice) -> Question | None:
    """What one patron wins or loses when a path is taken and the round played to its end."""
    if situation.kind == kinds.LATE or not situation.patrons:
        return None
    patron = _whom(situation, dice)
    path = None if situation.incident is None else situation.advice.paths[0]
    leaves = path is not None and patron in path.offered and dice.below(4) == 0
    ended = _ended(situation, path, (patron,) if leaves else ())
    if ended is None or ended.table.round.phase not in (Phase.SETTLED, Phase.VOID):
        return None
    right = ended.nets.get(patron, 0)
    return ask(
        dice,
        Topic.MONEY,
        f"{_told(path, ended, patron if leaves else None)} What does {patron} win or lose in "
        "this round?",
        _amount(patron, right),
        [_amount(patron, wrong) for wrong in _tempting(situation, ended, patron, right)],
        _why(ended, path, patron, leaves),
        reasons.quotes(situation.book, *_cited(ended, path, patron, leaves)),
        order=lambda choice: int(choice.value),
    )


def _whom(situation: Situation, dice: SeededDice) -> str:
    return situation.late.patron if situation.late else pick(dice, situation.patrons)


def _ended(situation: Situation, path: Path | None, leaving: tuple[str, ...]) -> Situation | None:
    late = situation.late
    if isinstance(late, rounds.WithdrawBet) and not opened(situation.table).is_open:
        # The dealer saw the chips go, and says so. At an open table no chips lie.
        wish = rounds.ReportRemoved(late.patron, late.box, late.spot, DEALER, late.at)
        return situation.after(situation.by_dealer(wish)).played()
    if path is None or late is not None:
        return situation.played()
    return situation.taken(path, leaving).played()


def _amount(patron: str, net: int) -> Choice:
    return Choice(str(net), words.net(patron, net))


def _told(path: Path | None, ended: Situation, leaving: str | None) -> str:
    """How the round ended."""
    said = "" if path is None or ended.late else f"{words.taken(path.step, path.order)} "
    if path is not None and path.step in VOIDING:
        return said.strip()
    if leaving is not None:
        said += f"{leaving} has the bets returned. "
    elif path is not None and path.offered:
        said += "Everybody chooses to go on. "
    return f"{said}The round ends with {words.hands(ended.coup)}."


def _own(ended: Situation, patron: str) -> list[Settled]:
    settled = ended.table.round.settled
    return [one for one in settled.bets if one.bet.patron == patron] if settled else []


def _tempting(situation: Situation, ended: Situation, patron: str, right: int) -> list[int]:
    """Sums that come of usual slips: commission forgotten, a loss for a win, a late bet counted."""
    staked = sum(bet.stake for bet in situation.table.round.bets if bet.patron == patron)
    own = _own(ended, patron)
    late = situation.late
    found = [right + sum(one.commission for one in own), 0, -right, staked, -staked]
    found += [one.net for one in own]
    if isinstance(late, rounds.PlaceBet):
        line = situation.book.spots[late.spot].table.line(facts(ended.coup))
        found.insert(0, right + pay(line, late.spot, late.stake).net)
        found += [right + late.stake, right - late.stake]
    found += [right + staked, right - staked]
    return [wrong for wrong in dict.fromkeys(found) if wrong != right]


def _why(ended: Situation, path: Path | None, patron: str, leaves: bool) -> str:
    if path is not None and path.step in VOIDING:
        return "A void round gives every bet back, and nothing is won, lost or kept."
    if leaves:
        return "Bets that are returned win nothing and lose nothing."
    bets = _own(ended, patron)
    if not bets:
        return f"{patron} has no bet in this round."
    return " ".join(_bet(ended, one) for one in bets)


def _bet(ended: Situation, one: Settled) -> str:
    label = ended.book.spots[one.bet.spot].label
    said = f"{label} {one.bet.stake:,}"
    if one.effective < one.bet.stake:
        said += f", of which {one.effective:,} count"
    if one.net == 0:
        return f"{said}: push."
    if one.net < 0:
        return f"{said}: loses {-one.net:,}."
    kept = f", after a commission of {one.commission:,}" if one.commission else ""
    return f"{said}: wins {one.net:,}{kept}."


def _cited(
    ended: Situation, path: Path | None, patron: str, leaves: bool
) -> tuple[str | None, ...]:
    if path is not None and path.step in VOIDING:
        return path.clause, "HOUSE void return"
    if leaves:
        return ("CB4 5.12.3",)
    about = path.clause if path is not None and ended.late is not None else None
    own = _own(ended, patron)
    return about, *(reasons.pay_line(ended.book, one.bet.spot, one.clause) for one in own)
