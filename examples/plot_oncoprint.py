"""
Which samples carry which events
================================

An oncoprint of a study with two gene panels, its events in the order of the inferred progression.
Genes that a panel does not cover are unknown, which has its own colour.
"""

from pathlib import Path

from caprese import Caprese, curate, read_dataset
from caprese.plots import oncoprint_figure

study = Path("panel_study")  # beside this script
data = curate(read_dataset(study)).data
fit = Caprese(shrinkage=0.01).fit(data)

table = (study / "data_gene_panel_matrix.txt").read_text().splitlines()
panels = dict(line.split("\t")[:2] for line in table[1:])

figure = oncoprint_figure(data, model=fit.model, annotation=panels, title="panel")
