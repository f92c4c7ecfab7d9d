"""What messages advise, in the words of the page in place of those of the command line."""

import re
from collections.abc import Mapping

from caprese.io.data.reading import EXCLUDE_HINT, TRANSPOSE_HINT

_HINTS: Mapping[str, str] = {
    EXCLUDE_HINT: "name a column that is no event under \u201ccolumns to leave out\u201d",
    TRANSPOSE_HINT: "tick \u201crows are events\u201d to read one column per sample",
}


def on_page(message: str) -> str:
    """Return a message that names fields of the page instead of options.

    Examples
    --------
    >>> on_page("'60' is not an entry; --exclude leaves out a column that is no event")
    "'60' is not an entry; name a column that is no event under \u201ccolumns to leave out\u201d"
    """
    for hint, words in _HINTS.items():
        message = message.replace(hint, words)
    return re.sub(r"--read (?=\w+=)", "the option ", message)
