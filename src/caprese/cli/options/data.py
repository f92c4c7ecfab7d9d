"""Options of every command that reads data: how to read it, and how to curate it."""

import os
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from caprese._core.checks import number, whole
from caprese._core.progress import progress_bars
from caprese.cli.options.completion import data_names, files, format_names
from caprese.cli.options.declaring import Checked, SectionOption, together
from caprese.cli.printing import remark
from caprese.cli.wording import setting

if TYPE_CHECKING:
    from caprese.data.curation import MergeEvents
    from caprese.recipe.loading import Curation, Loaded, Source


def _delimiter(_ctx: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text in ("tab", "\\t"):
        return "\t"
    if text is not None and (len(text) != 1 or text in '"\r\n'):
        raise click.UsageError(f"--delimiter must be one character or the word tab, got {text!r}")
    return text


_reading = partial(click.option, cls=SectionOption, section="Reading the data")
_curation = partial(click.option, cls=SectionOption, section="Curation of the data")

_reads = together(
    _reading(
        "--format",
        "file_format",
        metavar="NAME",
        shell_complete=format_names,
        help="Format of DATA: table, maf, copy-number, study (a folder or a zip), genotypes, r, "
        "parquet or excel; by default detected.",
    ),
    _reading(
        "--read",
        "settings",
        multiple=True,
        metavar="OPTION=VALUE",
        help="An option of the format, such as barcode=patient for a MAF; several times.",
    ),
    _reading(
        "--delimiter",
        callback=_delimiter,
        help="Tables: the separator, by default detected.",
    ),
    _reading(
        "--sample-names/--no-sample-names",
        default=None,
        help="Tables: whether the first column holds sample names. By default detected.",
    ),
    _reading(
        "--transpose",
        is_flag=True,
        help="Tables: one row per event.",
    ),
    _reading(
        "--orders",
        metavar="FILE",
        shell_complete=files,
        help="Orders of events that were seen in samples: pairs, trees, a series, or read counts.",
    ),
    _reading(
        "--orders-extra",
        is_flag=True,
        help="Leave out those of names that DATA lacks.",
    ),
    _reading(
        "--read-orders",
        "orders_options",
        multiple=True,
        metavar="OPTION=VALUE",
        help="An option of the orders, such as depth=100.",
    ),
    _reading(
        "--patients",
        metavar="FILE:COLUMN",
        shell_complete=files,
        help="The patient of each sample; or names, none.",
    ),
    _reading(
        "--sampled-at",
        metavar="FILE:COLUMN",
        multiple=True,
        shell_complete=files,
        help="When each was taken: dates, or numbers.",
    ),
    _reading(
        "--sites",
        metavar="FILE:COLUMN",
        shell_complete=files,
        help="What each was taken from: blood, tumour.",
    ),
    _reading(
        "--isolates",
        metavar="TREE",
        shell_complete=files,
        help="A tree of the samples, in Newick format.",
    ),
    _reading(
        "--time-conflicts",
        type=click.Choice(["error", "unknown"]),
        default="error",
        metavar="WHAT",
        help="Contradictory times: error or unknown.",
    ),
)
_curates = together(
    _curation(
        "--per-patient",
        type=click.Choice(["any", "first", "last", "primary", "series", "all"]),
        metavar="WHICH",
        help="Which count: any, first, last, primary, series, all.",
    ),
    _curation(
        "--lost-events",
        type=click.Choice(["keep", "drop", "error"]),
        default="keep",
        metavar="WHAT",
        help="Samples that lack earlier events: keep, drop, error.",
    ),
    _curation(
        "--only",
        multiple=True,
        metavar="EVENTS",
        shell_complete=files,
        help="Keep only these events: A,B,C, or a file with one name per line; other columns may "
        "hold anything.",
    ),
    _curation(
        "--exclude",
        multiple=True,
        metavar="EVENTS",
        shell_complete=files,
        help="Drop these, given likewise; several times.",
    ),
    _curation(
        "--merge",
        multiple=True,
        metavar="NEW=A,B",
        help="Merge into one, present where any is; several times.",
    ),
    _curation(
        "--coverage",
        type=Checked(number, 0, 1),
        metavar="SHARE",
        default=0.2,
        help="Drop events known in fewer samples; default 0.2.",
    ),
    _curation(
        "--at-least",
        type=Checked(number, 0, 1),
        metavar="FREQUENCY",
        help="Drop events less frequent than this, from 0 to 1.",
    ),
    _curation(
        "--top", type=Checked(whole, 1), metavar="K", help="Keep the K events of most samples."
    ),
    _curation(
        "--hypermutated",
        type=Checked(whole, 0),
        metavar="N",
        help="Drop samples with more than N events.",
    ),
    _curation("--keep-constant", is_flag=True, help="Keep events present in all or no samples."),
    _curation("--keep-identical", is_flag=True, help="Do not merge identical events."),
    _curation(
        "--keep-all",
        is_flag=True,
        help="Keep all of more than 50 events, not 20.",
    ),
    _curation("--keep-unknown", is_flag=True, help="Keep samples without any known entry."),
)
reads_data = together(click.argument("data", shell_complete=data_names), _reads)
curates_data = together(reads_data, _curates)
curates_folder = together(
    click.argument("data", metavar="FOLDER", shell_complete=files), _reads, _curates
)


def load(given: Mapping[str, Any], used: Collection[str] = ()) -> "Loaded":
    """Read the data that options of a command name, to be curated as they say."""
    from caprese.recipe import loading

    with progress_bars():
        found = loading.load(source_of(given), curation_of(given), used)
    as_option = setting(click.get_current_context())
    for doubt in found.reading.doubts:
        remark(doubt.message(as_option))
    return found


def source_of(given: Mapping[str, Any]) -> "Source":
    """Return the source that options of a command name."""
    from caprese.recipe.loading import Source

    if not given["data"]:
        raise click.UsageError("DATA must not be empty")
    options = dict(map(_setting, given["settings"]))
    options |= {"transpose": True} if given["transpose"] else {}
    of_tables = {name: given[name] for name in ("delimiter", "sample_names")}
    options |= {name: value for name, value in of_tables.items() if value is not None}
    form = "table" if options.keys() & of_tables.keys() else None
    orders = {
        "orders": given["orders"],
        "orders_extra": given["orders_extra"],
        "orders_options": dict(map(_order_setting, given["orders_options"])),
    }
    names = ("patients", "sampled_at", "sites", "time_conflicts", "isolates")
    told = {name: given[name] for name in names}
    return Source(given["data"], given["file_format"] or form, options, **orders, **told)


def _order_setting(text: str) -> tuple[str, Any]:
    from caprese.io.data.options import option_value

    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--read-orders must be OPTION=VALUE, got {text!r}")
    return name, option_value(name, value)


def _setting(text: str) -> tuple[str, Any]:
    from caprese.io.data.options import option_value
    from caprese.io.data.sources import check_option

    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--read must be OPTION=VALUE, got {text!r}")
    try:
        check_option(name)
    except ValueError as error:
        own = f"; use --{name}" if name in {"format", "only", "exclude"} else ""
        raise click.UsageError(f"--read: {error}{own}") from None
    return name, list(_names(value)) if name == "genes" else option_value(name, value)


def curation_of(given: Mapping[str, Any]) -> "Curation":
    """Return the curation that options of a command ask for; none if it has no such options."""
    from caprese.recipe.loading import Curation

    names = {
        option: [name for text in given.get(option, ()) for name in _names(text)]
        for option in ("only", "exclude")
    }
    merge = tuple(map(_composite, given.get("merge", ())))
    return Curation.among({**given, **names, "merge": merge})


def _composite(text: str) -> "MergeEvents":
    from caprese.data.curation import MergeEvents

    name, _, members = text.partition("=")
    if not name.strip() or len(set(_names(members))) < 2:
        raise click.UsageError(f"--merge must be NEW=A,B, two events or more, got {text!r}")
    return MergeEvents(_names(members), into=name)


def _names(text: str) -> tuple[str, ...]:
    """Return names separated by commas, or the lines of a file."""
    from caprese._core.files import text_lines
    from caprese.data.curation import names_in

    if os.path.isfile(text) or Path(text).suffix in (".txt", ".csv", ".tsv"):
        names = names_in(text_lines(text))
        if not names:
            raise click.UsageError(f"{text}: there is no name in this file; expected one per line")
        return names
    return tuple(name.strip() for name in text.split(","))
