"""Writes configuration.md: `python docs/make_configuration.py`. A test holds the page to it."""

from pathlib import Path

from cutcard.server.manual import document

PAGE = Path(__file__).with_name("configuration.md")

OPENING = """# Configuration

A venue is configured by one TOML file. Below is all of it: every key, what it means, and its value
in the built-in demonstration. Leave out whatever you do not change. A misspelt key, a wrong kind of
value or keys that do not agree are refused with the key's path and what to write instead; nothing
starts half configured. This page is made by `python docs/make_configuration.py`.

- **Helpline.** No table opens without one, so `venue.helpline` has no default.
- **Keys.** The key file is made on the first start, readable by its owner alone, and refused if
  anybody else may read it. Copy it to a safe place apart from the database: it opens undealt shoes,
  and its public half is what [packs](pack.md) are verified with.
- **TLS.** On the machine itself http://localhost will do. Other machines need `tls_cert` and
  `tls_key`, or a proxy that speaks TLS and `trusted_proxy = true`; without either nobody there can
  sign in, because a browser would send the cookie for everyone on the network to read.
- **Proxy.** A trusted proxy must set `X-Forwarded-Proto` and append to `X-Forwarded-For`, and the
  server's port must not be reachable past it.
- **Pace.** A round lasts 5 seconds or more from start to start, except in a pace with
  `test = true`, which the server announces when it starts.
- **Limits.** A `limit` of a table stands in for the book's limits of the same kind on the same
  spots. Amounts are in minor units.
- **Who deals.** CB4 and KO2 want a dealer, so their tables have `deals = "staff"`, except in a
  demonstration (`venue.demonstration`). A table with a continuous shuffler or without a scanner is
  dealt by people as well: the server deals alone, from a shoe that is committed to in one order.
- **Switches.** Where the books leave something open, the house policy decides (`cutcard clauses`,
  document HOUSE), and a table may be switched to the other reading: `open_boxes`, `reserve_second`,
  `apportioning`, `only_placed`, `bound`, `sentinel`, and in its pace `decision_ms` and `option_ms`.
  The set-up of the table in the log says which one was in force."""


def page() -> str:
    """The whole page."""
    return f"{OPENING}\n\n```toml\n{document()}```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
