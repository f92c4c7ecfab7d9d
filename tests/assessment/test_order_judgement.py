"""How well methods order the events of held-out samples, against literal definitions."""

import numpy as np
import pytest

from caprese import MHN, Dataset
from caprese.assessment.difference import grouped_mean
from caprese.assessment.order_judgement import BASELINES, OrderJudgement
from caprese.assessment.prediction import Predictor, composed
from caprese.errors import ModelError
from caprese.text.seen_orders import order_lines, order_sentence
from caprese.text.sentences import plain

SAMPLES, EVENTS = tuple("pqrst"), tuple("abcd")


def judgement(
    probabilities, methods=("one", "two"), *, groups=None, predicts_best="one", nested=1.0
):
    table = np.array(probabilities, dtype=float)
    number = table.shape[1]
    pairs = np.column_stack([np.arange(number) % 5, np.zeros(number), np.ones(number)])
    return OrderJudgement(
        methods=(*methods, *BASELINES),
        predicts_best=predicts_best,
        samples=SAMPLES,
        events=EVENTS,
        pairs=pairs.astype(np.int64),
        nested=np.broadcast_to(nested, number),
        groups=pairs[:, 0].astype(np.int64) if groups is None else groups,
        probabilities=table,
    )


def random_judgement(seed, pairs=400, patients=80):
    rng = np.random.default_rng(seed)
    table = rng.beta(2, 1, size=(5, pairs))
    table[-3] = 0.5
    table[-2] = rng.choice([0.0, 0.5, 1.0], pairs)
    return judgement(table, groups=rng.integers(patients, size=pairs))


def test_accuracy_counts_open_pairs_by_half():
    found = judgement([[0.9, 0.5, 0.2, 0.7]] + [[0.5] * 4] * 4)
    assert found.accuracy[0].mean == (1 + 0.5 + 0 + 1) / 4


def test_the_score_is_clipped():
    found = judgement([[1.0, 0.0, 0.5]] + [[0.5] * 3] * 4)
    assert found.score[0].mean == pytest.approx((np.log(0.99) + np.log(0.01) + np.log(0.5)) / 3)


def test_errors_are_those_of_resampled_patients():
    found = random_judgement(1)
    rng = np.random.default_rng(2)
    members = [np.flatnonzero(found.groups == each) for each in np.unique(found.groups)]
    scores = found.log_scores[0]
    means = []
    for _ in range(4000):
        drawn = np.concatenate([members[k] for k in rng.integers(len(members), size=len(members))])
        means.append(scores[drawn].mean())
    assert found.score[0].error == pytest.approx(np.std(means), rel=0.05)


def test_one_patient_gives_no_error():
    assert grouped_mean(np.array([0.1, 0.3]), np.array([4, 4])).error == np.inf


def test_the_table_tells_nested_pairs_from_others():
    found = judgement([[0.9, 0.2, 0.9, 0.5]] + [[0.5] * 4] * 4, nested=[1.0, 0.9, 0.3, 0.0])
    row = found.table().loc["one"]
    assert (row["accuracy, nested"], row["accuracy, others"], row["coverage"]) == (0.5, 0.75, 0.75)


def test_calibration_compares_what_was_stated_with_what_was_seen():
    found = judgement([[0.95, 0.05, 0.97, 0.5, 0.62]] + [[0.5] * 5] * 4)
    rows = found.calibration().loc["one"]
    assert rows.to_numpy().tolist() == [
        pytest.approx([0.6, 0.7, 1, 0.62, 1]),
        pytest.approx([0.9, 1.0, 3, (0.95 + 0.95 + 0.97) / 3, 2 / 3]),
    ]


def test_every_stated_pair_is_in_one_bin():
    found = random_judgement(3)
    rows = found.calibration()
    assert rows.loc["one", "pairs"].sum() == (~found.left_open[0]).sum()


class TestTheVerdict:
    RIGHT, WRONG, OPEN = [0.9] * 40, [0.1] * 40, [0.5] * 40
    GROUPS = np.arange(40)

    def kinds(self, *rows, **more):
        found = judgement(rows, groups=self.GROUPS, **more)
        return [fact.kind for fact in found.verdict], plain(order_sentence(found))

    def test_a_method_may_be_best_at_order_and_not_at_prediction(self):
        kinds, words = self.kinds(
            self.OPEN, self.RIGHT, self.OPEN, self.WRONG, self.OPEN, predicts_best="one"
        )
        assert kinds == ["orders best", "orders better than frequency", "another predicts best"]
        assert words == (
            "Two orders best: it finds which event came first in 100 % of 40 pairs seen in 40 "
            "held-out patients. It is right more often than to put the more frequent event first, "
            "by 100 ± 0 in a hundred pairs. One predicts genotypes best, which is another question."
        )

    def test_frequency_may_be_as_good(self):
        kinds, _ = self.kinds(self.RIGHT, self.OPEN, self.OPEN, self.RIGHT, self.OPEN)
        assert kinds == ["orders best", "orders no better than frequency"]

    def test_a_coin_may_be_as_good(self):
        kinds, words = self.kinds(self.OPEN, self.WRONG, self.OPEN, self.RIGHT, self.RIGHT)
        assert kinds == ["no order better than a coin", "strengths order better"]
        assert words.endswith("learnt from seen orders alone, does better: it is right in 100 %.")
        assert words.startswith(
            "No method orders the 40 pairs seen in 40 held-out patients clearly "
        )


def test_the_lines_show_all_methods_the_best_first():
    lines = order_lines(random_judgement(4))
    assert lines[2].startswith("Which of two events came first, as it was seen in 400 pairs")
    assert {line.split("  ")[0] for line in lines[5:10]} == {"one", "two", *BASELINES}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"methods": ("one", "two")}, "methods must be one or more, and then coin"),
        ({"methods": BASELINES}, "methods must be one or more, and then coin"),
        ({"probabilities": np.full((5, 2), 1.5)}, "probabilities must be probabilities"),
        ({"nested": [1.0]}, r"nested must have shape \(2,\)"),
        ({"pairs": np.zeros((0, 3))}, "must have shape|must be one or more"),
    ],
)
def test_what_does_not_fit_together_is_refused(change, message):
    from dataclasses import replace

    found = judgement([[0.5, 0.5]] * 5)
    with pytest.raises(ModelError, match=message):
        replace(found, **change)


def test_a_member_seen_without_the_first_of_its_composite_leaves_the_order_open():
    rows = [[1, 1, 1], [1, 1, 0], [1, 1, 0], [1, 1, 0], [0, 0, 0]]
    training, members = Dataset.from_rows(rows, "abc"), {"a and b": ("a", "b"), "c": ("c",)}
    model = MHN(penalty_strength=0.01).fit(composed(training, members)).predictive
    held_out = Dataset.from_rows([[0, 1, 1], [1, 1, 1]], "abc")
    predictor = Predictor.of(model, members, training)
    found = predictor.order_probabilities(held_out, np.array([[0, 1, 2], [1, 1, 2]]))
    said = model.order_probabilities(composed(held_out, members), np.array([[1, 0, 1]]))
    assert found.tolist() == [0.5, *said]
    assert said != 0.5
