"""`python -m forethought` is the command line."""

from forethought.cli import main

main()
