"""The files of a study: in a folder, or in a zip or tar archive that is read unopened."""

import io
import os
import re
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import IO, Any

from caprese._core.budget import exceeded, share
from caprese._core.files import FilePath, Stored, format_error, over_budget, shown, unpacked
from caprese._core.words import listing, visible
from caprese.errors import CapreseError, Remedy
from caprese.io.data.reading import understood

MARKS = (
    *("meta_study.txt", "data_mutations*.txt*", "meta_mutations*.txt"),
    *("data_cna*.txt*", "data_CNA*.txt*", "meta_cna*.txt", "meta_CNA*.txt"),
)
"""Files that a folder has if it is that of a study."""

_ARCHIVE = re.compile(r".*\.(zip|tar|tgz|tbz2?|txz|tar\.(gz|bz2|xz))", re.IGNORECASE | re.DOTALL)
_PARTS = re.compile(r"(meta|data|cases|genomic_information|assay_information)[_.].*|.*\.maf")
_NEVER_READ = re.compile(r".*(expression|mrna|methylation|rppa|zscore|protein|_hg\d+\.seg).*")
_LONGEST = 500  # characters of an error of the library, which may hold thousands of wrong bytes
_DEEPEST = 3  # levels of folders above the files of a study
_TAR_SHARE = 4  # the part of the budget that files in a tar archive may take
_ANY_SIZE, _RATIO = 2**30, 2000  # a file in it has at most so many bytes, or times those of it


@dataclass(frozen=True)
class Folder:
    """The files of a study by their names within it, with ``/`` before those of a subfolder."""

    path: FilePath
    files: Mapping[str, FilePath]

    def matching(self, *patterns: str) -> list[FilePath]:
        """Return the files with such names, in alphabetical order."""
        names = (name for name in self.files if any(fnmatchcase(name, p) for p in patterns))
        return [self.files[name] for name in sorted(names)]


def is_archive(path: FilePath) -> bool:
    """Return whether a file is named like an archive."""
    return _ARCHIVE.fullmatch(os.fspath(path)) is not None and not Path(path).is_dir()


def studies_in(path: FilePath) -> dict[str, Folder]:
    """Return the studies in a folder or an archive, by the names of their folders."""
    files = _in_archive(path) if is_archive(path) else _in_folder(Path(path))
    tops = {
        str(PurePosixPath(name).parent)
        for name in files
        if any(fnmatchcase(PurePosixPath(name).name, mark) for mark in MARKS)
    }
    return {top: _below(path, files, top) for top in sorted(tops)}


def study_in(path: FilePath, study: str | None) -> Folder:
    """Return a study of a folder or an archive, the only one if no name is given."""
    if not is_archive(path) and not Path(path).is_dir():
        problem = "this is a file" if Path(path).exists() else "no such folder"
        expected = "the folder of a cBioPortal study, or a zip or tar archive with one"
        raise format_error(path, f"{problem}; expected {expected}")
    found = studies_in(path)
    if not found:
        if not is_archive(path):
            return Folder(path, _in_folder(Path(path)))
        expected = "meta_study.txt, data_mutations.txt or data_cna.txt in one of its folders"
        raise format_error(path, f"no study in this archive; expected {expected}")
    if study is None and "." in found:
        return found["."]
    if study is None and len(found) > 1:
        remedy = Remedy("study", next(iter(found)), "reads the first")
        raise format_error(path, f"{len(found)} studies ({listing(found)})", remedy=remedy)
    chosen = next(iter(found)) if study is None else study
    named = [name for name in found if chosen in (name, PurePosixPath(name).name)]
    if len(named) != 1:
        raise format_error(path, f"no study {shown(chosen)}; expected one of {listing(found)}")
    return found[named[0]]


def _below(path: FilePath, files: Mapping[str, FilePath], top: str) -> Folder:
    start = "" if top == "." else f"{top}/"
    named = {name.removeprefix(start): file for name, file in files.items()}
    inside = {name: file for name, file in named.items() if start + name in files}
    return Folder(path, inside)


def _in_folder(top: Path) -> dict[str, FilePath]:
    """Return the files of a folder and of its subfolders, those of a study only."""
    found: dict[str, FilePath] = {}
    for place, folders, names in os.walk(top):
        inner = Path(place).relative_to(top)
        folders[:] = sorted(each for each in folders if not _hidden(each))
        if len(inner.parts) == _DEEPEST:
            folders.clear()
        found |= {(inner / name).as_posix(): Path(place, name) for name in sorted(names)}
    return found


def _hidden(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"


def _in_archive(path: FilePath) -> dict[str, FilePath]:
    members = _zipped(path) if zipfile.is_zipfile(path) else _tarred(path)
    found: dict[str, FilePath] = {}
    for name, member in members:
        plain = place_in_archive(path, name)
        if plain.parts and not any(map(_hidden, plain.parts)):
            if str(plain) in found:
                raise format_error(path, f"two files are named {shown(name)}; expected one")
            found[str(plain)] = member
    return found


def place_in_archive(path: FilePath, name: str) -> PurePosixPath:
    """Return the place of a file in an archive; one that is outside of it is refused."""
    plain = PurePosixPath(name.replace("\\", "/"))
    if plain.is_absolute() or ".." in plain.parts or any(":" in part for part in plain.parts[:1]):
        raise format_error(path, f"{shown(name)} is outside of the archive; it is not read")
    return plain


def _zipped(path: FilePath) -> Iterator[tuple[str, Stored]]:
    with understood(path, "this zip archive is damaged"), zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
    for info in infos:
        if not info.filename.endswith("/"):  # it may be empty
            yield info.filename, _InZip(path, info)


def _tarred(path: FilePath) -> Iterator[tuple[str, Stored]]:
    """Read the files of a tar archive that a study can need: there is only one way through it."""
    left = share(_TAR_SHARE)
    try:
        with open(path, "rb") as source, tarfile.open(fileobj=unpacked(source), mode="r|") as tar:
            most = max(_ANY_SIZE, _RATIO * os.path.getsize(path))
            for info in tar:
                if info.size > most:  # the library would look for its end for hours
                    raise OSError(f"{shown(info.name)} cannot have {info.size:,} bytes")
                place = PurePosixPath(info.name)
                above = place.parent.name in ("case_lists", "gene_panels")
                name = place.name.lower()
                wanted = above or (_PARTS.match(name) and not _NEVER_READ.match(name))
                if not info.isreg() or not wanted:
                    continue
                left -= info.size
                if left < 0:
                    raise over_budget(path, "this archive is too large")
                content = tar.extractfile(info)
                yield info.name, _InTar(path, info.name, content.read() if content else b"")
    except FileNotFoundError as error:
        raise format_error(path, "no such file") from error
    except CapreseError:
        raise
    except Exception as error:  # the library does not document all that it raises
        raise format_error(
            path, f"this tar archive cannot be read ({visible(str(error), _LONGEST)})"
        ) from error


@dataclass(frozen=True)
class _InZip(Stored):
    """A file in a zip archive."""

    archive: FilePath
    info: zipfile.ZipInfo

    def __fspath__(self) -> str:
        return f"{os.fspath(self.archive)}/{self.info.filename}"

    def stream(self) -> IO[bytes]:
        """Return its content; it is never more than what the archive states."""
        if self.info.file_size > share(1):
            raise OSError(f"this file is too large: {exceeded()}")
        return io.BufferedReader(_Unzipped(self.archive, self.info))


@dataclass(frozen=True)
class _InTar(Stored):
    """A file that was read from a tar archive."""

    archive: FilePath
    name: str
    content: bytes = field(repr=False)

    def __fspath__(self) -> str:
        return f"{os.fspath(self.archive)}/{self.name}"

    def stream(self) -> IO[bytes]:
        """Return its content."""
        return io.BufferedReader(io.BytesIO(self.content))


class _Unzipped(io.RawIOBase):
    """The content of a file in a zip archive; an `OSError` if it is damaged."""

    def __init__(self, path: FilePath, info: zipfile.ZipInfo) -> None:
        try:
            self._archive = zipfile.ZipFile(path)
            self._content = self._archive.open(info)
        except Exception as error:  # the library does not document all that it raises
            why = visible(str(error), _LONGEST)
            raise OSError(f"this file in a zip archive cannot be read ({why})") from error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            content = self._content.read(len(buffer))
        except Exception as error:
            raise OSError(f"this file in a zip archive is damaged ({error})") from error
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        if not self.closed:
            self._content.close()
            self._archive.close()
        super().close()
