"""A stack: parts, weights, what it says of them, and parts that refuse the data."""

import numpy as np
import pytest

from caprese import (
    METHODS,
    Dataset,
    Hazards,
    Independence,
    ModelError,
    ParameterError,
    SeenOrders,
    Stack,
    datasets,
    place,
    read_fit,
    write_fit,
)
from caprese.cli import main
from caprese.fitting.stacking import held_out_log_probabilities, stacking_weights
from caprese.methods import describe, parse_method
from caprese.methods.fit import OrderedFit
from caprese.text.facts import in_words
from caprese.text.fits import unused_orders

PARTS = ("independence", "caprese", "mhn:penalty_strength=0.05")


@pytest.fixture(scope="module")
def fit():
    return Stack(parts=PARTS).fit(datasets.ovarian())


def test_it_mixes_the_predictive_models_of_its_parts_by_held_out_scores(fit):
    data = datasets.ovarian()
    methods = [parse_method(part) for part in PARTS]
    assert fit.model.models == tuple(method.fit(data).predictive for method in methods)
    learners = [lambda part, own=method: own.fit(part).predictive for method in methods]
    said = held_out_log_probabilities(learners, data, folds=5, seed=1)
    assert (fit.model.weights == stacking_weights(said)).all()
    assert (fit.evidence.scores == said.mean(axis=1)).all()
    assert fit.evidence.score > fit.evidence.scores.max()
    assert fit.predictive is fit.model


def test_it_has_no_edges_and_says_what_each_part_counts(fit):
    assert not isinstance(fit, OrderedFit)
    said = in_words(fit.evidence.notes())
    assert said[0].startswith("3 parts predict together, -4.4")
    order = np.argsort(-fit.model.weights)
    assert [line.split()[-5].rstrip(",") for line in said[1:]] == [PARTS[k] for k in order]


def test_a_strength_that_was_chosen_is_not_chosen_again_for_each_fold(monkeypatch):
    mhn, strengths = METHODS["mhn"], []
    own = mhn.fit

    def watched(method, data):
        strengths.append(method.penalty_strength)
        return own(method, data)

    monkeypatch.setattr(mhn, "fit", watched)
    Stack(parts=("mhn",), folds=2).fit(datasets.acml())
    assert strengths[0] == "average"
    assert len(strengths) == 3
    assert isinstance(strengths[1], float)
    assert strengths[1] == strengths[2]


def test_few_samples_have_nearly_equal_weights_and_the_fit_says_so():
    fit = Stack(parts=PARTS).fit(datasets.ovarian().take_samples(range(12)))
    assert fit.model.weights == pytest.approx([1 / 3] * 3, abs=0.2)
    few = "with 12 samples, fewer than 80, weights are pulled towards equal ones"
    assert in_words(fit.evidence.notes())[-1] == few


def test_of_one_sample_weights_are_equal():
    fit = Stack(parts=PARTS).fit(Dataset.from_rows([[1, 0]], "ab"))
    assert fit.model.weights == pytest.approx([1 / 3] * 3)
    assert in_words(fit.evidence.notes())[:2] == [
        "3 parts predict together; the weight of each",
        "  33 % independence",
    ]


def test_a_part_that_refuses_the_data_is_left_out():
    rows = np.random.default_rng(1).random((30, 24)) < 0.5  # more events than a poset takes
    data = Dataset(rows, tuple(f"e{k}" for k in range(24)))
    parts = (*PARTS[:2], "cbn")
    fit = Stack(parts=parts).fit(data)
    assert fit.model.weights.size == 2
    assert fit.evidence.weights[2] == 0
    assert np.isnan(fit.evidence.scores[2])
    said = in_words(fit.evidence.notes())
    assert said[0].startswith("2 parts predict together")
    assert said[-1].startswith("cbn was left out: the list of all genotypes of 24 ")
    with pytest.raises(ModelError, match="no part of the stack takes the data: the list of all"):
        Stack(parts=parts[2:]).fit(data)


def test_samples_are_placed_and_its_files_come_back(fit, tmp_path):
    placed = place(fit, datasets.ovarian(), simulated=200)
    assert (placed.next_probabilities.sum(axis=1) <= 1 + 1e-9).all()
    write_fit(fit, tmp_path / "fit.json")
    again = read_fit(tmp_path / "fit.json")
    assert again == fit
    assert again.predictive == fit.model  # without the data
    assert '"predictive": null' in (tmp_path / "fit.json").read_text()


def test_its_parts_learn_from_seen_orders_and_it_says_so(tmp_path):
    data = datasets.ovarian()
    seen = [
        (sample, "3q+", "8q+")
        for sample, own in zip(data.samples, data.values, strict=True)
        if own[[data.events.index("3q+"), data.events.index("8q+")]].all()
    ]
    told = data.with_orders(SeenOrders.from_rows(seen))
    fit, other = Stack(parts=PARTS).fit(told), Stack(parts=PARTS).fit(data)
    assert fit.model.models[2] == parse_method(PARTS[2]).fit(told).predictive
    assert fit.model.models[2] != other.model.models[2]
    note = f"{len(seen)} seen orders of {len(seen)} samples entered the fit"
    assert note in in_words(fit.evidence.notes())
    assert not unused_orders(Stack(parts=PARTS), told)
    write_fit(fit, tmp_path / "fit.json")
    assert read_fit(tmp_path / "fit.json") == fit
    deaf = Stack(parts=PARTS[:2])
    assert deaf.fit(told).evidence.orders is None
    assert unused_orders(deaf, told).startswith("stack does not use the seen orders")


def test_a_stack_finds_which_kind_of_model_is_right():
    rng = np.random.default_rng(2)
    effects = np.ones((5, 5))
    effects[0, 1:] = 8.0
    excluding = Hazards(tuple("abcde"), (1.0, 0.3, 0.3, 0.3, 0.3), effects)
    weights = Stack(parts=PARTS).fit(excluding.sample(400, rng)).model.weights
    assert weights[0] < 0.05
    alone = Independence(tuple("abcde"), (0.5, 0.4, 0.3, 0.2, 0.1))
    assert Stack(parts=PARTS).fit(alone.sample(400, rng)).model.weights[0] > 0.3


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ((), "parts must be one method or more, each NAME or NAME:PARAMETER=VALUE, got ()"),
        ("mhn", "parts must be one method or more, each NAME or NAME:PARAMETER=VALUE, got 'mhn'"),
        (("mhn", "mhn"), "parts must be different methods, got ('mhn', 'mhn')"),
        (("mhn:x=1",), "parameter of mhn must be one of observation, load, "),
        (("mhn:folds=1",), "folds must be a whole number of at least 2, got 1"),
    ],
)
def test_parts_that_cannot_be_are_refused(parts, why):
    with pytest.raises(ParameterError) as caught:
        Stack(parts=parts)
    assert str(caught.value).startswith(why)


def test_its_default_parts_are_not_repeated_in_its_title():
    assert describe(Stack()) == "stack (folds 5, seed 1)"
    assert (
        describe(Stack(parts=PARTS[:2])) == "stack (parts independence; caprese, folds 5, seed 1)"
    )


def test_the_command_line_takes_parts(capsys):
    main(["fit", "acml", "-m", "stack", "--part", "caprese", "--part", "independence", "--json"])
    assert '"caprese"' in capsys.readouterr().out
    main(["patients", "acml", "-m", "stack:parts=caprese;independence", "--sample", "3"])
    assert "It lacks, with their frequencies in the data: SETBP1 missense 22 %, " in (
        capsys.readouterr().out
    )
