"""Options that choose a method and its parameters; they come from the fields of the methods."""

from collections.abc import Container, Mapping
from dataclasses import Field, fields
from typing import Any

import click
from click.shell_completion import CompletionItem

import caprese
from caprese._core.words import number_of
from caprese.cli.options.completion import method_names
from caprese.cli.options.declaring import Option
from caprese.cli.printing import remark
from caprese.cli.sections import SectionCommand, write_sections

_WITHOUT_METHODS = "caprese.without_methods"
_ARGUMENTS = "caprese.arguments"
_TOLD = "caprese.told"


def takes_method(default: str | None = "caprese", about: str = "Inference method,") -> Option:
    """Give a command the option --method, to be read by `chosen_method`."""
    return click.option(
        "-m",
        "--method",
        multiple=True,
        default=() if default is None else (default,),
        show_default=default is not None,
        callback=_only_one,
        metavar="METHOD",
        shell_complete=method_names,
        help=f"{about} alone or with parameters: METHOD:PARAMETER=VALUE. They are listed by "
        "`caprese methods`.",
    )


def _only_one(_ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> str | None:
    if len(given) > 1:
        several = "caprese compare and caprese judge take several"
        raise click.UsageError(f"{option.opts[-1]} is given {len(given)} times; {several}")
    return given[0] if given else None


def takes_methods(default: tuple[str, ...], **settings: Any) -> Option:
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
        if given.get("method"):
            write_parameters(formatter, str(given["method"][-1]).partition(":")[0], taken)
        else:
            _write_all_parameters(ctx, formatter, taken)


def write_parameters(
    formatter: click.HelpFormatter, method: str, without: Container[str] = ()
) -> None:
    """Write what each parameter of a method does; settings that few users change stand apart."""
    from caprese.methods import method_named

    described = [each for each in fields(method_named(method)) if each.name not in without]
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
    with formatter.section("Parameters of the methods"):
        formatter.write_dl(
            [(name, _parameters(method, without)) for name, method in caprese.METHODS.items()]
        )
        formatter.write_paragraph()
        formatter.write_text(f"`{ctx.command_path} -m METHOD --help` explains those of a method.")


def _parameters(method: "type[caprese.extend.Method]", without: Container[str]) -> str:
    listed = [each for each in fields(method) if each.name not in without]
    names = [each.name for each in listed if not each.metadata["expert"]]
    more = len(listed) - len(names)
    return ", ".join([*names, number_of(more, "expert setting")] if more else names) or "none"


def chosen_method(given: Mapping[str, Any]) -> "caprese.extend.Method":
    """Return the method that options of a command choose, with their parameters."""
    from caprese.methods import make_method, split_method

    name, parameters = split_method(given["method"] or "caprese")
    options = parameters_in(given)
    for each in options.keys() & parameters:
        both = f"--method {given['method']} and {_option_of(_declared()[each])}"
        raise click.UsageError(f"{both} both set {each}; omit one")
    chosen = make_method(name, parameters | options)
    tell_of_unusable_methods()
    return chosen


def placing_method(given: Mapping[str, Any]) -> "caprese.extend.Method | None":
    """Return the method that places samples; None if it is left to a judgement.

    Then error rates are the only parameter: each method gets them that allows for errors.
    """
    if given["method"] is not None:
        return chosen_method(given)
    for name in parameters_in(given).keys() - {"noise"}:
        option = _option_of(_declared()[name])
        raise click.UsageError(f"{option} is a parameter of a method: choose it with --method")
    tell_of_unusable_methods()
    return None


def parameters_in(given: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters of methods among the options of a command; several as one text."""
    own = {parameter.name for parameter in click.get_current_context().command.params}
    texts = {name: given.get(name) for name in _declared() if name not in own}
    return {
        name: text if isinstance(text, str) else ";".join(text)
        for name, text in texts.items()
        if text not in (None, ())
    }


def chosen_methods(texts: tuple[str, ...]) -> "list[caprese.extend.Method]":
    """Return the methods, each named with its parameters."""
    from caprese.methods import parse_method

    chosen = [parse_method(text) for text in texts]
    tell_of_unusable_methods()
    return chosen


def tell_of_unusable_methods() -> None:
    """Say once on standard error what is wrong with methods of packages that cannot be used."""
    told = click.get_current_context().meta
    for problem in () if told.get(_TOLD) else caprese.METHODS.problems.values():
        remark(problem)
    told[_TOLD] = True


def _option_of(parameter: Field[Any]) -> str:
    """Return the option of a parameter; one that may be repeated has a name of its own."""
    return f"--{(parameter.metadata['repeat'] or parameter.name).replace('_', '-')}"


def _about(parameter: Field[Any]) -> str:
    """Return what a parameter does, and its default as a user types it."""
    about, default = parameter.metadata["about"], parameter.default
    if default is None or default == ():
        return str(about)
    from caprese.methods.parameters import typed

    return f"{about}  [default: {typed(default)}]"


def _declared() -> "dict[str, Field[Any]]":
    """Return the parameters of all methods by name."""
    return {each.name: each for method in caprese.METHODS.values() for each in fields(method)}


def _options() -> list[click.Parameter]:
    return [
        click.Option(
            [_option_of(parameter), name],
            multiple=parameter.metadata["repeat"] is not None,
            help=parameter.metadata["about"],
        )
        for name, parameter in _declared().items()
    ]
