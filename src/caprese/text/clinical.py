"""Clinical comparisons as lines of text: tests against a clinical table, and survival."""

import math

from caprese._core.significance import LEVEL, SIGNIFICANT
from caprese._core.words import listing, number_of, percent, visible
from caprese.patients.groups import Association, Associations, Group
from caprese.patients.growth import RankCorrelation
from caprese.patients.survival import Curve, Survival
from caprese.text.columns import aligned, separated
from caprese.text.facts import Names, in_words, visible_name
from caprese.text.sentences import Cell, Number, count, text_of
from caprese.text.style import Style, plain

_AGAINST = {"progress": "number of events", "subtype": "subtype"}
_FEW = 4  # groups that are all shown; of more, the lowest and the highest
_LONGEST = 24  # characters of the name of a group


def association_lines(
    found: Associations, *, most: int = 15, names: bool = True, style: Style = plain
) -> list[str]:
    """Return the lines that show the first tests, and what was left out, with or without names."""
    shown = [[text_of(cell) for cell in association_row(test)] for test in found.tests[:most]]
    for row, test in zip(shown, found.tests, strict=False):
        row[5] += " *" if test.adjusted < SIGNIFICANT else ""
    table = aligned([[*ASSOCIATION_TITLES[:-1], ""], *shown], numbers=False) if shown else []
    more = len(found.tests) - most
    rest = [f"and {more} more, with greater p-values"] if more > 0 else []
    notes = comparison_notes(found, names=names)
    grows = growth_sentences(found)
    return separated([style(tests_made(found), "title")], grows, [*table, *rest], notes)


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


def growth_sentences(found: Associations) -> list[str]:
    """Return whether the number of events grows with each age, stage or grade."""
    return [_growth(test) for test in found.growth]


def _growth(test: Association) -> str:
    column = visible(test.column, _LONGEST)
    clear = test.adjusted < SIGNIFICANT
    words = ("grows", "falls")[test.effect < 0] if clear else "does not clearly change"
    first = (
        f"The number of events {words} with {column}: rank correlation {_interval(test)}, "
        f"p = {p_text(test.p_value)}, adjusted {p_text(test.adjusted)}"
    )
    if test.partial is None:
        return f"{first}."
    others = listing([visible(title, _LONGEST) for title in test.partial.given])
    return f"{first}; given {others} {_interval(test.partial)}."


def _interval(of: Association | RankCorrelation) -> str:
    value = of.effect if isinstance(of, Association) else of.value
    between = "" if math.isnan(of.low) else f" ({of.low:.2f} to {of.high:.2f})"
    return f"{value:.2f}{between}"


def difference(test: Association) -> str:
    """Return in words how the compared groups differ."""
    if test.test == "Spearman":
        return f"correlation {_interval(test)}"
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


ASSOCIATION_TITLES = ("column", "against", "samples", "test", "p", "adjusted", "difference")


def association_row(test: Association, names: Names = visible_name) -> tuple[Cell, ...]:
    """Return a test as the row of a table."""
    return (
        (visible(test.column),),
        (names(test.event),) if test.event else (_AGAINST[test.about],),
        count(test.samples),
        (test.test,),
        Number(p_text(test.p_value), test.p_value),
        Number(p_text(test.adjusted), test.adjusted),
        (difference(test),),
    )


SURVIVAL_TITLES = ("group", "samples", "deaths", "median", f"{percent(LEVEL)} interval")


def survival_row(curve: Curve) -> tuple[Cell, ...]:
    """Return the survival of a group as the row of a table."""
    return (
        (visible(curve.group),),
        count(curve.samples),
        count(curve.deaths),
        Number(time_text(curve.median), curve.median),
        (f"{time_text(curve.median_low)} to {time_text(curve.median_high)}",),
    )


def survival_lines(found: Survival, *, names: bool = True, style: Style = plain) -> list[str]:
    """Return the lines that show survival by group: medians, numbers at risk, log-rank test."""
    rows = [[text_of(cell) for cell in survival_row(curve)] for curve in found.curves]
    times = found.round_times()
    risks = [[f"at risk ({visible(found.time)})", *(f"{time:g}" for time in times), ""]]
    risks += [[visible(each.group), *map(str, each.at_risk(times)), ""] for each in found.curves]
    title = style(f"Survival by {visible(found.by)}: {log_rank_text(found)}", "title")
    notes = comparison_notes(found, names=names)
    return separated([title], aligned([SURVIVAL_TITLES, *rows]), aligned(risks), notes)


def comparison_notes(found: Associations | Survival, *, names: bool) -> list[str]:
    """Return what limits a comparison; samples that were left out are named, or only counted."""
    notes, samples = in_words(found.facts), found.left_out
    if samples:
        why = (
            "without time or status" if isinstance(found, Survival) else "not in the clinical table"
        )
        who = f": {listing(samples)}" if names else ""
        notes.append(f"left out, {why}: {number_of(len(samples), 'sample')}{who}")
    return notes


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


def time_text(value: float) -> str:
    """Return a median time, which may be infinite."""
    return f"{value:.4g}" if math.isfinite(value) else "not reached"
