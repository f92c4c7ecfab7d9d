import numpy as np
import pytest

from caprese import Caprese, Counts, Noise, datasets, read_fit, write_fit
from caprese.fitting.shrinkage_choice import GRID, choose_shrinkage
from caprese.models.metrics import tree_edit_distances
from caprese.simulation.random_models import ForestRecipe
from caprese.text.facts import in_words

pytestmark = pytest.mark.slow


def parents(counts, shrinkage):
    return Caprese(shrinkage=shrinkage).infer_parents(counts)


def drawn(nu, samples, seed):
    rng = np.random.default_rng(seed)
    forest = ForestRecipe(events=12).draw(rng)
    noise = Noise.uniform(nu)
    return forest, noise.corrupt(forest.sample(samples, rng), rng)


def test_the_choice_has_the_least_mean_distance_or_nearly_so():
    _, data = drawn(0.05, 150, 1)
    choice = choose_shrinkage(parents, data)
    chosen = choice.distance[choice.grid.tolist().index(choice.shrinkage)]
    assert chosen <= choice.distance.min() * 1.05
    assert choice.grid.tolist() == list(GRID)


def test_without_noise_a_small_shrinkage_is_chosen():
    chosen = [choose_shrinkage(parents, drawn(0, 100, seed)[1]).shrinkage for seed in range(5)]
    assert max(chosen) <= 0.35


def test_the_same_data_gives_the_same_choice_whatever_its_order():
    _, data = drawn(0.1, 100, 2)
    rng = np.random.default_rng(3)
    shuffled = data.take_samples(rng.permutation(100)).take_events(data.events[::-1])
    one, other = (
        choose_shrinkage(parents, data),
        choose_shrinkage(parents, shuffled),
    )
    assert one.shrinkage == other.shrinkage
    assert one.distance == pytest.approx(other.distance)


def test_auto_fits_with_the_chosen_shrinkage_and_says_so():
    fit = Caprese(shrinkage="auto").fit(datasets.ovarian())
    choice = fit.evidence.choice
    plain = Caprese(shrinkage=choice.shrinkage).fit(datasets.ovarian())
    assert fit.model == plain.model
    (note,) = in_words(fit.evidence.notes())
    assert note.startswith(f"shrinkage {choice.shrinkage:g} was chosen: on 200 simulated data sets")


def test_a_fit_with_its_choice_comes_back_from_its_file(tmp_path):
    fit = Caprese(shrinkage="auto").fit(datasets.acml())
    write_fit(fit, tmp_path / "fit.json")
    assert read_fit(tmp_path / "fit.json") == fit


def test_counts_alone_do_not_tell_it():
    counts = Counts.of(datasets.acml())
    with pytest.raises(ValueError, match="shrinkage must be a number: counts cannot choose it"):
        Caprese(shrinkage="auto").infer_parents(counts)


def test_auto_is_not_far_from_the_better_of_the_papers_two():
    """Over a few trees; the whole grid of noise and sizes is in benchmarks/selection.py."""
    totals = np.zeros(3)
    for seed in range(12):
        for nu in (0.0, 0.075):
            truth, data = drawn(nu, 120, 100 + seed)
            counts = Counts.of(data)
            chosen = choose_shrinkage(parents, data).shrinkage
            found = np.array([parents(counts, value) for value in (0.01, 0.5, chosen)])
            totals += tree_edit_distances(found, truth.parents)
    assert totals[2] <= 1.1 * totals[:2].min()
