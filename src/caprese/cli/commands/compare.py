"""caprese compare."""

from typing import TYPE_CHECKING, Any

import click

import caprese
from caprese._core.progress import progress_bars
from caprese.cli.computing import foretell, takes_seed
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.methods import chosen_methods, takes_methods
from caprese.cli.printing import prints_json, say, terminal_width
from caprese.cli.sections import SectionCommand
from caprese.recipe.parts import Judging

if TYPE_CHECKING:
    from caprese.recipe.loading import Loaded

_COMPARED = ("caprese", "caprese:shrinkage=0.01", "oncotree", "oncotree:search=branching")


@click.command(cls=SectionCommand, short_help="Compare the results of several methods.")
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
@takes_seed
@prints_json
def compare(
    methods: tuple[str, ...], judged: bool | None, seed: int, as_json: bool, **given: Any
) -> None:
    """Fit several methods to the same data and print the results side by side.

    Prints the parent of each event under each method, with a star where it differs from the first
    method; then the log-likelihood of each model, observed with errors at the rates that fit best;
    and how well each method predicts held-out samples, as `caprese judge` says of the same methods.

    \b
    Examples:
      caprese compare ovarian
      caprese compare tumours.csv -m caprese -m caprese:noise=estimate -m oncotree
      caprese compare tumours.csv -m caprese -m hcbn --json
    """
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
