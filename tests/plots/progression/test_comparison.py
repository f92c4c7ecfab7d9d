import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch

from caprese import CBN, Caprese, Dataset, ModelError, plots
from caprese.models.forest import ROOT, Forest
from caprese.plots.canvas.palette import BLUE, SOFT, VERMILION
from rendered import SEVERAL_PARENTS, outside, overlapping, texts, three_trees

CHAIN = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.5, 0.5, 0.5))
FORK = Forest(("a", "b", "c"), (ROOT, 0, 0), (0.5, 0.5, 0.5))
BACKWARDS = Forest(("a", "b", "c"), (1, 2, ROOT), (0.5, 0.5, 0.5))


def edges(figure):
    """Return colour and dashes of the edges in both panels, without those of the legend."""
    drawn = [patch for patch in figure.axes[0].patches if isinstance(patch, PathPatch)]
    styles = [(to_hex(patch.get_edgecolor()).upper(), patch.get_linestyle()) for patch in drawn]
    return styles[: 2 * 3]


def places(figure):
    return [text.get_position() for text in texts(figure) if text.get_text() in ("a", "b", "c")]


def test_an_edge_of_only_one_model_is_coloured_and_dashed():
    (first, second) = (edges(plots.comparison_figure(CHAIN, FORK))[at : at + 3] for at in (0, 3))
    for found, colour in ((first, BLUE), (second, VERMILION)):
        assert sorted(each for each, _ in found) == sorted([SOFT, SOFT, colour])
        dashes = dict(found)
        assert dashes[colour] != dashes[SOFT]


def test_equal_models_have_no_coloured_edge():
    assert {colour for colour, _ in edges(plots.comparison_figure(CHAIN, CHAIN))} == {SOFT}


def test_events_have_the_same_places_in_both_panels():
    found = np.array(places(plots.comparison_figure(CHAIN, FORK)))
    shift = found[3:] - found[:3]
    assert shift == pytest.approx(np.tile(shift[0], (3, 1)))


def test_models_that_contradict_each_other_have_their_own_layouts():
    figure = plots.comparison_figure(CHAIN, BACKWARDS)
    found = np.array(places(figure))
    assert found[0, 1] < found[1, 1] < found[2, 1]
    assert found[3, 1] > found[4, 1] > found[5, 1]
    assert overlapping(figure) == []


def test_the_order_of_events_does_not_matter():
    turned = Forest(("c", "b", "a"), (1, 2, ROOT), (0.5, 0.5, 0.5))
    assert {colour for colour, _ in edges(plots.comparison_figure(CHAIN, turned))} == {SOFT}


@pytest.mark.parametrize("events", [7, 60])
@pytest.mark.slow
def test_nothing_overlaps_or_is_outside(events):
    one, other = three_trees(events), three_trees(events)
    parents = other.parents.copy()
    parents[-3:] = 0
    other = Forest(other.events, parents, other.probabilities)
    figure = plots.comparison_figure(
        one, other, frequency=one.marginals(), titles=("A" * 99, "$b$")
    )
    assert overlapping(figure) == []
    assert outside(figure) == []


def test_models_with_several_parents_are_compared_too():
    tree = Forest(SEVERAL_PARENTS.events, (-1, -1, 0, 0, 2, 1, 4, 6, 6), np.full(9, 0.5))
    figure = plots.comparison_figure(SEVERAL_PARENTS, tree)
    assert overlapping(figure) == []
    assert outside(figure) == []


def test_models_of_other_events_are_refused():
    with pytest.raises(ModelError, match="same events; '8q\\+' is in one only"):
        plots.comparison_figure(CHAIN, Forest(("a", "b", "8q+"), (ROOT, 0, 1), (0.5, 0.5, 0.5)))


def test_drawing_returns_its_axes():
    axes = Figure().subplots()
    assert plots.draw_comparison(axes, CHAIN, FORK) is axes


def test_ties_are_dotted_and_not_shown_as_a_root():
    rows = [[1, 1, 1]] * 6 + [[1, 0, 0]] * 3 + [[0, 1, 0]] * 3 + [[0, 0, 0]] * 6
    data = Dataset.from_rows(rows, "abc")
    tied, decided = Caprese().fit(data), CBN().fit(data)
    assert list(tied.undetermined) == ["c"]
    figure = plots.comparison_figure(tied, decided)
    dashes = [style for colour, style in edges(figure)[:3] if colour == SOFT]
    assert dashes == [(0, ()), (0, ()), (0, (1.0, 1.6))]
    shown = [text.get_text() for text in texts(figure)]
    assert shown[-3:] == ["in both", "only in B", "could not be placed"]
    alone = plots.comparison_figure(tied.model, decided.model)
    assert "could not be placed" not in [text.get_text() for text in texts(alone)]
