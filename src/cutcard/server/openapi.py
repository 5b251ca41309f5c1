"""The API's description: OpenAPI 3.1, made from the messages themselves.

The framework knows paths and parameters. What is sent and answered, who may ask and what
may be refused, it knows only in part: that is filled in here from the same types that
read and write the messages.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from cutcard.server.headers import SECURE_COOKIE
from cutcard.server.routes.asking import REFUSED
from cutcard.server.routes.commands import WAYS, body_of
from cutcard.wire import answers, api, bodies, staffed

SCHEMES: Mapping[str, Any] = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a sign-in, for programs.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": SECURE_COOKIE,
        "description": "The token of a sign-in, for pages of this server.",
    },
    "csrf": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRF-Token",
        "description": "With a cookie, whatever changes anything must carry this too.",
    },
}
READ: list[dict[str, Any]] = [{"bearer": []}, {"cookie": []}]
WRITE: list[dict[str, Any]] = [{"bearer": []}, {"cookie": [], "csrf": []}]
EVERYBODY = (400, 405, 429, 503)
"""What anybody may be refused with, whatever is asked."""

PUBLIC_POSTS = ("/api/v1/sign-in", "/api/v1/guests")
REF = "#/components/schemas/{name}"


def described(schema: dict[str, Any]) -> dict[str, Any]:
    """The framework's description, made whole."""
    paths = {
        path: {method: _operation(path, method, one) for method, one in item.items()}
        for path, item in schema["paths"].items()
    }
    return {
        **schema,
        "paths": paths,
        "components": {"schemas": components(), "securitySchemes": dict(SCHEMES)},
    }


def messages() -> list[type[msgspec.Struct]]:
    """Everything that is sent to the API or answered by it, but for the bodies of commands."""
    shown = [*vars(answers).values(), *vars(staffed).values(), *vars(bodies).values()]
    types = dict.fromkeys(one for one in shown if isinstance(one, type) and _is_message(one))
    return [api.Done, api.Refused, *types]


def _is_message(one: type) -> bool:
    own = one.__module__.startswith("cutcard.") and not one.__name__.startswith("_")
    return own and issubclass(one, msgspec.Struct)


def components() -> dict[str, Any]:
    """The messages as schemas. They have the fields that are named, and no others."""
    types = [*messages(), *(body_of(way) for way in WAYS)]
    _, found = msgspec.json.schema_components(types, ref_template=REF)
    return {name: _closed(one) for name, one in sorted(found.items())}


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("type") == "object" and "properties" in schema:
        return {**schema, "additionalProperties": False}
    return schema


def _operation(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    answered = dict(operation["responses"])
    codes = set(EVERYBODY)
    if "{" in path:
        codes.add(404)
    if "requestBody" in operation:
        codes.add(413)
    needs = _security(path, method, answered)
    if any(needs) and {} not in needs:
        codes.add(401)
    for code in codes:
        answered.setdefault(str(code), _refusal(code))
    return {
        **operation,
        "responses": {code: answered[code] for code in sorted(answered)},
        "security": needs,
    }


def _security(path: str, method: str, answered: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Whoever can be told that nobody is signed in must be; a table shows more to a patron."""
    if path in PUBLIC_POSTS:
        return []
    if "401" in answered:
        return WRITE if method == "post" else READ
    return [{}, *READ] if path == "/api/v1/tables/{table}" else []


def _refusal(code: int) -> dict[str, Any]:
    refused = {"schema": {"$ref": REF.format(name="Refused")}}
    return {
        "description": REFUSED[code].description,
        "content": {"application/json": refused},
    }
