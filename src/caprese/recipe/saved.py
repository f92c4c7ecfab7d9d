"""A saved analysis: a recipe and the files that it reads, in one zip archive."""

import io
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from caprese._core.budget import share
from caprese._core.files import (
    FilePath,
    all_or_none,
    format_error,
    over_budget,
    replace_file,
    shown,
)
from caprese._core.words import listing
from caprese.data.datasets import EMBEDDED
from caprese.errors import CapreseError
from caprese.io.data.folders import place_in_archive
from caprese.io.data.patients import IN_NAMES, NONE
from caprese.io.data.reading import understood
from caprese.methods import METHODS
from caprese.recipe.parts import Judging, Placing, Reporting, split_column
from caprese.recipe.recipe import Recipe
from caprese.recipe.toml import read_recipe, recipe_text
from caprese.recipe.words import RECIPE

ANALYSIS = "analysis.zip"

_MOST_FILES = 300
_PER_BYTE = 16  # bytes of memory that reading a byte may take
_DATE = (1980, 1, 1, 0, 0, 0)  # of all files, so that the same analysis gives the same bytes

_Place = Callable[[str], str]


def write_analysis(recipe: Recipe, path: FilePath) -> None:
    """Write a recipe and the files that it reads to a zip archive, for `caprese run` and the page.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from caprese import Recipe
    >>> from caprese.recipe.loading import Source
    >>> with TemporaryDirectory() as folder:
    ...     write_analysis(Recipe(source=Source("ovarian")), f"{folder}/analysis.zip")
    ...     unpack_analysis(f"{folder}/analysis.zip", f"{folder}/analysis").source.name
    'ovarian'
    """
    if named := recipe.source.options_of_paths():
        raise CapreseError(f"{listing(named)}: files that options name cannot be saved with it")
    packed: dict[str, Path] = {}

    def place(file: str) -> str:
        given = Path(recipe.folder, file)
        if not given.exists():
            raise format_error(given, "no such file or folder; it cannot be saved with the recipe")
        return _named(_packed(packed, given))

    text = recipe_text(replace(_moved(recipe, place), folder=""))
    files = [(name, file) for name, top in packed.items() for file in _files(top)]
    if sum(file.stat().st_size for _, file in files) > share(_PER_BYTE):
        raise over_budget(path, "the files of this analysis are too large to be saved with it")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, RECIPE, text.encode())
        for name, file in files:
            inner = file.relative_to(packed[name])
            _add(archive, (PurePosixPath(name) / inner.as_posix()).as_posix(), file.read_bytes())
    replace_file(path, content.getvalue())


def is_zip(path: FilePath) -> bool:
    """Whether a file is a zip archive, such as a saved analysis."""
    return os.path.isfile(path) and zipfile.is_zipfile(path)


def is_saved(path: FilePath) -> bool:
    """Whether a file is a saved analysis."""
    if not is_zip(path):
        return False
    with understood(path, "this zip archive is damaged"), zipfile.ZipFile(path) as archive:
        return RECIPE in archive.namelist()


def unpack_analysis(path: FilePath, folder: FilePath) -> Recipe:
    """Unpack a saved analysis into a folder, and return its recipe, which reads nothing else.

    Files that are there with the same content stay; others are not overwritten.

    Raises
    ------
    FormatError
        If the archive is damaged, too large or no saved analysis, or its recipe names other files.
    """
    with understood(path, "this zip archive is damaged"), zipfile.ZipFile(path) as archive:
        infos = [each for each in archive.infolist() if not each.is_dir()]
        if len(infos) > _MOST_FILES:
            raise format_error(path, f"more than {_MOST_FILES} files, expected a saved analysis")
        if sum(each.file_size for each in infos) > share(_PER_BYTE):
            raise over_budget(path, "the files of this analysis are too large")
        names = [str(place_in_archive(path, each.filename)) for each in infos]
        if RECIPE not in names:
            raise format_error(path, f"no {RECIPE} in it, expected a saved analysis")
        with all_or_none():
            for name, info in zip(names, infos, strict=True):
                _unpack(path, Path(folder, name), archive.read(info))
    recipe = read_recipe(Path(folder, RECIPE))
    _check(path, recipe, Path(folder), {*names, *(name.partition("/")[0] for name in names)})
    return recipe


def _unpack(path: FilePath, target: Path, content: bytes) -> None:
    if target.exists():
        if target.is_file() and target.read_bytes() == content:
            return
        raise format_error(path, f"{target} is there with other content; move it away first")
    target.parent.mkdir(parents=True, exist_ok=True)
    replace_file(target, content)


def _check(path: FilePath, recipe: Recipe, folder: Path, names: set[str]) -> None:
    """Refuse a recipe that reads or writes outside of the folder of the analysis."""

    def inside(file: str) -> str:
        if str(PurePosixPath(file)) not in names:
            raise format_error(path, f"its recipe names {shown(file)}, which is not in the archive")
        return file

    if recipe.folder:
        raise format_error(path, f"its recipe names the folder {shown(recipe.folder)}")
    moved = _moved(recipe, inside)
    if moved.source.options:
        here = replace(moved.source, name=_named(str(folder / moved.source.name)))
        source = moved.source if moved.source.name in EMBEDDED else here
        if named := source.options_of_paths():
            raise format_error(path, f"its recipe has the option {named[0]}, which names a file")
    for _, file in recipe.outputs.files():
        if Path(file).name != file:
            raise format_error(path, f"its recipe writes {shown(file)}, outside of its folder")


def _moved(recipe: Recipe, place: _Place) -> Recipe:
    """Return a recipe with other places of the files that it reads."""
    source = recipe.source

    def column(text: str) -> str:
        if text in (IN_NAMES, NONE):
            return text
        file, title = split_column(text)
        return place(file) if title is None else f"{place(file)}:{title}"

    source = replace(
        source,
        name=source.name if source.name in EMBEDDED else place(source.name),
        orders=source.orders and place(source.orders),
        patients=source.patients and column(source.patients),
        sampled_at=tuple(map(column, source.sampled_at)),
        sites=source.sites and column(source.sites),
        isolates=source.isolates and place(source.isolates),
    )
    judge, patients, report = recipe.judge, recipe.patients, recipe.report
    return replace(
        recipe,
        source=source,
        judge=judge and _with_methods(judge, place),
        patients=patients and _with_tables(patients, place, "annotation"),
        report=report
        and replace(
            _with_tables(report, place, "annotation", "clinical"),
            groups=report.groups and column(report.groups),
        ),
    )


def _with_methods(judge: Judging, place: _Place) -> Judging:
    named = (text.partition(":")[0] in METHODS for text in judge.methods)
    texts = zip(judge.methods, named, strict=True)
    return replace(judge, methods=tuple(text if name else place(text) for text, name in texts))


def _with_tables(part: Placing | Reporting, place: _Place, *names: str) -> Any:
    given = {name: getattr(part, name) for name in names}
    moved: dict[str, Any] = {name: file and place(file) for name, file in given.items()}
    return replace(part, **moved)


def _packed(packed: dict[str, Path], file: Path) -> str:
    """Return the name of a file or folder in the archive; two of the same name get a number."""
    for name, other in packed.items():
        if other.resolve() == file.resolve():
            return name
    plain = file.resolve().name
    name, number = plain, 1
    while name in packed or name == RECIPE:
        number += 1
        name = f"{number}-{plain}"
    packed[name] = file
    return name


def _named(name: str) -> str:
    """Return the name of a file so that it is not taken for embedded data or an option."""
    return name if "." in name and name[0] != "-" else f"./{name}"


def _files(top: Path) -> Iterator[Path]:
    if not top.is_dir():
        yield top
        return
    for file in sorted(top.rglob("*")):
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(top).parts):
            yield file


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, content)
