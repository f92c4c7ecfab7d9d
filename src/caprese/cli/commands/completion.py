"""caprese completion."""

import click

_SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print a completion script for your shell.")
@click.argument("shell", metavar="SHELL", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Print a script that makes your shell complete commands, options and names.

    SHELL is bash, zsh or fish. Save the script once where the shell looks for completions, and
    start a new shell.

    \b
    Examples:
      caprese completion bash > ~/.local/share/bash-completion/completions/caprese
      caprese completion zsh > ~/.zfunc/_caprese
      caprese completion fish > ~/.config/fish/completions/caprese.fish
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None  # click supports every shell the argument allows
    root = click.get_current_context().find_root()
    click.echo(script(root.command, {}, "caprese", "_CAPRESE_COMPLETE").source())
