"""Work that is cut into tasks and done by any executor: threads, processes, or other machines.

A task says in numbers what is to be done, and its answer depends on nothing else. So it does not
matter who does it, when, or how often: a task that was lost with its machine is done again.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from hashlib import sha256
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from cutcard.refusals import Refusal

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")
Answer = TypeVar("Answer")

AT_ONCE = 64
"""Tasks that are handed out before their answers are waited for."""

MOST_THREADS = 1024
PATIENCE = "10s"
RETRIES = 10


def key_of(seed: int | str) -> int:
    """The 64 bits that a run's generators are seeded with."""
    return int.from_bytes(sha256(f"cutcard lab {seed}".encode()).digest()[:8], "big")


def answers(
    executor: Executor, work: Callable[[Task], Answer], tasks: Sequence[Task]
) -> Iterator[tuple[int, Answer]]:
    """Answers as they come, each with its task's number; whoever stops early cancels the rest."""
    waiting: dict[Future[Answer], int] = {}
    done: SimpleQueue[Future[Answer]] = SimpleQueue()
    numbered = iter(enumerate(tasks))
    try:
        while True:
            for number, task in numbered:
                future = executor.submit(work, task)
                waiting[future] = number
                future.add_done_callback(done.put)
                if len(waiting) >= AT_ONCE:
                    break
            if not waiting:
                return
            future = done.get()
            yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def threads(number: int | None) -> Iterator[Executor]:
    """So many threads of this machine, or one for each of its processors."""
    most = os.cpu_count() or 1
    if number is not None and not 1 <= number <= MOST_THREADS:
        raise Refusal("lab/threads", {"threads": number, "most": MOST_THREADS})
    pool = ThreadPoolExecutor(number or most, thread_name_prefix="lab")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


class _Cluster(ThreadPoolExecutor):
    """Threads that wait while the workers of a cluster do what was handed in."""

    def __init__(self, client: "Client") -> None:
        super().__init__(AT_ONCE, thread_name_prefix="cluster")
        self.client = client

    def submit(self, work: Callable[..., Any], /, *words: Any, **more: Any) -> Future[Any]:
        return super().submit(self._elsewhere, work, *words, **more)

    def _elsewhere(self, work: Callable[..., Any], *words: Any, **more: Any) -> Any:
        # A worker that is lost takes its tasks with it, also such as were done and not yet fetched.
        for _ in range(RETRIES):
            with suppress(CancelledError):
                return self.client.submit(
                    work, *words, pure=False, retries=RETRIES, **more
                ).result()
        raise Refusal("lab/cluster-lost", {"times": RETRIES})


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a Dask cluster."""
    try:
        from distributed import Client
    except ImportError:
        raise Refusal("lab/no-cluster") from None
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError):
        raise Refusal("lab/cluster-unreachable", {"address": address}) from None
    with client, _Cluster(client) as workers:
        yield workers


@contextmanager
def somebody(executor: Executor | None, number: int | None = None) -> Iterator[Executor]:
    """The executor given, or threads of this machine."""
    with nullcontext(executor) if executor is not None else threads(number) as chosen:
        yield chosen


Told = Callable[[float], None]
"""Is told which share of the work is done."""


def in_order(
    executor: Executor | None,
    number: int | None,
    work: Callable[[Task], Answer],
    tasks: Sequence[Task],
    told: Told | None,
) -> list[Answer]:
    """The answers of all tasks, one after another, whoever did them."""
    found = {}
    with somebody(executor, number) as workers:
        for place, answer in answers(workers, work, tasks):
            found[place] = answer
            if told is not None:
                told(len(found) / len(tasks))
    return [found[place] for place in range(len(tasks))]
