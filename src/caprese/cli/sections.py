"""Help in sections, and groups of commands in the order in which they are used."""

from typing import Any

import click

from caprese._core.spelling import did_you_mean

OWN = "Options"


class SectionOption(click.Option):
    """An option that stands in a section of its own kind in the help."""

    def __init__(self, *names: Any, section: str = OWN, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.section = section


class SectionCommand(click.Command):
    """A command whose help lists its own options first, then those it shares with others."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, a section for each kind."""
        sections: dict[str, list[tuple[str, str]]] = {OWN: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections.setdefault(getattr(parameter, "section", OWN), []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


class InOrder(click.Group):
    """Commands in the order in which they are listed, not of the alphabet."""

    called = "command"

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is meant; suggest one if there is none of this name."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            meant = did_you_mean(name, self.commands) or f"; there are {', '.join(self.commands)}"
            raise click.UsageError(f"there is no {self.called} {name!r}{meant}", ctx)
        return super().resolve_command(ctx, args)
