"""Help texts: options in sections, commands in the order in which they are used."""

from collections.abc import Iterable
from typing import Any

import click

from caprese._core.words import did_you_mean
from caprese.cli.options.declaring import OWN
from caprese.cli.options.overwriting import check_overwriting
from caprese.cli.wording import worded


class SectionCommand(click.Command):
    """A command whose help lists its own options first, then those it shares with others."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless it would overwrite what it should not."""
        check_overwriting(ctx)
        with worded(ctx):
            return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by section."""
        write_sections(ctx, formatter, self.get_params(ctx))


def write_sections(
    ctx: click.Context, formatter: click.HelpFormatter, parameters: Iterable[click.Parameter]
) -> None:
    """Write options by section."""
    sections: dict[str, list[tuple[str, str]]] = {OWN: []}
    for parameter in parameters:
        record = parameter.get_help_record(ctx)
        if record is not None and isinstance(parameter, click.Option):
            sections.setdefault(getattr(parameter, "section", OWN), []).append(record)
    for title, records in sections.items():
        with formatter.section(title):
            formatter.write_dl(records)


class OrderedGroup(click.Group):
    """A group that lists its commands in the order in which they were added."""

    noun = "command"

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command of this name; suggest a similar one if there is none."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            similar = did_you_mean(name, self.commands)
            hint = similar or f"; there are {', '.join(self.commands)}"
            raise click.UsageError(f"there is no {self.noun} {name!r}{hint}", ctx)
        return super().resolve_command(ctx, args)
