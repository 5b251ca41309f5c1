"""The log's chain: canonical bytes, hashes, anchors, audit. Has never heard of cards.

Signing lives in `cutcard.chain.signing` and is imported by its own name only, so
that no command waits for a library it does not use.
"""

from cutcard.chain.anchor import Anchor, anchor, parse_anchor
from cutcard.chain.audit import Fault, Finding, audit
from cutcard.chain.canonical import canonical
from cutcard.chain.log import Entry, Head, append, linked, start

__all__ = [
    "Anchor",
    "Entry",
    "Fault",
    "Finding",
    "Head",
    "anchor",
    "append",
    "audit",
    "canonical",
    "linked",
    "parse_anchor",
    "start",
]
