"""The compiler: one decorator for everything that Numba turns into machine code.

What is compiled is cached on disk, for this machine's processor, so only the first use waits.
It lets go of the interpreter while it runs, so that threads run side by side.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """A function as machine code; it is compiled when it is first called."""
    try:
        return cast(F, njit(nogil=True, cache=True, error_model="numpy")(function))
    except RuntimeError:
        # There is no folder that can be written to, so every process compiles for itself.
        return cast(F, njit(nogil=True, error_model="numpy")(function))


def inlined(function: F) -> F:
    """A part of compiled functions, written into each of them."""
    return cast(F, njit(nogil=True, forceinline=True, error_model="numpy")(function))
