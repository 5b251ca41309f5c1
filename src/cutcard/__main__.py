"""`python -m cutcard` is the command line."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being read ends it like any other."""
    try:
        from cutcard.cli import main as run

        run()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(130)


# A process that works for this one reads this file again, and must not begin anew.
if __name__ == "__main__":
    main()
