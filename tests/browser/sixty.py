"""A floor of sixty tables that is made up, and the lobby that shows it."""

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

FABRICATED = 60


def floor_of_sixty(version: int) -> dict[str, Any]:
    """A floor of sixty tables, every one of which differs from one version to the next."""
    phases = ("betting", "dealing", "settled")
    tables = [
        {
            "table": f"t{number}",
            "title": f"Table {number}",
            "book": "rws-commission",
            "book_name": "RWS Commission Baccarat",
            "deals": "automatic",
            "face_down": False,
            "dealing": True,
            "open": True,
            "phase": phases[(version + number) % 3],
            "until": 4_000_000_000_000 + 1_000 * version,
            "shoe": 1,
            "round": 40 + version,
            "boxes": 9,
            "taken_boxes": list(range(1, 1 + (version + number) % 9)),
            "patrons": version,
            "limits": [
                {
                    "kind": kind,
                    "scope": "bet",
                    "spots": ["player", "banker"],
                    "amount": amount,
                    "clause": "CB4 3.4",
                }
                for kind, amount in (("minimum", 1_000), ("maximum", 500_000))
            ],
            "winners": "".join("BPTBBPPB"[(number * place) % 8] for place in range(40 + version)),
        }
        for number in range(FABRICATED)
    ]
    return {
        "venue": "Sixty",
        "currency": "XTS",
        "digits": 2,
        "helpline": "help",
        "language": "en",
        "theme": "green",
        "self_service": True,
        "now": 0,
        "tables": tables,
    }


def lobby_of_sixty(context: BrowserContext, url: str) -> Page:
    """The lobby, which hears of nothing but what it is shown."""
    page = context.new_page()
    books = [{"id": "rws-commission", "variant": "commission"}]
    # Asked again, nobody answers: what is shown comes from nowhere else.
    page.add_init_script(
        """const ask = fetch; let asked = 0;
        globalThis.fetch = (path, more) =>
          String(path).endsWith("/tables") && asked++ ? new Promise(() => {}) : ask(path, more);"""
    )
    page.route("**/api/v1/tables", lambda route: route.fulfill(json=floor_of_sixty(0)))
    page.route("**/api/v1/books", lambda route: route.fulfill(json=books))
    page.route_web_socket("**/api/v1/live*", lambda socket: None)
    page.goto(url)
    expect(page.locator(".card")).to_have_count(FABRICATED)
    page.wait_for_function("document.querySelector('.card road-map path.B')?.getAttribute('d')")
    return page
