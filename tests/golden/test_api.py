"""The API keeps its promise: paths, parameters, statuses and fields are only ever added."""

import asyncio
import json
from copy import deepcopy
from typing import Any

import pytest

from cutcard.server.description import document
from tests.cases import every
from tests.golden.promised_api import bare, lost, promised

BETS = "/api/v1/tables/{table}/bets"


@pytest.fixture(scope="module")
def now() -> dict[str, Any]:
    return asyncio.run(document())


def test_nothing_is_lost(now: dict[str, Any]) -> None:
    assert lost(promised(), now) == []


def test_what_is_new_is_promised_too(now: dict[str, Any]) -> None:
    assert json.loads(json.dumps(bare(now))) == promised(), (
        "run python -m tests.golden.promised_api"
    )


@every(
    ("place", "says"),
    [
        (("paths", BETS), "POST {} is gone"),
        (("paths", BETS, "post"), "POST {} is gone"),
        (("paths", BETS, "post", "requestBody"), "POST {}: the body is gone"),
        (("paths", BETS, "post", "responses", "409"), "POST {}: status 409 is gone"),
        (
            ("paths", BETS, "post", "parameters", 1),
            "POST {}: header parameter Idempotency-Key is gone",
        ),
        (("schemas", "PlaceBetBody", "properties", "stake"), "POST {}: field stake is gone"),
        (("schemas", "Refused", "properties", "code"), "GET /api/v1/books 400: field code is gone"),
    ],
)
def test_what_is_taken_away_is_noticed(place: tuple[Any, ...], says: str) -> None:
    changed = promised()
    part = changed["components"] if place[0] == "schemas" else changed
    for key in place[:-1]:
        part = part[key]
    del part[place[-1]]

    assert says.format(BETS) in lost(promised(), changed)


def test_what_is_asked_for_in_addition_is_noticed() -> None:
    changed = promised()
    schemas, place = changed["components"]["schemas"], changed["paths"][BETS]["post"]
    schemas["PlaceBetBody"]["required"].append("box")
    place["parameters"].append({"name": "fee", "in": "query", "required": True, "schema": {}})

    assert lost(promised(), changed) == [
        f"POST {BETS}: query parameter fee is required now",
        f"POST {BETS}: field box is required now",
    ]


def test_another_type_is_noticed() -> None:
    changed = promised()
    changed["components"]["schemas"]["PlaceBetBody"]["properties"]["stake"]["type"] = "string"

    assert f"POST {BETS}.stake: type was integer, is string" in lost(promised(), changed)


def test_additions_are_no_loss() -> None:
    grown = promised()
    grown["paths"]["/api/v1/new"] = deepcopy(grown["paths"][BETS])
    body = grown["components"]["schemas"]["PlaceBetBody"]
    body["properties"]["note"] = {"type": "string"}
    grown["paths"][BETS]["post"]["responses"]["418"] = {}

    assert lost(promised(), grown) == []
