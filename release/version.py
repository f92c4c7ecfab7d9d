#!/usr/bin/env python3
"""Print the version, as meson takes it: that of the tag ``v1.2.3``, or one between two tags.

Within a source distribution it is that of the distribution; in a clone without a tag, and in a
folder without git, a version before the first one.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIRST = "0.1.0"
_DESCRIBED = re.compile(r"v(\d+)\.(\d+)\.(\d+)-(\d+)-g[0-9a-f]+")


def version_in(described: str) -> str:
    """Return the version of what ``git describe --tags --long`` says; empty if there is no tag.

    Commits after a tag lead to the next patch release.
    """
    found = _DESCRIBED.fullmatch(described)
    if found is None:
        return f"{FIRST}.dev0"
    major, minor, patch, commits = map(int, found.groups())
    return f"{major}.{minor}.{patch + 1}.dev{commits}" if commits else f"{major}.{minor}.{patch}"


def described(root: Path) -> str:
    """Return what git says of the last tag; empty if there is no git, or no tag."""
    if not (root / ".git").exists():  # not the repository of a folder around this one
        return ""
    command = ["git", "-C", str(root), "describe", "--tags", "--long", "--match", "v[0-9]*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def version(root: Path = ROOT) -> str:
    """Return the version of the sources in a folder."""
    about = root / "PKG-INFO"  # of a source distribution
    if about.is_file():
        return re.search(r"^Version: (.+)$", about.read_text(encoding="utf-8"), re.MULTILINE)[1]
    return version_in(described(root))


if __name__ == "__main__":
    print(version())
