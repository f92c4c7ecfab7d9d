"""A fit as a notebook shows it: a picture of its order, and a table of its events."""

from base64 import b64encode
from collections.abc import Iterable
from html import escape
from typing import Any

from caprese._core.words import visible
from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import EffectsModel, parent_sets
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.heatmaps.drawing import effects_figure
from caprese.plots.progression.drawing import progression_figure
from caprese.text.facts import in_words
from caprese.text.fits import event_numbers, fit_title
from caprese.text.sentences import quantity

_MOST_EVENTS = 60  # up to which the picture is drawn; and rows of the table


def fit_html(fit: Fit[Any, Any]) -> str:
    """Return the picture and the table of a fit as HTML.

    A model without edges has the picture of its effects, if there are any, or only the table.

    The picture is an image and not an SVG element, so that several outputs of a notebook cannot
    interfere with each other.
    """
    return f"<p>{escape(fit_title(fit))}</p>{_picture(fit)}{_table(fit)}"


def _picture(fit: Fit[Any, Any]) -> str:
    if len(fit.model.events) > _MOST_EVENTS:
        return ""
    if isinstance(fit, OrderedFit):
        figure, about = progression_figure(fit), "The inferred progression"
    elif isinstance(fit.model, EffectsModel):
        figure, about = effects_figure(fit.model), "The effects of events on each other"
    else:
        return ""
    content = b64encode(figure_bytes(figure, "svg")).decode()
    return f'<img alt="{about}" src="data:image/svg+xml;base64,{content}">'


def _table(fit: Fit[Any, Any]) -> str:
    """Return one row for each event, like `OrderedFit.table`, but with names that can be shown."""
    events, numbers = [visible(event) for event in fit.model.events], event_numbers(fit)
    columns: dict[str, list[str]] = {"event": events}
    if isinstance(fit, OrderedFit):
        parents = parent_sets(fit.model.adjacency())
        columns["parent"] = [" & ".join(events[each] for each in above) for above in parents]
    for name, values in {"frequency": fit.counts.frequency, **numbers}.items():
        columns[name] = [quantity(name, float(value)).text for value in values]
    if isinstance(fit, OrderedFit):
        columns["reason"] = in_words(fit.remarks())
    rows = list(zip(*columns.values(), strict=True))
    more = len(rows) - _MOST_EVENTS
    last = f"<p>{more} more</p>" if more > 0 else ""
    body = "".join(_row(row, "td") for row in rows[:_MOST_EVENTS])
    return f"<table><thead>{_row(columns, 'th')}</thead><tbody>{body}</tbody></table>{last}"


def _row(cells: Iterable[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
