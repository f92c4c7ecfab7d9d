"""Print the lowest versions that ``pyproject.toml`` allows, as a file of constraints for pip.

    python release/oldest.py > oldest.txt
    pip install --constraint oldest.txt .

The tests are no part of it: their tools are taken as new as they come.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_FLOOR = re.compile(r"([\w.-]+)(?:\[[^]]*\])?>=([\w.]+)(?:,<[\w.]+)?")
_FOR_DEVELOPERS = ("dev", "docs")


def floors(project: dict) -> dict[str, str]:
    """Return the lowest version of each package that the project or an extra of it needs."""
    extras = project["optional-dependencies"]
    needed = [each for name, own in extras.items() if name not in _FOR_DEVELOPERS for each in own]
    found = {}
    for each in [*project["dependencies"], *needed]:
        package, floor = _FLOOR.fullmatch(each).groups()
        if found.setdefault(package, floor) != floor:
            raise ValueError(f"{package} has two lowest versions: {found[package]} and {floor}")
    return found


if __name__ == "__main__":
    with open(ROOT / "pyproject.toml", "rb") as file:
        lowest = floors(tomllib.load(file)["project"])
    print(*(f"{package}=={floor}" for package, floor in sorted(lowest.items())), sep="\n")
