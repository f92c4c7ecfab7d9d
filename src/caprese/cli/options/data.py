"""Options of every command that reads data: how to read it, and how to curate it."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.options.completion import data_names, files, format_names
from caprese.cli.printing import remark
from caprese.cli.sections import SectionOption

if TYPE_CHECKING:
    from caprese.data.curation import Curated, Rule
    from caprese.io.data.reading import Reading

Command = Callable[..., Any]


def _delimiter(_ctx: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text in ("tab", "\\t"):
        return "\t"
    if text is not None and (len(text) != 1 or text in '"\r\n'):
        raise click.UsageError(f"--delimiter must be one character or the word tab, got {text!r}")
    return text


def _a_number(_ctx: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.UsageError("--at-least must be a number from 0 to 1, got nan")
    return value


_reading = partial(click.option, cls=SectionOption, section="Reading the data")
_curation = partial(click.option, cls=SectionOption, section="Curation of the data")

READING = (
    click.argument("data", shell_complete=data_names),
    _reading(
        "--format",
        "file_format",
        metavar="NAME",
        shell_complete=format_names,
        help="Format of DATA: table, maf, copy-number, study, genotypes, r, parquet or excel. By "
        "default it is detected; standard input is read as a table.",
    ),
    _reading(
        "--read",
        "settings",
        multiple=True,
        metavar="OPTION=VALUE",
        help="An option of the format, such as barcode=patient or events='gene and kind' for a "
        "MAF. May be given several times.",
    ),
    _reading(
        "--delimiter",
        callback=_delimiter,
        help="Tables: the column separator, one character or the word tab. By default detected.",
    ),
    _reading(
        "--sample-names/--no-sample-names",
        default=None,
        help="Tables: whether the first column holds sample names. By default detected.",
    ),
    _reading(
        "--transpose",
        is_flag=True,
        help="Tables: one row per event and one column per sample.",
    ),
)
CURATION = (
    _curation(
        "--only",
        multiple=True,
        metavar="EVENTS",
        shell_complete=files,
        help="Keep only these events: A,B,C, or a file with one name per line. The columns of "
        "others may hold anything, such as an age. May be given several times.",
    ),
    _curation(
        "--exclude",
        multiple=True,
        metavar="EVENTS",
        shell_complete=files,
        help="Drop these events: A,B,C, or a file with one name per line. Their columns may hold "
        "anything, such as an age. May be given several times.",
    ),
    _curation(
        "--merge",
        multiple=True,
        metavar="NEW=A,B",
        help="Merge events into one, present where any of them is. May be given several times.",
    ),
    _curation(
        "--at-least",
        type=click.FloatRange(0, 1),
        callback=_a_number,
        metavar="FREQUENCY",
        help="Drop events less frequent than this, a number from 0 to 1.",
    ),
    _curation(
        "--top", type=click.IntRange(1), metavar="K", help="Keep the K most frequent events."
    ),
    _curation(
        "--hypermutated",
        type=click.IntRange(0),
        metavar="N",
        help="Drop samples with more than N events.",
    ),
    _curation("--keep-constant", is_flag=True, help="Keep events present in all or no samples."),
    _curation("--keep-identical", is_flag=True, help="Do not merge identical events."),
    _curation("--keep-unknown", is_flag=True, help="Keep samples without any known entry."),
)

_READING_NAMES = ("data", "file_format", "settings", "delimiter", "sample_names", "transpose")
_SELECTING = ("only", "exclude")
_CURATION_NAMES = (
    *("only", "exclude", "merge", "at_least", "top", "hypermutated"),
    *("keep_constant", "keep_identical", "keep_unknown"),
)


def reads_data(command: Command) -> Command:
    """Give a command the argument DATA; the command is called with `load`, which reads it."""
    return _with_options(command, READING, _READING_NAMES, _read)


def curates_data(command: Command) -> Command:
    """Give a command the argument DATA and options of curation; `load` reads and curates it."""
    names = (*_READING_NAMES, *_CURATION_NAMES)
    return _with_options(command, (*READING, *CURATION), names, _curated)


def divides_data(command: Command) -> Command:
    """Give a command DATA and options of curation, to be applied where samples are held out.

    `load` returns the data after the rules that look at names or single samples, and the others.
    """
    names = (*_READING_NAMES, *_CURATION_NAMES)
    return _with_options(command, (*READING, *CURATION), names, _divided)


def _with_options(
    command: Command,
    options: Iterable[Callable[[Command], Command]],
    names: tuple[str, ...],
    load: Callable[..., Any],
) -> Command:
    """Add options to a command that is called with `load` in their place."""

    @wraps(command)
    def wrapped(**given: Any) -> Any:
        own = {name: given.pop(name) for name in names}
        return command(load=partial(load, **own), **given)

    finished: Command = wrapped
    for option in reversed(tuple(options)):
        finished = option(finished)
    return finished


def _read(
    data: str,
    file_format: str | None,
    settings: tuple[str, ...],
    delimiter: str | None,
    sample_names: bool | None,
    transpose: bool,
    **columns: "Collection[str] | None",
) -> "Reading":
    from caprese.errors import ParameterError
    from caprese.io.data.sources import read

    options = dict(_setting(text) for text in settings)
    if transpose:
        options["transpose"] = True
    if delimiter is not None:
        options["delimiter"] = delimiter
    if sample_names is not None:
        options["sample_names"] = sample_names
    if not data:
        raise click.UsageError("DATA must not be empty")
    if file_format is None and options.keys() & {"delimiter", "sample_names"}:
        file_format = "table"
    try:
        reading = read(data, format=file_format, **columns, **options)
    except ParameterError as error:
        raise click.UsageError(error.message(_of_format)) from None
    for doubt in reading.doubts:
        remark(doubt.message())
    return reading


def _of_format(parameter: str, _value: object) -> str:
    """Return a parameter of `read` as an option."""
    if parameter == "format":
        return "--format"
    return f"--read {parameter}" if parameter.isidentifier() else parameter


def _setting(text: str) -> tuple[str, Any]:
    from caprese.io.data.sources import check_option, option_value

    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--read must be OPTION=VALUE, got {text!r}")
    try:
        check_option(name)
    except ValueError as error:
        own = f"; use --{name}" if name in {"format", *_SELECTING} else ""
        raise click.UsageError(f"--read: {error}{own}") from None
    found = option_value(value)
    return name, list(_names(value)) if name == "genes" and found == value else found


def _curated(**given: Any) -> "Curated":
    reading, rules = _loaded(given)
    return _applied(given["data"], reading, rules)


def _divided(**given: Any) -> "tuple[Curated, tuple[Rule, ...]]":
    from caprese.data.curation import divided

    reading, rules = _loaded(given)
    now, later = divided(rules)
    return _applied(given["data"], reading, now), later


def _loaded(given: dict[str, Any]) -> "tuple[Reading, list[Rule]]":
    """Return what is read from the data, and the rules of curation that are left to be applied.

    Columns that are to be excluded may hold anything. The reader leaves out those that do not hold
    entries, so that no rule has to. If the events that are of use are given, all other columns may
    hold anything.
    """
    wanted = {name: given[name] for name in _CURATION_NAMES}
    only, exclude = (_all_names(wanted[name]) or None for name in _SELECTING)
    merged = {member for text in wanted["merge"] for member in _names(text.partition("=")[2])}
    used = given.get("used") if only is None else only
    reading = _read(
        **{name: given[name] for name in _READING_NAMES},
        only=None if used is None else {*used, *merged},
        exclude=None if exclude is None else {*exclude} - merged,
    )
    rest = None if exclude is None else tuple(n for n in exclude if n not in reading.left_out)
    return reading, _checked_rules(wanted | {"only": only, "exclude": rest or None})


def _applied(data: str, reading: "Reading", rules: "Sequence[Rule]") -> "Curated":
    from caprese._core.files import format_error
    from caprese.data.curation import Curated, Step
    from caprese.data.curation import curate as curated
    from caprese.errors import DatasetError

    try:
        found = curated(reading.data, rules)
    except DatasetError as error:
        raise format_error(data, error.what(), remedy=error.remedy) from error
    notes = tuple(Step("read", str(note)) for note in reading.notes)
    return Curated(found.data, notes + found.log)


def _checked_rules(wanted: dict[str, Any]) -> "list[Rule]":
    try:
        return list(_rules(**wanted))
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise click.UsageError(str(error)) from None


def _rules(merge: tuple[str, ...], **others: Any) -> "Iterable[Rule]":
    """Return the rules in the order of their application."""
    from caprese.data.curation import chosen_rules

    merged = []
    for text in merge:
        name, _, members = text.partition("=")
        if not name.strip() or len(set(_names(members))) < 2:
            raise click.UsageError(f"--merge must be NEW=A,B, two events or more, got {text!r}")
        merged.append((name, _names(members)))
    return chosen_rules(merge=merged, **others)


def _all_names(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of an option that may be given several times, each once."""
    return tuple(dict.fromkeys(name for text in texts for name in _names(text)))


def _names(text: str) -> tuple[str, ...]:
    """Return names separated by commas, or the lines of a file."""
    from caprese._core.files import text_lines
    from caprese.data.curation import names_in

    if Path(text).is_file() or Path(text).suffix in (".txt", ".csv", ".tsv"):
        names = names_in(text_lines(text))
        if not names:
            raise click.UsageError(f"{text}: there is no name in this file; expected one per line")
        return names
    return tuple(name.strip() for name in text.split(","))
