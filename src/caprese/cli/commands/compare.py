"""caprese compare."""

from functools import partial
from typing import TYPE_CHECKING, Any

import click

import caprese
from caprese._core.checks import MOST, whole
from caprese._core.progress import progress_bars
from caprese.cli.computing import fitted, foretell, takes_jobs, takes_seed
from caprese.cli.options.completion import files
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.declaring import Checked, SectionOption
from caprese.cli.options.methods import chosen_methods, takes_methods
from caprese.cli.options.outputs import OutputFile, guards_formulas, takes_output
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.cli.sections import SectionCommand
from caprese.recipe.parts import DOCUMENT, TABLES, Judging

if TYPE_CHECKING:
    from caprese.recipe.loading import Loaded

_COMPARED = ("caprese", "caprese:shrinkage=0.01", "oncotree", "oncotree:search=branching")


_option = partial(click.option, cls=SectionOption, section="Groups of samples")


@click.command(cls=SectionCommand, short_help="Compare several methods, or groups of samples.")
@curates_data
@takes_methods(
    _COMPARED,
    show_default="caprese with two shrinkages, oncotree with both searches",
    help="A method to compare. May be given several times.",
)
@click.option(
    "--judge/--no-judge",
    "judged",
    default=None,
    help="Whether to predict held-out samples too; by default if it takes a few seconds.",
)
@_option(
    "--by",
    metavar="FILE:COLUMN",
    shell_complete=files,
    help="Compare groups of samples: a table with the group of each sample, and its column.",
)
@_option(
    "--seeding",
    is_flag=True,
    help="Which events follow seeding: primary tumours and metastases of the same patients.",
)
@_option(
    "--permutations",
    type=Checked(whole, 1, MOST),
    help="How often the samples are divided at random; by default 999, or 99 for slow methods.",
)
@takes_seed
@takes_jobs
@prints_json
@takes_output(
    OutputFile(DOCUMENT, *TABLES, holds=None),
    multiple=True,
    help="Also write the comparison of groups to FILE, .json, .csv or .tsv. May be given several "
    "times.",
)
@guards_formulas
def compare(
    methods: tuple[str, ...], judged: bool | None, seed: int, as_json: bool, **given: Any
) -> None:
    """Fit several methods to the same data and print the results side by side.

    Prints the parent of each event under each method, with a star where it differs from the first
    method; then the log-likelihood of each model, observed with errors at the rates that fit best;
    and how well each method predicts held-out samples, as `caprese judge` says of the same methods.

    With --by, fits one method to each group of samples instead, and says whether the order of
    events differs by more than chance. With --seeding, says which events come faster before and
    after a metastasis is seeded.

    \b
    Examples:
      caprese compare ovarian
      caprese compare tumours.csv -m caprese -m caprese:noise=estimate -m oncotree
      caprese compare tumours.csv -m caprese -m hcbn --json
      caprese compare tumours.csv --by clinical.csv:stage -o groups.csv
      caprese compare pairs.csv --seeding --patients sites.csv:patient --sites sites.csv:site
    """
    if given["seeding"]:
        _compare_sites(judged, seed, as_json, given)
        return
    if given["by"] is not None:
        _compare_groups(methods, judged, seed, as_json, given)
        return
    for name in ("permutations", "output"):
        if given[name]:
            raise click.UsageError(f"--{name} needs --by or --seeding, what is compared")
    from caprese.io.documents import comparison_text
    from caprese.text.columns import separated
    from caprese.text.comparison import comparison_lines, letters_of
    from caprese.text.inspection import log_lines

    chosen = chosen_methods(methods)
    loaded, asked = load(given), Judging(seed=seed)
    curated = loaded.curated()
    foretell(chosen, curated.data, 1 + asked.folds if judged else 1)
    with progress_bars():
        found = caprese.compare(chosen, curated.data)
        letters = zip(methods, letters_of(len(methods)), strict=True)
        names = [text if methods.count(text) == 1 else f"{text} ({one})" for text, one in letters]
        candidates = dict(zip(names, chosen, strict=True))
        judgement = _judgement(candidates, loaded, asked, judged)
    if as_json:
        say(comparison_text(found, curated.log, judgement))
        return
    lines = comparison_lines(found, judgement, terminal_width())
    say(separated(lines, log_lines(curated.log)))


def _compare_groups(
    methods: tuple[str, ...], judged: bool | None, seed: int, as_json: bool, given: dict[str, Any]
) -> None:
    """Compare groups of samples by one method."""
    from caprese.assessment.group_comparison import default_permutations, fits_needed
    from caprese.io.data.annotations import read_groups
    from caprese.io.documents import groups_text
    from caprese.recipe.formats import frame_tables, write_files
    from caprese.recipe.parts import split_column
    from caprese.text.columns import separated
    from caprese.text.groups import group_lines
    from caprese.text.inspection import log_lines

    named = click.get_current_context().get_parameter_source("methods")
    given_methods = methods if named is click.core.ParameterSource.COMMANDLINE else _COMPARED[:1]
    if len(given_methods) > 1:
        raise click.UsageError("--by compares groups by one method; give --method once")
    if judged is not None:
        raise click.UsageError("--judge compares methods, --by compares groups; omit one")
    (method,) = chosen_methods(given_methods)
    groups = read_groups(*split_column(given["by"]))
    curated = load(given).curated()
    if not groups.categories.keys() & set(curated.data.samples):
        raise click.UsageError(f"--by {given['by']} names none of the samples")
    number = given["permutations"] or default_permutations(method)
    foretell([method], curated.data, fits_needed(fitted(method, curated), number))
    settings = {"permutations": number, "seed": seed, "jobs": given["jobs"]}
    with progress_bars():
        found = caprese.compare_groups(method, curated.data, groups.categories, **settings)
    text = groups_text(found, groups.title, method, curated.log)
    tables = frame_tables(found, guard_formulas=given["guard_formulas"])
    write_files((given["output"], {DOCUMENT: lambda _path: text, **tables}))
    if as_json:
        say(text)
        return
    lines = group_lines(found, groups.title, terminal_style(), terminal_width())
    say(separated(lines, log_lines(curated.log)))


def _compare_sites(judged: bool | None, seed: int, as_json: bool, given: dict[str, Any]) -> None:
    """Compare primary tumours and metastases of the same patients."""
    from caprese.io.documents import seeding_text
    from caprese.recipe.formats import frame_tables, write_files
    from caprese.text.columns import separated
    from caprese.text.inspection import log_lines
    from caprese.text.seeding import seeding_lines

    named = click.get_current_context().get_parameter_source("methods")
    for option, used in (
        ("--by", given["by"] is not None),
        ("--judge", judged is not None),
        ("--permutations", given["permutations"] is not None),
        ("--method", named is click.core.ParameterSource.COMMANDLINE),
    ):
        if used:
            raise click.UsageError(f"--seeding compares without {option}; omit one")
    curated = load({**given, "per_patient": given["per_patient"] or "all"}).curated()
    found = caprese.seeding_rates(curated.data, seed=seed)
    text = seeding_text(found, curated.log)
    tables = frame_tables(found, guard_formulas=given["guard_formulas"])
    write_files((given["output"], {DOCUMENT: lambda _path: text, **tables}))
    if as_json:
        say(text)
        return
    lines = seeding_lines(found, terminal_style(), terminal_width())
    say(separated(lines, log_lines(curated.log)))


def _judgement(
    candidates: "dict[str, caprese.extend.Method]",
    loaded: "Loaded",
    asked: Judging,
    wanted: bool | None,
) -> "caprese.Judgement | None":
    """Judge the methods as `caprese judge` does; by default only if that is quick."""
    from caprese.assessment.held_out import is_quick_to_judge
    from caprese.methods.protocols import is_quick
    from caprese.recipe.results import judged

    curated, rules = loaded.divided()
    samples = len(curated.data.samples)
    quick = samples >= asked.folds and all(
        is_quick(each) and is_quick_to_judge(each, curated.data) for each in candidates.values()
    )
    if not (quick if wanted is None else wanted):
        return None
    if samples < asked.folds:
        raise click.UsageError(f"--judge needs at least {asked.folds} samples, got {samples}")
    return judged(asked, candidates, curated.data, rules)
