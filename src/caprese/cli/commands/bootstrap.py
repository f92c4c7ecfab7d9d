"""caprese bootstrap."""

from collections.abc import Mapping
from typing import Any

import click

import caprese
from caprese._core.checks import one_of
from caprese.cli.computing import (
    bootstrapped,
    cluster,
    exit_if_interrupted,
    fitted,
    takes_dask,
    takes_replicates,
)
from caprese.cli.options.completion import among
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.declaring import Checked
from caprese.cli.options.methods import MethodCommand, chosen_method, takes_method
from caprese.cli.options.outputs import check_effect_files, writes_files
from caprese.cli.options.recipes import saves_recipe
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.recipe.parts import Bootstrap

KINDS = ("nonparametric", "parametric", "statistical")
_NARROW = 12  # events up to which a table of all pairs is easy to read
_REPLICATES, _FEWER = 1000, 100  # by default, of edges and of effects


@click.command(cls=MethodCommand, short_help="Estimate the support of each edge or effect.")
@curates_data
@takes_method()
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
@writes_files("the counts", "confidence")
@saves_recipe
@prints_json
def bootstrap(
    dask: str | None, output: tuple[str, ...], guard_formulas: bool, as_json: bool, **given: Any
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
    from caprese.text.columns import separated

    chosen = chosen_method(given)
    rates = _rates(given)
    with cluster(dask, given["jobs"]) as jobs:
        curated = load(given).curated()
        fit = fitted(chosen, curated, more=given["replicates"] or _REPLICATES)
        settings = {"kind": given["kind"], "seed": given["seed"], "jobs": jobs}
        of_effects = has_effects(fit)
        if of_effects:
            _refuse_options_of_edges(given)
            check_effect_files(output)
        else:
            settings["noise"] = rates
        requested = given["replicates"] or (_FEWER if of_effects else _REPLICATES)
        click.get_current_context().params["replicates"] = requested  # for the recipe
        found = bootstrapped(fit, curated.data, replicates=requested, **settings)
    if output or as_json:
        from caprese.recipe.formats import document, support_formats, write_files

        asked = Bootstrap.among(given)
        formats = support_formats(fit, found, asked, guard_formulas=guard_formulas)
        write_files((output, formats))
    if as_json:
        say(document(formats))
    else:
        blocks = (
            _effect_blocks(fit, found)
            if of_effects
            else _edge_blocks(fit, found, curated.data, given)
        )
        say(separated(*blocks))
    exit_if_interrupted(found.replicates, requested)


def _edge_blocks(
    fit: "caprese.Fit[Any, Any]",
    found: "caprese.Confidence",
    data: "caprese.Dataset",
    given: Mapping[str, Any],
) -> list[list[str]]:
    from caprese.text.support import confidence_lines, edge_test_lines, table_lines

    width, table = terminal_width(), given["table"]
    narrow = len(data.events) <= _NARROW
    tested = given["tests"] is not False and fit.model.edges
    return [
        confidence_lines(fit, found, terminal_style(), width),
        table_lines(found, width) if table or (table is None and narrow) else [],
        edge_test_lines(caprese.edge_tests(fit, data, seed=given["seed"]), width) if tested else [],
    ]


def _effect_blocks(
    fit: "caprese.Fit[Any, Any]", found: "caprese.EffectConfidence"
) -> list[list[str]]:
    from caprese.text.fits import fit_lines
    from caprese.text.support import effect_confidence_lines

    style, width = terminal_style(), terminal_width()
    return [fit_lines(fit, None, style, width), effect_confidence_lines(found, style, width)]


def _refuse_options_of_edges(given: Mapping[str, Any]) -> None:
    options = ["--kind statistical"] if given["kind"] == "statistical" else []
    options += [
        f"--no-{name}" if given[name] is False else f"--{name}"
        for name in ("errors", "table", "tests")
        if given[name] is not None
    ]
    if options:
        raise click.UsageError(f"{options[0]} is for models with edges, and this model has none")


def _rates(given: Mapping[str, Any]) -> Any:
    """Return the error rates of a parametric bootstrap, if they are given."""
    from caprese.methods.parameters import check_rates, parse_noise

    if given["errors"] is None:
        return None
    if given["kind"] != "parametric":
        raise click.UsageError(
            "--errors needs --kind parametric; resampled data has errors already"
        )
    return check_rates("errors", parse_noise(given["errors"]))
