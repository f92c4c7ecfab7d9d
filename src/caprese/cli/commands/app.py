"""caprese app."""

import os
from pathlib import Path

import click

from caprese._core.checks import whole
from caprese._core.environment import install_command
from caprese._core.words import listing
from caprese.cli.options.completion import data_names, embedded_names
from caprese.cli.options.declaring import Checked


@click.command(short_help="Open the live page in a browser.")
@click.argument("data", required=False, shell_complete=data_names)
@click.option(
    "--port", type=Checked(whole, 0, 65535), default=0, help="Port; by default any that is free."
)
@click.option(
    "--browser/--no-browser", default=True, help="Whether to open the browser; by default yes."
)
def app(data: str | None, port: int, browser: bool) -> None:
    """Open a live page on this machine: from a file to a judged progression by clicking.

    The page is served to this machine only, at an address that holds a secret; nothing is sent
    anywhere else. Ctrl-C, or closing the terminal, ends it and removes all that was uploaded.

    \b
    Examples:
      caprese app
      caprese app tumours.csv
      caprese app --no-browser --port 8000
    """
    try:
        from caprese.app.server import serve
    except ModuleNotFoundError as error:
        raise click.UsageError(
            f"the live page needs {error.name}: {install_command('app')}"
        ) from None

    if data and not (Path(data).exists() or data in embedded_names()):
        raise click.UsageError(
            f"{data}: no such file; there is embedded {listing(embedded_names())}"
        )

    def opened(address: str, page: Path) -> None:
        click.echo(address)
        if browser:
            click.launch(page.as_uri())  # all users see with which address a browser is started

    try:
        serve(data or "", port, opened)
    except OSError as error:
        raise click.UsageError(f"--port {port}: {os.strerror(error.errno or 0)}") from None
