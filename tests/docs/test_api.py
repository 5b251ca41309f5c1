"""The page on the API names every command with its own path and fields."""

from pathlib import Path

import msgspec

from cutcard.server.routes.commands import WAYS, Way
from tests.cases import every

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


@every("way", WAYS, ids=lambda way: way.kind.__name__)
def test_every_command_is_on_the_page(way: Way) -> None:
    path = way.path.replace("{table:str}", "{table}")
    fields = ", ".join(
        one.name + ("" if one.default is msgspec.NODEFAULT else "?")
        for one in msgspec.structs.fields(way.kind)
        if not (way.at_table and one.name == "table")
    )

    assert f"| `{way.kind.__struct_config__.tag}` | `{path}` | {fields} |" in PAGE
