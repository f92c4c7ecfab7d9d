"""Words: names and numbers as text, formatted the same way everywhere."""

from collections.abc import Iterable

LONGEST_NAME = 60  # characters of a name on a line of text


def visible(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a text in printable characters, its middle replaced by an ellipsis if it is long."""
    characters = "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
    if len(characters) <= longest:
        return characters
    before = longest // 2
    return characters[:before] + "…" + characters[before + 1 + len(characters) - longest :]


def number_of(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number} {noun}{'s' * (number != 1)}"


def percent(share: float, digits: int = 0) -> str:
    """Return a proportion as a percentage; only 0 is printed as 0 %, only 1 as 100 %."""
    least = 10.0**-digits
    if 0 < 100 * share <= least / 2:
        return f"<{least:g} %"
    if 100 - least / 2 <= 100 * share < 100:
        return f">{100 - least:g} %"
    return f"{100 * share:.{digits}f} %"


def listing(items: Iterable[str], most: int = 5) -> str:
    """Return items separated by commas: the first ones, and how many more there are."""
    given = list(items)
    shown = (visible(item) for item in given[:most])
    rest = f" and {len(given) - most} more" if len(given) > most else ""
    return ", ".join(shown) + rest


def duration(seconds: float) -> str:
    """Return about how long something takes, in the largest unit that fits.

    Examples
    --------
    >>> duration(50), duration(100), duration(7200), duration(300_000)
    ('50 seconds', '2 minutes', '2 hours', '3 days')
    """
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= 1.5 * length:
            return number_of(round(seconds / length), unit)
    return number_of(max(1, round(seconds)), "second")
