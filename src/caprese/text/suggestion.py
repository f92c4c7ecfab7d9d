"""Suggested events as lines of text, and as a table that a person edits."""

import csv
import io

from caprese._core.words import listing, number_of, visible
from caprese.data.curation import SUGGESTED
from caprese.data.suggestion import Suggested, Suggestion
from caprese.errors import Remedy, Setting, in_python
from caprese.text.columns import aligned

_SHORT = 30  # characters of the name of an event
_MOST_OTHERS = 10  # events that are shown though they are not proposed
_HEADER = (*SUGGESTED, "present", "known", "reasons")


def suggestion_table(found: Suggestion) -> str:
    """Return the table of events as CSV; a person changes ``yes`` and ``no`` in column ``use``."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEADER)
    writer.writerows(map(_cells, found.events))
    return text.getvalue()


def suggestion_lines(found: Suggestion, setting: Setting = in_python) -> list[str]:
    """Return the proposed events, the first of the others, and samples that are far from others.

    The parameter that drops these samples is written in a given way.
    """
    used = [each for each in found.events if each.use]
    others = [each for each in found.events if not each.use]
    shown = [*used, *others[:_MOST_OTHERS]]
    rows = [[visible(event, _SHORT), *rest] for event, *rest in map(_cells, shown)]
    lines = aligned([list(_HEADER), *rows])
    if len(others) > _MOST_OTHERS:
        lines.append(f"... and {number_of(len(others) - _MOST_OTHERS, 'event')} more in the table")
    if found.limit is not None:
        what = f"{number_of(len(found.hypermutated), 'sample')} with far more events than others"
        names = listing(found.hypermutated)
        remedy = Remedy("hypermutated", found.limit, "drops them")
        lines += ["", f"{what}: {names}; {remedy.message(setting)}"]
    return lines


def _cells(each: Suggested) -> list[str]:
    use = "yes" if each.use else "no"
    return [each.event, use, str(each.present), str(each.known), "; ".join(each.reasons)]
