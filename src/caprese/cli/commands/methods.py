"""caprese methods."""

import re

import click

import caprese
from caprese.cli.options.completion import method_names
from caprese.cli.options.methods import tell_of_unusable_methods, write_parameters
from caprese.cli.printing import say
from caprese.cli.sections import SectionCommand


@click.command(cls=SectionCommand, short_help="List the methods and their parameters.")
@click.argument("method", required=False, shell_complete=method_names)
def methods(method: str | None) -> None:
    """List the methods and what they infer; with the name of a method, explain its parameters.

    \b
    Examples:
      caprese methods
      caprese methods bayes
    """
    from caprese.methods import method_named

    chosen = None if method is None else method_named(method)
    tell_of_unusable_methods()
    formatter = click.get_current_context().make_formatter()
    if method is None or chosen is None:
        formatter.write_dl([(name, _about(kind)[0]) for name, kind in caprese.METHODS.items()])
    else:
        for paragraph in _about(chosen):
            formatter.write_text(paragraph)
            formatter.write_paragraph()
        write_parameters(formatter, method)
    say(formatter.getvalue())


def _about(method: type) -> list[str]:
    """Return the paragraphs of a docstring, without its sections."""
    from inspect import cleandoc

    text = cleandoc(method.__doc__ or "")
    return re.split(r"\n\n(?=[A-Z]\w*\n---)", text)[0].split("\n\n")
