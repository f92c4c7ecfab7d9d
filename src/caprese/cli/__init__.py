"""The command line: parse, call, print. One file per command, one per group of shared options."""

from caprese.cli.main import cli, main

__all__ = ["cli", "main"]
