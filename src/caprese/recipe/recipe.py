"""A recipe: all that an analysis depends on."""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, get_args

from caprese._core.checks import instance
from caprese._core.files import MULTIQC
from caprese.data.curation import Curated
from caprese.errors import ParameterError
from caprese.io.graphs.files import GRAPH_FORMATS
from caprese.methods import make_method, name_of
from caprese.methods.caprese import Caprese
from caprese.methods.fit import Fit, Method, new_fit
from caprese.methods.parameters import settings_of
from caprese.recipe.loading import Curation, Source, load
from caprese.recipe.parts import (
    DOCUMENT,
    PAGES,
    PICTURES,
    TABLES,
    Bootstrap,
    Judging,
    Outputs,
    Placing,
    Reporting,
)


@dataclass(frozen=True)
class Held:
    """What files can hold: the command that writes them, what they depend on, their suffixes."""

    command: str
    parts: tuple[str, ...]  # of the recipe, beside the data
    suffixes: tuple[str, ...]


_MODEL = (DOCUMENT, *PICTURES, *MULTIQC, *GRAPH_FORMATS)
HELD: Mapping[str, Held] = {
    "table": Held("curate", (), (*TABLES, ".xlsx", ".parquet")),
    "oncoprint": Held("plot oncoprint", (), PICTURES),
    "fit": Held("fit", ("method",), _MODEL),
    "confidence": Held("bootstrap", ("method", "bootstrap"), _MODEL),
    "comparison": Held("plot comparison", ("method", "second_method"), PICTURES),
    "judgement": Held("judge", ("judge",), (DOCUMENT, *PICTURES, *MULTIQC)),
    "patients": Held("patients", ("method", "patients"), (DOCUMENT, *TABLES, *PAGES, *PICTURES)),
    "tests": Held("patients", ("method", "patients"), TABLES),
    "report": Held("report", ("method", "bootstrap", "judge", "report"), (*PAGES, *MULTIQC)),
}
"""What the files of each kind in `Outputs` hold."""

_DEFAULTS = {
    "bootstrap": Bootstrap(),
    "judge": Judging(),
    "patients": Placing(),
    "report": Reporting(),
}


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """All that an analysis depends on: the same recipe gives the same answer.

    Parameters
    ----------
    source, curation
        The data, and how it is curated.
    method, second_method
        The method, and one to compare it with. Without a method, a report leads with what all
        methods say together, and all else is done with CAPRESE.
    bootstrap, judge, patients, report
        How far to trust the fit, which methods predict held-out samples, where samples stand, and
        what the report shows; None for their defaults, or what is not asked for.
    outputs
        The files to write.
    folder
        Where paths begin, if not where the file of the recipe is.

    Examples
    --------
    >>> from caprese import Caprese
    >>> recipe = Recipe(source=Source("ovarian"), method=Caprese(shrinkage=0.3))
    >>> recipe.fit(recipe.load()).model.events[:3]
    ('8q+', '3q+', '5q-')
    """

    source: Source
    curation: Curation = field(default_factory=Curation)
    method: Method | None = None
    second_method: Method | None = None
    bootstrap: Bootstrap | None = None
    judge: Judging | None = None
    patients: Placing | None = None
    report: Reporting | None = None
    outputs: Outputs = field(default_factory=Outputs)
    folder: str = ""

    def __post_init__(self) -> None:
        for each in fields(self):
            kind, value = kind_of_part(each), getattr(self, each.name)
            if value is not None or each.default is not None:
                instance(each.name, value, kind, f"of type {kind.__name__}")
        for name, default in _DEFAULTS.items():
            if getattr(self, name) == default:  # so that recipes that mean the same are equal
                object.__setattr__(self, name, None)
        for method in filter(None, (self.method, self.second_method)):
            if not _has_words(method):
                raise ParameterError("method", "one that can be written in words", method)
        self._check_outputs()

    def _check_outputs(self) -> None:
        """Refuse files that show what is not asked for."""
        needs = (
            ("comparison", "second_method", self.second_method),
            ("tests", "patients.annotation", self.patients and self.patients.annotation),
        )
        for kind, name, part in needs:
            if (files := getattr(self.outputs, kind)) and not part:
                raise ParameterError(kind, f"given together with {name}", files)
        files, asked = self.outputs.report, self.bootstrap or Bootstrap()
        if files and asked.kind != "nonparametric":
            raise ParameterError("report", "omitted unless bootstrap.kind is nonparametric", files)

    def load(self) -> Curated:
        """Read and curate the data."""
        return load(self.source, self.curation).curated()

    def fit(self, curated: Curated) -> Fit[Any, Any]:
        """Return the fit of the method, by default CAPRESE, with the log of the curation."""
        method = self.method or Caprese()
        return replace(new_fit(method, curated.data), log=curated.log)

    def only_for(self, kind: str, file: str) -> "Recipe":
        """Return the recipe of one of the files alone."""
        names = ("source", "curation", *HELD[kind].parts)
        parts = {name: getattr(self, name) for name in names}
        outputs = Outputs(**{kind: (file,)}, guard_formulas=self.outputs.guard_formulas)
        return Recipe(**parts, outputs=outputs)


def kind_of_part(declared: "Field[Any]") -> Any:
    """Return the type of a part of a recipe, without None."""
    return next(iter(get_args(declared.type)), declared.type)


def _has_words(method: Method) -> bool:
    try:
        return make_method(name_of(method), settings_of(method)) == method
    except ValueError:  # such as a model in place of a word
        return False
