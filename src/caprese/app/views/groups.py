"""Groups of samples side by side on the page, and tables that tell of them."""

from collections.abc import Mapping
from typing import Any

from caprese._core.names import plain_title
from caprese.app.views import html
from caprese.assessment.group_comparison import MOST_GROUPS, GroupComparison
from caprese.methods.fit import Fit, OrderedFit, order_of
from caprese.patients.clinical import Clinical
from caprese.plots import comparison_figure
from caprese.report.content import Picture
from caprese.report.page import blocks_html
from caprese.report.sections.groups import groups_section

_PATIENT = ("patient", "patientid", "case", "caseid", "subject", "subjectid", "individual")
_TIME = ("date", "time", "day", "days", "month", "months", "age", "timepoint", "sampledat")


def groups_view(found: GroupComparison, fits: Mapping[str, Fit[Any, Any]], command: str) -> str:
    """Return what differs between groups, the trees of two of them, and how to repeat it."""
    said = blocks_html(groups_section(found).blocks)
    trees = list(fits.values())
    first, *others = trees
    picture = ""
    if len(trees) == 2 and isinstance(first, OrderedFit) and isinstance(others[0], OrderedFit):
        orders = (order_of(first), order_of(others[0]))
        one, other = fits
        frequency = first.counts.frequency
        figure = comparison_figure(*orders, titles=(one, other), frequency=frequency)
        caption = "Each group on its own; edges that only one of them has are coloured and dashed."
        described = "Two drawings of the progression, one of each group."
        picture = blocks_html([Picture("groups", described, (caption,), lambda: figure)])
    return html("groups", said=said, picture=picture, command=command)


def told_of_table(found: Clinical) -> dict[str, Any]:
    """Return the columns of a table, and which of them may hold patients, times and groups."""
    titles = [title for title in found.columns if title and ":" not in title]
    plain = {title: plain_title(title) for title in titles}

    def like(words: tuple[str, ...]) -> str:
        return next((title for title in titles if plain[title] in words), "")

    kinds = {title: {*found.columns[title]} - {""} for title in titles}
    return {
        "holds": "columns",
        "titles": titles,
        "patient": like(_PATIENT),
        "time": like(_TIME),
        "groups": [title for title in titles if 2 <= len(kinds[title]) <= MOST_GROUPS],
    }
