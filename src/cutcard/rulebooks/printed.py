"""Rulebooks and clauses as JSON; odds are exact fractions in strings."""

from collections import Counter
from collections.abc import Sequence

from cutcard.rulebooks import Clause
from cutcard.rules.rulebook import Rulebook
from cutcard.rules.tableau import BANKER_TABLE, PLAYER_TABLE

STATES = ("engine", "awaiting", "procedure", "out of scope")


def book_summary(book: Rulebook) -> dict[str, object]:
    return {
        "id": book.id,
        "name": book.name,
        "document": book.document,
        "operator": book.operator,
        "version": book.version,
        "effective_from": book.effective_from,
        "decks": {"least": book.decks.least, "most": book.decks.most, "usual": book.decks.usual},
        "spots": list(book.spots),
        "hash": book.hash,
    }


def book_document(book: Rulebook, clauses: Sequence[Clause]) -> dict[str, object]:
    """The whole rulebook as JSON; odds are exact fractions in strings."""
    return {
        **book_summary(book),
        "approval": book.approval,
        "house_policy": book.house_policy,
        "bets": {
            spot.id: {
                "label": spot.label,
                "step": spot.step,
                "reserve": spot.reserve,
                "needs": spot.needs
                and {"any_of": list(spot.needs.any_of), "clause": spot.needs.clause},
                "stage": spot.stage
                and {
                    "follows": spot.stage.follows,
                    "after_card": spot.stage.after_card,
                    "multiple": spot.stage.multiple,
                    "clause": spot.stage.clause,
                    "declined": {"does": "forfeit", "clause": spot.stage.declined_clause},
                },
                "lines": [
                    {
                        "when": {name: list(values) for name, values in line.when.items()},
                        "odds": str(line.odds),
                        "commission": str(line.commission),
                        "net": str(line.net),
                        "clause": line.clause,
                    }
                    for line in spot.table.lines
                ],
            }
            for spot in book.spots.values()
        },
        "limits": [
            {
                "kind": limit.kind.value,
                "scope": limit.scope.value,
                "spots": list(limit.spots),
                "amount": limit.amount,
                "clause": limit.clause,
            }
            for limit in book.limits
        ],
        "tableau": {
            "player": PLAYER_TABLE.strip().splitlines(),
            "banker": BANKER_TABLE.strip().splitlines(),
            "clause": book.cites["tableau"],
        },
        "shoe": {
            "decks_clause": book.decks.clause,
            "burn_clause": book.burn_clause,
            "cut": {"least": book.cut.least, "most": book.cut.most, "clause": book.cut.clause},
        },
        "dealer_clause": book.dealer_clause,
        "layouts": [
            {
                "id": one.id,
                "name": one.name,
                "boxes": one.boxes,
                "labels": dict(one.labels),
                "areas": list(one.areas),
                "clause": one.clause,
                "terminals": one.terminals,
            }
            for one in book.layouts
        ],
        "back_bets": {"allowed": book.back_bets.allowed, "clause": book.back_bets.clause},
        "announcements": {
            name: {"words": text.words, "clause": text.clause}
            for name, text in book.announcements.items()
        },
        "interruption": {
            "policy": book.interruption.value,
            "concludes": book.concludes_clause,
            "voids": book.voids_clause,
        },
        "irregularities": [
            {
                "id": one.id,
                "remedy": one.remedy.value,
                "decides": one.decides.value,
                "options": one.options.value,
                "clause": one.clause,
            }
            for one in book.irregularities.values()
        ],
        "texts": [{"words": text.words, "clause": text.clause} for text in book.texts],
        "clauses": [clause_document(clause) for clause in clauses],
    }


def coverage_document(clauses: Sequence[Clause]) -> dict[str, object]:
    states = Counter(clause.state for clause in clauses)
    return {
        "counts": {state: states[state] for state in STATES},
        "clauses": [clause_document(clause) for clause in clauses],
    }


def clause_document(clause: Clause) -> dict[str, object]:
    return {
        "clause": clause.citation,
        "text": clause.text,
        "kept": clause.kept,
        "awaits": clause.awaits,
        "books": list(clause.books),
    }
