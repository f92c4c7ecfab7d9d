"""Clinical comparisons as lines of text: tests against a clinical table, and survival."""

import math
from collections.abc import Sequence

from caprese._core.significance import LEVEL, SIGNIFICANT
from caprese._core.words import listing, number_of, percent, visible
from caprese.patients.groups import Association, Associations, Group
from caprese.patients.survival import Curve, Survival
from caprese.text.columns import aligned
from caprese.text.facts import in_words
from caprese.text.style import Style, plain

_FEW = 4  # groups that are all shown; of more, the lowest and the highest
_LONGEST = 24  # characters of the name of a group


def association_lines(
    found: Associations, *, most: int = 15, names: bool = True, style: Style = plain
) -> list[str]:
    """Return the lines that show the tests against a clinical table, the smallest p-values first.

    Parameters
    ----------
    most
        How many tests are shown.
    names
        Whether samples that were left out are named.
    """
    head = ["column", "against", "samples", "test", "p", "adjusted", ""]
    rows = [head, *(_association_row(test) for test in found.tests[:most])]
    table = aligned(rows, numbers=False) if found.tests else []
    more = len(found.tests) - most
    rest = [f"and {more} more, with greater p-values"] if more > 0 else []
    why = "not in the clinical table"
    notes = [*in_words(found.facts), *_left_out(found.left_out, why, names)]
    return [
        style(tests_made(found), "title"),
        *_part(table),
        *rest,
        *_part(notes),
    ]


def tests_made(found: Associations) -> str:
    """Return in words how many tests were made, and how many are significant."""
    if not found.tests:
        return "No column of the clinical table could be tested."
    tests = number_of(len(found.tests), "test")
    below = len(found.significant) or "none"
    return (
        f"{tests} against the clinical table, {below} with a p-value below {SIGNIFICANT:g} "
        "adjusted for all of them (Benjamini-Hochberg)"
    )


def against(test: Association) -> str:
    """Return what a column is compared with, in words."""
    words = {"progress": "number of events", "subtype": "subtype"}
    return words.get(test.about) or visible(test.event)


def difference(test: Association) -> str:
    """Return in words how the compared groups differ."""
    if test.test == "Spearman":
        return f"correlation {test.effect:.2f}"
    if not test.groups or math.isnan(test.groups[0].value):
        return ""
    groups = list(test.groups)
    shown = [f"{visible(group.name, _LONGEST)}: {_value(test, group)}" for group in groups]
    if len(groups) > _FEW:
        ranked = sorted(range(len(groups)), key=lambda k: groups[k].value)
        shown = [f"from {shown[ranked[0]]} to {shown[ranked[-1]]}"]
    return ("" if _is_share(test) else "medians ") + ", ".join(shown)


def _value(test: Association, group: Group) -> str:
    if _is_share(test):
        return f"{percent(group.value)} of {group.samples}"
    if test.kind == "ordered" and test.about != "progress":
        return visible(test.levels[math.floor(group.value)], _LONGEST)
    return f"{group.value:g}"


def _is_share(test: Association) -> bool:
    return test.about == "event" and test.kind == "categorical"


def _association_row(test: Association) -> list[str]:
    mark = " *" if test.adjusted < SIGNIFICANT else ""
    return [
        visible(test.column),
        against(test),
        str(test.samples),
        test.test,
        p_text(test.p_value),
        p_text(test.adjusted) + mark,
        difference(test),
    ]


def survival_lines(found: Survival, *, names: bool = True, style: Style = plain) -> list[str]:
    """Return the lines that show survival by group: medians, numbers at risk, log-rank test."""
    rows = [["group", "samples", "deaths", "median", f"{percent(LEVEL)} interval"]]
    rows += [_curve_row(curve) for curve in found.curves]
    times = found.round_times()
    risks = [[f"at risk ({visible(found.time)})", *(f"{time:g}" for time in times), ""]]
    for curve in found.curves:
        counts = (str(count) for count in curve.at_risk(times))
        risks.append([visible(curve.group), *counts, ""])
    why = "without time or status"
    notes = [*in_words(found.facts), *_left_out(found.left_out, why, names)]
    return [
        style(f"Survival by {visible(found.by)}: {log_rank_text(found)}", "title"),
        *_part(aligned(rows)),
        *_part(aligned(risks)),
        *_part(notes),
    ]


def log_rank_text(found: Survival) -> str:
    """Return the log-rank test in words."""
    degrees = number_of(found.degrees, "degree")
    return (
        f"log-rank test p = {p_text(found.p_value)} (chi-square {found.statistic:.2f}, "
        f"{degrees} of freedom)"
    )


def p_text(p_value: float) -> str:
    """Return a p-value with two digits; none is printed as 0."""
    return "<1e-10" if p_value < 1e-10 else f"{p_value:.2g}"


def _curve_row(curve: Curve) -> list[str]:
    interval = f"{time_text(curve.median_low)} to {time_text(curve.median_high)}"
    return [
        visible(curve.group),
        str(curve.samples),
        str(curve.deaths),
        time_text(curve.median),
        interval,
    ]


def time_text(value: float) -> str:
    """Return a median time, which may be infinite."""
    return f"{value:.4g}" if math.isfinite(value) else "not reached"


def _left_out(samples: Sequence[str], why: str, names: bool) -> list[str]:
    if not samples:
        return []
    who = f": {listing(samples)}" if names else ""
    return [f"left out, {why}: {number_of(len(samples), 'sample')}{who}"]


def _part(lines: Sequence[str]) -> list[str]:
    """Return lines with an empty one before them; nothing if there are none."""
    return ["", *lines] if lines else []
