"""The command lines and Python lines that repeat what was done on the page."""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from pathlib import Path

from caprese.app.choices import Choices, ChosenTable, Curation
from caprese.methods.fit import Method
from caprese.models.noise import Noise

PICTURES = (".svg", ".png", ".pdf")


def command(choices: Choices, file: str) -> str:
    """Return the command that writes a file that the page offers."""
    if not all(map(_can_be_listed, _all_names(_with_columns(choices)))):
        return "# some names cannot be given on a command line; the Python lines below can"
    return "\n".join([*_name_files(_with_columns(choices)), shlex.join(arguments(choices, file))])


def arguments(choices: Choices, file: str) -> list[str]:
    """Return the words of the command, without the files of names that it may need."""
    method = [] if choices.method is None else ["-m", choices.method.text]
    seed = [] if choices.seed == 1 else ["--seed", str(choices.seed)]
    resampled = choices.replicates is not None
    replicates = ["--replicates", str(choices.replicates), *seed] if resampled else []
    words: list[str]
    match Path(file).stem:
        case "table":
            words, method = ["curate"], []
        case "oncoprint":
            words, method = ["plot", "oncoprint"], []
        case "comparison":
            words = ["plot", "comparison"]
            assert choices.other is not None
            method += ["-m", choices.other.text]
        case "judgement":
            words = ["judge"]
            method = [word for text in choices.judged for word in ("-m", text)]
            method += seed
        case "patients" | "survival":
            words, method = ["patients"], [*method, *_clinical(choices.table)]
        case "tests":
            words, method = ["patients"], [*method, *_clinical(choices.table), "--tests", file]
            file = ""
        case "report":
            words, method = ["report"], [*_own_seed(choices, method), *replicates]
            if choices.table is not None and choices.table.groups:
                method += ["--annotation", f"{choices.table.file}:{choices.table.groups}"]
        case "confidence" | "tree" if resampled:
            words, method = ["bootstrap"], [*method, *replicates]
        case _:
            words = ["fit"]
    source = choices.source
    data = [source.name, *(["--format", source.format] if source.format else [])]
    data += [word for option in source.options for word in ("--read", option)]
    data += ["--transpose"] if source.transposed else []
    output = ["-o", file] if file else []
    return ["caprese", *words, *data, *_curation(_with_columns(choices)), *method, *output]


def _clinical(table: ChosenTable | None) -> Iterator[str]:
    if table is None:
        return
    yield from ("--annotation", table.file)
    if table.time and table.status:
        yield from ("--time", table.time, "--status", table.status)
        if table.by:
            yield from ("--by", table.by)
    if table.corrected:
        yield "--corrected"


def _with_columns(choices: Choices) -> Curation:
    """Return the curation as the command line takes it: columns left out are excluded, too."""
    excluded = sorted({*choices.curation.exclude, *choices.source.left_out})
    return replace(choices.curation, exclude=tuple(excluded))


def _own_seed(choices: Choices, method: list[str]) -> list[str]:
    """Return the option of a method with its seed, which that of a report would replace."""
    if choices.method is None or choices.replicates is None or choices.seed == 1:
        return method
    own = getattr(choices.method.method(), "seed", None)
    given = "seed" in dict(choices.method.parameters)
    return method if own is None or given else ["-m", f"{choices.method.text}:seed={own}"]


def _curation(chosen: Curation) -> Iterator[str]:
    for place, (name, members) in enumerate(chosen.merge, start=1):
        yield from ("--merge", f"{name}={_names(members, f'merged{place}.txt')}")
    if chosen.exclude:
        yield from ("--exclude", _names(chosen.exclude, "excluded.txt"))
    for name in ("hypermutated", "at_least", "top"):
        if (value := getattr(chosen, name)) is not None:
            yield from (f"--{name.replace('_', '-')}", f"{value:g}")
    for name in ("keep_constant", "keep_identical", "keep_unknown"):
        if getattr(chosen, name):
            yield f"--{name.replace('_', '-')}"


def _name_files(chosen: Curation) -> Iterator[str]:
    """Yield the commands that write names to files, where they cannot be listed with commas."""
    lists = [(members, f"merged{place}.txt") for place, (_, members) in enumerate(chosen.merge, 1)]
    for names, file in [*lists, (chosen.exclude, "excluded.txt")]:
        if names and _names(names, file) == file:
            yield f"printf '%s\\n' {shlex.join(names)} > {file}"


def _names(names: Iterable[str], file: str) -> str:
    """Return names separated by commas, or the file that holds them if that is not possible."""
    listed = ",".join(names)
    plain = all("," not in name for name in names)
    return listed if plain and Path(listed).suffix not in (".txt", ".csv", ".tsv") else file


def _all_names(chosen: Curation) -> Iterator[str]:
    yield from chosen.exclude
    for _, members in chosen.merge:
        yield from members


def _can_be_listed(name: str) -> bool:
    """Whether a name can be a line of a file of names."""
    return name.isprintable() and name == name.strip() and not name.startswith("#")


def python_lines(choices: Choices) -> str:
    """Return the lines of Python that give the same fit, and the support if there is one."""
    method = None if choices.method is None else choices.method.method()
    rules = choices.curation.rules()
    source = choices.source
    form = f", format={source.format!r}" if source.format else ""
    form += f", exclude={source.left_out!r}" if source.left_out else ""
    form += "".join(f", {name}={value!r}" for name, value in source.keywords().items())
    lines = [
        "from dataclasses import replace",
        "",
        "import caprese",
        f"from caprese.data.curation import {', '.join(_types(rules, 'Step', 'curate'))}",
        "from caprese.io.data.sources import read",
        "",
        f"reading = read({source.name!r}{form})",
        "rules = [",
        *(f"    {rule!r}," for rule in rules),
        "]",
        "curated = curate(reading.data, rules)",
        'log = (*(Step("read", str(note)) for note in reading.notes), *curated.log)',
        'caprese.write_dataset(curated.data, "table.csv")',
    ]
    if method is not None:
        lines += [
            f"method = {_constructor(method)}",
            "fit = replace(method.fit(curated.data), log=log)",
            'caprese.write_fit(fit, "model.json")',
        ]
    if choices.replicates is not None:
        settings = f"replicates={choices.replicates}, seed={choices.seed}"
        lines += [f"confidence = caprese.bootstrap(fit, curated.data, {settings})"]
    return "\n".join(lines) + "\n"


def _types(rules: Iterable[object], *others: str) -> list[str]:
    return sorted({type(rule).__name__ for rule in rules} | set(others), key=str.lower)


def _constructor(method: Method) -> str:
    """Return the call that makes a method, with the parameters that are not at their defaults."""
    changed = [
        f"{each.name}={_value(getattr(method, each.name))}"
        for each in fields(method)
        if getattr(method, each.name) != each.default
    ]
    return f"caprese.{type(method).__name__}({', '.join(changed)})"


def _value(value: object) -> str:
    return f"caprese.{value!r}" if isinstance(value, Noise) else repr(value)
