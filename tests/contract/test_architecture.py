"""Imports point one way, and the public vocabulary is complete."""

import ast
import re
from pathlib import Path

import pytest

import caprese

PACKAGE = Path(caprese.__file__).parent
CLONE = Path(__file__).parents[2]  # where the tests are: the package may be installed elsewhere

# The rooms in the order of the flow: a room may import only from those before it.
ROOMS = [
    "errors",
    "_core",
    "kernels",
    "data",
    "models",
    "simulation",
    "fitting",
    "methods",
    "extend",
    "assessment",
    "patients",
    "io",
    "plots",
    "text",
    "report",
    "recipe",
    "atlas",
    "app",
    "studies",
    "cli",
]
# Families of siblings that leave each other alone, and what their members may have in common.
FAMILIES = {
    "models": {"base", "noise", "noisy", "forest", "states", "dense", "blur"},
    "methods": {"evidence", "fit", "protocols", "parameters", "registry"},
}


def room(module: str) -> str:
    return module.split(".")[1]


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "caprese":
            found |= {f"caprese.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("caprese."):
            found.add(node.module)
    return found


def modules() -> list[Path]:
    doors = (PACKAGE / "__init__.py", PACKAGE / "__main__.py")
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path not in doors]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_rooms_before_its_own(path):
    name = path.relative_to(PACKAGE)
    here = name.with_suffix("").parts[0]
    for module in imports(path):
        other = room(module)
        assert ROOMS.index(other) <= ROOMS.index(here), f"{here} must not import {module}"
        if other == here in FAMILIES and name.name != "__init__.py":
            sibling = module.split(".")[2]
            assert sibling in FAMILIES[here], f"siblings leave each other alone: {module}"


def test_one_door_alone_opens_upwards_by_name():
    named = [
        str(path.relative_to(PACKAGE))
        for path in modules()
        if "import_module(" in path.read_text() and "caprese." in path.read_text()
    ]
    # Completion imports what the shell asks for, reading optional packages.
    assert named == ["cli/options/completion.py", "io/data/reading.py", "methods/fit.py"]


def test_every_room_has_its_place():
    rooms = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in modules()}
    assert rooms == set(ROOMS)


def test_the_vocabulary_is_there_and_complete():
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text())
    imported = [each for each in stub.body if isinstance(each, ast.ImportFrom)]
    listed = [alias.asname for each in imported for alias in each.names]
    assert [alias.name for each in imported for alias in each.names] == listed
    assert caprese.__all__ == ["__version__", *listed]
    assert len({*listed}) == len(listed) > 90
    for name in caprese.__all__:
        assert getattr(caprese, name) is not None
    assert set(dir(caprese)) == set(caprese.__all__)


def test_a_name_that_is_not_in_the_vocabulary_is_refused():
    with pytest.raises(AttributeError, match="module 'caprese' has no attribute 'infer'"):
        caprese.infer  # noqa: B018


def test_every_name_for_extensions_is_public_and_there():
    names = [name for name in vars(caprese.extend) if not name.startswith("_")]
    assert len(names) > 60
    assert all(getattr(caprese.extend, name) is not None for name in names)


OUTSIDE = [
    CLONE / "examples" / "caprese-nesting" / "caprese_nesting.py",
    *(Path(__file__).parent / f"{name}.py" for name in ("kinds", "mixture", "disjunctive")),
]


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: path.stem)
def test_other_packages_need_only_public_modules(path):
    private = {"caprese._core", "caprese.methods", "caprese.fitting", "caprese.models"}
    found = {".".join(module.split(".")[:2]) for module in imports(path)}
    assert not found & private


def test_the_costs_of_adding_are_those_of_the_documentation():
    page = (CLONE / "docs" / "methods" / "adding.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .* \| `([\w/.-]+)` \| (\d+) \| (\d+) \| \d+ \|$", page, re.MULTILINE)
    assert len(rows) == 3
    for place, files, lines in rows:
        found = CLONE / place
        paths = [found] if found.is_file() else [path for path in found.iterdir() if path.is_file()]
        written = sum(len(path.read_text().splitlines()) for path in paths)
        assert (len(paths), written) == (int(files), int(lines)), place


def test_every_name_for_extensions_is_in_the_reference():
    page = (CLONE / "docs" / "api" / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^   (?:extend\.)?(\w+)$", page, re.MULTILINE))
    assert {name for name in vars(caprese.extend) if not name.startswith("_")} <= listed
