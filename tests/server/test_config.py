"""A configuration is whole and agrees with itself, or is refused with the key's path."""

import re
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from cutcard.refusals import LANGUAGES, Refusal
from cutcard.rulebooks import rulebooks
from cutcard.rules.limits import Kind, Limit, Scope
from cutcard.rules.rulebook import Role
from cutcard.server.cautions import cautions
from cutcard.server.config import (
    Config,
    Deals,
    Pace,
    TableSettings,
    demonstration,
    limits_of,
    load,
    parse,
    setup_of,
)
from cutcard.table import Table, commands, decide
from cutcard.table.events import TableOpened
from cutcard.table.staff import Member
from tests.cases import every

HELPLINE = 'venue.helpline = "1800 1"\n'
TABLE = '[[table]]\nname = "t1"\nbook = "online-baccarat"\n'
LEAST = HELPLINE + TABLE
BOX_LIMIT = """
[[table.limit]]
kind = "maximum"
scope = "box"
spots = ["player"]
amount = 50_000
"""


def refusal(text: str) -> Refusal:
    with pytest.raises(Refusal) as refused:
        parse(text, "my.toml")
    for language in LANGUAGES:
        assert refused.value.message(language)
    return refused.value


def test_a_helpline_and_one_table_are_enough() -> None:
    config = parse(LEAST)

    assert (config.server.host, config.server.port) == ("127.0.0.1", 8080)
    assert (config.signin.idle_minutes, config.signin.longest_hours) == (30, 12)
    assert config.money.self_service is False
    assert config.pace(config.table("t1")) == Pace()
    assert config.table("t1").deals is Deals.STAFF
    assert config.table("t1").title is None


def test_a_configuration_cannot_be_changed() -> None:
    config = parse(LEAST)

    with pytest.raises(FrozenInstanceError):
        config.server.port = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        config.paces["fast"] = Pace()  # type: ignore[index]


@every("helpline", ["", 'helpline = ""', 'helpline = "   "', "helpline = 1800"])
def test_without_a_helpline_nothing_opens(helpline: str) -> None:
    assert refusal(f"[venue]\n{helpline}\n{TABLE}").code in ("config/missing", "config/not-text")


def test_a_table_may_have_a_helpline_of_its_own() -> None:
    config = parse(LEAST + 'helpline = "1800 2"\n' + TABLE.replace("t1", "t2"))

    assert [config.helpline(table) for table in config.tables] == ["1800 2", "1800 1"]
    assert setup_of(config, config.table("t1")).helpline == "1800 2"


@every(
    ("text", "code", "place"),
    [
        (HELPLINE, "missing", ""),
        (HELPLINE + "table = []", "missing", ""),
        (HELPLINE + "tables = []", "unknown-key", ""),
        (LEAST + "[server]\nprot = 1", "unknown-key", "server"),
        (LEAST + "[server]\nport = 65536", "not-whole", "server.port"),
        (LEAST + '[server]\ndatabase = "mysql://x"', "not-like", "server.database"),
        (LEAST + '[server]\norigins = ["https://a/b"]', "not-like", "server.origins"),
        (LEAST + '[server]\ntls_cert = "c.pem"', "half-tls", "server"),
        (LEAST + '[server]\ntls_key = "k.pem"', "half-tls", "server"),
        (LEAST + "[signin]\npool = 5", "not-whole", "signin.pool"),
        (
            LEAST + "[signin]\nidle_minutes = 61\nlongest_hours = 1",
            "not-whole",
            "signin.idle_minutes",
        ),
        (LEAST + "[money]\nself_service = 1", "not-flag", "money.self_service"),
        (
            LEAST + "[pace.fast]\nleast_round_ms = 4999",
            "not-whole",
            "pace.fast.least_round_ms",
        ),
        (LEAST + "[pace.Fast]", "not-like", "pace.Fast"),
        (LEAST + 'pace = "fast"', "unknown-word", "table[1].pace"),
        (LEAST + 'deals = "robot"', "unknown-word", "table[1].deals"),
        (LEAST + BOX_LIMIT, "unknown-word", "table[1].limit[1].scope"),
        (LEAST + "decks = 4", "not-whole", "table[1].decks"),
        (LEAST + TABLE, "twice", "table[2].name"),
        (LEAST.replace("t1", "T 1"), "not-like", "table[1].name"),
        (LEAST.replace("t1", "x" * 33), "not-like", "table[1].name"),
        (LEAST.replace("t1", "cage"), "not-like", "table[1].name"),
        (LEAST.replace("t1", "patrons"), "not-like", "table[1].name"),
        (LEAST.replace("t1", "system"), "not-like", "table[1].name"),
        (LEAST.replace("online-baccarat", "punto"), "unknown-word", "table[1].book"),
        (LEAST.replace("online-baccarat", "rws-commission"), "not-approved", "table[1]"),
        (
            LEAST + 'approval = { reference = "7", first = "Ann", second = "Ann " }',
            "one-signature",
            "table[1].approval",
        ),
        (LEAST + 'approval = { reference = "7" }', "missing", "table[1].approval"),
        (
            LEAST
            + 'approval = { reference = "7", first = "Ann", second = "Ben", hash = "'
            + f'{"0" * 64}" }}',
            "book-changed",
            "table[1]",
        ),
        (LEAST + 'other = [{ book = "rws-commission" }]', "not-approved", "table[1].other[1]"),
        (LEAST + 'other = [{ book = "online-baccarat" }]', "twice", "table[1].other[1].book"),
        (
            LEAST + 'limit = [{ kind = "maximum", spots = ["dragon"], amount = 1 }]',
            "unknown-word",
            "table[1].limit[1].spots",
        ),
        (
            LEAST + 'limit = [{ kind = "minimum", scope = "box", amount = 1 }]',
            "unknown-word",
            "table[1].limit[1].scope",
        ),
        (
            LEAST + 'limit = [{ kind = "differential", spots = ["tie"], amount = 1 }]',
            "not-two-spots",
            "table[1].limit[1].spots",
        ),
        (
            LEAST + 'limit = [{ kind = "minimum", amount = 9 }, { kind = "maximum", amount = 8 }]',
            "limits-crossed",
            "table[1].limit",
        ),
        (LEAST + 'layout = "bean-9"', "unknown-word", "table[1].layout"),
        (
            LEAST.replace("online-baccarat", "rws-knockout") + "open = false\nboxes = 7",
            "unknown-word",
            "table[1].boxes",
        ),
        (LEAST.replace("venue", 'venue.theme = "pink"\nvenue'), "unknown-word", "venue.theme"),
        (LEAST.replace("venue", "venue.currency.digits = 4\nvenue"), "not-whole", None),
        (LEAST.replace("venue", 'venue.language = "fr"\nvenue'), "unknown-word", "venue.language"),
        ("= 1", "unreadable", None),
        ("a = " + "[" * 5000, "unreadable", None),
    ],
)
def test_what_cannot_be_is_refused_where_it_stands(text: str, code: str, place: str | None) -> None:
    refused = refusal(text)

    assert refused.code == f"config/{code}"
    assert place is None or refused.params["place"] == place


def test_a_book_of_ones_own_is_refused_in_its_own_words(tmp_path: Path) -> None:
    book = tmp_path / "mine.toml"
    book.write_text('id = "mine"', encoding="utf-8")

    assert refusal(LEAST.replace("online-baccarat", str(book))).code.startswith("rulebook/")


@pytest.mark.clause("CB4 1.4", "KO2 3.1", "HOUSE demonstration")
@every("deals", ["machine", "automatic"])
@every("book", ["rws-commission", "rws-knockout"])
def test_a_book_that_wants_a_dealer_is_dealt_by_people_outside_a_demonstration(
    book: str, deals: str
) -> None:
    text = LEAST.replace("online-baccarat", book) + f'open = false\ndeals = "{deals}"\n'
    refused = refusal(text)
    assert (refused.code, refused.params["place"]) == ("config/needs-dealer", "table[1]")
    assert (refused.params["table"], refused.params["deals"]) == ("t1", deals)
    assert refused.clause == {"rws-commission": "CB4 1.4", "rws-knockout": "KO2 3.1"}[book]
    assert "so table t1 cannot have deals" in refused.message("en")

    shown = parse("venue.demonstration = true\n" + text)
    assert setup_of(shown, shown.table("t1")).demonstration is True
    by_people = parse(text.replace(f'"{deals}"', '"staff"'))
    assert setup_of(by_people, by_people.table("t1")).demonstration is None


def test_another_book_of_a_table_may_want_a_dealer_too() -> None:
    other = 'open = false\ndeals = "automatic"\nother = [{ book = "rws-knockout" }]\n'
    refused = refusal(LEAST + other)

    assert (refused.code, refused.params["place"]) == ("config/needs-dealer", "table[1].other[1]")


@every("book", [one.id for one in rulebooks() if one.dealer_clause is None])
def test_every_other_book_may_be_dealt_by_the_server(book: str) -> None:
    for deals in ("machine", "automatic"):
        text = LEAST.replace("online-baccarat", book) + f'deals = "{deals}"\n'

        assert parse(text).table("t1").deals is Deals(deals)


def test_a_closed_table_needs_no_approval_yet() -> None:
    text = LEAST.replace("online-baccarat", "rws-commission") + "open = false"

    assert parse(text).table("t1").open is False


def test_only_a_test_may_play_faster_than_people_may() -> None:
    config = parse(LEAST + 'pace = "rush"\n[pace.rush]\ntest = true\nleast_round_ms = 0')

    assert config.pace(config.table("t1")).least_round_ms == 0
    assert [one.code for one in cautions(config)] == ["config/test-pace"]


def test_a_file_is_read_and_named(tmp_path: Path) -> None:
    file = tmp_path / "venue.toml"
    with pytest.raises(Refusal, match=f"{re.escape(str(file))} cannot be read: No such file"):
        load(file)
    file.write_bytes(b"\xff")
    with pytest.raises(Refusal, match="cannot be read"):
        load(file)

    file.write_text("\ufeff" + LEAST, encoding="utf-8")
    assert load(file) == parse(LEAST)


# --- limits ---------------------------------------------------------------------------------------


def test_a_tables_limits_stand_in_for_the_books_on_the_same_spots() -> None:
    text = HELPLINE + TABLE.replace("online-baccarat", "rws-commission") + "open = false\n"
    text += 'limit = [{ kind = "maximum", spots = ["tie"], amount = 40_000 }]'
    table = parse(text).table("t1")

    by_kind = [limit for limit in limits_of(table, table.rulebook) if limit.kind is Kind.MAXIMUM]

    assert by_kind == [
        Limit(Kind.MAXIMUM, Scope.BET, ("tie",), 40_000, "HOUSE limits"),
        Limit(Kind.MAXIMUM, Scope.BET, ("player_pair", "banker_pair"), 100_000, "CB4 3.5"),
    ]


def test_a_differential_is_replaced_as_a_whole() -> None:
    text = HELPLINE + TABLE.replace("online-baccarat", "rws-commission") + "open = false\n"
    text += 'limit = [{ kind = "differential", scope = "table", amount = 9 }]'
    table = parse(text).table("t1")

    found = [one for one in limits_of(table, table.rulebook) if one.kind is Kind.DIFFERENTIAL]

    assert found == [Limit(Kind.DIFFERENTIAL, Scope.TABLE, ("player", "banker"), 9, "HOUSE limits")]


def test_without_limits_of_its_own_a_table_has_the_books() -> None:
    table = demonstration().table("rws-commission")

    assert limits_of(table, table.rulebook) == table.rulebook.limits


# --- the demonstration ----------------------------------------------------------------------------


def test_the_demonstration_has_a_table_of_every_book() -> None:
    config = demonstration()

    assert [table.book for table in config.tables] == [book.id for book in rulebooks()]
    assert {table.book: table.deals for table in config.tables} == {
        book.id: Deals.MACHINE if book.id == "rws-non-commission-etg" else Deals.AUTOMATIC
        for book in rulebooks()
    }
    assert config.server.host == "127.0.0.1"


@every("entry", demonstration().tables, ids=lambda table: table.name)
def test_every_table_of_the_demonstration_can_open(entry: TableSettings) -> None:
    setup = setup_of(demonstration(), entry)
    staffed = Table(staff={"olga": Member("olga", Role.PIT_SUPERVISOR)})

    events = decide(staffed, commands.OpenTable(setup, "olga", 1), entry.rulebook)

    assert events == [TableOpened(setup, "olga", 1)]


@every(
    ("server", "codes"),
    [
        ("", []),
        ('host = "0.0.0.0"', ["config/no-tls"]),
        ('host = "::"', ["config/no-tls"]),
        ('host = "::1"', []),
        ('host = "localhost"', []),
        ('host = "0.0.0.0"\ntrusted_proxy = true', []),
        ('host = "0.0.0.0"\ntls_cert = "c"\ntls_key = "k"', []),
        (
            'host = "0.0.0.0"\nplain_cookies = true',
            ["config/no-tls", "config/plain-cookies"],
        ),
    ],
)
def test_what_is_dangerous_is_said_when_the_server_starts(server: str, codes: list[str]) -> None:
    assert [one.code for one in cautions(parse(f"{LEAST}[server]\n{server}"))] == codes


def test_play_money_is_said_to_be_for_demonstrations() -> None:
    config: Config = demonstration()

    assert [one.code for one in cautions(config)] == [
        "config/demonstration",
        "config/self-service",
    ]


def test_a_layout_of_the_book_brings_its_boxes() -> None:
    """CB4 App C has seven boxes, SkyCity leaves them to the operator, online there are none."""
    low = '[[table]]\nname = "low"\nbook = "rws-commission"\nlayout = "mini-7"\nopen = false\n'
    sky = '[[table]]\nname = "{}"\nbook = "skycity-commission"\n{}'
    several = [sky.format("sky", "boxes = 9\n"), sky.format("usual", "")]
    config = parse(LEAST + low + "".join(several))

    found = {one.name: setup_of(config, one) for one in config.tables}
    assert {name: (one.layout, one.boxes) for name, one in found.items()} == {
        "t1": ("screen", 0),
        "low": ("mini-7", 7),
        "sky": ("mini", 9),
        "usual": ("mini", 12),
    }


@pytest.mark.clause("HOUSE open table")
def test_an_open_table_takes_neither_boxes_nor_chips() -> None:
    assert refusal(LEAST + "boxes = 9\n").code == "config/unknown-word"
    chips = refusal(LEAST + "chips = true\n")
    assert (chips.code, chips.clause) == ("config/open-chips", "HOUSE open table")
