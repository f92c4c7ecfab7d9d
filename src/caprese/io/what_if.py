"""What follows when events are blocked or slowed, as JSON."""

from typing import Any

import numpy as np

from caprese.io.json.codec import encode, envelope
from caprese.patients.outlooks import Intervention, WhatIf, outlook_row
from caprese.patients.what_if_samples import SampleOutlooks


def what_if_text(found: WhatIf) -> str:
    """Return what follows from interventions as JSON."""
    content: dict[str, Any] = {
        "events": list(found.events),
        "timed": found.timed,
        "carried": encode(found.carried),
        "simulated": found.simulated,
        "seed": found.seed,
        "replicates": found.replicates,
        "undetermined": encode(found.undetermined),
        "outlooks": [encode(outlook_row(each)) for each in found.outlooks],
    }
    if isinstance(found, Intervention):
        content["genotypes"] = [
            {
                "events": [found.events[k] for k in np.flatnonzero(present)],
                "probability": usual,
                "probability_with": changed,
            }
            for present, (usual, changed) in zip(
                found.genotypes, found.shares.tolist(), strict=True
            )
        ]
    return envelope("whatif", content)


def sample_outlook(found: SampleOutlooks, row: int) -> dict[str, Any]:
    """Return what an intervention changes for one sample."""
    own = {title: values[row] for title, values in found.columns().items()}
    flags = {"concerned": bool(found.concerned[row]), "reached": bool(found.reached[row])}
    return {name: encode(value) for name, value in own.items()} | flags
