"""The facts of clinical comparisons in words: columns that were not tested, samples left out."""

from collections.abc import Callable, Mapping, Sequence

from caprese._core.words import number_of, visible
from caprese.text.sentences import Event, Sentence, listed, phrase

Events = Sequence[Event]
Values = Mapping[str, float | str]


def _column(reason: str) -> Callable[[Events, Values], Sentence]:
    """Return a function that names the column and says why it was not tested."""

    def words(_events: Events, values: Values) -> Sentence:
        about = {**values, "column": ""}
        return (f"{visible(str(values['column']))}: not tested, {reason.format_map(about)}",)

    return words


def _of_one_patient(_events: Events, values: Values) -> Sentence:
    return (
        f"{values['samples']} samples share the row of their patient with other samples: they are "
        "not independent, so p-values are too small; keep one sample per patient",
    )


def _taken_for_errors(events: Events, _values: Values) -> Sentence:
    return phrase(
        "taken for errors in most samples that show them: {all}; compare the events as they were "
        "seen too",
        all=listed(events),
    )


def _branches_pooled(events: Events, _values: Values) -> Sentence:
    return phrase("other branches: {all}", all=listed(events))


def _untimed(_events: Events, values: Values) -> Sentence:
    died = number_of(int(values["samples"]), "sample")
    return (f"{died} died at an unknown time: without them, survival looks better than it is",)


def _few_deaths(_events: Events, values: Values) -> Sentence:
    groups = visible(str(values["groups"]), 200)
    return (
        f"fewer than {values['below']} deaths: {groups}; the log-rank test is not reliable with "
        "so few",
    )


CLINICAL_WORDS: dict[str, Callable[[Events, Values], Sentence]] = {
    "column of few values": _column("known for too few samples ({known})"),
    "column of one value": _column("all samples have the same value"),
    "column of identifiers": _column("{distinct} of {known} values differ, as identifiers do"),
    "column of many levels": _column("too many levels ({distinct})"),
    "column of follow-up": _column(
        "its times may end before the outcome; compare them by survival curves"
    ),
    "samples of one patient": _of_one_patient,
    "events taken for errors": _taken_for_errors,
    "branches pooled": _branches_pooled,
    "deaths without time": _untimed,
    "few deaths": _few_deaths,
}
