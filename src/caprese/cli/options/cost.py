"""What a long computation will cost, said before it starts."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caprese.methods.fit import Method

_MANY = 1000  # events from which pairs of events take memory that is worth a word
_PER_PAIR = (
    60  # bytes of memory for counts, scores and evidence; measured at 2,000 and 5,000 events
)
_PER_PAIR_RESAMPLED = 100  # with the votes and the replicates in progress
_SECONDS_PER_PAIR = 2e-7  # of a method that needs only counts of pairs; measured on one core


def cost_of_fit(events: int) -> str:
    """Return what a fit to so many events will take; empty if it is hardly noticed."""
    if events < _MANY:
        return ""
    return f"{events:,} events: a fit takes about {_memory(_PER_PAIR * events**2)} of memory"


def cost_of_bootstrap(method: "Method", events: int, replicates: int) -> str:
    """Return what a bootstrap will take; empty if it is hardly noticed."""
    from caprese.methods.protocols import is_quick

    if events < _MANY:
        return ""
    memory = f"about {_memory(_PER_PAIR_RESAMPLED * events**2)} of memory"
    time = ""
    if is_quick(method):
        time = f" and {_time(_SECONDS_PER_PAIR * events**2 * replicates)} on one core"
    return f"{events:,} events: {replicates:,} replicates take {memory}{time}"


def cost_of_picture(events: int) -> str:
    """Return a warning that a picture of so many events is large; empty if it is not."""
    if events < _MANY:
        return ""
    return f"{events:,} events: a picture takes minutes and shows little; select some with --top"


def _memory(size: float) -> str:
    from caprese._core.budget import size_words

    return size_words(float(f"{size:.2g}"))


def _time(seconds: float) -> str:
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.2g} {unit}"
    return f"{seconds:.2g} s"
