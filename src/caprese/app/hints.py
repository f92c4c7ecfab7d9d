"""What messages advise, in the words of the page in place of those of the command line."""

import re
import shlex


def on_page(message: str) -> str:
    """Return a message that names fields of the page instead of options.

    Examples
    --------
    >>> on_page("'60' is not an entry; --exclude age,stage leaves such columns out")
    "'60' is not an entry; write age,stage under “columns to leave out”"
    >>> on_page("such are 9 columns; --exclude FILE leaves out those named in a file, one a line")
    'such are 9 columns; write them under “columns to leave out”'
    """
    for option, words in _WORDS:
        message = option.sub(words, message)
    return message


def _left_out(found: re.Match[str]) -> str:
    try:
        names = " ".join(shlex.split(found[1]))
    except ValueError:
        names = found[1]
    return f"write {names} under “columns to leave out”"


_WORDS = (
    (
        re.compile(r"--exclude FILE leaves out those named in a file, one a line"),
        "write them under “columns to leave out”",
    ),
    (re.compile(r"--exclude (.+?) leaves (?:it|such columns) out"), _left_out),
    (re.compile(r"--transpose reads"), "“rows are events” reads"),
    (re.compile(r"--read (?=\w+=)"), "the option "),
    (re.compile(r" \(--(?:top|hypermutated)\b[^)]*\)"), " in step 1"),
)
