"""What a user got wrong, in one line."""

import click

from caprese._core.spelling import did_you_mean


def told(error: click.ClickException) -> str:
    """Return the line that says what was wrong with the words of a command."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        return _no_such_option(error.option_name, error.ctx)
    return error.format_message()


def _no_such_option(name: str, ctx: click.Context) -> str:
    own = [option for each in ctx.command.get_params(ctx) for option in _names(each)]
    problem = f"{ctx.info_name} has no option {name!r}"
    return problem + (did_you_mean(name, own) or _who_has(name, ctx))


def _who_has(name: str, ctx: click.Context) -> str:
    """Tell which other commands have an option."""
    root = ctx.find_root().command
    commands = root.commands if isinstance(root, click.Group) else {}
    owners = [
        owner
        for owner, command in commands.items()
        if any(name in _names(each) for each in command.params)
    ]
    return f"; {', '.join(owners)} {'has' if len(owners) == 1 else 'have'} it" if owners else ""


def _names(parameter: click.Parameter) -> list[str]:
    names = [*parameter.opts, *parameter.secondary_opts]
    return [name for name in names if name.startswith("-")]
