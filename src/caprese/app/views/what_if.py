"""What follows if an event is blocked, on the page."""

from caprese._core.words import visible
from caprese.app.views import html
from caprese.patients.outlooks import WhatIf
from caprese.report.content import Bullets, Table
from caprese.report.page import blocks_html
from caprese.text.sentences import SHORT
from caprese.text.what_if import change_words, what_if_notes, what_if_rows


def what_if_view(found: WhatIf) -> str:
    """Return a table of how each other event is reached, without the intervention and with it."""
    (first, *_), (titles, *rows) = found.outlooks, what_if_rows(found)
    kept = [k for k in range(len(titles)) if any(row[k] for row in rows)]
    cells = tuple(tuple((visible(row[k], SHORT),) for k in kept) for row in rows)
    caption = f"If {change_words(first.blocked, first.slowed)}."
    table = Table((caption,), tuple(titles[k] for k in kept), cells, plain=True)
    notes = Bullets(tuple((f"{note[0].upper()}{note[1:]}",) for note in what_if_notes(found)))
    return html("what-if", table=blocks_html([table]), notes=blocks_html([notes]))
