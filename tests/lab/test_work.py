"""Work that others do: a real Dask cluster on this machine, one of whose workers is killed."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from cutcard.lab import cluster, cut_card_effect, odds_of_many, simulate
from cutcard.lab.work import AT_ONCE, _Cluster, answers, key_of, threads
from cutcard.odds import Composition
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from tests.patience import wait_until


class Cluster:
    """A scheduler and two workers, each a process of its own, on loopback only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Wherever tests run, nothing is asked of the network but this machine.
        words = ("--host", "127.0.0.1", "--no-dashboard")
        self.processes = [
            self._start("scheduler", *words, "--port", "0", "--scheduler-file", self.file)
        ]
        self.workers = [self._start_worker(name) for name in ("one", "other")]

    @property
    def file(self) -> str:
        return str(self.folder / "scheduler.json")

    @property
    def address(self) -> str:
        found: list[str] = []

        def told() -> bool:
            with contextlib.suppress(OSError, ValueError, KeyError):
                found.append(str(json.loads(Path(self.file).read_text())["address"]))
            return bool(found)

        wait_until(told, "the scheduler", lambda: time.sleep(0.05))
        return found[0]

    def _start(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{what}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + what, *words],
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )

    def _start_worker(self, name: str) -> subprocess.Popen[bytes]:
        return self._start(
            "worker", self.address, "--host", "127.0.0.1", "--no-dashboard", "--no-nanny",
            "--nthreads", "1", "--name", name, "--local-directory", str(self.folder),
        )  # fmt: skip

    def end(self) -> None:
        for process in (*self.workers, *self.processes):
            process.kill()
            process.wait()


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    started = Cluster(tmp_path)
    try:
        yield started
    finally:
        started.end()


def test_a_cluster_that_loses_a_worker_comes_to_the_same_result(dask: Cluster) -> None:
    """To the integer: tasks that died with their machine are done again elsewhere."""
    book = load("rws-commission")
    killed: list[float] = []

    def told(_rounds: int, share: float) -> None:
        if not killed and share > 0.1:
            os.kill(dask.workers[0].pid, signal.SIGKILL)
            dask.workers[0].wait()
            killed.append(share)

    alone = simulate(book, 2_000_000, 6)
    with cluster(dask.address) as executor:
        run = simulate(book, 2_000_000, 6, executor=executor, told=told)
        effect = cut_card_effect(book, 60, 2, cut=300, executor=executor)
        shoes = [Composition.of_decks(decks) for decks in (4, 6, 8)]
        batch = odds_of_many(book, shoes, executor)

    assert 0.1 < killed[0] < 0.9
    assert (run.parts == alone.parts).all()
    assert run.document() == alone.document()
    assert effect == cut_card_effect(book, 60, 2, cut=300)
    assert (batch.counted == odds_of_many(book, shoes).counted).all()


class Losing:
    """A cluster whose workers never live long enough to hand over what they have done."""

    def submit(self, *_: object, **__: object) -> Future[object]:
        lost: Future[object] = Future()
        lost.cancel()
        return lost


def test_a_cluster_that_loses_every_worker_is_given_up() -> None:
    with _Cluster(Losing()) as workers, pytest.raises(Refusal, match="lost with its worker 10"):
        list(answers(workers, str, [1]))


@pytest.mark.parametrize("address", ["nowhere", "tcp://127.0.0.1:1", "bad://x", ""])
def test_a_cluster_that_does_not_answer_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cutcard.lab.work.PATIENCE", "0.2s")
    with pytest.raises(Refusal, match="No Dask scheduler"), cluster(address):
        raise AssertionError("nobody is there")


def test_without_dask_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Refusal, match=r"cutcard\[cluster\]"), cluster("tcp://127.0.0.1:1"):
        raise AssertionError("nobody is there")


def test_answers_come_with_their_tasks_numbers() -> None:
    with ThreadPoolExecutor(3) as pool:
        found = dict(answers(pool, lambda task: task * task, range(2 * AT_ONCE)))

    assert found == {number: number * number for number in range(2 * AT_ONCE)}


class Counted(ThreadPoolExecutor):
    """Threads that remember what they were handed."""

    def __init__(self) -> None:
        super().__init__(1)
        self.handed: list[Future[object]] = []

    def submit(self, *words: object, **more: object) -> "Future[object]":  # type: ignore[override]
        future: Future[object] = super().submit(*words, **more)  # type: ignore[arg-type]
        self.handed.append(future)
        return future


def test_whoever_stops_early_cancels_the_rest() -> None:
    with Counted() as pool:
        for number, answer in answers(pool, str, range(10_000)):
            assert answer == str(number)
            break

    assert len(pool.handed) == AT_ONCE


def test_a_task_that_fails_ends_the_work() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        list(answers(pool, lambda task: 1 // task, [1, 0, 1]))


def test_seeds_are_numbers_or_words() -> None:
    assert key_of(1) == key_of("1") == 0x42B21E32477AD744
    assert key_of(2) != key_of(1)


def test_as_many_threads_as_processors() -> None:
    with threads(None) as pool:
        assert isinstance(pool, ThreadPoolExecutor)
        assert pool._max_workers == os.cpu_count()
