"""Progressions thousands of events deep: nothing recurses, and parents are sorted in one pass."""

import numpy as np
import pytest

from caprese.io.documents import read_model, write_model
from caprese.io.graphs.files import read_graph, write_graph
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import Forest
from caprese.models.poset import Poset

pytestmark = pytest.mark.slow

DEPTH = 3000
EVENTS = tuple(f"e{k}" for k in range(DEPTH))
CHAIN = tuple((k - 1,) * (k > 0) for k in range(DEPTH))
MODELS = {
    "forest": Forest(EVENTS, np.arange(-1, DEPTH - 1), np.full(DEPTH, 0.9)),
    "poset": Poset(EVENTS, CHAIN),
    "dag": ConjunctiveDag(
        EVENTS, tuple(tuple(range(max(0, k - 2), k)) for k in range(DEPTH)), np.full(DEPTH, 0.9)
    ),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("suffix", [".csv", ".graphml", ".json"])
def test_a_deep_model_is_written_and_read(tmp_path, model, suffix):
    path = tmp_path / f"deep{suffix}"
    write, read = (write_model, read_model) if suffix == ".json" else (write_graph, read_graph)
    write(model, path)
    assert read(path) == model


@pytest.mark.parametrize("suffix", [".nwk", ".dot", ".gexf", ".cyjs"])
def test_a_deep_forest_is_written(tmp_path, suffix):
    write_graph(MODELS["forest"], tmp_path / f"deep{suffix}")


def order_by_definition(parent_sets):
    """Parents before children: take events whose parents are all taken, in the order of release."""
    missing = [set(above) for above in parent_sets]
    order = [event for event, above in enumerate(missing) if not above]
    for done in order:
        for event, above in enumerate(missing):
            if done in above:
                above.remove(done)
                if not above:
                    order.append(event)
    return order


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_parents_before_children_is_the_literal_one(seed):
    rng = np.random.default_rng(seed)
    names = rng.permutation(12)
    sets = [()] * 12
    for place, event in enumerate(names):
        above = names[:place]
        sets[event] = tuple(above[rng.random(place) < 0.3].tolist())
    dag = ConjunctiveDag(tuple(map(str, range(12))), tuple(sets), np.full(12, 0.5))
    assert dag.order.tolist() == order_by_definition(dag.parent_sets)
