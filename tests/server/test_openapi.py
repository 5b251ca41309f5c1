"""The API's description: whole, closed, and true of a running house."""

import asyncio
import contextlib
import json
import secrets
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

from cutcard.cli import run
from cutcard.server.routes.commands import WAYS
from tests.patience import PATIENCE
from tests.server.house import BLITZ, PASSWORD, configuration, house

ETG = "rws-non-commission-etg"
WELL_FORMED, MALFORMED = 2, 1
"""How often each operation is asked for."""

PATRONS = 160
"""One for every operation, since some of them sign out or exclude whoever asks."""

REFUSALS = {"400", "401", "403", "404", "405", "409", "413", "429", "503"}


class Standing:
    """A house in a thread of its own, for clients that know nothing of asyncio."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._ready, self._over = threading.Event(), threading.Event()
        self.url = ""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._stand()))

    async def _stand(self) -> None:
        async with house(configuration(pace=BLITZ), self._address) as open_house:
            for number in range(PATRONS):
                await open_house.person(f"p{number}")
            self.url = open_house.url
            self.schema = open_house.app.openapi
            self._ready.set()
            while not self._over.is_set():
                await asyncio.sleep(0.02)

    def __enter__(self) -> "Standing":
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(PATIENCE)


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    with Standing(f"sqlite:{tmp_path_factory.mktemp('api') / 'house.db'}") as found:
        yield found


@pytest.fixture(scope="module")
def schema(standing: Standing) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(
        f"{standing.url}/api/v1/openapi.json", timeout=PATIENCE
    ).json()
    return found


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in schema["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def test_it_is_openapi_3_1_and_printed_by_the_command(
    schema: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["openapi"]) == 0

    assert schema["openapi"].startswith("3.1")
    assert json.loads(capsys.readouterr().out)["paths"] == schema["paths"]


def test_every_command_is_there_with_body_key_and_refusals(schema: dict[str, Any]) -> None:
    by_id = {operation["operationId"]: operation for _, _, operation in operations(schema)}
    for way in WAYS:
        command = by_id[way.kind.__struct_config__.tag]
        headers = [one["name"] for one in command["parameters"] if one["in"] == "header"]
        body = command["requestBody"]["content"]["application/json"]["schema"]["$ref"]

        assert headers == ["Idempotency-Key"]
        assert body == f"#/components/schemas/{way.kind.__name__}Body"
        assert set(command["responses"]) == {"200"} | REFUSALS
        assert command["security"] == [{"bearer": []}, {"cookie": [], "csrf": []}]


def test_messages_have_the_named_fields_and_no_others(schema: dict[str, Any]) -> None:
    for name, one in schema["components"]["schemas"].items():
        if "properties" in one:
            assert one["additionalProperties"] is False, name
    assert schema["components"]["schemas"]["Done"]["properties"]["is"] == {"enum": ["done"]}


def test_every_reference_leads_somewhere(schema: dict[str, Any]) -> None:
    def references(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                yield value["$ref"]
            for one in value.values():
                yield from references(one)
        elif isinstance(value, list):
            for one in value:
                yield from references(one)

    for reference in references(schema):
        assert reference.removeprefix("#/components/schemas/") in schema["components"]["schemas"]


def test_a_path_parameter_can_lead_nowhere(schema: dict[str, Any]) -> None:
    for path, _, operation in operations(schema):
        assert "404" in operation["responses"] or "{" not in path, path


def test_a_few_hundred_requests_are_answered_as_described(standing: Standing) -> None:
    """Well-formed and malformed, as a patron: nothing fails, and nothing is undescribed."""
    # Every process that collects tests would load it, and it takes the longest of all.
    import schemathesis
    from schemathesis import GenerationMode

    described = schemathesis.openapi.from_url(f"{standing.url}/api/v1/openapi.json")
    made = 0
    with httpx.Client(timeout=PATIENCE) as http:
        for number, found in enumerate(described.get_all_operations()):
            operation: Any = found.ok()  # type: ignore[union-attr]
            signing = {"name": f"p{number}", "password": PASSWORD}
            token = http.post(f"{standing.url}/api/v1/sign-in", json=signing).json()["token"]
            cases = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
            made += _asked(cases, WELL_FORMED, token, keyed=True)
            cases = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
            # Where nothing is sent, nothing can be malformed.
            with contextlib.suppress(Unsatisfiable):
                made += _asked(cases, MALFORMED, token, keyed=False)
    assert made > 250


def _asked(cases: Any, most: int, token: str, *, keyed: bool) -> int:
    made = 0

    @settings(
        max_examples=most,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def ask(case: Any) -> None:
        nonlocal made
        made += 1
        if case.path_parameters and made % 2:
            case.path_parameters["table"] = ETG
        headers = {"Authorization": f"Bearer {token}"}
        if keyed and "Idempotency-Key" in (case.headers or {}):
            headers["Idempotency-Key"] = secrets.token_hex(8)
        case.call_and_validate(headers=headers, timeout=PATIENCE)

    ask()
    return made
