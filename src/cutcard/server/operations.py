"""What whoever runs the server sees of it: logs without secrets, and figures to watch."""

import logging
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from structlog.typing import Processor

from cutcard.refusals import Refusal
from cutcard.store import Significant

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Operations:
    """Log and figures of one server."""

    def __init__(self) -> None:
        self.log = structlog.get_logger("cutcard")
        self.registry = CollectorRegistry()
        name, kept = "cutcard_", self.registry
        self.commands = Counter(
            name + "commands", "Commands answered.", ["kind", "answer"], registry=kept
        )
        self._counted: dict[tuple[type[Any], bool], Counter] = {}
        self.seconds = Histogram(
            name + "command_seconds",
            "From the arrival of a command to its answer.",
            buckets=SECONDS,
            registry=kept,
        )
        self.commits = Gauge(name + "commits", "Commits since the start.", registry=kept)
        self.waiting = Gauge(
            name + "records_waiting", "Records that wait for the disk.", registry=kept
        )
        self.sockets = Gauge(name + "sockets", "Live connections.", registry=kept)
        self.passed_over = Gauge(
            name + "passed_over", "Frames not sent to slow clients.", registry=kept
        )
        self.tables = Gauge(name + "tables_open", "Tables that are open.", registry=kept)
        self.ready = Gauge(name + "ready", "Whether commands are taken.", registry=kept)
        self._away = False

    def answered(self, kind: type[Any], done: bool, seconds: float) -> None:
        """A command was answered."""
        counted = self._counted.get((kind, done))
        if counted is None:
            # Looking a counter up by its labels costs more than counting.
            words = kind.__struct_config__.tag, "done" if done else "refused"
            counted = self._counted[kind, done] = self.commands.labels(*words)
        counted.inc()
        self.seconds.observe(seconds)

    def table_refused(self, table: str, refusal: Refusal) -> None:
        """A table that deals by itself could not do what was next."""
        self.log.error("a table is stuck", table=table, code=refusal.code, sentence=str(refusal))

    def noted(self, notes: Iterable[Significant]) -> None:
        """What an inspector would ask about, as soon as it is on disk."""
        for one in notes:
            # Whatever somebody typed as a reason may name people, and stays in the database.
            self.log.info(one.kind, who=one.who, where=one.where)

    def store_away(self, refusal: Refusal | None) -> None:
        """The database did not answer, or does again: told once, whoever noticed."""
        before, self._away = self._away, refusal is not None
        if refusal is not None and not before:
            self.log.warning("the database does not answer", sentence=str(refusal))
        elif refusal is None and before:
            self.log.info("the database answers again")

    def figures(self) -> bytes:
        """Everything in Prometheus's own words."""
        return generate_latest(self.registry)


class _Errors:
    """Standard error, whatever becomes of it: nobody's money waits for somebody to read a log."""

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.flush()


def set_up_logs(level: str = "info") -> None:
    """One line of JSON for each event, on standard error, whoever tells of it."""
    errors: Any = _Errors()
    least = logging.getLevelNamesMapping()[level.upper()]
    first: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper("iso", utc=True),
    ]
    last: list[Processor] = [
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(),
    ]
    structlog.configure(
        processors=[*first, *last],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.PrintLoggerFactory(errors),
        cache_logger_on_first_use=True,
    )
    # The libraries below us have warnings of their own.
    handler = logging.StreamHandler(errors)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
            foreign_pre_chain=first,
        )
    )
    logging.basicConfig(handlers=[handler], level=max(least, logging.WARNING), force=True)
