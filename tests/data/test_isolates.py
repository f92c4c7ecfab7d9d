"""Isolates: trees in Newick format, states of ancestors, and branches as series."""

from itertools import product

import numpy as np
import pytest

from caprese import MHN, Dataset, DatasetError, FormatError, Patients
from caprese.data.curation import PerPatient
from caprese.data.isolates import IsolateTree, ancestral_states, isolate_pairs
from caprese.data.visits import Visits
from caprese.fitting.hazards_ascent import Observations, log_chances
from caprese.io.data.newick import read_newick, with_isolates
from caprese.io.data.reading import Reading
from caprese.models.hazards import Hazards


def tree_of(text, tmp_path):
    path = tmp_path / "tree.nwk"
    path.write_text(text)
    return read_newick(path)


def parsimony_definition(parents, tips, states):
    """All states of inner nodes in which nothing is lost: those of fewest gains, the earliest."""
    inner = sorted(set(parents) - {-1})
    best = []
    for values in product((0, 1), repeat=len(inner)):
        own = dict(zip(inner, values, strict=True)) | dict(zip(tips, states, strict=True))
        steps = [own[k] - (own[p] if p >= 0 else 0) for k, p in enumerate(parents)]
        if min(steps) >= 0:
            best.append((sum(steps), -sum(values), own))
    return min(best, key=lambda each: each[:2])[2]


def test_a_tree_is_read_with_names_lengths_comments_and_quotes(tmp_path):
    tree = tree_of("((x:2,'y''s one':2.5)inner:1,\n z[seen twice]:3)root:0.1;\n", tmp_path)
    assert tree.names == ("root", "inner", "x", "y's one", "z")
    assert tree.parents == (-1, 0, 1, 1, 0)
    assert tree.lengths.tolist() == [0.1, 1, 2, 2.5, 3]
    assert tree.tips.tolist() == [2, 3, 4]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected a tree of two isolates or more"),
        ("x;", "expected a tree of two isolates or more"),
        ("(x,y)", "expected a tree of two isolates or more"),
        ("(x,(y,z);", r"column 9: the tree ends before all '\(' are closed"),
        ("(x,y));", r"column 6: '\)' without '\('"),
        ("x,y;", "column 2: ',' outside of a tree"),
        ("(x:one,y:1);", "column 4: 'one' is no length of a branch"),
        ("(x:-1,y:1);", "'-1' is no length of a branch"),
        ("(x:1,y);", "the branch above 'y' has no length, others have one"),
        ("(x y,z);", "column 4: expected a comma before 'y'"),
        ("(x(y,z));", r"column 3: expected a comma before '\('"),
        ("(x,y);(z,w);", "column 7: a second tree, expected one"),
        ("(x,'y);", "is not closed"),
        ("(x,y[);", "is not closed"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_place(tmp_path, text, problem):
    with pytest.raises(FormatError, match=problem) as caught:
        tree_of(text, tmp_path)
    assert "tree.nwk" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_states_of_ancestors_are_those_of_fewest_gains():
    rng = np.random.default_rng(1)
    for _ in range(40):
        parents = [-1, *(int(rng.integers(node)) for node in range(1, 8))]
        tips = sorted(set(range(8)) - set(parents))
        states = rng.integers(0, 2, len(tips))
        tree = IsolateTree(("",) * 8, tuple(parents), np.full(8, np.nan))
        found = ancestral_states(tree, states[:, None].astype(np.uint8))[:, 0]
        assert dict(enumerate(found.tolist())) == parsimony_definition(parents, tips, states)


def pairs_of(tmp_path, text="((x:2,y:2):1,z:3);"):
    data = Dataset.from_rows([[1, 1], [1, 0], [0, 0]], events="ab", samples=["x", "y", "z"])
    return isolate_pairs(data, tree_of(text, tmp_path), [0, 1, 2])


def test_each_branch_is_a_series_of_an_ancestor_that_is_given(tmp_path):
    pairs = pairs_of(tmp_path)
    assert pairs.patients.pairs().tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    visits = Visits.of(pairs, "gaps", from_given=True)
    assert visits.given.all()
    assert sorted(visits.elapsed[~np.isnan(visits.elapsed)]) == [1, 2, 2, 3]


def test_a_branch_without_length_on_which_an_event_came_is_short(tmp_path):
    pairs = pairs_of(tmp_path, "((x:0,y:2):1,z:0);")
    times = dict(zip(pairs.samples, pairs.patients.times, strict=True))
    assert times["x"] == 0.01
    assert times["z"] == 0


def test_only_isolates_count_unless_series_are_asked_for(tmp_path):
    pairs = pairs_of(tmp_path)
    assert PerPatient().apply(pairs).data.samples == ("x", "y", "z")
    assert len(PerPatient(by="series").apply(pairs).data.samples) == 8


def test_what_comes_on_a_branch_counts_and_its_ancestor_does_not(tmp_path):
    pairs = pairs_of(tmp_path, "((x,y),z);")
    seen = Observations.in_time(pairs, "order")
    model = Hazards(tuple("ab"), (0.7, 0.4), ((1.0, 3.0), (1.0, 1.0)))
    parameters = np.log(model.effects) + np.diag(np.log(model.rates))
    found = seen.times @ log_chances(parameters, seen)
    a, b, later = 0.7, 0.4, 1.2  # the rates, and that of b once a is there
    first = a / (1 + a + b) / (1 + later)  # a came and b did not, from the root to x and y
    stays, comes, nothing = 1 / (1 + later), later / (1 + later), 1 / (1 + a + b)
    assert not seen.paced
    assert found == pytest.approx(np.log([first, stays, comes, nothing]).sum())


def simulated(branches, seed=1):
    """A tree on which two events come, b three times as fast where a is there."""
    rng = np.random.default_rng(seed)
    parents, states, lengths = [-1], [np.zeros(2, dtype=int)], [np.nan]
    for _ in range(branches):
        parent = int(rng.integers(len(parents))) if rng.random() < 0.5 else 0
        state, length = states[parent].copy(), rng.exponential()
        now = 0.0
        while True:
            rates = np.array([0.3, 0.15 * 3 ** state[0]]) * (1 - state)
            now += rng.exponential() / max(rates.sum(), 1e-9)
            if now > length:
                break
            state[int(rng.random() * rates.sum() > rates[0])] = 1
        parents.append(parent)
        states.append(state)
        lengths.append(length)
    names = tuple(f"n{k}" for k in range(branches + 1))
    return IsolateTree(names, tuple(parents), np.array(lengths)), np.array(states)


def test_rates_on_branches_are_found_in_the_unit_of_their_lengths():
    tree, states = simulated(1500)
    codes = states[np.column_stack([tree.parents[1:], np.arange(1, 1501)]).ravel()]
    given = np.tile([True, False], 1500)
    times = np.column_stack([np.zeros(1500), tree.lengths[1:]]).ravel()
    names = tuple(f"b{k // 2}" for k in range(3000))
    data = Dataset(codes == 1, tuple("ab"), patients=Patients(names, times=times, given=given))
    fit = MHN(penalty_strength=0.001, times="gaps").fit(data)
    rates = fit.model.rates / fit.evidence.times.mean_time
    assert rates == pytest.approx([0.3, 0.15], rel=0.25)
    assert fit.model.effects[0, 1] == pytest.approx(3, rel=0.35)


def test_methods_that_take_no_ancestor_as_given_say_so(tmp_path):
    with pytest.raises(DatasetError, match="branches begin with ancestors"):
        Visits.of(pairs_of(tmp_path), "order")


def test_tips_that_the_data_lacks_are_named(tmp_path):
    path = tmp_path / "tree.nwk"
    path.write_text("(x,(who,z));")
    data = Dataset.from_rows([[1], [0]], events="a", samples=["x", "z"])
    with pytest.raises(FormatError, match="no sample of the data is who, 1 tip of the tree"):
        with_isolates(Reading(data), path)
    path.write_text("(x,(z,z));")
    with pytest.raises(FormatError, match="z stands twice in the tree"):
        with_isolates(Reading(data), path)


def test_samples_outside_of_the_tree_are_left_out_and_named(tmp_path):
    path = tmp_path / "tree.nwk"
    path.write_text("(x,z);")
    data = Dataset.from_rows([[1], [0], [1]], events="a", samples=["x", "z", "w"])
    found = with_isolates(Reading(data), path)
    assert "left out, not in the tree: w" in [str(note) for note in found.notes]
    assert "w" not in found.data.samples
