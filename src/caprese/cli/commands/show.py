"""caprese show."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from caprese.cli.options.completion import files
from caprese.cli.options.outputs import (
    check_effect_files,
    write_effect_files,
    write_files,
    write_judgement_files,
    writes_files,
)
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.cli.sections import SectionCommand

if TYPE_CHECKING:
    from caprese.assessment.confidence import Confidence
    from caprese.io.documents import Document


@click.command(cls=SectionCommand, short_help="Print, draw or convert a saved result.")
@click.argument("file", shell_complete=files)
@click.option(
    "--confidence",
    metavar="FILE",
    shell_complete=files,
    help="Add the support of each edge, from a file written by `caprese bootstrap -o`.",
)
@writes_files("the same document")
@prints_json
def show(
    file: str, confidence: str | None, output: tuple[str, ...], guard_formulas: bool, as_json: bool
) -> None:
    """Print a saved result, or convert it to another format.

    FILE is a fit from `caprese fit -o`, a confidence from `caprese bootstrap -o`, a judgement
    from `caprese judge -o`, a model from `caprese simulate --truth`, or a model in a graph format.

    \b
    Examples:
      caprese show model.json
      caprese show model.json --confidence confidence.json
      caprese show model.json --confidence confidence.json -o tree.svg -o tree.graphml
    """
    from caprese.assessment.confidence import Confidence
    from caprese.assessment.effect_bootstrap import EffectConfidence
    from caprese.assessment.judgement import Judgement

    document = _document(file)
    support = None if confidence is None else _confidence(document, confidence)
    if as_json and support is not None:
        raise click.UsageError("--json prints one document; omit --confidence")
    if isinstance(document, Judgement):
        write_judgement_files(output, document)
    elif isinstance(document, EffectConfidence):
        check_effect_files(output)
        text = partial(_text, document)
        write_effect_files(output, text, document, guard_formulas=guard_formulas)
    elif output:
        if isinstance(document, Confidence):
            raise click.UsageError(
                "a confidence is converted together with its fit: "
                "caprese show model.json --confidence confidence.json -o tree.svg"
            )
        text = partial(_text, document)
        write_files(output, text, document, support, guard_formulas=guard_formulas)
    say(_text(document) if as_json else _lines(document, support))


def _document(file: str) -> "Document":
    from caprese.data.embedded import EMBEDDED
    from caprese.errors import FormatError
    from caprese.io.documents import read_document

    try:
        return read_document(file)
    except FormatError as error:
        if file in EMBEDDED and not Path(file).exists():
            hint = f"caprese fit {file} infers a progression from it"
            raise FormatError(f"{file} is embedded data, not a result; {hint}") from None
        if file.lower().endswith((".csv", ".tsv", ".txt")) and Path(file).exists():
            hint = f"to infer a progression from data, use: caprese fit {file}"
            raise FormatError(f"{error}; {hint}") from None
        raise


def _confidence(document: "Document", path: str) -> "Confidence":
    """Read a confidence, and check that it belongs to the fit or model."""
    from caprese.assessment.confidence import UNDETERMINED, Confidence
    from caprese.assessment.effect_bootstrap import EffectConfidence
    from caprese.assessment.judgement import Judgement
    from caprese.io.json.results import read_confidence
    from caprese.methods.fit import Fit, order_of
    from caprese.models.base import parent_sets

    if isinstance(document, Confidence):
        raise click.UsageError("--confidence needs a fit or a model, not another confidence")
    if isinstance(document, Judgement):
        raise click.UsageError("--confidence needs a fit or a model, not a judgement")
    if isinstance(document, EffectConfidence):
        raise click.UsageError("--confidence needs a fit or a model, not a bootstrap of effects")
    confidence = read_confidence(path)
    model = document.model if isinstance(document, Fit) else document
    if confidence.events != model.events:
        raise click.UsageError(f"--confidence {path} is of other events")
    if isinstance(document, Fit) and confidence.digest != document.digest:
        raise click.UsageError(f"--confidence {path} is of other data")
    pairs = zip(confidence.parent_sets, parent_sets(order_of(document).adjacency()), strict=True)
    if any(theirs not in (ours, (UNDETERMINED,)) for theirs, ours in pairs):
        raise click.UsageError(
            f"--confidence {path} is of another model; bootstrap with the method of the fit"
        )
    return confidence


def _text(document: "Document") -> str:
    from caprese.assessment.confidence import Confidence
    from caprese.assessment.effect_bootstrap import EffectConfidence
    from caprese.assessment.judgement import Judgement
    from caprese.io.json.fits import fit_text
    from caprese.io.json.models import model_text
    from caprese.io.json.results import confidence_text, effects_text, judgement_text
    from caprese.methods.fit import Fit

    if isinstance(document, Fit):
        return fit_text(document)
    if isinstance(document, Confidence):
        return confidence_text(document)
    if isinstance(document, EffectConfidence):
        return effects_text(document)
    if isinstance(document, Judgement):
        return judgement_text(document)
    return model_text(document)


def _lines(document: "Document", support: "Confidence | None") -> list[str]:
    from caprese.assessment.confidence import Confidence
    from caprese.assessment.effect_bootstrap import EffectConfidence
    from caprese.assessment.judgement import Judgement
    from caprese.methods.fit import Fit
    from caprese.text.effects import effect_confidence_lines
    from caprese.text.fits import fit_lines, model_lines
    from caprese.text.judgement import judgement_lines
    from caprese.text.support import bootstrap_lines, confidence_lines

    style, width = terminal_style(), terminal_width()
    if isinstance(document, Confidence):
        return bootstrap_lines(document, style, width)
    if isinstance(document, EffectConfidence):
        return effect_confidence_lines(document, style, width)
    if isinstance(document, Judgement):
        return judgement_lines(document, style, width)
    if not isinstance(document, Fit):
        return model_lines(document, support, style, width)
    if support is None:
        return fit_lines(document, None, style, width)
    return confidence_lines(document, support, style, width)
