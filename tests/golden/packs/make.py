"""Makes the vectors beside it: good packs of every kind, and tamperings with them.

    python -m tests.golden.packs.make

`tamperings.json` says what is changed in which pack, by whom, and the code of a finding
that a verifier must come to; `tamperings-more.json` goes on, `tamperings-later.json` is about
rules that came later, `tamperings-terminals.json` about terminals, and `tamperings-whole.json`
holds logs that were forged from the beginning, where nearly everything is changed.
`tests/golden/test_packs.py` holds the files to what this script makes, and cutcard to what
they say.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from cutcard.chain import Head, anchor
from cutcard.fairness import (
    SeedGiven,
    SeedsClosed,
    SeedSealed,
    Source,
    abort,
    advance,
    begin,
    merkle,
    opening,
    prepare,
    seal,
    show,
    take,
)
from cutcard.fairness.drbg import HmacDrbg
from cutcard.fairness.house import seal_cards
from cutcard.pack import export_shoe
from cutcard.pack.croupier import DEALER, SUPERVISOR, Croupier, private_key
from cutcard.pack.proof import COMMITTED
from cutcard.round import commands as rounds
from cutcard.round.terms import Entry
from cutcard.rulebooks import load
from cutcard.rules.cards import Card, parse_cards
from cutcard.rules.coup import Coup
from cutcard.rules.reading import read
from cutcard.rules.rulebook import Role
from cutcard.table import commands as ask
from cutcard.table.incident import SYSTEM, TOGETHER, Step
from cutcard.wire import EVENTS
from cutcard.wire.codec import later
from tests.golden.packs import editions, later_rules, terminals
from tests.golden.packs.by_hand import SEED, ByHand, Earlier
from tests.pack.tampering import place_of, resealed, sealing, tampered

FOLDER = Path(__file__).parent
KEY = private_key(SEED)

Pack = dict[str, Any]


# --- good packs -----------------------------------------------------------------------------------


def knockout() -> Croupier:
    """Two rounds of Knockout on a committed shoe: Antes that go on, and Antes that do not."""
    table = Earlier(load("rws-knockout"), SEED, "ko-1")
    table.open({"ann": 1_000_000, "ben": 1_000_000, "cho": 500_000}, decks=4)
    table.commit()
    for _ in range(2):
        table.round(
            {
                "ann": {"ante_player": 10_000, "player_pair": 2_500},
                "ben": {"ante_banker": 20_000},
                "cho": {"banker": 5_000, "winning_total_8": 2_500},
            },
            choice=lambda bet: bet.patron == "ann",
        )
    return table


def cow_cow() -> Croupier:
    """Three rounds of Cow Cow, where a bet may lose nine times itself; then the shoe is aborted."""
    table = Earlier(load("online-cow-cow"), SEED, "cow-2")
    table.open({"dan": 900_000, "eve": 900_000}, machine="dealer-machine")
    table.commit(("g1",))
    for stake in (2_000, 3_000, 4_000):
        table.round({"dan": {"player": stake}, "eve": {"banker": stake, "tie": 1_000}})
    table.end()
    return table


def commission() -> Croupier:
    """CB4 with chips that lie as they lie: too much on Banker is apportioned, two cards come at
    once, patrons choose, a card was misread, and one card too many begins the next round."""
    table = ByHand(load("rws-commission"), SEED, "cb4-3")
    table.open({"ann": 3_000_000, "cho": 500_000}, entry=Entry.WARN)
    table.do(ask.FillStack("ben", 2_000_000, table.tick()))
    table.register("blue 17", "shuffled by machine 4")
    table.do(ask.BurnCard(Card.parse("2s"), DEALER, table.tick()))
    for _ in range(2):
        table.do(ask.BurnCard(None, DEALER, table.tick()))

    table.in_round(rounds.OpenRound(0, None, table.tick(20)))
    table.place("ann", 1, "banker", 1_200_000)
    table.place("ben", 1, "banker", 600_000)
    table.place("cho", 2, "player", 30_000)
    table.place("cho", 2, "tie", 30_000)
    table.in_round(rounds.CloseBets(table.tick(5)))
    table.deal_cards("3h")
    pair = parse_cards("Kd 9c")
    table.do(
        ask.Report(TOGETHER, DEALER, table.tick(), drawn=pair),
        ask.Resolve(Step.ORDER, SUPERVISOR, table.tick(), "seen on video", order=pair[::-1]),
        ask.ChooseOption("ann", True, "ann", table.tick()),
        ask.ChooseOption("ben", True, DEALER, table.tick()),
        ask.EndOptions(DEALER, table.tick(60)),
    )
    table.deal_cards("8s 5c")
    table.settle()
    table.do(
        ask.Report("misread card", SUPERVISOR, table.tick(), note="the five was a six"),
        ask.Resolve(
            Step.CORRECT,
            SUPERVISOR,
            table.tick(),
            "seen on video",
            coup=Coup.parse("3h Kd 6c / 9c 8s"),
        ),
    )

    table.bet({"ann": {"banker": 40_000}, "cho": {"player_pair": 30_000}})
    table.deal_cards("9h 9s Kc Qc")
    table.deal_cards("4d")
    table.do(ask.Resolve(Step.RECONSTRUCT, SUPERVISOR, table.tick()))
    table.settle()
    table.bet({"cho": {"banker": 30_000}})
    table.deal_cards("4d 2c Ah 3h Ts")
    table.settle()
    table.do(ask.EmptyStack("cho", 100_000, table.tick()))
    return table


def remedied() -> Croupier:
    """CB4 where one mistake comes on top of another: cards that a correction leaves over, a debt
    struck off by a void, power cuts while something is put right and while patrons choose, an
    alarm beside a report, an error of an earlier shoe, and a closed table's last round."""
    table = ByHand(load("rws-commission"), SEED, "cb4-5")
    table.open({"ann": 1_000_000, "ben": 1_000_000})
    table.do(ask.SignOn("manager", Role.SHIFT_MANAGER, table.tick()))
    tick, do, cut = table.tick, table.do, "technical interruption"

    def error() -> None:
        table.do(ask.Report("other dealing error", DEALER, tick(), note="burned twice"))

    table.new_shoe("red 1")
    bets = {"ann": {"banker": 40_000}, "ben": {"player": 60_000, "player_pair": 30_000}}
    table.bet(bets)
    table.deal_cards("Kh 3c 5h Kd 6h 2c")
    table.settle()
    do(
        ask.EmptyStack("ann", 1_038_000, tick()),
        ask.Report("misread card", SUPERVISOR, tick(), note="the five was an eight"),
        ask.Resolve(Step.CORRECT, SUPERVISOR, tick(), "seen", coup=Coup.parse("Kh 8h / 3c Kd")),
        ask.Report("anything else", DEALER, tick(), note="water on the layout"),
        ask.Resolve(
            Step.RULE_VOID,
            "manager",
            tick(),
            "nobody saw the cards",
            facts="water",
            # Ann has paid the rest at the cage.
            owing={"ann": 30_000},
        ),
        ask.FillStack("ann", 500_000, tick()),
    )

    table.bet(bets)
    table.deal_cards("6h 2c")
    error()
    do(
        ask.Report(cut, SYSTEM, tick(), note="restarted"),
        ask.Resolve(Step.CONTINUE, SUPERVISOR, tick()),
        ask.Resolve(Step.VOID, SUPERVISOR, tick()),
    )

    table.bet(bets)
    table.deal_cards("9d 4c Kc")
    error()
    do(
        ask.Resolve(Step.CONTINUE, SUPERVISOR, tick()),
        ask.ChooseOption("ben", False, "ben", tick()),
        ask.Report(cut, SYSTEM, tick(60), note="restarted"),
        ask.Resolve(Step.CONCLUDE, SYSTEM, tick(), "restarted"),
        ask.ChooseOption("ann", True, "ann", tick()),
    )
    table.deal_cards("Jc")
    table.settle()

    table.bet(bets)
    table.deal_cards("2s 3s 4s 5s")
    do(
        ask.Report("excess or exposed card", DEALER, tick(), drawn=parse_cards("6s")),
        ask.Resolve(Step.RECONSTRUCT, SUPERVISOR, tick()),
        ask.Resolve(Step.DISMISS, SUPERVISOR, tick(), "the shuffle is on film"),
    )
    table.settle()
    assert table.log.table.shoe is not None, "the shoe is still there"
    do(ask.EndShoe(table.log.table.shoe.left, DEALER, tick()))
    table.new_shoe("red 2")

    do(ask.AnnounceClosing(1, SUPERVISOR, tick()))
    table.bet(bets)
    do(
        ask.Report(
            "wrong number of cards", DEALER, tick(), round=4, note="the six was dealt", shoe=1
        ),
        ask.Resolve(Step.RECORD, SUPERVISOR, tick()),
    )
    table.deal_cards("9h 8c Kh Kd")
    table.settle()
    do(
        ask.CloseTable(SUPERVISOR, tick()),
        ask.Report("misread card", SUPERVISOR, tick(), note="the nine was a seven"),
        ask.Resolve(Step.CORRECT, SUPERVISOR, tick(), "seen", coup=Coup.parse("7h Kh / 8c Kd")),
    )
    return table


def by_machine() -> Croupier:
    """CB4 as it was written before books could want a dealer: a machine deals, nobody else."""
    book, machine = load("rws-commission"), "dealer-machine"
    document = {name: part for name, part in book.written.items() if name != "dealer"}
    earlier = read(document, "rws-commission.toml", dict.fromkeys(book.cited))
    table = ByHand(earlier, SEED, "cb4-6")
    table.open({"ann": 1_000_000}, machine=machine)
    table.register("blue 17", "shuffled by machine 4")
    table.do(ask.BurnCard(Card.parse("As"), DEALER, table.tick()))
    table.do(ask.BurnCard(None, DEALER, table.tick()), ask.SignOff(DEALER, table.tick()))
    table.in_round(rounds.OpenRound(0, None, table.tick()), machine)
    table.place("ann", 1, "banker", 40_000)
    table.in_round(rounds.CloseBets(table.tick()), machine)
    for card in parse_cards("9h 8c Kh Kd"):
        table.in_round(rounds.DrawCard(card, table.tick()), machine)
    table.in_round(rounds.CallResult(table.tick()), machine)
    table.in_round(rounds.SettleRound(table.tick()), machine)
    return table


def shuffler() -> Croupier:
    """CB4 with a continuous shuffler of four decks: the same cards come a fifth time."""
    table = ByHand(load("rws-commission"), SEED, "cb4-7")
    table.open({}, decks=4, continuous=True)
    table.register("shuffler 2", "continuous")
    table.do(ask.BurnCard(Card.parse("As"), DEALER, table.tick()))
    table.do(ask.BurnCard(None, DEALER, table.tick()))
    for _ in range(5):
        table.bet({})
        table.deal_cards("9h 8c Kh Kd")
        table.settle()
    table.do(ask.EndShoe(4 * 52 - 1 - 4, DEALER, table.tick()))
    return table


def shoe() -> Pack:
    """A shoe of one deck, dealt to its cut card and opened."""
    drbg = HmacDrbg(bytes(32), b"", b"a golden shoe")
    commitment, secret = prepare(
        Source(drbg.generate),
        table="one",
        number=1,
        book="no book",
        decks=1,
        behind_cut=30,
        seeds_until=60_000,
    )
    seeds = {"g1": bytes(range(32)), "g2": bytes(range(32, 64))}
    state = begin(commitment)
    steps: list[Any] = [
        SeedSealed(giver, seal(commitment, giver, seed), 1_000) for giver, seed in seeds.items()
    ]
    steps += [SeedsClosed(60_000), *(SeedGiven(giver, seed) for giver, seed in seeds.items())]
    for step in steps:
        state = advance(state, step)
    while state.left <= commitment.cards - commitment.behind_cut:
        step = take(state) if state.to_burn else show(state, secret)
        steps.append(step)
        state = advance(state, step)
    return export_shoe(commitment, [*steps, opening(secret)])


def packs() -> dict[str, Pack]:
    ko, cow, cb4 = knockout(), cow_cow(), commission()
    return {
        "card": ko.card_pack(12),
        "shoe": shoe(),
        "knockout-round": ko.round_pack(1, 2),
        "cow-cow-table": cow.table_pack(),
        "commission-table": cb4.table_pack(),
        "commission-round": cb4.round_pack(1, 1),
        "older-table": older(cb4.table_pack()),
        "remedied-table": remedied().table_pack(),
        **later_rules.packs(),
        **terminals.packs(),
        **editions.packs(),
        "earlier-book-table": by_machine().table_pack(),
        "shuffler-table": shuffler().table_pack(),
    }


def older(pack: Pack) -> Pack:
    """The same log as it was written before every event named who acted."""
    copy = deepcopy(pack)
    for one in copy["records"]:
        event = one["record"].get("event", {})
        if "by" in later(EVENTS.get(event.get("is"), Coup)):
            event.pop("by", None)
    return resealed(copy, KEY)


# --- tamperings -----------------------------------------------------------------------------------


PERMISSION = ("bet", "burn", "decision", "seat", "staff", "table", "terminal", "terms")
"""What is refused here was not anybody's to do: it takes the whole rulebook to see it."""


def level(code: str) -> int:
    """1 where every verifier must find it, 2 where it takes the rules of permission and remedy."""
    category, _, what = code.partition("/")
    permission = category in PERMISSION and what == "refused"
    return 2 if permission or category in ("remedy", "return", "terms") else 1


class Tampering:
    """Collects what is done to packs, by whom, and what must be found."""

    def __init__(self, good: dict[str, Pack]) -> None:
        self.good = good
        self.all: list[dict[str, Any]] = []

    def add(
        self,
        who: str,
        does: str,
        pack: str,
        changed: list[Any],
        finds: str,
        *,
        forged: bool | bytes = False,
        **known: list[str],
    ) -> None:
        """One tampering. `forged` covers the tracks: hashes, and signatures with the key given."""
        told: dict[str, Any] = {"who": who, "does": does, "pack": pack, "changes": changed}
        if forged:
            after = tampered(self.good[pack], changed)
            anew = resealed(after, KEY if forged is True else forged)
            told["seal"] = sealing(self.good[pack], anew)
        self.all.append({**told, **known, "finds": finds, "level": level(finds)})

    def value(self, pack: str, path: list[Any]) -> Any:
        """What stands at a path."""
        found: Any = self.good[pack]
        for key in path:
            found = found[key]
        return found

    def at(self, pack: str, kind: str, *path: Any, which: int = 0) -> list[Any]:
        """The path to a part of the record of some kind."""
        return ["records", place_of(self.good[pack], kind, which), "record", *path]


def tamperings(good: dict[str, Pack]) -> list[dict[str, Any]]:
    to = Tampering(good)
    _in_the_database(to)
    _by_a_patron(to)
    _by_the_house(to)
    _with_cards(to)
    _with_remedies(to)
    _with_shoes(to)
    _with_the_file(to)
    return to.all


def more(good: dict[str, Pack]) -> list[dict[str, Any]]:
    to = Tampering(good)
    _with_clocks_and_heads(to)
    _with_names(to)
    _with_mistakes_on_mistakes(to)
    _with_a_shuffler(to)
    return to.all


def forgeries(good: dict[str, Pack]) -> list[dict[str, Any]]:
    """Logs that a house wrote from the beginning, each sound but for one thing."""
    to = Tampering(good)
    _with_whole_shoes(to)
    _with_whole_logs(to)
    return to.all


def of_later_rules(good: dict[str, Pack]) -> list[dict[str, Any]]:
    """Forgeries about rules that came later than the first logs."""
    to = Tampering(good)
    later_rules.with_seats(to)
    later_rules.with_freed_seats(to)
    later_rules.with_lenient_books(to)
    editions.forgeries(to)
    return to.all


def of_terminals(good: dict[str, Pack]) -> list[dict[str, Any]]:
    """Forgeries about terminals."""
    to = Tampering(good)
    terminals.forgeries(to)
    return to.all


def _in_the_database(to: Tampering) -> None:
    """Somebody can write where the log is kept, and has no key."""
    who, pack = "insider", "commission-table"
    records = to.good[pack]["records"]
    settled = to.at(pack, "RoundSettled", "event", "bets", 0, "net")
    bet = to.at(pack, "BetPlaced", "event", "bet", "stake")
    to.add(who, "pays a bet more", pack, [["set", settled, 5_000_000]], "chain/record")
    to.add(who, "lowers a stake", pack, [["set", bet, 30_000]], "chain/record")
    at = place_of(to.good[pack], "BetPlaced", 1)
    to.add(who, "takes a bet out", pack, [["remove", ["records", at]]], "chain/number")
    again = [["insert", ["records", at], records[at]]]
    to.add(who, "puts a bet in twice", pack, again, "chain/number")
    swapped = [
        ["set", ["records", at], records[at + 1]],
        ["set", ["records", at + 1], records[at]],
    ]
    to.add(who, "lets two bets change places", pack, swapped, "chain/number")
    lowered = tampered(to.good[pack], [["set", bet, 30_000]])
    rehashed = resealed(lowered, KEY)["records"]
    anew = [["set", ["records", at, "hash"], one["hash"]] for at, one in enumerate(rehashed)]
    to.add(
        who,
        "lowers a stake and makes every later hash anew",
        pack,
        [["set", bet, 30_000], *anew[place_of(lowered, "BetPlaced") :]],
        "head/other-log",
    )
    to.add(
        who,
        "does the same and signs with a key of their own",
        pack,
        [["set", bet, 30_000]],
        "head/key",
        forged=bytes(32),
        keys=[to.good[pack]["heads"][0]["key"]],
    )
    to.add(
        who,
        "spoils a signature",
        pack,
        [["set", ["heads", 0, "signature"], to.good[pack]["heads"][1]["signature"]]],
        "head/signature",
    )
    cut = place_of(to.good[pack], "Standing", 2)
    shortened = [["remove", ["records", cut]]] * (len(records) - cut)
    to.add(who, "cuts off the last round", pack, shortened, "chain/short")
    without_heads = [*shortened, ["remove", ["heads", 3]]]
    seen = records[-1]
    anchored = str(anchor(Head("cb4-3", seen["number"], bytes.fromhex(seen["hash"]))))
    to.add(
        who,
        "cuts off the last round and its head; somebody has an anchor",
        pack,
        without_heads,
        "chain/short",
        anchors=[anchored],
    )
    to.add(who, "takes the signed heads away", pack, [["set", ["heads"], []]], "head/none")


def _by_a_patron(to: Tampering) -> None:
    """Somebody wants to be paid for a round that was another one."""
    who, pack = "patron", "knockout-round"
    stake = to.at(pack, "BetPlaced", "event", "bet", "stake", which=3)
    to.add(who, "claims a higher stake", pack, [["set", stake, 500_000]], "chain/record")
    card = to.at(pack, "CardDealt", "event", "card", which=3)
    to.add(who, "claims another card", pack, [["set", card, "9s"]], "shoe/card")
    mine = to.good[pack]["heads"][0]["key"]
    to.add(
        who,
        "claims a higher stake, and signs it",
        pack,
        [["set", stake, 500_000]],
        "head/key",
        forged=bytes(32),
        keys=[mine],
    )


def _with_mistakes_on_mistakes(to: Tampering) -> None:
    """What is told of debts, cards and power cuts while something else was wrong."""
    who, pack = "house", "remedied-table"

    def forge(does: str, changed: list[Any], finds: str) -> None:
        to.add(who, does, pack, changed, finds, forged=True)

    struck = to.at(pack, "SettlementCorrected", "event", "struck", "ann", which=1)
    forge("strikes off more than a round made", [["set", struck, 90_000]], "settlement/differs")
    kind = to.at(pack, "IncidentReported", "event", "incident", "kind", which=2)
    few = [["set", kind, "insufficient cards"]]
    forge("runs out of cards with a full shoe", few, "remedy/refused")
    kept = to.at(pack, "CardsKept", "event", "cards", 0)
    forge("keeps another card than was left over", [["set", kept, "9d"]], "remedy/differs")
    cut = ["records", place_of(to.good[pack], "IncidentReported", 3)]
    forge("forgets that the power was cut", [["remove", cut]], "return/refused")
    until = to.at(pack, "OptionsOffered", "event", "until", which=2)
    forge("gives no new time to choose", [["set", until, 0]], "remedy/differs")
    alarm = ["records", place_of(to.good[pack], "IncidentReported", 7)]
    forge("keeps quiet about an alarm", [["remove", alarm]], "remedy/missing")
    shoe = to.at(pack, "IncidentReported", "event", "incident", "shoe", which=8)
    forge("blames a shoe that is not over", [["set", shoe, 2]], "remedy/refused")


def _with_names(to: Tampering) -> None:
    """The house names somebody who did not do it, or may not."""
    pack = "commission-table"
    for kind, does, finds in (
        ("RoundOpened", "says that a stranger opened a round", "terms/refused"),
        ("BetsClosed", "says that a stranger closed the betting", "apportionment/refused"),
        ("ResultCalled", "says that a stranger called the result", "result/refused"),
        ("RoundSettled", "says that a stranger settled the round", "settlement/refused"),
        ("BetsReturned", "says that a stranger ended the time to choose", "remedy/refused"),
        ("OptionsClosed", "says that another one did", "remedy/differs"),
        ("SignedOn", "says that a stranger signed the dealer on", "staff/refused"),
    ):
        by = SUPERVISOR if kind == "OptionsClosed" else "zoe"
        changed = [["set", to.at(pack, kind, "event", "by"), by]]
        to.add("house", does, pack, changed, finds, forged=True)
    standings = [to.at(pack, "Standing", "standing", which=place) for place in range(3)]
    above = [["set", [*one, "staff", DEALER, "role"], "pit manager"] for one in standings]
    signed = ["set", to.at(pack, "SignedOn", "event", "role", which=1), "pit manager"]
    does = "opens a round and no dealer is signed on"
    to.add("house", does, pack, [signed, *above], "terms/refused", forged=True)
    machines = [["set", [*one, "setup", "machine"], "robot"] for one in standings]
    opened = ["set", to.at(pack, "TableOpened", "event", "setup", "machine"), "robot"]
    does = "lets a machine deal where the book wants a dealer"
    to.add("house", does, pack, [opened, *machines], "table/refused", forged=True)


def _with_a_shuffler(to: Tampering) -> None:
    """A continuous shuffler, which has no cut card and takes every card back."""
    who, pack = "house", "shuffler-table"
    standings = [to.at(pack, "Standing", "standing", which=place) for place in range(5)]
    opened = to.at(pack, "TableOpened", "event", "setup")
    ordinary = [["set", [*one, "continuous"], False] for one in (opened, *_setups(standings))]
    does = "calls a continuous shuffler an ordinary shoe"
    to.add(who, does, pack, ordinary, "standing/differs", forged=True)
    place = place_of(to.good[pack], "Standing", 2)
    cut = {
        "format": 1,
        "event": {"is": "CutCardShown", "by": DEALER, "at": _time(to.good[pack], place - 1)},
        "entries": [],
    }
    put = [["insert", ["records", place], {"number": 0, "hash": "", "record": cut}]]
    does = "shows the cut card of a continuous shuffler"
    to.add(who, does, pack, put, "burn/refused", forged=True)


def _setups(standings: list[list[Any]]) -> list[list[Any]]:
    return [[*one, "setup"] for one in standings]


def _time(pack: Pack, place: int) -> int:
    at: int = pack["records"][place]["record"]["event"]["at"]
    return at


def _by_the_house(to: Tampering) -> None:
    """The house itself writes a log that does not follow its rulebook, and signs it."""
    who, pack = "house", "commission-table"

    def forge(does: str, changed: list[Any], finds: str, on: str = pack, **known: Any) -> None:
        to.add(who, does, on, changed, finds, forged=True, **known)

    def settled(*path: Any) -> list[Any]:
        return to.at(pack, "RoundSettled", "event", "bets", *path)

    records = to.good[pack]["records"]
    seen = records[-1]
    anchored = str(anchor(Head("cb4-3", seen["number"], bytes.fromhex(seen["hash"]))))
    note = to.at(pack, "IncidentReported", "event", "incident", "note", which=1)
    forge(
        "writes the past anew; somebody has an anchor",
        [["set", note, "another story"]],
        "anchor/other-log",
        anchors=[anchored],
    )
    forge("pays a bet less", [["set", settled(0, "net"), -700_000]], "settlement/differs")
    forge(
        "settles under another clause",
        [["set", settled(0, "clause"), "CB4 9.9"]],
        "settlement/differs",
    )
    forge("forgets a bet", [["remove", settled(1)]], "settlement/differs")
    won = to.at(pack, "RoundSettled", "event", "bets", 0, "commission", which=1)
    forge("withholds a commission that is not due", [["set", won, 20]], "settlement/differs")
    twice = place_of(to.good[pack], "RoundSettled", 2)
    forge(
        "settles a round twice",
        [["insert", ["records", twice], records[twice]]],
        "settlement/refused",
    )
    entry = to.at(pack, "RoundSettled", "entries")
    forge(
        "books a loss to another account",
        [["set", [*entry, 2, "credit"], "commission:cb4-3"]],
        "entries/differs",
    )
    forge("books nothing at all", [["set", entry, []]], "entries/differs")
    cut = to.at(pack, "BetsClosed", "event", "cut")
    forge("apportions one patron's bet only", [["remove", [*cut, 1]]], "apportionment/differs")
    forge("apportions too much", [["set", [*cut, 0, "stake"], 30_000]], "apportionment/differs")
    result = to.at(pack, "ResultCalled", "event", "winner")
    forge("calls another winner", [["set", result, "banker"]], "result/differs")
    points = to.at(pack, "ResultCalled", "event", "banker_points")
    forge("calls other points", [["set", points, 9]], "result/differs")
    stack = to.at(pack, "Standing", "standing", "stacks", "ann", which=1)
    forge(
        "writes a stack down lower before the next round", [["set", stack, 1]], "standing/differs"
    )
    standing = place_of(to.good[pack], "Standing", 2)
    forge("leaves a standing out", [["remove", ["records", standing]]], "standing/missing")
    limit = to.at(pack, "RoundOpened", "event", "terms", "limits", 1, "amount")
    forge("opens a round under other limits", [["set", limit, 10]], "terms/differs")
    closed = place_of(to.good[pack], "BetsClosed")
    late = [
        ["remove", ["records", closed - 1]],
        ["insert", ["records", closed], records[closed - 1]],
    ]
    forge("takes a bet after the close", late, "bet/refused")
    stake = to.at(pack, "BetPlaced", "event", "bet", "stake")
    forge("takes a bet off its step", [["set", stake, 1_200_001]], "bet/refused")
    on = "cow-cow-table"
    high = to.at(on, "BetPlaced", "event", "bet")
    dear = [["set", [*high, "stake"], 600_000], ["set", [*high, "reserve"], 4_800_000]]
    forge("takes a bet that the patron cannot pay", dear, "bet/refused", on)
    reserve = to.at(on, "BetPlaced", "event", "bet", "reserve")
    forge("holds no reserve", [["set", reserve, 0]], "bet/differs", on)
    empty = to.at(pack, "StackEmptied", "event", "amount")
    forge("pays out more than there is", [["set", empty, 900_000_000]], "seat/refused")
    signed = to.at(pack, "SignedOn", "event", "role", which=1)
    first = ["records", place_of(to.good[pack], "SignedOn", 1)]
    forge("lets somebody deal who was never signed on", [["remove", first]], "burn/refused")
    forge(
        "signs somebody on in a role that does not exist",
        [["set", signed, "croupier"]],
        "record/unread",
    )
    forge("names another round in a head", [["set", ["heads", 0, "name"], "1/2"]], "head/name")
    on = "knockout-round"
    wager = to.at(on, "SecondStagePlaced", "event", "bet", "stake")
    forge("takes a Wager of another multiple", [["set", wager, 10_000]], "decision/differs", on)
    early = to.at(on, "SecondStageDeclined", "event", "by_system")
    forge(
        "declines an Ante before its time is over", [["set", early, True]], "decision/refused", on
    )
    gone = ["records", place_of(to.good[on], "SecondStageDeclined")]
    forge("forgets that an Ante was declined", [["remove", gone]], "decision/refused", on)


def _with_cards(to: Tampering) -> None:
    """Cards that were not dealt, or not to that side."""
    who, pack = "dealer", "commission-table"
    side = to.at(pack, "CardDealt", "event", "side")
    to.add(
        who,
        "gives a card to the other side",
        pack,
        [["set", side, "banker"]],
        "cards/differs",
        forged=True,
    )
    card = to.at(pack, "CardDealt", "event", "card", which=4)
    to.add(
        who, "exchanges a third card", pack, [["set", card, "4c"]], "result/differs", forged=True
    )
    records = to.good[pack]["records"]
    result = place_of(to.good[pack], "ResultCalled")
    extra = tampered(records[result - 1], [["set", ["record", "event", "card"], "4c"]])
    to.add(
        who,
        "deals a card too many",
        pack,
        [["insert", ["records", result], extra]],
        "cards/differs",
        forged=True,
    )
    burned = ["records", place_of(to.good[pack], "CardBurned", 1)]
    to.add(who, "burns a card less", pack, [["remove", burned]], "standing/differs", forged=True)
    count = to.at(pack, "ShoeRegistered", "event", "manifest", "9h")
    to.add(
        who,
        "brings a shoe with a card too many",
        pack,
        [["set", count, 9]],
        "burn/refused",
        forged=True,
    )


def _with_remedies(to: Tampering) -> None:
    """Mistakes put right as no clause allows."""
    who, pack = "house", "commission-table"
    records = to.good[pack]["records"]

    def forge(does: str, changed: list[Any], finds: str) -> None:
        to.add(who, does, pack, changed, finds, forged=True)

    step = to.at(pack, "IncidentResolved", "event", "step")
    forge(
        "takes a step that the book does not offer",
        [["set", step, "void the round"]],
        "remedy/refused",
    )
    by = to.at(pack, "IncidentResolved", "event", "by")
    forge(
        "lets the dealer decide what a supervisor must", [["set", by, "dealer"]], "remedy/refused"
    )
    option = to.at(pack, "OptionChosen", "event", "continues")
    forge("says that a patron wanted the bets back", [["set", option, False]], "return/missing")
    offered = to.at(pack, "OptionsOffered", "event", "patrons", 0)
    forge("offers a patron no choice", [["remove", offered]], "remedy/differs")
    returned = ["records", place_of(to.good[pack], "BetsReturned")]
    forge("keeps bets that must be returned", [["remove", returned]], "return/missing")
    corrected = to.at(pack, "SettlementCorrected", "event", "bets", 0, "net")
    forge("corrects a settlement wrongly", [["set", corrected, -1]], "settlement/differs")
    result = place_of(to.good[pack], "ResultCalled", 2)
    void = {
        "format": 1,
        "event": {
            "is": "RoundVoided",
            "reason": "a bad round for the house",
            "clause": "CB4 5.17",
            "by": "supervisor",
            "returned": [],
            "removed": [],
            "at": records[result]["record"]["event"]["at"],
        },
        "entries": [],
    }
    put = [["insert", ["records", result], {"number": 0, "hash": "", "record": void}]]
    forge("voids a round without a reason that the book knows", put, "return/refused")
    kept = to.at(pack, "CardsKept", "event", "cards", 0, which=1)
    forge("keeps another card for the next round", [["set", kept, "9d"]], "remedy/differs")


def _with_shoes(to: Tampering) -> None:
    """A committed shoe that is not dealt as it was committed."""
    who, pack = "house", "knockout-round"

    def forge(does: str, changed: list[Any], finds: str, on: str = pack) -> None:
        to.add(who, does, on, changed, finds, forged=True)

    shown = to.at(pack, "CardShown", "step", "card", which=1)
    dealt = to.at(pack, "CardDealt", "event", "card", which=1)
    other = "8h" if to.value(pack, dealt) == "9h" else "9h"
    forge("plays another card than it shows", [["set", dealt, other]], "shoe/card")
    both = [["set", shown, other], ["set", dealt, other]]
    forge("shows and plays another card", both, "shoe/step")
    step = ["records", place_of(to.good[pack], "CardShown", 3)]
    forge("plays a card that it never shows", [["remove", step]], "shoe/not-shown")
    on = "cow-cow-table"
    taken = place_of(to.good[on], "Standing", 1)
    skip = {"format": 1, "step": {"step": "CardTaken", "place": 0}}
    left = to.good[on]["records"][taken]["record"]["standing"]["left"]
    skip["step"]["place"] = left  # type: ignore[index]
    put = ["insert", ["records", taken], {"number": 0, "hash": "", "record": skip}]
    known = ["set", ["records", taken, "record", "standing", "left"], left + 1]
    forge("lays a card aside between two rounds", [known, put], "shoe/skipped", on)
    cut = {
        "format": 1,
        "event": {"is": "CutCardShown", "by": "dealer", "at": 1_767_225_700_000},
        "entries": [],
    }
    put = ["insert", ["records", taken], {"number": 0, "hash": "", "record": cut}]
    forge("shows the cut card early", [put], "shoe/cut", on)
    seed = to.at(on, "SeedGiven", "step", "seed")
    forge("puts another seed in", [["set", seed, "00" * 32]], "shoe/step", on)
    root = to.at(on, "Commitment", "step", "root")
    forge("commits to something else", [["set", root, "00" * 32]], "shoe/step", on)
    record = to.at(on, "ShoeRegistered", "event", "shuffle_record")
    forge(
        "registers another shoe than the committed one",
        [["set", record, "by hand"]],
        "shoe/commitment",
        on,
    )
    aborted = to.at(on, "ShoeAborted", "step", "cards")
    last = to.good[on]["records"][place_of(to.good[on], "ShoeAborted")]
    cards = last["record"]["step"]["cards"]
    first, second, rest = cards.split(" ", 2)
    other = f"{second} {first} {rest}" if first != second else f"{rest} {first} {second}"
    forge("opens other cards at the end", [["set", aborted, other]], "shoe/step", on)

    def alter(does: str, on: str, changed: list[Any], finds: str, **known: Any) -> None:
        to.add(who, does, on, changed, finds, **known)

    alter("proves another card", "card", [["set", ["card", "card"], "9h"]], "shoe/step")
    alter(
        "proves it with another nonce", "card", [["set", ["card", "nonce"], "00" * 32]], "shoe/step"
    )
    alter("takes it from another position", "card", [["set", ["card", "position"], 0]], "shoe/step")
    alter("deals it at another place", "card", [["set", ["card", "place"], 13]], "shoe/step")
    alter("leaves a seed out", "card", [["remove", ["seeds", 4]]], "shoe/step")
    alter(
        "shows another shoe than it committed",
        "card",
        [],
        "shoe/commitment",
        commitments=["00" * 32],
    )
    path = to.good["card"]["card"]["path"]
    alter("shortens the path", "card", [["set", ["card", "path"], path[1:]]], "shoe/step")
    alter("takes a patron's seal late", "shoe", [["set", ["steps", 0, "at"], 60_000]], "shoe/step")
    alter("skips a card of the shoe", "shoe", [["remove", ["steps", 9]]], "shoe/step")
    alter(
        "says that fewer decks were shuffled",
        "shoe",
        [["set", ["commitment", "decks"], 2]],
        "shoe/step",
    )
    alter("moves the cut card", "shoe", [["set", ["commitment", "behind_cut"], 8]], "shoe/step")


def _with_the_file(to: Tampering) -> None:
    """What is told beside the log, and the book itself."""
    who, pack = "whoever hands the file over", "commission-table"

    def alter(does: str, changed: list[Any], finds: str, on: str = pack) -> None:
        to.add(who, does, on, changed, finds)

    hash = next(iter(to.good[pack]["books"]))
    book = ["books", hash]
    pays = [*book, "document", "bet", "banker", 0, "commission"]
    alter("changes what a bet pays", [["set", pays, "4%"]], "book/hash")
    alter("changes the tableau", [["set", [*book, "tableau", 1, 13], "S"]], "book/tableau")
    alter("leaves the book out", [["remove", book]], "book/missing")
    alter(
        "tells another stack at the end",
        [["set", ["closing", "stacks", "ann"], 1]],
        "closing/differs",
    )
    alter(
        "tells another balance",
        [["set", ["closing", "accounts", "house:cb4-3", 0], 0]],
        "closing/differs",
    )
    alter("draws another road", [["set", ["closing", "roads", "bead", 0], "PP"]], "closing/differs")
    alter(
        "tells another stack at the beginning",
        [["set", ["opening", "stacks"], {"ann": 1}]],
        "opening/differs",
    )
    alter("says that it is another table's log", [["set", ["table"], "t9"]], "chain/start")
    alter(
        "says that it is another round",
        [["set", ["round", "number"], 2]],
        "pack/round",
        "commission-round",
    )
    alter(
        "begins a round elsewhere",
        [["set", ["before", "hash"], "00" * 32]],
        "chain/record",
        "commission-round",
    )
    alter(
        "hides the standing of a round",
        [["remove", ["records", 0]]],
        "standing/missing",
        "commission-round",
    )
    alter("says that it is of a later version", [["set", ["version"], 2]], "pack/version")
    alter("adds a member", [["set", ["remark"], "all is well"]], "pack/shape")
    format = to.at(pack, "BetPlaced", "format")
    alter("writes a record of another format", [["set", format, 2]], "record/unread")
    alter("breaks an anchor", [["set", ["anchors"], ["cb4-3:1:0000"]]], "anchor/unread")
    alter("puts something in place of an anchor", [["set", ["anchors"], [{}]]], "anchor/unread")
    alter("wraps an anchor up", [["set", ["anchors"], [["cb4-3:1:0000"]]]], "anchor/unread")
    nobody = [["set", ["closing", "stacks", "zoe"], None]]
    alter("adds a stack of nothing at the end", nobody, "closing/differs")
    absent = [["set", ["closing", "remark"], "(not there)"]]
    alter("adds what says that it is not there", absent, "closing/differs")
    for name, does in (
        ("", "calls the table nothing"),
        ("a:b", "calls the table like an account"),
        ("cb4-3\n", "calls the table by two lines"),
        ("cage", "calls the table the cage"),
    ):
        alter(does, [["set", ["table"], name]], "pack/shape")
    before = [["set", ["before", "number"], -1]]
    alter("begins before the beginning", before, "pack/shape", "commission-round")


def _with_clocks_and_heads(to: Tampering) -> None:
    """The house sets its clock, or signs what it should not."""
    who, pack = "house", "cow-cow-table"

    def forge(does: str, changed: list[Any], finds: str, on: str = pack, **known: Any) -> None:
        to.add(who, does, on, changed, finds, forged=True, **known)

    closed = to.at(pack, "BetsClosed", "event", "at")
    forge("closes the bets before they were placed", [["set", closed, 0]], "time/backwards")
    signed = to.good[pack]["heads"]
    forge(
        "signs a head before its round was over",
        [["set", ["heads", 1, "at"], signed[0]["at"] - 1]],
        "time/backwards",
    )
    on = "knockout-round"
    records = to.good[on]["records"]
    place = place_of(to.good[on], "SecondStageDeclined")
    late = records[place]["record"]["event"]["at"] + 10_000
    declined = ["records", place, "record", "event"]
    settled = place_of(to.good[on], "RoundSettled")
    told = records[settled]["record"]
    clause = told["event"]["bets"][3]["clause"]
    anew = json.loads(json.dumps(told["entries"]).replace(clause, "HOUSE timeout"))
    forge(
        "ends a decision early by a clock that runs ahead, and back again",
        [
            ["set", [*declined, "by_system"], True],
            ["set", [*declined, "clause"], "HOUSE timeout"],
            ["set", [*declined, "at"], late],
            ["set", ["records", place + 1, "record", "event", "at"], late],
            ["set", ["records", settled, "record", "event", "bets", 3, "clause"], "HOUSE timeout"],
            ["set", ["records", settled, "record", "entries"], anew],
        ],
        "time/backwards",
        on,
    )
    close = place_of(to.good[pack], "BetsClosed") + 1
    forge(
        "signs a round's head while it is played",
        [["set", ["heads", 0, "count"], close]],
        "head/name",
    )
    forge(
        "signs a day that does not exist",
        [["set", ["heads", 3, "name"], "2026-02-30"]],
        "head/name",
    )
    forge("signs another day", [["set", ["heads", 3, "name"], "2026-01-03"]], "head/name")
    after = place_of(to.good[pack], "BetsClosed", 1) + 1
    forge(
        "signs a round's head when the next is under way",
        [["set", ["heads", 0, "count"], after], ["set", ["heads", 0, "at"], signed[1]["at"]]],
        "head/name",
    )
    again = [["insert", ["heads", 1], signed[0]]]
    to.add(who, "gives the same head twice", pack, again, "head/twice")
    left = to.at(on, "Standing", "standing", "left")
    cut = 4 * 52 - to.good[on]["shoe"]["commitment"]["behind_cut"]
    forge("plays on past the cut card", [["set", left, cut + 1]], "shoe/cut", on)
    opened = ["records", place_of(to.good[pack], "ShoeAborted")]
    never = [["remove", opened], ["set", ["heads", 3, "count"], len(to.good[pack]["records"]) - 1]]
    forge("ends a shoe and never opens it", never, "shoe/unopened")
    standing = ["records", 0, "record", "standing"]
    other = [["set", [*standing, "shoe", "id"], "ko-1/7"]]
    forge("deals a round from a shoe of another name", other, "shoe/commitment", on)
    denied = [["set", [*standing, "commitment"], None], ["set", [*standing, "left"], 0]]
    forge("denies that the shoe was committed", denied, "shoe/commitment", on)
    known = to.good[on]["records"][0]["record"]["standing"]["commitment"]
    steps = [
        ["remove", ["records", at]]
        for at in reversed(range(len(records)))
        if "step" in records[at]["record"]
    ]
    forge(
        "denies it and takes every proof away; somebody was shown the commitment",
        [*denied, ["set", ["shoe"], None], *steps],
        "shoe/commitment",
        on,
        commitments=[known],
    )
    to.add(
        who,
        "plays a shoe of plastic where somebody was shown a commitment",
        "commission-round",
        [],
        "shoe/commitment",
        commitments=[known],
    )
    for on in ("card", "knockout-round", "cow-cow-table"):
        does = f"leaves a patron's seed out of a {to.good[on]['kind']}'s order"
        to.add(who, does, on, [], "shoe/seed", seeds=["5e" * 32])
    for on in ("shoe", "commission-round"):
        does = f"plays a {to.good[on]['kind']} by another book than it announced"
        to.add(who, does, on, [], "book/other", books=["b0" * 32])


def _with_whole_shoes(to: Tampering) -> None:
    """Shoes that were committed so that they hide nothing, or by givers that nobody can name."""
    who, pack = "house", "shoe"

    def forge(does: str, givers: tuple[str, ...], nonces: Any) -> None:
        commitment, secret = prepare(
            Source(HmacDrbg(bytes(32), b"", b"a forged shoe").generate),
            table="one",
            number=1,
            book="no book",
            decks=1,
            behind_cut=30,
            seeds_until=60_000,
        )
        secret = seal_cards(secret.cards, nonces(secret.nonces))
        commitment = replace(commitment, root=merkle.root(secret.tree))
        seeds = {giver: bytes([number]) * 32 for number, giver in enumerate(givers)}
        steps: list[Any] = [
            SeedSealed(one, seal(commitment, one, seed), 1) for one, seed in seeds.items()
        ]
        steps += [SeedsClosed(60_000), *(SeedGiven(one, seed) for one, seed in seeds.items())]
        forged = export_shoe(commitment, [*steps, abort(secret, "a vector")])
        changed = [["set", [name], forged[name]] for name in ("commitment", "steps")]
        to.add(who, does, pack, changed, "shoe/step")

    usual = ("g1", "g2")
    forge("hides every card behind the same nonce", usual, lambda _: (bytes(32),) * 52)
    forge("uses one nonce twice", usual, lambda nonces: (*nonces[:-1], nonces[0]))
    forge("hides cards behind nonces of a byte", usual, lambda all: tuple(one[:1] for one in all))
    forge("takes a seed from somebody whom not everybody can print", ("g1", "\u1c89"), tuple)
    forge("takes a seed from somebody without a name", ("g1", " "), tuple)


def _with_whole_logs(to: Tampering) -> None:
    """Tables whose shoes are not what, or not all that, was promised."""
    who, pack = "house", "cow-cow-table"

    def forge(does: str, finds: str, play: Callable[[Croupier], None]) -> None:
        table = Earlier(load("online-cow-cow"), SEED, "cow-2")
        table.open({"dan": 900_000}, machine="dealer-machine")
        play(table)
        forged: Pack = json.loads(json.dumps(table.table_pack()))
        changed = [["set", [name], forged[name]] for name in ("records", "heads", "closing")]
        to.add(who, does, pack, changed, finds)

    def shoe(croupier: Croupier, /, **other: Any) -> None:
        croupier.commit(("g1",), **other)

    def aside(croupier: Croupier, *numbers: int, opened: bool = True) -> None:
        """Small shoes of these numbers, committed one after another and never played."""
        for number in numbers:
            croupier.log.shoe = None
            croupier.seeded(("g1",), number=number, decks=1)
            if opened:
                croupier.abort("a vector")

    def played(**other: Any) -> Callable[[Croupier], None]:
        def play(croupier: Croupier) -> None:
            shoe(croupier, **other)
            croupier.round({"dan": {"player": 2_000}})

        return play

    def renamed(croupier: Croupier) -> None:
        commitment = croupier.seeded(("g1",))
        croupier.register("cow-2/7", COMMITTED + commitment.hash.hex())

    forge("registers the shoe by another name", "shoe/commitment", renamed)
    forge("begins with the second shoe", "shoe/missing", lambda one: aside(one, 2))
    forge("leaves a shoe out between two", "shoe/missing", lambda one: aside(one, 1, 3))
    forge("uses the number of a shoe again", "shoe/step", lambda one: aside(one, 1, 1))
    forge(
        "commits the next shoe before the last is open",
        "shoe/unopened",
        lambda one: aside(one, 1, 2, opened=False),
    )
    forge("deals from a shoe of another table", "shoe/step", played(table="cow-9"))
    forge("deals from a shoe of another book", "shoe/commitment", played(book="00" * 32))
    forge("deals from a shoe of fewer decks", "shoe/commitment", played(decks=6))

    def one_round(does: str, **other: Any) -> None:
        table = Earlier(load("rws-knockout"), SEED, "ko-1")
        table.open({"ann": 1_000_000}, decks=4)
        table.commit(("g1",), **other)
        table.round({"ann": {"banker": 10_000}})
        forged: Pack = json.loads(json.dumps(table.round_pack(1, 1)))
        good = to.good["knockout-round"]
        changed = [["set", [name], forged[name]] for name in good if forged[name] != good[name]]
        to.add(who, does, "knockout-round", changed, "shoe/commitment")

    one_round("deals a round from a shoe of another table", table="ko-9")
    one_round("deals a round from a shoe of another book", book="00" * 32)
    one_round("deals a round from a shoe of more decks", decks=6)


def files() -> dict[str, str]:
    """Every file of this folder that is made here, by name."""
    good = packs()
    made = {
        f"{name}.json": json.dumps(pack, ensure_ascii=False, sort_keys=True, indent=1) + "\n"
        for name, pack in good.items()
    }
    for name, told in (
        ("tamperings", tamperings(good)[:-FEW]),
        ("tamperings-more", [*tamperings(good)[-FEW:], *more(good)]),
        ("tamperings-whole", forgeries(good)),
        ("tamperings-later", of_later_rules(good)),
        ("tamperings-terminals", of_terminals(good)),
    ):
        listed = ",\n".join(json.dumps(one, ensure_ascii=False) for one in told)
        made[f"{name}.json"] = f"[\n{listed}\n]\n"
    return made


FEW = 25
"""So many of the first list stand in the second file: no file grows beyond reason."""


def committed_tamperings() -> list[dict[str, Any]]:
    """Every tampering in the files of this folder."""
    paths = sorted(FOLDER.glob("tamperings*.json"))
    return [one for path in paths for one in json.loads(path.read_text("utf-8"))]


def committed_packs() -> dict[str, Path]:
    """The good packs of this folder."""
    paths = sorted(FOLDER.glob("*.json"))
    return {path.stem: path for path in paths if not path.stem.startswith("tamperings")}


def kept_packs() -> dict[str, Path]:
    """Packs as they were written on an earlier day, by the rulebooks of that day: never made anew.

    Whatever the rules become, what was lawful when it was played still holds.
    """
    return {path.stem: path for path in sorted((FOLDER / "kept").glob("*.json"))}


def main() -> None:
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
