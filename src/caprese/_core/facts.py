"""Facts: what was found, as values; `text` and `report` put them into words."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fact:
    """One thing that was found, to be put into words for the terminal or for the page.

    Parameters
    ----------
    kind
        What was found, a key of `caprese.text.facts.WORDS`. A kind that is not listed there is
        shown as it is.
    events
        The events it speaks of, by name.
    values
        Its numbers and words, by name.

    Examples
    --------
    >>> Fact("best of several", values={"candidates": 4})
    Fact(kind='best of several', events=(), values={'candidates': 4})
    """

    kind: str
    events: tuple[str, ...] = ()
    values: Mapping[str, float | str] = field(default_factory=dict)
