"""Signed heads: the house's name under a log, and under nothing else."""

import subprocess
import sys
from dataclasses import replace

import pytest

from cutcard.chain import start
from cutcard.chain.signing import Occasion, SignedHead, public_key, sign
from cutcard.refusals import Refusal
from tests.cases import every

PRIVATE = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
"""The first key pair of RFC 8032, 7.1."""

SIGNED = sign(start("t7"), Occasion.ROUND, "12", 1_700_000_000_000, PRIVATE)


def test_the_public_key_is_the_standards() -> None:
    assert public_key(PRIVATE) == PUBLIC


def test_a_signed_head_holds() -> None:
    assert SIGNED.holds
    assert SIGNED.key == PUBLIC
    assert (SIGNED.head, SIGNED.occasion, SIGNED.name) == (start("t7"), Occasion.ROUND, "12")


def test_the_same_head_has_the_same_signature_for_ever() -> None:
    assert sign(start("t7"), Occasion.ROUND, "12", 1_700_000_000_000, PRIVATE) == SIGNED


@every(
    "changed",
    [
        replace(SIGNED, head=start("t8")),
        replace(SIGNED, head=replace(SIGNED.head, count=1)),
        replace(SIGNED, head=replace(SIGNED.head, hash=bytes(32))),
        replace(SIGNED, occasion=Occasion.DAY),
        replace(SIGNED, name="13"),
        replace(SIGNED, at=SIGNED.at + 1),
        replace(SIGNED, key=public_key(bytes(32))),
        replace(SIGNED, key=b"short"),
        replace(SIGNED, signature=bytes(64)),
        replace(SIGNED, signature=b""),
    ],
    ids=["table", "count", "hash", "occasion", "name", "time", "key", "no key", "other", "none"],
)
def test_a_changed_statement_does_not_hold(changed: SignedHead) -> None:
    assert not changed.holds


@every("size", [0, 31, 33, 64])
def test_a_private_key_has_one_size(size: int) -> None:
    for use in (public_key, lambda key: sign(start("t7"), Occasion.DAY, "2026-11-15", 0, key)):
        with pytest.raises(Refusal) as refused:
            use(bytes(size))

        assert refused.value == Refusal("chain/key-size", {"bytes": size, "must": 32})


def test_no_command_loads_the_signing_library_in_passing() -> None:
    """It takes longer to load than most commands take to run."""
    asked = (
        "import sys, cutcard.cli, cutcard.fairness; cutcard.cli.read_commands('every one'); "
        "print('cryptography' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert said.stdout == "False\n"
