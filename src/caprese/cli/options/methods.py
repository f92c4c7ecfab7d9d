"""Options that choose a method and its parameters; they come from the fields of the methods."""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import Field, fields, replace
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from caprese._core.checks import one_of
from caprese._core.words import number_of
from caprese.cli.options.completion import method_names
from caprese.cli.options.cost import cost_of_bootstrap, cost_of_fit
from caprese.cli.printing import remark
from caprese.cli.sections import SectionCommand, write_sections

if TYPE_CHECKING:
    from caprese.data.curation import Curated
    from caprese.data.dataset import Dataset
    from caprese.methods.fit import Fit, Method

Command = Callable[..., Any]

_WITHOUT_METHODS = "caprese.without_methods"
_ARGUMENTS = "caprese.arguments"


def takes_method(command: Command) -> Command:
    """Give a command the option --method, to be read by `chosen_method`."""
    return method_option("caprese")(command)


def method_option(default: str) -> Callable[[Command], Command]:
    """Return the option --method with another default than CAPRESE."""
    return click.option(
        "-m",
        "--method",
        default=default,
        show_default=True,
        metavar="METHOD",
        shell_complete=method_names,
        help="Inference method, alone or with parameters: METHOD:PARAMETER=VALUE. They are listed "
        "by `caprese methods`.",
    )


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
        ctx.meta[_ARGUMENTS] = tuple(args)
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

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, and the parameters of the chosen method or of all."""
        own = super().get_params(ctx)
        write_sections(ctx, formatter, own)
        given, _, _ = self.make_parser(ctx).parse_args(list(ctx.meta[_ARGUMENTS]))
        taken = {parameter.name for parameter in own}
        if "method" in given:
            write_parameters(formatter, str(given["method"]).partition(":")[0], taken)
        else:
            _write_all_parameters(ctx, formatter, taken)


def write_parameters(
    formatter: click.HelpFormatter, method: str, without: Container[str] = ()
) -> None:
    """Write what each parameter of a method does; settings that few users change stand apart."""
    from caprese.methods import METHODS

    one_of("method", method, METHODS)
    described = [each for each in fields(METHODS[method]) if each.name not in without]
    for title, expert in (("Parameters", False), ("Expert settings", True)):
        rows = [
            (f"{_option_of(each)} VALUE", _about(each))
            for each in described
            if each.metadata["expert"] is expert
        ]
        if rows:
            with formatter.section(f"{title} of {method}"):
                formatter.write_dl(rows)


def _write_all_parameters(
    ctx: click.Context, formatter: click.HelpFormatter, without: Container[str]
) -> None:
    """Write which parameters each method has."""
    from caprese.methods import METHODS

    with formatter.section("Parameters of the methods"):
        formatter.write_dl(
            [(name, _parameters(method, without)) for name, method in METHODS.items()]
        )
        formatter.write_paragraph()
        formatter.write_text(f"`{ctx.command_path} -m METHOD --help` explains those of a method.")


def _parameters(method: "type[Method]", without: Container[str]) -> str:
    listed = [each for each in fields(method) if each.name not in without]
    names = [each.name for each in listed if not each.metadata["expert"]]
    more = len(listed) - len(names)
    return ", ".join([*names, number_of(more, "expert setting")] if more else names) or "none"


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
    with progress_bars():
        running = method.running_fit(curated.data)
        try:
            for _ in running:
                pass
        except KeyboardInterrupt:
            if not running.done:
                raise
            return replace(running.fit, log=curated.log), True
    return replace(running.fit, log=curated.log), False


def _say_cost(method: "Method", data: "Dataset", more: int = 0) -> None:
    events = len(data.events)
    remark(cost_of_bootstrap(method, events, more) if more else cost_of_fit(events))
    foretell([method], data, 1 + more)


def foretell(methods: "Iterable[object]", data: "Dataset", times: int = 1) -> None:
    """Say on standard error about how long a number of fits of each method will take, if long."""
    from caprese.text.fits import expected_time

    for method in methods:
        remark(expected_time(method, data, times))


def _option_of(parameter: Field[Any]) -> str:
    """Return the option of a parameter; one that may be repeated has a name of its own."""
    return f"--{(parameter.metadata['repeat'] or parameter.name).replace('_', '-')}"


def _about(parameter: Field[Any]) -> str:
    """Return what a parameter does, and its default as a user types it."""
    about, default = parameter.metadata["about"], parameter.default
    if default is None or default == ():
        return str(about)
    typed = {True: "yes", False: "no"}[default] if isinstance(default, bool) else default
    return f"{about}  [default: {typed}]"


def _none_if_never_given(_ctx: click.Context, _option: click.Parameter, value: Any) -> Any:
    """Return the value of an option; None for one that may be repeated, and was not given."""
    return None if value == () else value


def _options() -> list[click.Parameter]:
    from caprese.methods import METHODS

    declared = {each.name: each for method in METHODS.values() for each in fields(method)}
    return [
        click.Option(
            [_option_of(parameter), name],
            multiple=parameter.metadata["repeat"] is not None,
            callback=_none_if_never_given,
            help=parameter.metadata["about"],
        )
        for name, parameter in declared.items()
    ]
