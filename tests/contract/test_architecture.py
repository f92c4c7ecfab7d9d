"""Imports point one way."""

import ast
from pathlib import Path

import pytest

import caprese

PACKAGE = Path(caprese.__file__).parent

# A module may import only from floors below its own; those of one floor leave each other alone,
# except inside the families named in FRIENDS, whose files build on one another.
FLOORS = [
    {"errors", "progress", "spelling"},
    {"arrays"},
    {"names"},
    {"dataset"},
    {"kernels"},
    {"counts"},
    {"models", "datasets", "curation"},
    {"observed", "hidden", "scores", "metrics", "simulation"},
    {"structure", "search", "estimation", "inspection"},
    {"replicates", "rounds"},
    {"selection"},
    {"methods"},
    {"limits", "comparison", "confidence", "significance"},
    {"bootstrapping"},
    {"io"},
    {"plots"},
    {"studies"},
    {"report"},
    {"cli"},
]
FRIENDS = {"kernels", "curation", "io", "plots", "report", "studies", "cli"}
SHARED = {"base", "recovery"}  # what the files of a family may have in common


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
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_lower_floors(path):
    height = {name: floor for floor, names in enumerate(FLOORS) for name in names}
    here = path.relative_to(PACKAGE).with_suffix("").parts[0]
    for module in imports(path):
        other = room(module)
        if other == here:
            sibling = module.split(".")[2]
            assert here in FRIENDS or sibling in SHARED or path.name == "__init__.py", module
        else:
            assert height[other] < height[here], f"{here} must not import {module}"


def test_every_room_has_a_floor():
    rooms = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in modules()}
    assert rooms <= set().union(*FLOORS)


def test_the_vocabulary_is_there_and_complete():
    assert set(caprese.__all__) == set(caprese._HOMES)
    for name in caprese.__all__:
        assert getattr(caprese, name) is not None
    assert set(dir(caprese)) == set(caprese.__all__)


def test_a_word_that_is_not_in_the_vocabulary_is_refused():
    with pytest.raises(AttributeError, match="module 'caprese' has no attribute 'infer'"):
        caprese.infer  # noqa: B018
