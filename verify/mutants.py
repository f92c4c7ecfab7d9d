"""Mutants: change the code of the core in one place, and see whether a test notices.

A mutant is killed if any test of its module fails. Survivors are printed: each names something that
no test checks, or a change that makes no difference; the latter are listed in EQUIVALENT.
"""

import ast
import os
import random
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

HERE = Path(__file__).parents[1]
SECONDS = 300  # for the tests of one mutant; one that takes longer counts as killed

# The tests of each module of the core.
MODULES = {
    "assessment/bootstrap.py": ("assessment/test_bootstrap.py", "assessment/test_confidence.py"),
    "assessment/confidence.py": ("assessment/test_confidence.py", "assessment/test_bootstrap.py"),
    "assessment/edge_tests.py": ("assessment/test_edge_tests.py",),
    "data/counts.py": ("data/test_counts.py",),
    "data/pairs.py": ("data/test_inspection.py",),
    "data/scores.py": ("data/test_scores.py",),
    "fitting/forest_em.py": ("fitting/test_forest_em.py", "fitting/test_profile.py"),
    "fitting/profile.py": ("fitting/test_profile.py",),
    "fitting/structure.py": ("fitting/test_structure.py", "methods/test_oncotree.py"),
    "methods/caprese.py": ("methods/test_caprese.py", "properties/test_paper.py"),
    "methods/oncotree.py": ("methods/test_oncotree.py",),
    "models/noise.py": ("models/test_noise.py",),
    "simulation/replicates.py": ("assessment/test_bootstrap.py",),
}

# Changes that make no difference to any answer, and why: module, line of code, change.
EQUIVALENT = {
    ("assessment/bootstrap.py", "if jobs == 1:", "Eq to NotEq"): "any number of jobs may do it",
    ("assessment/bootstrap.py", "if jobs == 1:", "1 to 2"): "any number of jobs may do it",
    (
        "assessment/bootstrap.py",
        "waiting = [pool.submit(work, span) for span in islice(parts, 2 * jobs)]",
        "2 to 3",
    ): "any number of chunks may wait for a worker",
    (
        "assessment/bootstrap.py",
        "waiting += [pool.submit(work, span) for span in islice(parts, 1)]",
        "1 to 2",
    ): "any number of chunks may wait for a worker",
    (
        "methods/oncotree.py",
        "if counts.joint.ndim > 2:",
        "Gt to GtE",
    ): "the compiled loop gives the same parents as the code below it, and is faster",
    (
        "methods/oncotree.py",
        "if counts.joint.ndim > 2:",
        "2 to 3",
    ): "the compiled loop gives the same parents as the code below it, and is faster",
    (
        "fitting/structure.py",
        "tables = [table.reshape(-1, n, n) for table in tables]",
        "1 to 2",
    ): "numpy takes any negative number for the length that it finds out",
    (
        "fitting/structure.py",
        "np.ascontiguousarray(weights.reshape(-1, n, n), dtype=float),",
        "1 to 2",
    ): "numpy takes any negative number for the length that it finds out",
    (
        "fitting/structure.py",
        "np.ascontiguousarray(root_weights.reshape(-1, n), dtype=float),",
        "1 to 2",
    ): "numpy takes any negative number for the length that it finds out",
    (
        "simulation/replicates.py",
        "return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])",
        "1 to 2",
    ): "the first word of a state does not depend on how many are asked for",
    (
        "data/counts.py",
        "if product.max(initial=0) >= _EXACT:",
        "0 to 1",
    ): "both are far below the largest exact number",
    (
        "data/counts.py",
        "step = max(1, min(_ROWS_AT_ONCE, _CELLS_AT_ONCE // len(i)))",
        "1 to 2",
    ): "rows may be counted in parts of any size",
    (
        "fitting/forest_em.py",
        "depth = normal_quantile((1 + level) / 2) ** 2 / 2  # half the quantile of chi-square",
        "Add to Sub",
    ): "the quantiles of both tails have the same square",
    (
        "fitting/forest_em.py",
        'options = {"xatol": 1e-8, "fatol": 1e-16}',
        "1e-08 to 1.00000001",
    ): "the search also waits for fatol, of a sum of squares: then the rates agree to 1e-8",
    (
        "fitting/forest_em.py",
        "steps: int = 10_000,",
        "10000 to 10001",
    ): "it only bounds a climb that ends by itself, later",
    (
        "fitting/forest_em.py",
        "run = self.em.run(start, free, tolerance, 1000)",
        "1000 to 1001",
    ): "it only bounds a climb that ends by itself, later",
    (
        "data/pairs.py",
        "found = _pairs(counts, value, value < SIGNIFICANT)",
        "Lt to LtE",
    ): "no tail of tables of up to 40 samples is computed as exactly the level",
    (
        "fitting/profile.py",
        "value, restarts = side.at(distance), 0",
        "0 to 1",
    ): "it only bounds a search that would end by itself, later",
    (
        "fitting/profile.py",
        "side, restarts = replace(side, known=(best, other)), restarts + 1",
        "Add to Sub",
    ): "it only bounds a search that would end by itself, later",
    (
        "fitting/profile.py",
        "side, restarts = replace(side, known=(best, other)), restarts + 1",
        "1 to 2",
    ): "it only bounds a search that would end by itself, later",
    (
        "fitting/profile.py",
        "if other.fall > closest.fall - _HIGHER or restarts == _RESTARTS:",
        "Gt to GtE",
    ): "a gain of exactly the least is neither here nor there",
    (
        "fitting/profile.py",
        "return max((each for each in self.known if each.fall < self.depth), key=self.distance)",
        "Lt to LtE",
    ): "a fall of exactly the depth is the end in both cases",
    (
        "fitting/profile.py",
        "if self.limit < best:",
        "Lt to LtE",
    ): "a maximum at the limit is answered before",
    (
        "fitting/profile.py",
        "if far - near < accuracy:",
        "Lt to LtE",
    ): "a bracket of exactly the accuracy is neither here nor there",
    (
        "fitting/profile.py",
        "fallen = abs(closest.fall - self.depth) < _NEAR * self.depth",
        "Lt to LtE",
    ): "a fall of exactly that share from the depth is neither here nor there",
    (
        "fitting/profile.py",
        "fallen = abs(closest.fall - self.depth) < _NEAR * self.depth",
        "Mult to Div",
    ): "for depths of about 1, the same up to a factor; the end must be near as well",
    (
        "fitting/profile.py",
        "return fallen and abs(closest.value - end) <= accuracy",
        "LtE to Lt",
    ): "a distance of exactly the accuracy is neither here nor there",
    (
        "fitting/profile.py",
        "if near < guess < far and len(self.known) <= _MOST:",
        "LtE to Lt",
    ): "the bracket may be halved one step earlier",
    (
        "methods/oncotree.py",
        "outweighed = scores.desper_root(counts) >= heaviest - EQUAL",
        "GtE to Gt",
    ): "weights are ratios of counts, which do not differ by exactly the tolerance",
    (
        "methods/oncotree.py",
        "tied = np.asarray(heaviest >= np.exp(root_weight) - EQUAL)",
        "GtE to Gt",
    ): "weights are ratios of counts, which do not differ by exactly the tolerance",
    (
        "methods/caprese.py",
        "if counts.joint.ndim > 2:",
        "2 to 3",
    ): "the compiled loop gives the same parents as the code below it, and is faster",
}

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True)
class Mutant:
    """A module changed in one place."""

    module: str
    place: int  # among the nodes that can be changed
    line: int
    code: str  # of that line
    change: str

    @property
    def source(self):
        """The whole module with the change."""
        tree = ast.parse((HERE / "src" / "caprese" / self.module).read_text())
        _change(_places(tree)[self.place])
        return ast.unparse(tree)

    @property
    def equivalent(self):
        return (self.module, self.code, self.change) in EQUIVALENT


def mutants(module):
    """Yield every mutant of a module."""
    path = HERE / "src" / "caprese" / module
    text = path.read_text()
    tree, lines = ast.parse(text), text.splitlines()
    for place, node in enumerate(_places(tree)):
        change = _change(deepcopy(node))
        if change:
            yield Mutant(module, place, node.lineno, lines[node.lineno - 1].strip(), change)


def _places(tree):
    """Return the nodes that can be changed: inside functions, without annotations and texts."""
    found = []

    def visit(node):
        if isinstance(node, ast.keyword) and node.arg == "strict":
            return  # of zip: a safeguard that makes no difference to any answer
        skipped = {"annotation", "returns", "decorator_list", "format_spec"}
        for name, value in ast.iter_fields(node):
            if name in skipped:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.Raise | ast.JoinedStr):
                    found.append(child)
                    visit(child)

    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            visit(function)
    unique = {id(node): node for node in found if hasattr(node, "lineno")}
    return list(unique.values())


def _change(node):
    """Change a node in place and say how; None if there is nothing to change."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in SWAPPED:
            node.ops = [SWAPPED[type(operator)]()]
            return _said(operator, node.ops[0])
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) if type(operator) in SWAPPED:
            node.op = SWAPPED[type(operator)]()
            return _said(operator, node.op)
        case ast.UnaryOp(op=ast.Not() | ast.Invert() as operator):
            return _replace(node, node.operand, f"without {type(operator).__name__}")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _replace(node, operand, "without minus")
        case ast.Constant(value=bool(value)):
            node.value = not value
            return f"{value} to {not value}"
        case ast.Constant(value=int(value) | float(value)):
            node.value = value + 1
            return f"{value} to {value + 1}"
    return None


def _said(one, other):
    return f"{type(one).__name__} to {type(other).__name__}"


def _replace(node, other, change):
    """Let a node become another, which keeps its place in the tree."""
    node.__class__ = other.__class__
    node.__dict__ = {**other.__dict__}
    return change


def survives(mutant, package):
    """Whether all tests of the module pass, in a copy of the package."""
    path = package / mutant.module
    original = path.read_text()
    tests = [str(HERE / "tests" / name) for name in MODULES[mutant.module]]
    options = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=quick"]
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        path.write_text(mutant.source)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=HERE,
            env=environment,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        path.write_text(original)
    return done.returncode == 0


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=60, help="how many mutants; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    every = [mutant for module in MODULES for mutant in mutants(module) if not mutant.equivalent]
    chosen = every
    if 0 < given.sample < len(every):
        chosen = random.Random(given.seed).sample(every, given.sample)
    survivors = []
    with TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        copies = SimpleQueue()
        for number in range(given.jobs):
            copy = Path(folder, str(number), "caprese")
            shutil.copytree(HERE / "src" / "caprese", copy)
            copies.put(copy)

        def tried(mutant):
            copy = copies.get()
            try:
                return survives(mutant, copy)
            finally:
                copies.put(copy)

        for mutant, survived in zip(chosen, pool.map(tried, chosen), strict=True):
            if survived:
                survivors.append(mutant)
                place = f"{mutant.module}:{mutant.line}"
                print(f"survived  {place}  {mutant.change}  {mutant.code}", flush=True)
    killed = len(chosen) - len(survivors)
    print(f"{killed} of {len(chosen)} mutants killed ({100 * killed / len(chosen):.0f} %)")


if __name__ == "__main__":
    main()
