"""caprese simulate."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from caprese.cli.options.completion import files
from caprese.cli.options.outputs import checked_table, takes_output
from caprese.cli.options.replicates import takes_seed
from caprese.cli.sections import SectionCommand

if TYPE_CHECKING:
    from caprese.models.noise import Noise

_option = partial(click.option, show_default=True)


@click.command(cls=SectionCommand, short_help="Simulate data from a random progression.")
@_option("--events", type=click.IntRange(1, 100_000), default=20, help="Number of events.")
@_option("--trees", type=click.IntRange(1), default=1, help="Number of trees of the forest.")
@_option(
    "--parents",
    type=click.IntRange(1),
    default=1,
    help="Maximum number of parents of an event; more than 1 gives a conjunctive DAG.",
)
@_option("--samples", type=click.IntRange(1, 10_000_000), default=250, help="Number of samples.")
@_option(
    "--noise",
    default="0",
    metavar="NU or RATES",
    help="Share of entries replaced by 0 or 1 at random, or FALSE_POSITIVE,FALSE_NEGATIVE.",
)
@takes_seed
@click.option(
    "--truth", metavar="FILE", shell_complete=files, help="File for the model itself, as JSON."
)
@takes_output(callback=checked_table, required=True, help="File for the data, CSV or TSV.")
def simulate(
    events: int,
    trees: int,
    parents: int,
    samples: int,
    noise: str,
    seed: int,
    truth: str | None,
    output: str,
) -> None:
    """Simulate a random forest or DAG as in the paper, and write data sampled from it.

    The same seed gives the same data. `caprese show` prints the model.

    \b
    Examples:
      caprese simulate -o data.csv --truth truth.json
      caprese simulate --events 10 --samples 1000 --noise 0.1 --seed 7 -o data.csv
      caprese simulate --events 10 --parents 3 -o data.csv --truth dag.json
    """
    import numpy as np

    from caprese.io.data.tables import write_dataset
    from caprese.io.json.models import write_model
    from caprese.simulation.recipes import DagRecipe, ForestRecipe

    _check_places(output, truth)
    if parents > 1 and trees > 1:
        raise click.UsageError("--trees is for forests; omit it, or --parents, which gives a DAG")
    try:
        forest = ForestRecipe(events=events, trees=trees)
        dag = DagRecipe(events=events, max_parents=parents)
        errors = _errors(noise)
    except ValueError as error:
        raise click.UsageError(f"--{error}") from None
    rng = np.random.default_rng(seed)
    model = dag.draw(rng) if parents > 1 else forest.draw(rng)
    write_dataset(errors.corrupt(model.sample(samples, rng), rng), output)
    if truth is not None:
        write_model(model, truth)


def _errors(text: str) -> "Noise":
    """Return the noise given as one number, the nu of the paper, or as two rates."""
    from caprese.models.noise import Noise

    numbers = text.split(",")
    try:
        rates = [float(number) for number in numbers]
        return Noise.uniform(*rates) if len(rates) == 1 else Noise(*rates)
    except (ValueError, TypeError):
        raise click.UsageError(
            f"--noise must be a number in [0, 1), or two rates that sum to less, got {text!r}"
        ) from None


def _check_places(output: str, truth: str | None) -> None:
    """Refuse files of which only one could be written."""
    if truth is None:
        return
    if Path(truth).resolve() == Path(output).resolve():
        raise click.UsageError("--truth and --output must be two files")
    folder = Path(truth).resolve().parent
    if not folder.is_dir():
        raise click.UsageError(f"--truth {truth}: there is no folder {folder}")
