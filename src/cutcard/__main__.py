"""`python -m cutcard` is the command line."""

from cutcard.cli import main

main()
