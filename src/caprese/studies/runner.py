"""Run a study cell by cell, so that an interruption loses only the cells under way."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from caprese._core.files import replacing
from caprese._core.progress import tell
from caprese.errors import FormatError
from caprese.io.json.codec import encode, text
from caprese.plots.canvas.figures import write_figure
from caprese.studies.base import Cell, Row, Study

if TYPE_CHECKING:
    import pandas as pd


def run_study(
    study: Study,
    folder: str | Path,
    *,
    jobs: int | None = None,
) -> "pd.DataFrame":
    """Run what is not yet done, and write the table, the settings and the figure.

    Parameters
    ----------
    study
        The study with its settings.
    folder
        Where everything goes: ``table.csv``, ``settings.json``, ``figure.png``, ``figure.svg``, and
        the finished cells in ``cells``. A folder of other settings is refused.
    jobs
        How many workers; as many as there are cores if left out.
    """
    import pandas as pd

    place = Path(folder)
    _claim(study, place)
    cells = list(study.cells())
    waiting = [cell for cell in cells if not _path(place, cell).exists()]
    done = len(cells) - len(waiting)
    tell("conditions", done, len(cells))
    for _ in _finished(study, place, waiting, jobs):
        done += 1
        tell("conditions", done, len(cells))
    rows = [row for cell in cells for row in json.loads(_path(place, cell).read_text())]
    table = pd.DataFrame(rows)
    with replacing(place / "table.csv") as file:
        table.to_csv(file, index=False)
    _draw(study, table, place)
    return table


def _claim(study: Study, place: Path) -> None:
    """Write the settings; refuse a folder that holds a study with others."""
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
            raise FormatError(f"{path}: this folder holds a study with other settings; use another")
    (place / "cells").mkdir(exist_ok=True)
    with replacing(path) as file:
        file.write(text(settings) + "\n")


def _finished(study: Study, place: Path, waiting: list[Cell], jobs: int | None) -> Iterator[None]:
    from joblib import Parallel, delayed

    there = place.resolve()  # workers are used again, and may stand in a folder left since
    yield from Parallel(n_jobs=jobs or -1, return_as="generator_unordered")(
        delayed(_run)(study, there, cell) for cell in waiting
    )


def _run(study: Study, place: Path, cell: Cell) -> None:
    rows: list[Row] = study.run(cell)
    with replacing(_path(place, cell)) as file:
        file.write(json.dumps(rows))


def _path(place: Path, cell: Cell) -> Path:
    name = sha256(json.dumps(dict(cell), sort_keys=True).encode()).hexdigest()[:16]
    return place / "cells" / f"{name}.json"


def _draw(study: Study, table: "pd.DataFrame", place: Path) -> None:
    import matplotlib as mpl

    with mpl.rc_context({"font.size": 9}):
        figure = study.draw(table)
        for ending in ("png", "svg"):
            write_figure(figure, place / f"figure.{ending}")
