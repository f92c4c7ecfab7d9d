"""`known`, `judge` and `report` say the same: one judgement, one set of weights."""

import json

import numpy as np
import pytest

from caprese import Dataset, analyse, datasets, write_dataset
from caprese.simulation.random_models import ForestRecipe
from caprese.text.comparison import verdict_sentence
from caprese.text.sentences import plain

pytestmark = pytest.mark.slow


def forest(seed):
    rng = np.random.default_rng(seed)
    names = [f"e{k}" for k in range(5)]
    return Dataset(ForestRecipe(events=5, trees=2, top=0.7).draw(rng).sample(90, rng).values, names)


def independent(seed):
    rng = np.random.default_rng(seed)
    return Dataset(rng.random((60, 4)) < rng.uniform(0.2, 0.6, 4), tuple("abcd"))


STACKED = datasets.ovarian().take_events(["8q+", "3q+", "8p-"]), "60s"
CASES = {
    "with a stack": (*STACKED, 1),
    "without a stack": (datasets.ovarian(), "0.6", 1),
    "another seed": (datasets.ovarian(), "0.6", 2),
    "a forest": (forest(1), "0.6", 1),
    "another forest": (forest(2), "0.6", 3),
    "no order": (independent(3), "0.6", 1),
}


@pytest.mark.parametrize("name", CASES)
def test_known_and_the_report_state_the_same_orders(run, tmp_path, name):
    data, budget, seed = CASES[name]
    write_dataset(data, tmp_path / "data.csv")
    given = ("data.csv", "--budget", budget, "--seed", str(seed))
    found = analyse(None, data, replicates=5, seed=seed, budget=budget, jobs=1)
    content = json.loads(run("known", *given, "--json")[1])
    known = found.answer.known
    assert content["supported"] == found.judgement.supports_order == (known is not None)
    orders = () if known is None else known.orders
    stated = [(each["earlier"], each["later"], each["probability"]) for each in content["orders"]]
    assert stated == [(each.earlier, each.later, each.probability) for each in orders]
    assert known is not None or (content["disagreements"], content["weaker"]) == ([], 0)
    if known is not None:
        assert content["known"]["weights"] == known.weights.tolist()
    judged = json.loads(run("judge", *given, "--json")[1])
    assert judged["verdict"] == content["known"]["word"]["verdict"]
    assert run("known", *given)[1].splitlines()[0] == plain(verdict_sentence(found.judgement))


def test_the_mixture_by_its_name_is_that_of_the_report(run, tmp_path):
    data, budget = STACKED
    write_dataset(data, tmp_path / "data.csv")
    given = ("known", "data.csv", "--budget", budget)
    assert run(*given, "-m", "stack")[:2] == run(*given)[:2]
