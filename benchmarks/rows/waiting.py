"""What users wait for before and after the inference: compiling, imports, reading, reports.

Each function returns a `Section`. Those that nobody has measured yet have no seconds.
"""

from measure import Row, Section


def first_use(_quick):
    asked = {"demo": "asked: 7 s; was 20.9", "report": "asked: a third; was 22.8 s"}
    return _open("first use, empty cache of kernels", asked)


def warm_commands(_quick):
    asked = {
        "bootstrap ovarian": "asked: 0.6 s; was 1.8",
        "report ovarian": "asked: 1.2 s; was 2.5",
    }
    return _open("commands, warm", asked)


def reading(_quick):
    asked = {
        "Parquet, 100,000 x 200": "asked: 0.5 s; was 12.5",
        "CSV, 1,000,000 x 200": "asked: 3 s and 0.7 GB; was 15.6 s and 1.5 GB",
        "digest of it": "asked: 1 s; was 9.4",
        "fit of 1,000,000 x 1000": "asked: 30 s and 2 GB; was 120 s and 8.3 GB",
    }
    return _open("reading", asked)


def reports(_quick):
    return _open("report", {"200 events": "asked: 4 s and 0.4 GB; was 14 s and 1 GB"})


def _open(title, asked):
    rows = tuple(Row(what=what, seconds=None, note=note) for what, note in asked.items())
    return Section(title=title, rows=rows)


SECTIONS = (first_use, warm_commands, reading, reports)
