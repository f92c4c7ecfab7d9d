"""caprese app."""

import os
from errno import EADDRNOTAVAIL
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path
from typing import Any

import click

from caprese._core.checks import whole
from caprese._core.environment import install_command
from caprese._core.words import listing
from caprese.cli.options.completion import data_names, embedded_names
from caprese.cli.options.declaring import Checked
from caprese.errors import ParameterError


def _host(parameter: str, value: Any) -> str:
    """Return the address of a network card, such as that of a container."""
    try:
        return str(IPv4Address(value))
    except AddressValueError:
        raise ParameterError(parameter, "an IPv4 address such as 0.0.0.0", value) from None


@click.command(short_help="Open the live page in a browser.")
@click.argument("data", required=False, shell_complete=data_names)
@click.option(
    "--port", type=Checked(whole, 0, 65535), default=0, help="Port; by default any that is free."
)
@click.option(
    "--host",
    type=Checked(_host),
    metavar="ADDRESS",
    default="127.0.0.1",
    help="Address to listen on: 0.0.0.0 within a container, whose port is then published on "
    "127.0.0.1 only; by default 127.0.0.1, this machine only.",
)
@click.option(
    "--browser/--no-browser", default=True, help="Whether to open the browser; by default yes."
)
def app(data: str | None, port: int, host: str, browser: bool) -> None:
    """Open a live page on this machine: from a file to a judged progression by clicking.

    The page is served to this machine only, at an address that holds a secret; nothing is sent
    anywhere else. Ctrl-C, or closing the terminal, ends it and removes all that was uploaded.

    \b
    Examples:
      caprese app
      caprese app tumours.csv
      caprese app --no-browser --port 8000
      caprese app --no-browser --port 8000 --host 0.0.0.0
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
        serve(data or "", host, port, opened)
    except OSError as error:
        refused = f"--host {host}" if error.errno == EADDRNOTAVAIL else f"--port {port}"
        raise click.UsageError(f"{refused}: {os.strerror(error.errno or 0)}") from None
