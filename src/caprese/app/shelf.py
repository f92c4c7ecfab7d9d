"""What a desk keeps between tasks: any values, each a pickle that only workers open."""

import pickle
from collections.abc import Mapping
from typing import Any

from caprese.app.answers import Answer
from caprese.app.choices import Choices
from caprese.assessment.confidence import Confidence
from caprese.assessment.judgement import Judgement
from caprese.data.curation import Curated
from caprese.errors import CapreseError
from caprese.io.data.annotations import Annotation
from caprese.io.data.reading import Reading
from caprese.methods.fit import Fit
from caprese.patients.groups import Associations
from caprese.patients.place import Placement
from caprese.patients.survival import Survival

# What rests on what: if one changes, all after it are forgotten, but `judgement` rests on no fit.
_ON_FIT = ("other", "confidence", "placement", "annotation", "tests", "survival")
_AFTER: Mapping[str, tuple[str, ...]] = {
    "reading": ("curated", "fit", "judgement", *_ON_FIT),
    "curated": ("fit", "judgement", *_ON_FIT),
    "fit": _ON_FIT,
    "placement": ("annotation", "tests", "survival"),
}
_MISSING = {
    "reading": "open a file first",
    "curated": "open a file first",
    "fit": "fit a method first",
    "other": "choose a second method first",
    "confidence": "run a bootstrap first",
    "judgement": "judge the methods first",
    "placement": "place the samples first",
    "tests": "choose a clinical table first",
    "survival": "choose a clinical table with times first",
}


class Shelf:
    """What was kept, and what a task adds to it."""

    def __init__(self, kept: Mapping[str, bytes]) -> None:
        self._kept: dict[str, bytes | None] = dict(kept)
        self._values: dict[str, Any] = {}
        self.changes: dict[str, bytes | None] = {}

    def put(self, name: str, value: Any) -> None:
        """Keep a value, if there is one; forget what rested on the one before."""
        for later in _AFTER.get(name, ()):
            self._kept[later] = self.changes[later] = None
            self._values.pop(later, None)
        self._values[name] = value
        content = None if value is None else pickle.dumps(value, protocol=5)
        self._kept[name] = self.changes[name] = content

    def has(self, name: str) -> bool:
        """Whether there is such a value."""
        return self._kept.get(name) is not None

    def answer(self, **shown: Any) -> Answer:
        """Return an answer with all changes."""
        return Answer(shown, dict(self.changes))

    @property
    def choices(self) -> Choices:
        """What was chosen."""
        found: Choices = self._take("choices")
        return found

    @property
    def reading(self) -> Reading:
        """The data as it was read."""
        found: Reading = self._take("reading")
        return found

    @property
    def curated(self) -> Curated:
        """The data that is fitted."""
        found: Curated = self._take("curated")
        return found

    @property
    def fit(self) -> Fit[Any, Any]:
        """The fit of the first method."""
        found: Fit[Any, Any] = self._take("fit")
        return found

    @property
    def other(self) -> Fit[Any, Any]:
        """The fit of the second method."""
        found: Fit[Any, Any] = self._take("other")
        return found

    @property
    def confidence(self) -> Confidence | None:
        """Of the bootstrap, as far as it came; None if there was none."""
        return self._take("confidence") if self.has("confidence") else None

    @property
    def judgement(self) -> Judgement:
        """How well methods predict held-out samples."""
        found: Judgement = self._take("judgement")
        return found

    @property
    def placement(self) -> Placement:
        """Where the samples stand."""
        found: Placement = self._take("placement")
        return found

    @property
    def annotation(self) -> Annotation | None:
        """A category for each sample; None if none was chosen."""
        return self._take("annotation") if self.has("annotation") else None

    @property
    def tests(self) -> Associations | None:
        """Tests against a clinical table; None if there is no table."""
        return self._take("tests") if self.has("tests") else None

    @property
    def survival(self) -> Survival | None:
        """The curves of groups of samples; None if they were not asked for."""
        return self._take("survival") if self.has("survival") else None

    def _take(self, name: str) -> Any:
        if name not in self._values:
            content = self._kept.get(name)
            if content is None:
                raise CapreseError(_MISSING.get(name, "open a file first"))
            self._values[name] = pickle.loads(content)
        return self._values[name]
