import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.plots.layout.across import apart, layered, tidy
from caprese.plots.layout.graph_layout import GraphLayout, edges_of, layers

pytestmark = pytest.mark.slow

LABEL = (20.0, 8.0)


@st.composite
def adjacencies(draw, most_parents):
    events = draw(st.integers(1, 14))
    matrix = np.zeros((events, events), dtype=bool)
    for child in range(1, events):
        parents = st.lists(st.integers(0, child - 1), max_size=most_parents, unique=True)
        matrix[draw(parents), child] = True
    return matrix


@st.composite
def layouts(draw, most_parents=3):
    adjacency = draw(adjacencies(most_parents))
    nodes = len(adjacency) + 1
    side = st.floats(4, 80)
    sizes = draw(st.lists(st.tuples(side, side), min_size=nodes, max_size=nodes))
    edges = edges_of(adjacency)
    direction = draw(st.sampled_from(["down", "right"]))
    return GraphLayout.of(edges, np.array(sizes), direction=direction, label=LABEL), edges


def frames(layout):
    half = layout.boxes / 2
    return np.hstack([layout.centres - half, layout.centres + half])


def bezier(curve, steps=12):
    t = np.linspace(0, 1, steps)[:, None]
    pieces = [curve[start : start + 4] for start in range(0, len(curve) - 1, 3)]
    return np.vstack(
        [
            (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
            for a, b, c, d in pieces
        ]
    )


class TestGraphLayout:
    @given(layouts())
    def test_no_two_nodes_overlap(self, case):
        layout, _ = case
        boxes = frames(layout)
        for one in range(len(boxes)):
            for other in range(one):
                apart_by = np.maximum(
                    boxes[one, :2] - boxes[other, 2:], boxes[other, :2] - boxes[one, 2:]
                )
                assert apart_by.max() >= -1e-6

    @given(layouts())
    def test_nodes_and_edges_are_within_the_extent(self, case):
        layout, edges = case
        boxes = frames(layout)
        assert boxes.min() >= -1e-6
        assert (boxes[:, 2:].max(axis=0) <= np.array(layout.extent) + 1e-6).all()
        for route in layout.routes(edges).values():
            points = bezier(route.curve)
            assert (points >= -1e-6).all()
            assert (points <= np.array(layout.extent) + 1e-6).all()

    @given(layouts())
    def test_no_edge_crosses_a_node(self, case):
        layout, edges = case
        boxes = frames(layout)
        for (parent, child), route in layout.routes(edges).items():
            points = bezier(route.curve)
            for node, (x0, y0, x1, y1) in enumerate(boxes):
                if node in (parent, child):
                    continue
                inside = (points > (x0 + 1e-6, y0 + 1e-6)) & (points < (x1 - 1e-6, y1 - 1e-6))
                assert not inside.all(axis=1).any()

    @given(layouts())
    def test_labels_overlap_neither_each_other_nor_a_node(self, case):
        layout, edges = case
        half = np.array(LABEL) / 2
        labels = [
            np.concatenate([route.label - half, route.label + half])
            for route in layout.routes(edges).values()
        ]
        boxes = [*labels, *frames(layout)]
        for one in range(len(labels)):
            for other in range(one + 1, len(boxes)):
                apart_by = np.maximum(
                    boxes[one][:2] - boxes[other][2:], boxes[other][:2] - boxes[one][2:]
                )
                assert apart_by.max() >= -1e-6

    @given(layouts())
    def test_children_are_in_rows_after_their_parents(self, case):
        layout, edges = case
        along = 1 if layout.direction == "down" else 0
        boxes = frames(layout)
        for parent, child in edges:
            assert boxes[child, along] > boxes[parent, along + 2]

    @given(layouts())
    def test_an_edge_leads_from_its_parent_to_its_child(self, case):
        layout, edges = case
        along = 1 if layout.direction == "down" else 0
        boxes = frames(layout)
        for (parent, child), route in layout.routes(edges).items():
            assert route.curve[0, along] == pytest.approx(boxes[parent, along + 2])
            assert route.curve[0, 1 - along] == pytest.approx(layout.centres[parent, 1 - along])
            assert route.tip[along] == pytest.approx(boxes[child, along])
            assert boxes[child, 1 - along] <= route.tip[1 - along] <= boxes[child, 3 - along]

    def test_the_places_of_two_siblings(self):
        layout = GraphLayout.of([(2, 0), (2, 1)], np.full((3, 2), 10.0))
        assert layout.centres.tolist() == [[6, 43], [30, 43], [18, 5]]


class TestTrees:
    def test_siblings_of_different_sizes_are_separated_by_the_gap(self):
        middle = tidy([[], [], [0, 1]], root=2, sizes=np.array([10.0, 20.0, 10.0]), gap=5.0)
        assert middle.tolist() == [5, 25, 15]

    @given(layouts(most_parents=1))
    def test_a_parent_is_centred_over_its_first_and_last_child(self, case):
        layout, edges = case
        for node in range(len(layout.across)):
            below = [layout.across[child] for parent, child in edges if parent == node]
            if below:
                middle = (min(below) + max(below)) / 2
                assert layout.across[node] == pytest.approx(middle)

    def test_siblings_have_the_order_of_the_edges(self):
        layout = GraphLayout.of([(3, 2), (3, 0), (3, 1)], np.full((4, 2), 10.0))
        assert np.argsort(layout.across[:3]).tolist() == [2, 0, 1]

    def test_equal_subtrees_have_the_same_shape(self):
        # 0 -> 1, 2 -> 3 and the same again as 4 -> 5, 6 -> 7; the second has the parent 8
        edges = [(9, 0), (0, 1), (0, 2), (2, 3), (9, 8), (8, 4), (4, 5), (4, 6), (6, 7)]
        layout = GraphLayout.of(edges, np.full((10, 2), 10.0))
        across = layout.across
        assert across[:4] - across[0] == pytest.approx(across[4:8] - across[4])

    def test_a_chain_of_a_thousand_events_is_straight(self):
        edges = [(1000, 0), *((event, event + 1) for event in range(999))]
        layout = GraphLayout.of(edges, np.full((1001, 2), 10.0))
        assert np.ptp(layout.across) == pytest.approx(0)


class TestLayers:
    def test_the_rows_of_a_chain(self):
        edges = edges_of(np.array([[False, True], [False, False]]))
        assert edges == [(2, 0), (0, 1)]
        assert layers(edges, nodes=3).tolist() == [1, 2, 0]

    def test_a_child_of_two_parents_is_between_them(self):
        edges = [(3, 0), (3, 1), (0, 2), (1, 2)]
        middle, _ = layered(edges, np.array([1, 1, 2, 0]), np.full(4, 10.0), gap=10.0)
        assert middle.tolist() == [5, 25, 15, 15]

    def test_only_nodes_that_overlap_are_moved(self):
        found = apart(np.array([0.0, 0.0, 50.0]), np.full(3, 10.0), gap=2.0)
        assert found.tolist() == [-6, 6, 50]

    def test_two_crossing_edges_are_separated(self):
        # a and b have the root as parent, c has b, d has a, and e has both c and d
        edges = [(5, 0), (5, 1), (1, 2), (0, 3), (2, 4), (3, 4)]
        across = GraphLayout.of(edges, np.full((6, 2), 10.0)).across
        assert (across[0] < across[1]) == (across[3] < across[2])

    def test_a_cycle_is_refused(self):
        with pytest.raises(ValueError, match="edges must be without a cycle"):
            layers([(2, 0), (0, 1), (1, 0)], nodes=3)

    @given(st.lists(st.floats(-100, 100), min_size=1, max_size=8), st.floats(0, 5))
    def test_nodes_are_separated_by_least_squares(self, wanted, gap):
        wanted, sizes = np.array(wanted), np.linspace(4, 10, len(wanted))
        found = apart(wanted, sizes, gap)
        need = (sizes[1:] + sizes[:-1]) / 2 + gap
        assert (np.diff(found) >= need - 1e-9).all()
        rng = np.random.default_rng(1)
        for _ in range(20):  # no feasible step from there is better
            other = found + rng.normal(size=len(wanted))
            if (np.diff(other) >= need).all():
                assert ((other - wanted) ** 2).sum() >= ((found - wanted) ** 2).sum() - 1e-9
