"""What goes around every answer and every question: headers, cookie, origin, address.

Pure functions of a request's own words and the configuration, so that each attack that
they stop is a row in a table of tests.
"""

from collections.abc import Mapping
from ipaddress import ip_address

from cutcard.refusals import Refusal
from cutcard.server.shapes import Config

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Only what this server itself serves, and nothing written into a page."""

HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "permissions-policy": (
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), "
        "display-capture=(), browsing-topics=()"
    ),
}

NO_STORE: Mapping[str, str] = {"cache-control": "no-store"}
"""For every answer that is about somebody, so that the next one at the screen cannot go back."""

HSTS = "max-age=31536000"
"""A year. Names below this one are their owner's affair."""

SECURE_COOKIE, PLAIN_COOKIE = "__Host-cutcard", "cutcard"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def security_headers(scheme: str) -> dict[str, str]:
    """The headers of every answer to a request that came by a scheme."""
    # A browser ignores this one without TLS, and on localhost it would bind every other server.
    strict = {"strict-transport-security": HSTS} if scheme in ("https", "wss") else {}
    return {**HEADERS, **strict}


# --- how a request came ---------------------------------------------------------------------------


def scheme_of(scheme: str, forwarded: str | None, config: Config) -> str:
    """http or https, as the browser used it: a trusted proxy says so, nobody else is asked."""
    told = (forwarded or "").strip().lower()
    if config.server.trusted_proxy and told in ("http", "https"):
        return told
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def address_of(peer: str, forwarded: str | None, config: Config) -> str:
    """Who asks. Of X-Forwarded-For only the last is the proxy's own word; others are made up."""
    if config.server.trusted_proxy and forwarded:
        last = forwarded.rsplit(",", 1)[-1].strip()
        # Some proxies write the port too; an IPv6 address without brackets has none.
        bare = last if last.count(":") > 1 and "[" not in last else _host_name(last)
        try:
            return str(ip_address(bare))
        except ValueError:
            return peer
    return peer


def is_local(host: str) -> bool:
    """Whether a Host header names the browser's own machine.

    >>> [is_local(host) for host in ("localhost:8080", "127.0.0.1", "[::1]:80", "localhost.evil")]
    [True, True, True, False]
    """
    name = _host_name(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def _host_name(host: str) -> str:
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


# --- the cookie -----------------------------------------------------------------------------------


def is_secure(scheme: str, host: str) -> bool:
    """Whether a browser keeps a Secure cookie: under TLS, and of its own machine without it.

    Chromium and Firefox trust http://localhost; Safari does not, and needs TLS there too.
    """
    return scheme in ("https", "wss") or is_local(host)


def cookie_name(scheme: str, host: str, config: Config) -> str:
    """The name of the cookie that holds a sign-in's token; refuses where none would be safe.

    Only a Secure cookie can have the prefix `__Host-`, which no other host and no plain
    connection can set. So where it can be had, the plain name is never looked at.
    """
    if is_secure(scheme, host):
        return SECURE_COOKIE
    if not config.server.plain_cookies:
        raise Refusal("server/not-secure", {"host": host[:100]})
    return PLAIN_COOKIE


def set_cookie(name: str, token: str, config: Config) -> str:
    """The Set-Cookie header that keeps a token for as long as a sign-in can last."""
    return _cookie(name, token, config.signin.longest_hours * 3600)


def clear_cookie(name: str) -> str:
    """The Set-Cookie header that makes a browser forget it."""
    return _cookie(name, "", 0)


def _cookie(name: str, value: str, seconds: int) -> str:
    secure = "; Secure" if name == SECURE_COOKIE else ""
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"


# --- the origin -----------------------------------------------------------------------------------


def origin_allowed(origin: str | None, host: str, config: Config) -> bool:
    """Whether a page of that origin may open a WebSocket or change anything.

    Browsers name the origin of every such request. Whoever names none is no browser, has
    nobody's cookie by accident, and must show a token in a header instead.
    """
    if origin is None:
        return False
    asked = _normal(origin)
    if asked is None:
        return False
    if asked in {_normal(one) for one in config.server.origins}:
        return True
    server = config.server
    # Behind a proxy either may be how the browser came; the cookie's own rules decide there.
    schemes = ("https", "http") if server.trusted_proxy else ("https",) if server.tls else ("http",)
    return asked in {_normal(f"{scheme}://{host}") for scheme in schemes}


def _normal(origin: str) -> str | None:
    """An origin in one spelling; None for what is none, such as `null` or one with a path."""
    scheme, separator, rest = origin.strip().lower().partition("://")
    port = {"http": ":80", "https": ":443"}.get(scheme)
    if not separator or port is None or not rest or set(rest) & set("/\\@?# ,"):
        return None
    return f"{scheme}://{rest.removesuffix(port)}"
