"""A fit as a notebook shows it: a picture of its order, and a table of its events."""

from base64 import b64encode
from collections.abc import Iterable
from html import escape
from typing import Any

from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import EffectsModel
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.heatmaps.drawing import effects_figure
from caprese.plots.progression.drawing import progression_figure
from caprese.report.sections.model import events_table
from caprese.text.fits import fit_title
from caprese.text.sentences import text_of

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
    """Return one row for each event, as text only."""
    table = events_table(fit)
    titles = [column.title for column in table.columns]
    body = "".join(_row(map(text_of, row), "td") for row in table.rows[:_MOST_EVENTS])
    more = len(table.rows) - _MOST_EVENTS
    last = f"<p>{more} more</p>" if more > 0 else ""
    return f"<table><thead>{_row(titles, 'th')}</thead><tbody>{body}</tbody></table>{last}"


def _row(cells: Iterable[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
