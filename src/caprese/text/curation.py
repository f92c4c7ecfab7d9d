"""The log of a curation as lines of text."""

from collections.abc import Sequence

from caprese._core.words import listing, number_of, visible
from caprese.data.curation import Step

_LONGEST = 30  # characters of a name where a line lists several
_LONGEST_READING = 200  # characters of the line that tells how a file was read


def log_lines(log: Sequence[Step]) -> list[str]:
    """Return one line for each step of a curation; no lines if nothing was changed."""
    return [_line(step) for step in log]


def _line(step: Step) -> str:
    if step.what == "read":
        return visible(step.why, _LONGEST_READING)
    kind, names = ("sample", step.samples) if step.samples else ("event", step.events)
    what = number_of(len(names), kind)
    composite = visible(step.composite)
    done = {
        "drop": f"dropped {what}",
        "merge": f"merged {what} into {composite}",
        "add": f"added {composite} beside {what}",
        "split": f"split {composite} into {what}",
        "skip": f"skipped {what}",
    }[step.what]
    return f"{done}, {step.why}: {listing(_numbered_names(names, step.counts))}"


def _numbered_names(names: Sequence[str], counts: Sequence[tuple[int, int]]) -> list[str]:
    shown = [visible(name, _LONGEST) for name in names]
    if not counts:
        return shown
    return [f"{name} ({k} of {n})" for name, (k, n) in zip(shown, counts, strict=True)]
