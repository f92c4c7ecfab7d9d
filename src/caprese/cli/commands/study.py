"""caprese study."""

import click

from caprese._core.checks import one_of, whole
from caprese._core.progress import progress_bars
from caprese.cli.computing import cluster, takes_dask, takes_jobs, takes_seed
from caprese.cli.options.completion import study_names
from caprese.cli.options.declaring import Checked
from caprese.cli.options.outputs import checked_folder
from caprese.cli.printing import prints_json, remark, say
from caprese.cli.sections import SectionCommand


@click.command(cls=SectionCommand, short_help="Repeat an experiment of the paper.")
@click.argument("name", required=False, shell_complete=study_names)
@click.option("-o", "--output", callback=checked_folder, metavar="DIR", help="Results folder.")
@click.option("--trees", type=Checked(whole, 1), help="Number of random trees; by default 100.")
@click.option("--replicates", type=Checked(whole, 1), help="Data sets per tree; by default 10.")
@takes_seed
@takes_jobs
@takes_dask
@click.option("--quick", is_flag=True, help="10 trees and 2 data sets per tree, for a first look.")
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
    """Repeat an experiment of the paper; without a name, list the experiments.

    Writes table.csv, settings.json, figure.png and figure.svg to the folder. To continue a study
    that was interrupted, run the same command again.

    \b
    Examples:
      caprese study
      caprese study noise-free -o noise-free
      caprese study lambda --quick -o lambda
    """
    from caprese.studies import STUDIES
    from caprese.studies.runner import run_study

    if name is None:
        say(_listed(as_json))
        return
    if as_json:
        raise click.UsageError("--json is for the list of studies; a study writes files")
    one_of("study", name, STUDIES)
    if output is None:
        raise click.UsageError(f"missing option -o: caprese study {name} -o DIR")
    sizes = {"trees": trees or 10 * quick, "replicates": replicates or 2 * quick}
    given = {"seed": seed} | {key: value for key, value in sizes.items() if value}
    chosen = STUDIES[name](**given)
    with cluster(dask, jobs) as workers, progress_bars():
        run_study(chosen, output, jobs=workers, told=remark)
    say([f"{output}: table.csv, settings.json, figure.png, figure.svg"])


def _listed(as_json: bool) -> str | list[str]:
    from caprese.io.json.codec import envelope
    from caprese.studies import STUDIES

    if as_json:
        studies = [{"name": name, "about": study.about} for name, study in STUDIES.items()]
        return envelope("studies", {"studies": studies})
    width = max(map(len, STUDIES))
    return [f"{name:{width}}  {study.about}" for name, study in STUDIES.items()]
