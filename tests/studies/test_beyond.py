import numpy as np
import pandas as pd
import pytest

from caprese.models.noise import Noise
from caprese.simulation.random_models import ForestRecipe
from caprese.studies import STUDIES
from caprese.studies.base import METHODS
from caprese.studies.beyond import LIKELIEST, MOST_PROBABLE, edge_sums, reliability

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table():
    """Two levels of noise, one tree and data set each."""
    study = STUDIES["beyond"](trees=2, replicates=1)
    chosen = [each for each in study.conditions() if each["nu"] in (0, 0.1)]
    return pd.DataFrame([row for condition in chosen for row in study.run(condition)])


def test_the_data_sets_are_those_of_the_study_of_noise():
    study = STUDIES["beyond"](trees=3, replicates=2)
    rows = study.run({"part": "distance", "nu": 0.1, "samples": 50})
    simulations = STUDIES["noisy"](trees=3, replicates=2)
    same = simulations.distances(ForestRecipe(), Noise.uniform(0.1), 50)
    found = {row["method"]: row["mean"] for row in rows}
    assert list(found) == [*METHODS, LIKELIEST, MOST_PROBABLE]
    assert {name: found[name] for name in METHODS} == {
        name: distances.mean() for name, distances in same.items()
    }


def test_the_share_that_remains_is_relative_to_the_best_of_the_other_methods(table):
    rows = table[(table["part"] == "distance") & (table["nu"] == 0.1) & (table["samples"] == 250)]
    least = rows[rows["method"].isin(METHODS)]["mean"].min()
    np.testing.assert_allclose(rows["remains"], rows["mean"] / least)


def test_the_figure_has_a_panel_for_each_number_of_samples_and_one_for_the_posterior(table):
    figure = STUDIES["beyond"]().draw(table)
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["50 samples", "150 samples", "250 samples", "edges of the posterior"]


def test_edges_are_counted_by_their_probability():
    #                root of b 60 %, a above b 40 %; a is a root for certain
    probabilities = np.array([[0, 0.4], [0, 0], [1, 0.6]])
    sums = edge_sums(probabilities, np.array([-1, 0]))
    assert sums == [(0, 0, 0), (1, 0.4, 1), (1, 0.6, 0), (0, 0, 0), (1, 1.0, 1)]


def test_the_standard_error_of_a_share_is_over_data_sets():
    rows = pd.DataFrame(
        {"bin": [0, 0], "edges": [4, 4], "stated": [1.0, 1.0], "true": [0, 4]},
    )
    stated, true, error = reliability(rows)[0]
    assert (stated, true) == (0.25, 0.5)
    assert error == pytest.approx(np.sqrt(2 * 2**2) / 8)
