"""Bad values of every public call of data, simulation, assessment and patients: refused by name."""

import math

import numpy as np
import pytest

from caprese import (
    CBN,
    MHN,
    BayesForest,
    Caprese,
    Capri,
    Clinical,
    Counts,
    DagRecipe,
    Dataset,
    ForestRecipe,
    Noise,
    NoisyForest,
    Pattern,
    as_seen,
    associations,
    bootstrap,
    bootstrap_effects,
    compare,
    consensus,
    corollary_noise_bound,
    curate,
    datasets,
    edge_tests,
    effect_table,
    group_patterns,
    homologous_patterns,
    inspect,
    judge,
    noise_tolerance,
    place,
    read_dataset,
    survival,
    write_fit,
)
from caprese.data import curation
from caprese.data.patterns import Formula
from caprese.data.scores import prima_facie
from caprese.errors import CapreseError, FormatError, ModelError, ParameterError
from caprese.patients.orders import likeliest_orders
from caprese.patients.strata import strata
from caprese.plots import progression_figure
from caprese.recipe.parts import Bootstrap, Judging, Placing

NOT_NUMBERS = (None, math.nan, math.inf, "x", True, [], object(), b"x", np.array([1, 2]))
NOT_WHOLE = (*NOT_NUMBERS, -1, 2.5, 10**30)
NOT_A_SHARE = (*NOT_NUMBERS, -1, 2.5)
NOT_A_LIST = (None, math.nan, -1, True, 2.5, object())
NO_OBJECT = (*NOT_A_LIST, "x", [], {}, Caprese)
ACML = datasets.acml()
FIT = Caprese().fit(ACML)
PLACED = place(FIT, ACML, simulated=10)
TABLE = Clinical(ACML.samples, {"grade": ("low", "high") * 32})
LIFTS = MHN(penalty_strength=0.1)
TWO = ["ASXL1 indel", "ASXL1 nonsense"]

WHOLE = {
    "bootstrap replicates": lambda bad: bootstrap(Caprese(), ACML, replicates=bad),
    "bootstrap seed": lambda bad: bootstrap(Caprese(), ACML, replicates=1, seed=bad),
    "bootstrap_effects replicates": lambda bad: bootstrap_effects(LIFTS, ACML, replicates=bad),
    "bootstrap_effects seed": lambda bad: bootstrap_effects(LIFTS, ACML, seed=bad),
    "judge folds": lambda bad: judge([Caprese()], ACML, folds=bad),
    "judge repeats": lambda bad: judge([Caprese()], ACML, repeats=bad),
    "judge seed": lambda bad: judge([Caprese()], ACML, seed=bad),
    "edge_tests permutations": lambda bad: edge_tests(FIT, ACML, permutations=bad),
    "edge_tests seed": lambda bad: edge_tests(FIT, ACML, seed=bad),
    "place simulated": lambda bad: place(FIT, ACML, simulated=bad),
    "place seed": lambda bad: place(FIT, ACML, seed=bad),
    "orders most": lambda bad: PLACED.orders("1", bad),
    "likeliest_orders seed": lambda bad: likeliest_orders(
        FIT.model, ACML.values[0], ACML.take_samples([0]), seed=bad
    ),
    "associations seed": lambda bad: associations(PLACED, TABLE, seed=bad),
    "KeepFrequent count": lambda bad: curation.KeepFrequent(count=bad),
    "KeepMostFrequent": curation.KeepMostFrequent,
    "DropHypermutated": curation.DropHypermutated,
    "MergeIdentical": lambda bad: curation.MergeIdentical(longest=bad),
    "ForestRecipe events": lambda bad: ForestRecipe(events=bad),
    "ForestRecipe trees": lambda bad: ForestRecipe(trees=bad),
    "DagRecipe events": lambda bad: DagRecipe(events=bad),
    "DagRecipe max_parents": lambda bad: DagRecipe(max_parents=bad),
    "group_patterns least": lambda bad: group_patterns("OR", TWO, least=bad),
    "group_patterns most": lambda bad: group_patterns("OR", TWO, most=bad),
}
WHOLE_OR_NONE = {
    "bootstrap jobs": lambda bad: bootstrap(Caprese(), ACML, replicates=1, jobs=bad),
    "bootstrap_effects jobs": lambda bad: bootstrap_effects(LIFTS, ACML, jobs=bad),
    "judge held_out": lambda bad: judge([Caprese()], ACML, held_out=bad),
    "judge jobs": lambda bad: judge([Caprese()], ACML, jobs=bad),
    "ForestRecipe levels": lambda bad: ForestRecipe(levels=bad),
}
SHARES = {
    "corollary_noise_bound": corollary_noise_bound,
    "KeepFrequent frequency": lambda bad: curation.KeepFrequent(frequency=bad),
    "DropUnknownSamples": lambda bad: curation.DropUnknownSamples(least=bad),
    **{
        f"{recipe.__name__} {name}": lambda bad, recipe=recipe, name=name: recipe(**{name: bad})
        for recipe in (ForestRecipe, DagRecipe)
        for name in ("top", "least", "most", "rarest")
    },
}
LISTS = {
    "judge rules": lambda bad: judge([Caprese()], ACML, rules=bad),
    "compare methods": lambda bad: compare(bad, ACML),
    "associations without": lambda bad: associations(PLACED, TABLE, without=bad),
    "Clinical samples": lambda bad: Clinical(bad, {"a": ("x",)}),
    "Clinical column": lambda bad: Clinical(("p",), {"a": bad}),
    "Clinical of_samples": TABLE.of_samples,
    "KeepEvents": curation.KeepEvents,
    "DropEvents": curation.DropEvents,
    "MergeEvents": curation.MergeEvents,
    "Dataset events": lambda bad: Dataset(np.ones((1, 1)), bad),
    "Dataset samples": lambda bad: Dataset(np.ones((1, 1)), ("a",), bad),
    "from_rows events": lambda bad: Dataset.from_rows([[1]], bad),
    "from_rows samples": lambda bad: Dataset.from_rows([[1]], ("a",), bad),
    "from_genotypes events": lambda bad: Dataset.from_genotypes({"1": 1}, bad),
    "take_samples": ACML.take_samples,
    "take_events": ACML.take_events,
    "group_patterns group": lambda bad: group_patterns("OR", bad),
}
LISTS_OR_NONE = {"judge methods": lambda bad: judge(bad, ACML)}
OBJECTS = {
    "bootstrap method": lambda bad: bootstrap(bad, ACML),
    "bootstrap kind": lambda bad: bootstrap(Caprese(), ACML, kind=bad),
    "bootstrap_effects method": lambda bad: bootstrap_effects(bad, ACML),
    "judge method": lambda bad: judge([bad], ACML),
    "judge named method": lambda bad: judge({"mine": bad}, ACML),
    "judge rule": lambda bad: judge([Caprese()], ACML, rules=[bad]),
    "curate rule": lambda bad: curate(ACML, [bad]),
    "compare method": lambda bad: compare([bad], ACML),
    "edge_tests": lambda bad: edge_tests(bad, ACML),
    "effect_table": effect_table,
    "consensus confidence": lambda bad: consensus(bad, FIT.counts),
    "noise_tolerance": noise_tolerance,
    "place": lambda bad: place(bad, ACML),
    "associations placement": lambda bad: associations(bad, TABLE),
    "associations clinical": lambda bad: associations(PLACED, bad),
    "as_seen": as_seen,
    "survival placement": lambda bad: survival(bad, TABLE, "time", "status"),
    "survival clinical": lambda bad: survival(PLACED, bad, "time", "status"),
    "survival time": lambda bad: survival(PLACED, TABLE, bad, "grade"),
    "strata placement": lambda bad: strata(bad, "progress", np.arange(3)),
    "strata by": lambda bad: strata(PLACED, bad, np.arange(3)),
    "next_events": PLACED.next_events,
    "from_genotypes": lambda bad: Dataset.from_genotypes(bad or None, "ab"),
    "Formula": lambda bad: Formula(bad, ("a", "b")),
    "group_patterns operator": lambda bad: group_patterns(bad, TWO),
    "prima_facie": prima_facie,
    "draw a forest": lambda bad: ForestRecipe().draw(bad),
    "draw a DAG": lambda bad: DagRecipe().draw(bad),
    "inspect": inspect,
    "curate": curate,
    "Counts": Counts.of,
    "homologous_patterns": homologous_patterns,
}
SWITCHES = {
    "DropConstant never": lambda bad: curation.DropConstant(never=bad),
    "DropConstant always": lambda bad: curation.DropConstant(always=bad),
    "KeepEvents must_exist": lambda bad: curation.KeepEvents(TWO, must_exist=bad),
    "MergeEvents keep_members": lambda bad: curation.MergeEvents(TWO, keep_members=bad),
}


def each(calls, values):
    return [
        pytest.param(call, bad, id=f"{name}: {type(bad).__name__} {str(bad)[:8]}")
        for name, call in calls.items()
        for bad in values
    ]


@pytest.mark.parametrize(
    ("call", "bad"),
    [
        *each(WHOLE, NOT_WHOLE),
        *each(WHOLE_OR_NONE, NOT_WHOLE[1:]),
        *each(SHARES, NOT_A_SHARE),
        *each(SWITCHES, (None, "x", 2.5, [], np.array([True, False]))),
    ],
)
def test_a_bad_number_is_refused_by_name(call, bad):
    with pytest.raises(ParameterError, match="must be"):
        call(bad)


@pytest.mark.parametrize(
    ("call", "bad"),
    [*each(LISTS, NOT_A_LIST), *each(LISTS_OR_NONE, NOT_A_LIST[1:]), *each(OBJECTS, NO_OBJECT)],
)
def test_what_is_no_list_or_no_such_object_is_refused_on_purpose(call, bad):
    with pytest.raises(CapreseError):
        call(bad)


@pytest.mark.parametrize("bad", ["x", 2.5, ("a",), np.array([1, 2])])
def test_groups_and_noise_are_refused_by_name(bad):
    with pytest.raises(ParameterError, match="groups must be"):
        judge([Caprese()], ACML, groups=bad)
    with pytest.raises(ParameterError, match="noise must be"):
        bootstrap(Caprese(), ACML, kind="parametric", noise=bad)


def test_a_pattern_is_text():
    with pytest.raises(ParameterError, match="text must be the text of a pattern, got 5"):
        Pattern.parse(5)


OTHER = datasets.ovarian()
FOREST = FIT.model
TODAY = 20261118001  # a seed that a person types
UNFITTED = r"must be the fit of a method to data, such as Caprese\(\).fit\(data\), got Caprese"


@pytest.mark.parametrize("call", [name for name in WHOLE if name.endswith("seed")])
def test_every_seed_has_the_same_bounds(call):
    WHOLE[call](TODAY)
    with pytest.raises(ParameterError, match=f"seed must be .* from 0 to {2**63 - 1}, got -1"):
        WHOLE[call](-1)


def test_seeds_of_methods_and_recipes_have_these_bounds_too():
    for part in (BayesForest, Capri, Bootstrap, Judging, Placing):
        assert part(seed=TODAY).seed == TODAY
        with pytest.raises(ParameterError, match=f"seed must be .* from 0 to {2**63 - 1}, got"):
            part(seed=2**63)


@pytest.mark.parametrize(
    "call", [lambda: edge_tests(FIT, OTHER), lambda: edge_tests(FIT, ACML.take_samples(range(9)))]
)
def test_edges_are_not_tested_on_other_data(call):
    with pytest.raises(ModelError, match="the fit was made from other data"):
        call()


def test_a_confidence_of_other_data_or_events_is_not_drawn():
    part = ACML.take_samples(range(40))
    for data, why in ((part, "of other data"), (OTHER, "of other events")):
        found = bootstrap(Caprese(), data, replicates=2)
        with pytest.raises(ModelError, match=f"the confidence is {why} than"):
            progression_figure(FIT, found)


@pytest.mark.parametrize(
    "call",
    [
        lambda: place(Caprese(), ACML),
        lambda: edge_tests(Caprese(), ACML),
        lambda: write_fit(Caprese(), "x.json"),
    ],
)
def test_a_method_that_was_not_fitted_is_named(call):
    with pytest.raises(ParameterError, match=UNFITTED):
        call()


@pytest.mark.parametrize("bad", [[2, 0, 1], [0.5, 0, 0], [np.nan, 0, 0], ["x", "y", "z"]])
def test_a_genotype_is_of_zeros_and_ones(bad):
    with pytest.raises(ParameterError, match="genotypes must be rows of 0 and 1, got"):
        FOREST.genotype_probabilities(bad)


@pytest.mark.parametrize(
    "model",
    [
        FOREST,
        NoisyForest(FOREST, Noise(0.1, 0.1)),
        DagRecipe(events=4).draw(np.random.default_rng(1)),
        MHN().fit(ACML).model,
        CBN().fit(ACML).model,
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("bad", [-1, 2.5, "x", None])
def test_a_number_of_samples_is_whole(model, bad):
    with pytest.raises(ParameterError, match="samples must be a whole number of at least 0, got"):
        model.sample(bad, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: NoisyForest(FOREST, 0.1), "noise must be of type Noise, got 0.1"),
        (lambda: read_dataset("x.csv", delimiter=3), "delimiter must be one character, .*, got 3"),
        (lambda: write_fit(3, "x.json"), "fit must be the fit of a method to data, .*, got 3"),
    ],
)
def test_another_type_is_refused_at_once(call, why):
    with pytest.raises(ParameterError, match=why):
        call()


def test_a_file_in_a_folder_that_is_missing_is_refused(tmp_path):
    path = tmp_path / "nowhere" / "fit.json"
    with pytest.raises(FormatError, match=f"fit.json: there is no folder {path.parent}"):
        write_fit(FIT, path)
