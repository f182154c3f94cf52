"""`python -m forethought` is the command line."""

from forethought.cli import main

if __name__ == "__main__":  # and not a process that an executor starts, which imports this again
    main()
