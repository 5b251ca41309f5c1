"""A process that has loaded everything, and becomes a server as often as it is asked to.

Reads a file for the output and the words of a command line as JSON, one list to a line, and
answers with a process id.
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
cutcard.cli.read_commands("every one of them")


def main() -> None:
    # Nobody waits for them here.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            output, *words = json.loads(line)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            for stream in (1, 2):
                os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
            os._exit(cutcard.cli.run(words))
        print(pid, flush=True)


if __name__ == "__main__":
    main()
