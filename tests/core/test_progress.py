"""Progress reports reach the listener that is set, and nobody else."""

from caprese._core.progress import listening, progress_bars, silent, tell


def test_reports_reach_the_innermost_listener():
    outer, inner = [], []
    with listening(lambda *report: outer.append(report)):
        tell("replicates", 1, 4)
        with listening(lambda *report: inner.append(report)):
            tell("replicates", 2, 4)
        tell("replicates", 3, 4)
    tell("replicates", 4, 4)
    assert outer == [("replicates", 1, 4), ("replicates", 3, 4)]
    assert inner == [("replicates", 2, 4)]


def test_a_listener_is_removed_after_an_error():
    reports = []
    try:
        with listening(lambda *report: reports.append(report)):
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        tell("replicates", 1, 4)
    assert reports == []


def test_silent_work_is_not_reported():
    reports = []
    with listening(lambda *report: reports.append(report)), silent():
        tell("replicates", 1, 4)
    assert reports == []


def test_nothing_is_shown_where_there_is_no_terminal(capsys):
    with progress_bars():
        tell("replicates", 1, 4)
    assert capsys.readouterr() == ("", "")
