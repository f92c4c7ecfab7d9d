"""The command line: parse, call, print; one file for each command."""

from caprese.cli.main import cli, main

__all__ = ["cli", "main"]
