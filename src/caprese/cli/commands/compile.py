"""caprese compile."""

import click

from caprese.cli.options.completion import method_names
from caprese.cli.options.replicates import takes_jobs


@click.command("compile", short_help="Compile now what the first use would compile.")
@click.argument("methods", metavar="[METHOD]...", nargs=-1, shell_complete=method_names)
@takes_jobs
def compile_methods(methods: tuple[str, ...], jobs: int | None) -> None:
    """Compile now, on all cores, what would be compiled at first use.

    The inner loops of each METHOD, by default of all, are compiled once and kept; it takes half a
    minute on two cores. Commands do it when they need it. Do it yourself where the first use should
    not wait: in the image of a container, or before many jobs start on a cluster.

    \b
    Examples:
      caprese compile
      caprese compile caprese mhn
    """
    from caprese._core.progress import progress_bars
    from caprese.compilation import compile_ahead
    from caprese.methods import parse_method

    try:
        for method in methods:
            parse_method(method)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    with progress_bars():
        compile_ahead(methods or None, jobs=jobs)
