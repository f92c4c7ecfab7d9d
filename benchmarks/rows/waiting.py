"""What users wait for before and after the inference: compiling, imports, reading, reports.

Each function returns a `Section`. Those that nobody has measured yet have no seconds.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import large_tables
import numpy as np
from measure import Rival, Row, Section, cpu, in_turns, independent

from caprese import Dataset, read_dataset


def first_use(_quick):
    asked = {"demo": "asked: 7 s; was 20.9", "report": "asked: a third; was 22.8 s"}
    return _open("first use, empty cache of kernels", asked)


def warm_commands(_quick):
    asked = {
        "bootstrap ovarian": "asked: 0.6 s; was 1.8",
        "report ovarian": "asked: 1.2 s; was 2.5",
    }
    return _open("commands, warm", asked)


def reading(quick):
    with TemporaryDirectory() as folder:
        frames = _frames(Path(folder, "data.parquet"), 100_000, 200)
        text = _text(Path(folder, "data.csv"), 100_000 if quick else 1_000_000, 200)
        largest = () if quick else (_fit_of_file(Path(folder, "large.csv"), 1_000_000, 1000),)
    return Section(title="reading", rows=(*frames, *text, *largest))


def _frames(path, samples, events):
    import pandas as pd

    data = independent(events, samples)
    frame = pd.DataFrame(data.values.astype(np.int8), columns=list(data.events))
    frame.to_parquet(path)
    ours, theirs = in_turns(lambda: read_dataset(path), lambda: pd.read_parquet(path))
    held, checked = in_turns(
        lambda: Dataset.from_frame(frame),
        lambda: (frame.isin([0, 1]) | frame.isna()).to_numpy().all(),
    )
    size = f"{samples:,} x {events}"
    return (
        Row(
            what=f"Parquet, {size}",
            seconds=ours,
            rival=Rival(name="pandas.read_parquet", seconds=theirs),
            note="asked: 0.5 s; was 12.5",
        ),
        Row(
            what=f"from_frame, {size}",
            seconds=held,
            rival=Rival(name="pandas, the checks alone", seconds=checked),
            note="asked: 0.5 s; was 12.5",
        ),
    )


def _text(path, samples, events):
    import pandas as pd

    large_tables.write_csv(path, samples, events)
    ours, theirs = in_turns(
        lambda: read_dataset(path), lambda: pd.read_csv(path, index_col=0), repeats=1
    )
    _, peak = large_tables.in_new_process(large_tables.READ, str(path))
    data = read_dataset(path)
    values, order = data.values, np.argsort(data.events)
    digest, packed = cpu(lambda: data.digest), cpu(lambda: np.packbits(values[:, order], axis=1))
    return (
        Row(
            what=f"CSV, {samples:,} x {events}",
            seconds=ours,
            rival=Rival(name="pandas.read_csv", seconds=theirs),
            found=f"peak {peak:.2f} GB",
            note="asked: 3 s and 0.7 GB; was 15.6 s and 1.5 GB",
        ),
        Row(
            what="digest of it",
            seconds=digest,
            rival=Rival(name="numpy, sorted columns as bits", seconds=packed),
            note="asked: 1 s; was 9.4",
        ),
    )


def _fit_of_file(path, samples, events):
    large_tables.write_csv(path, samples, events)
    seconds, peak = large_tables.in_new_process(large_tables.FIT, str(path))
    return Row(
        what=f"caprese fit, CSV of {samples:,} x {events}",
        seconds=seconds,
        found=f"peak {peak:.2f} GB",
        note="asked: 30 s and 2 GB; was 120 s and 8.3 GB",
    )


def reports(_quick):
    return _open("report", {"200 events": "asked: 4 s and 0.4 GB; was 14 s and 1 GB"})


def _open(title, asked):
    rows = tuple(Row(what=what, seconds=None, note=note) for what, note in asked.items())
    return Section(title=title, rows=rows)


SECTIONS = (first_use, warm_commands, reading, reports)
