"""The site of an atlas: an index and a report of each cohort, written whole or not at all."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from caprese._core.checks import seconds
from caprese._core.environment import worker_count
from caprese._core.files import MARK, FilePath, all_or_none, format_error, replace_file
from caprese._core.names import numbered
from caprese._core.progress import silent, tell
from caprese._core.workers import in_order
from caprese.atlas.cohort import Cohort, cohort_of
from caprese.atlas.page import Atlas, LeftOut, atlas_page
from caprese.errors import CapreseError, ParameterError, Remedy
from caprese.recipe.files import page_of_report, report_analysis
from caprese.recipe.loading import Curation, Source
from caprese.recipe.parts import Bootstrap, Judging, Outputs, Reporting
from caprese.recipe.recipe import Recipe
from caprese.recipe.results import begun, results

BUDGET = "20s"
"""How long the fits of the judgement of one cohort may take by default."""

_INDEX, _REPORTS = "index.html", "reports"
_ONCE_MORE = 1.2  # all samples beside five training parts
_BESIDE = 5.0  # seconds of one core that the rest of a report takes
_HEAD = 2**12  # bytes of a page that hold its mark
_SUFFIXES = re.compile(
    r"(\.(csv|tsv|txt|maf|xlsx|xlsm|parquet|rda|rdata|rds|zip|tar|tgz|gz|bz2|xz))+$", re.I
)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Made:
    """A cohort of an atlas, and its report as HTML."""

    cohort: Cohort
    page: str


def entries_of(folder: FilePath) -> list[str]:
    """Return the paths of what may be a cohort in a folder: each visible file or folder in it."""
    top = Path(folder)
    if not top.is_dir():
        problem = "this is a file" if top.exists() else "no such folder"
        raise format_error(folder, f"{problem}; expected a folder with a file or study per cohort")
    names = sorted(each for each in os.listdir(top) if not each.startswith((".", "__MACOSX")))
    if not names:
        raise format_error(folder, "this folder is empty; expected a file or study per cohort")
    return [str(top / name) for name in names]


def expected_seconds(cohorts: int, budget: float | str = BUDGET, jobs: int | None = None) -> float:
    """Return about how long an atlas takes if every cohort uses up its budget."""
    own = _ONCE_MORE * seconds("budget", budget) + _BESIDE
    return own * cohorts / min(worker_count(jobs), cohorts)


def write_atlas(
    cohorts: FilePath | Iterable[str | Source],
    path: FilePath,
    *,
    curation: Curation | None = None,
    budget: float | str = BUDGET,
    seed: int = 1,
    jobs: int | None = None,
    names: bool = True,
    title: str = "",
    force: bool = False,
) -> Atlas:
    """Write a static site about many cohorts: an index, and the report of each.

    What cannot be read is left out, and named in the index. Pages need no network, and the same
    cohorts give the same bytes, whatever the number of workers. All is computed before anything is
    written.

    Parameters
    ----------
    cohorts
        A folder, in which each file or folder is a cohort; or the cohorts, each a path, the name of
        embedded data, or a `Source`.
    path
        The folder of the site; an atlas that is there is replaced.
    curation
        How each cohort is curated, as a recipe has it.
    budget
        How long the fits of the judgement of each cohort may take on one core, as in `judge`.
    seed, jobs
        Of all random numbers; how many workers, by default as many as there are cores.
    names
        Whether reports name samples, and the index quotes from files; else samples have numbers.
    title
        The title of the index.
    force
        Whether to write into a folder that holds something else.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     atlas = write_atlas(["ovarian"], f"{folder}/site", budget=0.1)
    ...     sorted(each.name for each in Path(folder, "site").iterdir())
    ['index.html', 'reports']
    >>> atlas.table().set_index("event")["place"].round(2).nsmallest(2).to_dict()
    {'8q+': 0.16, '5q-': 0.37}
    """
    check_folder(path, force=force)
    asked: dict[str, Any] = {
        "curation": curation or Curation(),
        "judge": Judging(budget=budget if isinstance(budget, str) else f"{budget:g}s", seed=seed),
        "bootstrap": Bootstrap(seed=seed),
        "report": Reporting(names=names),
    }
    made = list(_all_made(list(_tasks(_sources(cohorts), path, asked)), jobs))
    found = [each for each in made if isinstance(each, Made)]
    left_out = tuple(each for each in made if isinstance(each, LeftOut))
    if not found:
        first = left_out[0]
        raise CapreseError(f"no cohort could be read; of {first.name}: {first.why}")
    atlas = Atlas(tuple(each.cohort for each in found), left_out)
    index = atlas_page(atlas if names else _without_reasons(atlas), title=title)
    pages = {each.cohort.report: each.page for each in found}
    _write(Path(path), {**pages, _INDEX: index})
    return atlas


def _sources(cohorts: FilePath | Iterable[str | Source]) -> list[Source]:
    if isinstance(cohorts, str | os.PathLike):
        cohorts = entries_of(cohorts)
    found = [each if isinstance(each, Source) else Source(os.fspath(each)) for each in cohorts]
    if not found:
        raise ParameterError("cohorts", "one or more", found)
    return found


def _tasks(
    sources: Sequence[Source], path: FilePath, asked: dict[str, Any]
) -> Iterator[tuple[Recipe, str, str]]:
    """Yield the recipe of each report, the name of the cohort, and the address of the report."""
    called = _names([source.title for source in sources])
    for source, name, file in zip(sources, called, _addresses(called), strict=True):
        outputs = Outputs(report=(str(Path(path, file)),))
        yield Recipe(source=source, outputs=outputs, **asked), name, file


def _without_reasons(atlas: Atlas) -> Atlas:
    """Return the atlas without reasons, which may quote what a file holds, such as names."""
    hidden = (replace(each, why="it could not be read") for each in atlas.left_out)
    return replace(atlas, left_out=tuple(hidden))


def check_folder(path: FilePath, *, force: bool = False) -> None:
    """Refuse a folder that holds anything but an atlas, before anything is computed."""
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise ParameterError("path", "a folder", str(path))
    if force or not folder.is_dir() or not any(folder.iterdir()) or _is_own(folder / _INDEX):
        return
    raise CapreseError(
        f"{path} exists and is not an atlas that caprese wrote",
        remedy=Remedy("force", True, "writes into it all the same"),
    )


def _is_own(page: Path) -> bool:
    with suppress(OSError), open(page, "rb") as file:
        return MARK.encode() in file.read(_HEAD)
    return False


def _names(titles: Sequence[str]) -> tuple[str, ...]:
    """Return the names of cohorts: those of their files, without suffixes where all then differ."""
    short = [_SUFFIXES.sub("", title) or title for title in titles]
    return numbered(short if len({*short}) == len(short) else titles)


def _addresses(names: Iterable[str]) -> list[str]:
    """Return where the report of each cohort is, from the index: names that need no escapes."""
    stems = [_UNSAFE.sub("-", name).strip("-.") or "cohort" for name in names]
    taken = numbered([stem.lower() for stem in stems])
    same = [stem if name == stem.lower() else name for stem, name in zip(stems, taken, strict=True)]
    return [f"{_REPORTS}/{name}.html" for name in same]


def _all_made(
    tasks: Sequence[tuple[Recipe, str, str]], jobs: int | None
) -> Iterator[Made | LeftOut]:
    for place, each in enumerate(in_order(_made, tasks, worker_count(jobs))):
        tell("cohorts", place + 1, len(tasks))
        yield each


def _made(recipe: Recipe, name: str, file: str) -> Made | LeftOut:
    """Return a cohort with its report, or why there is none."""
    try:
        with silent():
            found = results(begun(recipe))
            analysis = report_analysis(found, jobs=1)
            page = page_of_report(analysis, recipe)
    except CapreseError as error:
        return LeftOut(recipe.source.title, str(error))
    assert analysis.answer is not None  # the report leads with it
    shown = (recipe.report or Reporting()).names
    doubts = [str(note) for note in found.reading.doubts if shown]  # they may quote names
    return Made(cohort_of(name, file, analysis.data, analysis.answer, doubts), page)


def _write(folder: Path, pages: Mapping[str, str]) -> None:
    """Write pages in this order, which replace older ones when all are complete."""
    created = [each for each in (folder, folder / _REPORTS) if not each.exists()]
    try:
        (folder / _REPORTS).mkdir(parents=True, exist_ok=True)
        with all_or_none():
            for name, page in pages.items():
                replace_file(folder / name, page)
    except BaseException:
        for each in reversed(created):
            with suppress(OSError):
                each.rmdir()
        raise
    for each in sorted((folder / _REPORTS).glob("*.html")):
        if f"{_REPORTS}/{each.name}" not in pages and _is_own(each):
            each.unlink()
