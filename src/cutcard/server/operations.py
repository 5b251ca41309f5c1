"""What whoever runs the server sees of it: logs without secrets, and figures to watch."""

import logging
import sys
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from cutcard.refusals import Refusal

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

    def figures(self) -> bytes:
        """Everything in Prometheus's own words."""
        return generate_latest(self.registry)


def set_up_logs(level: str = "info") -> None:
    """One line of JSON for each event, on standard error."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            getattr(logging, level.upper(), logging.INFO)
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
