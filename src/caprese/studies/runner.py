"""Run a study, one file per condition, so that an interrupted study can be resumed."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from caprese._core.environment import cores
from caprese._core.files import format_error, replace_file, replacing
from caprese._core.progress import tell
from caprese._core.workers import in_processes
from caprese.io.json.codec import encode, text
from caprese.plots.canvas.figures import write_figure
from caprese.studies.base import Condition, Row, Study, Table


def run_study(
    study: Study,
    folder: str | Path,
    *,
    jobs: int | None = None,
    told: Callable[[str], None] = lambda _remark: None,
) -> Table:
    """Run the conditions that are not done yet; write the table, the settings and the figure.

    Finished conditions are stored in the folder ``cells``; a damaged one is run again, and `told`
    is called with a remark on it. A folder with a study of other settings is refused. By default
    there is a worker for each core.
    """
    import pandas as pd

    place = Path(folder)
    _claim(study, place)
    conditions = list(study.conditions())
    waiting = [condition for condition in conditions if _stored(place, condition) is None]
    for damaged in (path for path in map(partial(_path, place), waiting) if path.exists()):
        told(f"{damaged} is damaged; its condition is run again")
    done = len(conditions) - len(waiting)
    tell("conditions", done, len(conditions))
    for number, _ in enumerate(_finished(study, place, waiting, jobs), start=done + 1):
        tell("conditions", number, len(conditions))
    rows = [row for condition in conditions for row in _stored(place, condition) or ()]
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
    if path.exists() and (found := _json(path)) != json.loads(text(settings)):
        damaged = "these settings of a study are damaged; use another folder"
        others = "this folder contains a study with other settings; use another"
        raise format_error(path, damaged if found is None else others)
    (place / "cells").mkdir(exist_ok=True)
    replace_file(path, text(settings) + "\n")


def _finished(
    study: Study, place: Path, waiting: list[Condition], jobs: int | None
) -> Iterator[None]:
    from joblib import delayed

    there = place.resolve()  # workers are reused, and their working directory may have changed
    tasks = (delayed(_run)(study, there, condition) for condition in waiting)
    yield from in_processes(tasks, jobs or cores(), ordered=False)


def _run(study: Study, place: Path, condition: Condition) -> None:
    replace_file(_path(place, condition), json.dumps(study.run(condition)))


def _stored(place: Path, condition: Condition) -> list[Row] | None:
    """Return the stored rows of a condition; None if there are none, or they are damaged."""
    rows = _json(_path(place, condition))
    wanted = condition.items()
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    whole = rows and all(wanted <= row.items() and row.keys() == rows[0].keys() for row in rows)
    return rows if whole else None


def _json(path: Path) -> Any:
    """Return the content of a file of this study; None if it cannot be read or is not JSON."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _path(place: Path, condition: Condition) -> Path:
    name = sha256(json.dumps(dict(condition), sort_keys=True).encode()).hexdigest()[:16]
    return place / "cells" / f"{name}.json"


def _draw(study: Study, table: Table, place: Path) -> None:
    import matplotlib as mpl

    with mpl.rc_context({"font.size": 9}):
        figure = study.draw(table)
        for suffix in ("png", "svg"):
            write_figure(figure, place / f"figure.{suffix}")
