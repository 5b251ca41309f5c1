"""`python -m cutcard` is the command line."""

from cutcard.cli import main

# A process that works for this one reads this file again, and must not begin anew.
if __name__ == "__main__":
    main()
