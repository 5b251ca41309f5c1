"""A configuration written out reads back as it was, explains every key, and tells no secret."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from cutcard.server.config import demonstration, parse
from cutcard.server.manual import document, effective, toml, without_secrets
from cutcard.server.settings import Named, Section, Sections, key_of
from cutcard.server.shapes import Config
from tests.cases import every

SECRET = "postgresql://cutcard:h@sh:word@db.example:5432/cutcard?sslmode=require&sslpassword=hush"

INLINE = {"kind", "scope", "spots", "amount", "reference", "first", "hash", "second"}


def keys(shape: type[Any]) -> Iterator[tuple[str, str]]:
    """Every key of a shape and of those below, with its meaning."""
    for one in fields(shape):
        kind = one.metadata["kind"]
        yield key_of(one), one.metadata["meaning"]
        if isinstance(kind, Section | Sections | Named):
            yield from keys(kind.shape)


def test_the_document_is_the_demonstration() -> None:
    assert parse(document()) == demonstration()


def test_the_effective_configuration_reads_back_as_it_is() -> None:
    config = parse(
        'venue = { name = "Löwe \\"1\\" 賭場\\\\", helpline = "1" }\n'
        "[pace.slow]\nbetting_ms = 60000\n[pace.slower]\n"
        '[[table]]\nname = "a"\nbook = "online-baccarat"\npace = "slow"\ndecks = 8\n'
        'approval = { reference = "7", first = "A", second = "B" }\n'
        'limit = [{ kind = "maximum", scope = "table", spots = ["tie"], amount = 90000 }]\n'
        '[[table]]\nname = "b"\nbook = "online-baccarat"\ntitle = "B"\nhelpline = "2"\n'
    )

    assert parse(effective(config)) == config


@every(("key", "meaning"), sorted(set(keys(Config))))
def test_every_key_is_shown_and_explained(key: str, meaning: str) -> None:
    text = document()
    said = " ".join(line.removeprefix("# ") for line in text.splitlines())

    assert meaning.endswith(".")
    # Tables that are written on one line have their keys explained by the table's own sentence.
    assert meaning in said or key in INLINE
    assert re.search(rf"(^|[\[{{ ,.]){key}(\.| =|\])", text, re.MULTILINE), key


def test_the_keys_that_may_be_left_out_are_examples_that_would_load() -> None:
    """Whoever takes a comment sign away must not be refused."""
    shown = re.sub(r"^# (\w+ = )", r"\1", document(), flags=re.MULTILINE)

    assert parse(shown).tables[0].decks == 8
    assert tomllib.loads(shown)["server"]["tls_cert"] == "cert.pem"


def test_passwords_are_left_out() -> None:
    config = demonstration()
    secret = replace(config, server=replace(config.server, database=SECRET))

    written = effective(secret)

    assert 'database = "postgresql://cutcard:…@db.example:5432/cutcard?sslmode=require' in written
    assert "hush" not in written
    assert "sh:word" not in written


@every("address", ["sqlite:a:b@c.db", "postgresql://db/cutcard", "postgresql://ann@db/cutcard"])
def test_an_address_without_a_password_stays_as_it_is(address: str) -> None:
    assert without_secrets(address) == address


def test_values_are_written_as_toml_has_them() -> None:
    assert toml((True, 1, "a")) == '[true, 1, "a"]'
