"""The manual's studies that are worked out say what the lab says; all of them have a picture."""

from xml.etree.ElementTree import fromstring

import pytest

from docs.make_numbers import SHOWN
from docs.make_studies import FOLDER, STUDIES, written


@pytest.mark.parametrize("name", ["per-hour", "distribution"])
def test_what_is_worked_out_is_what_the_lab_says(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")

    assert text == written(STUDIES[name]().sheet(), name), "run: python docs/make_studies.py"


def test_every_study_is_on_the_page_with_its_picture() -> None:
    assert set(SHOWN) == {*STUDIES, "simulation"}
    for name in STUDIES:
        drawn = fromstring((FOLDER / f"{name}.svg").read_text(encoding="utf-8"))
        assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
