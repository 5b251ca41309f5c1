"""The audit finds whatever somebody with the database's password has done to it."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cutcard.chain.log import linked
from cutcard.chain.signing import public_key
from cutcard.cli import run
from cutcard.server.audit import verify
from cutcard.server.dealer import Act
from cutcard.wire import api
from tests.engines import ENGINES, Raw, fresh
from tests.server.crashing import Phoenix, phoenix
from tests.server.house import KEYS

pytestmark = pytest.mark.anyio

KEY = [public_key(KEYS.signing)]
TABLE = "rws-commission"


async def played(address: str) -> Phoenix:
    """A short evening: two rounds with bets, a third one open, vouchers, money in and out."""
    house = phoenix(address, TABLE)
    await house.live()
    await house.people("ann", "ben")
    await house.do("ann", api.IssueVoucher(amount=5_000))
    wish = await house.do("ben", api.IssueVoucher(amount=7_000))
    assert wish.done is not None
    assert wish.done.voucher is not None
    number = wish.done.voucher.number
    await house.do("ann", api.RedeemVoucher(number=number))
    for stake in (40_000, 50_000, 60_000):
        while (following := house.next()) is None or following.act is not Act.OPEN:
            await house.deal()
        await house.deal()
        for who in ("ann", "ben"):
            bet = await house.do(who, api.PlaceBet(table=TABLE, spot="banker", stake=stake))
            assert bet.done is not None
    return house


@pytest.fixture(params=ENGINES)
async def venue(request: pytest.FixtureRequest) -> str:
    address = await fresh(request.param, request)
    house = await played(address)
    await house.die()
    return address


class Tampered(Raw):
    """The same with the triggers out of the way."""

    async def run(self, sql: str) -> list[tuple[object, ...]]:
        if not self.address.startswith("sqlite:"):
            # As its owner may: for a session no trigger and no foreign key is looked at.
            import asyncpg  # type: ignore[import-untyped]

            connection = await asyncpg.connect(self.address)
            try:
                await connection.execute("SET session_replication_role = replica")
                return [tuple(row) for row in await connection.fetch(sql)]
            finally:
                await connection.close()
        for (name,) in await super().run("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            await super().run(f"DROP TRIGGER {name}")
        return await super().run(sql)

    @property
    def hex(self) -> Callable[[bytes], str]:
        """Bytes as SQL writes them."""
        if self.address.startswith("sqlite:"):
            return lambda value: f"x'{value.hex()}'"
        return lambda value: f"'\\x{value.hex()}'::bytea"


async def codes(address: str) -> set[str]:
    return {one.code for one in (await verify(address, KEY)).findings}


async def test_an_honest_database_holds(venue: str) -> None:
    found = await verify(venue, KEY)

    assert [str(one) for one in found.findings] == []
    assert (found.rounds, found.total, found.logs) == (3, 0, 3)
    assert found.records > 40
    assert await codes(venue) == set(), "an audit leaves nothing behind"
    assert {one.code for one in (await verify(venue, [bytes(32)])).findings} == {"head/key"}


async def test_a_database_in_use_is_audited_as_it_is_at_one_moment(
    request: pytest.FixtureRequest,
) -> None:
    house = await played(await fresh("sqlite", request))
    auditing = asyncio.ensure_future(verify(house.address, KEY))
    for stake in range(10):
        await asyncio.sleep(0)
        await house.do("ann", api.PlaceBet(table=TABLE, spot="player", stake=30_000 + stake))

    assert [str(one) for one in (await auditing).findings] == []
    await house.die()


async def change_a_byte(raw: Tampered) -> None:
    sql = "SELECT log, number, record FROM record WHERE log = 'cage' ORDER BY number LIMIT 1"
    ((log, number, record),) = await raw.run(sql)
    assert isinstance(record, bytes)
    changed = record.replace(b"10000000", b"90000000")
    assert changed != record
    await raw.run(
        f"UPDATE record SET record = {raw.hex(changed)} WHERE log = '{log}' AND number = {number}"
    )


async def rewrite_the_chain(raw: Tampered) -> None:
    """A bet made larger, and every later hash with it: only signed heads and rules are left."""
    sql = f"""SELECT number, previous, record FROM record
        WHERE log = '{TABLE}' ORDER BY number"""
    rows = await raw.run(sql)
    before, touched = rows[0][1], False
    for number, _, record in rows:
        assert isinstance(record, bytes)
        if b"BetPlaced" in record and b"40000" in record and not touched:
            record, touched = record.replace(b"40000", b"41000"), True
        assert isinstance(before, bytes)
        hash = linked(before, record)
        await raw.run(
            f"UPDATE record SET previous = {raw.hex(before)}, record = {raw.hex(record)}, "
            f"hash = {raw.hex(hash)} WHERE log = '{TABLE}' AND number = {number}"
        )
        before = hash
    assert touched
    assert isinstance(before, bytes)
    await raw.run(f"UPDATE log SET hash = {raw.hex(before)} WHERE log = '{TABLE}'")


async def delete_one(raw: Tampered) -> None:
    await raw.run(f"DELETE FROM record WHERE log = '{TABLE}' AND number = 9")


async def swap_two(raw: Tampered) -> None:
    for old, new in ((4, 10_000), (5, 4), (10_000, 5)):
        await raw.run(f"UPDATE record SET number = {new} WHERE log = '{TABLE}' AND number = {old}")


async def edit_a_balance(raw: Tampered) -> None:
    await raw.run("UPDATE account SET posted = posted + 100 WHERE id = 'wallet:ann'")


async def move_money_by_hand(raw: Tampered) -> None:
    """From ben to ann: the sum is nothing still."""
    await raw.run("UPDATE account SET posted = posted + 100 WHERE id = 'wallet:ann'")
    await raw.run("UPDATE account SET posted = posted - 100 WHERE id = 'wallet:ben'")


async def release_what_is_held(raw: Tampered) -> None:
    await raw.run(f"UPDATE account SET held = 0 WHERE id = 'stack:{TABLE}:ann'")
    await raw.run("DELETE FROM promise")


async def forge_a_transfer(raw: Tampered) -> None:
    """An entry that looks like any other, with its balances, caused by a record that is there."""
    ((log, number),) = await raw.run(
        "SELECT log, number FROM entry WHERE kind = 'transfer' ORDER BY seq DESC LIMIT 1"
    )
    await raw.run(
        "INSERT INTO entry (id, source, event, place, kind, debit, credit, moved, held, "
        f"completes, reason, log, number) VALUES ('cage:999.0', 'cage', 999, 0, "
        f"'transfer', 'cage', 'wallet:ann', 777, 0, NULL, 'deposit', '{log}', {number})"
    )
    await raw.run("UPDATE account SET posted = posted + 777 WHERE id = 'wallet:ann'")
    await raw.run("UPDATE account SET posted = posted - 777 WHERE id = 'cage'")


async def change_a_voucher(raw: Tampered) -> None:
    await raw.run("UPDATE paper SET state = 'issued' WHERE state = 'redeemed'")


async def issue_a_voucher(raw: Tampered) -> None:
    await raw.run(
        "INSERT INTO paper (number, amount, state, patron, expires_at, at) "
        "VALUES ('000000000000000001', 5, 'issued', 'ann', 2000000000000, 1)"
    )


async def truncate(raw: Tampered) -> None:
    """The end of a log cut off, and its head set back: as if the last round had not been."""
    ((count,),) = await raw.run(f"SELECT count FROM log WHERE log = '{TABLE}'")
    assert isinstance(count, int)
    await raw.run(f"DELETE FROM record WHERE log = '{TABLE}' AND number > {count - 6}")
    ((hash,),) = await raw.run(
        f"SELECT hash FROM record WHERE log = '{TABLE}' AND number = {count - 6}"
    )
    assert isinstance(hash, bytes)
    await raw.run(
        f"UPDATE log SET count = {count - 6}, hash = {raw.hex(hash)} WHERE log = '{TABLE}'"
    )


async def cut_without_a_trace(raw: Tampered) -> None:
    await raw.run(f"DELETE FROM record WHERE log = '{TABLE}' AND number > 20")


async def rewrite_history(raw: Tampered) -> None:
    await raw.run("UPDATE played SET net = net + 1 WHERE patron = 'ann'")


async def hide_a_round(raw: Tampered) -> None:
    await raw.run("DELETE FROM played WHERE patron = 'ben'")


async def move_a_mark(raw: Tampered) -> None:
    await raw.run("UPDATE record SET mark = 'round 9/9' WHERE mark LIKE 'round%'")


async def forge_a_head(raw: Tampered) -> None:
    await raw.run("UPDATE signed_head SET name = '1/99'")


async def lose_a_head(raw: Tampered) -> None:
    await raw.run("DELETE FROM signed_head")


async def take_the_guards_away(raw: Tampered) -> None:
    if raw.address.startswith("sqlite:"):
        await raw.run("SELECT 1")
    else:
        await raw.run("ALTER TABLE record DISABLE TRIGGER record_stays")


async def hollow_a_guard_out(raw: Tampered) -> None:
    """It is there, under its name, and lets everything pass."""
    honest = Raw(raw.address)
    if raw.address.startswith("sqlite:"):
        await honest.run("DROP TRIGGER record_stays")
        await honest.run("CREATE TRIGGER record_stays BEFORE UPDATE ON record BEGIN SELECT 1; END")
    else:
        await honest.run(
            "CREATE OR REPLACE PROCEDURE refuse(at_table TEXT, why TEXT) LANGUAGE plpgsql "
            "AS $$ BEGIN END $$"
        )


async def widen_the_bounds(raw: Tampered) -> None:
    await raw.run("UPDATE account_kind SET floor = -1000000000000000000 WHERE kind = 'wallet'")


ATTACKS: dict[Callable[[Tampered], Awaitable[None]], set[str]] = {
    change_a_byte: {"chain/record", "entry/forged", "account/balance", "patron/deposits"},
    rewrite_the_chain: {"head/other-log", "entries/differs"},
    delete_one: {"chain/number", "chain/record"},
    swap_two: {"chain/record"},
    edit_a_balance: {"account/balance", "account/sum"},
    move_money_by_hand: {"account/balance"},
    release_what_is_held: {"account/held", "promise/missing"},
    forge_a_transfer: {"entry/forged", "account/balance"},
    change_a_voucher: {"voucher/differs"},
    issue_a_voucher: {"voucher/forged"},
    truncate: {"account/held", "entry/beyond"},
    cut_without_a_trace: {"chain/short"},
    rewrite_history: {"played/forged", "played/missing"},
    hide_a_round: {"played/missing"},
    move_a_mark: {"record/mark"},
    forge_a_head: {"head/signature"},
    lose_a_head: {"head/none"},
    take_the_guards_away: {"schema/trigger"},
    hollow_a_guard_out: {"schema/trigger"},
    widen_the_bounds: {"schema/kinds"},
}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
async def test_what_was_done_is_found(
    attack: Callable[[Tampered], Awaitable[None]], venue: str
) -> None:
    await attack(Tampered(venue))

    found = await codes(venue)
    assert found >= ATTACKS[attack], f"it found only {found}"


async def test_the_command_says_what_is_wrong(
    request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = await fresh("sqlite", request)
    house = await played(address)
    await house.die()
    copy = tmp_path / "copy.db"
    shutil.copy(address.removeprefix("sqlite:"), copy)

    def audited(*words: str) -> tuple[int, str]:
        code = run(["audit", "verify", "--database", f"sqlite:{copy}", *words])
        return code, capsys.readouterr().out

    code, told = await asyncio.to_thread(audited)
    assert code == 0
    assert "Everything in this database holds." in told
    await edit_a_balance(Tampered(f"sqlite:{copy}"))
    code, told = await asyncio.to_thread(audited, "--json")
    assert code == 1
    document = json.loads(told)
    assert (document["holds"], document["sum_of_balances"]) == (False, 100)
    assert {
        "code": "account/balance",
        "log": "wallet:ann",
        "number": None,
        "sentence": document["findings"][0]["sentence"],
    } == document["findings"][0]
    code, told = await asyncio.to_thread(audited)
    assert code == 1
    assert "does not hold: 3 things are wrong" in told
    copy.unlink()
    assert (await asyncio.to_thread(audited))[0] == 2
