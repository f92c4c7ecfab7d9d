import numpy as np
import pytest
from matplotlib.figure import Figure

from caprese import ModelError, datasets, plots
from caprese.methods.evidence import PairScores
from caprese.models.independence import Independence

DATA = datasets.acml()
MODEL = Independence(DATA.events, (0.5, 0.5, 0.5))
SCORES = PairScores("score", np.zeros((3, 3)), np.ones((3, 3), dtype=bool))


@pytest.mark.parametrize(
    "draw",
    [
        lambda: plots.progression_figure(MODEL),
        lambda: plots.draw_progression(Figure().subplots(), MODEL),
        lambda: plots.comparison_figure(MODEL, MODEL),
        lambda: plots.support_figure(MODEL, None),
        lambda: plots.scores_figure(MODEL, SCORES),
        lambda: plots.oncoprint_figure(DATA, model=MODEL),
    ],
    ids=["progression", "on axes", "comparison", "support", "scores", "oncoprint"],
)
def test_every_picture_of_an_order_refuses_them(draw):
    with pytest.raises(ModelError, match="this model has no edges"):
        draw()


def test_an_oncoprint_needs_no_order():
    assert plots.oncoprint_figure(DATA).axes
