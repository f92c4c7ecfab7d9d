import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from caprese import Caprese, Dataset, ModelError, datasets, plots
from caprese.plots.canvas.palette import AMBER, BLUE, PALE
from caprese.plots.oncoprint import oncoprint_plan
from rendered import LONG, outside, overlapping, pixels, texts

DATA = Dataset.from_rows([[0, 1], [1, 1], [0, None], [0, 0]], events=["Xp-", "8q+"], samples="pqrs")


def large(samples=10_000, events=60):
    rng = np.random.default_rng(3)
    values = rng.random((samples, events)) < np.linspace(0.6, 0.02, events)
    names = tuple(LONG.format(event) for event in range(events))
    return Dataset(values, names, (), rng.random((samples, events)) > 0.05)


class TestEvents:
    def test_a_model_sorts_them_branch_by_branch(self):
        data = datasets.ovarian()
        plan = oncoprint_plan(data, model=Caprese().fit(data).model)
        assert plan.names == ("8q+", "3q+", "8p-", "Xp-", "5q-", "4q-", "1q+")

    def test_a_model_of_other_events_is_refused(self):
        with pytest.raises(ModelError, match="same events; '1q\\+' is in one only"):
            oncoprint_plan(DATA, model=Caprese().fit(datasets.ovarian()).model)


class TestCells:
    def test_present_unknown_and_absent_have_different_colours(self):
        plan = oncoprint_plan(DATA)
        present, unknown, absent = map(to_rgb, (BLUE, AMBER, PALE))
        assert plan.names == ("8q+", "Xp-")
        assert plan.samples.tolist() == [1, 0, 2, 3]
        assert plan.cells.tolist() == [
            [list(colour) for colour in (present, present, unknown, absent)],
            [list(colour) for colour in (present, absent, absent, absent)],
        ]

    def test_unknown_differs_from_absent_and_present_in_grey(self):
        light = sorted(sum(to_rgb(colour)) / 3 for colour in (BLUE, AMBER, PALE))
        assert np.diff(light).min() > 0.15

    def test_the_legend_has_unknown_only_if_it_occurs(self):
        complete = DATA.take_samples([0, 1])
        drawn = [
            {text.get_text() for text in texts(plots.oncoprint_figure(data))}
            for data in (DATA, complete)
        ]
        assert "unknown" in drawn[0]
        assert "unknown" not in drawn[1]

    def test_many_samples_share_columns_without_a_change_of_the_mean_colour(self):
        data = large(10_000, 3)
        plan = oncoprint_plan(data)
        assert plan.cells.shape[1] < 1000
        red = [to_rgb(colour)[0] for colour in (PALE, AMBER, BLUE)]
        unknown = 1 - data.known.mean(axis=0)
        present = data.values.mean(axis=0)
        absent = 1 - present - unknown
        expected = absent * red[0] + unknown * red[1] + present * red[2]
        assert plan.cells[..., 0].mean(axis=1) == pytest.approx(expected, abs=2e-3)


class TestAnnotation:
    def test_each_sample_has_the_colour_of_its_category(self):
        plan = oncoprint_plan(DATA, annotation={"p": "I", "q": "II", "r": "I"})
        q, p, r, s = plan.track[0].tolist()
        assert p == r
        assert len({tuple(each) for each in (p, q, s)}) == 3

    def test_the_legend_lists_the_categories_and_the_samples_without_one(self):
        plan = oncoprint_plan(DATA, annotation={"p": "II", "q": "I"})
        _, categories = plan.legend.lines
        assert [entry.meaning for entry in categories] == ["I", "II", "not given"]

    def test_rare_categories_share_a_colour(self):
        data = Dataset.from_rows(np.eye(26), events="abcdefghijklmnopqrstuvwxyz")
        kinds = dict(zip(data.samples, "abcdefghijklmnopqrstuvwxyz", strict=True))
        figure = plots.oncoprint_figure(data, annotation=kinds, title="kind")
        assert "other" in {text.get_text() for text in texts(figure)}
        assert overlapping(figure) == []

    def test_hostile_categories_are_drawn(self):
        figure = plots.oncoprint_figure(
            DATA, annotation={"p": "$x", "q": "肿瘤" * 500}, title="$\\frac{1}{0}$\n"
        )
        assert pixels(figure).min() < 0.5
        assert overlapping(figure) == []
        assert outside(figure) == []


@pytest.mark.slow
@pytest.mark.parametrize("data", [DATA, datasets.ovarian(), large(300)], ids=["4", "87", "300"])
def test_nothing_overlaps_and_nothing_is_outside(data):
    figure = plots.oncoprint_figure(data)
    assert overlapping(figure) == []
    assert outside(figure) == []


def test_ten_thousand_samples_are_one_image():
    (axes,) = plots.oncoprint_figure(large()).axes
    assert len(axes.images) == 1
    assert len(axes.patches) + len(axes.lines) + len(axes.texts) < 400


def test_drawing_returns_its_axes():
    axes = Figure().subplots()
    assert plots.draw_oncoprint(axes, DATA) is axes
