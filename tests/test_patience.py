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
SLEEPS = {"sleep": 1.0, "wait_for_timeout": 0.001, "call_later": 1.0, "Timer": 1.0}
"""Calls that wait for a fixed time, and what they count in, in seconds."""

GIVES_UP = {
    "timeout": 0,
    "timeout_at": 0,
    "fail_after": 0,
    "move_on_after": 0,
    "settimeout": 0,
    "set_default_timeout": 0,
    "set_default_navigation_timeout": 0,
    "create_connection": 1,
    "communicate": 1,
    "acquire": 1,
    "select": 3,
}
"""Calls that have a patience, and which of their arguments it is."""

MAY_GIVE_UP = {"wait", "join", "result"}
"""Methods whose first argument is a patience, if it is a number."""

BESIDE = {"asyncio", "concurrent", "httpx", "playwright", "subprocess", "threading", "websockets"}
"""A file that imports one of these waits in real time; the clock of a scene is the test's own."""

CLOCKS = {
    *("monotonic", "perf_counter", "process_time", "thread_time", "time"),
    *("monotonic_ns", "perf_counter_ns", "process_time_ns", "thread_time_ns", "time_ns"),
    "timeit",
}
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


def patient(node: ast.expr) -> bool:
    """Whether it is no patience at all, or one of the tests' own, or more than that."""
    if isinstance(node, ast.Constant) and node.value is None:
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return (number(node.left) or 0) >= 1 and patient(node.right)
    return name_of(node) in PATIENT


def is_patience(name: str) -> bool:
    return re.fullmatch(r"_?(\w+_)?(patience|timeout)(_ms)?", name, re.IGNORECASE) is not None


def is_short(name: str, value: ast.expr) -> bool:
    """Whether a name that is given a value is a patience or a lease, and too short a one."""
    if name == "lease_ms":
        return (number(value) or LEAST_LEASE) < LEAST_LEASE
    return is_patience(name) and not patient(value)


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
    name, given = name_of(call.func), [*call.args, *(one.value for one in call.keywords)]
    if name in SLEEPS and given:
        length = number(given[0])
        if length is None or length * SLEEPS[name] > LONGEST_SLEEP:
            yield call
    if name in GIVES_UP and len(given) > GIVES_UP[name] and not patient(given[GIVES_UP[name]]):
        yield call
    method = isinstance(call.func, ast.Attribute) and call.args
    if beside and method and name in MAY_GIVE_UP and number(call.args[0]) is not None:
        yield call
    if name in CLOCKS and not (name == "time" and given):
        yield call
    if name in ("now", "utcnow") and name_of(getattr(call.func, "value", call.func)) == "datetime":
        yield call
    if name in ("setattr", "setitem"):
        *place, value = call.args
        told = [str(one.value) for one in place if isinstance(one, ast.Constant)]
        if told and is_short(told[-1].rpartition(".")[2], value):
            yield call
    for keyword in call.keywords:
        if is_short(keyword.arg or "", keyword.value):
            yield keyword
        if keyword.arg == "deadline" and number(keyword.value) is not None:
            yield keyword


def assigned(node: ast.Assign | ast.AnnAssign) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment gives a value, each with its own value where it has one."""
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        assert node.value is not None
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(map(name_of, target.elts), node.value.elts, strict=False)
        else:
            yield name_of(target), node.value


def counts(node: ast.AST) -> bool:
    """Whether a loop runs a number of times."""
    if isinstance(node, ast.While):
        return any(isinstance(one, ast.Constant) and number(one) for one in ast.walk(node.test))
    return isinstance(node, ast.For) and name_of(getattr(node.iter, "func", node.iter)) == "range"


def of_names(node: ast.AST) -> Iterator[ast.AST]:
    """What is wrong with what a node names: a constant, a default, a key, another name."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        for name, value in assigned(node):
            least = 60_000 if name.lower().endswith("_ms") else 60
            if is_patience(name) and (number(value) or least) < least:
                yield node
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        told = node.args
        named = [*told.posonlyargs, *told.args][-len(told.defaults) :] if told.defaults else []
        pairs = [*zip(named, told.defaults, strict=True)]
        pairs += [
            (one, value)
            for one, value in zip(told.kwonlyargs, told.kw_defaults, strict=True)
            if value is not None
        ]
        yield from (one for one, value in pairs if is_short(one.arg, value))
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and is_short(str(key.value), value):
                yield value
    elif isinstance(node, ast.ImportFrom):
        known = {*SLEEPS, *GIVES_UP, *CLOCKS}
        if any(one.asname and one.name in known for one in node.names):
            yield node
    elif counts(node):
        # A number of looks is a patience too.
        for one in ast.walk(node):
            looks = isinstance(one, ast.Call) and name_of(one.func) in ("sleep", "wait_for_timeout")
            if looks and isinstance(one, ast.Call) and not (one.args and number(one.args[0]) == 0):
                yield one


def suspects(tree: ast.AST) -> Iterator[str]:
    """Every place of a file that waits for some time, gives up after some, or reads a clock."""
    beside = bool(imported(tree) & BESIDE)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from map(ast.unparse, of_call(node, beside=beside))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from in_text(node.value)
        yield from map(ast.unparse, of_names(node))


def in_text(text: str) -> Iterator[str]:
    """The same of the browser's sleeps and clocks, and of a lease in a configuration."""
    for found in re.finditer(r"set(?:Timeout|Interval)\([^`]*?,\s*(\d[\d_.e]*)\s*\)", text):
        if float(found[1]) > 1000 * LONGEST_SLEEP:
            yield found[0]
    yield from re.findall(r"performance\.now\(\)|Date\.now\(\)", text)
    for found in re.finditer(r"lease_ms\s*=\s*(\d[\d_]*)", text):
        if int(found[1]) < LEAST_LEASE:
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
        found |= {(name, place) for place in in_text(path.read_text(encoding="utf-8"))}
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
        "page.evaluate('setInterval(() => { go(); stop(); }, 1e3)')",
        "page.evaluate('performance.now()')",
        "asyncio.sleep(delay=5)",
        "from time import sleep as nap",
        "for _ in range(100): time.sleep(0.05)",
        "for _ in range(10): page.wait_for_timeout(50)",
        "from asyncio import timeout; timeout(2)",
        "asyncio.timeout(SOON)",
        "asyncio.timeout(delay=2)",
        "asyncio.timeout_at(loop.time() + 2)",
        "anyio.fail_after(1)",
        "page.set_default_timeout(1000)",
        "line.settimeout(1)",
        "socket.create_connection(address, 1)",
        "program.communicate(None, 2)",
        "lock.acquire(True, 0.5)",
        "get(url, timeout=PATIENCE / 1000)",
        "get(url, timeout=min(PATIENCE, 1))",
        "def get(url, timeout=1): ...",
        "def get(url, *, patience=SOON): ...",
        "options = {'timeout': 100}",
        "monkeypatch.setitem(choices, 'timeout', 0.1)",
        "began = time.time()",
        "began = loop.time()",
        "settings(deadline=200)",
        "threading.Timer(0.2, go)",
        "loop.call_later(0.2, go)",
        "settings = {'lease_ms': 1000}",
        "text = 'lease_ms = 2_000'",
        "while looks < 100: time.sleep(0.05)",
        "select.select([line], [], [], 1)",
        "patience, tries = 5, 3",
        "datetime.now()",
        "datetime.datetime.now(UTC)",
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
        "def get(url, timeout=PATIENCE): ...",
        "lock.acquire()",
        "for _ in range(3): await asyncio.sleep(0)",
        "settings(deadline=None)",
        "text = 'lease_ms = 60_000'",
    ],
)
def test_what_only_waits_for_what_must_come_is_not(source: str) -> None:
    assert [*suspects(ast.parse(source))] == []
