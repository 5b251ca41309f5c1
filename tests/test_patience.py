"""No test measures the machine: none sleeps for long, none gives up soon, none reads a clock.

What tests/patience.py does not allow by name is found here, in every file of the tests.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.cases import every
from tests.patience import ALLOWED, LONGEST, PATIENCE, PATIENCE_MS

TESTS = Path(__file__).parent
OWN = {"patience.py", "test_patience.py"}

LONGEST_SLEEP = 0.05
SLEEPS = {"sleep": 1.0, "wait_for_timeout": 0.001}
"""Calls that wait for a fixed time, and what they count in, in seconds."""

GIVES_UP = {"timeout", "timeout_at", "fail_after", "move_on_after", "wait", "join", "result"}
"""Methods whose first argument may be a patience."""

BESIDE = {"asyncio", "concurrent", "httpx", "playwright", "subprocess", "threading", "websockets"}
"""A file that imports one of these waits in real time; the clock of a scene is the test's own."""

CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time", "monotonic_ns"}
PATIENT = {"PATIENCE", "PATIENCE_MS", "LONGEST"}
LEAST_LEASE = 60_000


def name_of(node: ast.expr) -> str:
    """The last part of a dotted name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def number(node: ast.expr) -> float | None:
    """What a node comes to, if it consists of numbers alone."""
    parts = (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Constant)
    if not all(isinstance(one, parts) for one in ast.walk(node)):
        return None
    value = eval(compile(ast.Expression(node), "", "eval"))
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def impatient(node: ast.expr) -> bool:
    """Whether a patience is neither none at all nor made from one of the tests' own."""
    if isinstance(node, ast.Constant) and node.value is None:
        return False
    named = {name_of(one) for one in ast.walk(node) if isinstance(one, ast.expr)}
    return not named & PATIENT


def is_patience(name: str) -> bool:
    return re.fullmatch(r"_?(\w+_)?(patience|timeout)(_ms)?", name, re.IGNORECASE) is not None


def imported(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    return found


def of_call(call: ast.Call, *, beside: bool) -> Iterator[ast.AST]:
    """What is wrong with one call, in a file that waits for others or does not."""
    name, first = name_of(call.func), call.args[0] if call.args else None
    if name in SLEEPS and first is not None:
        length = number(first)
        if length is None or length * SLEEPS[name] > LONGEST_SLEEP:
            yield call
    method = isinstance(call.func, ast.Attribute) and first is not None
    if beside and method and name in GIVES_UP and number(call.args[0]) is not None:
        yield call
    if name in CLOCKS:
        yield call
    if name == "setattr":
        *place, value = call.args
        told = [str(one.value) for one in place if isinstance(one, ast.Constant)]
        if told and is_patience(told[-1].rpartition(".")[2]) and impatient(value):
            yield call
    for keyword in call.keywords:
        if is_patience(keyword.arg or "") and impatient(keyword.value):
            yield keyword
        if keyword.arg == "lease_ms" and (number(keyword.value) or LEAST_LEASE) < LEAST_LEASE:
            yield keyword


def suspects(tree: ast.AST) -> Iterator[str]:
    """Every place of a file that waits for some time, gives up after some, or reads a clock."""
    beside = bool(imported(tree) & BESIDE)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from map(ast.unparse, of_call(node, beside=beside))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in filter(is_patience, map(name_of, targets)):
                least = 60_000 if name.lower().endswith("_ms") else 60
                if (number(node.value) or least) < least:
                    yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from in_script(node.value)


def in_script(text: str) -> Iterator[str]:
    """The same of the browser's own sleeps."""
    for found in re.finditer(r"setTimeout\([^;]*?,\s*(\d[\d_]*)\s*\)", text):
        if int(found[1].replace("_", "")) > 1000 * LONGEST_SLEEP:
            yield found[0]


def found_in_tests() -> set[tuple[str, str]]:
    found = set()
    for path in sorted(TESTS.rglob("*.py")):
        name = path.relative_to(TESTS).as_posix()
        if name not in OWN:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found |= {(name, place) for place in suspects(tree)}
    for path in sorted((*TESTS.rglob("*.js"), *TESTS.rglob("*.html"))):
        name = path.relative_to(TESTS).as_posix()
        found |= {(name, place) for place in in_script(path.read_text(encoding="utf-8"))}
    return found


def test_no_test_waits_for_a_fixed_time_gives_up_soon_or_reads_a_clock() -> None:
    """Wait with `until` or `wait_until` (tests/patience.py), or allow it there with a reason."""
    found = found_in_tests()

    assert sorted(found - ALLOWED.keys()) == [], "not allowed in tests/patience.py"
    assert sorted(ALLOWED.keys() - found) == [], "allowed, and no longer there"


def test_patience_is_at_least_a_minute() -> None:
    assert PATIENCE >= 60
    assert PATIENCE_MS == 1000 * PATIENCE
    assert LONGEST > PATIENCE


@every(
    "source",
    [
        "time.sleep(0.06)",
        "await asyncio.sleep(1)",
        "sleep(length)",
        "page.wait_for_timeout(51)",
        "import asyncio; asyncio.timeout(59)",
        "from threading import Thread; thread.join(5)",
        "import concurrent.futures; future.result(2 * 10)",
        "get(url, timeout=10)",
        "Live(url, patience=0.1)",
        "page.goto(url, timeout=30_000)",
        "live._patience = 3",
        "TIMEOUT: float = 5",
        "monkeypatch.setattr(door, 'PATIENCE', 0.3)",
        "monkeypatch.setattr('cutcard.server.server.PATIENCE', 0.1)",
        "began = time.perf_counter()",
        "replace(server, lease_ms=2_000)",
        "page.evaluate('setTimeout(go, 100)')",
    ],
)
def test_what_would_measure_the_machine_is_found(source: str) -> None:
    assert [*suspects(ast.parse(source))] != []


@every(
    "source",
    [
        "time.sleep(0.05)",
        "page.wait_for_timeout(20)",
        "import asyncio; asyncio.timeout(PATIENCE)",
        "scene.bet('ann', banker=100).wait(10_000)",
        "', '.join(names)",
        "thread.join(PATIENCE)",
        "get(url, timeout=PATIENCE)",
        "page.goto(url, timeout=2 * PATIENCE_MS)",
        "subprocess.run(command, timeout=None)",
        "replace(server, lease_ms=60_000)",
        "page.evaluate('setTimeout(go, 0)')",
    ],
)
def test_what_only_waits_for_what_must_come_is_not(source: str) -> None:
    assert [*suspects(ast.parse(source))] == []
