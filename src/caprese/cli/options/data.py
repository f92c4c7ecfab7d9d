"""Options of every command that reads data: how to read it, and what to do to it before."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.commands.completion import data_names, files, format_names
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


_reading = partial(click.option, cls=SectionOption, section="How to read DATA")
_curation = partial(click.option, cls=SectionOption, section="What to do to the data before")

READING = (
    click.argument("data", shell_complete=data_names),
    _reading(
        "--format",
        "file_format",
        metavar="NAME",
        shell_complete=format_names,
        help="What DATA is: table, maf, copy-number, study, genotypes, r, parquet or excel; found "
        "if not told, but standard input is then a table.",
    ),
    _reading(
        "--read",
        "settings",
        multiple=True,
        metavar="OPTION=VALUE",
        help="An option of the format, such as barcode=patient or events='gene and kind' of a MAF.",
    ),
    _reading(
        "--delimiter",
        callback=_delimiter,
        help="Tables: what separates the columns, a character or the word tab; found if not told.",
    ),
    _reading(
        "--sample-names/--no-sample-names",
        default=None,
        help="Tables: whether the first column holds sample names; found if not told.",
    ),
)
CURATION = (
    _curation(
        "--only",
        metavar="EVENTS",
        shell_complete=files,
        help="Keep these events: A,B,C or a file of names.",
    ),
    _curation(
        "--exclude",
        metavar="EVENTS",
        shell_complete=files,
        help="Drop these events: A,B,C or a file of names.",
    ),
    _curation(
        "--merge",
        multiple=True,
        metavar="NEW=A,B",
        help="Make one event of several, present where any is; may be given several times.",
    ),
    _curation(
        "--at-least",
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="Drop events rarer than this.",
    ),
    _curation("--top", type=click.IntRange(1), metavar="K", help="Keep the K most frequent."),
    _curation(
        "--hypermutated", type=click.IntRange(0), metavar="N", help="Drop samples with more events."
    ),
    _curation("--keep-constant", is_flag=True, help="Keep events in all or none of the samples."),
    _curation("--keep-identical", is_flag=True, help="Do not merge identical events."),
    _curation("--keep-unknown", is_flag=True, help="Keep samples of which nothing is known."),
)

_READING_NAMES = ("data", "file_format", "settings", "delimiter", "sample_names")
_CURATION_NAMES = (
    *("only", "exclude", "merge", "at_least", "top", "hypermutated"),
    *("keep_constant", "keep_identical", "keep_unknown"),
)


def reads_data(command: Command) -> Command:
    """Give a command the argument DATA; it is called with `load`, which reads it."""
    return _gathering(command, READING, _READING_NAMES, _read)


def curates_data(command: Command) -> Command:
    """Give a command the argument DATA and what to do to it; `load` reads and curates it."""
    names = (*_READING_NAMES, *_CURATION_NAMES)
    return _gathering(command, (*READING, *CURATION), names, _curated)


def _gathering(
    command: Command,
    options: Iterable[Callable[[Command], Command]],
    names: tuple[str, ...],
    load: Callable[..., Any],
) -> Command:
    @wraps(command)
    def gathered(**given: Any) -> Any:
        own = {name: given.pop(name) for name in names}
        check_outputs(own["data"], given.get("output"))
        return command(load=partial(load, **own), **given)

    finished: Command = gathered
    for option in reversed(tuple(options)):
        finished = option(finished)
    return finished


def check_outputs(data: str, outputs: str | Sequence[str] | None) -> None:
    """Refuse to write where the data stands."""
    for path in (outputs,) if isinstance(outputs, str) else outputs or ():
        if Path(path).exists() and Path(data).exists() and Path(path).samefile(data):
            problem = "would overwrite what is read; name another file"
            raise click.UsageError(f"--output {path} {problem}")


def _read(
    data: str,
    file_format: str | None,
    settings: tuple[str, ...],
    delimiter: str | None,
    sample_names: bool | None,
) -> "Reading":
    from caprese.io.data.sources import read

    options = dict(_setting(text) for text in settings)
    if delimiter is not None:
        options["delimiter"] = delimiter
    if sample_names is not None:
        options["sample_names"] = sample_names
    if not data:
        raise click.UsageError("DATA must not be empty")
    table_told = options.keys() & {"delimiter", "sample_names"}
    try:
        told = "table" if file_format is None and table_told else file_format
        return read(data, format=told, **options)
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        option = "" if str(error).startswith("format must") else "read "
        raise click.UsageError(f"--{option}{error}") from None


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--read must be OPTION=VALUE, got {text!r}")
    words = {"true": True, "false": False, "yes": True, "no": False}
    if value.lower() in words:
        return name, words[value.lower()]
    if value.lstrip("+-").isdigit():
        return name, int(value)
    return name, list(_names(value)) if name == "genes" else value


def _curated(
    data: str,
    file_format: str | None,
    settings: tuple[str, ...],
    delimiter: str | None,
    sample_names: bool | None,
    **wanted: Any,
) -> "Curated":
    from caprese.data.curation import Curated, Step
    from caprese.data.curation import curate as curated

    reading = _read(data, file_format, settings, delimiter, sample_names)
    try:
        rules = list(_rules(**wanted))
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise click.UsageError(str(error)) from None
    found = curated(reading.data, rules)
    notes = tuple(Step("read", note) for note in reading.notes)
    return Curated(found.data, notes + found.log)


def _rules(
    only: str | None,
    exclude: str | None,
    merge: tuple[str, ...],
    at_least: float | None,
    top: int | None,
    hypermutated: int | None,
    keep_constant: bool,
    keep_identical: bool,
    keep_unknown: bool,
) -> Iterable["Rule"]:
    """Yield what was asked for in the order in which it makes sense."""
    from caprese.data import curation

    for text in merge:
        name, _, members = text.partition("=")
        if not name.strip() or len(set(_names(members))) < 2:
            raise click.UsageError(f"--merge must be NEW=A,B, two events or more, got {text!r}")
        yield curation.MergeEvents(_names(members), into=name)
    if only is not None:
        yield curation.KeepEvents(_names(only))
    if exclude is not None:
        yield curation.DropEvents(_names(exclude))
    if hypermutated is not None:
        yield curation.DropHypermutated(hypermutated)
    if at_least is not None:
        yield curation.KeepFrequent(frequency=at_least)
    if top is not None:
        yield curation.KeepMostFrequent(top)
    yield from curation.standard(
        constant=not keep_constant,
        identical=not keep_identical,
        unknown_samples=not keep_unknown,
    )


def _names(text: str) -> tuple[str, ...]:
    """Return names given with commas, or the lines of a file."""
    from caprese._core.files import text_lines
    from caprese.data.curation import names_in

    if Path(text).is_file() or Path(text).suffix in (".txt", ".csv", ".tsv"):
        return names_in(text_lines(text))
    return tuple(name.strip() for name in text.split(","))
