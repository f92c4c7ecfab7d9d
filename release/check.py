"""Check what would be published, on one machine: `make release-check`.

Builds the source distribution, and the wheel from it; checks metadata, contents, sizes, versions
and links; installs each in an empty environment, and runs the demo, the README and the quick tests
there, in a folder outside the clone. Needs a network for pip, a C compiler and git, and some
minutes. Only what is committed is checked.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from version import ROOT, version

MOST_MEGABYTES = {"wheel": 10, "source distribution": 15}
TOOLS = ("build", "check-wheel-contents", "twine")
EXTRAS = "app,clinical,dask,excel,parquet,r,dev"
DEMO = (
    ("--version",),
    ("bootstrap", "ovarian", "--replicates", "10000", "--no-table"),
    ("report", "ovarian", "--budget", "10s", "--replicates", "1000", "-o", "report.html"),
)


class NotReadyError(Exception):
    """What is not as it must be, in one line."""


@contextmanager
def step(what: str) -> Iterator[list[str]]:
    """Print what is done, and what came of it: the list that the block fills."""
    began, found = time.monotonic(), []
    print(f"      {what} ...", flush=True)
    yield found
    said = "".join(f": {each}" for each in found)
    print(f"ok    {what}{said} ({time.monotonic() - began:.0f} s)", flush=True)


def run(*command: object, cwd: Path) -> str:
    """Run a command outside any environment, and return what it printed; refuse if it fails."""
    environment = {key: value for key, value in os.environ.items() if key not in _OURS}
    words = [str(each) for each in command]
    done = subprocess.run(
        words, check=False, cwd=cwd, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise NotReadyError(f"{' '.join(words)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


_OURS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "MAKEFLAGS", "MAKELEVEL")


def environment(folder: Path, *packages: str) -> Path:
    """Return the programs of a new environment with these packages."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "--quiet", *packages, cwd=folder)
    return programs


def built(tools: Path, folder: Path) -> tuple[Path, Path]:
    """Build the source distribution of the last commit, and the wheel from it."""
    run(tools / "python", "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


def check_contents(source: Path, wheel: Path) -> str:
    """Refuse distributions that are too large, or hold too much or too little."""
    with tarfile.open(source) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"pyproject.toml", "meson.build", "LICENSE", "README.md", "release/version.py"}
    if missing := needed - held:
        raise NotReadyError(f"{source.name} lacks {', '.join(sorted(missing))}")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    others = [name for name in names if not name.startswith(("caprese/", "caprese-"))]
    byte_code = [name for name in names if name.endswith((".pyc", ".o", ".pyx.c", ".py.c"))]
    if others or byte_code:
        raise NotReadyError(f"{wheel.name} holds {', '.join([*others, *byte_code][:5])}")
    for name in ("caprese/py.typed", "caprese/__init__.pyi"):
        if name not in names:
            raise NotReadyError(f"{wheel.name} lacks {name}")
    sizes = {"wheel": wheel, "source distribution": source}
    for what, path in sizes.items():
        if path.stat().st_size > MOST_MEGABYTES[what] * 1e6:
            raise NotReadyError(
                f"{path.name} has {_megabytes(path)}, of at most {MOST_MEGABYTES[what]}"
            )
    return ", ".join(f"{path.name} {_megabytes(path)}" for path in sizes.values())


def _megabytes(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


def check_versions(source: Path) -> str:
    """Refuse a distribution whose version is not that of the changelog and the citation."""
    found = source.name.removesuffix(".tar.gz").partition("-")[2]
    release = found.partition(".dev")[0]
    stated = {
        "release/version.py": version(),
        "CHANGELOG.md": _first(r"^## (\S+)", "CHANGELOG.md"),
        "CITATION.cff": _first(r"^version: (\S+)", "CITATION.cff"),
    }
    for name, own in stated.items():
        if own not in (found, release):
            raise NotReadyError(f"{name} says {own}, and the distribution {found}")
    if ".dev" in found:
        return f"{found}, as there is no tag v{release} at this commit"
    return found


def _first(pattern: str, name: str) -> str:
    return re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)[1]


def exported(folder: Path) -> Path:
    """Copy all that is committed but for the sources, and return the folder."""
    packed = folder.with_suffix(".tar")
    run("git", "archive", "--output", packed, "HEAD", cwd=ROOT)
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    shutil.rmtree(folder / "src")
    return folder


def demonstrate(programs: Path, folder: Path) -> str:
    """Run the demo in a folder, and return the version that was run."""
    printed = [run(programs / "caprese", *words, cwd=folder) for words in DEMO]
    if not (folder / "report.html").stat().st_size:
        raise NotReadyError("the report of the demo is empty")
    return printed[0].strip()


def tested(programs: Path, folder: Path, *chosen: str) -> str:
    """Run tests in a folder outside the clone, and return how many passed."""
    where = run(programs / "python", "-c", "import caprese; print(caprese.__file__)", cwd=folder)
    if programs.parent not in Path(where.strip()).parents:
        raise NotReadyError(f"the tests would import {where.strip()}")
    # Only the folders given are collected: there is no src here.
    printed = run(programs / "python", "-m", "pytest", "-q", "-n", "2", *chosen, cwd=folder)
    return printed.strip().splitlines()[-1]


def check(folder: Path) -> None:
    """Do everything; `NotReadyError` says what is wrong."""
    dist = folder / "dist"
    dist.mkdir()
    with step("tools"):
        tools = environment(folder / "tools", *TOOLS)
    with step("source distribution, and the wheel from it") as found:
        source, wheel = built(tools, dist)
        found.append(f"{source.name}, {wheel.name}")
    with step("metadata (twine check --strict)"):
        run(tools / "twine", "check", "--strict", source, wheel, cwd=dist)
    with step("contents and sizes") as found:
        run(tools / "check-wheel-contents", "--ignore", "W004", wheel, cwd=dist)
        found.append(check_contents(source, wheel))
    with step("versions") as found:
        found.append(check_versions(source))
    with step("wheel in an empty environment, demo in an empty folder") as found:
        alone = environment(folder / "wheel", str(wheel))
        (folder / "demo").mkdir()
        found.append(demonstrate(alone, folder / "demo"))
    with step("source distribution in an empty environment, demo in an empty folder") as found:
        compiled = environment(folder / "source", str(source))
        (folder / "compiled").mkdir()
        found.append(demonstrate(compiled, folder / "compiled"))
    with step("wheel with the tools of the tests"):
        programs = environment(folder / "tested", f"{wheel}[{EXTRAS}]")
    outside = exported(folder / "outside")
    with step("README and links of all pages, outside the clone") as found:
        found.append(tested(programs, outside, "README.md"))
        chosen = "README or link"
        found.append(tested(programs, outside, "tests/test_documentation.py", "-k", chosen))
    with step("quick tests, outside the clone") as found:
        quick = ("-m", "not slow", "--hypothesis-profile=quick", "tests")
        found.append(tested(programs, outside, *quick))
    with step("fits of the two levels of processors in the wheel"):
        tested(programs, outside, "tests/kernels/test_processors.py")


def main() -> None:
    """Check, in a folder that is kept if one is named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--keep", type=Path, help="an empty folder for all that is built")
    kept = parser.parse_args().keep
    changed = run("git", "status", "--porcelain", cwd=ROOT).splitlines()
    if changed:
        print(f"note  {len(changed)} files are changed and not committed: they are not checked")
    try:
        if kept is not None:
            kept.mkdir(parents=True, exist_ok=True)
            check(kept.resolve())
        else:
            with TemporaryDirectory(prefix="caprese-release-") as folder:
                check(Path(folder))
    except NotReadyError as failure:
        sys.exit(f"WRONG {failure}")
    print("release-check: all is well")


if __name__ == "__main__":
    main()
