"""Nodes: each question a reader may ask, and each refusal it may get."""

import pytest

from cutcard.refusals import Refusal
from cutcard.rules.node import Node, nearest
from tests.cases import every


def node(**table: object) -> Node:
    return Node("my.toml", "spot.tie", table)


def refusal(ask: object, code: str, **figures: object) -> None:
    """The last answer was this refusal, said with the file and the place."""
    assert ask == Refusal(f"rulebook/{code}", {"file": "my.toml", "place": "spot.tie", **figures})


def test_the_likeliest_word_comes_first() -> None:
    known = ["winner", "margin", "cards", "player_cards"]

    assert nearest("margn", known) == "margin, winner, cards, player_cards"
    assert nearest("card", known) == "cards, winner, margin, player_cards"
    assert nearest("zzzz", known) == "winner, margin, cards, player_cards"
    assert nearest("winner", iter(known)) == "winner, margin, cards, player_cards"
    assert nearest("x", []) == ""


def test_only_one_word_is_put_in_front() -> None:
    """Three are close to it; the closest leads and the others keep their places."""
    known = ["player_cards", "banker_cards", "banker_card"]

    assert nearest("banker_card", known) == "banker_card, player_cards, banker_cards"


def test_a_refusal_names_file_and_place_and_no_clause() -> None:
    refused = node().refuse("missing", key="label")

    refusal(refused, "missing", key="label")
    assert refused.clause is None


def test_a_node_knows_its_keys_in_the_documents_order() -> None:
    one = node(label="Tie", bet=1, alpha=2)

    assert one.names == ("label", "bet", "alpha")
    assert one.has("bet")
    assert not one.has("Bet")
    assert (one.file, one.place) == ("my.toml", "spot.tie")


# Texts


def test_a_text_is_read_as_it_stands() -> None:
    assert node(label=" Tie ").text("label") == " Tie "
    assert node(label="Tie").text_or_none("label") == "Tie"
    assert node().text_or_none("label") is None


@every("value", ["", "  ", 5, True, [], ["Tie"], {}, None])
def test_anything_else_is_no_text(value: object) -> None:
    for ask in (node(label=value).text, node(label=value).text_or_none):
        with pytest.raises(Refusal) as caught:
            ask("label")
        refusal(caught.value, "not-text", key="label")


def test_a_missing_text_is_asked_for() -> None:
    with pytest.raises(Refusal) as caught:
        node().text("label")

    refusal(caught.value, "missing", key="label")


# Whole numbers


@every("value", [6, 7, 1_000_000])
def test_a_whole_number_is_no_smaller_than_asked(value: int) -> None:
    assert node(least=value).whole("least", 6) == value


@every("value", [5, 0, -6, 6.0, "6", True, False, None, [6]])
def test_anything_else_is_no_whole_number(value: object) -> None:
    """Not even `true`, which Python counts as one."""
    with pytest.raises(Refusal) as caught:
        node(least=value).whole("least", 6)

    refusal(caught.value, "not-whole", key="least", least=6)


def test_true_is_no_number_even_where_one_would_do() -> None:
    with pytest.raises(Refusal) as caught:
        node(least=True).whole("least", 1)

    refusal(caught.value, "not-whole", key="least", least=1)


def test_a_missing_number_is_asked_for() -> None:
    with pytest.raises(Refusal) as caught:
        node().whole("least", 6)

    refusal(caught.value, "missing", key="least")


# Known words


def test_a_known_word_is_read() -> None:
    assert node(kind="maximum").one_of("kind", iter(["minimum", "maximum"])) == "maximum"


def test_an_unknown_word_is_answered_with_the_nearest_first() -> None:
    with pytest.raises(Refusal) as caught:
        node(kind="maximun").one_of("kind", iter(["minimum", "differential", "maximum"]))

    refusal(
        caught.value,
        "unknown-word",
        key="kind",
        word="maximun",
        known="maximum, minimum, differential",
    )


def test_a_word_must_be_a_text_first() -> None:
    with pytest.raises(Refusal) as caught:
        node(kind=3).one_of("kind", ["3"])

    refusal(caught.value, "not-text", key="kind")


# Lists and tables


def test_a_list_of_texts_is_read() -> None:
    assert node(spots=["tie", "player"]).texts("spots") == ("tie", "player")
    assert node(spots=["tie"]).value("spots") == ["tie"]


@every("value", [[], "tie", ["tie", 3], [["tie"]], {}, 3])
def test_anything_else_is_no_list_of_texts(value: object) -> None:
    with pytest.raises(Refusal) as caught:
        node(spots=value).texts("spots")

    refusal(caught.value, "not-texts", key="spots")


def test_a_table_below_says_its_whole_place() -> None:
    below = node(needs={"clause": "1"}).table("needs")
    top = Node("my.toml", "", {"spot": {"tie": {}}}).table("spot")

    assert (below.file, below.place, below.names) == ("my.toml", "spot.tie.needs", ("clause",))
    assert (top.place, top.table("tie").place) == ("spot", "spot.tie")


@every("value", [[], [{}], "tie", 3])
def test_anything_else_is_no_table(value: object) -> None:
    with pytest.raises(Refusal) as caught:
        node(needs=value).table("needs")

    refusal(caught.value, "not-table", key="needs")


def test_tables_are_counted_from_one() -> None:
    first, second = node(line=[{"a": 1}, {"b": 2}]).tables("line")

    assert (first.file, first.place, first.names) == ("my.toml", "spot.tie.line[1]", ("a",))
    assert (second.file, second.place, second.names) == ("my.toml", "spot.tie.line[2]", ("b",))


@every("value", [[], {}, [{}, 3], ["tie"], "tie"])
def test_anything_else_are_no_tables(value: object) -> None:
    with pytest.raises(Refusal) as caught:
        node(line=value).tables("line")

    refusal(caught.value, "not-tables", key="line")


@every("ask", ["texts", "table", "tables", "value"])
def test_whatever_is_missing_is_asked_for(ask: str) -> None:
    with pytest.raises(Refusal) as caught:
        getattr(node(), ask)("line")

    refusal(caught.value, "missing", key="line")


def test_every_entry_holds_a_table() -> None:
    entries = dict(node(tie={"a": 1}, player={"b": 2}).entries())

    assert list(entries) == ["tie", "player"]
    assert [entry.place for entry in entries.values()] == ["spot.tie.tie", "spot.tie.player"]
    with pytest.raises(Refusal) as caught:
        list(node(tie={}, player=3).entries())
    refusal(caught.value, "not-table", key="player")


# The end


def test_what_was_read_is_not_asked_about_again() -> None:
    one = node(label="Tie", kind="a", least=1, spots=["x"], needs={}, line=[{}], any=None, no="x")
    one.text("label")
    one.one_of("kind", ["a"])
    one.whole("least", 1)
    one.texts("spots")
    one.table("needs")
    one.tables("line")
    one.value("any")
    one.text_or_none("no")

    one.finish()


def test_what_nobody_asked_for_is_refused() -> None:
    one = node(label="Tie", lable="Tie", clause="3", when={})
    one.text("label")
    one.text("clause")
    one.table("when")

    with pytest.raises(Refusal) as caught:
        one.finish()
    refusal(caught.value, "unknown-key", key="lable", known="label, clause, when")


def test_what_was_asked_for_in_vain_counts_as_known_too() -> None:
    """The label is missing, and the key that stands there instead is answered with it."""
    one = node(lable="Tie")
    with pytest.raises(Refusal):
        one.text("label")

    with pytest.raises(Refusal) as caught:
        one.finish()
    refusal(caught.value, "unknown-key", key="lable", known="label")


def test_a_misspelt_optional_key_is_answered_with_the_right_one() -> None:
    """A key may be left out, and is still the likeliest thing that was meant."""
    one = node(lable="Tie")
    assert one.text_or_none("label") is None

    with pytest.raises(Refusal) as caught:
        one.finish()
    refusal(caught.value, "unknown-key", key="lable", known="label")
