"""Exit codes of the command line."""

import signal

BAD_INPUT = 2
# By the convention of shells:
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
