"""Models as JSON files."""

import json
import re

import numpy as np
import pytest
from hypothesis import given

from caprese import (
    ROOT,
    ConjunctiveDag,
    Forest,
    FormatError,
    Hazards,
    Independence,
    ModelError,
    Noise,
    NoisyForest,
    Poset,
    TimedPoset,
    read_model,
    write_model,
)
from caprese.io.documents import document_text, read_document
from caprese.io.json.codec import decode_model
from hostile_names import HOSTILE
from shapes import SHAPES
from strategies import forests

MODELS = {
    "forest": SHAPES["three trees"],
    "dag": ConjunctiveDag("abcd", ((), (), (0, 1), (2,)), (0.9, 0.8, 0.5, 0.4)),
    "poset": Poset("abcd", ((), (), (0, 1), (2,))),
    "timed poset": TimedPoset("abcd", ((), (), (0, 1), (2,)), (0.5, 1.25, 3.0, 1e6)),
    "hazards": Hazards(HOSTILE, np.full(len(HOSTILE), 0.3), np.ones((len(HOSTILE),) * 2)),
    "independence": Independence(HOSTILE, np.linspace(0, 1, len(HOSTILE))),
    "noisy forest": NoisyForest(SHAPES["three trees"], Noise(0.1, 0.2)),
}


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("reader", [read_model, read_document])
def test_a_model_of_each_kind_is_read_back_equal(kind, reader, tmp_path):
    write_model(MODELS[kind], tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["kind"] == kind
    assert reader(tmp_path / "model.json") == MODELS[kind]


@given(forest=forests())
def test_any_forest_is_read_back_equal(forest):
    assert decode_model(json.loads(document_text(forest))) == forest


class Grown(Forest):
    """A class of one's own, not registered, though it inherits from one that is."""


def test_a_model_that_could_not_be_read_is_not_written(tmp_path):
    message = r"a Grown has no name in files: register it with caprese.extend.register_model\("
    with pytest.raises(ModelError, match=f"^{message}"):
        write_model(Grown("a", (ROOT,), (0.5,)), tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "tree"}, "kind must be one of forest, dag, .*, got 'tree'"),
        ({"model": {"events": ["a"]}}, "model: 'frequencies' is missing"),
        (
            {"model": {"events": ["a"], "frequencies": [2.0]}},
            r"model: frequencies must be in \[0, 1\]",
        ),
        ({"format": "caprese fit"}, 'not a caprese model: expected JSON with "format": "caprese m'),
    ],
)
def test_a_damaged_file_is_refused_by_place(tmp_path, change, message):
    path = tmp_path / "model.json"
    content = json.loads(document_text(Independence("a", (0.5,)))) | change
    path.write_text(json.dumps(content))
    with pytest.raises(FormatError, match=f"^{re.escape(str(path))}: {message}"):
        read_model(path)
