"""Advice: what is established, which steps are lawful, and that nothing else is done."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import chain, product
from random import Random

import pytest

from cutcard.frozen import replace
from cutcard.odds import Composition
from cutcard.odds.kinds import count_kinds
from cutcard.refusals import Refusal
from cutcard.round import Phase
from cutcard.rulebooks import load, rulebooks
from cutcard.rules.cards import DECK, Card, Rank, Suit, parse_cards
from cutcard.rules.coup import Coup, next_side
from cutcard.rules.facts import Hand, facts_of
from cutcard.rules.rulebook import Role, Rulebook
from cutcard.table import Table, advise, decide, remedies
from cutcard.table.advice import Advice, Path, current, lawful
from cutcard.table.commands import Command, Report, Resolve
from cutcard.table.dealing import fold_on
from cutcard.table.established import settled_bets
from cutcard.table.incident import SYSTEM, VOIDING, Incident, Step
from cutcard.table.prospects import Prospect, edges
from cutcard.table.staff import RANK, Member
from tests.cases import every
from tests.table.scene import DEALER, SUPERVISOR, Scene
from tests.table.test_irregularities import MANAGER, dealt, path_of

# --- cards that are dealt first -------------------------------------------------------------------


def with_a_kept_card() -> Scene:
    """The dealer drew to a natural; the six of hearts is the next round's first card."""
    return dealt("9c 3d Kd 4s").deal("6h").resolve(Step.RECONSTRUCT).call().settle()


@every(
    ("kind", "step"),
    [
        ("technical interruption", Step.VOID),
        ("other dealing error", Step.CONTINUE),
        ("misplaced bet", Step.RECORD),
        ("unread card", Step.RESCAN),
        ("anything else", Step.RULE_VOID),
    ],
)
def test_a_kept_card_stays_kept_whatever_else_goes_wrong_and_advice_says_so(
    kind: str, step: Step
) -> None:
    scene = with_a_kept_card().open().close().report(kind)

    assert scene.table.incident is not None
    paths = lawful(scene.table, scene.table.incident, scene.book).paths
    kept = {path.step: path.kept for path in paths}
    assert kept[step] == kept[Step.RETRACT] == parse_cards("6h")
    scene.resolve(step, "sam", reason="as the book says", facts="as reported")
    assert scene.table.kept == parse_cards("6h")


def test_the_edge_of_a_kept_card_is_shown_also_when_the_round_is_void() -> None:
    scene = with_a_kept_card().open().close().report("technical interruption")

    assert path_of(scene, Step.VOID).edges["player"] > 0


# --- advice told whole ----------------------------------------------------------------------------

NOW = Coup.parse("2h / 6c")
"""Ann has bet on Player and bob on Banker; these cards lie there."""

PIT, SHIFT = Role.PIT_SUPERVISOR, Role.SHIFT_MANAGER
NINE, NINE_FOUR, FOUR_NINE = map(parse_cards, ("9s", "9s 4d", "4d 9s"))
BOTH = ("ann", "bob")


def taken_back(clause: str, role: Role = PIT) -> Path:
    return Path(Step.RETRACT, role, clause, NOW)


WHOLE: dict[str, tuple[dict[str, object], Advice]] = {
    "foreign card": (
        {"drawn": NINE},
        Advice(
            "foreign card",
            "CB4 5.5.1",
            (),
            NOW,
            (Path(Step.VOID, PIT, "CB4 5.5.1", shoe_goes=True),),
        ),
    ),
    "shortage or excess in the shoe": (
        {},
        Advice(
            "shortage or excess in the shoe",
            "CB4 5.5.2",
            (),
            NOW,
            (Path(Step.VOID, PIT, "CB4 5.5.2", shoe_goes=True), taken_back("CB4 5.5.2")),
        ),
    ),
    "excess or exposed card": (
        {"drawn": NINE},
        Advice(
            "excess or exposed card",
            "CB4 5.7",
            ("player_pair",),
            Coup.parse("2h 9s / 6c"),
            (
                Path(Step.RECONSTRUCT, PIT, "CB4 5.7", Coup.parse("2h 9s / 6c")),
                Path(Step.PLAY_ON, PIT, "CB4 5.7", NOW, kept=NINE),
                Path(Step.VOID, PIT, "CB4 5.5.3", kept=NINE, departs=True),
            ),
        ),
    ),
    "wrong number of cards": (
        {},
        Advice(
            "wrong number of cards",
            "CB4 5.5.3",
            (),
            NOW,
            (
                Path(Step.RECONSTRUCT, PIT, "CB4 5.5.3", NOW, offered=BOTH),
                Path(Step.VOID, PIT, "CB4 5.5.3", departs=True),
                taken_back("CB4 5.5.3"),
            ),
        ),
    ),
    "simultaneous cards": (
        {"drawn": NINE_FOUR},
        Advice(
            "simultaneous cards",
            "CB4 5.10",
            (),
            Coup.parse("2h 9s / 6c 4d"),
            tuple(
                Path(
                    Step.ORDER,
                    PIT,
                    "CB4 5.10",
                    Coup.parse(coup),
                    order=order,
                    offered=BOTH,
                    may_replace_shoe=True,
                )
                for coup, order in (("2h 9s / 6c 4d", NINE_FOUR), ("2h 4d / 6c 9s", FOUR_NINE))
            ),
        ),
    ),
    "anything else": (
        {"drawn": NINE},
        Advice(
            "anything else",
            "CB4 5.17",
            ("player_pair",),
            Coup.parse("2h 9s / 6c"),
            (
                Path(Step.RULE_CONTINUE, SHIFT, "CB4 5.17", NOW, kept=NINE),
                Path(Step.RULE_VOID, SHIFT, "CB4 5.17", kept=NINE),
                Path(Step.RULE_BURN, SHIFT, "CB4 5.17", NOW),
            ),
        ),
    ),
    "technical interruption": (
        {},
        Advice(
            "technical interruption",
            "CB4 5.4",
            (),
            NOW,
            (Path(Step.VOID, PIT, "CB4 5.4.2"), taken_back("CB4 5.4")),
        ),
    ),
    "card to the wrong side": (
        {"lying": Coup.parse("6c / 2h")},
        Advice(
            "card to the wrong side",
            "CB4 5.8.1",
            (),
            NOW,
            (
                Path(Step.RECONSTRUCT, PIT, "CB4 5.8.1", NOW, offered=BOTH),
                Path(Step.PLAY_ON, PIT, "CB4 5.8.1", Coup.parse("6c / 2h"), offered=BOTH),
                taken_back("CB4 5.8.1"),
            ),
        ),
    ),
    "other dealing error": (
        {},
        Advice(
            "other dealing error",
            "CB4 5.12",
            (),
            NOW,
            (Path(Step.CONTINUE, PIT, "CB4 5.12", NOW, offered=BOTH), taken_back("CB4 5.12")),
        ),
    ),
    "misread card": (
        {},
        Advice(
            "misread card",
            "HOUSE misread card",
            (),
            NOW,
            (
                Path(Step.CORRECT, PIT, "HOUSE misread card"),
                taken_back("HOUSE misread card"),
            ),
        ),
    ),
    "unread card": (
        {},
        Advice(
            "unread card",
            "HOUSE unread card",
            (),
            NOW,
            (
                Path(Step.RESCAN, Role.DEALER, "HOUSE unread card", NOW),
                taken_back("HOUSE unread card", Role.DEALER),
            ),
        ),
    ),
    "misplaced bet": (
        {},
        Advice(
            "misplaced bet",
            "CB4 5.13",
            (),
            NOW,
            (Path(Step.RECORD, PIT, "CB4 5.13", NOW), taken_back("CB4 5.13")),
        ),
    ),
}


@every("kind", WHOLE)
def test_what_is_lawful_is_told_whole(kind: str) -> None:
    more, advice = WHOLE[kind]
    scene = dealt("2h 6c").report(kind, DEALER, **more)

    assert scene.table.incident is not None
    found = lawful(scene.table, scene.table.incident, scene.book)
    assert found == replace(advice, option_ms=30_000)


@every("kind", WHOLE)
def test_what_nobody_has_reported_yet_is_judged_as_if_it_were(kind: str) -> None:
    more, advice = WHOLE[kind]
    scene = dealt("2h 6c")

    incident = Incident(1, kind, 1, DEALER, **more)  # type: ignore[arg-type]
    assert lawful(scene.table, incident, scene.book) == replace(advice, option_ms=30_000)


def test_advice_is_to_the_last_fraction_the_same_before_the_report_and_after_it() -> None:
    """The card that was drawn has left the shoe once, whether anybody has said so or not."""
    scene = dealt("2h 6c")
    incident = Incident(1, "excess or exposed card", 1, DEALER, NINE)

    before = advise(scene.table, incident, scene.book)
    scene.report("excess or exposed card", drawn=NINE)
    assert scene.table.incident == incident
    assert advise(scene.table, incident, scene.book) == before
    assert before.paths[0].prospects is not None


def paths_now(scene: Scene) -> tuple[Path, ...]:
    assert scene.table.incident is not None
    return lawful(scene.table, scene.table.incident, scene.book).paths


def test_cards_too_many_are_put_in_order_or_the_round_is_void() -> None:
    scene = dealt("2h 6c").report("wrong number of cards", drawn=NINE)

    assert paths_now(scene) == (
        Path(Step.RECONSTRUCT, PIT, "CB4 5.5.3", Coup.parse("2h 9s / 6c")),
        Path(Step.VOID, PIT, "CB4 5.5.3", kept=NINE, departs=True),
    )


@every(
    ("kind", "clause"),
    [("foreign card", "CB4 5.5.1"), ("shortage or excess in the shoe", "CB4 5.5.2")],
)
def test_with_the_shoe_go_the_cards_that_were_kept(kind: str, clause: str) -> None:
    scene = with_a_kept_card().open().close().report(kind)

    assert paths_now(scene) == (
        Path(Step.VOID, PIT, clause, shoe_goes=True),
        Path(Step.RETRACT, PIT, clause, Coup(), kept=parse_cards("6h")),
    )
    assert scene.resolve(Step.VOID).table.kept == ()


def test_a_foreign_card_is_kept_for_no_round_even_between_two_shoes() -> None:
    """No shoe is there that could go, and the card belongs into none."""
    scene = dealt("9h 8c Kh Kd").call().settle().end_shoe().report("foreign card", drawn=NINE)

    assert paths_now(scene) == (Path(Step.VOID, PIT, "CB4 5.5.1"),)


def test_an_alarm_that_is_set_aside_leaves_the_hands_as_they_are() -> None:
    scene = dealt("Ah 2h 3h 4h 5h")

    assert paths_now(scene) == (
        Path(Step.VOID, PIT, "CB4 5.5.5", shoe_goes=True),
        Path(Step.DISMISS, PIT, "CB4 5.5.5", Coup.parse("Ah 3h 5h / 2h 4h")),
    )


def test_after_the_settlement_an_interruption_is_written_down() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle().report("technical interruption")
    over = Coup.parse("9h Kh / 8c Kd")

    assert paths_now(scene) == (
        Path(Step.RECORD, PIT, "CB4 5.4", over),
        Path(Step.RETRACT, PIT, "CB4 5.4", over),
    )


def test_a_table_that_opened_again_with_another_book_has_no_round_to_put_right() -> None:
    scene = dealt("9h 8c Kh Kd").call().settle()
    assert current(scene.table) is scene.table.round

    other = replace(scene.setup, book_hash="of another book")
    assert current(replace(scene.table, setup=other)) is None
    assert current(replace(scene.table, setup=None)) is scene.table.round


def test_of_a_void_round_nothing_is_established_and_nothing_put_in_order() -> None:
    scene = dealt("2h 6c 3s Kd").void().report("other dealing error")

    assert scene.table.incident is not None
    assert lawful(scene.table, scene.table.incident, scene.book) == Advice(
        "other dealing error",
        "CB4 5.12",
        (),
        None,
        (Path(Step.RECORD, PIT, "CB4 5.12"), Path(Step.RETRACT, PIT, "CB4 5.12")),
        option_ms=30_000,
    )


def test_a_table_that_never_opened_has_nothing_to_put_right() -> None:
    book = load("rws-commission")

    assert lawful(Table(), Incident(1, "technical interruption", 0, SYSTEM), book) == Advice(
        "technical interruption", "CB4 5.4", (), None, (Path(Step.RECORD, PIT, "CB4 5.4"),)
    )


def test_whoever_acts_as_shift_manager_rules_until_the_time_is_over() -> None:
    """Asked without the time, whoever acts in a role still does."""
    scene = dealt("2h 6c").sign_off(MANAGER).wet()
    acting = Member(SUPERVISOR, PIT, SHIFT, 1)
    table, incident = replace(scene.table, staff={SUPERVISOR: acting}), scene.table.incident
    assert incident is not None

    for ask in (lawful, advise):
        rulings = [path.step for path in ask(table, incident, scene.book).paths]
        assert rulings == [Step.RULE_CONTINUE, Step.RULE_VOID, Step.RETRACT]
        for at, somebody in ((0, True), (1, False)):
            found = [path.step for path in ask(table, incident, scene.book, at).paths]
            assert (Step.NO_RULING not in found) is somebody


# --- when an outcome is established ---------------------------------------------------------------

MAIN_ONLY = ("skycity-commission", "skycity-non-commission", "online-cow-cow")
"""Books that offer Player, Banker and Tie and nothing else."""

WITH_PAIRS = tuple(book.id for book in rulebooks() if book.id not in MAIN_ONLY)


def endings(coup: Coup) -> Iterator[Coup]:
    """Every end that the tableau can give a coup, one card for each rank."""
    side = next_side(coup)
    if side is None:
        yield coup
        return
    for rank in Rank:
        yield from endings(coup.with_card(side, Card(rank, Suit.CLUBS)))


def some_endings(coup: Coup) -> Iterator[Coup]:
    """A hundred of them by chance, so that what can still change is soon found."""
    dice = Random(str(coup))
    return (Coup.deal([*coup.dealt, *dice.choices(DECK, k=6)]) for _ in range(100))


def decided(coup: Coup, book: Rulebook) -> set[str]:
    """Bets that every ending wins, or that every ending loses."""
    first = outcome(next(endings(coup)), book)
    left = {spot for spot, sign in first.items() if sign != 0}
    if next_side(coup) is None:
        return left
    for end in chain(some_endings(coup), endings(coup)):
        if not left:
            break
        now = outcome(end, book)
        left = {spot for spot in left if now[spot] == first[spot]}
    return left


def outcome(coup: Coup, book: Rulebook) -> dict[str, int]:
    return signs(Hand.of(coup.player), Hand.of(coup.banker), book.id)


@cache
def signs(player: Hand, banker: Hand, book: str) -> dict[str, int]:
    """1 for a bet that wins, -1 for one that loses, 0 for one that is returned."""
    truth = facts_of(player, banker)
    nets = {spot: one.table.line(truth).net for spot, one in load(book).spots.items()}
    return {spot: (net > 0) - (net < 0) for spot, net in nets.items()}


def lengths() -> dict[int, Fraction]:
    """How large a share of all coups of a fresh shoe of eight decks has so many cards."""
    kinds = count_kinds(Composition.of_decks(8))
    orders: Counter[int] = Counter()
    for (player, banker), ways in kinds.items():
        orders[player.cards + banker.cards] += ways
    return {cards: Fraction(ways, orders.total()) for cards, ways in orders.items()}


def test_four_five_or_six_cards_in_these_shares_of_all_coups() -> None:
    share = lengths()

    assert sum(share.values()) == 1
    assert [round(share[cards] * 1_000_000) for cards in (4, 5, 6)] == [378_868, 303_444, 317_687]


@every("book", MAIN_ONLY)
def test_without_pairs_an_outcome_is_established_when_the_coup_is_over_and_not_before(
    book: str,
) -> None:
    """Whatever the totals: as long as one card is to come, everything can still turn or push."""
    rules = load(book)
    for player, banker in product(VALUES, repeat=2):
        start = Coup(player, banker)
        assert bool(decided(start, rules)) == (next_side(start) is None)
        for third in VALUES:
            if (side := next_side(start)) is not None:
                later = start.with_card(side, third[0])
                assert bool(decided(later, rules)) == (next_side(later) is None)


VALUES = [
    (Card(rank, Suit.CLUBS), Card(Rank.KING if rank is not Rank.KING else Rank.QUEEN, Suit.CLUBS))
    for rank in list(Rank)[:10]
]
"""Two cards for every total, 1 to 9 and 0, and never a pair."""


def test_the_share_of_coups_with_an_outcome_by_the_number_of_cards() -> None:
    """Without pairs 37.9 % at four cards and 68.2 % at five; with pairs all from the third on."""
    share = lengths()
    four, five = share[4], share[4] + share[5]

    assert round(four * 1000) == 379
    assert round(five * 1000) == 682
    assert five + share[6] == 1
    # Of the coups that reach a fifth card, nearly half are over with it.
    assert round(share[5] / (1 - four) * 1000) == 489


@every("book", WITH_PAIRS)
def test_with_pairs_the_third_card_always_establishes_and_the_second_never(book: str) -> None:
    """Card three makes the Player Pair or not, whatever comes after it."""
    rules = load(book)
    for first in Rank:
        one, two, three = (Card(rank, Suit.HEARTS) for rank in (first, Rank.FIVE, Rank.NINE))
        assert "player_pair" in decided(Coup((one, one), (two,)), rules)
        assert "player_pair" in decided(Coup((one, three), (two,)), rules)
        assert decided(Coup((one,), (three,)), rules) == set()


@every("book", rulebooks(), ids=lambda book: book.id)
def test_advice_finds_what_is_decided_by_looking_at_every_ending(book: Rulebook) -> None:
    """Card by card, through coups that the dice deal."""
    dice = Random(2016)
    scene = Scene(book, sentinel=0).shoe()
    for _ in range(5):
        scene.open().close()
        while next_side(scene.table.round.coup) is not None:
            scene.deal(str(dice.choice(DECK)))
            coup = scene.table.round.coup
            found = settled_bets(scene.table, None, book)
            assert set(found) == decided(coup, book), coup
            cards = len(coup.dealt)
            always, never = cards >= 3 and book.id in WITH_PAIRS, cards < 3
            assert not (always and not found)
            assert not (never and found)
        scene.call().settle()


def test_before_any_card_nothing_is_established() -> None:
    scene = dealt("")

    assert settled_bets(scene.table, None, scene.book) == ()


# --- advice and decide agree ----------------------------------------------------------------------

STAFF = (
    (DEALER, Role.DEALER),
    (SUPERVISOR, Role.PIT_SUPERVISOR),
    ("max", Role.PIT_MANAGER),
    (MANAGER, Role.SHIFT_MANAGER),
)

MOMENTS = ("idle", "betting", "closed", "one", "two", "four", "over", "called", "settled", "void")


def at_moment(book: Rulebook, moment: str, dice: Random) -> Scene:
    """A table with bets, at some moment of a round; sometimes face down, sometimes with a card
    kept from the round before, sometimes with chips taken away.
    """
    scene = Scene(book, sentinel=0, face_down=dice.random() < 0.3)
    for person, role in STAFF[2:]:
        scene.staff(person, role)
    scene.fund(ann=10_000, bob=10_000).seat("ann", 1).seat("bob", 2).shoe()
    if dice.random() < 0.5:
        scene.sign_off(MANAGER)
    if moment == "idle":
        return scene
    if dice.random() < 0.3:
        scene.open().close().deal("9c 3d Kd 4s").deal("6h").resolve(Step.RECONSTRUCT)
        scene.call().settle()
    scene.open()
    for patron, box in (("ann", 1), ("bob", 2)):
        for spot in dice.sample([one.id for one in book.spots.values() if one.stage is None], 3):
            with suppress(Refusal):
                scene.bet(patron, box, spot, 20 * dice.randint(1, 5))
    if moment == "betting":
        return scene
    scene.close()
    wanted = {"closed": 0, "one": 1, "two": 2, "four": 4}.get(moment, 6)
    while len(scene.table.round.coup.dealt) < wanted and next_side(scene.table.round.coup):
        kept = scene.table.kept
        scene.deal(str(kept[0] if kept else dice.choice(DECK)))
        if scene.table.round.phase is Phase.DECIDING and wanted > 1:
            scene.time_is_up()
        if len(scene.table.round.coup.dealt) == 4:
            scene.turn_over()
    if moment in ("called", "settled"):
        scene.call()
    if moment == "settled":
        scene.settle()
    return scene.void() if moment == "void" else scene


def words_for(kind: str, scene: Scene, dice: Random) -> dict[str, object]:
    """What a report of this kind says beside itself."""
    dealt_cards = scene.table.round.coup.dealt
    more: dict[str, object] = {"note": "as seen"}
    if kind in ("simultaneous cards", "excess or exposed card", "anything else"):
        more["drawn"] = tuple(dice.sample(DECK, 2))
    if kind.startswith("card to the wrong") and dice.random() < 0.7:
        mixed = dice.sample(dealt_cards, len(dealt_cards))
        more["lying"] = Coup(tuple(mixed[::2]), tuple(mixed[1::2]))
    if kind == "card face up":
        hidden = set(range(len(dealt_cards))) - scene.table.face_up
        more["exposed"] = min(hidden, default=0)
    return more


BELIED = (
    "incident/not-hidden",
    "incident/other-cards",
    "incident/cards-enough",
    "incident/right-number",
)
"""What the cards themselves show to be wrong cannot be reported."""


def truth_for(scene: Scene, dice: Random) -> Coup:
    """Other hands of as many cards, dealt by the tableau; whole ones after the settlement."""
    cards = None if scene.table.round.phase is Phase.SETTLED else len(scene.table.round.coup.dealt)
    while True:
        coup = Coup.deal(dice.sample(DECK, 6)[:cards])
        if coup != scene.table.round.coup and cards in (None, len(coup.dealt)):
            return coup


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_what_advice_offers_is_done_and_what_it_does_not_offer_is_refused(
    book: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every kind of irregularity at some moments of a round, every step by every role."""
    known: dict[int, tuple[Table, Advice]] = {}

    def once(table: Table, incident: Incident, book: Rulebook, at: int) -> Advice:
        # The same question has the same answer, and asking takes a while.
        if id(table) not in known:
            known[id(table)] = table, lawful(table, incident, book, at)
        return known[id(table)][1]

    monkeypatch.setattr(remedies, "lawful", once)
    dice, met = Random(book.id), Counter[Step]()
    for kind in book.irregularities:
        for moment in dice.sample(MOMENTS, 2):
            scene = at_moment(book, moment, dice)
            wanted = Report(kind, DEALER, scene.at(), **words_for(kind, scene, dice))  # type: ignore[arg-type]
            refused = refusal_of(scene, wanted)
            if refused is None:
                scene.do(wanted)
                met.update(check_agreement(scene, dice))
            else:
                assert refused in BELIED, moment
    assert len(met) >= 9, "most steps there are"
    assert Step.DISMISS not in met, "only what the system found is set aside"


def check_agreement(scene: Scene, dice: Random) -> Iterator[Step]:
    """Try every step, in every order of the cards, by everybody who is signed on."""
    incident, before = scene.table.incident, scene.table
    assert incident is not None
    advice = lawful(before, incident, scene.book)
    offered = {(path.step, path.order): path for path in advice.paths}
    assert len(offered) == len(advice.paths), "no two paths are told apart by nothing"
    orders = {(), incident.drawn, incident.drawn[::-1], incident.drawn[:1]}
    for step, order in product(Step, orders):
        path = offered.get((step, order))
        coup = truth_for(scene, dice) if step is Step.CORRECT and path is not None else None
        for person, role in STAFF:
            if person not in before.staff:
                continue
            wanted = Resolve(step, person, scene.at(), "so it is", order, coup, facts="as seen")
            refused = refusal_of(scene, wanted)
            if path is None:
                assert refused == "incident/not-lawful", (incident, step, person)
            elif RANK[role] < RANK[path.role]:
                assert refused == "staff/role", (incident, step, person)
            else:
                assert refused is None, (incident, step, person)
                check_path(before, fold_on(before, decide(before, wanted, scene.book)), path)
                yield step


def refusal_of(scene: Scene, command: Command) -> str | None:
    """Why a command is refused, if it is."""
    try:
        decide(scene.table, command, scene.book)
    except Refusal as refusal:
        return refusal.code
    return None


def check_path(before: Table, after: Table, path: Path) -> None:
    """Everything that advice said of a path has come true."""
    if path.coup is not None and path.step is not Step.CORRECT:
        assert after.round.coup == path.coup
    # Which cards a correction leaves over, only the true hands show.
    corrected = path.step is Step.CORRECT
    over = before.round.coup.dealt[len(after.round.coup.dealt) :] if corrected else ()
    assert after.kept == (*path.kept, *over)
    assert tuple(after.options or ()) == path.offered
    assert after.incident is None
    assert (after.shoe is None) == (path.shoe_goes or before.shoe is None)
    was_open = before.round.phase not in (Phase.IDLE, Phase.VOID)
    assert (was_open and after.round.phase is Phase.VOID) == (path.step in VOIDING)


# --- the money ------------------------------------------------------------------------------------


def test_a_void_leaves_everybody_and_the_house_with_nothing_to_expect() -> None:
    nothing = Prospect(Fraction(0), Fraction(0), Fraction(0))
    path = path_of(dealt("2h 6c").report("foreign card"), Step.VOID)

    assert path == Path(
        Step.VOID,
        PIT,
        "CB4 5.5.1",
        shoe_goes=True,
        prospects={"ann": nothing, "bob": nothing},
        house=nothing,
    )


def test_an_interrupted_round_that_is_decided_is_concluded_with_its_hands() -> None:
    scene = dealt("2h 6c 3s Kd").report("technical interruption")

    conclude = Path(Step.CONCLUDE, PIT, "CB4 5.4.1", Coup.parse("2h 3s / 6c Kd"))
    assert paths_now(scene)[0] == conclude


@pytest.mark.parametrize(("bound", "asked"), [(False, BOTH), (True, ())])
def test_whoever_went_on_once_may_be_bound_to_it(bound: bool, asked: tuple[str, ...]) -> None:
    scene = dealt("2h 6c", bound=bound).report("other dealing error").resolve(Step.CONTINUE)
    scene.option("ann", True).option("bob", True).report("other dealing error")

    assert paths_now(scene)[0].offered == asked


def test_a_coup_that_is_over_is_priced_exactly_and_its_kept_card_for_the_next_round() -> None:
    """Player has nine and Banker seven; the six of hearts was drawn in error."""
    scene = dealt("9c 3d Kd 4s").deal("6h")
    path = path_of(scene, Step.RECONSTRUCT)

    won, lost = (Prospect(*[Fraction(net)] * 3) for net in (100, -200))
    assert path.prospects == {"ann": won, "bob": lost}
    assert path.house == won
    assert path.kept == parse_cards("6h")
    assert path.edges == edges(scene.table, parse_cards("6h"), scene.book)
    assert path.edges["player"] > 0


def test_where_nobody_knows_the_hands_the_kept_card_still_has_its_price() -> None:
    scene = with_a_kept_card().report("misread card")
    path = path_of(scene, Step.CORRECT)

    assert (path.coup, path.prospects, path.house) == (None, None, None)
    assert path.edges == edges(scene.table, parse_cards("6h"), scene.book)
    assert path.edges["player"] > 0
