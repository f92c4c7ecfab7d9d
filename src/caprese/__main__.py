"""`caprese` and `python -m caprese`: the command line."""

import sys

from caprese._core.environment import INTERRUPTED


def run() -> None:
    """Load the command line and run it; while it is loaded, it can be interrupted, too."""
    try:
        from caprese.cli import main
    except KeyboardInterrupt:
        sys.stderr.write("caprese: interrupted\n")
        sys.exit(INTERRUPTED)
    main()


if __name__ == "__main__":
    run()
