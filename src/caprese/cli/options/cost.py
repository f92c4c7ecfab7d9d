"""What a long computation will cost, said before it starts; nothing if it is hardly noticed."""

from typing import TYPE_CHECKING

from caprese._core.budget import size_words
from caprese._core.words import duration

if TYPE_CHECKING:
    from caprese.methods.fit import Method

_MANY = 1000  # events from which pairs of events take memory that is worth a word
# Bytes of memory for counts, scores and evidence; measured at 2,000 and 5,000 events.
_PER_PAIR = 60
_PER_PAIR_RESAMPLED = 100  # with the votes and the replicates in progress
_SECONDS_PER_PAIR = 2e-7  # of a method that needs only counts of pairs; measured on one core


def cost_of_fit(events: int) -> str:
    """Return what a fit to so many events will take."""
    return _said(events, f"a fit takes {_memory(_PER_PAIR * events**2)}")


def cost_of_bootstrap(method: "Method", events: int, replicates: int) -> str:
    """Return what a bootstrap will take."""
    from caprese.methods.protocols import is_quick

    seconds = _SECONDS_PER_PAIR * events**2 * replicates
    time = f" and {duration(seconds)} on one core" if is_quick(method) else ""
    memory = _memory(_PER_PAIR_RESAMPLED * events**2)
    return _said(events, f"{replicates:,} replicates take {memory}{time}")


def cost_of_picture(events: int) -> str:
    """Return a warning that a picture of so many events is large."""
    return _said(events, "a picture takes minutes and shows little; select some with --top")


def _said(events: int, cost: str) -> str:
    return f"{events:,} events: {cost}" if events >= _MANY else ""


def _memory(size: float) -> str:
    return f"about {size_words(float(f'{size:.2g}'))} of memory"
