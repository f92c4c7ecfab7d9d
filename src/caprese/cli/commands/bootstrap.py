"""caprese bootstrap."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import MethodCommand, chosen_method, cluster, fitted, takes_method
from caprese.cli.options.outputs import write_files, writes_files
from caprese.cli.options.replicates import bootstrapped, exit_if_interrupted, takes_replicates
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width

if TYPE_CHECKING:
    from caprese.data.curation import Curated

_NARROW = 12  # events up to which a table of all pairs is easy to read


@click.command(cls=MethodCommand, short_help="Estimate the support of each edge.")
@curates_data
@takes_method
@click.option(
    "--kind",
    type=click.Choice(["nonparametric", "parametric", "statistical"]),
    default="nonparametric",
    show_default=True,
    help="Resample the samples, simulate them from the fitted model, or repeat a method that draws "
    "random numbers on the same data (statistical).",
)
@click.option(
    "--noise",
    metavar="RATES",
    help="Parametric: error rates of the simulated samples, FALSE_POSITIVE,FALSE_NEGATIVE, or the "
    "word estimate. By default no errors.",
)
@takes_replicates(1000)
@click.option("--dask", metavar="ADDRESS", help="Address of a dask cluster that computes the fits.")
@click.option(
    "--table/--no-table",
    default=None,
    help=f"Print the support of every possible edge; by default up to {_NARROW} events.",
)
@click.option(
    "--tests/--no-tests", default=True, help="Test each edge of the model; by default yes."
)
@writes_files("the counts")
@prints_json
def bootstrap(
    load: "Callable[[], Curated]",
    method: str,
    kind: Any,
    noise: str | None,
    replicates: int,
    seed: int,
    jobs: int | None,
    dask: str | None,
    table: bool | None,
    tests: bool,
    output: tuple[str, ...],
    guard_formulas: bool,
    as_json: bool,
    **options: str | None,
) -> None:
    """Estimate the support of each edge by a bootstrap.

    Prints the model with the support of each edge, which is the share of replicates in which the
    event has the same parent; then the support of every possible edge, with a star at those of the
    model, and p-values of the edges. After an interruption (Ctrl-C), the replicates done so far are
    reported.

    \b
    Examples:
      caprese bootstrap ovarian --replicates 10000
      caprese bootstrap ovarian --method oncotree --kind parametric --noise 0.21,0.027
      caprese bootstrap tumours.csv -o confidence.json -o tree.svg
      caprese bootstrap tumours.csv --method caprese:noise=estimate --replicates 20
    """
    from caprese.assessment.edge_tests import edge_tests
    from caprese.io.json.confidences import confidence_text
    from caprese.io.json.fits import encode_method
    from caprese.text.support import confidence_lines, edge_test_lines, table_lines

    chosen = chosen_method(method, options)
    rates = _noise(noise, kind)
    curated = load()
    dataset = curated.data
    fit = fitted(chosen, curated)
    settings = {"kind": kind, "noise": rates, "seed": seed, "jobs": jobs}
    with cluster(dask):
        found = bootstrapped(fit, dataset, replicates=replicates, **settings)
    about = {"method": encode_method(chosen), "kind": kind, "noise": noise}
    document = partial(confidence_text, found, **about)
    write_files(output, document, fit, found, guard_formulas=guard_formulas)
    if as_json:
        say(document())
    else:
        width = terminal_width()
        wide = len(dataset.events) > _NARROW
        blocks = [
            confidence_lines(fit, found, terminal_style(), width),
            table_lines(found, width) if table or (table is None and not wide) else [],
            edge_test_lines(edge_tests(fit, dataset, seed=seed), width)
            if tests and fit.model.edges
            else [],
        ]
        say([line for block in blocks if block for line in ("", *block)][1:])
    exit_if_interrupted(found.replicates, replicates)


def _noise(text: str | None, kind: str) -> Any:
    from caprese.methods.parameters import parse_noise

    if text is None:
        return None
    if kind != "parametric":
        raise click.UsageError("--noise needs --kind parametric; resampled data already has errors")
    try:
        return parse_noise(text)
    except ValueError as error:
        raise click.UsageError(f"--noise {error}") from None
