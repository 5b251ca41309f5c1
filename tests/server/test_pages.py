"""What goes around every answer, what stays out of the logs, and whom to call for help."""

import logging
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
from websockets.exceptions import InvalidStatus

from cutcard.refusals import Refusal
from cutcard.server import door
from cutcard.server.app import WEB
from cutcard.server.config import parse
from cutcard.server.headers import HEADERS, SECURE_COOKIE
from cutcard.server.pages import Pages
from cutcard.wire import api
from tests.patience import PATIENCE
from tests.server.house import PASSWORD, House, websocket

pytestmark = pytest.mark.anyio

ETG = "rws-non-commission-etg"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/verify.html", 200),
        ("GET", "/verify.js", 200),
        ("HEAD", "/verify.html", 200),
        ("GET", "/nowhere.html", 404),
        ("GET", "/", 200),
        ("GET", "/api/v1/tables", 200),
        ("HEAD", "/api/v1/tables", 200),
        ("POST", "/api/v1/nowhere", 404),
        ("GET", "/api/nowhere", 404),
        ("GET", "/api/v1/nowhere", 404),
        ("GET", "/api/v1/me", 401),
        ("DELETE", "/api/v1/me", 405),
        ("POST", "/api/v1/sign-in", 400),
        ("GET", "/api/v1/openapi.json", 200),
        ("GET", "/health", 200),
        ("GET", "/metrics", 200),
        ("OPTIONS", "/api/v1/tables", 204),
    ],
)
async def test_every_answer_has_the_headers(
    etg: House, method: str, path: str, status: int
) -> None:
    async with httpx.AsyncClient(base_url=etg.url, timeout=PATIENCE) as http:
        answer = await http.request(method, path)

    assert answer.status_code == status
    for name, value in HEADERS.items():
        assert answer.headers.get_list(name) == [value], name
    assert "server" not in answer.headers
    if path.startswith("/api/"):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.content == b"" if method in ("HEAD", "OPTIONS") else answer.json()


async def test_a_file_is_sent_once_and_asked_for_every_time(etg: House) -> None:
    async with httpx.AsyncClient(base_url=etg.url, timeout=PATIENCE) as http:
        first = await http.get("/verify.js")
        tag = first.headers["etag"]
        again = await http.get("/verify.js", headers={"if-none-match": f'"other", {tag}'})
        other = await http.get("/verify.js", headers={"if-none-match": '"other"'})
        plain = await http.get("/verify.js", headers={"accept-encoding": "identity"})

    assert first.content == other.content == plain.content == (WEB / "verify.js").read_bytes()
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    assert first.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert first.headers["cache-control"] == again.headers["cache-control"] == "no-cache"


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    pages = Pages(tmp_path)
    file = tmp_path / "index.html"
    file.write_text("old")
    old = pages.find("/")
    assert old is pages.find("/index.html")
    file.write_text("newer")
    new = pages.find("/")

    assert old is not None
    assert new is not None
    assert (old.body, new.body) == (b"old", b"newer")
    assert old.tag != new.tag


ELSEWHERE = (
    *("/../secret.js", "/lib/../a.js", "//a.js/../a.js", "/./a.js", "/..\\secret.js", "/C:a.js"),
    *("/lib", "/lib/", "/lib//c.js", "/a.js/b.js", "/b.js", "/.js", "/a.toml", "/a"),
    *("/a\0.js", "/\ud800.js"),
)


def test_only_the_files_of_the_folder_are_there(tmp_path: Path) -> None:
    folder = tmp_path / "web"
    (folder / "lib").mkdir(parents=True)
    for name in ("a.js", "a.toml", "lib/c.js", "../secret.js"):
        (folder / name).write_text("something")
    pages = Pages(folder)

    assert [path for path in ELSEWHERE if pages.find(path) is not None] == []
    assert pages.find("/lib/c.js") is not None
    assert pages.find("/a.js") is not None


async def test_what_goes_wrong_inside_has_them_too_and_says_nothing(
    etg: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> Any:
        raise ZeroDivisionError(f"a secret about {name}")

    monkeypatch.setattr(etg.server.live, "table", broken)
    async with httpx.AsyncClient(base_url=etg.url, timeout=PATIENCE) as http:
        answer = await http.get(f"/api/v1/tables/{ETG}")

    assert (answer.status_code, answer.json()["code"]) == (500, "server/failed")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["x-frame-options"] == "DENY"


async def test_a_socket_that_is_turned_away_is_told_so_with_the_headers(etg: House) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await websocket(
            etg.url.replace("http", "ws") + "/api/v1/live",
            additional_headers={"origin": "https://evil.example"},
        )
    answer = caught.value.response

    assert answer.status_code == 403
    assert b"server/origin" in bytes(answer.body or b"")
    for name, value in HEADERS.items():
        assert answer.headers[name] == value


async def test_an_answer_in_two_parts_comes_at_once(
    etg: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system that collects small parts would hold the second back until the first is confirmed,
    40 ms later; so every connection is told not to."""
    made: list[bool] = []
    usual = door.Request.connection_made

    def connection_made(self: door.Request, transport: Any) -> None:
        usual(self, transport)
        bare = transport.get_extra_info("socket")
        made.append(bool(bare.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))

    monkeypatch.setattr(door.Request, "connection_made", connection_made)
    async with httpx.AsyncClient(base_url=etg.url, timeout=PATIENCE) as http:
        await http.get("/api/v1/tables")

    assert made == [True]


async def test_a_method_that_is_none_is_told_which_there_are(etg: House) -> None:
    async with httpx.AsyncClient(base_url=etg.url, timeout=PATIENCE) as http:
        answer = await http.put("/api/v1/me")

    assert "GET" in answer.headers["allow"]


async def test_no_secret_comes_into_the_logs(etg: House, caplog: pytest.LogCaptureFixture) -> None:
    """A whole session with everything switched on, from a wrong password to the sign-out."""
    caplog.set_level(logging.DEBUG)
    with structlog.testing.capture_logs() as told:
        ann = await etg.client("ann-waterhouse")
        async with httpx.AsyncClient(base_url=etg.url, timeout=PATIENCE) as http:
            wrong = {"name": "ann-waterhouse", "password": "not-her-password"}
            assert (await http.post("/api/v1/sign-in", json=wrong)).status_code == 401
            right = {"name": "ann-waterhouse", "password": PASSWORD}
            signed = (await http.post("/api/v1/sign-in", json=right)).json()
            await http.get("/api/v1/me", headers={"cookie": f"{SECURE_COOKIE}={signed['token']}"})
            await http.post("/api/v1/sign-in", content=b'{"name":"ann-waterhouse","passw')
        await ann.do(api.BuyIn(table=ETG, amount=100_000))
        issued = await ann.do(api.IssueVoucher(amount=5_000))
        async with ann.live() as live:
            await live.watch(ETG)
        await ann.post("/sign-out", {})
    # What the test's own client notes is not the server's log.
    ours = [
        one
        for one in caplog.records
        if not one.name.startswith(("httpx", "httpcore", "websockets"))
    ]
    lines = "\n".join([*(one.getMessage() for one in ours), *(repr(one) for one in told)])
    assert issued.voucher is not None
    for secret in (
        PASSWORD,
        "not-her-password",
        "ann-waterhouse",
        ann.token,
        signed["token"],
        signed["csrf"],
        issued.voucher.number,
        etg.server.keys.signing.hex(),
        etg.server.keys.sealing.hex(),
        "$argon2",
    ):
        assert secret not in lines, secret


# --- help -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["", 'venue.helpline = ""', 'venue.helpline = "  "'])
async def test_no_table_opens_without_a_helpline(line: str) -> None:
    with pytest.raises(Refusal):
        parse(f'{line}\n[[table]]\nname = "t"\nbook = "online-baccarat"\n')


async def test_every_table_and_the_lobby_show_the_helpline(etg: House) -> None:
    async with httpx.AsyncClient(base_url=etg.url, timeout=PATIENCE) as http:
        lobby = (await http.get("/api/v1/tables")).json()
        table = (await http.get(f"/api/v1/tables/{ETG}")).json()

    assert lobby["helpline"]
    assert table["shown"]["helpline"]
