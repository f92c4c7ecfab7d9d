"""caprese bootstrap."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from caprese._core.checks import one_of
from caprese.cli.options.checked import Checked
from caprese.cli.options.completion import among
from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import MethodCommand, chosen_method, fitted, takes_method
from caprese.cli.options.outputs import check_effect_files, writes_files
from caprese.cli.options.recipes import saves_recipe
from caprese.cli.options.replicates import (
    bootstrapped,
    cluster,
    exit_if_interrupted,
    takes_dask,
    takes_replicates,
)
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width

if TYPE_CHECKING:
    from caprese.assessment.confidence import Confidence
    from caprese.assessment.effects import EffectConfidence
    from caprese.data.curation import Curated
    from caprese.data.dataset import Dataset
    from caprese.methods.fit import Fit

KINDS = ("nonparametric", "parametric", "statistical")
_NARROW = 12  # events up to which a table of all pairs is easy to read
_REPLICATES, _FEWER = 1000, 100  # by default, of edges and of effects


@click.command(cls=MethodCommand, short_help="Estimate the support of each edge or effect.")
@curates_data
@takes_method
@click.option(
    "--kind",
    type=Checked(one_of, KINDS),
    default=KINDS[0],
    metavar="KIND",
    shell_complete=among(__name__, "KINDS"),
    show_default=True,
    help="Resample the samples, simulate them from the fitted model, or repeat a method that draws "
    "random numbers on the same data (statistical).",
)
@click.option(
    "--errors",
    metavar="RATES",
    help="Parametric: error rates of the simulated samples, FALSE_POSITIVE,FALSE_NEGATIVE, or the "
    "word estimate. By default no errors.",
)
@takes_replicates(
    None,
    f"Number of bootstrap replicates; by default {_REPLICATES}, or {_FEWER} of effects.",
)
@takes_dask
@click.option(
    "--table/--no-table",
    default=None,
    help=f"Print the support of every possible edge; by default up to {_NARROW} events.",
)
@click.option(
    "--tests/--no-tests", default=None, help="Test each edge of the model; by default yes."
)
@writes_files("the counts")
@saves_recipe
@prints_json
def bootstrap(
    load: "Callable[[], Curated]",
    method: str,
    kind: Any,
    errors: str | None,
    replicates: int | None,
    seed: int,
    jobs: int | None,
    dask: str | None,
    table: bool | None,
    tests: bool | None,
    output: tuple[str, ...],
    guard_formulas: bool,
    as_json: bool,
    **options: str | None,
) -> None:
    """Estimate the support of each edge or effect by a bootstrap.

    Prints the model with the support of each edge, which is the share of replicates in which the
    event has the same parent; then the support of every possible edge, with a star at those of the
    model, and p-values of the edges. For a model of effects (mhn), prints base rates and the
    strongest effects with their intervals, and how often each effect was found. After an
    interruption (Ctrl-C), the replicates done so far are reported.

    \b
    Examples:
      caprese bootstrap ovarian --replicates 10000
      caprese bootstrap ovarian --method oncotree --kind parametric --errors 0.21,0.027
      caprese bootstrap tumours.csv -o confidence.json -o tree.svg
      caprese bootstrap tumours.csv --noise estimate --replicates 20
      caprese bootstrap tumours.csv --method mhn -o effects.csv
    """
    from caprese.assessment.effects import has_effects
    from caprese.io.documents import confidence_text, effects_text
    from caprese.io.json.fits import encode_method

    chosen = chosen_method(method, options)
    settings: dict[str, Any] = {"kind": kind, "seed": seed, "jobs": jobs}
    rates = _rates(errors, kind)
    curated = load()
    fit = fitted(chosen, curated, more=replicates or _REPLICATES)
    of_effects = has_effects(fit)
    if of_effects:
        _refuse_options_of_edges(kind, errors=errors, table=table, tests=tests)
        check_effect_files(output)
    else:
        settings["noise"] = rates
    requested = replicates or (_FEWER if of_effects else _REPLICATES)
    click.get_current_context().params["replicates"] = requested  # for the recipe
    with cluster(dask):
        found = bootstrapped(fit, curated.data, replicates=requested, **settings)
    about = {"method": encode_method(chosen), "kind": kind}
    if of_effects:
        text, support = effects_text(found, **about), None
    else:
        text, support = confidence_text(found, **about, noise=errors), found
    shown = found if of_effects else fit
    if output:
        from caprese.recipe.formats import formats_of, write_files

        write_files((output, formats_of(shown, support, text=text, guard_formulas=guard_formulas)))
    if as_json:
        say(text)
    elif of_effects:
        _say_blocks(_effect_blocks(fit, found))
    else:
        _say_blocks(_edge_blocks(fit, found, curated.data, table, tests, seed))
    exit_if_interrupted(found.replicates, requested)


def _say_blocks(blocks: list[list[str]]) -> None:
    say([line for block in blocks if block for line in ("", *block)][1:])


def _edge_blocks(
    fit: "Fit[Any, Any]",
    found: "Confidence",
    data: "Dataset",
    table: bool | None,
    tests: bool | None,
    seed: int,
) -> list[list[str]]:
    from caprese.assessment.edge_tests import edge_tests
    from caprese.text.support import confidence_lines, edge_test_lines, table_lines

    width = terminal_width()
    narrow = len(data.events) <= _NARROW
    tested = tests is not False and fit.model.edges
    return [
        confidence_lines(fit, found, terminal_style(), width),
        table_lines(found, width) if table or (table is None and narrow) else [],
        edge_test_lines(edge_tests(fit, data, seed=seed), width) if tested else [],
    ]


def _effect_blocks(fit: "Fit[Any, Any]", found: "EffectConfidence") -> list[list[str]]:
    from caprese.text.fits import fit_lines
    from caprese.text.support import effect_confidence_lines

    style, width = terminal_style(), terminal_width()
    return [fit_lines(fit, None, style, width), effect_confidence_lines(found, style, width)]


def _refuse_options_of_edges(kind: str, **options: object) -> None:
    given = ["--kind statistical"] if kind == "statistical" else []
    given += [
        f"--no-{name}" if value is False else f"--{name}"
        for name, value in options.items()
        if value is not None
    ]
    if given:
        raise click.UsageError(f"{given[0]} is for models with edges, and this model has none")


def _rates(text: str | None, kind: str) -> Any:
    from caprese.methods.parameters import check_rates, parse_noise

    if text is None:
        return None
    if kind != "parametric":
        raise click.UsageError(
            "--errors needs --kind parametric; resampled data has errors already"
        )
    return check_rates("errors", parse_noise(text))
