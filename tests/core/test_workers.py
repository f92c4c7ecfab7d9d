"""Workers are started only where they save time."""

import pytest

from caprese._core import workers
from caprese._core.workers import in_order


@pytest.mark.parametrize(
    ("each", "tasks", "alone"),
    [
        (1.0, 7, 7),  # after 4 seconds 3 are left
        (1.0, 8, 4),
        (1.0, 100, 4),
        (0.01, 799, 799),
        (9.0, 2, 1),
        (9.0, 1, 1),
    ],
)
def test_they_are_started_when_as_much_is_left_as_they_take_to_pay(monkeypatch, each, tasks, alone):
    """Every task takes as many seconds as the clock says."""
    clock, done = [0.0], []

    def task(number):
        clock[0] += each
        done.append(number)
        return number

    monkeypatch.setattr(workers.time, "process_time", lambda: clock[0])
    monkeypatch.setattr(workers, "in_processes", lambda rest, _jobs: (f[1][0] for f in rest))
    assert list(in_order(task, [(k,) for k in range(tasks)], 2)) == list(range(tasks))
    assert done == list(range(alone))


def test_one_worker_is_this_process(monkeypatch):
    monkeypatch.setattr(workers, "_ALONE", 0.0)
    done = []
    assert list(in_order(done.append, [(k,) for k in range(3)], 1)) == [None] * 3
    assert done == [0, 1, 2]
