"""A process that has loaded everything, and becomes a server as often as it is asked to.

Reads the words of a command line as JSON, one to a line, and answers with a process id.
Each server is a process of its own, as if `cutcard` had been called.
"""

import json
import os
import signal
import sys

import asyncpg  # type: ignore[import-untyped]

import cutcard.cli
import cutcard.server.running
import cutcard.store.postgres
import cutcard.store.sqlite

assert asyncpg
assert cutcard.server.running
assert cutcard.store.postgres
assert cutcard.store.sqlite


def main() -> None:
    # Nobody waits for them here.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(2, 1)
            os._exit(cutcard.cli.run(json.loads(line)))
        print(pid, flush=True)


if __name__ == "__main__":
    main()
