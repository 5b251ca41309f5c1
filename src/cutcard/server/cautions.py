"""What is allowed and yet should be said loudly when a server starts."""

from cutcard.refusals import Refusal
from cutcard.server.headers import is_local
from cutcard.server.shapes import Config


def cautions(config: Config) -> tuple[Refusal, ...]:
    """Sentences for whoever starts the server; nothing is refused."""
    server = config.server
    found = []
    if not is_local(f"[{server.host}]") and not server.tls and not server.trusted_proxy:
        found.append(Refusal("config/no-tls", {"host": server.host}))
    if server.plain_cookies and not server.tls:
        found.append(Refusal("config/plain-cookies", {}))
    if config.venue.demonstration:
        found.append(Refusal("config/demonstration", {}))
    if config.money.self_service:
        found.append(Refusal("config/self-service", {}))
    found += [
        Refusal("config/test-pace", {"name": table.name, "pace": table.pace})
        for table in config.tables
        if config.pace(table).test
    ]
    return tuple(found)
