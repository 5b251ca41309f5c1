"""Violations: what a database will not have, said as a refusal.

Which table complained says what was wrong; the database's own words say it exactly.
"""

from cutcard.refusals import Refusal


def violated(table: str, why: str) -> Refusal:
    """The refusal for a constraint of a table."""
    match table:
        case "account" | "entry" | "promise" | "source":
            return Refusal("store/money", {"why": why})
        case "answer":
            return Refusal("store/answered")
        case "paper":
            return Refusal("store/paper", {"why": why})
    return Refusal("store/constraint", {"table": table, "why": why})


def away(why: object) -> Refusal:
    """The database is not there, or no longer."""
    return Refusal("store/away", {"why": str(why)})


def unstorable(why: object) -> Refusal:
    """A value that no column can hold, such as a number beyond 64 bits."""
    return Refusal("store/value", {"why": str(why)})
