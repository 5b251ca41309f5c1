"""Refusals: what cutcard says when it will not do a thing, and why.

A refusal is a value before it is an error: a stable code for programs, the
figures of the case, and the clause that orders it. The sentence a person reads
is made last, from a catalogue in that person's language, so a code means the
same thing in every language and every room can refuse without knowing any.
"""

from cutcard.refusals.catalogue import LANGUAGES, sentence
from cutcard.refusals.refusal import Refusal

__all__ = ["LANGUAGES", "Refusal", "sentence"]
