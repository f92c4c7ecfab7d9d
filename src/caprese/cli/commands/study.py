"""caprese study."""

import click

from caprese._core.spelling import did_you_mean
from caprese.cli.commands.completion import files, study_names
from caprese.cli.options.methods import cluster
from caprese.cli.options.outputs import folder_to_write
from caprese.cli.printing import prints_json, say


@click.command(short_help="Repeat an experiment of the paper.")
@click.argument("name", required=False, shell_complete=study_names)
@click.option(
    "-o",
    "--output",
    callback=folder_to_write,
    metavar="DIR",
    shell_complete=files,
    help="Where everything goes.",
)
@click.option("--trees", type=click.IntRange(1), help="Random trees; 100 if not told.")
@click.option("--replicates", type=click.IntRange(1), help="Data sets of each; 10 if not told.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--jobs", type=click.IntRange(1), help="Workers; as many as cores if not told.")
@click.option("--dask", metavar="ADDRESS", help="Let the workers of a dask cluster do the work.")
@click.option("--quick", is_flag=True, help="10 trees, 2 data sets of each: a first look.")
@prints_json
def study(
    name: str | None,
    output: str | None,
    trees: int | None,
    replicates: int | None,
    seed: int,
    jobs: int | None,
    dask: str | None,
    quick: bool,
    as_json: bool,
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
    from caprese._core.progress import progress_bars
    from caprese.studies import STUDIES
    from caprese.studies.runner import run_study

    if name is None:
        say(_listed(as_json))
        return
    if as_json:
        raise click.UsageError("--json is for the list of studies; a study writes its own files")
    if name not in STUDIES:
        meant = did_you_mean(name, STUDIES)
        raise click.UsageError(f"study must be one of {', '.join(STUDIES)}, got {name!r}{meant}")
    if output is None:
        raise click.UsageError(f"say where the files go: caprese study {name} -o DIR")
    told = {"trees": trees or 10 * quick, "replicates": replicates or 2 * quick, "seed": seed}
    chosen = STUDIES[name](**{key: value for key, value in told.items() if value})
    with cluster(dask), progress_bars():
        run_study(chosen, output, jobs=jobs)
    click.echo(f"{output}: table.csv, settings.json, figure.png, figure.svg")


def _listed(as_json: bool) -> str | list[str]:
    from caprese.io.json.envelope import envelope
    from caprese.studies import STUDIES

    if as_json:
        studies = [{"name": name, "about": study.about} for name, study in STUDIES.items()]
        return envelope("studies", 1, {"studies": studies})
    width = max(map(len, STUDIES))
    return [f"{name:{width}}  {study.about}" for name, study in STUDIES.items()]
