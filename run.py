"""Sets up everything cutcard needs, then runs it.

    python3 run.py [ARGUMENT…]          run a demonstration floor (cutcard serve)
    python3 run.py test [-- PYTEST…]    run every check; what follows goes to pytest
    python3 run.py test quick           lint, types and the pure rooms, in less than a minute
    python3 run.py test --busy          every check on a machine that is busy with other things
    python3 run.py mutate [ROOM…]       break the rules on purpose; list what no test noticed
    python3 run.py lock [--upgrade]     pin the packages of pyproject.toml in requirements.lock
    python3 run.py help                 show this text

The packages go into .venv beside this file and nowhere else. A second run finds
them there and starts at once; a changed lock, a moved folder or another Python
is noticed. Only the standard library is used here, and the file stays readable
to Python 3.6, so that an old Python says what is wrong instead of failing.
"""

import sys

OLDEST = (3, 11)


def too_old(version: "tuple[int, ...]") -> str:
    """The sentence for a Python that is too old; empty for one that will do."""
    if tuple(version[:2]) >= OLDEST:
        return ""
    return (
        f"cutcard needs Python {OLDEST[0]}.{OLDEST[1]} or newer, and this is Python "
        f"{version[0]}.{version[1]}. Install a newer one and call run.py with it, "
        f"for example: python{OLDEST[0]}.{OLDEST[1]} run.py"
    )


if sys.version_info < OLDEST:
    sys.exit(too_old(sys.version_info[:2]))

import ast
import contextlib
import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "cutcard-stamp"
LOCK = ROOT / "requirements.lock"
PYPROJECT = ROOT / "pyproject.toml"
MUTANTS = ROOT / "mutants"
COMMANDS = ("test", "mutate", "lock", "help")
CORES = os.cpu_count() or 1
# One worker more than cores, since tests also wait for browsers, disks and clocks; what a file's
# tests share, such as a house or a browser, is made once. Files come in the order of PARTS.
WORKERS = CORES + 1
ALL_CORES = (f"--numprocesses={WORKERS}", "--dist=loadfile", "--no-loadscope-reorder")
SLOWEST = "--durations=25"

PARTS = {
    "store and server": ("server", "store", "wire"),
    "browser": ("browser",),
    "lab, floor, command line": ("cli", "docs", "floor", "golden", "lab", "pack", "school"),
    "pure rooms": (
        "cage",
        "chain",
        "clauses",
        "fairness",
        "ledger",
        "odds",
        "patron",
        "refusals",
        "roads",
        "round",
        "rulebooks",
        "rules",
        "table",
        "venue",
    ),
}
"""The parts of the tests by their folders, in the order in which they run: long files first, and a
new machine fetches its browser meanwhile. What is in none of them is pure."""

BUDGET = {
    "set-up": 30,
    "lint and types": 60,
    "store and server": 70,
    "browser": 105,
    "lab, floor, command line": 60,
    "pure rooms": 35,
    "total": 300,
}
"""Seconds on two quiet cores. Types are checked beside the tests, and a part of the tests takes
its share of the workers' time, so that the others come to the total. Whoever exceeds a budget is
told, and nothing fails."""


class Stop(Exception):
    """Ends the run with a sentence for the person at the keyboard."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code


# --- the command line -------------------------------------------------------------------------


def parse(arguments: list[str]) -> tuple[str, list[str]]:
    """Which command is meant, and what is passed on to it.

    >>> parse([])
    ('serve', [])
    >>> parse(["--port", "8000"])
    ('serve', ['--port', '8000'])
    >>> parse(["test", "--", "-k", "tie"])
    ('test', ['-k', 'tie'])
    >>> parse(["test", "quick"])
    ('test', ['quick'])
    """
    command, rest = "serve", arguments
    if arguments and arguments[0] in ("-h", "--help"):
        command, rest = "help", []
    elif arguments and not arguments[0].startswith("-"):
        command, rest = arguments[0], arguments[1:]
        if command not in COMMANDS:
            raise Stop(
                f"run.py has no command “{command}”. The commands are {', '.join(COMMANDS)}; "
                "without a command it runs a demonstration floor.",
                code=2,
            )
    return command, rest[1:] if rest[:1] == ["--"] else rest


def main(arguments: list[str]) -> int:
    command, rest = parse(arguments)
    if command == "help":
        print(__doc__.strip())
        return 0
    if command == "lock":
        return lock(rest)
    if command == "mutate":
        rooms = chosen_rooms(rest)
        set_up()
        return mutate(rooms)
    began = time.monotonic()
    set_up()
    if command == "test":
        return check(rest, time.monotonic() - began)
    return become([tool("cutcard"), "serve", *rest])


# --- set-up -----------------------------------------------------------------------------------


def set_up() -> None:
    """Make .venv hold exactly what requirements.lock says. Instant when it already does."""
    if is_ready():
        return
    with alone():
        if is_ready():
            return
        wanted, found = stamp(), read_stamp()
        began = time.monotonic()
        # Only the lock changed: the environment is sound and can be brought up to date.
        # In every other case nothing is known about it, and a new one is cheap.
        sound = found[:1] == wanted[:1] and Path(tool("python")).exists()
        if sound:
            STAMP.unlink()
        else:
            make_venv()
        install()
        # The stamp comes last, so that an interrupted set-up is never taken for a finished one.
        fresh = STAMP.with_suffix(".new")
        fresh.write_text("\n".join(wanted), encoding="utf-8")
        fresh.replace(STAMP)
        say(f"set up in {time.monotonic() - began:.1f} s")


def stamp() -> list[str]:
    """Two hashes: of where .venv stands (folder and Python), and of what belongs into it."""
    where = "\n".join((str(ROOT), sys.version, sys.platform, sys.base_prefix))
    what = LOCK.read_bytes() + b"\n" + PYPROJECT.read_bytes()
    return [hashlib.sha256(part).hexdigest() for part in (where.encode(), what)]


def read_stamp() -> list[str]:
    try:
        return STAMP.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        return []


def is_ready() -> bool:
    if not LOCK.exists():
        raise Stop("requirements.lock is missing. Make it with: python3 run.py lock")
    # The Python in .venv is a link, and it dangles when the real one was removed.
    return read_stamp() == stamp() and all(Path(tool(n)).exists() for n in ("python", "cutcard"))


def make_venv() -> None:
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    # Inside an activated .venv, sys.executable is the very Python that was just removed.
    python = getattr(sys, "_base_executable", None) or sys.executable
    try:
        step("making .venv", [python, "-m", "venv", str(VENV)])
    except Failed as failure:
        if "ensurepip" in failure.output:
            raise Stop(
                "This Python cannot make virtual environments, because its ensurepip is missing. "
                "On Debian and Ubuntu the cure is: apt install python3-venv"
            ) from None
        raise Stop(failure.told("python3 -m venv failed")) from None


def install() -> None:
    try:
        try:
            install_by_uv()
        except Failed as failure:
            if cannot_connect(failure.output):
                raise
            say("uv could not do it; pip takes over")
            install_by_pip()
    except Failed as failure:
        if cannot_connect(failure.output):
            raise Stop(
                failure.told("The package index cannot be reached")
                + "\nCheck the network, or name a mirror in PIP_INDEX_URL, and run this again."
            ) from None
        raise Stop(failure.told("The packages could not be installed")) from None


def install_by_uv() -> None:
    install_uv()
    uv = [tool("uv"), "pip"]
    here = ["--python", tool("python")]
    settings = uv_settings()
    step(
        "installing packages",
        [*uv, "sync", *here, "--require-hashes", str(LOCK)],
        settings,
    )
    step(
        "installing cutcard",
        [*uv, "install", *here, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)],
        settings,
    )


def install_uv() -> None:
    pinned = split_lock(LOCK.read_text(encoding="utf-8"))[0] if LOCK.exists() else ""
    if pinned:
        pip_from_file("installing uv", pinned)
    else:
        step("installing uv", [*pip(), "uv"])


def install_by_pip() -> None:
    # Where uv cannot be installed, pip must not trip over it either.
    pip_from_file("installing packages", split_lock(LOCK.read_text(encoding="utf-8"))[1])
    step(
        "installing cutcard",
        [*pip(), "--no-deps", "--no-build-isolation", "--editable", str(ROOT)],
    )


def pip() -> list[str]:
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "2"]
    return [tool("python"), "-m", "pip", "install", *quiet]


def pip_from_file(title: str, requirements: str) -> None:
    listed = VENV / "requirements.txt"
    listed.write_text(requirements, encoding="utf-8")
    step(title, [*pip(), "--no-deps", "--require-hashes", "--requirement", str(listed)])


def split_lock(text: str) -> tuple[str, str]:
    """The lines of the lock that pin uv, and all the others.

    >>> split_lock("typer==1 --hash=a\\nuv==2 --hash=b\\n    # via cutcard\\n")
    ('uv==2 --hash=b\\n    # via cutcard\\n', 'typer==1 --hash=a\\n')
    """
    entries = re.split(r"^(?=\S)", text, flags=re.MULTILINE)
    ours = [entry for entry in entries if re.match(r"uv\s*==", entry)]
    others = [entry for entry in entries if not re.match(r"uv\s*==", entry)]
    return "".join(ours), "".join(others)


def uv_settings() -> dict[str, str]:
    """pip's own settings in uv's words, because uv does not read them."""
    import subprocess

    listed = subprocess.run(
        [tool("python"), "-m", "pip", "config", "list"], capture_output=True, text=True
    )
    return {
        # A certificate that the machine trusts is good enough for uv as well.
        "UV_SYSTEM_CERTS": "1",
        "UV_PYTHON_DOWNLOADS": "never",
        **translate(pip_settings(listed.stdout)),
    }


def pip_settings(listing: str) -> dict[str, str]:
    """What `pip config list` prints: the environment wins over [install], that over [global].

    >>> pip_settings("global.cert='a'\\n:env:.cert='b'\\nglobal.find-links='c'")
    {'cert': 'b', 'find-links': 'c'}
    """
    ranks = {"global": 0, "install": 1, ":env:": 2}
    ranked: list[tuple[int, str, str]] = []
    for line in listing.splitlines():
        name, _, value = line.partition("=")
        section, _, key = name.rpartition(".")
        if section in ranks:
            with contextlib.suppress(ValueError, SyntaxError):
                ranked.append((ranks[section], key, str(ast.literal_eval(value))))
    return {key: value for _, key, value in sorted(ranked, key=lambda entry: entry[0])}


def translate(settings: dict[str, str]) -> dict[str, str]:
    """pip's settings as environment variables for uv.

    >>> translate({"index-url": "https://mirror.example/simple"})
    {'UV_DEFAULT_INDEX': 'https://mirror.example/simple'}
    """
    spoken = {}
    for key, variable, joint in (
        ("index-url", "UV_DEFAULT_INDEX", " "),
        ("extra-index-url", "UV_INDEX", " "),
        ("find-links", "UV_FIND_LINKS", ","),
        ("trusted-host", "UV_INSECURE_HOST", " "),
        ("cert", "SSL_CERT_FILE", " "),
        ("proxy", "ALL_PROXY", " "),
    ):
        if settings.get(key):
            spoken[variable] = joint.join(settings[key].split())
    if "UV_INDEX" in spoken:
        # pip looks into every index it is given; uv stops at the first that has the name.
        spoken["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    return spoken


def cannot_connect(output: str) -> bool:
    """Whether an installer failed for want of a network."""
    signs = (
        "name resolution|name or service not known|nodename nor servname|dns error|"
        "failed to lookup address|failed to establish a new connection|connection refused|"
        "network is unreachable|error sending request|timed out|max retries exceeded|"
        "client error \\(connect\\)|tunnel connection failed"
    )
    return re.search(signs, output, re.IGNORECASE) is not None


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """One set-up at a time: a second run waits for the first."""
    with open(ROOT / ".venv.lock", "w", encoding="utf-8") as gate:
        try:
            import fcntl
        except ImportError:  # Windows has no such lock; there we trust the person.
            yield
            return
        try:
            fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("waiting for another run.py to finish its set-up")
            fcntl.flock(gate, fcntl.LOCK_EX)
        yield


# --- the commands -----------------------------------------------------------------------------


def check(words: list[str], setting_up: float = 0.0) -> int:
    """Every check, the quick ones first. All of them run, so that one look shows all trouble."""
    import json
    import tempfile
    from concurrent.futures import ThreadPoolExecutor

    busy, pytest_arguments = chosen_tests(words)
    began = time.monotonic()
    results = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as aside:
        parts = Path(folder) / "parts.json"
        checks = [
            ("ruff check", [tool("ruff"), "check"]),
            ("ruff format", [tool("ruff"), "format", "--check"]),
            ("import-linter", [tool("lint-imports")]),
            ("pytest", [tool("python"), "-m", "pytest", SLOWEST, *pytest_arguments]),
        ]
        with other_work(CORES + 1 if busy else 0):
            # Types take one core for half a minute, and need not wait for the tests.
            types = aside.submit(timed, [tool("mypy"), "--strict"], aloud=False)
            compile_once(pytest_arguments)
            for title, command in checks:
                print(f"\n=== {title} ===", flush=True)
                results.append((title, *timed(command, {"CUTCARD_PARTS": str(parts)})[:2]))
            code, seconds, said = types.result()
        spent = json.loads(parts.read_text(encoding="utf-8")) if parts.exists() else {}
    print(f"\n=== mypy --strict ===\n{said}", end="")
    results.append(("mypy --strict", code, seconds))
    print("\n=== summary ===")
    for title, code, seconds in results:
        verdict = "ok" if code == 0 else f"FAILED (exit {code})"
        print(f"{title:<24} {seconds:7.1f} s  {verdict}")
    spent["set-up"] = setting_up
    spent["lint and types"] = sum(took for title, _, took in results if title != "pytest")
    spent["total"] = time.monotonic() - began + setting_up
    print("\n".join(budget_lines(spent, whole=not words)), flush=True)
    return next((code for _, code, _ in results if code != 0), 0)


def compile_once(pytest_arguments: list[str]) -> None:
    """Compile the tests of a new checkout: several workers would each do it for themselves."""
    compiled = (VENV / "compiled").joinpath(*(ROOT / "tests").parts[1:])
    if ALL_CORES[0] in pytest_arguments and not compiled.exists():
        only = ["--collect-only", "-qq", "--numprocesses=0"]
        timed([tool("python"), "-m", "pytest", *pytest_arguments, *only], aloud=False)


def chosen_tests(words: list[str]) -> tuple[bool, list[str]]:
    """Whether the machine is to be busy with other work, and pytest's words.

    >>> chosen_tests(["--busy"]) == (True, [*ALL_CORES])
    True
    >>> chosen_tests(["-k", "tie"])
    (False, ['-k', 'tie'])
    >>> chosen_tests(["quick", "-x"])[1][:2] == ["-x", str(ROOT / "tests" / "cage")]
    True
    """
    rest = list(words)
    quick = rest[:1] == ["quick"]
    rest = rest[1:] if quick else rest
    busy = "--busy" in rest
    rest = [word for word in rest if word not in ("--busy", "--")]
    rooms = [str(ROOT / "tests" / room) for room in PARTS["pure rooms"]] if quick else []
    return busy, [*(rest or ALL_CORES), *rooms]


def budget_lines(spent: dict[str, float], whole: bool) -> Iterator[str]:
    """What each part took beside what it may take; the budgets are those of a whole run.

    >>> print(*budget_lines({"browser": 130.0}, whole=True), sep="\\n")
    browser                    130.0 s  of 105 s: over its budget
    >>> print(*budget_lines({"browser": 130.0}, whole=False), sep="\\n")
    browser                    130.0 s
    """
    for part, seconds in BUDGET.items():
        if part in spent:
            verdict = f"  of {seconds} s" + (": over its budget" if spent[part] > seconds else "")
            yield f"{part:<24} {spent[part]:7.1f} s{verdict if whole else ''}"


@contextlib.contextmanager
def other_work(loops: int) -> Iterator[None]:
    """Keep the machine busy with so many endless loops, which end with us in any case."""
    import subprocess

    loop = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(10**6))"
    running = [subprocess.Popen([sys.executable, "-c", loop]) for _ in range(loops)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


def timed(
    command: list[str], told: "Mapping[str, str] | None" = None, aloud: bool = True
) -> tuple[int, float, str]:
    """How a command ended, after how long, and what it said, unless it said so aloud."""
    import subprocess

    began = time.monotonic()
    out, err = (None, None) if aloud else (subprocess.PIPE, subprocess.STDOUT)
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**surroundings(), **(told or {})},
        stdout=out,
        stderr=err,
        text=True,
        errors="replace",
    )
    return done.returncode, time.monotonic() - began, done.stdout or ""


def lock(arguments: list[str]) -> int:
    """Pin everything pyproject.toml asks for. A pin that still fits stays, unless --upgrade."""
    with alone():
        if not Path(tool("uv")).exists():
            make_venv()
            try:
                install_uv()
            except Failed as failure:
                raise Stop(failure.told("uv could not be installed")) from None
        command = [tool("uv"), "pip", "compile", "pyproject.toml", "--group", "dev", "--universal"]
        # The checks need every optional package too.
        command += ["--all-extras"]
        # Neither an index address nor anything else about this machine goes into the lock.
        command += ["--generate-hashes", "--no-emit-index-url", "--no-emit-find-links", "--quiet"]
        command += ["--custom-compile-command", "python3 run.py lock", "--output-file", LOCK.name]
        # An extra index often holds one machine's wheels only, and the lock would then refuse
        # all others; so the pins come from the main index alone.
        settings = uv_settings()
        for extra in ("UV_INDEX", "UV_INDEX_STRATEGY", "UV_FIND_LINKS"):
            settings.pop(extra, None)
        try:
            step("writing requirements.lock", command + arguments, settings)
        except Failed as failure:
            raise Stop(failure.told("The lock could not be made")) from None
    return 0


def mutable_rooms() -> list[str]:
    """The rooms that [tool.mutmut] in pyproject.toml allows to be mutated."""
    import tomllib

    with open(PYPROJECT, "rb") as file:
        patterns = tomllib.load(file)["tool"]["mutmut"]["only_mutate"]
    return [str(pattern).split("/")[2] for pattern in patterns]


def chosen_rooms(wanted: list[str]) -> list[str]:
    known = mutable_rooms()
    for room in wanted:
        if room not in known:
            raise Stop(
                f"There is no room “{room}” to mutate; there are {', '.join(known)}. "
                "A further one is added in pyproject.toml, [tool.mutmut], only_mutate.",
                code=2,
            )
    return wanted or known


def workers(environment: "Mapping[str, str]") -> list[str]:
    """How many mutants at once, for mutmut: as many as there are cores, unless somebody says so.

    >>> workers({"CUTCARD_WORKERS": "1"})
    ['--max-children', '1']
    >>> workers({})
    []
    """
    wanted = environment.get("CUTCARD_WORKERS", "")
    return ["--max-children", wanted] if wanted else []


def mutate(rooms: list[str]) -> int:
    """Break the rooms in small ways, and write down every break that no test noticed."""
    # mutmut keeps what it copied before, stale rulebooks included, so it starts from nothing.
    if MUTANTS.exists():
        shutil.rmtree(MUTANTS)
    names = [f"cutcard.{room}.*" for room in rooms]
    chosen = names if rooms != mutable_rooms() else []
    code = run([tool("mutmut"), "run", *workers(os.environ), *chosen])
    if code != 0:
        return code
    tried = re.findall(
        r"^ +(\S+): (.+)$", output_of([tool("mutmut"), "results", "--all", "true"]), re.MULTILINE
    )
    fates = [(name, fate) for name, fate in tried if any(name.startswith(n[:-1]) for n in names)]
    unnoticed = [name for name, fate in fates if fate not in ("killed", "timeout")]
    report = MUTANTS / "survivors.diff"
    report.write_text(
        "\n".join(output_of([tool("mutmut"), "show", name]) for name in unnoticed),
        encoding="utf-8",
    )
    kinds = sorted({fate for _, fate in fates})
    counts = ", ".join(f"{sum(fate == kind for _, fate in fates)} {kind}" for kind in kinds)
    print(f"{', '.join(rooms)}: {len(fates)} mutants ({counts}); see {report.relative_to(ROOT)}")
    return 0


# --- running other programs -------------------------------------------------------------------


class Failed(Exception):
    """A program of the set-up failed; its output is kept for the person."""

    def __init__(self, output: str) -> None:
        super().__init__(output)
        self.output = output

    def told(self, sentence: str) -> str:
        tail = "\n".join(f"    {line}" for line in self.output.strip().splitlines()[-20:])
        return f"{sentence}. It said:\n{tail}"


def tool(name: str) -> str:
    """A program of .venv, by its full path."""
    if os.name == "nt":
        return str(VENV / "Scripts" / f"{name}.exe")
    return str(VENV / "bin" / name)


def step(title: str, command: list[str], settings: "dict[str, str] | None" = None) -> None:
    """One line of the set-up, with its time; `settings` never override the caller's own."""
    import subprocess

    print(f"run.py: {title:<26}", end="", file=sys.stderr, flush=True)
    began = time.monotonic()
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**(settings or {}), **os.environ},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as error:
        print("failed", file=sys.stderr)
        raise Failed(str(error)) from None
    except BaseException:
        print("interrupted", file=sys.stderr)
        raise
    seconds = f"{time.monotonic() - began:5.1f} s"
    print(seconds if done.returncode == 0 else f"{seconds}  failed", file=sys.stderr, flush=True)
    if done.returncode != 0:
        raise Failed(done.stdout)


def surroundings() -> dict[str, str]:
    """The environment of an activated .venv, which keeps what Python compiles as well."""
    path = os.pathsep.join((str(Path(tool("python")).parent), os.environ.get("PATH", "")))
    ours = {
        "VIRTUAL_ENV": str(VENV),
        "PATH": path,
        # Every process would compile all packages anew where a machine forbids to keep this.
        "PYTHONPYCACHEPREFIX": str(VENV / "compiled"),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    return {**os.environ, **ours}


def run(command: list[str]) -> int:
    import subprocess

    return subprocess.run(command, cwd=ROOT, env=surroundings()).returncode


def output_of(command: list[str]) -> str:
    import subprocess

    return subprocess.run(
        command, cwd=ROOT, env=surroundings(), stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def become(command: list[str]) -> int:
    """Leave the stage to another program, in the caller's own folder."""
    if os.name == "nt":  # Windows has no exec worth the name
        import subprocess

        return subprocess.run(command, env=surroundings()).returncode
    return os.execve(command[0], command, surroundings())


def say(sentence: str) -> None:
    print(f"run.py: {sentence}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Stop as stop:
        say(str(stop))
        sys.exit(stop.code)
    except KeyboardInterrupt:
        say("stopped; the next run goes on from a clean state")
        sys.exit(130)
