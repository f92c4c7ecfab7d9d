import numpy as np
import pytest

from caprese import Dataset, Patients
from caprese.data.visits import Visits
from caprese.errors import DatasetError

NAN = np.nan


def dated(rows, names, times, **more):
    data = Dataset.from_rows(rows, "ab", [f"s{row}" for row in range(len(rows))])
    return data.with_patients(Patients(tuple(names), times=np.array(times), **more))


def histories(visits):
    return [
        (visits.codes[start:stop].tolist(), visits.elapsed[start:stop].tolist(), number)
        for start, stop, number in zip(
            visits.starts[:-1], visits.starts[1:], visits.number.tolist(), strict=True
        )
    ]


SERIES = dated(
    [[1, 1], [1, 0], [1, 0], [0, 1], [1, 1]],
    ["Ada", "Ada", "Bob", "Cleo", "Bob"],
    [7.0, 4.0, 1.0, NAN, 4.0],
)


def test_by_default_each_sample_is_a_patient_of_its_own():
    visits = Visits.of(SERIES, "unknown")
    assert histories(visits) == [
        ([[0, 1]], pytest.approx([NAN], nan_ok=True), 1),
        ([[1, 0]], pytest.approx([NAN], nan_ok=True), 2),
        ([[1, 1]], pytest.approx([NAN], nan_ok=True), 2),
    ]


@pytest.mark.parametrize(
    ("times", "elapsed"),
    [("order", [NAN, NAN]), ("gaps", [NAN, 3.0])],
)
def test_equal_histories_of_two_patients_are_one(times, elapsed):
    visits = Visits.of(SERIES, times)
    assert histories(visits) == [
        ([[0, 1]], pytest.approx([NAN], nan_ok=True), 1),
        ([[1, 0], [1, 1]], pytest.approx(elapsed, nan_ok=True), 2),
    ]


def test_known_times_count_from_the_start():
    visits = Visits.of(SERIES, "known")
    assert [own for _, own, _ in histories(visits)[1:]] == [[1.0, 3.0], [4.0, 3.0]]
    assert visits.mean_time() == 2.5
    assert (visits.patients, visits.series, visits.known(), visits.left_out) == (3, 2, 4, 0)


def test_neither_the_order_of_rows_nor_that_of_columns_matters():
    rng = np.random.default_rng(1)
    data = dated(rng.random((40, 2)) < 0.5, [f"p{k % 17}" for k in range(40)], rng.random(40))
    turned = data.take_samples(rng.permutation(40)).take_events(("b", "a"))
    found = Visits.of(data, "known")
    assert Visits.of(turned, "known").take_events(("a", "b")) == found


def test_samples_taken_at_the_same_time_are_one_visit():
    data = dated([[1, None], [0, 1], [0, 0]], ["Ada"] * 3, [2.0, 2.0, 1.0])
    assert Visits.of(data, "gaps").codes.tolist() == [[0, 0], [1, 1]]
    data = dated([[1, None], [0, 0], [0, 0]], ["Ada"] * 3, [2.0, 2.0, 1.0])
    assert Visits.of(data, "gaps").codes.tolist() == [[0, 0], [1, 2]]


def test_of_each_patient_the_site_with_the_most_known_times_counts():
    sites = ("blood", "blood", "lung", "lung", "lung")
    data = dated([[0, 0], [1, 1], [1, 0], [0, 1], [1, 1]], ["Ada"] * 5, [1, 2, 3, NAN, NAN],
                 sites=sites)  # fmt: skip
    visits = Visits.of(data, "order")
    assert visits.codes.tolist() == [[0, 0], [1, 1]]
    assert visits.left_out == 3


def test_of_samples_of_unknown_time_the_one_with_the_most_known_entries_counts():
    data = dated([[0, None], [1, 1], [0, 0], [1, 0]], ["Ada", "Ada", "Bob", "Bob"],
                 [NAN, NAN, 1, 2])  # fmt: skip
    assert Visits.of(data, "gaps").codes.tolist() == [[1, 1], [0, 0], [1, 0]]


def test_events_stay_if_nothing_was_seen_wrongly():
    visits = Visits("ab", [[1, 2], [0, 2], [2, 0]], [NAN, 1, 1], [0, 3], [1])
    assert visits.kept().codes.tolist() == [[1, 0], [1, 0], [1, 0]]


@pytest.mark.parametrize(
    ("data", "times", "message"),
    [
        (Dataset.from_rows([[1]], "a"), "known", "times=known .* not known when samples were"),
        (Dataset.from_rows([[1]], "a"), "gaps", "times=gaps .* not known when samples were taken"),
        (dated([[1, 0]], ["Ada"], [NAN]), "known", "times=known .* not known when"),
        (dated([[1, 0]], ["Ada"], [3.0]), "order", "two .* known order; per_patient='series'"),
        (dated([[1, 0]] * 2, ["Ada"] * 2, [3, NAN]), "gaps", "two .* known order; sampled_at says"),
        (dated([[1, 0]] * 2, "AB", [3, -2.5]), "known", "start of .* 's1' was taken at -2.5"),
    ],
)
def test_times_that_cannot_be_used_are_refused(data, times, message):
    with pytest.raises(DatasetError, match=message):
        Visits.of(data, times)
