"""Makes the browser's copy of the catalogue: `python -m tests.browser.make_texts`.

The catalogue is the one place where they are written; a page that may not ask the
network for anything needs them beside it.
"""

import json
from pathlib import Path

import cutcard
from cutcard.refusals.catalogue import LANGUAGES, catalogue

FOLDER = Path(cutcard.__file__).with_name("web") / "texts"
HEAD = "/** Made from the catalogue by tests/browser/make_texts.py; not written by hand. */"


def written(language: str) -> str:
    sentences = json.dumps(dict(catalogue(language)), ensure_ascii=False, indent=2)
    return f"{HEAD}\n\nexport const catalogue = {sentences};\n"


if __name__ == "__main__":
    for language in LANGUAGES:
        (FOLDER / f"catalogue.{language}.js").write_text(written(language), encoding="utf-8")
