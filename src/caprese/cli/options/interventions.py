"""Options of interventions: events that are blocked or slowed, and what is to be reached."""

from collections.abc import Mapping
from typing import Any

import click

from caprese._core.checks import whole
from caprese.cli.options.declaring import Checked, together
from caprese.recipe.parts import one_goal, slow_factors

takes_change = together(
    click.option(
        "--block",
        multiple=True,
        metavar="EVENT",
        help="An event that no longer occurs. May be given several times.",
    ),
    click.option(
        "--slow",
        multiple=True,
        metavar="EVENT=FACTOR",
        help="An event whose rate is multiplied by a factor, such as TP53=0.5. May be given "
        "several times.",
    ),
    click.option("--target", metavar="EVENT", help="The event that is to be reached."),
    click.option(
        "--events",
        type=Checked(whole, 1),
        metavar="K",
        help="In place of --target: that so many events are to be reached.",
    ),
)


def change_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what options of a command change, and the target, as `intervene` takes them."""
    target = one_goal(given["target"], given["events"])
    return {"block": given["block"], "slow": slow_factors(given["slow"]), "target": target}
