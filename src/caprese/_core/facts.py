"""Facts: findings as values; `text` and `report` put them into words."""

from collections.abc import Mapping
from dataclasses import dataclass, field

CHAINS_DISAGREE = "chains do not agree"
"""The doubt of a posterior whose chains found different answers: its edges are not to be used."""


@dataclass(frozen=True)
class Fact:
    """A finding, to be put into words for the terminal or for the page.

    Parameters
    ----------
    kind
        A key of `caprese.text.words.WORDS`. A kind that is not listed there is shown as it is.
    events
        Names of the events concerned.
    values
        Its numbers and words.
    doubt
        What it says against the answer that it is about, in a few words such as ``chains do not
        agree``; judgements count it over fits. Empty if it says nothing against it.
    """

    kind: str
    events: tuple[str, ...] = ()
    values: Mapping[str, float | str] = field(default_factory=dict)
    doubt: str = field(default="", repr=False, metadata={"unwritten": True, "optional": True})

    def __hash__(self) -> int:
        return hash((self.kind, self.events, frozenset(self.values.items())))
