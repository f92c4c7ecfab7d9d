"""What pictures and places of samples rest on, each part computed when it is first used."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

import caprese
from caprese._core.progress import progress_bars
from caprese.cli.computing import fitted, foretell
from caprese.cli.options.data import load
from caprese.cli.options.methods import chosen_method, parameters_in

if TYPE_CHECKING:
    from caprese.data.curation import Curated

_EVERYTHING = {
    "keep_constant": True,
    "keep_identical": True,
    "keep_unknown": True,
    "keep_all": True,
    "coverage": 0,
}


takes_fit = click.option(
    "--fit",
    "fit_file",
    metavar="FILE",
    type=click.Path(),
    help="A fit written by `caprese fit -o`; DATA may then be other samples. By default the "
    "method is fitted to DATA.",
)


@dataclass(frozen=True)
class Context:
    """The options of a command, and what is computed from them."""

    given: Mapping[str, Any]
    defaults: Mapping[str, Any] = field(default_factory=dict)  # of parameters that are not given

    @cached_property
    def chosen(self) -> "caprese.extend.Method":
        """The method with its parameters."""
        method, text = chosen_method(self.given), self.given["method"]
        offered = {each.name for each in fields(method)} & self.defaults.keys()
        missing = [name for name in offered if not self.given.get(name) and f"{name}=" not in text]
        return replace(method, **{name: self.defaults[name] for name in missing})

    @cached_property
    def curated(self) -> "Curated":
        """The data, and the log of its curation.

        The samples of a fit from a file are curated only if that was asked for: its events are
        given, and columns of the samples that are none of them may hold anything.
        """
        if self._read is None:
            return load(self.given).curated()
        return load({**self.given, **_EVERYTHING}, used=self._read.model.events).curated()

    @cached_property
    def fit(self) -> "caprese.Fit[Any, Any]":
        """The fit of the method to the data, or the one of a file."""
        if self._read is None:
            return fitted(self.chosen, self.curated, more=self.given.get("replicates") or 0)
        same = self._read.predictor is None and self._read.digest == self.curated.data.digest
        return self._read.on(self.curated.data) if same else self._read

    @cached_property
    def placement(self) -> "caprese.Placement":
        """Where the samples stand."""
        return caprese.place(self.fit, self.curated.data)

    @cached_property
    def confidence(self) -> "caprese.Confidence | None":
        """The result of the bootstrap; None without replicates. An interruption is not caught."""
        settings = {name: self.given[name] for name in ("replicates", "seed", "jobs")}
        if settings["replicates"] is None:
            return None
        foretell([self.fit.method], self.curated.data, settings["replicates"])
        with progress_bars():
            return caprese.bootstrap(self.fit, self.curated.data, **settings)

    @cached_property
    def _read(self) -> "caprese.Fit[Any, Any] | None":
        """The fit of a file; None without one."""
        from caprese.io.documents import kind_of_document, read_document

        path = self.given.get("fit_file")
        if path is None:
            return None
        source = click.get_current_context().get_parameter_source("method")
        if source is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError("--method is for a new fit; --fit is fitted already: omit one")
        for name in parameters_in(self.given):
            option = name.replace("_", "-")
            message = f"--{option} is a parameter of a method; --fit is fitted already"
            raise click.UsageError(message)
        document = read_document(path)
        if not isinstance(document, caprese.Fit):
            kind = kind_of_document(document)
            raise click.UsageError(f"--fit {path} is a {kind}, not a fit")
        return document
