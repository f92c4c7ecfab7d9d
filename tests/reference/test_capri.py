"""CAPRI against the answers of TRONCO; see README.md beside this file."""

import gzip
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from caprese import Capri, ConditionalDag, Counts, Dataset, Noise, datasets
from caprese.fitting.dags import with_tables
from caprese.fitting.parent_search import best_parent_sets
from caprese.fitting.prima_facie import Outcome, prima_facie

_HERE = Path(__file__).parent
SCORES = ("bic", "aic", "loglik")

# Events in 100 resamples: the same parents, others that score the same, and better ones than hill
# climbing found.
EXPECTED = {
    "bic": {"same": 1677, "tied": 11, "better": 12},
    "aic": {"same": 1652, "tied": 6, "better": 42},
}

# TRONCO tests loops from one of the two nodes of a pattern only, so that of a pattern by AND or OR
# that is an effect it overlooks paths from the events of the pattern.
OVERLOOKED = {("pat_d04", "noboot"), ("pat_d22", "noboot"), ("pat_d04", "boot100")}


@cache
def answers(name):
    return json.loads(gzip.decompress((_HERE / f"capri_{name}.json.gz").read_bytes()))


def table(answer):
    return np.array([[entry == "1" for entry in row] for row in answer["rows"]])


def turned(number):
    """Names that sort against the columns: what TRONCO decides by column, we then decide alike."""
    return tuple(f"{999 - column}" for column in range(number))


def allowed(answer):
    """All pairs, but of patterns only the hypotheses; and the events of each column."""
    keys, patterns = answer["keys"], answer["n_patterns"]
    pairs = ~np.eye(len(keys), dtype=bool)
    n = len(keys) - patterns
    pairs[n:], pairs[:, n:] = False, False
    for cause, effect in answer.get("hypotheses", ()):
        pairs[keys.index(cause), keys.index(effect)] = True
    members = [(k,) for k in range(n)]
    members += [tuple(map(keys.index, answer["patterns"][key])) for key in keys[n:]]
    return pairs, members


def relations(answer, rows=None, noise=None):
    values = table(answer)
    data = Dataset(values, turned(values.shape[1]))
    resamples = None
    if rows is not None:
        weights = np.array([np.bincount(np.array(r) - 1, minlength=len(values)) for r in rows])
        resamples = Counts.of_resamples(data, weights)
    pairs, members = allowed(answer)
    return prima_facie(Counts.of(data), resamples, pairs, members, decide="rank", noise=noise)


def independent(values):
    """Pairs that are exactly independent, of which rounding errors make TRONCO say otherwise."""
    together = values.T.astype(int) @ values.astype(int)
    alone = values.sum(axis=0)
    return together * len(values) == np.outer(alone, alone)


def random_answer(name):
    answer = answers("random")[name]
    return answer | {"keys": answer["events"], "n_patterns": 0}


every_random_set = pytest.mark.parametrize("name", [f"d{k:02d}" for k in range(1, 41)])
edge_runs = [
    (name, run) for name, answer in answers("edge")["sets"].items() for run in answer["runs"]
]


@every_random_set
def test_prima_facie_relations_of_the_data_are_those_of_tronco(name):
    answer = random_answer(name)
    found = relations(answer)
    differs = found.candidates != np.array(answer["prima_facie"], dtype=bool)
    assert not (differs & ~independent(table(answer))).any()
    tested = found.outcome > 0
    assert found.priority[tested] == pytest.approx(np.array(answer["tp"])[tested], abs=1e-12)


@every_random_set
@pytest.mark.parametrize("score", SCORES)
def test_parents_are_the_best_and_those_of_tronco_where_it_found_the_best(name, score):
    answer = random_answer(name)
    events, candidates = answer["events"], np.array(answer["prima_facie"], dtype=bool)
    found = best_parent_sets(table(answer), None, events, candidates, score)
    best, theirs = answer["optimum"][score], answer["hc"][score]
    assert sum(each.score for each in found) == pytest.approx(best["score"], abs=1e-9)
    ours = {event: sorted(events[k] for k in found[j].parents) for j, event in enumerate(events)}
    assert all(ours[event] in map(sorted, best["parents"][event]) for event in events)
    assert all(each.proven for each in found)
    if abs(theirs["score"] - best["score"]) < 1e-8:
        unique = [event for event in events if len(best["parents"][event]) == 1]
        assert all(ours[event] == sorted(theirs["parents"][event]) for event in unique)


@pytest.mark.parametrize(("name", "run"), edge_runs)
def test_relations_of_edge_cases_are_those_of_tronco(name, run):
    answer, indices = answers("edge")["sets"][name], answers("edge")["indices"]
    theirs = answer["runs"][run]
    noise = Noise(answer["epos"], answer["eneg"])
    rows = indices[theirs["indices"]][: theirs["iterations"]] if "indices" in theirs else None
    found = relations(answer, rows, None if noise == Noise() else noise)
    tested = found.outcome > 0
    assert (tested == np.array(answer["initial_adj"], dtype=bool)).all()
    assert found.priority[tested] == pytest.approx(np.array(theirs["tp"])[tested], rel=1e-9)
    both = tested & (found.outcome > Outcome.TIME)
    assert found.raising[both] == pytest.approx(np.array(theirs["pr"])[both], rel=1e-9)
    expected = np.array(theirs["prima_facie"], dtype=bool)
    for i, j in answer["invalid_pairs"]:  # indistinguishable events, which we do not link
        expected[i - 1, j - 1] = False
    assert (found.candidates == expected).all() == ((name, run) not in OVERLOOKED)


@pytest.mark.parametrize("name", ["selected17", "hypo26"])
@pytest.mark.parametrize("run", ["noboot_hc0", "boot100_hc100"])
def test_leukaemia_is_as_tronco_has_it(name, run):
    answer = answers("acml")[name]
    theirs, keys = answer["runs"][run], answer["keys"]
    found = relations(answer, answer["indices"] if run.startswith("boot") else None)
    assert (found.candidates == np.array(theirs["prima_facie"], dtype=bool)).all()
    later = found.outcome > Outcome.TIME
    assert found.raising[later] == pytest.approx(np.array(theirs["pr"])[later], rel=1e-9)
    for score, model in theirs["models"].items():
        best = best_parent_sets(table(answer), None, keys, found.candidates, score)
        assert sum(each.score for each in best) == pytest.approx(model["score"], abs=1e-9)
        ours = {key: sorted(keys[k] for k in best[j].parents) for j, key in enumerate(keys)}
        different = {key for key in keys if ours[key] != sorted(model["parents"][key])}
        tied = {key for j, key in enumerate(keys) if best[j].tied or score == "loglik"}
        assert different <= tied


VIGNETTE = (
    "NRAS_xor_KRAS = XOR(NRAS, KRAS)",
    "SF3B1_xor_ASXL1 = XOR(SF3B1, XOR(ASXL1))",
    "TET2_xor_IDH2 = XOR(TET2, IDH2)",
    "TET2_or_IDH2 = OR(TET2, IDH2)",
    "homologous",
)


def test_the_patterns_of_the_vignette_are_found_from_their_text():
    answer = answers("acml")["hypo26"]
    data = datasets.acml_selected17()
    assert answer["names"][:17] == list(data.events)
    assert (table(answer)[:, :17] == data.values).all()
    evidence = Capri(resamples=0, patterns=VIGNETTE).fit(data).evidence
    assert set(evidence.columns_tested[17:]) == set(answer["keys"][17:])


@pytest.mark.parametrize("score", ["bic", "aic"])
def test_the_model_of_the_vignette_comes_from_the_command_of_a_user(score):
    answer = answers("acml")["hypo26"]
    names = dict(zip(answer["keys"], answer["names"], strict=True))
    names |= {key: key for key in answer["keys"][17:]}
    fit = Capri(resamples=0, patterns=VIGNETTE, score=score).fit(datasets.acml_selected17())
    columns = fit.evidence.columns_tested
    chosen = np.argwhere(fit.evidence.outcome == Outcome.PARENT)
    ours = {(columns[i], columns[j]) for i, j in chosen}
    parents = answer["runs"]["noboot_hc0"]["models"][score]["parents"]
    theirs = {(names[cause], names[key]) for key in parents for cause in parents[key]}
    undecided = set(map(frozenset, _by_name(fit.evidence)))
    assert {pair for pair in ours ^ theirs if frozenset(pair) not in undecided} == set()


def _by_name(evidence):
    names = evidence.columns_tested
    return [(names[i], names[j]) for i, j in np.argwhere(evidence.by_name)]


def set_score(values, parents, child, score):
    """The score of a set of parents, by its definition."""
    price = {"bic": np.log(len(values)) / 2, "aic": 1.0}[score]
    states = [tuple(row) for row in values[:, list(parents)]]
    total = 0.0
    for state in set(states):
        own = values[[each == state for each in states], child]
        for number in (own.sum(), (~own).sum()):
            total += number * np.log(number / len(own)) if number else 0.0
    return total - price * 2 ** len(parents)


def climbed(values, candidates, child, score):
    """The parents at which hill climbing ends, which adds or removes one at a time."""
    parents, now = set(), set_score(values, (), child, score)
    while True:
        moves = [parents | {k} for k in candidates if k not in parents]
        moves += [parents - {k} for k in sorted(parents)]
        best, height = None, now
        for move in moves:
            reached = set_score(values, sorted(move), child, score)
            if reached > height + 1.49e-8:
                best, height = move, reached
        if best is None:
            return parents
        parents, now = best, height


@pytest.mark.parametrize("score", ["bic", "aic"])
@pytest.mark.slow
def test_a_hundred_fixed_resamples_have_the_same_edges_where_tronco_found_the_best(score):
    answer, outer = answers("acml")["selected17"], answers("acml")["outer"]
    keys, seen = answer["keys"], {"same": 0, "tied": 0, "better": 0}
    for rows, theirs in zip(outer, answer["npb_edges"], strict=True):
        values = table(answer)[np.array(rows) - 1]
        found = relations(answer | {"rows": ["".join(map(str, row)) for row in values.astype(int)]})
        allowed = found.candidates
        for cause, effect in theirs[score]:  # what rounding, or being identical, let TRONCO keep
            allowed[keys.index(cause), keys.index(effect)] = True
        best = best_parent_sets(values, None, keys, allowed, score)
        for child, each in enumerate(best):
            other = {keys.index(cause) for cause, effect in theirs[score] if effect == keys[child]}
            worse = each.score - set_score(values, sorted(other), child, score)
            assert worse > -1e-8
            kind = "same" if set(each.parents) == other else "tied" if worse < 1e-8 else "better"
            seen[kind] += 1
            if kind == "better":
                candidates = np.flatnonzero(allowed[:, child])
                assert climbed(values, candidates.tolist(), child, score) == other
    assert seen == EXPECTED[score]


@pytest.mark.parametrize("name", ["selected17", "hypo26"])
def test_losses_of_fixed_folds_are_those_of_tronco(name):
    answer = answers("acml")[name]
    values, keys = table(answer), answer["keys"]
    folds = np.arange(len(values)) % 10
    for model in answer["kfold"]["models"]:
        parents = tuple(tuple(np.flatnonzero(column)) for column in np.array(model["adj"]).T)
        empty = ConditionalDag(tuple(keys), parents, tuple((0.5,) * 2 ** len(p) for p in parents))
        losses, wrong = [], np.zeros(len(keys))
        by_chance = np.zeros(len(keys), dtype=bool)  # p = 0.5: TRONCO draws what it predicts
        for fold in range(10):
            training = Dataset(values[folds != fold], tuple(keys))
            held_out = Dataset(values[folds == fold], tuple(keys))
            dag = with_tables(empty, training)
            losses += (-dag.log_probabilities(held_out)).tolist()
            given = dag.conditional(held_out.values)
            wrong += ((given > 0.5) != held_out.values).sum(axis=0)
            by_chance |= (np.abs(given - 0.5) < 1e-9).any(axis=0)
        assert np.mean(losses) == pytest.approx(model["eloss"], abs=1e-12)
        theirs = np.array(model["prederr"])[~by_chance]
        assert (wrong / len(values))[~by_chance] == pytest.approx(theirs, abs=1e-12)
        assert by_chance.sum() <= 2
