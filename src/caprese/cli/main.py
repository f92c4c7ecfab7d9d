"""The command `caprese`: its subcommands, and how errors are reported."""

import atexit
import gc
import os
import signal
import sys
import threading
from io import TextIOWrapper
from typing import NoReturn

import click

from caprese._core.environment import BAD_INPUT, TERMINATED, cores, wants_older
from caprese._core.words import visible
from caprese.cli.commands.app import app
from caprese.cli.commands.atlas import atlas
from caprese.cli.commands.bootstrap import bootstrap
from caprese.cli.commands.compare import compare
from caprese.cli.commands.completion import completion
from caprese.cli.commands.curate import curate, inspect
from caprese.cli.commands.fit import fit
from caprese.cli.commands.judge import judge
from caprese.cli.commands.known import known
from caprese.cli.commands.methods import methods
from caprese.cli.commands.patients import patients
from caprese.cli.commands.plot import plot
from caprese.cli.commands.report import report
from caprese.cli.commands.run import run
from caprese.cli.commands.show import show
from caprese.cli.commands.simulate import simulate
from caprese.cli.commands.study import study
from caprese.cli.commands.whatif import whatif
from caprese.cli.computing import exit_interrupted
from caprese.cli.sections import OrderedGroup
from caprese.cli.wording import memory_message, usage_message
from caprese.errors import CapreseError

_NEW_OBJECTS = 100_000  # after which cycles of objects are sought


@click.group(cls=OrderedGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="caprese", message="caprese %(version)s")
def cli() -> None:
    """Infer how a disease progresses from which samples carry which events.

    DATA is a table of samples x events (CSV or TSV: 0/1, true/false, empty or NA where unknown), a
    MAF, a GISTIC or cBioPortal file, a cBioPortal study folder, - for standard input, or the name
    of embedded data: ovarian, acml, acml_full31, acml_selected17, aml_trees.

    \b
    Start with: caprese fit ovarian
    With a table of your own, first what to know about it:
      caprese inspect tumours.csv
    A tree to show? The orders that are known?
      caprese fit tumours.csv -o model.json -o tree.svg
      caprese bootstrap tumours.csv
      caprese known ovarian
    The best prediction?
      caprese judge ovarian
    My patients?
      caprese patients ovarian
    What would follow if an event were blocked?
      caprese whatif --help
    """
    try:
        cores()
        wants_older()
    except ValueError as error:
        raise click.ClickException(str(error)) from None


for command in (
    *(inspect, curate, fit, bootstrap, compare, judge, known, patients, whatif, report, atlas, run),
    *(app, plot, show, methods, simulate, study, completion),
):
    cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; an error is reported in one line, with exit code 2."""
    _collect_rarely()
    _replace_unprintable()
    _end_on_termination()
    os.environ.pop("MPLBACKEND", None)  # of windows, which no command opens
    try:
        cli.main(args=arguments, prog_name="caprese", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
    except click.ClickException as error:
        _fail(usage_message(error))
    except CapreseError as error:
        _fail(str(error))
    except MemoryError as error:
        _fail(memory_message(str(error), sys.argv[1:] if arguments is None else arguments))
    except BrokenPipeError:  # the reader of the output has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _fail(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except (KeyboardInterrupt, click.Abort):
        exit_interrupted()


def _collect_rarely() -> None:
    """Let Python search rarely for cycles of objects that are no longer used, and not at the end.

    There are few, and to look through all objects takes a tenth of a second.
    """
    gc.set_threshold(_NEW_OBJECTS, 10, 10)
    atexit.register(gc.freeze)


def _end_on_termination() -> None:
    """Let a request to terminate leave by the same way as an exit, ending workers, removing files.

    So does a terminal that is closed (SIGHUP), unless that is ignored, as by nohup.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, _: sys.exit(128 + number))


def _replace_unprintable() -> None:
    """Print a question mark for a character that the encoding of the output does not have.

    UTF-8 has them all but lone surrogates, as in names of files of another encoding; those are
    printed as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            utf = stream.encoding.lower().startswith("utf")
            stream.reconfigure(errors="backslashreplace" if utf else "replace")


def _fail(message: str) -> NoReturn:
    line = visible(" ".join(message.split()), longest=sys.maxsize)
    click.echo(f"caprese: {line}", err=True)
    sys.exit(BAD_INPUT)
