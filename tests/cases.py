"""Many cases in one test: all of them are tried, and whichever fails is named.

pytest keeps a record of each test, which takes longer than a case of a pure function does. A test
that needs fixtures made anew for each case uses `pytest.mark.parametrize` instead.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., object])
Ids = Sequence[object] | Callable[[Any], object] | None


def every(
    names: str | Sequence[str], cases: Iterable[Any], ids: Ids = None
) -> Callable[[Test], Test]:
    """Try a test with every case; the words are those of `pytest.mark.parametrize`."""
    arguments = [one.strip() for one in names.split(",")] if isinstance(names, str) else [*names]
    listed = [_values(case, len(arguments)) for case in cases]
    assert listed, "a test without a case proves nothing"

    def trying(test: Test) -> Test:
        signature = inspect.signature(test)
        rest = [one for name, one in signature.parameters.items() if name not in arguments]
        assert len(rest) + len(arguments) == len(signature.parameters), f"it takes no {names}"

        def tried(**fixtures: Any) -> None:
            failures: list[BaseException] = []
            for place, values in enumerate(listed):
                try:
                    told = test(**fixtures, **dict(zip(arguments, values, strict=True)))
                    assert told is None, "a test asserts; what it returns is lost"
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as failure:
                    failure.add_note(f"The case: {_title(arguments, values, place, ids)}")
                    failures.append(failure)
            assert not any(isinstance(one, pytest.skip.Exception) for one in failures), "skipped"
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(listed)} cases", failures)

        tried.__dict__.update(test.__dict__)
        for name in ("__module__", "__name__", "__qualname__", "__doc__"):
            setattr(tried, name, getattr(test, name))
        tried.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return tried  # type: ignore[return-value]

    return trying


def _values(case: Any, count: int) -> Sequence[Any]:
    assert not isinstance(case, type(pytest.param())), "pytest.param is for parametrize"
    values = [case] if count == 1 else [*case]
    assert len(values) == count, f"{case!r} is no case of {count} values"
    return values


def _title(arguments: list[str], values: Sequence[Any], place: int, ids: Ids) -> str:
    if ids is None:
        return ", ".join(
            f"{name} = {value!r}" for name, value in zip(arguments, values, strict=True)
        )
    return ", ".join(str(ids(one)) for one in values) if callable(ids) else str(ids[place])
