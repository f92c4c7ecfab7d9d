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
    from collections.abc import Sequence

    import numpy as np

    from caprese.data.dataset import Dataset
    from caprese.models.base import Sampled
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
@_option(
    "--subtypes",
    type=click.IntRange(1, 100),
    default=1,
    help="Number of groups of samples, equally large on average, each with a forest of its own.",
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
    "--truth",
    metavar="FILE",
    shell_complete=files,
    help="File for the model itself, as JSON. Of several subtypes, one file each: model.json "
    "becomes model.1.json, model.2.json, ...",
)
@click.option(
    "--genotypes",
    metavar="FILE",
    shell_complete=files,
    help="File for the samples before errors, CSV or TSV; of several subtypes, with a last column "
    "subtype.",
)
@takes_output(callback=checked_table, required=True, help="File for the data, CSV or TSV.")
def simulate(
    events: int,
    trees: int,
    parents: int,
    subtypes: int,
    samples: int,
    noise: str,
    seed: int,
    truth: str | None,
    genotypes: str | None,
    output: str,
) -> None:
    """Simulate a random forest or DAG as in the paper, and write data sampled from it.

    The same seed gives the same data. `caprese show` prints the model.

    \b
    Examples:
      caprese simulate -o data.csv --truth truth.json
      caprese simulate --events 10 --samples 1000 --noise 0.1 --seed 7 -o data.csv
      caprese simulate --events 10 --parents 3 -o data.csv --truth dag.json
      caprese simulate --noise 0.1 --subtypes 2 -o data.csv --genotypes before.csv
    """
    import numpy as np

    from caprese.io.data.tables import write_dataset
    from caprese.io.json.models import write_model
    from caprese.simulation.random_models import DagRecipe, ForestRecipe

    models = _numbered(truth, subtypes)
    if genotypes is not None and Path(genotypes).suffix.lower() not in (".csv", ".tsv", ".txt"):
        raise click.UsageError(f"--genotypes {genotypes} must end in .csv, .tsv or .txt")
    named = [("output", output), *(("truth", path) for path in models)]
    _check_places(named if genotypes is None else [*named, ("genotypes", genotypes)])
    if subtypes > 1 and parents > 1:
        raise click.UsageError("--subtypes are of forests; omit --parents")
    if trees > 1 and parents > 1:
        raise click.UsageError("--trees is for forests; omit it, or --parents, which gives a DAG")
    try:
        recipe = ForestRecipe(events=events, trees=trees)
        dag = DagRecipe(events=events, max_parents=parents)
        errors = _errors(noise)
    except ValueError as error:
        raise click.UsageError(f"--{error}") from None
    rng = np.random.default_rng(seed)
    drawn = [dag.draw(rng) if parents > 1 else recipe.draw(rng) for _ in range(subtypes)]
    before, groups = _samples(drawn, samples, rng)
    write_dataset(errors.corrupt(before, rng), output)
    if genotypes is not None:
        more = {} if groups is None else {"subtype": groups}
        write_dataset(before, genotypes, columns=more)
    for model, path in zip(drawn, models, strict=False):
        write_model(model, path)


def _samples(
    models: "Sequence[Sampled]", samples: int, rng: "np.random.Generator"
) -> "tuple[Dataset, list[str] | None]":
    """Return samples of all models together, and the number of the model of each."""
    import numpy as np

    from caprese.data.dataset import Dataset

    if len(models) == 1:
        return models[0].sample(samples, rng), None
    group = rng.integers(len(models), size=samples)
    parts = [model.sample(samples, rng).values for model in models]
    values = np.array(parts)[group, np.arange(samples)]
    return Dataset(values, models[0].events), [str(number + 1) for number in group]


def _numbered(path: str | None, number: int) -> list[str]:
    """Return the file, or one for each subtype: its number before the suffix."""
    if path is None:
        return []
    if number == 1:
        return [path]
    place = Path(path)
    return [str(place.with_suffix(f".{k + 1}{place.suffix}")) for k in range(number)]


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


def _check_places(named: "Sequence[tuple[str, str]]") -> None:
    """Refuse files of which not all could be written."""
    taken: dict[Path, str] = {}
    for option, path in named:
        place = Path(path).resolve()
        if place in taken:
            raise click.UsageError(f"--{option} and --{taken[place]} must be two files")
        if not place.parent.is_dir():
            raise click.UsageError(f"--{option} {path}: there is no folder {place.parent}")
        taken[place] = option
