"""Crashes: at every commit of a round, before it and after it, and everything is in order again.

Whatever a patron was told is there, once; the round goes on or is void, as its book says.
"""

import json
from collections import Counter
from collections.abc import Awaitable
from dataclasses import replace

import pytest

from cutcard import wire
from cutcard.chain.signing import public_key
from cutcard.ledger import stack
from cutcard.pack import verify as verify_pack
from cutcard.refusals import Refusal
from cutcard.round.events import BetPlaced, RoundOpened, RoundSettled, RoundVoided
from cutcard.round.state import FINISHED, Phase
from cutcard.server.audit import verify
from cutcard.server.dealer import Act
from cutcard.server.memory import Memory
from cutcard.table.incident import Step
from cutcard.table.resume import Resumption
from cutcard.table.state import Table
from cutcard.wire import api
from tests.engines import ENGINES, fresh
from tests.server.crashing import AFTER, BEFORE, Phoenix, phoenix
from tests.server.house import KEYS, MONEY

pytestmark = pytest.mark.anyio

SPOTS = {
    "rws-commission": "banker",
    "online-baccarat": "player",
    "rws-knockout": "ante_player",
    "skycity-commission": "banker",
}
"""One book for each policy on interruptions: CB4 5.4, the online rules, a decision that is open
when the power goes, and a book that says nothing of it."""

MOST = 14
"""No round takes more commits: opening, bets, close, six cards, decisions, call, settlement."""


@pytest.fixture(params=ENGINES)
async def address(request: pytest.FixtureRequest) -> str:
    return await fresh(request.param, request)


@pytest.mark.parametrize(
    ("engine", "book"),
    # What a book orders is the same on either engine; the longest round is cut off on both.
    [*(("sqlite", book) for book in SPOTS), ("postgresql", "rws-knockout")],
)
async def test_a_crash_at_every_commit_of_a_round(
    engine: str, book: str, request: pytest.FixtureRequest
) -> None:
    house = await opened(await fresh(engine, request), book)
    at, short = 1, 0
    while at <= 2 * MOST and short < 3:
        # The first, before it and after it; the second, before it and after it; and so on.
        house.faulty.arm((at + 1) // 2, BEFORE if at % 2 else AFTER)
        if await dies(a_round(house)):
            stumbling = {0: None, 1: BEFORE, 2: AFTER}[at % 3]
            before, found = await house.rise(stumbling=stumbling)
            await resumed(house, before, found)
            at, short = at + 1, 0
        else:
            # A longer round may come to this commit yet.
            short += 1
            house.faulty.disarm()
        await house.ask_again()
        while house.table.round.phase not in FINISHED:
            await house.deal()
    assert at > 18, "every round has nine commits and more"
    await everything_holds(house)


@pytest.mark.parametrize("face_down", [False, True])
async def test_a_crash_at_every_commit_of_a_new_shoe(address: str, face_down: bool) -> None:
    """Sealing, giving, registering, burning: each is cut off, and goes on where it was."""
    house = phoenix(address, "rws-commission", face_down=face_down)
    await house.live()
    await house.people("ann", "ben")
    done: list[Act] = []
    while not done or done[-1] is not Act.OPEN:
        for when in (BEFORE, AFTER):
            following = house.next()
            assert following is not None
            house.faulty.arm(1, when)
            assert await dies(house.deal())
            await house.rise()
            if when == AFTER:
                done.append(following.act)
            elif following.act is not Act.OPEN:
                again = house.next()
                assert again is not None
                assert again.act is following.act, "what never came to the disk is done again"
    assert [act for act in done if act is not Act.BURN] == [
        Act.COMMIT,
        Act.CLOSE_SEEDS,
        Act.REGISTER,
        Act.OPEN,
    ]
    await a_round(house)
    await everything_holds(house)


async def test_what_a_patron_is_told_of_a_crash(address: str) -> None:
    """Live table, own view and history say what became of the round, and by which clause."""
    house = await opened(address, "rws-commission")
    await house.deal()
    await house.do("ann", api.PlaceBet(table=house.name, spot="banker", stake=50_000))
    await house.rise()

    shown, own = house.server.live.table(house.name), house.server.live.own(house.name, "ann")
    assert (shown.phase, own.void_reason, own.void_clause) == ("void", "restarted", "CB4 5.4.2")
    assert shown.interrupted is not None
    assert (shown.interrupted.step, shown.interrupted.clause) == ("void the round", "CB4 5.4.2")
    assert own.stack == MONEY // 2
    (round,) = await Memory(house.server.desk).history("ann", 10)
    assert (round.ended, round.clause, round.net) == ("void", "CB4 5.4.2", 0)
    await house.rise()
    assert house.server.live.table(house.name).interrupted == shown.interrupted
    await house.deal()
    assert house.server.live.table(house.name).interrupted is None
    await house.die()


@pytest.mark.clause("ONL E1", "ONL E1 (b)")
async def test_what_a_patron_is_told_of_a_round_that_went_on(address: str) -> None:
    """The online rules conclude a round from its first card on."""
    house = await opened(address, "online-baccarat")
    await house.deal()
    await house.do("ann", api.PlaceBet(table=house.name, spot="player", stake=50_000))
    while not house.table.round.coup.dealt:
        await house.deal()
    await house.rise()

    shown = house.server.live.table(house.name)
    assert shown.interrupted is not None
    assert (shown.interrupted.step, shown.interrupted.clause) == ("conclude the round", "ONL E1")
    while house.table.round.phase not in FINISHED:
        await house.deal()
    (round,) = await Memory(house.server.desk).history("ann", 10)
    assert (round.ended, round.reason, round.interrupted) == ("settled", None, shown.interrupted)
    (seen,) = await Memory(house.server.desk).latest(house.name, 10)
    assert seen.interrupted == shown.interrupted
    # Whoever comes back sees the last cards, the result and the new balance.
    shown, own = house.server.live.table(house.name), house.server.live.own(house.name, "ann")
    coup = house.table.round.coup
    assert shown.player == [str(card) for card in coup.player]
    assert shown.banker == [str(card) for card in coup.banker]
    assert shown.winner is not None
    net = {"player": 50_000, "tie": 0, "banker": -50_000}[shown.winner]
    assert (own.stack, round.net) == (MONEY // 2 + net, net)
    assert len(own.results) == 1
    await house.die()


# --- the parts of it ------------------------------------------------------------------------------


async def opened(address: str, book: str) -> Phoenix:
    """A house with two patrons, just before its first round."""
    house = phoenix(address, book)
    await house.live()
    await house.people("ann", "ben")
    while (following := house.next()) is None or following.act is not Act.OPEN:
        await house.deal()
    return house


async def dies(work: Awaitable[object]) -> bool:
    """Whether the house dies of something; nobody is told more than that it has stopped."""
    try:
        await work
    except Refusal as refusal:
        return refusal.code == "server/stopped"
    return False


async def a_round(house: Phoenix) -> None:
    """A round of two bets; no two commands of a test have the same stake."""
    begun = len(house.wishes)
    spot = SPOTS.get(house.name, "banker")
    if house.table.round.phase in FINISHED:
        await house.deal()
    for place, who in enumerate(("ann", "ben")):
        stake = 30_000 + 100 * (begun + place)
        wish = await house.do(who, api.PlaceBet(table=house.name, spot=spot, stake=stake))
        assert wish.done is not None, wish.answer
    decided = False
    while house.table.round.phase not in FINISHED:
        if house.table.round.phase is Phase.DECIDING and not decided:
            decided = True
            await house.do("ann", api.Decide(table=house.name, spot=spot, continues=True))
        await house.deal()


async def resumed(house: Phoenix, before: Table, found: Resumption) -> None:
    """What the server did with a table that was cut off is what `resume` says."""
    after = house.table
    match found.step:
        case Step.VOID:
            assert before.round.phase not in FINISHED
            assert after.round.phase is Phase.VOID
            assert (after.round.void_clause, after.round.void_reason) == (found.clause, "restarted")
            own = house.server.live.own(house.name, "ann")
            assert (own.void_clause, own.bets) == (found.clause, [])
        case Step.CONCLUDE:
            assert after.round.coup == before.round.coup
            assert after.round.phase is before.round.phase
            assert [*after.round.bets] == [*before.round.bets]
        case _:
            assert before.round.phase in FINISHED
            assert replace(after, seq=before.seq) == before


async def everything_holds(house: Phoenix) -> None:
    """Nothing acknowledged is lost or doubled, the money is right, and the log proves itself."""
    await house.ask_again()
    await house.die()
    found = await verify(house.address, [public_key(KEYS.signing)])
    assert [str(one) for one in found.findings] == []
    assert found.total == 0
    await house.live()
    try:
        store = house.server.store
        for wish in house.wishes:
            kept = await store.answered(wish.who, wish.key)
            assert (kept.answer if kept else None) == wish.answer
        placed: Counter[int] = Counter()
        nets: Counter[str] = Counter()
        opened = ended = 0
        async for record in store.every_record(house.name):
            event = getattr(wire.read(json.loads(record.record)), "event", None)
            opened += isinstance(event, RoundOpened)
            ended += isinstance(event, RoundSettled | RoundVoided)
            if isinstance(event, BetPlaced):
                placed[event.bet.stake] += 1
            if isinstance(event, RoundSettled):
                for one in event.bets:
                    nets[one.bet.patron] += one.net
        assert ended == opened
        told = Counter(
            wish.command.stake
            for wish in house.wishes
            if isinstance(wish.command, api.PlaceBet) and wish.done
        )
        assert placed == told, "each bet that was acknowledged is there once, and no other"
        assert placed, "somebody has played"
        for who in ("ann", "ben"):
            left = house.server.desk.venue.ledger.available(stack(house.name, who))
            assert left == house.table.stacks[who] == MONEY // 2 + nets[who]
        pack = await Memory(house.server.desk).pack(house.name)
        assert [str(one) for one in verify_pack(pack, [public_key(KEYS.signing)])] == []
    finally:
        await house.die()
