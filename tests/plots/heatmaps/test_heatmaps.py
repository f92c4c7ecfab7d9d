import numpy as np
import pytest
from matplotlib.figure import Figure

from caprese import Caprese, Dataset, ModelError, bootstrap, datasets, plots
from caprese.methods.evidence import PairScores
from caprese.models.forest import ROOT, Forest
from caprese.plots.canvas.palette import BLUE, PALE, VERMILION, rgb, shades
from caprese.plots.heatmaps import scale_depths, scores_map, support_map, two_digits
from rendered import LONG, SEVERAL_PARENTS, outside, overlapping, texts, three_trees

pytestmark = pytest.mark.slow

PAIR = Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))


def outlines(figure):
    return [
        patch
        for patch in figure.axes[0].patches
        if patch.get_linewidth() > 1.3 and patch.get_facecolor()[3] == 0
    ]


def pair_scores(matrix, root=None):
    return PairScores("score", np.asarray(matrix), np.ones(np.shape(matrix), dtype=bool), root)


@pytest.fixture(scope="module")
def ovarian():
    data = datasets.ovarian()
    confidence = bootstrap(Caprese(), data, replicates=100, seed=1, jobs=1)
    return Caprese().fit(data).model, confidence


class TestSupport:
    def test_rows_are_the_root_and_then_the_parents_as_in_the_tables_of_the_paper(self, ovarian):
        model, confidence = ovarian
        plan = support_map(model, confidence)
        assert plan.rows == ("root", *model.events)
        assert plan.columns == model.events
        assert plan.numbers[0].tolist() == [two_digits(each) for each in confidence.support[7]]
        assert plan.numbers[2, 0] == two_digits(confidence.support[1, 0])
        assert plan.numbers[1, 0] == ""

    def test_each_event_has_its_edges_outlined(self, ovarian):
        model, confidence = ovarian
        assert len(outlines(plots.support_figure(model, confidence))) == 7

    def test_events_without_determined_parents_have_a_row(self):
        data = Dataset.from_rows([[1, 0], [0, 0], [1, 1]], events="ab")
        confidence = bootstrap(Caprese(), data, replicates=50, seed=1, jobs=1)
        plan = support_map(Caprese().fit(data).model, confidence)
        assert plan.rows[-1] == "not determined"
        assert not plan.edges[-1].any()
        assert set(plan.numbers[-1]) - {"0"}

    def test_a_confidence_of_other_events_is_refused(self, ovarian):
        with pytest.raises(ModelError, match="model and confidence must have the same events"):
            support_map(PAIR, ovarian[1])


@pytest.mark.parametrize("events", ["ab", ["a long name", "another long name"]])
def test_the_axes_are_named(events):
    model = Forest(tuple(events), (ROOT, 0), (0.5, 0.5))
    figure = plots.scores_figure(model, pair_scores(np.zeros((2, 2))))
    titles = {text.get_text(): text.get_rotation() for text in texts(figure)}
    assert (titles["parent"], titles["child"]) == (90, 0)
    assert not outside(figure)
    assert not overlapping(figure)


class TestScores:
    def test_several_parents_are_all_outlined(self):
        figure = plots.scores_figure(SEVERAL_PARENTS, pair_scores(np.zeros((9, 9))))
        assert len(outlines(figure)) == SEVERAL_PARENTS.adjacency().sum()

    def test_the_root_has_a_row_if_it_has_scores(self):
        plan = scores_map(PAIR, pair_scores(np.zeros((2, 2)), root=np.array([0.1, 0.2])))
        assert plan.rows == ("root", "a", "b")
        assert plan.edges.tolist() == [[True, False], [False, True], [False, False]]

    def test_pairs_that_are_not_admissible_are_grey_and_named_in_the_legend(self):
        admissible = np.array([[False, True], [False, False]])
        scores = PairScores("score", np.array([[0.0, 0.5], [0.9, 0.0]]), admissible)
        figure = plots.scores_figure(PAIR, scores)
        pixels = figure.axes[0].images[0].get_array() / 255
        assert np.allclose(pixels[-1, 0][:3], rgb(PALE), atol=0.01)
        assert not np.allclose(pixels[0, -1][:3], rgb(PALE), atol=0.01)
        drawn = [text.get_text() for text in texts(figure)]
        assert drawn[-2:] == ["edge of the model", "cannot be an edge"]
        assert ".9" in drawn  # the number is still there
        free = plots.scores_figure(PAIR, pair_scores([[0.0, 0.5], [0.9, 0.0]]))
        assert "cannot be an edge" not in [text.get_text() for text in texts(free)]

    def test_a_score_that_is_not_finite_is_omitted(self):
        scores = pair_scores([[1.0, -np.inf], [0.25, 1.0]])
        assert scores_map(PAIR, scores).scale_words == ("score  .25", ".25")
        drawn = [text.get_text() for text in texts(plots.scores_figure(PAIR, scores))]
        assert "-inf" not in drawn
        assert drawn.count(".25") == 2  # in its cell and at the upper end of the scale

    def test_a_scale_with_two_arms_is_white_at_zero(self):
        plan = scores_map(PAIR, pair_scores([[0.0, -0.5], [1.0, 0.0]]))
        assert scale_depths(np.array([-0.5, 0.0, 1.0]), (-0.5, 1.0)).tolist() == [-0.5, 0.0, 1.0]
        expected = [shades(-0.5, BLUE, VERMILION), shades(1.0, BLUE, VERMILION)]
        assert plan.colours[[0, 1], [1, 0]] == pytest.approx(np.array(expected))

    def test_a_scale_with_one_arm_is_white_at_its_low_end(self):
        plan = scores_map(PAIR, pair_scores([[0.0, -3.0], [-1.0, 0.0]]))
        assert scale_depths(np.array([-3.0, -1.0]), (-3.0, -1.0)).tolist() == [0.0, 1.0]
        assert plan.colours[0, 1] == pytest.approx([1.0, 1.0, 1.0])

    def test_scores_of_another_shape_are_refused(self):
        with pytest.raises(ValueError, match=r"scores must be 2 x 2 for 2 events, got \(3, 3\)"):
            scores_map(PAIR, pair_scores(np.zeros((3, 3))))


@pytest.mark.parametrize("events", [3, 7, 25, 60])
@pytest.mark.parametrize("name", ["e{}", LONG])
def test_nothing_overlaps_and_nothing_is_outside(events, name):
    model = three_trees(events, name)
    scores = np.random.default_rng(1).normal(size=(events, events))
    figure = plots.scores_figure(model, pair_scores(scores, root=scores[0]))
    assert overlapping(figure) == []
    assert outside(figure) == []


def test_cells_show_numbers_only_in_small_maps():
    few, many = (
        texts(plots.scores_figure(three_trees(events), pair_scores(np.full((events, events), 0.5))))
        for events in (10, 60)
    )
    assert len(few) > 90
    assert len(many) < 130


def test_numbers_have_two_digits_as_in_the_paper():
    shown = {0.62: ".62", 1.0: "1", 0.0: "0", 0.001: "<.01", 0.999: ">.99", -1.5: "-1.5"}
    assert {value: two_digits(value) for value in shown} == shown


def test_a_small_share_is_not_shown_as_0_nor_a_large_one_as_1():
    drawn = [
        text.get_text()
        for text in texts(plots.scores_figure(PAIR, pair_scores([[0, 0.001], [0.999, 0]])))
    ]
    assert {"<.01", ">.99"} <= set(drawn)


def test_drawing_returns_its_axes(ovarian):
    axes = Figure().subplots()
    assert plots.draw_scores(axes, PAIR, pair_scores(np.zeros((2, 2)))) is axes
    assert plots.draw_support(axes, *ovarian) is axes
