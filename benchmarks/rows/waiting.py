"""What users wait for before and after the inference: compiling, imports, reading, reports.

Each function returns a `Section`.
"""

import json
import os
import subprocess
import sys
from compileall import compile_dir
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from time import perf_counter

import large_tables
import numpy as np
from measure import Rival, Row, Section, cpu, in_turns, independent, simulated

import caprese
from caprese import Dataset, read_dataset, write_dataset

DEMO = (
    ("bootstrap", "ovarian", "--replicates", "10000", "--no-table"),
    ("judge", "ovarian"),
    ("report", "ovarian", "--replicates", "10000", "-o", "report.html"),
)
SINCE = "without CAPRI, mhn, the posterior and held-out scores"
COLD = {
    "bootstrap": ((("bootstrap", "ovarian"),), "a third; was 4.0 s"),
    "compare": ((("compare", "ovarian"),), "a third; was 12.1 s"),
    "fit -m hcbn": ((("fit", "ovarian", "-m", "hcbn"),), "a third; was 15.5 s"),
    "report": (
        (("report", "ovarian", "-o", "report.html"),),
        f"a third; was 22.8 s, {SINCE}",
    ),
    "the commands of make demo": (DEMO, f"7 s; was 20.9, {SINCE}"),
    "compile, all methods": ((("compile",),), "nothing; make does it when it installs"),
}
WARM = {
    "bootstrap ovarian": ((("bootstrap", "ovarian"),), "import numba", "0.6 s; was 1.8"),
    "report ovarian": (
        (("report", "ovarian", "-o", "report.html"),),
        "import numba, scipy.optimize, matplotlib.figure",
        f"1.2 s; was 2.5, {SINCE}",
    ),
    "the commands of make demo": (
        DEMO,
        "import numba, scipy.optimize, matplotlib.figure",
        "7 s with an empty cache; but make compiles when it installs",
    ),
}
PREPARE = "from caprese.compilation import prepare_all; prepare_all()"
ONE_KERNEL = "from numba import njit; njit(lambda x: x + 1)(1)"


def first_use(quick):
    """Measure commands with an empty cache of kernels, beside the compilation of one function."""
    rows = _cold_rows(list(COLD)[: 1 if quick else None])
    return Section(title="first use, empty cache of kernels", rows=rows)


def first_use_of_a_wheel(quick):
    """Measure the same with the prepared kernels of a wheel."""
    with TemporaryDirectory() as folder:
        source, package = Path(caprese.__file__).parent, Path(folder, "caprese")
        copytree(source, package, ignore=ignore_patterns("__pycache__"))
        compile_dir(package, quiet=1)  # as pip does
        if not quick:
            _process(PREPARE, folder, path=folder)
        rows = () if quick else _cold_rows(COLD, path=folder)
    return Section(title="first use of a wheel, empty cache of kernels", rows=rows)


def _cold_rows(names, path=""):
    rival = Rival(name="numba, one function of one line", seconds=_alone(ONE_KERNEL))
    rows = []
    for what in names:
        commands, asked = COLD[what]
        with TemporaryDirectory() as folder:
            seconds, found = _commands(commands, folder, path)
        note = f"asked: {asked}"
        rows.append(Row(what=what, seconds=seconds, rival=rival, found=found, note=note))
    return tuple(rows)


def warm_commands(quick):
    """Measure commands whose kernels are cached, beside the imports that they cannot avoid."""
    rows = []
    for what, (commands, imports, asked) in list(WARM.items())[: 1 if quick else None]:
        with TemporaryDirectory() as folder:
            _commands(commands, folder)
            seconds, found = _commands(commands, folder)
        rival, note = Rival(name=imports, seconds=_alone(imports)), f"asked: {asked}"
        rows.append(Row(what=what, seconds=seconds, rival=rival, found=found, note=note))
    return Section(title="commands, warm", rows=tuple(rows))


def _commands(commands, folder, path=""):
    """Run caprese, from a path if one is given, with a cache of kernels in a folder.

    Returns the seconds of the processor; and in words those of the clock, and the peak.
    """
    code = "from caprese.cli import main; main(sys.argv[1:])"
    used = [_process(code, folder, *each, path=path) for each in commands]
    seconds, peaks, passed = zip(*used, strict=True)
    return sum(seconds), f"{sum(passed):.1f} s on the clock, peak {max(peaks):.2f} GB"


def _alone(code):
    with TemporaryDirectory() as folder:
        return min(_process(code, folder)[0] for _ in range(3))


def _process(code, folder, *arguments, path=""):
    """Return what code and its workers take: seconds of the processor, peak in GB, seconds."""
    kernels = str(Path(folder, "kernels"))
    environment = os.environ | {"NUMBA_CACHE_DIR": kernels, "PYTHONPATH": path}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else all modules are compiled each time
    command = [sys.executable, "-c", large_tables.measured(code), *arguments]
    remarks = Path(folder, "remarks.txt")
    started = perf_counter()
    with remarks.open("w") as errors:
        running = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=errors
        )
        _, status, used = os.wait4(running.pid, 0)
    passed = perf_counter() - started
    running.returncode = os.waitstatus_to_exitcode(status)  # it was waited for
    if running.returncode:
        raise RuntimeError(f"{code} {arguments}: {remarks.read_text()}")
    _, peak = json.loads(remarks.read_text().splitlines()[-1])
    return used.ru_utime + used.ru_stime, peak / 1e9, passed


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


def reports(quick):
    events, samples = (50, 200) if quick else (200, 1000)
    with TemporaryDirectory() as folder:
        write_dataset(simulated(events, samples), Path(folder, "data.csv"))
        command = ("report", "data.csv", "-o", "report.html")
        _commands((command,), folder)
        seconds, found = _commands((command,), folder)
    imports = WARM["report ovarian"][1]
    row = Row(
        what=f"{events} events x {samples}",
        seconds=seconds,
        rival=Rival(name=imports, seconds=_alone(imports)),
        found=found,
        note="asked: 4 s and 0.4 GB; was 14 s and 1 GB",
    )
    return Section(title="report", rows=(row,))


SECTIONS = (first_use, first_use_of_a_wheel, warm_commands, reading, reports)
