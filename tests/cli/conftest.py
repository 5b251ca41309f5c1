"""One fixture for every test that types a command."""

import pytest

from cutcard.cli import run
from tests.cli.asking import Ask, Said


@pytest.fixture
def cutcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Types a command in a wide terminal without colours."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "200")

    def type_words(*words: str) -> Said:
        code = run(list(words))
        return Said(code, *capsys.readouterr())

    return type_words
