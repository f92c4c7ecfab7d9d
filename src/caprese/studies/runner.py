"""Run a study, one file per condition, so that an interrupted study can be resumed."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from caprese._core.files import format_error, replacing
from caprese._core.progress import tell
from caprese.io.json.codec import encode, text
from caprese.plots.canvas.figures import write_figure
from caprese.studies.base import Condition, Row, Study

if TYPE_CHECKING:
    import pandas as pd


def run_study(study: Study, folder: str | Path, *, jobs: int | None = None) -> "pd.DataFrame":
    """Run the conditions that are not done yet; write the table, the settings and the figure.

    Finished conditions are stored in the folder ``cells``. A folder with a study of other settings
    is refused. By default there is a worker for each core.
    """
    import pandas as pd

    place = Path(folder)
    _claim(study, place)
    conditions = list(study.conditions())
    waiting = [condition for condition in conditions if not _path(place, condition).exists()]
    done = len(conditions) - len(waiting)
    tell("conditions", done, len(conditions))
    for _ in _finished(study, place, waiting, jobs):
        done += 1
        tell("conditions", done, len(conditions))
    rows = [
        row for condition in conditions for row in json.loads(_path(place, condition).read_text())
    ]
    table = pd.DataFrame(rows)
    with replacing(place / "table.csv") as file:
        table.to_csv(file, index=False)
    _draw(study, table, place)
    return table


def _claim(study: Study, place: Path) -> None:
    """Write the settings; refuse a folder with a study of other settings."""
    settings = {
        "study": type(study).__name__,
        "settings": encode(asdict(study)),
        "program": f"caprese {version('caprese')}",
    }
    path = place / "settings.json"
    place.mkdir(parents=True, exist_ok=True)
    if path.exists():
        found = json.loads(path.read_text())
        if found != json.loads(text(settings)):
            problem = "this folder contains a study with other settings; use another"
            raise format_error(path, problem)
    (place / "cells").mkdir(exist_ok=True)
    with replacing(path) as file:
        file.write(text(settings) + "\n")


def _finished(
    study: Study, place: Path, waiting: list[Condition], jobs: int | None
) -> Iterator[None]:
    from joblib import Parallel, delayed

    there = place.resolve()  # workers are reused, and their working directory may have changed
    yield from Parallel(n_jobs=jobs or -1, return_as="generator_unordered")(
        delayed(_run)(study, there, condition) for condition in waiting
    )


def _run(study: Study, place: Path, condition: Condition) -> None:
    rows: list[Row] = study.run(condition)
    with replacing(_path(place, condition)) as file:
        file.write(json.dumps(rows))


def _path(place: Path, condition: Condition) -> Path:
    name = sha256(json.dumps(dict(condition), sort_keys=True).encode()).hexdigest()[:16]
    return place / "cells" / f"{name}.json"


def _draw(study: Study, table: "pd.DataFrame", place: Path) -> None:
    import matplotlib as mpl

    with mpl.rc_context({"font.size": 9}):
        figure = study.draw(table)
        for suffix in ("png", "svg"):
            write_figure(figure, place / f"figure.{suffix}")
