"""caprese judge."""

from typing import Any

import click

from caprese._core.checks import whole
from caprese._core.files import MULTIQC
from caprese._core.progress import progress_bars
from caprese.cli.computing import cluster, foretell, takes_dask, takes_jobs, takes_seed
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.declaring import Checked
from caprese.cli.options.methods import takes_methods, tell_of_unusable_methods
from caprese.cli.options.outputs import PICTURES, OutputFile, takes_output
from caprese.cli.options.recipes import saves_recipe
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.cli.sections import SectionCommand
from caprese.recipe.parts import DOCUMENT, Judging


@click.command(cls=SectionCommand, short_help="Find out which method predicts best.")
@curates_data
@takes_methods(
    (),
    help="A method to judge; or a file with a fit, a model, a table of edges or GraphML, of which "
    "the structure is kept. May be given several times. Independent events are always judged too. "
    "By default all methods that the budget allows.",
)
@click.option(
    "--budget",
    metavar="TIME",
    help="Without -m: how long all fits may take on one core, such as 60s or 2m; methods that take "
    "longer by the size of the data are left out, and named.  [default: 60s]",
)
@click.option("--folds", type=Checked(whole, 2), default=5, show_default=True, help="Folds.")
@click.option(
    "--repeats",
    type=Checked(whole, 1),
    default=1,
    show_default=True,
    help="How often the samples are divided into folds.",
)
@click.option("--quick", is_flag=True, help="Hold out only one of the folds: a single split.")
@click.option(
    "--plan",
    is_flag=True,
    help="Also say with how many samples an order, and its directions, would be decided: by data "
    "simulated from the best fit.",
)
@takes_seed
@takes_jobs
@takes_dask
@takes_output(
    OutputFile(DOCUMENT, *PICTURES, *MULTIQC, holds="judgement"),
    multiple=True,
    help="Also write to FILE: .json for all numbers; .svg, .png or .pdf for a picture of the "
    "gains; _mqc.json or _mqc.tsv for MultiQC. May be given several times.",
)
@saves_recipe
@prints_json
def judge(
    jobs: int | None, dask: str | None, output: tuple[str, ...], as_json: bool, **given: Any
) -> None:
    """Judge methods by how well they predict samples that they have not seen.

    Divides the samples into folds, fits each method to all folds but one, and predicts the samples
    of that one. Prints which methods are judged, and which are left out; a verdict; the mean
    log-probability of a held-out sample under each method, with the gain over independent events;
    and how well a hidden entry is predicted from the rest of its sample. Where a patient has
    several samples of known order, also how well the later one is predicted from the earlier one.

    \b
    Examples:
      caprese judge ovarian
      caprese judge ovarian -m caprese -m likelihood -o gains.svg
      caprese judge tumours.csv --quick -o judged.json
      caprese judge acml --plan
      caprese judge tumours.csv -m model.json -m oncotree --folds 5
      caprese judge cohort.maf.gz -m oncotree --patients names --folds 4
      caprese judge series.csv -m cbn --patients dates.csv:patient --sampled-at dates.csv:date
    """
    from caprese.assessment.referee import Choice
    from caprese.io.documents import document_text
    from caprese.recipe.formats import formats_of, write_files
    from caprese.recipe.results import candidates_of, judged
    from caprese.text.columns import separated
    from caprese.text.comparison import choice_lines, finding_lines
    from caprese.text.inspection import log_lines

    asked = Judging.among(given)
    candidates = candidates_of(asked)
    tell_of_unusable_methods()

    def announce(choice: Choice) -> None:
        if not as_json:
            say([*choice_lines(choice), ""])

    with cluster(dask, jobs) as workers:
        loaded = load(given)
        curated, rules = loaded.divided()
        foretell(candidates.values(), curated.data, asked.fits)
        settings: dict[str, Any] = {"jobs": workers, "announce": announce}
        with progress_bars():
            series = loaded.series()
            found = judged(asked, candidates, curated.data, rules, series=series, **settings)
    write_files((output, formats_of(found)))
    if as_json:
        say(document_text(found))
        return
    lines = finding_lines(found, terminal_style(), terminal_width())
    say(separated(lines, log_lines(curated.log)))
