"""The hash chain, computed a second time with a hash function and nothing else."""

from hashlib import sha256

import pytest

from cutcard.chain import Entry, Head, append, start
from cutcard.refusals import Refusal
from tests.chain.writing import RECORDS, written


def test_an_empty_log_is_bound_to_its_table() -> None:
    assert start("t7") == Head("t7", 0, sha256(b'cutcard chain 1 start\n"t7"').digest())
    assert start("t8").hash != start("t7").hash


def test_each_hash_is_made_of_the_one_before_and_the_record() -> None:
    before = sha256(b'cutcard chain 1 start\n"t7"').digest()
    after = sha256(b"cutcard chain 1 record\n" + before + b'{"round":1}').digest()

    assert append(start("t7"), {"round": 1}) == (
        Head("t7", 1, after),
        Entry(1, {"round": 1}, after),
    )


def test_records_are_numbered_from_one() -> None:
    entries, heads = written(RECORDS)

    assert [entry.number for entry in entries] == [1, 2, 3, 4, 5, 6, 7]
    assert [head.count for head in heads] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [entry.hash for entry in entries] == [head.hash for head in heads[1:]]


def test_the_same_record_twice_has_two_hashes() -> None:
    entries, _ = written([{"a": 1}] * 3)

    assert len({entry.hash for entry in entries}) == 3


def test_what_is_no_plain_value_cannot_be_logged() -> None:
    with pytest.raises(Refusal, match="float"):
        append(start("t7"), {"odds": 0.95})
