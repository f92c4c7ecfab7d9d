"""What is known in one room only: options of the terminal, names of methods, who uses whom."""

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import caprese

PACKAGE = Path(caprese.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
# Who writes command lines, to be shown or to be run.
OF_THE_TERMINAL = ("cli/", "recipe/")
STYLES = "report/pictures.py"  # whose variables of a style sheet look like options


@cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def docstrings(tree):
    """The texts that only readers of the code see."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            yield body[0].value


def texts(path):
    tree = parsed(path)
    apart = set(map(id, docstrings(tree)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node.value


def used(tree):
    """The modules of the package that are imported when code runs, in functions too."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("caprese"):
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        yield from used(node)


def test_no_module_uses_one_that_uses_it():
    names = {name_of(path): path for path in MODULES}
    uses = {
        name: {other for other in used(parsed(path)) if other in names and other != name}
        for name, path in names.items()
    }
    uses["caprese"] = set()  # the door to all of them
    for others in uses.values():
        others.discard("caprese")
    try:
        tuple(TopologicalSorter(uses).static_order())
    except CycleError as error:
        pytest.fail(f"these use each other: {' -> '.join(error.args[1])}")


def test_only_the_terminal_names_its_options():
    found = {
        place: options
        for path in MODULES
        if not (place := path.relative_to(PACKAGE).as_posix()).startswith(OF_THE_TERMINAL)
        and place != STYLES
        and (options := [each for text in texts(path) for each in OPTION.findall(text)])
    }
    assert found == {}


def test_no_code_asks_for_a_method_by_name():
    names = sorted(caprese.METHODS)
    asking = re.compile(
        rf"METHODS\[[\"']|name_of\([^)]*\) *(==|in)|== *[\"']({'|'.join(names)})[\"']"
    )
    # A study is about the methods that it names.
    found = [
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in MODULES
        if "studies" not in path.parts
        for line in path.read_text(encoding="utf-8").splitlines()
        if asking.search(line) and ">>>" not in line and "``" not in line
    ]
    assert found == []
