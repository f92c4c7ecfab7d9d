"""The figures of the documentation are what their commands draw."""

import re
import runpy

import numpy as np
import pytest
from matplotlib import image

import caprese.studies as studies

pytestmark = pytest.mark.slow

ALIKE = 0.02  # mean difference of pixels, of 1, that fonts of other versions may make


@pytest.fixture(scope="module")
def figures(repository):
    return repository / "docs" / "figures"


@pytest.fixture(scope="module")
def drawing(figures):
    return runpy.run_path(str(figures / "draw.py"))


@pytest.mark.parametrize("name", ["cohort.png", "ovarian.png", "acml-capri.png"])
def test_a_figure_is_what_its_command_draws(name, figures, drawing, tmp_path):
    assert name in drawing["COMMANDS"]
    drawing["draw"](name, tmp_path)
    drawn, stored = (image.imread(folder / name) for folder in (tmp_path, figures))
    assert drawn.shape == stored.shape
    assert np.abs(drawn - stored).mean() < ALIKE


def test_every_figure_has_a_script(figures, drawing):
    known = {*drawing["COMMANDS"], *drawing["PHOTOGRAPHS"]}
    known |= {f"{name}.png" for name in drawing["STUDIES"]}
    assert {path.name for path in figures.glob("*.png")} == known
    assert set(drawing["STUDIES"]) <= set(studies.STUDIES)


def test_every_figure_is_shown_on_a_page(figures, repository):
    pages = [repository / "README.md", *(repository / "docs").rglob("*.md")]
    shown = {
        name
        for page in pages
        for name in re.findall(r"figures/([\w-]+\.png)", page.read_text(encoding="utf-8"))
    }
    assert shown == {path.name for path in figures.glob("*.png")}
