"""caprese show."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import caprese
from caprese.cli.options.outputs import check_effect_files, writes_files
from caprese.cli.options.overwriting import refuse_overwriting
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.cli.sections import SectionCommand
from caprese.errors import FormatError

if TYPE_CHECKING:
    from caprese.io.documents import Document


@click.command(cls=SectionCommand, short_help="Print, draw or convert a saved result.")
@click.argument("file", type=click.Path())
@click.option(
    "--confidence",
    metavar="FILE",
    type=click.Path(),
    help="Add the support of each edge, from a file written by `caprese bootstrap -o`.",
)
@writes_files("the same document", None)
@prints_json
def show(
    file: str, confidence: str | None, output: tuple[str, ...], guard_formulas: bool, as_json: bool
) -> None:
    """Print a saved result, or convert it to another format.

    FILE is a fit from `caprese fit -o`, a confidence from `caprese bootstrap -o`, a judgement
    from `caprese judge -o`, known orders from `caprese known -o`, a model from
    `caprese simulate --truth`, or a model in a graph format.

    \b
    Examples:
      caprese show model.json
      caprese show model.json --confidence confidence.json
      caprese show model.json --confidence confidence.json -o tree.svg -o tree.graphml
    """
    from caprese.io.documents import document_text

    found = _document(file)
    support = None if confidence is None else _confidence(found, confidence)
    if as_json and support is not None:
        raise click.UsageError("--json prints one document; omit --confidence")
    if output:
        from caprese.recipe.formats import formats_of, write_files

        _check_files(found, output)
        outputs = [("--output", path, _held(found)) for path in output]
        refuse_overwriting(click.get_current_context(), outputs)
        write_files((output, formats_of(found, support, guard_formulas=guard_formulas)))
    say(document_text(found) if as_json else _lines(found, support))


def _check_files(found: "Document", output: tuple[str, ...]) -> None:
    if isinstance(found, caprese.EffectConfidence):
        check_effect_files(output)
    if isinstance(found, caprese.Confidence):
        raise click.UsageError(
            "a confidence is converted together with its fit: "
            "caprese show model.json --confidence confidence.json -o tree.svg"
        )


def _held(found: "Document") -> str:
    """Return what a file of a document holds, as in `Outputs`."""
    match found:
        case caprese.Fit():
            return "fit"
        case caprese.EffectConfidence():
            return "confidence"
        case caprese.Judgement():
            return "judgement"
        case caprese.KnownOrders():
            return "known"
    return "model"


def _document(file: str) -> "Document":
    from caprese.data.datasets import EMBEDDED
    from caprese.io.documents import read_document

    try:
        return read_document(file)
    except FormatError as error:
        if file in EMBEDDED and not Path(file).exists():
            hint = f"caprese fit {file} infers a progression from it"
            raise FormatError(f"{file} is embedded data, not a result; {hint}") from None
        if file.lower().endswith((".csv", ".tsv", ".txt")) and os.access(file, os.R_OK):
            hint = f"to infer a progression from data, use: caprese fit {file}"
            raise FormatError(f"{error}; {hint}") from None
        raise


def _confidence(found: "Document", path: str) -> "caprese.Confidence":
    """Read a confidence, and check that it belongs to the fit or model."""
    from caprese.assessment.confidence import UNDETERMINED
    from caprese.io.documents import kind_of_document
    from caprese.methods.fit import order_of
    from caprese.models.base import parent_sets

    without = caprese.Judgement | caprese.EffectConfidence | caprese.KnownOrders
    if isinstance(found, caprese.Confidence | without):
        kind = kind_of_document(found)
        raise click.UsageError(f"--confidence needs a fit or a model, not a {kind}")
    confidence = caprese.read_confidence(path)
    model = found.model if isinstance(found, caprese.Fit) else found
    if confidence.events != model.events:
        raise click.UsageError(f"--confidence {path} is of other events")
    if isinstance(found, caprese.Fit) and confidence.digest != found.digest:
        raise click.UsageError(f"--confidence {path} is of other data")
    pairs = zip(confidence.parent_sets, parent_sets(order_of(found).adjacency()), strict=True)
    if any(theirs not in (ours, (UNDETERMINED,)) for theirs, ours in pairs):
        raise click.UsageError(
            f"--confidence {path} is of another model; bootstrap with the method of the fit"
        )
    return confidence


def _lines(found: "Document", support: "caprese.Confidence | None") -> list[str]:
    from caprese.text.comparison import judgement_lines
    from caprese.text.fits import fit_lines, model_lines
    from caprese.text.known import known_lines
    from caprese.text.support import bootstrap_lines, confidence_lines, effect_confidence_lines

    shown: Any = (terminal_style(), terminal_width())
    match found:
        case caprese.Confidence():
            return bootstrap_lines(found, *shown)
        case caprese.EffectConfidence():
            return effect_confidence_lines(found, *shown)
        case caprese.Judgement():
            return judgement_lines(found, *shown)
        case caprese.KnownOrders():
            return known_lines(found, *shown)
        case caprese.Fit() if support is not None:
            return confidence_lines(found, support, *shown)
        case caprese.Fit():
            return fit_lines(found, None, *shown)
        case _:
            return model_lines(found, support, *shown)
