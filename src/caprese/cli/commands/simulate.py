"""caprese simulate."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

import caprese
from caprese._core.budget import check_size
from caprese._core.checks import whole
from caprese._core.files import all_or_none
from caprese.cli.computing import takes_seed
from caprese.cli.options.declaring import Checked
from caprese.cli.options.outputs import OutputFile, refuse_same, takes_output
from caprese.cli.options.overwriting import refuse_other_table, refuse_overwriting
from caprese.cli.sections import SectionCommand
from caprese.errors import ParameterError
from caprese.recipe.parts import DOCUMENT, TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from caprese.models.base import Sampled

_PER_ENTRY = 9  # bytes of memory: a random number, and whether the event is there

_option = partial(click.option, show_default=True)


@click.command(cls=SectionCommand, short_help="Simulate data from a random progression.")
@_option("--events", type=Checked(whole, 1, 100_000), default=20, help="Number of events.")
@_option("--trees", type=Checked(whole, 1), default=1, help="Number of trees of the forest.")
@_option(
    "--parents",
    type=Checked(whole, 1),
    default=1,
    help="Maximum number of parents of an event; more than 1 gives a conjunctive DAG.",
)
@_option(
    "--subtypes",
    type=Checked(whole, 1, 100),
    default=1,
    help="Number of groups of samples, equally large on average, each with a forest of its own.",
)
@_option("--samples", type=Checked(whole, 1, 10_000_000), default=250, help="Number of samples.")
@_option(
    "--errors",
    default="0",
    metavar="NU or RATES",
    help="Share of entries replaced by 0 or 1 at random, or FALSE_POSITIVE,FALSE_NEGATIVE.",
)
@takes_seed
@click.option(
    "--truth",
    type=OutputFile(DOCUMENT, holds="model", one_format=True),
    help="File for the model itself, as JSON. Of several subtypes, one file each: model.json "
    "becomes model.1.json, model.2.json, ...",
)
@click.option(
    "--genotypes",
    type=OutputFile(*TABLES, holds="table"),
    help="File for the samples before errors, CSV or TSV; of several subtypes, with a last column "
    "subtype.",
)
@takes_output(
    OutputFile(*TABLES, holds="table", one_format=True),
    required=True,
    help="File for the data, CSV or TSV.",
)
def simulate(
    events: int,
    trees: int,
    parents: int,
    subtypes: int,
    samples: int,
    errors: str,
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
      caprese simulate --events 10 --samples 1000 --errors 0.1 --seed 7 -o small.csv
      caprese simulate --events 10 --parents 3 -o several.csv --truth dag.json
      caprese simulate --errors 0.1 --subtypes 2 -o groups.csv --genotypes before.csv
    """
    import numpy as np

    models = _numbered(truth, subtypes)
    refuse_same([("--truth", path) for path in models] + [("--output", output)])
    ctx = click.get_current_context()
    refuse_overwriting(ctx, [("--truth", path, "model") for path in models])
    if subtypes > 1 and parents > 1:
        raise click.UsageError("--subtypes are of forests; omit --parents")
    if trees > 1 and parents > 1:
        raise click.UsageError("--trees is for forests; omit it, or --parents, which gives a DAG")
    noise = _noise(errors)
    check_size(
        f"{samples:,} samples of {events:,} events", subtypes * samples * events * _PER_ENTRY
    )
    forest = caprese.ForestRecipe(events=events, trees=trees)
    recipe = caprese.DagRecipe(events=events, max_parents=parents) if parents > 1 else forest
    rng = np.random.default_rng(seed)
    drawn = [recipe.draw(rng) for _ in range(subtypes)]
    before, groups = _samples(drawn, samples, rng)
    more = {} if groups is None else {"subtype": groups}
    refuse_other_table("--output", output, before)
    if genotypes is not None:
        refuse_other_table("--genotypes", genotypes, before, more)
    with all_or_none():
        caprese.write_dataset(noise.corrupt(before, rng), output)
        if genotypes is not None:
            caprese.write_dataset(before, genotypes, columns=more)
        for model, path in zip(drawn, models, strict=False):
            caprese.write_model(model, path)


def _samples(
    models: "Sequence[Sampled]", samples: int, rng: "np.random.Generator"
) -> "tuple[caprese.Dataset, list[str] | None]":
    """Return samples of all models together, and the number of the model of each."""
    import numpy as np

    if len(models) == 1:
        return models[0].sample(samples, rng), None
    group = rng.integers(len(models), size=samples)
    parts = [model.sample(samples, rng).values for model in models]
    values = np.array(parts)[group, np.arange(samples)]
    return caprese.Dataset(values, models[0].events), [str(number + 1) for number in group]


def _numbered(path: str | None, number: int) -> list[str]:
    """Return the file, or one for each subtype: its number before the suffix."""
    if path is None or number == 1:
        return [] if path is None else [path]
    place = Path(path)
    return [str(place.with_suffix(f".{k + 1}{place.suffix}")) for k in range(number)]


def _noise(text: str) -> "caprese.Noise":
    """Return the noise given as one number, the nu of the paper, or as two rates."""
    try:
        rates = [float(number) for number in text.split(",")]
        return caprese.Noise.uniform(*rates) if len(rates) == 1 else caprese.Noise(*rates)
    except (ValueError, TypeError):
        rule = "a number in [0, 1), or two rates that sum to less"
        raise ParameterError("errors", rule, text) from None
