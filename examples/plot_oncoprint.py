"""
Which samples carry which events
================================

An oncoprint of the study with two gene panels, its events in the order of the progression that was
inferred. What a panel does not cover is unknown, and has a colour of its own.
"""

from pathlib import Path

from caprese import Caprese
from caprese.data.curation import curate
from caprese.io.data.sources import read
from caprese.plots import oncoprint_figure

study = Path("panel_study")  # beside this script
data = curate(read(study).data).data
fit = Caprese(shrinkage=0.01).fit(data)

table = (study / "data_gene_panel_matrix.txt").read_text().splitlines()
panels = dict(line.split("\t")[:2] for line in table[1:])

figure = oncoprint_figure(data, model=fit.model, annotation=panels, title="panel")
