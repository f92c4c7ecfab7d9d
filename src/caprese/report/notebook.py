"""A fit as a notebook shows it: the tree and the table."""

from html import escape
from typing import Any

from caprese.methods.base import Fit, OrderedFit
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.progression.drawing import progression_figure

_MOST_EVENTS = 60  # up to which a picture is worth drawing unasked


def fit_html(fit: Fit[Any, Any]) -> str:
    """Return the picture and the table of a fit as HTML.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> html = fit_html(Caprese().fit(acml()))
    >>> html[:5], "<table" in html
    ('<pre>', True)
    """
    title = f"<pre>{escape(repr(fit).splitlines()[0])}</pre>"
    if not isinstance(fit, OrderedFit):
        return title
    table: str = fit.table().to_html(float_format="{:.3f}".format, na_rep="", max_rows=_MOST_EVENTS)
    if len(fit.model.events) > _MOST_EVENTS:
        return title + table
    picture = figure_bytes(progression_figure(fit), "svg").decode()
    return title + picture[picture.index("<svg") :] + table
