"""The manual's page of numbers says what the engine says."""

from docs.make_numbers import PAGE, page


def test_the_page_is_what_the_engine_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python docs/make_numbers.py"
