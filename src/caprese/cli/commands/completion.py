"""caprese completion, and what words are completed to."""

import os
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

import click
from click.shell_completion import CompletionItem

_SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Let your shell complete commands and names.")
@click.argument("shell", metavar="SHELL", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Print the script by which a shell completes commands, options and names.

    SHELL is bash, zsh or fish. Save it once where your shell looks for it, and start a new shell.

    \b
    Examples:
      caprese completion bash > ~/.local/share/bash-completion/completions/caprese
      caprese completion zsh > ~/.zfunc/_caprese
      caprese completion fish > ~/.config/fish/completions/caprese.fish
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None  # click knows all that the argument allows
    root = click.get_current_context().find_root()
    click.echo(script(root.command, {}, "caprese", "_CAPRESE_COMPLETE").source())


def files(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of a file."""
    return [CompletionItem(start, type="file")]


def data_names(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of embedded data, or of a file or folder.

    What stands here is listed, since bash shows either names or files; a shell that is left to
    find files finds them in other folders too.
    """
    here = [f"{path.name}/" if path.is_dir() else path.name for path in sorted(Path().iterdir())]
    plain = [name for name in here if not name.startswith(".") and len(name.split()) == 1]
    known = [name for name in (*embedded_names(), *plain) if name.startswith(start)]
    return [CompletionItem(name) for name in known if os.sep not in start] or [
        CompletionItem(start, type="file")
    ]


def embedded_names() -> list[str]:
    """Return the names of embedded data, a module each, without loading what reads it.

    Examples
    --------
    >>> embedded_names()
    ['acml', 'ovarian']
    """
    package = find_spec("caprese.data.embedded")
    assert package is not None  # it is part of this program
    return sorted(module.name for module in iter_modules(package.submodule_search_locations))


def method_names(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of a method."""
    from caprese.methods import METHODS

    return [CompletionItem(name) for name in METHODS if name.startswith(start)]


def format_names(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of a format of data."""
    from caprese.io.data.sources import READERS

    return [CompletionItem(name) for name in READERS if name.startswith(start)]


def study_names(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of a study."""
    from caprese.studies import STUDIES

    return [
        CompletionItem(name, help=study.about)
        for name, study in STUDIES.items()
        if name.startswith(start)
    ]
