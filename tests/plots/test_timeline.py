import numpy as np
from matplotlib.figure import Figure

from caprese import plots
from caprese.patients.timeline import Timeline
from caprese.plots.timeline import timeline_plan
from rendered import pixels

FOUND = Timeline(("late", "early", "open"), np.array([[3, 1, 2], [3, 2, 1], [2, 1, 3], [3, 1, 2]]))


def test_rows_are_sorted_by_time_with_the_intervals_of_the_draws():
    plan = timeline_plan(FOUND)
    assert plan.names == ("early", "open", "late")
    assert plan.medians.tolist() == [1.0, 2.0, 3.0]
    expected = [np.quantile(FOUND.places[:, k], [0.25, 0.75]).tolist() for k in (1, 2, 0)]
    assert plan.intervals[0.5].tolist() == expected


def test_every_event_has_a_line_and_the_legend_says_what_bars_mean():
    texts = [text.get_text() for text in plots.timeline_figure(FOUND).axes[0].texts]
    assert texts[:3] == ["early", "open", "late"]
    assert texts[-3:] == ["median", "50 % of the orders", "90 % of the orders"]


def test_hostile_names_and_many_events_are_drawn():
    names = [f"$x{k}\n肿" for k in range(80)]
    rng = np.random.default_rng(1)
    places = np.array([rng.permutation(80) + 1 for _ in range(20)])
    axes = plots.draw_timeline(Figure().subplots(), Timeline(tuple(names), places))
    assert pixels(axes.figure).min() < 0.5
