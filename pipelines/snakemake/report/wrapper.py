"""Snakemake wrapper: a report of `caprese report`, and its section for MultiQC."""

import shlex
import subprocess

snakemake = globals()["snakemake"]  # given by Snakemake
command = [
    *("caprese", "report", str(snakemake.input.data)),
    *("--jobs", str(snakemake.threads)),
    *shlex.split(snakemake.params.get("extra", "")),
    *(word for file in snakemake.output for word in ("-o", str(file))),
]
with open(str(snakemake.log) or "/dev/null", "w", encoding="utf-8") as log:
    subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=True)
