"""A bootstrap of effects as lines of text: rates and the strongest effects, with intervals."""

from collections.abc import Sequence

from caprese._core.words import number_of, percent, visible
from caprese.assessment.effects import ENDS, SLIGHT, EffectConfidence, is_notable
from caprese.text.columns import aligned
from caprese.text.sentences import decimal
from caprese.text.style import Style, plain

_MOST = 10  # effects that are listed
_KINDS = {
    "nonparametric": "resampled from the data",
    "parametric": "simulated from the fitted model",
}


def effect_confidence_lines(
    confidence: EffectConfidence, style: Style = plain, width: int | None = None
) -> list[str]:
    """Return the lines that show a bootstrap of effects."""
    replicates = number_of(confidence.replicates, "replicate")
    low, high = (f"{100 * end:.0f}th" for end in ENDS)
    title = (
        f"{replicates}, {_KINDS[confidence.kind]}; low and high are the {low} and {high} percentile"
    )
    kept = [
        f"{name} {_text(value)} was chosen once, from the data, and kept in all replicates"
        for name, value in confidence.kept
    ]
    rates = [
        [visible(str(event)), *_numbers(row), ""]
        for event, *row in confidence.rate_table().itertuples()
    ]
    return [
        style(title, "title"),
        *kept,
        "",
        *aligned([["event", "base rate", "low", "high", ""], *rates], width=width),
        "",
        *_effect_lines(confidence, width),
    ]


def _effect_lines(confidence: EffectConfidence, width: int | None) -> list[str]:
    table = confidence.table()
    notable = table[[is_notable(factor) for factor in table["factor"]]]
    slight = percent(SLIGHT)
    if notable.empty:
        return [f"no event changes the rate of another by more than {slight}"]
    rows = [["effect", "factor", "low", "high", "speeds up", "slows down", "absent", ""]]
    for _, cause, event, factor, low, high, *shares in notable.head(_MOST).itertuples():
        effect = f"{visible(cause)} on {visible(event)}"
        rows.append([effect, *_numbers((factor, low, high)), *map(percent, shares), ""])
    return [
        f"the strongest of {number_of(len(table), 'effect')}, and the share of replicates in which "
        f"each speeds up or slows down by more than {slight}",
        *aligned(rows, width=width),
    ]


def _text(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.3g}"


def _numbers(values: Sequence[float]) -> list[str]:
    return [decimal(value).text for value in values]
