"""Parts of the page as HTML: templates of the page, and blocks of the report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caprese._core.words import visible
from caprese.assessment.judgement import Judgement
from caprese.data.curation import Curated
from caprese.data.inspection import Inspection
from caprese.methods.independence import IndependentEvents
from caprese.report.analysis import Analysis
from caprese.report.content import Block, Heading, Picture, Section
from caprese.report.page import blocks_html
from caprese.report.pictures import svg_pictures
from caprese.text.sentences import SHORT, Event

if TYPE_CHECKING:
    from jinja2 import Environment


def html(template: str, /, **values: Any) -> str:
    """Return a part of the page from its template."""
    return _environment().get_template(f"{template}.html.j2").render(**values)


def with_pictures(blocks: Sequence[Block], analysis: Analysis) -> str:
    """Return blocks as HTML, with their pictures of an analysis."""
    keys = tuple(block.key for block in blocks if isinstance(block, Picture))
    return blocks_html(blocks, svg_pictures(analysis, keys))


def titled(section: Section) -> tuple[Block, ...]:
    """Return the blocks of a section below its title."""
    return (Heading(section.title), *section.blocks)


def position(blocks: Sequence[Block], title: str) -> int:
    """Return where a heading is."""
    return [isinstance(block, Heading) and block.text == title for block in blocks].index(True)


def before(blocks: Sequence[Block], title: str) -> list[Block]:
    """Return the blocks before a heading."""
    return list(blocks[: position(blocks, title)])


def plain_analysis(
    curated: Curated, found: Inspection, judgement: Judgement | None = None
) -> Analysis:
    """Return the analysis of data alone, for sections of the report that speak of nothing else."""
    fit = IndependentEvents().fit(curated.data)
    with_log = replace(fit, log=curated.log)
    return Analysis(curated.data, with_log, found, (), None, 1, judgement)


def named(names: Mapping[str, Event], name: str) -> Event:
    """Return an event as it is shown; also one that curation has dropped."""
    return names.get(name) or Event(visible(name, SHORT))


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(Path(__file__).parents[1] / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
