"""Imports point one way, and the public vocabulary is complete."""

import ast
from pathlib import Path

import pytest

import caprese

PACKAGE = Path(caprese.__file__).parent

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
    "assessment",
    "patients",
    "io",
    "plots",
    "text",
    "report",
    "app",
    "studies",
    "cli",
]
# Families of siblings that leave each other alone, and what their members may have in common.
FAMILIES = {
    "models": {"base", "noise", "noisy", "forest", "states"},
    "methods": {"evidence", "fit", "protocols", "parameters"},
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
    assert named == ["io/data/reading.py", "methods/fit.py"]  # the first for optional packages


def test_every_room_has_its_place():
    rooms = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in modules()}
    assert rooms == set(ROOMS)


def test_the_vocabulary_is_there_and_complete():
    listed = {"__version__", *caprese._MODULES, *caprese._HOME_OF}
    assert set(caprese.__all__) == listed
    assert len(caprese.__all__) == len(listed)
    for name in caprese.__all__:
        assert getattr(caprese, name) is not None
    assert set(dir(caprese)) == set(caprese.__all__)


def test_a_name_that_is_not_in_the_vocabulary_is_refused():
    with pytest.raises(AttributeError, match="module 'caprese' has no attribute 'infer'"):
        caprese.infer  # noqa: B018
