"""Snakemake wrapper: the analysis of a recipe, by `caprese run`.

The recipe says where the data is and which files are written, relative to its own folder; the rule
names the same files as its input and its output.
"""

import subprocess

snakemake = globals()["snakemake"]  # given by Snakemake
command = ["caprese", "run", str(snakemake.input.recipe)]
with open(str(snakemake.log) or "/dev/null", "w", encoding="utf-8") as log:
    subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=True)
