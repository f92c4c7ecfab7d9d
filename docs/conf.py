"""How sphinx builds the documentation: `make docs`."""

import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

project = "caprese"
author = "The caprese developers"
release = version = installed_version("caprese")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "mathml",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]
default_role = "code"  # for single backticks in docstrings

html_theme = "pydata_sphinx_theme"
html_title = "caprese"
html_static_path = ["_static"]
html_css_files = ["caprese.css"]
html_show_sourcelink = False
html_sidebars: dict[str, list[str]] = {  # pages without pages below them
    name: []
    for name in (
        *(
            "install",
            "quickstart",
            "cases",
            "guarantees",
            "coming-from-r",
            "coming-from-mhn",
            "coming-from-trees",
            "from-r",
            "contributing",
        ),
        *("stability", "releasing", "changes"),
    )
}
html_theme_options: dict[str, Any] = {
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "footer_start": ["sphinx-version"],
    "footer_end": ["theme-version"],
    "secondary_sidebar_items": ["page-toc"],
}
html_math_renderer = "mathml"  # rendered by the browser: no script, no network

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autosummary_generate = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_attr_annotations = False
python_use_unqualified_type_names = True
add_module_names = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": str(HERE.parent / "examples"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"^(?!plot_)",
    "within_subsection_order": "ExampleTitleSortKey",
    "image_scrapers": ("gallery_figures",),
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "download_all_examples": False,
    "write_computation_times": False,
}

# Types of other packages: their pages are not fetched, because a build needs no network.
nitpick_ignore_regex = [
    (r"py:.*", r"(numpy|np|pandas|pd|matplotlib|collections|typing|os|pathlib|enum|numbers)\..*"),
    (r"py:.*", r"Axes|Figure|nx\.DiGraph|InferenceData|AnnData"),
    (r"py:class", r"tuple\[str"),  # in a signature with <factory>, which is not Python
    (r"py:.*", r"caprese\.methods\.base\.[ME]"),  # type parameters of a fit
]

_CONSTANTS = {  # by default sphinx shows the docstring of their type
    "caprese.ROOT": "In place of the position of a parent, for an event without a parent: {value}.",
    "caprese.METHODS": "Every method, by its name on the command line.",
    "caprese.__version__": "The version of the package.",
}
_COLON = "\ue000"  # in its place while napoleon reads
_END_OF_DOCTESTS = re.compile(r"\n\n```$", re.MULTILINE)
_ARRAY = re.compile(r"ndarray\[tuple\[Any, \.\.\.\], dtype\[(\w+)\]\]")
_ARRAYS = {"bool": "BoolArray", "int64": "IntArray", "float64": "FloatArray", "Any": "NumberArray"}


def _without_last_line(_app: Any, _page: str, source: list[str]) -> None:
    """Remove the empty line at the end of a doctest, which would be shown."""
    source[0] = _END_OF_DOCTESTS.sub("\n```", source[0])


def _plain_arrays(_app: Any, page: nodes.document, _name: str) -> None:
    """Show the types of arrays by the names used in the source."""
    for kind in (addnodes.desc_returns, addnodes.desc_annotation, addnodes.desc_sig_name):
        for node in list(page.findall(kind)):
            shown = _ARRAY.sub(lambda found: _ARRAYS.get(found[1], "ndarray"), node.astext())
            if shown != node.astext():
                node.children = [nodes.Text(shown.removeprefix(" -> "))]  # the arrow is added later


def _hide_colon(
    _app: Any, what: str, _name: str, _value: Any, _options: Any, lines: list[str]
) -> None:
    """Hide a colon in the first line of a property; napoleon reads a type before it."""
    if what in ("attribute", "property") and lines:
        lines[0] = lines[0].replace(":", _COLON)


def _own_docstring(
    _app: Any, _what: str, name: str, value: Any, _options: Any, lines: list[str]
) -> None:
    """Describe constants, and show the colons again."""
    if name in _CONSTANTS:
        lines[:] = [_CONSTANTS[name].format(value=value)]
    lines[:] = [line.replace(_COLON, ":") for line in lines]


def setup(app: Any) -> None:
    """Connect the functions of this file."""
    app.connect("autodoc-process-docstring", _hide_colon, priority=400)  # before napoleon
    app.connect("autodoc-process-docstring", _own_docstring, priority=600)  # after napoleon
    app.connect("source-read", _without_last_line)
    app.connect("doctree-resolved", _plain_arrays)
