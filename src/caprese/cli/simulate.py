"""caprese simulate."""

from typing import Any

import click


@click.command()
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
        recipe, errors = ForestRecipe(events=events, trees=trees), _errors(noise)
    except ValueError as error:
        raise click.UsageError(f"--{error}") from None
    rng = np.random.default_rng(seed)
    forest = recipe.draw(rng)
    write_table(errors.corrupt(forest.sample(samples, rng), rng), output)
    if truth is not None:
        write_forest(forest, truth)


def _errors(text: str) -> Any:
    from caprese.methods.recovery import parse_noise
    from caprese.models.noise import Noise

    if "," in text:
        return parse_noise(text)
    try:
        nu = float(text)
    except ValueError:
        raise ValueError(f"noise must be a number or two rates, got {text!r}") from None
    return Noise.uniform(nu)
