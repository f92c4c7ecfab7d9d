"""The command line: parse, call, print."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from caprese.errors import CapreseError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from caprese.methods.base import Method

_BAD_INPUT, _INTERRUPTED = 2, 130
_NARROW = 12  # events up to which a table of all pairs is easy to read
_METHOD_HELP = "How to infer: METHOD, or METHOD:PARAMETER=VALUE for options not listed here."
_COMPARED = ("caprese", "caprese:shrinkage=0.01", "oncotree", "oncotree:search=branching")


class MethodCommand(click.Command):
    """A command with the options of all methods, read from their fields when they are needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters and those of the methods it does not have itself."""
        own = super().get_params(ctx)
        taken = {parameter.name for parameter in own}
        return [*own, *(option for option in _method_options() if option.name not in taken)]


class Lines(click.Group):
    """Commands in the order in which they are written, not of the alphabet."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)


@click.group(cls=Lines, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="caprese", message="caprese %(version)s")
def cli() -> None:
    """Infer how a disease progresses from which samples carry which events.

    DATA is a CSV or TSV table of samples x events (0/1, true/false, empty or NA where unknown),
    - for standard input, or the name of embedded data: ovarian, acml.

    Start with: caprese fit ovarian
    """


def _delimiter(_ctx: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text in ("tab", "\\t"):
        return "\t"
    if text is not None and (len(text) != 1 or text in '"\r\n'):
        raise click.UsageError(f"--delimiter must be one character or the word tab, got {text!r}")
    return text


def _data(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what every command needs that reads data."""
    for decorate in (
        click.option(
            "--sample-names/--no-sample-names",
            default=None,
            help="Whether the first column holds sample names; found if not told.",
        ),
        click.option(
            "--delimiter",
            callback=_delimiter,
            help="What separates the columns: a character, or the word tab; found if not told.",
        ),
        click.argument("data"),
    ):
        command = decorate(command)
    return command


@cli.command(cls=MethodCommand)
@_data
@click.option("--method", default="caprese", show_default=True, help=_METHOD_HELP)
@click.option("-o", "--output", metavar="FILE", help="Also write the fit to FILE, as JSON.")
def fit(
    data: str,
    delimiter: str | None,
    sample_names: bool | None,
    method: str,
    output: str | None,
    **options: str | None,
) -> None:
    """Infer a progression and print it as a tree.

    Each event stands under its parent, with the share of samples that carry it, its probability
    once the parent has occurred, its score, and why it stands there.

    \b
    Examples:
      caprese fit ovarian
      caprese fit tumours.csv --shrinkage 0.01 -o model.json
      caprese fit tumours.csv --method oncotree --noise estimate
    """
    from caprese.io.fits import write_fit
    from caprese.io.sources import read_dataset
    from caprese.report.terminal import fit_lines

    chosen = _method(method, options)
    result = chosen.fit(read_dataset(data, delimiter=delimiter, sample_names=sample_names))
    if output is not None:
        write_fit(result, output)
    click.echo("\n".join(fit_lines(result)))


@cli.command()
@_data
@click.option(
    "-m",
    "--method",
    "methods",
    multiple=True,
    metavar="METHOD[:PARAMETER=VALUE]...",
    default=_COMPARED,
    show_default="caprese with two shrinkages, both kinds of oncotree",
    help="A method to compare; may be given several times.",
)
def compare(
    data: str, delimiter: str | None, sample_names: bool | None, methods: tuple[str, ...]
) -> None:
    """Fit several methods to the same data and print their answers side by side.

    Each event with its parent under each method, a star where it differs from the first; then how
    likely the data is under each forest seen through errors, with the likeliest error rates.

    \b
    Examples:
      caprese compare ovarian
      caprese compare tumours.csv -m caprese -m caprese:noise=estimate -m oncotree
    """
    from caprese.comparison import compare as compared
    from caprese.io.sources import read_dataset
    from caprese.methods import parse_method
    from caprese.report.side_by_side import comparison_lines

    try:
        chosen = [parse_method(text) for text in methods]
    except ValueError as error:
        raise click.UsageError(f"--method: {error}") from None
    table = read_dataset(data, delimiter=delimiter, sample_names=sample_names)
    click.echo("\n".join(comparison_lines(compared(chosen, table))))


@cli.command(cls=MethodCommand)
@_data
@click.option("--method", default="caprese", show_default=True, help=_METHOD_HELP)
@click.option(
    "--kind",
    type=click.Choice(["nonparametric", "parametric"]),
    default="nonparametric",
    show_default=True,
    help="Resample the samples, or draw them from the fitted forest.",
)
@click.option(
    "--noise",
    metavar="RATES",
    help="Parametric: errors to add, FALSE_POSITIVE,FALSE_NEGATIVE or the word estimate.",
)
@click.option("--replicates", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--jobs", type=click.IntRange(1), help="Workers; as many as cores if not told.")
@click.option("--dask", metavar="ADDRESS", help="Let the workers of a dask cluster do the fits.")
@click.option(
    "--table/--no-table",
    default=None,
    help="Print the support of every possible edge; by default up to 12 events.",
)
@click.option("--tests/--no-tests", default=True, help="Test each edge of the forest.")
@click.option("-o", "--output", metavar="FILE", help="Also write the counts to FILE, as JSON.")
def bootstrap(
    data: str,
    delimiter: str | None,
    sample_names: bool | None,
    method: str,
    kind: Any,
    noise: str | None,
    replicates: int,
    seed: int,
    jobs: int | None,
    dask: str | None,
    table: bool | None,
    tests: bool,
    output: str | None,
    **options: str | None,
) -> None:
    """Tell how often each edge comes back when the data is drawn anew.

    Prints the forest with the support of each edge: the share of the replicates in which the event
    had the same parent. Then the support of every possible edge, a star at those of the forest, and
    tests of whether chance alone could have made them.

    \b
    Examples:
      caprese bootstrap ovarian --replicates 10000
      caprese bootstrap ovarian --method oncotree --kind parametric --noise 0.21,0.027
      caprese bootstrap tumours.csv --method caprese:noise=estimate -o confidence.json
    """
    from caprese import confidence as confidences
    from caprese.io.confidences import write_confidence
    from caprese.io.fits import encode_method
    from caprese.io.sources import read_dataset
    from caprese.progress import progress_bar
    from caprese.report.support import confidence_lines, table_lines, test_lines
    from caprese.significance import edge_tests

    chosen = _method(method, options)
    rates = _noise(noise, kind)
    dataset = read_dataset(data, delimiter=delimiter, sample_names=sample_names)
    fitted = chosen.fit(dataset)
    with _cluster(dask), progress_bar("replicates", replicates) as progress:
        found = confidences.bootstrap(
            chosen,
            dataset,
            kind=kind,
            noise=rates,
            replicates=replicates,
            seed=seed,
            jobs=jobs,
            progress=progress,
        )
    if output is not None:
        about = {"method": encode_method(chosen), "kind": kind, "noise": noise}
        write_confidence(found, output, **about)
    blocks = [confidence_lines(fitted, found)]
    if table or (table is None and len(dataset.events) <= _NARROW):
        blocks.append(table_lines(found))
    if tests and fitted.model.edges:
        blocks.append(test_lines(edge_tests(fitted, dataset, seed=seed)))
    click.echo("\n\n".join("\n".join(block) for block in blocks))
    if found.replicates < replicates:
        click.echo(f"caprese: interrupted after {found.replicates} of {replicates}", err=True)
        sys.exit(_INTERRUPTED)


@cli.command()
@click.option("--events", type=click.IntRange(1), default=20, show_default=True)
@click.option("--trees", type=click.IntRange(1), default=1, show_default=True)
@click.option("--samples", type=click.IntRange(1), default=250, show_default=True)
@click.option(
    "--noise",
    default="0",
    show_default=True,
    metavar="NU or RATES",
    help="Share of entries that become a fair coin's; or FALSE_POSITIVE,FALSE_NEGATIVE.",
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--truth", metavar="FILE", help="Where to write the forest itself, as JSON.")
@click.option("-o", "--output", metavar="FILE", required=True, help="Where to write the data.")
def simulate(
    events: int, trees: int, samples: int, noise: str, seed: int, truth: str | None, output: str
) -> None:
    """Make a random forest as the paper does, and write data drawn from it.

    \b
    Examples:
      caprese simulate -o data.csv --truth truth.json
      caprese simulate --events 10 --samples 1000 --noise 0.1 --seed 7 -o data.csv
    """
    import numpy as np

    from caprese.io.forests import write_forest
    from caprese.io.tables import write_table
    from caprese.simulation import ForestRecipe

    try:
        recipe, errors = ForestRecipe(events=events, trees=trees), _simulated_noise(noise)
    except ValueError as error:
        raise click.UsageError(f"--{error}") from None
    rng = np.random.default_rng(seed)
    forest = recipe.draw(rng)
    write_table(errors.corrupt(forest.sample(samples, rng), rng), output)
    if truth is not None:
        write_forest(forest, truth)


@cli.command()
@click.argument("name", required=False)
@click.option("-o", "--output", metavar="DIR", help="Where everything goes.")
@click.option("--trees", type=click.IntRange(1), help="Random trees; 100 if not told.")
@click.option("--replicates", type=click.IntRange(1), help="Data sets of each; 10 if not told.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--jobs", type=click.IntRange(1), help="Workers; as many as cores if not told.")
@click.option("--dask", metavar="ADDRESS", help="Let the workers of a dask cluster do the work.")
@click.option("--quick", is_flag=True, help="10 trees, 2 data sets of each: a first look.")
def study(
    name: str | None,
    output: str | None,
    trees: int | None,
    replicates: int | None,
    seed: int,
    jobs: int | None,
    dask: str | None,
    quick: bool,
) -> None:
    """Repeat an experiment of the paper; without a name, list them.

    Writes table.csv, settings.json, figure.png and figure.svg into the folder. An interrupted study
    goes on where it was when the same command is given again.

    \b
    Examples:
      caprese study
      caprese study noise-free -o noise-free
      caprese study lambda --quick -o lambda
    """
    from caprese.progress import progress_bar
    from caprese.studies import STUDIES
    from caprese.studies.runner import run_study

    if name is None:
        width = max(map(len, STUDIES))
        lines = [f"{each:{width}}  {kind.about}" for each, kind in STUDIES.items()]
        click.echo("\n".join(lines))
        return
    if name not in STUDIES:
        raise click.UsageError(f"study must be one of {', '.join(STUDIES)}, got {name!r}")
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output'.")
    told = {"trees": trees or 10 * quick, "replicates": replicates or 2 * quick, "seed": seed}
    chosen = STUDIES[name](**{key: value for key, value in told.items() if value})
    cells = len(list(chosen.cells()))
    with _cluster(dask), progress_bar("conditions", cells) as progress:
        run_study(chosen, output, jobs=jobs, progress=progress)
    click.echo(f"{output}: table.csv, settings.json, figure.png, figure.svg")


@cli.command()
@click.argument("model")
def show(model: str) -> None:
    """Print a fit written by `caprese fit -o`.

    \b
    Example:
      caprese show model.json
    """
    from caprese.io.fits import read_fit
    from caprese.report.terminal import fit_lines

    click.echo("\n".join(fit_lines(read_fit(model))))


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; bad input gives one line and exit code 2, never a traceback."""
    try:
        cli.main(args=arguments, prog_name="caprese", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
    except click.ClickException as error:
        _fail(error.format_message())
    except CapreseError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (KeyboardInterrupt, click.Abort):
        click.echo("caprese: interrupted", err=True)
        sys.exit(_INTERRUPTED)


def _fail(message: str) -> None:
    click.echo(f"caprese: {' '.join(message.split())}", err=True)
    sys.exit(_BAD_INPUT)


def _method_options() -> list[click.Parameter]:
    from caprese.methods import METHODS

    users: dict[str, list[str]] = {}
    about: dict[str, str] = {}
    for name, method in METHODS.items():
        for field in fields(method):
            users.setdefault(field.name, []).append(name)
            about.setdefault(field.name, f"{field.metadata['about']} [default: {field.default}]")
    return [
        click.Option(
            [f"--{parameter.replace('_', '-')}", parameter],
            help=f"{', '.join(names)}: {about[parameter]}",
        )
        for parameter, names in users.items()
    ]


def _method(text: str, options: dict[str, str | None]) -> "Method":
    from caprese.methods import make_method, split_method

    name, given = split_method(text)
    given |= {parameter: value for parameter, value in options.items() if value is not None}
    try:
        return make_method(name, given)
    except ValueError as error:
        raise click.UsageError(f"--{error}") from None


def _noise(text: str | None, kind: str) -> Any:
    from caprese.methods.recovery import parse_noise

    if text is None:
        return None
    if kind == "nonparametric":
        raise click.UsageError("--noise is for --kind parametric; resamples have errors already")
    try:
        return parse_noise(text)
    except ValueError as error:
        raise click.UsageError(f"--noise {error}") from None


def _simulated_noise(text: str) -> Any:
    from caprese.methods.recovery import parse_noise
    from caprese.models.noise import Noise

    if "," in text:
        return parse_noise(text)
    try:
        nu = float(text)
    except ValueError:
        raise ValueError(f"noise must be a number or two rates, got {text!r}") from None
    return Noise.uniform(nu)


def _cluster(address: str | None) -> "AbstractContextManager[Any]":
    """Return a context in which joblib's work goes to a dask cluster, if there is one."""
    if address is None:
        return nullcontext()
    try:
        from distributed import Client
    except ImportError:
        raise click.UsageError("--dask needs the extra dask: pip install 'caprese[dask]'") from None
    from joblib import parallel_config

    try:
        Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--dask {address}: {error}") from None
    cluster: AbstractContextManager[Any] = parallel_config(backend="dask")
    return cluster
