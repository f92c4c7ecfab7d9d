from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch

from caprese import Caprese, Dataset, bootstrap, datasets, plots
from caprese.data.curation import curate
from caprese.models.forest import ROOT, Forest
from caprese.plots.progression.nodes import Node, root_size
from caprese.plots.progression.plan import Marks, marks_of, progression_plan
from caprese.plots.progression.tree import node_sizes, page_scale
from rendered import (
    LONG,
    PROGRESSIONS,
    SEVERAL_PARENTS,
    SINGLE,
    boxes,
    chain,
    outside,
    overlapping,
    picture,
    pixels,
    star,
    support,
    texts,
)

pytestmark = pytest.mark.slow

HOSTILE = {
    "mathematics": r"$\frac{1}{0}$ and $x^",
    "backslashes": r"\n \alpha \\",
    "line breaks": "one\ntwo\r\nthree\tfour",
    "control characters": "bell\x07 null\x00 escape\x1b[31m",
    "right to left": "abc\u202edef\u200f",
    "lone surrogate": "half \ud800 sign",
    "Chinese": "肿瘤进展",
    "emoji": "🧬👩‍🔬🇮🇹",
    "combining": "e\u0301" * 20,
    "markup": "<script>alert(1)</script>]]>&amp;",
    "percent": "%s {0} {} %(name)s",
    "spaces": "a" + " " * 60 + "b",
    "very long": "x" * 10_000,
    "very long and wide": "W" * 10_000,
    "many control characters": "\x00" * 10_000,
}


def dashes(axes):
    return [patch.get_linestyle() for patch in axes.patches if isinstance(patch, PathPatch)]


def strings(axes):
    return [text.get_text() for text in axes.texts]


@pytest.mark.parametrize("direction", ["down", "right"])
@pytest.mark.parametrize("name", PROGRESSIONS)
class TestLegibility:
    def drawn(self, name, direction):
        model = PROGRESSIONS[name]
        n = len(model.events)
        return picture(
            model,
            direction,
            frequency=model.marginals(),
            support=support(n),
            composites=model.events[::3],
            undetermined=model.events[-1:],
        )

    @pytest.mark.parametrize("dpi", [60, 150])
    def test_no_texts_overlap(self, name, direction, dpi):
        assert overlapping(self.drawn(name, direction), dpi) == []

    def test_all_texts_are_inside_the_figure(self, name, direction):
        assert outside(self.drawn(name, direction)) == []

    def test_all_names_frequencies_and_supports_are_shown(self, name, direction):
        model = PROGRESSIONS[name]
        drawn = strings(self.drawn(name, direction).axes[0])
        words = "".join(drawn).replace(" ", "")
        assert all(event.replace(" ", "") in words for event in model.events)
        edges = model.adjacency().sum() + (~model.adjacency().any(axis=0)).sum()
        undetermined = max(1, int(model.adjacency()[:, -1].sum()))
        percents = [text for text in drawn if text.endswith("%")]
        assert len(percents) == len(model.events) + edges - undetermined


def test_the_check_of_overlaps_finds_one():
    figure = picture(SINGLE)
    figure.axes[0].text(*figure.axes[0].texts[0].get_position(), "again")
    assert overlapping(figure) == [("root", "again")]


def test_names_are_inside_their_nodes():
    figure = picture(PROGRESSIONS["long names"])
    drawn = boxes(figure)
    nodes = [patch.get_window_extent() for patch in figure.axes[0].patches]
    for _, box in drawn:
        assert any(
            node.x0 <= box.x0 and box.x1 <= node.x1 and node.y0 <= box.y0 and box.y1 <= node.y1
            for node in nodes
        )


def direction(model):
    ((tree, _),) = progression_plan(model, Marks()).trees
    return tree.layout.direction


class TestSize:
    def test_few_events_grow_down(self):
        assert direction(star(5)) == "down"

    def test_many_siblings_grow_to_the_right(self):
        assert direction(star(60)) == "right"

    def test_a_picture_that_is_twice_as_wide_as_a_page_is_halved(self):
        assert (page_scale((100.0, 100.0)), page_scale((1040.0, 100.0))) == (1.0, 0.5)

    def test_a_frequency_makes_a_node_higher_or_wider(self):
        below, beside = (Node(("8q+",), 0.7, beside=beside).size for beside in (False, True))
        assert below[0] < beside[0]
        assert below[1] > beside[1]

    def test_the_root_is_wider_than_high(self):
        width, height = root_size()
        assert width > height

    def test_nodes_of_a_column_are_equally_wide(self):
        nodes, edges = [Node(("a",)), Node(("a longer name",))], [(2, 0), (2, 1)]
        right, down = (node_sizes(nodes, edges, direction)[:, 0] for direction in ("right", "down"))
        assert right[0] == right[1] == down[1] > down[0]

    def test_sixty_events_in_three_trees_stay_within_a_poster(self):
        model = PROGRESSIONS["three trees"]
        marks = Marks(frequency=model.marginals(), support=support(60))
        width, height = progression_plan(model, marks).extent
        assert max(width, height) < 20 * 72

    def test_in_small_axes_everything_is_scaled_down(self):
        model = PROGRESSIONS["three trees"]
        figure = Figure(figsize=(6, 4))
        plots.draw_progression(figure.subplots(), model, frequency=model.marginals())
        assert overlapping(figure, 300) == []
        assert outside(figure, 300) == []

    def test_in_large_axes_the_picture_keeps_its_size(self):
        small, large = (
            Figure(figsize=(5 * times, 5 * times)).add_axes((0, 0, 1, 1)) for times in (1, 3)
        )
        sizes = [
            {text.get_fontsize() for text in plots.draw_progression(axes, chain(3)).texts}
            for axes in (small, large)
        ]
        assert sizes[0] == sizes[1] == {8.0, 9.0}


class TestHostileNames:
    @pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
    @pytest.mark.parametrize("direction", ["down", "right"])
    def test_any_name_is_drawn_without_a_warning(self, name, direction):
        model = Forest((name, "b"), (ROOT, 0), (0.5, 0.5))
        figure = picture(model, direction, frequency=model.marginals(), composites=(name,))
        assert pixels(figure).min() < 0.5
        assert overlapping(figure) == []
        assert outside(figure) == []
        assert figure.get_size_inches().max() < 8

    def test_mathematics_is_drawn_as_plain_text(self):
        axes = picture(Forest(("$x^2$",), (ROOT,), (0.5,))).axes[0]
        assert "$x^2$" in strings(axes)
        assert not any(text.get_parse_math() for text in axes.texts)

    def test_long_names_that_differ_in_the_middle_have_different_labels(self):
        names = tuple("a" * 100 + middle + "z" * 100 for middle in "bc")
        drawn = strings(picture(Forest(names, (ROOT, ROOT), (0.5, 0.5)), "right").axes[0])
        assert len(set(drawn)) == len(drawn) == 3

    def test_names_of_forty_characters_are_shown_in_full(self):
        model = PROGRESSIONS["seven long names"]
        assert len(LONG.format(1)) == 40
        assert not any("…" in text for text in strings(picture(model).axes[0]))


class TestMarks:
    def test_the_edge_to_a_filtered_event_is_dashed(self):
        plain = dashes(picture(star(3)).axes[0])
        filtered = dashes(picture(star(3), filtered=("arm 1",)).axes[0])
        assert sum(one != other for one, other in zip(plain, filtered, strict=False)) == 1

    def test_a_filtered_event_that_has_a_parent_has_a_solid_edge(self):
        assert dashes(picture(chain(2), filtered=("step 1",)).axes[0])[:2] == dashes(
            picture(chain(2)).axes[0]
        )

    def test_support_makes_edges_wider(self):
        def width(share):
            (axes,) = picture(SINGLE, support=np.full((3, 1), share)).axes
            (edge, *_) = (patch for patch in axes.patches if isinstance(patch, PathPatch))
            return edge.get_linewidth()

        assert width(0.1) < width(1.0)

    def test_the_last_row_is_the_support_of_the_root(self):
        drawn = strings(picture(chain(2), support=np.array([[0, 0.2], [0, 0], [0.7, 0]])).axes[0])
        assert {"20 %", "70 %"} <= set(drawn)

    def test_undetermined_events_have_dotted_nodes(self):
        def styles(axes):
            nodes = [patch for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
            return {str(node.get_linestyle()) for node in nodes}

        assert styles(picture(star(2), undetermined=("arm 0",)).axes[0]) > styles(
            picture(star(2)).axes[0]
        )

    def test_composites_have_a_second_box(self):
        def number_of_boxes(axes):
            return sum(isinstance(patch, FancyBboxPatch) for patch in axes.patches)

        legend = 2
        plain, stacked = picture(star(2)), picture(star(2), composites=("arm 0",))
        assert number_of_boxes(stacked.axes[0]) == number_of_boxes(plain.axes[0]) + 1 + legend

    def test_the_legend_explains_only_what_occurs(self):
        assert strings(picture(chain(2)).axes[0]) == ["root", "step 0", "step 1"]
        everything = picture(
            chain(2),
            frequency=np.ones(2),
            support=np.ones((3, 2)),
            filtered=("step 0",),
            undetermined=("step 1",),
            composites=("step 1",),
        )
        assert strings(everything.axes[0])[-5:] == [
            "share of samples with the event, also the size of its box",
            "support: share of replicates with the edge",
            "independent root: the filter removed its edge",
            "could not be placed",
            "several events merged",
        ]

    def test_siblings_are_sorted_by_frequency(self):
        model = Forest(("rare", "common"), (ROOT, ROOT), (0.1, 0.9))
        drawn = picture(model, "down", frequency=model.marginals())
        x = {text.get_text(): text.get_position()[0] for text in texts(drawn)}
        assert x["common"] < x["rare"]


class TestFits:
    def test_marks_come_from_the_fit(self):
        rows = [[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 0]]
        curated = curate(Dataset.from_rows(rows, events=["a", "b", "c"]))
        with_never = np.column_stack([curated.data.values, [0] * 4])
        fit = Caprese().fit(Dataset(with_never, (*curated.data.events, "d")))
        assert marks_of(fit).undetermined == ("d",)
        assert marks_of(fit).composites == ()
        assert marks_of(replace(fit, log=curated.log)).composites == ("a / b",)

    def test_events_whose_edge_was_filtered_are_marked(self):
        assert marks_of(Caprese().fit(datasets.ovarian())).filtered == ("5q-", "1q+")

    def test_the_ovarian_fit_shows_its_support(self):
        data = datasets.ovarian()
        confidence = bootstrap(Caprese(), data, replicates=200, seed=1)
        figure = plots.progression_figure(Caprese().fit(data), confidence)
        assert overlapping(figure) == []
        assert sum(text.endswith("%") for text in strings(figure.axes[0])) == 14

    def test_drawing_returns_its_axes(self):
        axes = Figure().subplots()
        assert plots.draw_fit(axes, Caprese().fit(datasets.acml())) is axes
        assert plots.draw_progression(axes, SEVERAL_PARENTS) is axes
