"""What messages advise, in the words of the page in place of those of the command line."""

import re

_OPTIONS = re.compile(r" \(--(?:top|hypermutated)\b[^)]*\)")
_FIELDS = {"exclude": "columns to leave out", "transpose": "rows are events"}


def setting(parameter: str, value: object) -> str:
    """Return a parameter as a field of the page, with its value.

    Examples
    --------
    >>> setting("exclude", ["age", "stage"])
    'age,stage under “columns to leave out”'
    >>> setting("gain", 1)
    'the option gain=1'
    """
    if parameter not in _FIELDS:
        return f"the option {parameter}" + ("" if value is None else f"={value}")
    names = f"{','.join(value)} under " if isinstance(value, list) else ""
    return f"{names}“{_FIELDS[parameter]}”"


def on_page(message: str) -> str:
    """Return a message that names steps of the page instead of options."""
    return _OPTIONS.sub(" in step 1", message)
