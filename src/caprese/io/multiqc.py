"""Results as custom content of MultiQC: one table, in a file ``*_mqc.json`` or ``*_mqc.tsv``.

Each row begins with the name of the cohort, which is that of the file. So the files of several
cohorts make one table together.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from caprese._core.files import MARK, MULTIQC, FilePath
from caprese.assessment.answer import Answer
from caprese.assessment.confidence import Confidence
from caprese.assessment.judgement import Judgement
from caprese.io.graphs.files import edge_rows
from caprese.io.graphs.networks import to_networkx
from caprese.io.json.codec import AnyModel
from caprese.io.text.cells import table_text
from caprese.methods.fit import Fit
from caprese.models.base import Order

_SHARES = ("frequency", "probability", "support")
_ABOUT = {
    "parent": "the event that comes before; root if none is known",
    "frequency": "share of samples that carry the event",
    "probability": "of the event, given that its parent has occurred",
    "score": "evidence for the edge, from the data",
    "support": "share of resampled data sets in which the edge was found again",
    "order supported": "whether any method predicts held-out samples better than independence",
    "best method": "the one that predicts held-out samples best",
    "gain": "of the best method over independent events, in nats for each sample",
    "standard error": "of the gain",
    "orders stated": "pairs of events of which models together state an order with 70 % or more",
    "orders known": "those of the stated orders whose direction the data determine",
}


@dataclass(frozen=True)
class Section:
    """A table of MultiQC: what it is, and its rows by name."""

    name: str
    title: str
    about: str
    rows: Mapping[str, Mapping[str, Any]]

    @property
    def columns(self) -> list[str]:
        """The titles of all columns."""
        return list(dict.fromkeys(title for row in self.rows.values() for title in row))

    def text(self, path: FilePath) -> str:
        """Return the content of the file, each row named after the file and what it is about."""
        file, ending = Path(path).name, _ending(path)
        cohort = file[: -len(ending)] or "caprese"
        rows = {f"{cohort}: {name}" if name else cohort: row for name, row in self.rows.items()}
        head = {
            "id": f"caprese_{self.name}",
            "section_name": self.title,
            "description": f"{self.about} ({MARK})",
            "plot_type": "table",
            "pconfig": {
                "id": f"caprese_{self.name}_table",
                "title": self.title,
                "namespace": "caprese",
                "col1_header": "Cohort",
            },
            "headers": {each: _header(each, self.rows.values()) for each in self.columns},
        }
        if ending == MULTIQC[0]:
            return json.dumps({**head, "data": rows}, indent=1, ensure_ascii=False) + "\n"
        lines = [f"# {name}: {json.dumps(value)}\n" for name, value in head.items()]
        table = [["Cohort", *self.columns]]
        for name, row in rows.items():
            table.append([name, *(row.get(each, "") for each in self.columns)])
        return "".join(lines) + table_text(table, delimiter="\t")


def progression_section(found: Fit[Any, Any] | AnyModel, support: Confidence | None) -> Section:
    """Return the events with their parents, and with the support of each edge if it is known."""
    about = "Each event with the event that comes before it"
    return Section("progression", "Progression", about, _event_rows(found, support))


def judgement_section(found: Judgement) -> Section:
    """Return what held-out samples say of the order of events, in one row."""
    about = "Whether the order of events predicts samples that no method has seen"
    return Section("judgement", "Is there an order of events?", about, {"": _judgement_row(found)})


def answer_section(found: Answer) -> Section:
    """Return what a report begins with: the judgement, and how many orders are known."""
    row = {} if found.judgement is None else _judgement_row(found.judgement)
    orders = {
        "orders stated": 0 if found.known is None else len(found.known.orders),
        "orders known": 0 if found.known is None else len(found.known.firm),
    }
    about = "Whether events occur in an order, and how much of it is known"
    return Section("report", "Order of events", about, {"": row | orders})


def _ending(path: FilePath) -> str:
    return next(each for each in MULTIQC if Path(path).name.endswith(each))


def _event_rows(
    found: Fit[Any, Any] | AnyModel, support: Confidence | None
) -> dict[str, dict[str, Any]]:
    model = found.model if isinstance(found, Fit) else found
    if not isinstance(model, Order):
        if not isinstance(found, Fit):
            return {event: {} for event in model.events}
        shares = zip(model.events, found.counts.frequency.tolist(), strict=True)
        return {event: {"frequency": share} for event, share in shares}
    _, edges = edge_rows(to_networkx(found, support))
    return {
        " after ".join(filter(None, (row["child"], row["parent"]))): _cells(row) for row in edges
    }


def _cells(edge: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of an edge that MultiQC shows, without those that are not known."""
    shown = {"parent": edge["parent"] or "root"}
    return shown | {
        each: edge[each]
        for each in _ABOUT
        if each in edge and each not in shown and not _is_unknown(edge[each])
    }


def _judgement_row(found: Judgement) -> dict[str, Any]:
    gain = found.gains[found.best]
    row = {
        "samples": len(found.samples),
        "events": len(found.events),
        "order supported": "yes" if found.supports_order else "no",
        "best method": found.methods[found.best],
        "gain": gain.mean,
        "standard error": gain.error,
    }
    return {name: value for name, value in row.items() if not _is_unknown(value)}


def _is_unknown(value: Any) -> bool:
    """Whether there is no number, as for the gain of a method that calls a sample impossible."""
    return isinstance(value, float) and not math.isfinite(value)


def _header(column: str, rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how MultiQC shows a column."""
    values = [row[column] for row in rows if column in row]
    plain = {"title": column.capitalize(), "description": _ABOUT.get(column, f"number of {column}")}
    if all(isinstance(each, str) for each in values):
        return {**plain, "scale": False}
    counts = all(isinstance(each, int) for each in values)
    shares = {"min": 0, "max": 1} if column in _SHARES else {}
    return {**plain, **shares, "format": "{:,.0f}" if counts else "{:,.3f}"}
