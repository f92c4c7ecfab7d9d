"""Pictures must look like the stored ones, which somebody has looked at and approved.

After an intended change, delete a stored picture and run the test: it is written again, to be
looked at.
"""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread, imsave
from matplotlib.patches import PathPatch, Polygon

from caprese import Caprese, Dataset, Oncotree, bootstrap, datasets, plots
from caprese.models.forest import ROOT, Forest
from rendered import (
    SEVERAL_PARENTS,
    TOLERANCE,
    chain,
    difference,
    picture,
    pixels,
    star,
    support,
    three_trees,
)

pytestmark = pytest.mark.slow

PICTURES = Path(__file__).parent / "pictures"
DPI = 50


def ovarian():
    data = datasets.ovarian()
    return plots.progression_figure(
        Caprese().fit(data), bootstrap(Caprese(), data, replicates=100, seed=1, jobs=1)
    )


def several_parents():
    return picture(
        SEVERAL_PARENTS,
        frequency=SEVERAL_PARENTS.marginals(),
        support=support(9),
        filtered=("b",),
        undetermined=("a",),
        composites=("c", "g"),
    )


def to_the_right():
    model = three_trees(12)
    return picture(model, "right", frequency=model.marginals(), support=support(12))


def posterior():
    model = three_trees(9)
    shares = np.random.default_rng(2).dirichlet(np.full(10, 0.4), size=9).T
    shares[np.arange(9), np.arange(9)] = 0
    return picture(model, frequency=model.marginals(), support=shares, posterior=True)


def compared():
    data = datasets.ovarian()
    models = (method.fit(data).model for method in (Caprese(), Oncotree()))
    return plots.comparison_figure(*models, titles=("CAPRESE", "oncotree"))


def oncoprint():
    data = datasets.ovarian()
    known = np.random.default_rng(1).random(data.values.shape) > 0.1
    stages = dict(zip(data.samples[3:], ["I", "II", "III"] * 28, strict=True))
    return plots.oncoprint_figure(
        Dataset(data.values, data.events, data.samples, known), annotation=stages, title="stage"
    )


def supports():
    data = datasets.ovarian()
    confidence = bootstrap(Caprese(), data, replicates=100, seed=1, jobs=1)
    return plots.support_figure(Caprese().fit(data).model, confidence)


def scores():
    fit = Caprese().fit(datasets.ovarian())
    return plots.scores_figure(fit.model, fit.evidence.pair_scores())


CASES = [ovarian, several_parents, to_the_right, posterior, compared, oncoprint, supports, scores]


@pytest.mark.parametrize("draw", CASES, ids=lambda draw: draw.__name__)
def test_the_picture_looks_like_the_stored_one(draw):
    path = PICTURES / f"{draw.__name__}.png"
    found = pixels(draw(), DPI)
    if not path.exists():
        imsave(path, found, cmap="gray", vmin=0, vmax=1)
        pytest.fail(f"{path.name} was missing and has been written; look at it")
    stored = imread(path)[..., 0]
    assert difference(found, stored) < TOLERANCE


def without(model, child):
    """Return the picture of a model with one edge removed and nothing else changed."""
    figure = picture(model)
    place = list(model.events).index(child)
    for kind in (PathPatch, Polygon):
        edges = [patch for patch in figure.axes[0].patches if isinstance(patch, kind)]
        edges[place].remove()
    return figure


@pytest.mark.parametrize("model", [chain(3), star(4), three_trees(12)], ids=["chain", "star", "12"])
def test_a_missing_edge_is_noticed(model):
    whole = pixels(picture(model), DPI)
    assert difference(whole, pixels(picture(model), DPI)) == 0
    for event in model.events:
        assert difference(whole, pixels(without(model, event), DPI)) > 2 * TOLERANCE


def test_an_event_with_another_parent_is_noticed():
    one = Forest(("a", "b", "c"), (ROOT, 0, 0), (0.5, 0.5, 0.5))
    other = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.5, 0.5, 0.5))
    assert difference(pixels(picture(one), DPI), pixels(picture(other), DPI)) > 2 * TOLERANCE


def test_a_missing_thin_edge_is_noticed():
    model = star(3)
    weak = picture(model, support=np.full((4, 3), 0.01))
    lost = picture(model, support=np.full((4, 3), 0.01))
    next(patch for patch in lost.axes[0].patches if isinstance(patch, PathPatch)).remove()
    assert difference(pixels(weak, DPI), pixels(lost, DPI)) > TOLERANCE
