"""A fit as a notebook shows it: a picture of its order, and a table of its events."""

from base64 import b64encode
from html import escape
from typing import Any

from caprese._core.words import visible
from caprese.methods.base import Fit, OrderedFit
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.progression.drawing import progression_figure
from caprese.text.fits import event_numbers, fit_title

_MOST_EVENTS = 60  # up to which the picture is drawn; of more, the table shows only some rows


def fit_html(fit: Fit[Any, Any]) -> str:
    """Return the picture and the table of a fit as HTML; a model without edges has only the table.

    The picture is an image and not an SVG element, so that several outputs of a notebook cannot
    interfere with each other.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> html = fit_html(Caprese().fit(acml()))
    >>> html[:44], "<img" in html, "<table" in html
    ('<p>caprese (shrinkage 0.5) on 64 samples x 3', True, True)
    """
    return f"<p>{escape(fit_title(fit))}</p>{_picture(fit)}{_table(fit)}"


def _picture(fit: Fit[Any, Any]) -> str:
    if not isinstance(fit, OrderedFit) or len(fit.model.events) > _MOST_EVENTS:
        return ""
    content = b64encode(figure_bytes(progression_figure(fit), "svg")).decode()
    return f'<img alt="The inferred progression" src="data:image/svg+xml;base64,{content}">'


def _table(fit: Fit[Any, Any]) -> str:
    import pandas as pd

    if isinstance(fit, OrderedFit):
        table = fit.table()
        table["parent"] = ["" if pd.isna(names) else visible(names) for names in table["parent"]]
    else:
        table = pd.DataFrame({"frequency": fit.counts.frequency, **event_numbers(fit)})
    table.index = pd.Index([visible(event) for event in fit.model.events], name="event")
    html: str = table.to_html(float_format="{:.3f}".format, na_rep="", max_rows=_MOST_EVENTS)
    return html
