"""The browser's files: read once, compressed once, and sent only to a browser that lacks them.

A page asks for 16 to 55 files. Each answer carries a tag of the content; a browser that names
the tag gets an empty answer. Browsers ask every time (`no-cache`), so that files of two versions
never make one page. A file that changes on the disk is read again.
"""

import gzip
import hashlib
import os
import re
import stat
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any, NamedTuple

KINDS = {
    ".css": b"text/css; charset=utf-8",
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".svg": b"image/svg+xml",
}
"""The content type of every file that a browser may ask for."""

_NO_NAME = re.compile(r"^\.{0,2}$|[\\:]")
"""A part of a path that leads elsewhere."""

Header = tuple[bytes, bytes]


class Page(NamedTuple):
    """One file, ready to be sent."""

    stamp: tuple[int, int]
    """When the file was written, in nanoseconds, and its size."""

    body: bytes
    packed: bytes
    headers: tuple[Header, ...]
    tag: bytes


class Pages:
    """The files of a folder, by the path in their address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, Page] = {}

    def find(self, path: str) -> Page | None:
        """The file at a path, if there is one for browsers."""
        parts = (path.strip("/") or "index.html").split("/")
        kind = KINDS.get(os.path.splitext(parts[-1])[1])
        if kind is None or any(_NO_NAME.search(part) for part in parts):
            return None
        name = os.path.join(self._folder, *parts)
        try:
            found = os.stat(name)
        except (OSError, ValueError):
            # There is no such file, or no file can have such a name.
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        stamp = found.st_mtime_ns, found.st_size
        page = self._read.get(name)
        if page is None or page.stamp != stamp:
            page = self._read[name] = _page(Path(name).read_bytes(), kind, stamp)
        return page

    async def answer(
        self,
        scope: Mapping[str, Any],
        send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
    ) -> bool:
        """Send the file that a request asks for; False where it asks for something else."""
        page = self.find(scope["path"]) if scope["method"] == "GET" else None
        if page is None:
            return False
        asked = dict(scope["headers"])
        status, body, headers = 200, page.body, page.headers
        if page.tag in asked.get(b"if-none-match", b""):
            status, body = 304, b""
        elif accepts_gzip(asked.get(b"accept-encoding", b"").decode("latin-1")):
            body, headers = page.packed, (*headers, (b"content-encoding", b"gzip"))
        if status == 200:
            headers = (*headers, (b"content-length", b"%d" % len(body)))
        await send({"type": "http.response.start", "status": status, "headers": [*headers]})
        await send({"type": "http.response.body", "body": body})
        return True


def _page(body: bytes, kind: bytes, stamp: tuple[int, int]) -> Page:
    tag = b'"%s"' % hashlib.sha256(body).hexdigest()[:32].encode()
    headers = (
        (b"content-type", kind),
        (b"cache-control", b"no-cache"),
        # Weak: the same content may be sent compressed or as it is.
        (b"etag", b"W/" + tag),
        (b"vary", b"Accept-Encoding"),
    )
    return Page(stamp, body, gzip.compress(body, mtime=0), headers, tag)


def accepts_gzip(accepted: str) -> bool:
    """Whether an `Accept-Encoding` allows gzip.

    >>> accepts_gzip("br;q=1.0, gzip;q=0.8"), accepts_gzip("gzip;q=0, identity"), accepts_gzip("")
    (True, False, False)
    """
    for one in accepted.split(","):
        name, _, weight = one.replace(" ", "").lower().partition(";q=")
        if name == "gzip":
            return weight.strip("0.") != "" or not weight
    return False
