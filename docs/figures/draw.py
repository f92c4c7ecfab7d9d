"""Draw the figures of the documentation, each by the command that the pages show or name.

    python docs/figures/draw.py                  # all of them, into this folder
    python docs/figures/draw.py cohort.png

Figures of studies are those that `caprese study NAME` writes, `figure.png`, with its defaults. The
pictures of the live page, and that of an atlas (`examples/make_cohorts.py`), were taken in a
browser.
"""

import sys
from pathlib import Path

from caprese import cli

HERE = Path(__file__).parent
PATTERNS = (
    "NRAS_xor_KRAS = XOR(NRAS, KRAS)",
    "SF3B1_xor_ASXL1 = XOR(SF3B1, XOR(ASXL1))",
    "TET2_xor_IDH2 = XOR(TET2, IDH2)",
    "TET2_or_IDH2 = OR(TET2, IDH2)",
    "homologous",
)
CAPRI = ("acml_selected17", "--method", "capri", *(f"--pattern={each}" for each in PATTERNS))
COMMANDS = {
    "cohort.png": ("aml_trees", "--at-least", "0.1", "--replicates", "1000"),
    "ovarian.png": ("ovarian", "--replicates", "10000"),
    "acml-capri.png": (*CAPRI, "--replicates", "100"),
}
STUDIES = (
    *("beyond", "convergence", "dag", "dag-methods", "example", "h-cbn", "lambda", "noise-free"),
    *("noisy", "unknown"),
)
PHOTOGRAPHS = ("app-progression.png", "app-sample.png", "atlas.png")


def draw(name: str, folder: Path = HERE) -> None:
    """Draw one figure into a folder."""
    cli.main(["plot", "progression", *COMMANDS[name], "--force", "-o", str(folder / name)])


if __name__ == "__main__":
    for name in sys.argv[1:] or COMMANDS:
        draw(name)
