"""How often does a suggestion propose a driver, and how often a gene that is not selected for?

    python verify/suggestion.py

Files of variants of 300 samples: three drivers, each known by another sign (an excess of changes of
the protein, one position, truncations), and 60 neutral genes of 300 to 9000 codons, of which random
substitutions change the protein in 76 of 100; two samples are hypermutated.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from common import options, shown

from caprese.data.suggestion import NEUTRAL, suggest
from caprese.io.data.maf import read_maf

SAMPLES, GENES, MANY = 300, 60, ("s0", "s1")
HEADER = "Hugo_Symbol\tVariant_Classification\tTumor_Sample_Barcode\tHGVSp_Short"
CHANGE, SILENT, CUT = "Missense_Mutation", "Silent", "Nonsense_Mutation"
# The share of samples with a variant, that of each kind, and the codons of the gene.
DRIVERS = {
    "EXCESS": (0.4, {CHANGE: 1.0}, 900),
    "HOT": (0.15, {CHANGE: 1.0}, 3),
    "CUT": (0.1, {CUT: 0.6, SILENT: 0.4}, 900),
}
RANDOM = {CHANGE: NEUTRAL, SILENT: 1 - NEUTRAL}


def variants(rng):
    """Return the text of a file."""
    genes = dict(DRIVERS)
    for number, codons in enumerate(rng.integers(300, 9000, GENES).tolist()):
        genes[f"N{number}"] = (min(0.5, codons / 12_000), RANDOM, codons)
    lines = [HEADER]
    for gene, (share, kinds, codons) in genes.items():
        for sample in np.flatnonzero(rng.random(SAMPLES) < share):
            kind = rng.choice([*kinds], p=[*kinds.values()])
            lines.append(f"{gene}\t{kind}\ts{sample}\tp.A{rng.integers(1, codons + 1)}V")
    lines += [f"M{k}\t{CHANGE}\t{sample}\tp.A1V" for sample in MANY for k in range(300)]
    return "\n".join(lines) + "\n"


def main():
    given = options(__doc__, 60, 6).parse_args()
    found = {"drivers": [], "neutral genes": [], "frequent neutral genes": [], "hypermutated": []}
    with TemporaryDirectory() as folder:
        path = Path(folder, "x.maf")
        for number in range(given.data_sets):
            path.write_text(variants(np.random.default_rng([given.seed, number])))
            reading = read_maf(path)
            told = suggest(reading.data, reading.variants(), most=1000)
            used = {each.event: each.use for each in told.events}
            present = {each.event: each.present for each in told.events}
            neutral = [event for event in used if event.startswith("N")]
            frequent = [event for event in neutral if present[event] > present["CUT"]]
            found["drivers"] += [used[event] for event in DRIVERS]
            found["neutral genes"] += [used[event] for event in neutral]
            found["frequent neutral genes"] += [used[event] for event in frequent]
            found["hypermutated"].append(told.hypermutated == MANY)
    for what, right in found.items():
        print(f"{what}: {shown(np.array(right))} of {len(right)}", flush=True)


if __name__ == "__main__":
    main()
