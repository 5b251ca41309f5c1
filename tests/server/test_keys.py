"""The key file: made once, read by its owner alone; seals open only where they belong."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cutcard.chain.signing import public_key
from cutcard.refusals import Refusal
from cutcard.server.keys import Keys, load_keys
from tests.cases import every

KEYS = Keys(bytes(range(32)), bytes(range(32, 64)))


def code(path: Path) -> str:
    with pytest.raises(Refusal) as refused:
        load_keys(path)
    return refused.value.code


def test_the_file_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "house.keys"

    made = load_keys(path)

    assert load_keys(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (len(made.signing), len(made.sealing)) == (32, 32)
    assert len(public_key(made.signing)) == 32
    assert os.listdir(tmp_path) == ["house.keys"]


def test_a_loose_umask_does_not_open_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        load_keys(tmp_path / "house.keys")
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "house.keys").stat().st_mode) == 0o600


def test_servers_that_start_together_have_the_same_keys(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(load_keys, [tmp_path / "house.keys"] * 16))

    assert len({(one.signing, one.sealing) for one in found}) == 1
    assert os.listdir(tmp_path) == ["house.keys"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o666, 0o620])
def test_a_file_that_others_can_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "house.keys"
    load_keys(path)
    path.chmod(mode)

    assert code(path) == "server/keys-open"


def test_only_a_file_will_do(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)

    assert code(tmp_path / "pipe") == "server/keys-open"
    assert code(tmp_path) in ("server/keys-open", "server/keys-unreadable")
    assert code(tmp_path / "nowhere" / "house.keys") == "server/keys-unreadable"


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"\xff",
        b"signing = 7\nsealing = 8",
        b'signing = "00"\nsealing = "11"',
        b'signing = "xx"\nsealing = "11"',
        b'signing = "%s"' % (b"00" * 32),
        b'signing = "%s"\nsealing = "%s"' % (b"00" * 32, b"00" * 32),
    ],
)
def test_a_damaged_file_is_refused_and_left_alone(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "house.keys"
    path.touch(0o600)
    path.write_bytes(written)

    assert code(path) == "server/keys-damaged"
    assert path.read_bytes() == written


def test_keys_are_not_printed() -> None:
    assert repr(KEYS) == "Keys()"


# --- seals ----------------------------------------------------------------------------------------


def test_what_is_sealed_opens_again() -> None:
    sealed = KEYS.seal("t1/7", b"the order")

    assert KEYS.unseal("t1/7", sealed) == b"the order"
    assert b"the order" not in sealed
    assert sealed != KEYS.seal("t1/7", b"the order")


def test_the_nonce_is_drawn_anew() -> None:
    asked: list[int] = []

    def entropy(count: int) -> bytes:
        asked.append(count)
        return bytes(count)

    assert KEYS.seal("t1/7", b"", entropy)[1:13] == bytes(12)
    assert asked == [12]


@every("place", range(1 + 12 + 9 + 16))
def test_a_changed_byte_is_noticed(place: int) -> None:
    sealed = bytearray(KEYS.seal("t1/7", b"the order"))
    sealed[place] ^= 1

    with pytest.raises(Refusal, match="shoe t1/7 does not open"):
        KEYS.unseal("t1/7", bytes(sealed))


@every("length", [0, 1, 12, 13, 28, 37])
def test_a_seal_cut_short_is_noticed(length: int) -> None:
    with pytest.raises(Refusal):
        KEYS.unseal("t1/7", KEYS.seal("t1/7", b"the order")[:length])


def test_a_seal_belongs_to_its_shoe_and_its_house() -> None:
    sealed = KEYS.seal("t1/7", b"the order")

    for keys, shoe in ((KEYS, "t1/8"), (Keys(KEYS.signing, bytes(32)), "t1/7")):
        with pytest.raises(Refusal) as refused:
            keys.unseal(shoe, sealed)
        assert refused.value.code == "server/seal"
