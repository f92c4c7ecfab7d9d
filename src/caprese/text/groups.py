"""Groups of samples compared, in words: whether their orders of events differ beyond chance."""

from collections.abc import Iterator, Sequence
from typing import Any

from caprese._core.significance import SIGNIFICANT
from caprese._core.words import number_of, visible
from caprese.assessment.group_comparison import GroupComparison
from caprese.text.clinical import p_text
from caprese.text.columns import aligned, separated
from caprese.text.facts import Names, visible_name
from caprese.text.sentences import Cell, Number, Sentence, listed, phrase, plain, share, text_of
from caprese.text.style import Style
from caprese.text.style import plain as unstyled

_MOST = 12  # orders in a table
_LONGEST = 24  # characters of the name of a group


def group_sentences(found: GroupComparison, names: Names = visible_name) -> Iterator[Sentence]:
    """Yield, for each two groups, whether the order differs by more than chance, and where."""
    for place, (one, other) in enumerate(found.pairs):
        p_value = float(found.overall[place])
        parts = {
            "one": _group(found, one),
            "other": _group(found, other),
            "p": f"p = {p_text(p_value)}",
        }
        differs = p_value < SIGNIFICANT
        words = "The order of events {does} between {one} and {other} by more than chance ({p})."
        own = [
            row for row in _rows(found) if row["pair"] == place and row["adjusted"] < SIGNIFICANT
        ]
        where = phrase(
            " Beyond chance after adjustment: {orders}."
            if differs
            else " Single pairs do after adjustment, but not all together: {orders}.",
            orders=listed([_order(row, names) for row in own], most=_MOST),
        )
        does = "differs" if differs else "does not differ"
        yield (*phrase(words, does=does, **parts), *(where if own else ()))
    if found.left_out:
        samples = number_of(found.left_out, "sample")
        yield (f"{samples} without a group {'is' if found.left_out == 1 else 'are'} left out.",)


def group_titles(found: GroupComparison) -> tuple[str, ...]:
    """Return the titles of the columns of `group_rows`."""
    if len(found.groups) == 2:
        return ("order", *(visible(name, _LONGEST) for name in found.groups), "p", "adjusted")
    return ("order", "groups", "probability", "p", "adjusted")


def group_rows(found: GroupComparison, names: Names = visible_name) -> list[tuple[Cell, ...]]:
    """Return the cells of a table of orders that differ, the least probable by chance first."""
    rows = []
    for row in _rows(found)[:_MOST]:
        one, other = share(row["probability"]), share(row["other_probability"])
        shown: tuple[Cell, ...] = (one, other)
        if len(found.groups) > 2:
            group, against = (visible(row[key], _LONGEST) for key in ("group", "other_group"))
            shown = ((f"{group}, {against}",), (f"{one.text}, {other.text}",))
        tests = (Number(p_text(row[key]), row[key]) for key in ("p_value", "adjusted"))
        rows.append((_order(row, names), *shown, *tests))
    return rows


def rows_left_out(found: GroupComparison) -> str:
    """Return how many orders that differ are not in the table; empty if none."""
    more = len(_rows(found)) - _MOST
    return f"and {more} more, with greater p-values" if more > 0 else ""


def group_method(found: GroupComparison) -> str:
    """Return how the groups were compared."""
    return (
        f"By {found.permutations} random divisions of the samples into groups of the same sizes; "
        f"adjusted for all pairs of events (Benjamini-Hochberg); seed {found.seed}."
    )


def group_lines(
    found: GroupComparison, title: str, style: Style = unstyled, width: int | None = None
) -> list[str]:
    """Return the lines that show a comparison of groups, by a column of this title."""
    rows = [[text_of(cell) for cell in row] for row in group_rows(found)]
    table = aligned([group_titles(found), *rows], numbers=False, width=width) if rows else []
    none = [] if rows else ["The groups have the same order of all events."]
    rest = rows_left_out(found)
    return separated(
        [style(f"Groups by {visible(title)}", "title"), *map(plain, group_sentences(found))],
        [*table, *([rest] if rest else []), *none],
        [group_method(found)],
    )


def _group(found: GroupComparison, place: int) -> str:
    samples = number_of(found.sizes[place], "sample")
    return f"{visible(found.groups[place], _LONGEST)} ({samples})"


def _order(row: dict[str, Any], names: Names) -> Sentence:
    earlier, later = names(str(row["earlier"])), names(str(row["later"]))
    return phrase("{earlier} before {later}", earlier=earlier, later=later)


def _rows(found: GroupComparison) -> Sequence[dict[str, Any]]:
    """Return the rows of its table in which the two groups differ, with the place of the pair."""
    places = {
        (found.groups[one], found.groups[other]): place
        for place, (one, other) in enumerate(found.pairs)
    }
    return [
        {**row, "pair": places[row["group"], row["other_group"]]}
        for row in found.table().to_dict("records")
        if row["distance"] > 0
    ]
