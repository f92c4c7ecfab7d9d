"""Which of the compiled kernels to take."""

import os

CHOICE = "CAPRESE_PROCESSOR"
OLDER = "x86-64-v2"


def wants_older() -> bool:
    """Return whether the environment asks for the kernels of older processors.

    Raises
    ------
    ValueError
        If it asks for anything else.
    """
    choice = os.environ.get(CHOICE, "")
    if choice not in {"", OLDER}:
        raise ValueError(
            f"the environment variable {CHOICE} must be {OLDER} or not set, got {choice!r}"
        )
    return choice == OLDER
