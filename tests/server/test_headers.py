"""Headers, cookie and origin: one row for every way in that must stay shut."""

import pytest

from cutcard.refusals import Refusal
from cutcard.server import headers
from cutcard.server.config import Config, parse
from cutcard.server.headers import origin_allowed
from tests.cases import every


def config(server: str = "") -> Config:
    text = 'venue.helpline = "1"\n[[table]]\nname = "t"\nbook = "online-baccarat"\n[server]\n'
    return parse(text + server)


PLAIN = config()
TLS = config('tls_cert = "c"\ntls_key = "k"')
PROXY = config("trusted_proxy = true")
LISTED = config('origins = ["https://play.example", "https://other.example:8443"]')
LOOSE = config("plain_cookies = true")


# --- headers --------------------------------------------------------------------------------------


def test_pages_may_use_only_what_this_server_serves() -> None:
    policy = headers.security_headers("http")["content-security-policy"]
    directives = dict(part.split(" ", 1) for part in policy.split("; "))

    assert set(directives.values()) == {"'self'", "'none'"}
    assert directives["default-src"] == "'self'"
    assert directives["frame-ancestors"] == directives["base-uri"] == "'none'"
    assert "unsafe" not in policy


def test_the_other_doors_are_shut_too() -> None:
    given = headers.security_headers("http")

    assert given["x-content-type-options"] == "nosniff"
    assert given["referrer-policy"] == "no-referrer"
    assert given["cross-origin-opener-policy"] == "same-origin"
    assert given["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in given["permissions-policy"]
    assert all(name == name.lower() for name in given)


@every(("scheme", "there"), [("https", True), ("wss", True), ("http", False), ("ws", False)])
def test_tls_is_demanded_from_then_on_only_where_it_is_used(scheme: str, there: bool) -> None:
    assert ("strict-transport-security" in headers.security_headers(scheme)) is there


# --- how a request came ---------------------------------------------------------------------------


@every(
    ("setting", "scheme", "forwarded", "found"),
    [
        (PLAIN, "http", None, "http"),
        (PLAIN, "http", "https", "http"),
        (PLAIN, "ws", None, "http"),
        (TLS, "wss", None, "https"),
        (PROXY, "http", "https", "https"),
        (PROXY, "http", " HTTPS ", "https"),
        (PROXY, "http", "javascript", "http"),
        (PROXY, "http", None, "http"),
    ],
)
def test_only_a_trusted_proxy_is_believed_about_tls(
    setting: Config, scheme: str, forwarded: str | None, found: str
) -> None:
    assert headers.scheme_of(scheme, forwarded, setting) == found


@every(
    ("setting", "forwarded", "found"),
    [
        (PLAIN, "198.51.100.1", "10.0.0.1"),
        (PROXY, None, "10.0.0.1"),
        (PROXY, "198.51.100.1", "198.51.100.1"),
        (PROXY, "6.6.6.6, 198.51.100.1", "198.51.100.1"),
        (PROXY, "198.51.100.1:4711", "198.51.100.1"),
        (PROXY, "2001:db8::1", "2001:db8::1"),
        (PROXY, "[2001:db8::1]:4711", "2001:db8::1"),
        (PROXY, "unknown", "10.0.0.1"),
    ],
)
def test_an_address_cannot_be_made_up(setting: Config, forwarded: str | None, found: str) -> None:
    assert headers.address_of("10.0.0.1", forwarded, setting) == found


# --- the cookie -----------------------------------------------------------------------------------


@every(
    ("scheme", "host"),
    [
        ("https", "play.example"),
        ("wss", "10.0.0.7:8443"),
        ("http", "localhost:8080"),
        ("http", "LOCALHOST"),
        ("http", "a.localhost"),
        ("http", "127.0.0.1:8080"),
        ("http", "[::1]:8080"),
    ],
)
def test_the_cookie_is_bound_to_this_host_wherever_a_browser_can_do_that(
    scheme: str, host: str
) -> None:
    for setting in (PLAIN, LOOSE):
        assert headers.cookie_name(scheme, host, setting) == "__Host-cutcard"


@every(
    "host", ["10.0.0.7", "play.example", "localhost.evil.example", "127.0.0.1.evil", "", "[::2]"]
)
def test_without_tls_nobody_signs_in_from_elsewhere_unless_it_is_allowed(host: str) -> None:
    with pytest.raises(Refusal) as refused:
        headers.cookie_name("http", host, PLAIN)

    assert refused.value.code == "server/not-secure"
    assert headers.cookie_name("http", host, LOOSE) == "cutcard"


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites() -> None:
    assert headers.set_cookie("__Host-cutcard", "abc", PLAIN) == (
        "__Host-cutcard=abc; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"
    )
    assert headers.set_cookie("cutcard", "abc", LOOSE) == (
        "cutcard=abc; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"
    )
    assert headers.clear_cookie("__Host-cutcard") == (
        "__Host-cutcard=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure"
    )


# --- the origin -----------------------------------------------------------------------------------


@every(
    ("setting", "origin", "host"),
    [
        (PLAIN, "http://localhost:8080", "localhost:8080"),
        (PLAIN, "http://LOCALHOST:8080", "localhost:8080"),
        (PLAIN, "http://localhost", "localhost:80"),
        (PLAIN, "http://[::1]:8080", "[::1]:8080"),
        (TLS, "https://play.example", "play.example"),
        (TLS, "https://play.example:443", "play.example"),
        (PROXY, "https://play.example", "play.example"),
        (LISTED, "https://play.example", "10.0.0.7:8080"),
        (LISTED, "https://other.example:8443", "10.0.0.7:8080"),
    ],
)
def test_ones_own_pages_and_those_listed_may_speak(setting: Config, origin: str, host: str) -> None:
    assert origin_allowed(origin, host, setting)


@every(
    ("setting", "origin", "host"),
    [
        (PLAIN, None, "localhost:8080"),
        (PLAIN, "", "localhost:8080"),
        (PLAIN, "null", "localhost:8080"),
        (PLAIN, "null", "null"),
        (PLAIN, "http://evil.example", "localhost:8080"),
        (PLAIN, "http://localhost:9090", "localhost:8080"),
        (PLAIN, "http://localhost:8080.evil.example", "localhost:8080"),
        (PLAIN, "http://localhost:8080@evil.example", "localhost:8080"),
        (PLAIN, "http://localhost:8080/", "localhost:8080"),
        (PLAIN, "https://localhost:8080", "localhost:8080"),
        (PLAIN, "file://localhost:8080", "localhost:8080"),
        (PLAIN, "http://", ""),
        (TLS, "http://play.example", "play.example"),
        (LISTED, "http://play.example", "10.0.0.7:8080"),
        (LISTED, "https://evil.play.example", "10.0.0.7:8080"),
        (LISTED, "https://play.example.evil", "10.0.0.7:8080"),
        (LISTED, "https://other.example", "10.0.0.7:8080"),
    ],
)
def test_nobody_elses_pages_may(setting: Config, origin: str | None, host: str) -> None:
    assert not origin_allowed(origin, host, setting)
