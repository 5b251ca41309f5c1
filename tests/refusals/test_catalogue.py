"""The catalogues against the code: every refusal raised has its sentence in every language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest

import cutcard
from cutcard.refusals import LANGUAGES, sentence
from cutcard.refusals.catalogue import catalogue, word
from cutcard.rulebooks import MORE, rulebooks
from cutcard.rules.coup import Side
from cutcard.rules.limits import Scope
from cutcard.table.incident import Step
from tests.cases import every

SRC = Path(cutcard.__file__).parent

MADE_UP = {
    # `tightest` never returns a minimum, so two kinds are left.
    "f'limit/{limit.kind.value}'": ("limit/maximum", "limit/differential"),
    # Node.refuse itself; its callers are read one by one.
    "f'rulebook/{code}'": (),
    # A refusal of another process, told again.
    "refusal.code": (),
}
"""Codes that are put together at run time, by how the source spells them."""

PAIRS = """
    闲閒 庄莊 对對 请請 这這 额額 张張 点點 数數 写寫 补補 规規 则則 书書 无無 发發
    个個 两兩 区區 为為 须須 时時 还還 从從 会會 赢贏 赔賠 号號 条條 读讀 顶頂 层層
    现現 结結 决決 删刪 输輸 过過 与與 应應 单單 负負 级級 币幣 货貨 开開 关關 说說
    话話 语語 种種 线線 没沒 后後 于於 并並 么麼 来來 带帶 将將 选選 项項 余餘 账帳
    钱錢 银銀 费費 实實 据據 总總 边邊 长長 门門 问問 间間 马馬 龙龍 减減
"""
SIMPLIFIED, TRADITIONAL = ({pair[place] for pair in PAIRS.split()} for place in (0, 1))
"""Common characters that only one of the two scripts uses."""


class Raised(NamedTuple):
    """One place in the source that refuses something."""

    place: str
    code: str
    figures: frozenset[str]


def raised() -> Iterator[Raised]:
    for path in sorted(SRC.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                place = f"{path.relative_to(SRC).as_posix()}:{node.lineno}"
                yield from (Raised(place, code, _figures(node)) for code in _codes(node))


def _codes(call: ast.Call) -> tuple[str, ...]:
    match call:
        case ast.Call(func=ast.Name(id="Refusal"), args=[ast.Constant(value=str(code)), *_]):
            return (code,)
        case ast.Call(func=ast.Name(id="Refusal"), args=[code, *_]):
            return MADE_UP[ast.unparse(code)]
        case ast.Call(func=ast.Attribute(attr="refuse"), args=[ast.Constant(value=str(code))]):
            return (f"rulebook/{code}",)
    return ()


def _figures(call: ast.Call) -> frozenset[str]:
    if isinstance(call.func, ast.Attribute):
        return frozenset({"file", "place", *(str(keyword.arg) for keyword in call.keywords)})
    match call.args[1:2]:
        case [ast.Dict(keys=keys)]:
            return frozenset(str(key.value) for key in keys if isinstance(key, ast.Constant))
    return frozenset()


@pytest.fixture(scope="module")
def places() -> list[Raised]:
    """Every place that refuses something; read once, and not while tests are collected."""
    return sorted(set(raised()))


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def marked(template: str, name: str) -> set[str]:
    """How a sentence has a figure written."""
    return {str(kind) for _, one, kind, _ in Formatter().parse(template) if one == name}


# --- code and catalogue


def test_the_scan_finds_what_it_looks_for(places: list[Raised]) -> None:
    found = {one.code for one in places}

    assert {"card/unreadable", "limit/maximum", "limit/withdrawal", "rulebook/missing"} <= found
    assert len(places) > len(found) > 30


def test_every_code_raised_has_a_sentence_and_no_sentence_is_an_orphan(
    places: list[Raised],
) -> None:
    assert {one.code for one in places} == catalogue("en")["refusal"].keys()


def test_every_figure_of_the_sentence_is_supplied_where_it_is_raised(places: list[Raised]) -> None:
    sentences = catalogue("en")["refusal"]
    missing = {
        f"{one.code} at {one.place}": placeholders(sentences[one.code]) - one.figures
        for one in places
    }

    assert {place: figures for place, figures in missing.items() if figures} == {}


@every("language", LANGUAGES)
def test_every_catalogue_has_the_same_entries(language: str) -> None:
    english = catalogue("en")
    other = catalogue(language)

    assert {kind: set(words) for kind, words in other.items()} == {
        kind: set(words) for kind, words in english.items()
    }


@every("language", LANGUAGES)
def test_every_language_fills_in_the_same_figures(language: str) -> None:
    english, other = (catalogue(one)["refusal"] for one in ("en", language))

    assert {code: placeholders(template) for code, template in other.items()} == {
        code: placeholders(template) for code, template in english.items()
    }


@every("language", LANGUAGES)
def test_a_sentence_is_one_line_and_ends_like_one(language: str) -> None:
    end = "." if language == "en" else "。"
    for code, template in catalogue(language)["refusal"].items():
        assert template == template.strip(), code
        assert "\n" not in template, code
        assert template.endswith(end), code


# --- languages


def chinese(language: str) -> Iterator[tuple[str, str]]:
    for kind, words in catalogue(language).items():
        yield from ((f"{kind}.{name}", text) for name, text in words.items())


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_the_chinese_catalogues_are_chinese(language: str) -> None:
    assert [name for name, text in chinese(language) if not re.search("[一-鿿]", text)] == []


@pytest.mark.parametrize(
    ("language", "foreign"), [("zh-Hans", TRADITIONAL), ("zh-Hant", SIMPLIFIED)]
)
def test_the_scripts_are_not_mixed(language: str, foreign: set[str]) -> None:
    mixed = {name: set(text) & foreign for name, text in chinese(language)}

    assert {name: characters for name, characters in mixed.items() if characters} == {}


def test_english_holds_no_chinese() -> None:
    assert [name for name, text in chinese("en") if re.search("[一-鿿]", text)] == []


# --- words and figures


@every("language", LANGUAGES)
def test_every_spot_of_every_book_has_its_word(language: str) -> None:
    books = (*rulebooks(), *rulebooks(MORE))
    spots = {spot for book in books for spot in book.spots}

    assert set(catalogue(language)["spot"]) == spots


@every("language", LANGUAGES)
def test_spots_sides_and_scopes_have_words_of_their_own(language: str) -> None:
    words = catalogue(language)

    assert len(set(words["spot"].values())) == len(words["spot"])
    assert set(words["side"]) == {side.value for side in Side}
    assert set(words["scope"]) == {scope.value for scope in Scope}


def test_what_the_catalogue_does_not_know_stays_as_it_is() -> None:
    assert word("spot", "dragon_bonus", "zh-Hans") == "dragon_bonus"
    assert word("colour", "red", "en") == "red"


@every("language", LANGUAGES)
def test_numbers_are_written_with_thousands_separators(language: str) -> None:
    figures = {"spot": "tie", "stake": 12_345_678, "step": 1_000}

    said = sentence("bet/off-step", figures, language)

    assert "12,345,678" in said
    assert "1,000" in said


AMOUNTS = ("stake", "amount", "room", "needed", "available", "owed", "promised", "limit", "net")
"""Figures that are money wherever they stand, but in the files and the lab of the house."""


@every("language", LANGUAGES)
def test_no_sentence_tells_a_patron_minor_units(language: str) -> None:
    for code, template in catalogue(language)["refusal"].items():
        assert not re.search("minor unit|最小(货币单位|貨幣單位)", template), code
        kinds = {str(kind) for _, name, kind, _ in Formatter().parse(template) if name}
        assert all(kind in ("", "money") or kind.count("|") == 1 for kind in kinds), code
        for name in placeholders(template):
            plain = code.partition("/")[0] in ("config", "lab") or name not in AMOUNTS
            assert plain or marked(template, name) == {"money"}, (code, name)
            english = marked(catalogue("en")["refusal"][code], name)
            assert ("money" in marked(template, name)) == ("money" in english), (code, name)


@every(
    ("language", "said"),
    [
        ("en", "12.50 on Tie is too much: the limit is 1,000 per bet, and 0.05 remains."),
        ("zh-Hans", "和的注额 12.50 超出限额：每注上限 1,000，还可投注 0.05。"),
        ("zh-Hant", "和的注額 12.50 超出限額：每注上限 1,000，還可投注 0.05。"),
    ],
)
def test_money_is_told_as_the_venue_counts_it(language: str, said: str) -> None:
    figures = {"spot": "tie", "stake": 1250, "amount": 100_000, "scope": "bet", "room": 5}

    assert sentence("limit/maximum", figures, language, digits=2) == said


def test_one_is_not_many() -> None:
    told = [sentence("patron/time-out", {"hours": hours}, "en") for hours in (1, 2)]

    assert ["1 hour still" in told[0], "2 hours still" in told[1]] == [True, True]


@every(
    ("language", "said"),
    [
        ("en", "Winning Total 7 needs another bet beside it: Player, Banker, any one."),
        ("zh-Hans", "“赢点 7”须与以下任一投注同下：闲、庄。"),
        ("zh-Hant", "「贏點 7」須與以下任一投注同下：閒、莊。"),
    ],
)
def test_spots_are_translated_whatever_part_they_play(language: str, said: str) -> None:
    figures = {"spot": "winning_total_7", "others": ("player", "banker")}

    assert sentence("bet/needs-main-bet", figures, language) == said


@every(
    ("language", "scope", "spot"),
    [
        ("en", "per betting box", "Banker"),
        ("zh-Hans", "每个投注格", "庄"),
        ("zh-Hant", "每個投注格", "莊"),
    ],
)
def test_a_limit_says_over_whom_it_is_counted(language: str, scope: str, spot: str) -> None:
    figures = {"spot": "banker", "stake": 1, "amount": 2, "scope": "box", "room": 0}
    figures["other"] = "player"

    said = sentence("limit/differential", figures, language)

    assert scope in said
    assert spot in said
    assert "box" not in said.replace(scope, "")


def test_the_top_of_a_file_is_a_place_too() -> None:
    figures = {"file": "mine.toml", "place": "", "key": "name"}

    assert sentence("rulebook/missing", figures, "en") == (
        'mine.toml, top level: "name" is missing. Add it.'
    )


@every("text", ["{text}", "{0}", "{", "}", "%s", "\\", "{text.__class__}"])
def test_what_was_typed_is_never_read_as_a_template(text: str) -> None:
    assert sentence("card/unreadable", {"text": text}, "en").startswith(f'"{text}" is no card')


@every("language", LANGUAGES)
def test_every_step_and_every_irregularity_has_a_name_in_every_language(language: str) -> None:
    named = catalogue(language)
    known = {kind for book in rulebooks() for kind in book.irregularities}

    assert named["step"].keys() == {step.value for step in Step}
    assert named["kind"].keys() == known
