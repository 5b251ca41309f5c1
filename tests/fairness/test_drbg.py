"""HMAC_DRBG against NIST's published answers, and against OpenSSL's own."""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from hypothesis import given
from hypothesis import strategies as st

from cutcard.fairness.drbg import LEAST_ENTROPY, MOST_BYTES, MOST_REQUESTS, HmacDrbg
from cutcard.refusals import Refusal
from tests.cases import every

ANSWERS = Path(__file__).with_name("hmac_drbg.rsp")
RESEED = ("EntropyInputReseed", "AdditionalInputReseed")
ENTROPY, NONCE = bytes(range(32)), bytes(16)

P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256."""


def cases() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """Every case of the file: its title, and its lines in their order."""
    for part in re.split(r"^\[", ANSWERS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, *lines = part.strip().splitlines()
        parted = (line.partition(" =") for line in lines)
        yield title.rstrip("]"), [(name, bytes.fromhex(value)) for name, _, value in parted]


CASES = dict(cases())


@every("title", CASES)
def test_nists_published_answers(title: str) -> None:
    """As the validation system orders: the first output is thrown away, the second counts."""
    lines = CASES[title]
    one = dict(lines)
    additional = [value for name, value in lines if name == "AdditionalInput"]
    fresh = [value for name, value in lines if name == "EntropyInputPR"]

    personalisation = one.get("PersonalizationString", b"")
    drbg = HmacDrbg(one["EntropyInput"], one["Nonce"], personalisation)
    if "EntropyInputReseed" in one:
        drbg.reseed(*(one[name] for name in RESEED if name in one))
    for place, given_now in enumerate(additional):
        if fresh:
            drbg.reseed(fresh[place], given_now)
            returned = drbg.generate(128)
        else:
            returned = drbg.generate(128, given_now)

    assert returned == one["ReturnedBits"]


def test_eleven_published_answers_are_there() -> None:
    assert len(CASES) == 11
    assert all(len(dict(lines)["ReturnedBits"]) == 128 for lines in CASES.values())


@given(key=st.integers(1, P256 - 1), message=st.binary(max_size=80))
def test_openssl_draws_the_same_numbers(key: int, message: bytes) -> None:
    """RFC 6979: a deterministic ECDSA signature hides one output of HMAC_DRBG.

    Whoever knows the private key can solve the signature for it.
    """
    private = ec.derive_private_key(key, ec.SECP256R1())
    deterministic = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
    r, s = decode_dss_signature(private.sign(message, deterministic))
    hashed = int.from_bytes(sha256(message).digest(), "big")
    theirs = (hashed + r * key) * pow(s, -1, P256) % P256

    nonce = (hashed % P256).to_bytes(32, "big")
    ours = int.from_bytes(HmacDrbg(key.to_bytes(32, "big"), nonce).generate(32), "big")

    # OpenSSL may give s or its negative; both are the same signature.
    assert ours in (theirs, P256 - theirs)


def test_one_long_request_is_not_many_short_ones() -> None:
    """Each request ends by changing the state, so earlier output cannot be computed back."""
    long, short = HmacDrbg(ENTROPY, NONCE), HmacDrbg(ENTROPY, NONCE)
    whole = long.generate(64)

    assert short.generate(32) == whole[:32]
    assert short.generate(32) != whole[32:]


@every("size", [0, 1, 31, 32, 33, MOST_BYTES])
def test_as_many_bytes_as_were_asked_for(size: int) -> None:
    assert len(HmacDrbg(ENTROPY, NONCE).generate(size)) == size


@pytest.mark.parametrize("size", [-1, MOST_BYTES + 1])
def test_too_large_a_request_is_refused(size: int) -> None:
    with pytest.raises(Refusal) as refused:
        HmacDrbg(ENTROPY, NONCE).generate(size)

    assert refused.value == Refusal("fairness/request", {"bytes": size, "most": 65_536})


def test_too_little_entropy_is_refused() -> None:
    short = bytes(LEAST_ENTROPY - 1)
    expected = Refusal("fairness/entropy-short", {"bytes": 31, "least": 32})

    with pytest.raises(Refusal) as refused:
        HmacDrbg(short, NONCE)
    assert refused.value == expected

    with pytest.raises(Refusal) as refused:
        HmacDrbg(ENTROPY, NONCE).reseed(short)
    assert refused.value == expected


def test_after_2_to_the_48_requests_it_must_be_seeded_again() -> None:
    drbg = HmacDrbg(ENTROPY, NONCE)
    drbg._requests = MOST_REQUESTS
    drbg.generate(1)

    with pytest.raises(Refusal) as refused:
        drbg.generate(1)
    assert refused.value == Refusal("fairness/reseed", {"most": 2**48})

    drbg.reseed(ENTROPY)
    assert len(drbg.generate(1)) == 1
