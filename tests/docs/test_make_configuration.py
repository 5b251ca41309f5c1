"""The manual's page of the configuration says what the server reads."""

from docs.make_configuration import PAGE, page


def test_the_page_is_what_the_server_reads() -> None:
    written = PAGE.read_text(encoding="utf-8")

    assert written == page(), "run: python docs/make_configuration.py"
