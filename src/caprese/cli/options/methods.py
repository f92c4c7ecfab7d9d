"""Options that choose a method and its parameters; they come from the fields of the methods."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from caprese.cli.options.completion import method_names
from caprese.cli.options.cost import cost_of_bootstrap, cost_of_fit
from caprese.cli.printing import remark
from caprese.cli.sections import SectionCommand, SectionOption

if TYPE_CHECKING:
    from caprese.data.curation import Curated
    from caprese.data.dataset import Dataset
    from caprese.methods.fit import Fit, Method

Command = Callable[..., Any]

_WITHOUT_METHODS = "caprese.without_methods"
_METHOD_HELP = "Inference method, alone or with parameters: METHOD:PARAMETER=VALUE."


def takes_method(command: Command) -> Command:
    """Give a command the option --method, to be read by `chosen_method`."""
    return click.option(
        "-m",
        "--method",
        default="caprese",
        show_default=True,
        metavar="METHOD",
        shell_complete=method_names,
        help=_METHOD_HELP,
    )(command)


def takes_methods(default: tuple[str, ...] | None, **settings: Any) -> Callable[[Command], Command]:
    """Give a command the option --method, which may be repeated; it is called with `methods`."""
    return click.option(
        "-m",
        "--method",
        "methods",
        multiple=True,
        default=default,
        metavar="METHOD[:PARAMETER=VALUE]...",
        shell_complete=method_names,
        **settings,
    )


class MethodCommand(SectionCommand):
    """A command with the parameters of all methods as options, made only when needed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; while the shell completes one, import the methods only if needed."""
        known = {name for parameter in self.params for name in parameter.opts}
        given = {word.partition("=")[0] for word in args if word.startswith("-")}
        ctx.meta[_WITHOUT_METHODS] = ctx.resilient_parsing and given <= known
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of an option, including those of the methods."""
        ctx.meta[_WITHOUT_METHODS] = False
        return super().shell_complete(ctx, incomplete)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters, and those of the methods with other names."""
        own = super().get_params(ctx)
        if ctx.meta.get(_WITHOUT_METHODS):
            return own
        taken = {parameter.name for parameter in own}
        return [*own, *(option for option in _options() if option.name not in taken)]


def chosen_method(text: str, options: Mapping[str, Any]) -> "Method":
    """Return the method with these parameters: texts, or several for an option that repeats."""
    from caprese.methods import make_method, split_method

    name, given = split_method(text)
    given |= {
        parameter: value if isinstance(value, str) else ";".join(value)
        for parameter, value in options.items()
        if value is not None
    }
    tell_of_unusable_methods()
    return make_method(name, given)


def chosen_methods(texts: tuple[str, ...]) -> "list[Method]":
    """Return the methods, each named with its parameters."""
    from caprese.methods import parse_method

    tell_of_unusable_methods()
    return [parse_method(text) for text in texts]


def tell_of_unusable_methods() -> None:
    """Say on standard error what is wrong with methods of other packages that cannot be used."""
    from caprese.methods import METHODS

    for problem in METHODS.problems.values():
        remark(problem)


def fitted(method: "Method", curated: "Curated", more: int = 0) -> "Fit[Any, Any]":
    """Return the fit to curated data, with the log of the curation; show the progress.

    What is said beforehand of the costs includes as many more fits, those of a bootstrap.
    """
    from caprese._core.progress import progress_bars

    _say_cost(method, curated.data, more)
    with progress_bars():
        return replace(method.fit(curated.data), log=curated.log)


def fitted_so_far(method: "Method", curated: "Curated") -> "tuple[Fit[Any, Any], bool]":
    """Return the fit to curated data as far as it was done, and whether it was interrupted.

    An interruption before there is anything to look at, and of a method that cannot be stopped, is
    passed on.
    """
    from caprese._core.progress import progress_bars
    from caprese.methods.protocols import GradualMethod

    if not isinstance(method, GradualMethod):
        return fitted(method, curated), False
    _say_cost(method, curated.data)
    interrupted = False
    with progress_bars():
        running = method.running_fit(curated.data)
        try:
            for _ in running:
                pass
        except KeyboardInterrupt:
            if not running.done:
                raise
            interrupted = True
    return replace(running.fit, log=curated.log), interrupted


def _say_cost(method: "Method", data: "Dataset", more: int = 0) -> None:
    events = len(data.events)
    remark(cost_of_bootstrap(method, events, more) if more else cost_of_fit(events))
    foretell([method], data, 1 + more)


def foretell(methods: "Iterable[object]", data: "Dataset", times: int = 1) -> None:
    """Say on standard error about how long a number of fits of each method will take, if long."""
    from caprese.text.fits import expected_time

    for method in methods:
        remark(expected_time(method, data, times))


def cluster(address: str | None) -> AbstractContextManager[Any]:
    """Return a context in which joblib runs on a dask cluster, if an address is given."""
    if address is None:
        return nullcontext()
    try:
        from distributed import Client
    except ImportError:
        from caprese._core.extras import install_command

        raise click.UsageError(f"--dask needs distributed: {install_command('dask')}") from None
    from joblib import parallel_config

    try:
        Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--dask {address}: {error}") from None
    context: AbstractContextManager[Any] = parallel_config(backend="dask")
    return context


def _as_typed(value: object) -> str:
    """Return a value as a user types it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _none_if_never_given(_ctx: click.Context, _option: click.Parameter, value: Any) -> Any:
    """Return the value of an option; None for one that may be repeated, and was not given."""
    return None if value == () else value


def _repeated(parameter: str) -> str | None:
    """Return the name of the option that may be repeated for a parameter; None if it may not."""
    from caprese.methods import METHODS

    declared = [each for method in METHODS.values() for each in fields(method)]
    names = (each.metadata.get("repeat") for each in declared if each.name == parameter)
    return next((name for name in names if name), None)


def _options() -> list[click.Parameter]:
    from caprese.methods import METHODS

    users: dict[str, dict[str, list[str]]] = {}  # of each parameter, by what it is about
    for name, method in METHODS.items():
        for field in fields(method):
            plain = field.default is None or field.default == ()
            default = "" if plain else f" [default: {_as_typed(field.default)}]"
            about = f"{field.metadata['about']}{default}"
            users.setdefault(field.name, {}).setdefault(about, []).append(name)
    return [
        SectionOption(
            [f"--{(_repeated(parameter) or parameter).replace('_', '-')}", parameter],
            section="Parameters of the methods",
            metavar="VALUE",
            multiple=_repeated(parameter) is not None,
            callback=_none_if_never_given,
            help=" ".join(f"{', '.join(names)}: {about}" for about, names in told.items()),
        )
        for parameter, told in users.items()
    ]
