"""The forms of the page, made from the methods, formats and data that there are."""

from functools import cache

from caprese._core.words import number_of
from caprese.app.forms import method_forms
from caprese.app.views.fragments import html
from caprese.data.datasets import EMBEDDED
from caprese.io.data.sources import READERS
from caprese.report.glossary import GLOSSARY


def form_views() -> dict[str, str]:
    """Return the forms, which depend on the methods and formats that there are."""
    forms = method_forms()
    return {
        "embedded": html("embedded", examples=_examples()),
        "formats": html("formats", names=list(READERS)),
        "method": html("method", forms=forms, key="method", optional=False),
        "other-method": html("method", forms=forms, key="other", optional=True),
        "judged": html("judged", forms=forms),
        "glossary-terms": html("glossary", glossary=GLOSSARY),
    }


@cache
def _examples() -> list[tuple[str, str]]:
    """Return the names of embedded data, and how large it is."""
    sizes = ((name, data()) for name, data in EMBEDDED.items())
    return [
        (
            name,
            f"{number_of(len(data.samples), 'sample')}, {number_of(len(data.events), 'event')}",
        )
        for name, data in sizes
    ]
