import os
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from caprese import FormatError, write_figure
from caprese.models.forest import ROOT, Forest
from caprese.plots.canvas.figures import figure_bytes
from rendered import picture

pytestmark = pytest.mark.slow

HOSTILE = Forest(
    ("<script>alert(1)</script>", "]]><script>x</script>", "--><script/>", "&lt;\" onload='x'"),
    (ROOT, 0, 1, ROOT),
    (0.5, 0.5, 0.5, 0.5),
)


class Broken(Figure):
    def draw(self, renderer):  # noqa: ARG002
        raise RuntimeError("cannot be drawn")


STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("suffix", STARTS)
class TestFormats:
    def test_the_suffix_determines_the_format(self, suffix, tmp_path):
        for name in (f"tree.{suffix}", f"TREE.{suffix.upper()}"):
            write_figure(picture(HOSTILE), tmp_path / name)
            assert (tmp_path / name).read_bytes().startswith(STARTS[suffix])

    def test_the_same_figure_gives_the_same_bytes(self, suffix):
        assert figure_bytes(picture(HOSTILE), suffix) == figure_bytes(picture(HOSTILE), suffix)

    def test_settings_of_the_user_do_not_matter(self, suffix):
        expected = figure_bytes(picture(HOSTILE), suffix)
        odd = {"savefig.bbox": "tight", "svg.fonttype": "none", "font.family": "serif"}
        with mpl.rc_context(odd):
            assert figure_bytes(picture(HOSTILE), suffix) == expected

    def test_neither_date_nor_program_is_written(self, suffix):
        content = figure_bytes(picture(HOSTILE), suffix)
        assert not any(word in content for word in (b"Matplotlib v", b"CreationDate", b"dc:date"))

    def test_a_figure_that_cannot_be_drawn_leaves_the_old_file(self, suffix, tmp_path):
        path = tmp_path / f"tree.{suffix}"
        path.write_text("old")
        with pytest.raises(RuntimeError, match="cannot be drawn"):
            write_figure(Broken(), path)
        assert path.read_text() == "old"
        assert os.listdir(tmp_path) == [path.name]


class TestSvg:
    def test_hostile_names_are_inert(self):
        root = ElementTree.fromstring(figure_bytes(picture(HOSTILE), "svg"))
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert "script" not in tags
        assert "path" in tags
        assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)

    def test_letters_are_outlines_so_that_no_font_is_needed(self):
        content = figure_bytes(picture(HOSTILE), "svg")
        assert b"<text" not in content
        assert b"font-family" not in content

    def test_no_other_file_is_referenced(self):
        root = ElementTree.fromstring(figure_bytes(picture(HOSTILE), "svg"))
        links = [
            value
            for element in root.iter()
            for name, value in element.attrib.items()
            if name.endswith("href")
        ]
        assert links
        assert all(link.startswith("#") for link in links)


@pytest.mark.parametrize(
    ("name", "found"),
    [("tree.gif", "got the suffix '.gif'"), ("tree", "got no suffix"), ("a.svg.gz", "'.gz'")],
)
def test_another_suffix_is_refused(name, found, tmp_path):
    with pytest.raises(
        FormatError, match=r"a figure is written as \.png, \.svg or \.pdf"
    ) as refused:
        write_figure(Figure(), tmp_path / name)
    assert found in str(refused.value)
    assert os.listdir(tmp_path) == []
