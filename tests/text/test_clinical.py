"""Clinical comparisons in words."""

import numpy as np

from caprese import Dataset, IndependentEvents, place
from caprese._core.facts import Fact
from caprese.patients.clinical import Clinical
from caprese.patients.groups import Association, Associations, Group, associations
from caprese.patients.survival import Curve, Survival, survival
from caprese.text.clinical import association_lines, survival_lines
from hostile_names import HOSTILE

SAMPLES = tuple(f"p{k}" for k in range(40))


def placement(events="ab"):
    rng = np.random.default_rng(1)
    data = Dataset((rng.random((40, 2)) < [0.5, 0.3]), tuple(events), SAMPLES)
    return place(IndependentEvents().fit(data), data, simulated=10)


def clinical(**more):
    there = placement().genotypes[:, 0]
    rng = np.random.default_rng(2)
    columns = {
        "grade": tuple("high" if each else "low" for each in there),
        "stage": tuple(rng.choice(["I", "II", "III"], 40)),
        "age": tuple(f"{50 + k / 4:g}" for k in range(40)),
        "months": tuple(map(str, range(1, 41))),
        "status": tuple("01"[k % 2] for k in range(40)),
    }
    return Clinical(SAMPLES, columns | more)


def test_the_tests_are_listed_with_their_number_and_the_smallest_p_value_first():
    found = associations(placement(), clinical(note=SAMPLES), without=["months", "status"])
    lines = association_lines(found)
    assert lines[0].startswith("9 tests against the clinical table, ")
    titles = ["column", "against", "samples", "test", "p", "adjusted"]
    (head,) = (k for k, line in enumerate(lines) if line.split() == titles)
    row = lines[head + 1].split()
    assert row[:4] == ["grade", "a", "40", "Fisher"]
    assert row[6:] == ["*", "high:", "100", "%", "of", "16,", "low:", "0", "%", "of", "24"]
    assert "note: not tested, 40 of 40 values differ, as identifiers do" in lines


def test_medians_are_shown_in_the_words_of_the_column():
    found = associations(placement(), clinical(), columns=["age", "stage", "grade"])
    lines = association_lines(found)
    (ages,) = (line for line in lines if line.startswith("age     a "))
    assert "medians without: " in ages
    (stages,) = (line for line in lines if line.startswith("stage   b "))
    assert "without: II" in stages or "without: I," in stages
    assert any("correlation " in line for line in lines)
    assert any("medians high: 1, low: 0" in line for line in lines)


def test_words_say_whether_the_number_of_events_grows_with_age_and_stage():
    events = placement().genotypes.sum(axis=1)
    grade = (*["G1", "G2", "G3"] * 2, *(f"G{1 + each}" for each in events[6:]))
    found = associations(placement(), clinical(grade=grade), columns=["age", "grade"])
    lines = association_lines(found)
    grades, ages = sorted(lines[2:4], reverse=True)
    assert grades.startswith("The number of events grows with grade: rank correlation 0.")
    assert ages.startswith("The number of events does not clearly change with age: rank corr")
    assert "; given grade " in ages


def test_only_the_first_are_shown_and_the_others_counted():
    lines = association_lines(associations(placement(), clinical()), most=2)
    assert "and 10 more, with greater p-values" in lines


def test_samples_left_out_are_named_or_only_counted():
    table = clinical()
    few = Clinical(SAMPLES[2:], {title: column[2:] for title, column in table.columns.items()})
    found = associations(placement(), few)
    assert association_lines(found)[-1] == (
        "left out, not in the clinical table: 2 samples: p0, p1"
    )
    hidden = association_lines(found, names=False)
    assert hidden[-1] == "left out, not in the clinical table: 2 samples"
    assert "p0" not in "\n".join(hidden)


def test_a_table_that_cannot_be_tested_is_told():
    found = associations(placement(), Clinical(SAMPLES, {"sex": ("f",) * 40}))
    assert association_lines(found) == [
        "No column of the clinical table could be tested.",
        "",
        "sex: not tested, all samples have the same value",
    ]


def test_survival_is_shown_by_group_with_numbers_at_risk():
    lines = survival_lines(survival(placement(), clinical(), "months", "status", by="a"))
    assert lines[0].startswith("Survival by a: log-rank test p = ")
    assert lines[0].endswith(", 1 degree of freedom)")
    assert lines[2].split() == ["group", "samples", "deaths", "median", "95", "%", "interval"]
    assert lines[3].split()[:4] == ["without", "a", "24", "12"]
    assert lines[6].split() == ["at", "risk", "(months)", *map(str, range(0, 41, 10))]
    assert lines[7].split()[:3] == ["without", "a", "24"]


def test_a_median_that_is_not_reached_is_told():
    times = np.array([0.0, 5.0])
    curve = Curve(
        "g", [5.0], np.array([False]), times, [1, 1], [1, 1], [1, 1], np.inf, np.inf, np.inf
    )
    lines = survival_lines(Survival("t", "s", "x", (curve,), 0.0, 0, 1.0))
    assert lines[3].split("  ")[-2:] == ["not reached", "not reached to not reached"]


def test_hostile_names_stay_on_their_lines():
    step = np.array([0.0, 5.0])
    for name in HOSTILE:
        group = Group(name, 3, 0.5)
        about = (name, "categorical", "event", name, "Fisher", 3, 0.5, 0.5, 1.0)
        test = Association(*about, (group, group), levels=(name, name))
        fact = Fact("column of one value", values={"column": name})
        curve = Curve(name, [5.0], np.array([True]), step, [1, 0], [1, 0], [1, 0], 5.0, 5.0, 5.0)
        lines = association_lines(Associations((test,), (name,), (fact,)))
        few = Fact("few deaths", values={"groups": name, "below": 5})
        pooled = Fact("branches pooled", (name,))
        by = Survival(name, name, name, (curve,), 0.0, 0, 1.0, (name,), (few, pooled))
        lines += survival_lines(by)
        assert all(line.isprintable() for line in lines)
        assert len(lines) == 18
