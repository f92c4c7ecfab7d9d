"""Usage errors, each as one line."""

import click

from caprese._core.spelling import did_you_mean


def usage_message(error: click.ClickException) -> str:
    """Return what was wrong with the arguments of a command."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        return _no_such_option(error.option_name, error.ctx)
    return error.format_message()


def _no_such_option(name: str, ctx: click.Context) -> str:
    own = [option for each in ctx.command.get_params(ctx) for option in _names(each)]
    problem = f"{ctx.info_name} has no option {name!r}"
    return problem + (did_you_mean(name, own) or _other_commands(name, ctx))


def _other_commands(name: str, ctx: click.Context) -> str:
    """Return the end of the message that names the commands with such an option."""
    root = ctx.find_root().command
    commands = root.commands if isinstance(root, click.Group) else {}
    others = [
        other
        for other, command in commands.items()
        if any(name in _names(each) for each in command.params)
    ]
    return f"; {', '.join(others)} {'has' if len(others) == 1 else 'have'} it" if others else ""


def _names(parameter: click.Parameter) -> list[str]:
    names = [*parameter.opts, *parameter.secondary_opts]
    return [name for name in names if name.startswith("-")]
