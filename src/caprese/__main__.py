"""`python -m caprese` is the command line."""

from caprese.cli import main

if __name__ == "__main__":
    main()
