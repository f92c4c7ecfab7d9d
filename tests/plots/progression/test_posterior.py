"""Pictures of a posterior: widths, labels, other possible parents; a panel for each subtype."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch

from caprese import BayesForest, Caprese, ModelError, bootstrap, datasets, plots
from caprese.models.forest import ROOT
from caprese.plots.canvas.palette import LINE
from caprese.plots.layout.graph_layout import GraphLayout, edges_of
from caprese.plots.progression.plan import Marks, marks_of, progression_plan
from rendered import PROGRESSIONS, outside, overlapping, picture
from subtypes import two_forests

pytestmark = pytest.mark.slow

FORESTS = ["single", "chain", "star", "three trees", "seven long names"]
CHAINS = {"chains": 2, "draws": 50, "thin": 1, "warm_up": 50}


@pytest.fixture(scope="module")
def fit():
    return BayesForest(**CHAINS).fit(datasets.ovarian())


@pytest.fixture(scope="module")
def grouped():
    return BayesForest(subtypes=2, **CHAINS).fit(two_forests(60))


def strings(axes):
    return [text.get_text() for text in axes.texts]


def faint(axes):
    return [
        patch
        for patch in axes.patches
        if isinstance(patch, PathPatch) and to_hex(patch.get_edgecolor()) == LINE.lower()
    ]


def random_posterior(model, seed=1):
    """Every parent possible, some of them probable."""
    n = len(model.events)
    shares = np.random.default_rng(seed).dirichlet(np.full(n + 1, 0.3), size=n).T
    shares[np.arange(n), np.arange(n)] = 0
    return shares / shares.sum(axis=0)


class TestAFit:
    def test_edges_have_their_posterior_probability(self, fit):
        figure = plots.progression_figure(fit)
        said = strings(figure.axes[0])
        for share in fit.table()["posterior"]:
            assert f"{100 * share:.0f} %" in said
        assert "posterior probability of the edge" in said
        assert "another parent, posterior 10 % or more" in said

    def test_probable_edges_that_the_model_does_not_have_are_faint(self, fit):
        shares = fit.evidence.parent_probabilities
        own = np.where(fit.model.parents == ROOT, 7, fit.model.parents)
        others = (shares >= 0.1).sum() - (shares[own, np.arange(7)] >= 0.1).sum()
        (axes,) = plots.progression_figure(fit).axes
        dashed = [each for each in faint(axes) if each.get_linestyle() != (0, ())]
        assert len(dashed) == others + 1  # and the symbol of the legend

    def test_a_bootstrap_that_is_given_has_precedence(self, fit):
        confidence = bootstrap(Caprese(), datasets.ovarian(), replicates=10)
        marks = marks_of(fit, confidence)
        assert not marks.posterior
        assert (marks.support == confidence.support).all()

    def test_an_event_that_could_not_be_placed_has_no_faint_edges(self, fit):
        marks = Marks(
            support=np.full((8, 7), 0.5), posterior=True, undetermined=fit.model.events[:1]
        )
        ((tree, _),) = progression_plan(fit.model, marks).trees
        assert tree.alternatives
        assert all(child != 0 for _, child in tree.alternatives)


@pytest.mark.parametrize("direction", ["down", "right"])
@pytest.mark.parametrize("name", FORESTS)
class TestLegibility:
    def drawn(self, name, direction):
        model = PROGRESSIONS[name]
        return picture(
            model,
            direction,
            frequency=model.marginals(),
            support=random_posterior(model),
            posterior=True,
        )

    def test_no_texts_overlap_and_nothing_is_outside(self, name, direction):
        figure = self.drawn(name, direction)
        assert overlapping(figure, 100) == []
        assert outside(figure) == []

    def test_faint_edges_arrive_at_their_child_and_leave_their_parent(self, name, direction):
        model = PROGRESSIONS[name]
        marks = Marks(support=random_posterior(model), posterior=True)
        ((tree, _),) = progression_plan(model, marks, direction).trees
        centres, boxes = tree.layout.centres, tree.layout.boxes
        for (parent, child), route in tree.layout.detours(tree.alternatives).items():
            for node, point in ((child, route.tip), (parent, route.curve[0])):
                assert (np.abs(point - centres[node]) <= boxes[node] / 2 + 1e-6).all()


def test_faint_edges_pass_between_the_nodes_of_the_rows_on_their_way():
    """A chain with siblings: the root may be the parent of the last event."""
    adjacency = np.zeros((7, 7), dtype=bool)
    for parent, child in ((0, 1), (0, 2), (1, 3), (1, 4), (3, 5), (3, 6)):
        adjacency[parent, child] = True
    edges = edges_of(adjacency)
    layout = GraphLayout.of(edges, np.full((8, 2), (60.0, 20.0)))
    (route,) = layout.detours([(7, 6)]).values()
    for node in range(6):
        centre = layout.centres[node]
        inside = np.abs(route.curve[::3] - centre) < layout.boxes[node] / 2 - 0.01
        assert not inside.all(axis=1).any()


class TestSubtypes:
    def test_each_has_a_panel_with_its_share_and_what_sets_it_apart(self, grouped):
        said = strings(plots.subtypes_figure(grouped).axes[0])
        for place, each in enumerate(grouped.evidence.subtypes, start=1):
            assert f"subtype {place}: {100 * each.weight:.0f} % of samples" in said
            assert any(line.startswith(f"{each.marker} in ") for line in said)
        assert said.count("root") == 2

    def test_no_texts_overlap_and_nothing_is_outside(self, grouped):
        figure = plots.subtypes_figure(grouped)
        assert overlapping(figure, 100) == []
        assert outside(figure) == []

    def test_no_nodes_overlap(self, grouped):
        (axes,) = plots.subtypes_figure(grouped).axes
        nodes = [p for p in axes.patches if isinstance(p, FancyBboxPatch) and p.get_height() > 15]
        assert len(nodes) == 18
        frames = [node.get_bbox() for node in nodes]
        for place, one in enumerate(frames):
            assert not any(one.overlaps(other) for other in frames[place + 1 :])

    def test_they_are_drawn_on_given_axes(self, grouped):
        axes = Figure().subplots()
        assert plots.draw_subtypes(axes, grouped) is axes

    @pytest.mark.parametrize("method", [Caprese(), BayesForest(**CHAINS)], ids=["caprese", "bayes"])
    def test_a_fit_without_subtypes_is_refused(self, method):
        with pytest.raises(ModelError, match=r"^the fit has no subtypes: fit with subtypes, "):
            plots.subtypes_figure(method.fit(datasets.acml()))
