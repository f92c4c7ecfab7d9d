"""How a file of a recipe is repeated: its command, and lines of Python."""

import shlex
from collections.abc import Collection, Iterator
from dataclasses import is_dataclass, replace
from pathlib import Path
from typing import Any

from caprese.io.data.options import option_value
from caprese.methods import METHODS, method_text, name_of
from caprese.methods.caprese import Caprese
from caprese.methods.fit import Method
from caprese.methods.parameters import changed, settings_of, typed
from caprese.models.noise import Noise
from caprese.recipe.loading import Curation, Source
from caprese.recipe.parts import Bootstrap, Judging, Part, Reporting
from caprese.recipe.recipe import HELD, Recipe
from caprese.report.analysis import default_replicates

RECIPE = "analysis.toml"

_OPTIONS = {"names": "--no-names", "methods": "-m"}  # that are not named as the field is


def command_of_groups(recipe: Recipe, table: str, column: str) -> str:
    """Return the command that compares groups of samples by the method; empty if there is none."""
    try:
        words = [*_source(recipe.source), *_curation(recipe.curation)]
        method = () if recipe.method is None else ("-m", _method(recipe.method, recipe))
    except _NotInWordsError:
        return ""
    return shlex.join(["caprese", "compare", *words, *method, "--by", f"{table}:{column}"])


class _NotInWordsError(Exception):
    """What a recipe can say and a command line cannot."""


def command(recipe: Recipe) -> str:
    """Return the command that writes the file of a recipe; if there is none, that of the recipe."""
    try:
        return shlex.join(["caprese", *_words(recipe)])
    except _NotInWordsError:
        return f"caprese run {RECIPE}"


def _words(recipe: Recipe) -> Iterator[str]:
    ((kind, file),) = recipe.outputs.files()
    yield from HELD[kind].command.split()
    yield from _source(recipe.source)
    yield from _curation(recipe.curation)
    for method in filter(None, (recipe.method, recipe.second_method)):
        yield from ("-m", _method(method, recipe))
    for part in (_bootstrap(recipe), _judge(recipe), recipe.patients, _report(recipe.report)):
        yield from _part(part) if part else ()
    yield from ("--tests" if kind == "tests" else "-o", file)
    if recipe.outputs.guard_formulas:
        yield "--guard-formulas"


def _source(source: Source) -> Iterator[str]:
    yield source.name
    if source.format:
        yield from ("--format", source.format)
    if source.orders is not None:
        yield from ("--orders", source.orders)
        yield from ("--orders-extra",) * source.orders_extra
    for name, value in source.orders_options.items():
        yield from ("--read-orders", f"{name}={_option(name, value)}")
    for option, text in (
        *(("--isolates", source.isolates), ("--patients", source.patients)),
        ("--sites", source.sites),
        *(("--sampled-at", each) for each in source.sampled_at),
    ):
        yield from () if text is None else (option, text)
    if source.time_conflicts != "error":
        yield from ("--time-conflicts", source.time_conflicts)
    for name, value in source.options.items():
        if name == "transpose" and value is True:
            yield "--transpose"
        elif value == "\t":
            yield from ("--delimiter", "tab")
        else:
            yield from ("--read", f"{name}={_option(name, value)}")


def _option(name: str, value: Any) -> str:
    if isinstance(value, list):
        return _listed(value)
    if option_value(name, typed(value)) != value:
        raise _NotInWordsError
    return typed(value)


def _curation(chosen: Curation) -> Iterator[str]:
    for composite in chosen.merge:
        if composite.keep_members or "=" in composite.into or not composite.into.strip():
            raise _NotInWordsError
        yield from ("--merge", f"{composite.into}={_listed(composite.members)}")
    for name in ("only", "exclude"):
        if names := getattr(chosen, name):
            yield from (f"--{name}", _listed(names))
    yield from _part(replace(chosen, merge=(), only=(), exclude=()))


def _listed(names: Collection[str]) -> str:
    """Return names separated by commas, if they cannot be taken for anything else."""
    text = ",".join(names)
    plain = all(name.isprintable() and name == name.strip() and "," not in name for name in names)
    if not plain or Path(text).suffix in (".txt", ".csv", ".tsv"):
        raise _NotInWordsError
    return text


def _part(part: Part) -> Iterator[str]:
    """Yield the options for what is not at its default."""
    for name, value in changed(part).items():
        option = _OPTIONS.get(name, f"--{name.replace('_', '-')}")
        if isinstance(value, tuple):
            yield from (word for text in value for word in (option, text))
        else:
            yield from (option,) if isinstance(value, bool) else (option, str(value))


def _report(shown: Reporting | None) -> Reporting | None:
    """Return what a report shows, with the annotation as the command line takes it."""
    if shown is None or shown.column is None:
        return shown
    if ":" in shown.column:
        raise _NotInWordsError
    return replace(shown, annotation=f"{shown.annotation}:{shown.column}", column=None)


def _bootstrap(recipe: Recipe) -> Bootstrap | None:
    """Return the bootstrap with the number of replicates, if the command has another default."""
    asked = recipe.bootstrap or Bootstrap()
    if not recipe.outputs.confidence or asked.replicates is not None:
        return recipe.bootstrap
    return replace(asked, replicates=default_replicates(recipe.method or Caprese()))


def _judge(recipe: Recipe) -> Judging | None:
    """Return how methods are judged; of a report, without the seed that it has in common."""
    asked = recipe.judge or Judging()
    if not recipe.outputs.report:
        return recipe.judge
    if asked.seed != (recipe.bootstrap or Bootstrap()).seed:
        raise _NotInWordsError
    if asked != Judging(budget=asked.budget, folds=asked.folds, seed=asked.seed):
        raise _NotInWordsError
    return replace(asked, seed=Judging().seed)


def _method(method: Method, recipe: Recipe) -> str:
    """Return a method; with its seed, if that of a report would replace it."""
    if any(":" in text for text in settings_of(method).values()):
        raise _NotInWordsError
    replaced = recipe.outputs.report and (recipe.bootstrap or Bootstrap()).seed != Bootstrap().seed
    seed = getattr(method, "seed", None) if replaced and "seed" not in changed(method) else None
    return method_text(method) + ("" if seed is None else f":seed={seed}")


def python_lines(recipe: Recipe) -> str:
    """Return the lines of Python that give the same fit, and the support if there is one."""
    parts = {name: getattr(recipe, name) for name in ("source", "curation", "method")}
    lines = [
        "import caprese",
        *(["from caprese.data.curation import MergeEvents"] if recipe.curation.merge else ()),
        "from caprese.recipe.loading import Curation, Source",
        "",
        "recipe = caprese.Recipe(",
        *(f"    {name}={_call(part)}," for name, part in parts.items() if part is not None),
        ")",
        "curated = recipe.load()",
        'caprese.write_dataset(curated.data, "table.csv")',
    ]
    if recipe.method is not None:
        lines += ["fit = recipe.fit(curated)", 'caprese.write_fit(fit, "model.json")']
    if recipe.bootstrap is not None:
        settings = _call(recipe.bootstrap).partition("(")[2]
        lines.append(f"confidence = caprese.bootstrap(fit, curated.data, {settings}")
    return "\n".join(lines) + "\n"


def _call(part: Any) -> str:
    """Return the call that makes a part, with what is not at its default."""
    settings = (f"{name}={_value(value)}" for name, value in changed(part).items())
    return f"{_maker(part)}({', '.join(settings)})"


def _maker(part: Any) -> str:
    """Return the name of what makes a part; a method is found in the vocabulary of the package."""
    kind = type(part)
    if name_of(part) not in METHODS:
        return kind.__name__
    own = kind.__module__.startswith("caprese.")
    return f"caprese.{kind.__name__}" if own else f"caprese.METHODS[{name_of(part)!r}]"


def _value(value: object) -> str:
    if isinstance(value, tuple) and any(map(is_dataclass, value)):
        return f"({', '.join(map(_call, value))},)"
    return f"caprese.{value!r}" if isinstance(value, Noise) else repr(value)
