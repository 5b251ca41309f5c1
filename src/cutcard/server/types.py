"""The browser's types, made from the messages: `python -m cutcard.server.types` writes them.

A page that misspells a field of a message then finds out while it is written.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from cutcard.server.openapi import messages
from cutcard.wire import answers, api

PLACE = Path(__file__).parent.parent / "web" / "lib" / "api.d.ts"
HEAD = """\
// Made by `python -m cutcard.server.types` from the server's own messages. Do not edit.
"""
REF = "{name}"
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
NARROWER = {("Change", "changes"): "Partial<TableShown>"}
"""Where the page can know more than the schema says."""


def document() -> str:
    """All types in one file."""
    commands, said, told = (_kinds(one) for one in (api.Command, api.Said, answers.Told))
    types = [*messages(), *commands, *said]
    _, found = msgspec.json.schema_components(types, ref_template=REF)
    parts = [_interface(name, one) for name, one in sorted(found.items())]
    for name, kinds in (("Command", commands), ("Said", said), ("Told", told)):
        parts.append(_union(name, kinds))
    return "\n".join([HEAD, *parts])


def _kinds(union: Any) -> list[type]:
    return list(union.__args__)


def _union(name: str, kinds: list[type]) -> str:
    lines = "\n".join(f"  | {one.__name__}" for one in kinds)
    return f"export type {name} =\n{lines};\n"


def _interface(name: str, schema: dict[str, Any]) -> str:
    return "\n".join(
        [*_about(schema), f"export interface {name} {{", *_fields(name, schema), "}\n"]
    )


def _fields(name: str, schema: dict[str, Any]) -> Iterator[str]:
    required = set(schema.get("required", ()))
    for field, one in schema.get("properties", {}).items():
        kind = NARROWER.get((name, field)) or _type(one)
        yield f"  {field}{'' if field in required else '?'}: {kind};"


def _about(schema: dict[str, Any]) -> Iterator[str]:
    if "description" in schema:
        yield f"/** {schema['description'].splitlines()[0]} */"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        inner = _type(schema["items"]) if "items" in schema else "unknown"
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
    return PLAIN.get(str(kind), "unknown")


if __name__ == "__main__":
    PLACE.write_text(document(), encoding="utf-8")
