"""The worked example of 41 rounds that every road is checked against."""

import pytest

from cutcard.roads.result import Result, parse

WORKED = "T B B P P P T B P B B B B B B B B P P P P P P P P B P P B P B B P P T T B B B P B"


@pytest.fixture
def worked() -> tuple[Result, ...]:
    return parse(WORKED)
