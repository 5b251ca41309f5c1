"""A shoe's steps: their order, what each proves, and everything that is refused."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cutcard.fairness import (
    CardShown,
    CardTaken,
    Commitment,
    Phase,
    SeedGiven,
    SeedsClosed,
    SeedSealed,
    ShoeAborted,
    ShoeOpened,
    Step,
    Tally,
    Verdict,
    VerifiableShoe,
    abort,
    advance,
    begin,
    is_committed,
    merkle,
    opening,
    seal,
    show,
    succeed,
    take,
    tally,
    verify,
)
from cutcard.fairness.house import seal_cards
from cutcard.fairness.order import applied
from cutcard.fairness.record import plain
from cutcard.refusals import Refusal
from cutcard.rules.cards import DECK, Card
from cutcard.rules.shoe import burn_count
from tests.cases import every
from tests.fairness import second
from tests.fairness.playing import (
    SEEDS,
    UNTIL,
    Played,
    burned,
    closed,
    committed,
    dealt,
    finished,
    ready,
    sealed,
)

FRESH = committed()
SEALED = sealed(FRESH)
CLOSED = closed(FRESH)
READY = ready(FRESH)
BURNED = burned(READY)
DEALT = dealt(FRESH)
FINISHED = finished(FRESH)


def refused(shoe: VerifiableShoe, step: Step) -> Refusal:
    with pytest.raises(Refusal) as caught:
        advance(shoe, step)
    return caught.value


def number_refused(place: int) -> Refusal:
    return Refusal("fairness/place", {"number": place + 1})


def any_card(place: int) -> CardShown:
    """A card at a place, with the right position and proof."""
    position, secret = READY.shoe.order[place], READY.secret
    path = merkle.path(secret.tree, position)
    return CardShown(place, position, secret.cards[position], secret.nonces[position], path)


# --- the whole way


def test_a_shoe_from_commitment_to_opening() -> None:
    phases = [one.shoe.phase for one in (FRESH, SEALED, CLOSED, READY, DEALT, FINISHED)]

    assert phases == [
        Phase.SEALING,
        Phase.SEALING,
        Phase.GIVING,
        Phase.DEALING,
        Phase.DEALING,
        Phase.OPENED,
    ]
    assert FINISHED.shoe.opened == FRESH.secret.cards


def test_the_dealt_order_is_the_patrons_order_of_the_houses_cards() -> None:
    shoe = FINISHED.shoe

    assert shoe.dealing_order == applied(shoe.order, FRESH.secret.cards)
    assert sorted(shoe.dealing_order) == sorted(DECK)
    assert shoe.shown == {place: shoe.dealing_order[place] for place in shoe.shown}


def test_burned_cards_stay_unseen_until_the_end() -> None:
    burned_places = set(range(1, BURNED.shoe.left))

    assert set(BURNED.shoe.shown) == {0}
    assert set(range(DEALT.shoe.left)) - set(DEALT.shoe.shown) == burned_places
    for place in burned_places:
        assert refused(BURNED.shoe, any_card(place)) == number_refused(place)


@pytest.mark.parametrize("decks", [1, 8])
def test_a_verifier_written_from_the_manual_agrees_card_by_card(decks: int) -> None:
    played = finished(committed(decks=decks, seed=decks))
    records = [plain(one) for one in (played.commitment, *played.steps)]

    assert second.check(records) == {place: str(card) for place, card in played.shoe.shown.items()}


def test_going_the_steps_once_more_gives_the_same_shoe() -> None:
    assert verify(FINISHED.commitment, FINISHED.steps) == Verdict(FINISHED.shoe)


def test_the_verdict_names_the_first_step_that_does_not_hold() -> None:
    wrong = 20
    steps = list(FINISHED.steps)
    shown = steps[wrong - 1]
    assert isinstance(shown, CardShown)
    steps[wrong - 1] = replace(shown, card=Card.parse("9h" if str(shown.card) != "9h" else "8h"))

    verdict = verify(FINISHED.commitment, steps)

    assert verdict.wrong == wrong
    assert verdict.refusal is not None
    assert verdict.refusal.code == "fairness/not-committed"
    assert verdict.shoe == verify(FINISHED.commitment, FINISHED.steps[: wrong - 1]).shoe


def test_an_impossible_commitment_is_wrong_from_the_start() -> None:
    verdict = verify(replace(FRESH.commitment, decks=17), FINISHED.steps)

    assert (verdict.shoe, verdict.wrong) == (None, 0)
    assert verdict.refusal == Refusal("fairness/decks", {"decks": 17, "most": 16})


# --- the order of steps

STEPS: dict[str, Callable[[Played], Step]] = {
    "seal": lambda played: SeedSealed("cat", bytes(32), UNTIL - 1),
    "close": lambda played: SeedsClosed(UNTIL),
    "give": lambda played: SeedGiven("ann", SEEDS["ann"]),
    "show": lambda played: show(BURNED.shoe, played.secret),
    "take": lambda played: CardTaken(0),
    "open": lambda played: opening(played.secret),
    "abort": lambda played: abort(played.secret, "power failure"),
}
ALLOWED = {
    "sealing": (SEALED, {"seal", "close", "abort"}),
    "giving": (CLOSED, {"give", "abort"}),
    "dealing": (READY, {"show", "take", "open", "abort"}),
    "opened": (FINISHED, set[str]()),
    "aborted": (CLOSED.then(abort(CLOSED.secret, "power failure")), set[str]()),
}


@every("phase", ALLOWED)
@every("name", STEPS)
def test_a_step_out_of_turn_is_refused(phase: str, name: str) -> None:
    """Commit, seal, close, give, deal, open: no step can be skipped or come back."""
    played, allowed = ALLOWED[phase]
    out_of_turn = Refusal("fairness/not-now", {"phase": phase})
    try:
        advance(played.shoe, STEPS[name](played))
        accepted = True
    except Refusal as refusal:
        accepted = refusal != out_of_turn

    assert accepted == (name in allowed)


# --- seeds


def test_a_seal_at_the_cut_off_is_too_late() -> None:
    late = SeedSealed("cat", bytes(32), UNTIL)

    assert refused(FRESH.shoe, late) == Refusal("fairness/seal-late")
    assert advance(FRESH.shoe, replace(late, at=UNTIL - 1)).seals == {"cat": bytes(32)}


def test_nobody_seals_twice() -> None:
    again = SeedSealed("ann", bytes(32), 0)

    assert refused(SEALED.shoe, again) == Refusal("fairness/seal-twice", {"giver": "ann"})


@every("giver", ["", " ", "  ", "a\n", "a\nb", "\x7f", "\u202e", "é", "安", "\U0001fae9", "x" * 65])
def test_a_giver_has_a_name_that_everybody_can_read(giver: str) -> None:
    """What else than ASCII can be printed depends on the version of Unicode."""
    step = SeedSealed(giver, bytes(32), 0)

    assert refused(FRESH.shoe, step) == Refusal("fairness/giver", {"giver": giver[:64]})


@every("giver", ["a", "~", "seat 3", "x" * 64])
def test_a_giver_may_be_called_so(giver: str) -> None:
    assert giver in advance(FRESH.shoe, SeedSealed(giver, bytes(32), 0)).seals


def test_a_shoe_takes_256_seeds_and_no_more() -> None:
    shoe = FRESH.shoe
    for number in range(256):
        shoe = advance(shoe, SeedSealed(f"g{number}", bytes(32), 0))

    one_more = SeedSealed("late", bytes(32), 0)
    assert refused(shoe, one_more) == Refusal("fairness/givers", {"most": 256})


@every("size", [0, 31, 33])
def test_seals_and_seeds_have_one_size(size: int) -> None:
    wrong = Refusal("fairness/size", {"bytes": size, "must": 32})

    assert refused(FRESH.shoe, SeedSealed("ann", bytes(size), 0)) == wrong
    assert refused(CLOSED.shoe, SeedGiven("ann", bytes(size))) == wrong


def test_seeds_are_not_closed_before_the_time() -> None:
    early = SeedsClosed(UNTIL - 1)

    assert refused(SEALED.shoe, early) == Refusal("fairness/close-early", {"ms": 1})


def test_without_a_seed_nothing_is_dealt() -> None:
    assert refused(FRESH.shoe, SeedsClosed(UNTIL)) == Refusal("fairness/no-seeds")


def test_only_a_sealed_seed_is_taken_and_only_as_it_was_sealed() -> None:
    shoe = CLOSED.shoe

    assert refused(shoe, SeedGiven("cat", bytes(32))) == Refusal(
        "fairness/not-sealed", {"giver": "cat"}
    )
    assert refused(shoe, SeedGiven("ann", b"A" * 32)) == Refusal(
        "fairness/seed-differs", {"giver": "ann"}
    )
    given = advance(shoe, SeedGiven("ann", SEEDS["ann"]))
    assert refused(given, SeedGiven("ann", SEEDS["ann"])) == Refusal(
        "fairness/seed-twice", {"giver": "ann"}
    )


def test_a_seal_copied_from_somebody_else_cannot_be_opened() -> None:
    """Bob copies Ann's seal unseen and her seed once she has given it."""
    copied = seal(FRESH.commitment, "ann", SEEDS["ann"])
    shoe = FRESH.then(
        SeedSealed("ann", copied, 0), SeedSealed("bob", copied, 0), SeedsClosed(UNTIL)
    ).shoe

    assert refused(shoe, SeedGiven("bob", SEEDS["ann"])) == Refusal(
        "fairness/seed-differs", {"giver": "bob"}
    )


def test_a_seal_of_another_shoe_cannot_be_opened() -> None:
    other = replace(FRESH.commitment, number=2)

    assert seal(other, "ann", SEEDS["ann"]) != seal(FRESH.commitment, "ann", SEEDS["ann"])


def test_dealing_waits_for_every_sealed_seed() -> None:
    """A seed held back would let its giver choose between two orders; so it holds up the shoe."""
    one = advance(CLOSED.shoe, SeedGiven("ann", SEEDS["ann"]))

    assert (one.phase, one.order) == (Phase.GIVING, ())
    assert advance(one, SeedGiven("bob", SEEDS["bob"])).phase is Phase.DEALING


# --- cards


def test_cards_leave_the_shoe_one_by_one() -> None:
    shoe, after = READY.shoe, BURNED.shoe

    assert refused(shoe, CardTaken(1)) == number_refused(1)
    assert refused(after, CardTaken(0)) == number_refused(0)
    assert refused(after, CardTaken(after.left - 1)) == number_refused(after.left - 1)
    step = show(shoe, READY.secret)
    assert refused(shoe, replace(step, place=1)) == number_refused(1)
    assert refused(after, step) == number_refused(0)
    assert refused(after, replace(step, place=-1)) == number_refused(-1)


def test_the_first_card_is_exposed_and_its_value_burned() -> None:
    """The house cannot burn more or fewer cards than the exposed one says."""
    shoe = READY.shoe
    assert refused(shoe, take(shoe)) == Refusal("shoe/expose-first")

    shoe = advance(shoe, show(shoe, READY.secret))
    burns = burn_count(shoe.shown[0])
    for left in range(burns, 0, -1):
        assert shoe.to_burn == left
        assert refused(shoe, any_card(shoe.left)) == Refusal("shoe/burn-first", {"left": left})
        shoe = advance(shoe, take(shoe))

    assert (shoe.to_burn, shoe.left, shoe.face_down) == (0, 1 + burns, frozenset())


def test_a_card_face_down_is_shown_later_and_once() -> None:
    """As in a squeeze: two cards leave the shoe, and the first is turned up after the second."""
    first = BURNED.shoe.left
    shoe = advance(BURNED.shoe, take(BURNED.shoe))
    assert shoe.face_down == {first}
    shoe = advance(shoe, show(shoe, READY.secret))
    turned = show(shoe, READY.secret, place=first)
    shoe = advance(shoe, turned)

    assert (shoe.left, shoe.face_down) == (first + 2, frozenset())
    assert sorted(shoe.shown) == [0, first, first + 1]
    assert refused(shoe, turned) == number_refused(first)


def test_no_more_cards_lie_face_down_than_a_coup_has() -> None:
    """Else the house could lay aside, unseen, whatever does not suit it."""
    shoe = BURNED.shoe
    for _ in range(6):
        shoe = advance(shoe, take(shoe))

    assert refused(shoe, take(shoe)) == Refusal("fairness/face-down", {"most": 6})
    shoe = advance(shoe, show(shoe, READY.secret, place=BURNED.shoe.left))
    assert len(advance(shoe, take(shoe)).face_down) == 6


def test_no_card_lies_face_down_when_the_shoe_is_opened() -> None:
    shoe = advance(DEALT.shoe, take(DEALT.shoe))

    assert refused(shoe, opening(FRESH.secret)) == Refusal("fairness/not-shown", {"cards": 1})
    shoe = advance(shoe, show(shoe, FRESH.secret, place=DEALT.shoe.left))
    assert advance(shoe, opening(FRESH.secret)).phase is Phase.OPENED


def test_a_shoe_holds_no_card_beyond_its_last() -> None:
    shoe = BURNED.shoe
    while shoe.left < 51:
        shoe = advance(shoe, show(shoe, READY.secret))
    shoe = advance(shoe, take(shoe))

    assert refused(shoe, take(shoe)) == number_refused(52)
    assert refused(shoe, replace(any_card(51), place=52)) == number_refused(52)
    assert advance(shoe, any_card(51)).shown[51] == any_card(51).card


def test_a_card_from_another_position_is_refused_though_it_was_committed() -> None:
    """The house may not pick the card it likes from those it has committed."""
    shoe, secret = READY.shoe, READY.secret
    right = show(shoe, secret)
    other = (right.position + 1) % 52
    path = merkle.path(secret.tree, other)
    picked = CardShown(0, other, secret.cards[other], secret.nonces[other], path)

    assert refused(shoe, picked) == Refusal(
        "fairness/position", {"number": 1, "card": str(picked.card)}
    )
    # Nor may it pass off that card as the one at the right position.
    assert refused(shoe, replace(picked, position=right.position)) == Refusal(
        "fairness/not-committed", {"number": 1, "card": str(picked.card)}
    )


@every(
    "change",
    [
        lambda step: replace(step, card=Card.parse("9h" if str(step.card) != "9h" else "8h")),
        lambda step: replace(step, nonce=bytes(32)),
        lambda step: replace(step, nonce=step.nonce[:-1]),
        lambda step: replace(step, path=step.path[:-1]),
        lambda step: replace(step, path=(*step.path, bytes(32))),
        lambda step: replace(step, path=step.path[::-1]),
        lambda step: replace(step, path=()),
    ],
    ids=["card", "nonce", "short nonce", "short path", "long path", "turned path", "no path"],
)
def test_a_changed_card_or_proof_is_refused(change: Callable[[CardShown], CardShown]) -> None:
    step = change(show(READY.shoe, READY.secret))

    assert refused(READY.shoe, step) == Refusal(
        "fairness/not-committed", {"number": 1, "card": str(step.card)}
    )


# --- the end


def test_a_shoe_is_opened_only_when_its_cut_card_has_come_out() -> None:
    """Otherwise an unwelcome shoe could end early and never be counted as aborted."""
    short = verify(FINISHED.commitment, DEALT.steps[:-1]).shoe
    assert short is not None

    assert refused(short, opening(FRESH.secret)) == Refusal(
        "fairness/too-early", {"left": 38, "cut": 38}
    )
    assert DEALT.shoe.left == 39


@every(
    "change",
    [
        lambda step: replace(step, cards=step.cards[:-1]),
        lambda step: replace(step, nonces=step.nonces[:-1]),
        lambda step: replace(step, cards=(), nonces=()),
        lambda step: replace(step, cards=(*step.cards[1:], step.cards[0])),
        lambda step: replace(step, nonces=(bytes(32), *step.nonces[1:])),
        lambda step: replace(step, cards=(*step.cards, step.cards[-1])),
    ],
    ids=["card less", "nonce less", "nothing", "other order", "other nonce", "card more"],
)
def test_an_opening_shows_exactly_what_was_committed(
    change: Callable[[ShoeOpened | ShoeAborted], Step],
) -> None:
    wrong = Refusal("fairness/opening", {"shoe": "t7/1"})

    assert refused(DEALT.shoe, change(opening(FRESH.secret))) == wrong
    assert refused(FRESH.shoe, change(abort(FRESH.secret, "fire alarm"))) == wrong


def test_a_shoe_committed_with_a_foreign_card_cannot_be_finished() -> None:
    """Two nines of hearts and no eight: the opening shows it, whatever was dealt."""
    cards = list(FRESH.secret.cards)
    cards[cards.index(Card.parse("8h"))] = Card.parse("9h")
    secret = seal_cards(tuple(cards), FRESH.secret.nonces)
    root = merkle.root(secret.tree)
    played = Played(
        *(commitment := replace(FRESH.commitment, root=root), secret, begin(commitment))
    )

    wrong = Refusal("shoe/too-many-copies", {"card": "9h", "copies": 2, "decks": 1})

    assert refused(dealt(played).shoe, opening(secret)) == wrong
    assert refused(played.shoe, abort(secret, "too late")) == wrong


@every(
    "change",
    [
        lambda nonces: tuple(bytes(32) for _ in nonces),
        lambda nonces: (*nonces[:-1], nonces[0]),
        lambda nonces: tuple(b"" for _ in nonces),
        lambda nonces: (nonces[0] + b"0", *nonces[1:]),
        lambda nonces: (*nonces[:-1], nonces[-1][:-1]),
    ],
    ids=["all equal", "one twice", "empty", "long", "short"],
)
def test_nonces_that_hide_nothing_cannot_be_opened(
    change: Callable[[tuple[bytes, ...]], tuple[bytes, ...]],
) -> None:
    """Whoever knows one nonce would read other cards before they are shown."""
    secret = seal_cards(FRESH.secret.cards, change(FRESH.secret.nonces))
    shoe = begin(replace(FRESH.commitment, root=merkle.root(secret.tree)))

    assert refused(shoe, abort(secret, "why not")) == Refusal(
        "fairness/nonces", {"shoe": "t7/1", "must": 32}
    )


@every("size", [0, 31, 33])
def test_a_card_is_hidden_by_a_nonce_of_32_bytes(size: int) -> None:
    """Even if such a leaf was committed: the check that a patron makes alone refuses it."""
    nonces = tuple((nonce * 2)[:size] for nonce in FRESH.secret.nonces)
    secret = seal_cards(FRESH.secret.cards, nonces)
    commitment = replace(FRESH.commitment, root=merkle.root(secret.tree))
    card = CardShown(0, 5, secret.cards[5], nonces[5], merkle.path(secret.tree, 5))

    assert not is_committed(commitment, card)


@every("played", [FRESH, SEALED, CLOSED, READY, BURNED, DEALT])
def test_an_aborted_shoe_is_opened_whenever_it_happens(played: Played) -> None:
    shoe = advance(played.shoe, abort(played.secret, "power failure"))

    assert (shoe.phase, shoe.reason) == (Phase.ABORTED, "power failure")
    assert shoe.opened == played.secret.cards
    # Without all seeds there never was an order of dealing.
    assert shoe.dealing_order == applied(played.shoe.order, played.secret.cards)


@pytest.mark.parametrize("reason", ["", " \n"])
def test_an_abort_says_why(reason: str) -> None:
    assert refused(FRESH.shoe, abort(FRESH.secret, reason)) == Refusal("fairness/no-reason")


# --- shoes of a table


def following(number: int, **changes: Any) -> Commitment:
    return replace(committed(seed=8).commitment, number=number, **changes)


def test_the_next_shoe_begins_when_the_last_is_finished() -> None:
    aborted = advance(FRESH.shoe, abort(FRESH.secret, "no seeds"))

    assert succeed(FINISHED.shoe, following(2)).phase is Phase.SEALING
    assert succeed(aborted, following(2)).commitment.shoe == "t7/2"


@every("played", [FRESH, SEALED, CLOSED, READY, DEALT])
def test_no_shoe_begins_while_another_is_hidden(played: Played) -> None:
    """An unwelcome shoe cannot be dropped: it is opened, or there is no other."""
    with pytest.raises(Refusal) as caught:
        succeed(played.shoe, following(2))

    assert caught.value == Refusal("fairness/unfinished", {"shoe": "t7/1"})


@every("number", [0, 1, 3])
def test_shoes_are_numbered_without_a_gap(number: int) -> None:
    with pytest.raises(Refusal) as caught:
        succeed(FINISHED.shoe, following(number))

    assert caught.value == Refusal("fairness/number", {"shoe": f"t7/{number}", "must": 2})


@pytest.mark.parametrize("number", [0, -1])
def test_the_first_shoe_is_number_one(number: int) -> None:
    with pytest.raises(Refusal) as caught:
        begin(following(number))

    assert caught.value == Refusal("fairness/number", {"shoe": f"t7/{number}", "must": 1})


def test_a_shoe_of_another_table_does_not_follow() -> None:
    with pytest.raises(Refusal) as caught:
        succeed(FINISHED.shoe, following(2, table="t8"))

    assert caught.value == Refusal("fairness/other-table", {"shoe": "t8/2"})


@every("behind", [0, 5, 41])
def test_a_cut_card_that_no_coup_fits_behind_or_before(behind: int) -> None:
    with pytest.raises(Refusal) as caught:
        begin(following(1, behind_cut=behind))

    assert caught.value.code == "shoe/cut-out-of-range"


def test_shoes_are_counted_by_how_they_ended() -> None:
    aborted = advance(FRESH.shoe, abort(FRESH.secret, "no seeds"))
    shoes = [
        FINISHED.shoe,
        replace(aborted, commitment=following(2)),
        replace(aborted, commitment=following(3)),
        begin(following(6)),
    ]

    assert tally(shoes) == Tally(opened=1, aborted=2, unfinished=1, missing=(4, 5))
    assert tally([begin(following(3))]).missing == (1, 2)
    assert tally([begin(following(2**62))]).missing == (*range(1, 101),)
    assert tally([]) == Tally(opened=0, aborted=0, unfinished=0, missing=())
