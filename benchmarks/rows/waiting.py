"""What users wait for before and after the inference: imports, reading, reports.

Each function returns a `Section`.
"""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import large_tables
import numpy as np
from measure import Rival, Row, Section, cpu, in_turns, independent, simulated

from caprese import Dataset, read_dataset, write_dataset

DEMO = (
    ("bootstrap", "ovarian", "--replicates", "10000", "--no-table"),
    ("judge", "ovarian"),
    ("report", "ovarian", "--replicates", "10000", "-o", "report.html"),
)
FIRST = {
    "bootstrap": (("bootstrap", "ovarian"),),
    "compare": (("compare", "ovarian"),),
    "fit -m hcbn": (("fit", "ovarian", "-m", "hcbn"),),
    "report": (("report", "ovarian", "-o", "report.html"),),
    "the commands of make demo": DEMO,
}
WARM = {
    "import caprese": (None, "pass"),
    "bootstrap ovarian": ((("bootstrap", "ovarian"),), "import numpy"),
    "report ovarian": (
        (("report", "ovarian", "-o", "report.html"),),
        "import scipy.optimize, matplotlib.figure",
    ),
    "the commands of make demo": (DEMO, "import scipy.optimize, matplotlib.figure"),
}


def first_use_of_a_wheel(quick):
    """Measure the first commands after a wheel was installed, in an empty home, and the second."""
    rows = []
    with TemporaryDirectory() as folder:
        package = _installed_wheel(folder)
        for what, commands in list(FIRST.items())[: 1 if quick else None]:
            with TemporaryDirectory() as home:
                first, found = _commands(commands, home, package)
                second, _ = _commands(commands, home, package)
            rival = Rival(name="the second time", seconds=second)
            rows.append(Row(what=what, seconds=first, rival=rival, found=found))
    return Section(title="first use of a wheel, empty home", rows=tuple(rows))


def _installed_wheel(folder):
    """Return a folder with the package, installed from a wheel."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    tools = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    source, wheels, package = Path(__file__).parents[2], Path(folder, "wheels"), f"{folder}/package"
    build = (*pip, "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", wheels, source)
    subprocess.run(build, check=True, env=os.environ | {"PATH": tools})
    (wheel,) = wheels.iterdir()
    subprocess.run((*pip, "install", "--no-deps", "--target", package, wheel), check=True)
    return package


def warm_commands(quick):
    """Measure commands of an installed wheel, beside the imports that they cannot avoid."""
    rows = []
    with TemporaryDirectory() as folder:
        package = _installed_wheel(folder)
        for what, (commands, imports) in list(WARM.items())[: 2 if quick else None]:
            if commands is None:
                seconds, found = _alone(what, package), ""
            else:
                _commands(commands, folder, package)
                seconds, found = _commands(commands, folder, package)
            rival = Rival(name=imports, seconds=_alone(imports, package))
            rows.append(Row(what=what, seconds=seconds, rival=rival, found=found))
    return Section(title="commands, warm", rows=tuple(rows))


def _commands(commands, folder, path=""):
    """Run caprese, from a path if one is given, in a folder which is also the home.

    Returns the seconds of the processor; and in words those of the clock, and the peak.
    """
    code = "from caprese.cli import main; main(sys.argv[1:])"
    used = [_process(code, folder, *each, path=path) for each in commands]
    seconds, peaks, passed = zip(*used, strict=True)
    return sum(seconds), f"{sum(passed):.1f} s on the clock, peak {max(peaks):.2f} GB"


def _alone(code, path=""):
    with TemporaryDirectory() as folder:
        return min(_process(code, folder, path=path)[0] for _ in range(3))


def _process(code, folder, *arguments, path=""):
    """Return what code and its workers take: seconds of the processor, peak in GB, seconds."""
    others = sysconfig.get_path("purelib")
    search = os.pathsep.join((path, others)) if path else ""
    environment = os.environ | {"HOME": folder, "PYTHONPATH": search}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else all modules are compiled each time
    alone = ("-S",) if path else ()  # not the package of this clone, which is installed, too
    command = [sys.executable, *alone, "-c", large_tables.measured(code), *arguments]
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
        ),
        Row(
            what=f"from_frame, {size}",
            seconds=held,
            rival=Rival(name="pandas, the checks alone", seconds=checked),
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
        ),
        Row(
            what="digest of it",
            seconds=digest,
            rival=Rival(name="numpy, sorted columns as bits", seconds=packed),
        ),
    )


def _fit_of_file(path, samples, events):
    large_tables.write_csv(path, samples, events)
    seconds, peak = large_tables.in_new_process(large_tables.FIT, str(path))
    return Row(
        what=f"caprese fit, CSV of {samples:,} x {events}",
        seconds=seconds,
        found=f"peak {peak:.2f} GB",
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
    )
    return Section(title="report", rows=(row,))


SECTIONS = (first_use_of_a_wheel, warm_commands, reading, reports)
