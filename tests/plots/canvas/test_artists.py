"""The artists of a canvas draw what those of matplotlib draw."""

import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.patheffects import Stroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox, TransformedBbox

from caprese.plots.canvas.artists import Box, Label
from caprese.plots.canvas.canvas import Canvas, new_figure
from caprese.plots.canvas.figures import figure_bytes

PLAIN = {"parse_math": False, "usetex": False, "clip_on": False, "rotation_mode": "anchor"}


def picture(kind, text, file_format="svg", **properties):
    figure = Figure(figsize=(3, 2))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.add_artist(kind(0.4, 0.6, text, **PLAIN | properties))
    return figure_bytes(figure, file_format, dpi=90)


class TestLabels:
    @pytest.mark.slow
    @pytest.mark.parametrize("file_format", ["svg", "png", "pdf"])
    @pytest.mark.parametrize("rotation", [0, 90])
    @pytest.mark.parametrize("align", ["left", "center", "right"])
    def test_a_label_is_drawn_as_a_text_of_matplotlib(self, align, rotation, file_format):
        properties = {
            "horizontalalignment": align,
            "verticalalignment": "baseline",
            "rotation": rotation,
            "color": "#345678",
            "alpha": 0.5,
        }
        own, theirs = (
            picture(kind, "TP53 gain, 8q+", file_format, **properties) for kind in (Label, Text)
        )
        assert own == theirs

    @pytest.mark.parametrize(
        "changed",
        [
            {"text": "two\nlines"},
            {"bbox": {"facecolor": "red"}},
            {"wrap": True},
            {"verticalalignment": "top"},
            {"rotation_mode": "default", "rotation": 30, "horizontalalignment": "right"},
            {"parse_math": True, "text": "$x^2$"},
            {"path_effects": [Stroke(linewidth=3)]},
            {"url": "https://example.org"},
            {"visible": False},
            {"text": ""},
        ],
        ids=", ".join,
    )
    def test_also_where_a_user_changes_it(self, changed):
        properties = {"text": "TP53"} | changed
        text = properties.pop("text")
        properties = {"verticalalignment": "baseline"} | properties
        assert picture(Label, text, **properties) == picture(Text, text, **properties)

    def test_one_that_a_user_clips_is_clipped_by_the_canvas(self):
        drawn = []
        for clipped in (False, True):
            figure, axes = new_figure((60, 40))
            Canvas.on(axes, 60, 40).text((55, 20), "too long a text", 9, align="left")
            axes.texts[0].set_clip_on(clipped)
            drawn.append(figure_bytes(figure, "svg").count(b"clip-path="))
        assert drawn == [0, 1]


class TestFrames:
    def test_an_artist_keeps_its_clip_box_when_it_is_added(self):
        axes = Figure().subplots()
        frame = TransformedBbox(Bbox.unit(), axes.transAxes)
        box = Box((0, 0), 0.5, 0.5)
        box.set_clip_box(frame)
        axes.add_artist(box)
        assert box.get_clip_box() is frame

    def test_another_clip_path_can_be_set(self):
        axes = Figure().subplots()
        box = axes.add_artist(Box((0, 0), 0.5, 0.5))
        box.set_clip_path(Circle((0, 0), 0.1, transform=axes.transData))
        assert box.get_clip_path() is not None
