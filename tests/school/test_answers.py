"""What the school calls right is what `decide` does, and what it calls wrong `decide` refuses.

Every book and every kind of lesson is asked about; the seed is in the name of the test.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from re import findall

import pytest

from cutcard.refusals import Refusal
from cutcard.round import commands as rounds
from cutcard.round.events import CardDealt
from cutcard.rulebooks import MORE, load, rulebooks
from cutcard.rules.cards import Card
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.rules.settlement import settle
from cutcard.school import (
    Choice,
    Lesson,
    Question,
    Topic,
    kinds_of,
    lesson,
    marked,
    reasons,
    words,
)
from cutcard.school import about_steps as steps
from cutcard.school.about_cards import why_not
from cutcard.school.drill import begun
from cutcard.school.rehearsal import DEALER, refused, staff
from cutcard.school.situation import AFTER, Situation
from cutcard.table import advise, decide
from cutcard.table import incident as kinds
from cutcard.table.advice import Path
from cutcard.table.commands import Command, InRound, Resolve
from cutcard.table.established import settled_bets
from cutcard.table.events import OptionsOffered
from cutcard.table.incident import Step
from cutcard.table.staff import RANK
from tests.cases import every

SEEDS = {"rws-commission": (1, 2)}
"""A few more lessons by the book that has a clause for everything."""

BOOKS = rulebooks()
every_book = every("book", BOOKS, ids=lambda book: book.id)


@cache
def told(book: Rulebook) -> tuple[tuple[Situation, Lesson], ...]:
    """Lessons of every kind, each with the table that it is about."""
    return tuple(
        (begun(book, seed, kind)[0], lesson(book, seed, kind))
        for kind in kinds_of(book)
        for seed in SEEDS.get(book.id, (1,))
    )


def asked(book: Rulebook, topic: Topic) -> Iterator[tuple[Situation, Question]]:
    for situation, one in told(book):
        for question in one.questions:
            if question.topic is topic:
                yield situation, question


def says(situation: Situation, command: Command) -> str | None:
    """The code of the refusal that a command meets."""
    refusal = refused(situation.table, command, situation.book)
    return None if refusal is None else refusal.code


def path_of(situation: Situation, question: Question) -> Path:
    """The path that a question begins with: the first that is said so."""
    for path in situation.advice.paths:
        if path.order and f"{card(path.order[0])} " not in question.asks:
            continue
        if question.asks.startswith(words.taken(path.step, path.order)) or path.order:
            return path
    return situation.advice.paths[0]


def card(one: Card) -> str:
    return words.card(one)


# --- every question -------------------------------------------------------------------------------


@every_book
def test_the_right_answer_is_accepted_and_every_other_refused(book: Rulebook) -> None:
    for _, one in told(book):
        assert 1 <= len(one.questions) <= 3, one.kind
        for question in one.questions:
            verdicts = [marked(question, place) for place in range(len(question.choices))]
            assert [verdict.right for verdict in verdicts].count(True) == 1
            assert verdicts[question.right].right
            assert all(verdict.says.endswith(".") for verdict in verdicts)


@every_book
def test_a_question_can_be_read(book: Rulebook) -> None:
    for _, one in told(book):
        for question in one.questions:
            said = [choice.words for choice in question.choices]
            values = [choice.value for choice in question.choices]
            assert 3 <= len(said) <= 4, (one.kind, question)
            assert len(set(said)) == len(set(values)) == len(said)
            assert question.asks.endswith("?")
            assert question.because.endswith(".")
            assert question.quotes, (one.kind, question)
            assert "  " not in question.asks + question.because


@every_book
def test_two_to_five_patrons_bet(book: Rulebook) -> None:
    for _, one in told(book):
        assert 2 <= len({bet.patron for bet in one.felt.bets}) <= 5
        assert not {bet.patron for bet in one.felt.bets} & set(one.felt.onlookers)
        assert 1 <= len(one.story) <= 2


# --- steps ----------------------------------------------------------------------------------------


@every_book
def test_the_step_called_lawful_is_accepted_and_the_others_are_refused(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.STEP):
        path = situation.advice.paths[0]
        assert question.answer.value == path.step.value
        assert says(situation, situation.resolve(path)) is None
        for place, choice in enumerate(question.choices):
            if place != question.right:
                assert_unlawful(situation, choice)


def assert_unlawful(situation: Situation, choice: Choice) -> None:
    if choice.value in steps.NO_STEPS:
        return NO_STEPS[choice.value](situation)
    path = replace(situation.advice.paths[0], step=Step(choice.value), order=())
    code = says(situation, situation.resolve(path, Role.SHIFT_MANAGER))
    assert code == "incident/not-lawful", (situation.kind, choice)
    return None


def cannot_deal_again(situation: Situation) -> None:
    terms = situation.table.round.terms
    assert terms is not None
    opened = situation.by_dealer(rounds.OpenRound(0, terms, situation.now + AFTER))
    assert says(situation, opened) == "incident/waiting"


def cannot_offer(situation: Situation) -> None:
    assert not any(path.offered for path in situation.advice.paths)
    after = situation.after(situation.resolve(situation.advice.paths[0]))
    assert after.table.options is None


def cannot_call(situation: Situation) -> None:
    after = situation.taken(situation.advice.paths[0])
    called = after.by_dealer(rounds.CallResult(after.now + AFTER))
    assert says(after, called) == "round/cards-missing"


def cannot_return(situation: Situation) -> None:
    patron = situation.patrons[0]
    wish = rounds.ReturnBets(patron, "CB4 5.3", DEALER, situation.now + AFTER)
    after = situation.taken(situation.advice.paths[0])
    assert says(after, after.by_dealer(wish)) == "incident/needed"


def cannot_move(situation: Situation) -> None:
    after = situation.taken(situation.advice.paths[0])
    for bet in situation.table.round.bets:
        wish = rounds.WithdrawBet(bet.patron, bet.box, bet.spot, after.now + AFTER)
        assert says(after, InRound(wish, staff(Role.SHIFT_MANAGER))) == "bet/closed"


def cannot_settle_as_shown(situation: Situation) -> None:
    ended = situation.taken(situation.advice.paths[0]).played()
    assert ended is not None
    assert ended.coup.winner is ended.table.round.winner


def cannot_settle_again(situation: Situation) -> None:
    coup = Coup.parse("9h Kd / 2c 5s")
    at = situation.now + AFTER
    corrected = Resolve(Step.CORRECT, staff(Role.SHIFT_MANAGER), at, "so", coup=coup)
    assert says(situation, corrected) == "incident/not-lawful"


def cannot_put_back(situation: Situation) -> None:
    assert situation.incident is not None
    for path in situation.advice.paths:
        shoe = situation.after(situation.resolve(path)).table.shoe
        assert shoe is not None
        assert all(shoe.seen[one] for one in situation.incident.drawn)


NO_STEPS: dict[str, Callable[[Situation], None]] = {
    steps.DEAL_AGAIN: cannot_deal_again,
    steps.OFFER: cannot_offer,
    steps.CALL: cannot_call,
    steps.RETURN: cannot_return,
    steps.MOVE: cannot_move,
    steps.SETTLE_AS_SHOWN: cannot_settle_as_shown,
    steps.SETTLE_AGAIN: cannot_settle_again,
    steps.PUT_BACK: cannot_put_back,
}


def test_everything_that_is_no_step_is_tried_here() -> None:
    assert set(NO_STEPS) == set(steps.NO_STEPS)


def test_a_wrong_step_never_comes_to_the_same_as_a_lawful_one() -> None:
    for book in BOOKS:
        for situation, question in asked(book, Topic.STEP):
            lawful = {steps.MEANING[path.step] for path in situation.advice.paths}
            known = {step.value: steps.MEANING[step] for step in Step}
            wrong = [one for place, one in enumerate(question.choices) if place != question.right]
            assert not [one for one in wrong if known.get(one.value) in lawful]


@every_book
def test_the_lowest_role_may_nobody_below_and_everybody_above(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.ROLE):
        if situation.late is not None:
            assert question.answer.value == book.irregularities[situation.kind].decides.value
            continue
        path = situation.advice.paths[0]
        lowest = RANK[Role(question.answer.value)]
        for role in Role:
            # The two roles around the line tell all; the others follow from the ranks.
            if RANK[role] in (lowest - 1, lowest):
                code = says(situation, situation.resolve(path, role))
                assert code == (None if RANK[role] >= lowest else "staff/role")


RANKED = {
    "anything else": "CB4 5.17",
    "simultaneous cards": "CB4 5.10",
    "late bet": "CB4 5.6",
    "late withdrawal": "CB4 5.6",
    "misread card": "HOUSE misread card",
}
"""The only clauses that name who decides."""


@pytest.mark.clause("HOUSE who decides")
@every_book
def test_a_clause_is_credited_with_a_rank_only_where_it_names_one(book: Rulebook) -> None:
    for situation, _ in told(book):
        if situation.incident is None:
            continue
        path = situation.advice.paths[0]
        said, who = reasons.role(book, path.role, path.clause), path.role.value
        if path.clause == RANKED.get(situation.kind):
            assert said.startswith(f"{path.clause} names the {who}.")
        else:
            start = f"{path.clause} names no rank; the house leaves it to the {who}."
            assert said.startswith(start), situation.kind


@every_book
def test_where_the_house_says_who_decides_its_clause_is_quoted(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.ROLE):
        cited = [quote.clause for quote in question.quotes]
        by_house = situation.advice.paths[0].clause != RANKED.get(situation.kind)
        assert ("HOUSE who decides" in cited) == by_house


# --- established, options -------------------------------------------------------------------------


@every_book
def test_only_the_right_bet_establishes_an_outcome(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.ESTABLISHED):
        found = settled_bets(situation.table, situation.incident, book)
        right = question.answer.value
        assert (right == steps.NOBODY) == (not found)
        named = {choice.value for choice in question.choices} & set(book.spots)
        assert named & set(found) == ({right} if found else set())


@every_book
def test_who_may_choose_is_whom_decide_asks(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.OPTIONS):
        path = path_of(situation, question)
        events = decide(situation.table, situation.resolve(path), book)
        offered = [event.patrons for event in events if isinstance(event, OptionsOffered)]
        assert question.answer.value == ",".join(offered[0] if offered else ())


@every_book
def test_who_says_nothing_has_the_bets_returned(book: Rulebook) -> None:
    for _, question in asked(book, Topic.SILENCE):
        assert question.answer.value == "return"


# --- cards ----------------------------------------------------------------------------------------


@every_book
def test_the_hands_are_those_after_the_step(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.HANDS):
        path = path_of(situation, question)
        after = situation.after(situation.resolve(path)).coup
        for place, choice in enumerate(question.choices):
            assert (Coup.parse(choice.value) == after) == (place == question.right)


@every_book
def test_the_card_goes_where_decide_puts_it(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.CARD):
        path = situation.advice.paths[0]
        events = decide(situation.table, situation.resolve(path), book)
        sides = [event.side.value for event in events if isinstance(event, CardDealt)]
        assert question.answer.value == (sides[0] if sides else "next round")
        if not sides:
            assert situation.incident is not None
            assert path.kept == situation.incident.drawn


@every_book
def test_only_the_right_action_is_lawful_next(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.NEXT):
        after = situation
        if situation.incident is not None:
            after = situation.taken(situation.advice.paths[0])
        if situation.kind == kinds.UNREAD:
            # The card that could not be read is one of the hands' by now.
            after = after.drawn()
        for place, choice in enumerate(question.choices):
            assert (why_not(after, choice.value) is None) == (place == question.right), choice


@pytest.mark.clause("HOUSE unread card")
@every_book
def test_a_card_that_was_scanned_again_is_not_drawn_once_more(book: Rulebook) -> None:
    """What comes next follows from the hands with that card in its place, as the tableau says."""
    found = 0
    for seed in range(40):
        for question in lesson(book, seed, kinds.UNREAD).questions:
            if question.topic is not Topic.NEXT:
                continue
            situation, _ = begun(book, seed, kinds.UNREAD)
            hands = Coup.deal([*situation.coup.dealt, situation.coming[0]])
            side = next_side(hands)
            assert f"It is {card(situation.coming[0])}, and is laid on the" in question.asks
            assert question.answer.value == ("call" if side is None else f"draw {side.value}")
            found += 1
    assert found > 0


@every_book
def test_typing_a_card_in(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.TYPING):
        scanned = situation.taken(situation.advice.paths[0])
        drawn = rounds.DrawCard(scanned.coming[0], scanned.now + AFTER)
        typed = replace(drawn, seen_by=staff(Role.PIT_SUPERVISOR))
        lawful = says(scanned, InRound(typed, DEALER)) is None
        assert question.answer.value == ("together" if lawful else "no")
        assert says(scanned, InRound(replace(drawn, seen_by=DEALER), DEALER)) is not None


# --- bets and money -------------------------------------------------------------------------------


@every_book
def test_a_late_bet_is_refused_and_a_late_withdrawal_too(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.BET):
        wish = situation.late
        assert wish is not None
        placed = isinstance(wish, rounds.PlaceBet)
        assert question.answer.value == ("refuse" if placed else "as placed")
        assert {says(situation, InRound(wish, who)) for who in (wish.patron, DEALER)} == {
            "bet/closed"
        }
        kind = "late bet" if placed else "late withdrawal"
        assert question.quotes[0].clause == book.irregularities[kind].clause


# --- limits ---------------------------------------------------------------------------------------

WORKED = [8_000, 6_000, 360, 1_000, 200]
"""Seated, behind, behind, on the other side, and below the minimum; at most 11,000 may count."""


def limited(kind: str, topic_asks: str) -> dict[int, set[str]]:
    """By stake: what the lessons with these stakes, on whichever side, call the right answer."""
    found: dict[int, set[str]] = {}
    for seed in range(2_000):
        if len(found) == len(WORKED) - 1:
            break
        one = lesson(load("rws-commission"), seed, kind)
        stakes = {bet.patron: bet.stake for bet in one.felt.bets}
        for question in one.questions:
            if [*stakes.values()] == WORKED and topic_asks in question.asks:
                (patron,) = (name for name in stakes if f"{name}'s bet" in question.asks)
                found.setdefault(stakes[patron], set()).add(question.answer.value)
    return found


@pytest.mark.clause("CB4 5.1 priority")
def test_of_a_box_beyond_the_differential_the_seat_stays_whole_and_the_last_goes_first() -> None:
    assert limited("excess bets", "stays?") == {
        8_000: {"8000"},
        6_000: {"3000"},
        360: {"0"},
        200: {"0"},
    }


@pytest.mark.clause("CB4 5.1.1", "CB4 5.1.1 min", "CB4 5.1.2")
def test_of_an_excess_that_nobody_saw_bets_count_in_proportion() -> None:
    """Three quarters, but none less than 300, and the bet below the minimum in full."""
    assert limited("excess bets unnoticed", "count?") == {
        8_000: {"6000"},
        6_000: {"4500"},
        360: {"300"},
        200: {"200"},
    }


@every_book
def test_a_bet_below_the_minimum_is_the_patrons_to_mend_or_else_counts(book: Rulebook) -> None:
    for situation, question in asked(book, Topic.LIMIT):
        (first, *_) = situation.table.round.bets
        if situation.kind == "bet below minimum":
            assert question.answer.value == "advise"
        if situation.kind == "bet below minimum unnoticed":
            assert question.answer.value == str(first.stake)
        if situation.kind == "excess bets" and "dealer" in question.asks:
            assert question.answer.value == "reject"


@every_book
def test_the_money_is_what_the_pay_lines_say_of_the_hands_told(book: Rulebook) -> None:
    """The hands are read out of the question, and settled by the rules alone."""
    for situation, question in asked(book, Topic.MONEY):
        patron = question.asks.split("What does ")[1].split()[0]
        returned = f"{patron} has the bets returned" in question.asks
        told_hands = question.asks.split("The round ends with ")[1:]
        net = 0
        if told_hands and not returned:
            player, banker = told_hands[0].split(", Banker")
            coup = Coup(*(tuple(map(Card.parse, findall(CARD, text))) for text in (player, banker)))
            counts = situation.table.round.effective
            bets = {
                b.spot: counts.get(b.key, b.stake)
                for b in situation.table.round.bets
                if b.patron == patron
            }
            net = settle(book, coup, bets).net if bets else 0
        assert int(question.answer.value) == net, question


@every(
    ("book", "spot", "heading", "quoted", "text"),
    [
        ("rws-commission", "player", "CB4 4.1.2", "CB4 4.1.2 P", "Player pays 1 to 1."),
        ("rws-commission", "tie", "CB4 4.1.2", "CB4 4.1.2 T", "Tie pays 8 to 1."),
        (
            "rws-commission",
            "player_pair",
            "CB4 4.1.2",
            "CB4 4.1.2 pair",
            "Player Pair and Banker Pair each pay 11 to 1.",
        ),
        (
            "rws-knockout",
            "winning_total_5_6",
            "KO2 4.1.2",
            "KO2 4.1.2 5-6",
            "Winning Total 5-6 pays 3 to 1.",
        ),
    ],
)
def test_a_bet_is_explained_by_its_own_pay_line(
    book: str, spot: str, heading: str, quoted: str, text: str
) -> None:
    by = load(book)
    assert heading in {line.clause for line in by.spots[spot].table.lines}

    (quote,) = reasons.quotes(by, reasons.pay_line(by, spot, heading))
    assert (quote.clause, quote.text) == (quoted, text)


def test_a_winning_pair_is_explained_by_the_clause_on_pairs() -> None:
    question = lesson(load("rws-commission"), 78393, "late bet").questions[-1]

    assert question.because == "Player Pair 90,000: wins 990,000."
    assert [quote.clause for quote in question.quotes] == ["CB4 5.6", "CB4 4.1.2 pair"]


def test_whatever_a_pay_line_cites_has_words_to_quote() -> None:
    for book in (*BOOKS, *rulebooks(MORE)):
        for spot in book.spots.values():
            for line in spot.table.lines:
                assert reasons.quotes(book, reasons.pay_line(book, spot.id, line.clause))


@every(
    ("hands", "rows"),
    [
        ("9h Kd / 2c 3d", ["ETG4 3.6 nat"]),
        ("2h 3d / 2c 3d", ["ETG4 3.6 P0-5"]),
        ("2h 3d 4c / 2c Kd", ["ETG4 3.6 B0-2"]),
        ("2h 3d 4c / 2c 4d", ["ETG4 3.6 B6"]),
        ("2h 4d / 2c 3d", ["ETG4 3.6 P6-7", "ETG4 3.6 B5"]),
    ],
)
def test_a_third_card_is_explained_by_the_row_that_decides_it(hands: str, rows: list[str]) -> None:
    book = load("rws-non-commission-etg")
    quoted = reasons.quotes(book, *reasons.tableau(book, Coup.parse(hands)))

    assert [quote.clause for quote in quoted] == rows


CARD = r"(?:10|[2-9AJQK])[♠♥♦♣]"


def test_the_money_lies_within_the_prospects_of_the_advice() -> None:
    """Advice with money takes its time, so only one book is asked, and not about early cards."""
    compared = 0
    for situation, question in asked(BOOKS[0], Topic.MONEY):
        patron = question.asks.split("What does ")[1].split()[0]
        early = situation.incident is None or len(situation.coup.dealt) < 3
        if early or situation.late or "has the bets returned" in question.asks:
            continue
        assert situation.incident is not None
        path = advise(situation.table, situation.incident, situation.book).paths[0]
        if path.prospects is not None:
            found = path.prospects[patron]
            assert found.least <= int(question.answer.value) <= found.most
            compared += 1
    assert compared > 0


def test_the_other_games_have_lessons_too() -> None:
    for book in rulebooks(MORE):
        for kind in ("simultaneous cards", "technical interruption", "nothing wrong"):
            for question in lesson(book, 1, kind).questions:
                assert marked(question, question.right).right


def test_where_nobody_can_rule_the_round_is_void() -> None:
    for situation, question in asked(BOOKS[0], Topic.NO_RULING):
        at = situation.now + AFTER
        by = staff(Role.PIT_SUPERVISOR)
        assert question.answer.value == "void"
        unruled = Resolve(Step.NO_RULING, by, at, "nobody here")
        assert refused(situation.without_manager, unruled, situation.book) is None
        assert says(situation, unruled) == "incident/not-lawful"
        ruled = Resolve(Step.RULE_CONTINUE, by, at, "so", facts="so")
        assert says(situation, ruled) == "staff/role"


@every("kind", ["", "no such thing", kinds.UNREAD.upper()])
def test_no_lesson_about_what_the_book_does_not_know(kind: str) -> None:
    with pytest.raises(Refusal) as refused:
        lesson(BOOKS[0], 1, kind)

    assert refused.value.code == "drill/kind"
