"""What is compiled is compiled once: the second process of a test run waits for the first."""

from pathlib import Path

import pytest

import cutcard.lab


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    gate = Path(cutcard.lab.__file__).parent / "__pycache__" / "compiling"
    with gate.open("w") as file:
        try:
            from fcntl import LOCK_EX, flock
        except ImportError:  # Windows has no such lock; there both compile.
            pass
        else:
            flock(file, LOCK_EX)
        from tests.lab.slow import compile_all

        compile_all()
