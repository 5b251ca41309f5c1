"""The rulebooks: eight rule sets, found by id or by path, each complete with its clauses."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from cutcard.refusals import Refusal
from cutcard.rulebooks import FOLDER, MORE, clauses, documents, ids, load, read_book, rulebooks
from cutcard.rules.rulebook import Interruption, Rulebook
from cutcard.rules.settlement import settle
from tests.cases import every

MAIN = ("player", "banker", "tie")
PAIRS = ("player_pair", "banker_pair")
ONLINE = (*MAIN, *PAIRS, "lucky_six", "player_natural", "banker_natural")

SPOTS = {
    "rws-commission": (*MAIN, *PAIRS),
    "rws-non-commission-etg": (*MAIN, *PAIRS),
    "rws-knockout": (
        *MAIN,
        *PAIRS,
        "winning_total_1_4",
        "winning_total_5_6",
        "winning_total_7",
        "winning_total_8",
        "winning_total_9",
        "ante_player",
        "ante_banker",
        "wager_player",
        "wager_banker",
    ),
    "online-baccarat": ONLINE,
    "online-no-commission": ONLINE,
    "online-cow-cow": MAIN,
    "skycity-commission": MAIN,
    "skycity-non-commission": MAIN,
}

DECKS = {
    "rws-commission": (4, 8),
    "rws-non-commission-etg": (4, 8),
    "rws-knockout": (4, 8),
    "online-baccarat": (8, 8),
    "online-no-commission": (8, 8),
    "online-cow-cow": (8, 8),
    "skycity-commission": (4, 8),
    "skycity-non-commission": (4, 8),
}

every_book = every("book", rulebooks(), ids=lambda book: book.id)

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a book of one's own and says where it is."""

    def written(text: str) -> Path:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def source(id: str, *changes: tuple[str, str], own: str = "mine") -> str:
    """A book's file under an id of one's own, with some changes, each at its first place."""
    text = (FOLDER / f"{id}.toml").read_text(encoding="utf-8")
    for old, new in ((f'id = "{id}"', f'id = "{own}"'), *changes):
        assert old in text, f"{id} does not say {old}"
        text = text.replace(old, new, 1)
    return text


def without(text: str, table: str) -> str:
    """A file without its tables of that name, such as `[[irregularity]]`."""
    return re.sub(rf"(?m)^{re.escape(table)}\n(?:(?!\[).*\n?)*", "", text)


def refusal(path: str | Path) -> Refusal:
    with pytest.raises(Refusal) as caught:
        load(path)
    return caught.value


# --- the eight


def test_there_are_eight_books() -> None:
    assert set(ids()) == set(SPOTS)
    assert [book.id for book in rulebooks()] == list(ids())


@every_book
def test_the_id_is_the_name_of_the_file(book: Rulebook) -> None:
    assert load(book.id).id == book.id


@every_book
def test_every_book_offers_exactly_its_bets(book: Rulebook) -> None:
    assert tuple(book.spots) == SPOTS[book.id]
    assert [spot.id for spot in book.spots.values()] == list(book.spots)


@every_book
def test_every_book_allows_its_decks(book: Rulebook) -> None:
    assert (book.decks.least, book.decks.most) == DECKS[book.id]
    assert book.decks.usual == 8


@every_book
def test_every_book_is_complete(book: Rulebook) -> None:
    """Blueprint 2 lists what one document holds; nothing of it may be empty."""
    assert book.name
    assert book.operator
    assert book.version
    assert book.limits
    assert book.layouts
    assert set(book.announcements) == {"open", "close"}
    assert book.irregularities
    assert book.texts
    assert set(book.cites) == {"deal", "values", "tableau", "winner", "bets"}


def test_a_book_is_read_once() -> None:
    assert load("rws-commission") is load("rws-commission")


@every("id", ids(MORE))
def test_the_games_without_a_document_are_found_by_id_and_listed_apart(id: str) -> None:
    assert load(id).id == id
    assert id not in ids()
    assert load(id).decks.usual == 8


def test_every_book_that_comes_with_cutcard_has_clauses() -> None:
    """`cutcard show` and `cutcard clauses` list them."""
    assert [book.id for book in (*rulebooks(), *rulebooks(MORE)) if not clauses(book)] == []


# --- hashes


@every_book
def test_the_hash_is_the_same_at_every_load(book: Rulebook) -> None:
    again = read_book(FOLDER / f"{book.id}.toml")

    assert again == book
    assert again.hash == book.hash
    assert re.fullmatch("[0-9a-f]{64}", book.hash)


def test_every_book_has_a_hash_of_its_own() -> None:
    books = (*rulebooks(), *rulebooks(MORE))

    assert len({book.hash for book in books}) == len(books)


def test_a_comment_does_not_change_the_hash(write: Write) -> None:
    text = source("skycity-commission", own="skycity-commission")

    assert load(write(text + "\n# a remark\n")).hash == load("skycity-commission").hash


@pytest.mark.parametrize(
    ("old", "new"),
    [('id = "rws-commission"', 'id = "other"'), ('pays = "8:1"', 'pays = "9:1"')],
)
def test_a_changed_word_changes_the_hash(write: Write, old: str, new: str) -> None:
    text = source("rws-commission", (old, new), own="rws-commission")

    assert load(write(text)).hash != load("rws-commission").hash


# --- a book of one's own


@pytest.mark.parametrize("id", SPOTS)
def test_a_copy_of_a_book_loads_from_any_path(write: Write, id: str) -> None:
    book = load(write(source(id)))

    assert book.id == "mine"
    assert book.spots == load(id).spots
    assert book.irregularities == load(id).irregularities


def test_a_path_may_be_a_text(write: Write) -> None:
    path = write(source("rws-commission"))

    assert load(str(path)) == load(path)


def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "house rules 庄"
    path.write_text(source("rws-commission"), encoding="utf-8")

    assert load(path).id == "mine"


def test_a_file_in_the_folder_one_is_in_needs_no_path(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(source("rws-commission"))
    monkeypatch.chdir(path.parent)

    assert load("mine.toml").id == "mine"


def test_an_id_is_never_taken_for_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rws-commission").write_text("nonsense", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert load("rws-commission").document == "CB4"


def test_a_file_that_was_changed_is_read_again(write: Write) -> None:
    assert load(write(source("rws-commission"))).id == "mine"
    assert load(write(source("rws-commission", own="ours"))).id == "ours"


# --- clauses beside a book of one's own

DOCUMENT = ('document = "CB4"', 'document = "OWN"')


def own_clauses(book: Rulebook) -> list[str]:
    return sorted({one.removeprefix("OWN ") for one in cited(book) if one.startswith("OWN ")})


def write_clauses(folder: Path, numbers: list[str]) -> None:
    beside = folder / "clauses"
    beside.mkdir(exist_ok=True)
    entries = [
        f'[[clause]]\nid = "{number}"\ntext = "Ours."\nkept = "procedure"\n' for number in numbers
    ]
    head = 'document = "OWN"\ntitle = "Our own rules"\nbooks = ["mine"]\n'
    (beside / "OWN.toml").write_text("\n".join([head, *entries]), encoding="utf-8")


def test_without_a_list_of_clauses_any_number_is_accepted(write: Write) -> None:
    book = load(write(source("rws-commission", DOCUMENT)))

    assert book.decks.clause == "OWN 2.2.1"


def test_with_a_list_beside_it_every_number_is_looked_up(tmp_path: Path, write: Write) -> None:
    text = source("rws-commission", DOCUMENT)
    numbers = own_clauses(load(write(text)))
    other = tmp_path / "listed"
    other.mkdir()
    write_clauses(other, numbers)
    path = write(text).rename(other / "mine.toml")

    assert own_clauses(load(path)) == numbers


def test_a_number_that_the_list_beside_it_lacks_is_refused(tmp_path: Path, write: Write) -> None:
    write_clauses(tmp_path, ["1.1"])
    refused = refusal(write(source("rws-commission", DOCUMENT)))

    assert refused.code == "rulebook/unknown-clause"
    assert refused.params["file"] == "mine.toml"
    assert str(refused.params["clause"]).startswith("OWN ")


def test_a_clause_added_to_the_list_is_known_from_then_on(tmp_path: Path, write: Write) -> None:
    """The refusal says "add it there"; whoever does so must not be refused again."""
    text = source("rws-commission", DOCUMENT)
    numbers = own_clauses(load(write(text)))
    write_clauses(tmp_path, numbers[:-1])
    assert refusal(write(text)).code == "rulebook/unknown-clause"

    write_clauses(tmp_path, numbers)

    assert load(write(text)).id == "mine"


def test_the_clauses_of_known_documents_are_looked_up_from_any_folder(write: Write) -> None:
    refused = refusal(write(source("rws-commission", ('clause = "2.2.1"', 'clause = "99.9"'))))

    assert (refused.code, refused.params["clause"]) == ("rulebook/unknown-clause", "CB4 99.9")


def test_an_unreadable_list_beside_a_book_is_refused(tmp_path: Path, write: Write) -> None:
    (tmp_path / "clauses").mkdir()
    (tmp_path / "clauses" / "OWN.toml").write_bytes(b"\xff")

    assert refusal(write(source("rws-commission"))).code == "rulebook/not-utf-8"


# --- what is not found, or cannot be read


@every("name", ["punto", "", " ", "RWS-COMMISSION", "rws-commission ", "庄", "clauses", "..", "/"])
def test_an_unknown_id_is_answered_with_the_known_ones(name: str) -> None:
    refused = refusal(name)

    assert refused.code == "rulebook/unknown"
    assert refused.params["book"] == name
    assert refused.params["known"] == (*ids(), *ids(MORE))


def test_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nothing.toml").code == "rulebook/unreadable"


def test_a_folder_is_unreadable(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()

    assert refusal(folder).code == "rulebook/unreadable"


@pytest.mark.parametrize(
    "content",
    [b"id = ", b"]", b"\x00", b"id = 1\nid = 2"],
    ids=["cut off", "bracket", "NUL", "twice"],
)
@pytest.mark.parametrize("name", ["mine.toml", "mine"])
def test_what_is_no_toml_is_unreadable(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    assert refusal(path).code == "rulebook/unreadable"


@pytest.mark.parametrize("content", [b"\xff\xfe", "id = '庄'".encode("utf-16")])
def test_what_is_no_utf_8_is_told_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)

    assert refusal(path) == Refusal("rulebook/not-utf-8", {"file": str(path)})


@every(
    "name",
    ["x" * 300, "x" * 5000, "x" * 5000 + ".toml", "\0", "\0.toml", "\udcff", "\udcff.toml"],
    ids=["long", "longer", "long path", "NUL", "NUL path", "surrogate", "surrogate path"],
)
def test_a_name_that_no_file_can_have_is_refused_like_any_other(name: str) -> None:
    assert refusal(name).code in {"rulebook/unknown", "rulebook/unreadable"}


def test_an_empty_file_is_told_what_is_missing(write: Write) -> None:
    assert refusal(write("")).code == "rulebook/missing"


def test_a_file_nested_beyond_reason_is_unreadable(write: Write) -> None:
    assert refusal(write("x = " + "[" * 100_000)).code == "rulebook/unreadable"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('version = "4"', 'version = "4"\nprinted = 2019-09-16'),
        ('version = "4"', "version = 2019-09-16"),
        ("amount = 30_000", "amount = 2019-09-16"),
        ('words = "No more Bets"', "words = 08:00:00"),
    ],
)
def test_a_date_where_none_belongs_is_refused(write: Write, old: str, new: str) -> None:
    """TOML has dates, JSON and the hash have not."""
    refused = refusal(write(source("rws-commission", (old, new))))

    assert refused.code in {"rulebook/unknown-key", "rulebook/not-text", "rulebook/not-whole"}


# --- house policy


def origin(citation: str) -> str:
    return citation.partition(" ")[0]


@every_book
def test_every_book_knows_every_irregularity_that_the_house_knows(book: Rulebook) -> None:
    assert set(load("rws-commission").irregularities) <= set(book.irregularities)


@every_book
def test_own_remedies_come_first_and_the_rest_from_house_policy(book: Rulebook) -> None:
    origins = [origin(one.clause) for one in book.irregularities.values()]
    own = origins.count(book.document)

    rest = [origin for origin in origins[own:] if origin != "HOUSE"]
    if book.house_policy is None:
        assert (book.id, set(origins)) == ("rws-commission", {"CB4", "HOUSE"})
    else:
        assert origins[:own] == [book.document] * own
        assert set(rest) == {"CB4"}


@every_book
def test_what_comes_from_house_policy_is_what_that_book_says(book: Rulebook) -> None:
    house = load("rws-commission").irregularities
    taken = {
        id: one
        for id, one in book.irregularities.items()
        if origin(one.clause) == "CB4" and book.document != "CB4"
    }

    assert taken == {id: house[id] for id in taken}


@every(
    ("id", "own"),
    [
        ("rws-knockout", {"foreign card", "wrong number of cards", "insufficient cards"}),
        ("rws-non-commission-etg", {"foreign card", "wrong number of cards", "insufficient cards"}),
        ("online-baccarat", {"technical interruption", "unread card"}),
        ("skycity-commission", set()),
    ],
)
def test_a_remedy_of_its_own_is_not_overruled(id: str, own: set[str]) -> None:
    book = load(id)
    kept = {
        name for name, one in book.irregularities.items() if origin(one.clause) == book.document
    }

    assert own <= kept
    assert (kept == set()) == (own == set())


CB4, ONL = ("CB4 5.4.1", "CB4 5.4.2"), ("ONL E1", "ONL E2")
"""Under which an interrupted round is concluded, and under which it is void."""


@every(
    ("id", "policy", "clauses"),
    [
        ("rws-commission", Interruption.ESTABLISHED, CB4),
        ("rws-non-commission-etg", Interruption.ESTABLISHED, CB4),
        ("rws-knockout", Interruption.ESTABLISHED, CB4),
        ("online-baccarat", Interruption.FIRST_CARD, ONL),
        ("online-no-commission", Interruption.FIRST_CARD, ONL),
        ("online-cow-cow", Interruption.FIRST_CARD, ONL),
        ("skycity-commission", Interruption.ESTABLISHED, CB4),
        ("skycity-non-commission", Interruption.ESTABLISHED, CB4),
    ],
)
def test_an_interruption_is_handled_by_the_book_or_by_house_policy(
    id: str, policy: Interruption, clauses: tuple[str, str]
) -> None:
    book = load(id)
    assert book.interruption is policy
    assert (book.concludes_clause, book.voids_clause) == clauses


def test_without_house_policy_a_book_must_say_it_all_itself(write: Write) -> None:
    refused = refusal(write(source("rws-knockout", ('house_policy = "rws-commission"\n', ""))))

    assert (refused.code, refused.params["key"]) == ("rulebook/missing", "interruption")


@pytest.mark.parametrize("policy", ['"punto"', "7", '["rws-commission"]', "{ a = 1 }", '""'])
def test_an_unknown_house_policy_is_refused(write: Write, policy: str) -> None:
    line = ('house_policy = "rws-commission"', f"house_policy = {policy}")
    refused = refusal(write(source("rws-knockout", line)))

    assert refused.code in {"rulebook/unknown-word", "rulebook/not-text"}
    assert (refused.params["file"], refused.params["key"]) == ("mine.toml", "house_policy")


def test_a_book_may_leave_every_irregularity_to_the_house(write: Write) -> None:
    book = load(write(without(source("rws-knockout"), "[[irregularity]]")))

    assert book.irregularities == load("rws-commission").irregularities


@pytest.mark.parametrize("written", ['"none"', "7", "[7]", '[{ id = "late bet" }, 7]', "{}"])
def test_irregularities_of_the_wrong_kind_are_refused_not_replaced(
    write: Write, written: str
) -> None:
    """A remedy that cannot be read must not silently give way to the house's."""
    text = without(source("rws-knockout"), "[[irregularity]]")
    refused = refusal(write(f"irregularity = {written}\n{text}"))

    assert refused.code == "rulebook/not-tables"


def test_an_irregularity_with_one_bracket_too_few_is_refused(write: Write) -> None:
    text = without(source("rws-knockout"), "[[irregularity]]")
    remedy = 'id = "late bet"\nremedy = "void"\ndecides = "dealer"\noptions = "never"\n'
    refused = refusal(write(f'{text}\n[irregularity]\n{remedy}clause = "5.2"\n'))

    assert refused.code == "rulebook/not-tables"


@pytest.mark.parametrize("written", ["7", "[1]", "{ a = 1 }", '""'])
def test_an_irregularity_whose_name_is_no_text_is_refused(write: Write, written: str) -> None:
    text = source("rws-knockout", ('id = "foreign card"', f"id = {written}"))

    assert refusal(write(text)).code == "rulebook/not-text"


def test_an_irregularity_that_a_book_names_twice_is_refused(write: Write) -> None:
    text = source("rws-knockout", ('id = "insufficient cards"', 'id = "foreign card"'))

    assert refusal(write(text)).code == "rulebook/twice"


# --- citations

with_more = every("book", [*rulebooks(), *rulebooks(MORE)], ids=lambda book: book.id)


def cited(value: object) -> Iterator[str]:
    """Every citation in a rulebook, wherever it stands."""
    if isinstance(value, Rulebook):
        yield from value.cites.values()
    if is_dataclass(value):
        for field in fields(value):
            part = getattr(value, field.name)
            if field.name == "clause" or field.name.endswith("_clause"):
                # A clause that a book need not have is None where it has none.
                yield from () if part is None else (part,)
            else:
                yield from cited(part)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from cited(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from cited(part)


def listed(citation: str) -> bool:
    """A citation names a clause, or the number that several parts or sub-clauses share."""
    known = [clause.citation for listed in documents(MORE).values() for clause in listed]
    return any(one == citation or one.startswith((f"{citation} ", f"{citation}.")) for one in known)


@with_more
def test_every_clause_that_a_book_cites_exists(book: Rulebook) -> None:
    assert sorted({one for one in cited(book) if not listed(one)}) == []


@with_more
def test_the_walk_reaches_everything_that_cites(book: Rulebook) -> None:
    spots = book.spots.values()
    inside = [
        *(line.clause for spot in spots for line in spot.table.lines),
        *(spot.needs.clause for spot in spots if spot.needs),
        *(spot.stage.clause for spot in spots if spot.stage),
        *(spot.stage.declined_clause for spot in spots if spot.stage),
    ]
    beside = [
        *(limit.clause for limit in book.limits),
        *(layout.clause for layout in book.layouts),
        *(text.clause for text in (*book.announcements.values(), *book.texts)),
        *(one.clause for one in book.irregularities.values()),
        *book.cites.values(),
    ]
    alone = [book.decks.clause, book.cut.clause, book.burn_clause, book.back_bets.clause]
    alone += [book.concludes_clause, book.voids_clause]
    alone += [book.dealer_clause] if book.dealer_clause else []

    assert sorted(cited(book)) == sorted([*inside, *beside, *alone])


@with_more
def test_a_book_cites_only_itself_the_house_and_its_house_policy(book: Rulebook) -> None:
    inherited = {book.concludes_clause, book.voids_clause}
    inherited |= {one.clause for one in book.irregularities.values()}
    others = {one for one in cited(book) if origin(one) not in (book.document, "HOUSE")}

    assert others <= inherited
    assert {origin(one) for one in others} <= {"CB4"}


def test_clauses_are_listed_by_document_and_by_book() -> None:
    everything = [clause for one in documents().values() for clause in one]

    assert list(clauses()) == everything
    assert {clause.document for clause in clauses(load("rws-knockout"))} == {"KO2", "HOUSE"}
    assert all("rws-knockout" in clause.books for clause in clauses(load("rws-knockout")))


# --- lists beside a book


def test_a_builtin_book_never_reads_the_folder_one_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "clauses").mkdir()
    (tmp_path / "clauses" / "zzz.toml").write_text("junk = [", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert clauses(load("rws-commission"))


def test_no_list_beside_a_book_stands_in_for_one_of_ours(tmp_path: Path) -> None:
    (tmp_path / "clauses").mkdir()
    ours = (FOLDER / "clauses" / "CB4.toml").read_text(encoding="utf-8")
    (tmp_path / "clauses" / "CB4.toml").write_text(ours, encoding="utf-8")
    book = tmp_path / "mine.toml"
    book.write_text((FOLDER / "rws-commission.toml").read_text(encoding="utf-8"), encoding="utf-8")

    with pytest.raises(Refusal) as caught:
        load(book)

    assert (caught.value.code, caught.value.params["word"]) == ("rulebook/twice", "CB4")


def test_a_book_of_ones_own_knows_its_clauses() -> None:
    book = load(Path(__file__).parents[2] / "docs" / "examples" / "corner-club.toml")

    assert [clause.citation for clause in clauses(book)] == ["CC 1", "CC 2", "CC 2.1", "CC 2.2"]


def test_a_refusal_shows_the_label_of_a_spot_that_no_catalogue_knows() -> None:
    book = load(Path(__file__).parents[2] / "docs" / "examples" / "corner-club.toml")

    with pytest.raises(Refusal) as caught:
        settle(book, "2h 3s 3d / 5d Ac", {"panda": 1})

    assert str(caught.value) == "Panda 8 needs another bet beside it: Player, any one."
