"""What the page shows, as HTML from its templates: one file for each of its steps."""

from pathlib import Path
from typing import Any

from caprese.report.page import template_environment


def html(template: str, /, **values: Any) -> str:
    """Return a part of the page from its template."""
    environment = template_environment(Path(__file__).parents[1] / "templates")
    return environment.get_template(f"{template}.html.j2").render(**values)
