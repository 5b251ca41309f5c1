"""A second verifier, written from docs/fairness.md alone: it shares no code with cutcard.

It reads the plain records of one shoe and asserts everything that a patron may
check. Slow and simple on purpose; a browser's verifier can be written from it.
"""

import hashlib
import hmac
import json
from typing import Any

RANKS, SUITS = "A23456789TJQK", "cdhs"


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def drbg(seed_material: bytes, size: int) -> bytes:
    """HMAC_DRBG: seeded once, asked once."""

    def mac(key: bytes, *parts: bytes) -> bytes:
        return hmac.new(key, b"".join(parts), hashlib.sha256).digest()

    k, v = b"\x00" * 32, b"\x01" * 32
    k = mac(k, v, b"\x00", seed_material)
    v = mac(k, v)
    k = mac(k, v, b"\x01", seed_material)
    v = mac(k, v)
    out = b""
    while len(out) < size:
        v = mac(k, v)
        out += v
    return out[:size]


def permutation(seed_material: bytes, cards: int) -> list[int]:
    stream = drbg(seed_material, 8 * (cards - 1 + 8))
    words = [int.from_bytes(stream[at : at + 8], "big") for at in range(0, len(stream), 8)]
    order = list(range(cards))
    for last in range(cards - 1, 0, -1):
        word = words.pop(0)
        while word >= 2**64 - 2**64 % (last + 1):
            word = words.pop(0)
        other = word % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def leaf(position: int, card: str, nonce: str) -> bytes:
    return sha(b"\x00", position.to_bytes(4, "big"), card.encode(), bytes.fromhex(nonce))


def root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha(b"\x01", root(leaves[:split]), root(leaves[split:]))


def root_from(leaf: bytes, position: int, size: int, path: list[bytes]) -> bytes:
    """The root by the definition: the last of the path stands highest."""
    if size == 1:
        assert not path
        return leaf
    split = 1 << (size - 1).bit_length() - 1
    if position < split:
        return sha(b"\x01", root_from(leaf, position, split, path[:-1]), path[-1])
    return sha(b"\x01", path[-1], root_from(leaf, position - split, size - split, path[:-1]))


def check(records: list[dict[str, Any]]) -> dict[int, str]:
    """Check a whole shoe; the cards that were dealt, by place."""
    commitment, *steps, end = records
    fields = ("table", "number", "book", "decks", "behind_cut", "seeds_until", "root")
    bound = sha(b"cutcard commitment 1\n", canonical([commitment[name] for name in fields]))
    cards = 52 * commitment["decks"]

    seals = {one["giver"]: one["seal"] for one in steps if one["step"] == "SeedSealed"}
    seeds = {one["giver"]: one["seed"] for one in steps if one["step"] == "SeedGiven"}
    assert set(seals) == set(seeds)
    for giver, seed in seeds.items():
        assert seals[giver] == sha(b"cutcard seal 1\n", bound, canonical([giver, seed])).hex()
    joined = sha(b"cutcard seeds 1\n", bound, canonical(seeds))
    order = permutation(joined + bound + b"cutcard patrons' order 1", cards)

    dealt = {}
    for one in steps:
        if one["step"] == "CardShown":
            assert order[one["place"]] == one["position"]
            path = [bytes.fromhex(text) for text in one["path"]]
            here = leaf(one["position"], one["card"], one["nonce"])
            assert root_from(here, one["position"], cards, path).hex() == commitment["root"]
            dealt[one["place"]] = one["card"]

    opened = end["cards"].split()
    pairs = zip(opened, end["nonces"], strict=True)
    leaves = [leaf(position, card, nonce) for position, (card, nonce) in enumerate(pairs)]
    assert root(leaves).hex() == commitment["root"]
    whole = [rank + suit for rank in RANKS for suit in SUITS] * commitment["decks"]
    assert sorted(opened) == sorted(whole)
    assert all(opened[order[place]] == card for place, card in dealt.items())
    return dealt
