"""A MAF of 200,000 rows: read, reduced to the 20 most frequent genes, and fitted.

    .venv/bin/python benchmarks/maf.py [ROWS]

Prints seconds, and memory as a multiple of the size of the file. The targets are 5 s and 10 times
the file. The file is simulated: 500 samples, and realistic differences between genes.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from caprese import Caprese
from caprese.io.data.maf import read_maf

GENES, SAMPLES, KEPT = 18_000, 500, 20
HEADER = (
    "Hugo_Symbol Entrez_Gene_Id Center NCBI_Build Chromosome Start_Position End_Position Strand "
    "Variant_Classification Variant_Type Reference_Allele Tumor_Seq_Allele1 Tumor_Seq_Allele2 "
    "dbSNP_RS dbSNP_Val_Status Tumor_Sample_Barcode Matched_Norm_Sample_Barcode Mutation_Status "
    "HGVSc HGVSp HGVSp_Short Transcript_ID t_depth t_ref_count t_alt_count n_depth"
)
COLUMNS = HEADER.split()
CLASSES = ("Missense_Mutation", "Silent", "Nonsense_Mutation", "Intron", "Frame_Shift_Del")


def write_maf(path, rows, rng):
    weights = 1 / np.arange(1, GENES + 1) ** 0.8
    genes = rng.choice(GENES, size=rows, p=weights / weights.sum())
    samples = rng.integers(SAMPLES, size=rows)
    classes = rng.choice(len(CLASSES), size=rows, p=(0.55, 0.2, 0.1, 0.1, 0.05))
    with open(path, "w", encoding="utf-8") as file:
        file.write("#version gdc-1.0.0\n" + "\t".join(COLUMNS) + "\n")
        for gene, sample, kind in zip(genes, samples, classes, strict=True):
            barcode = f"TCGA-02-{sample:04d}-01A-11D-A000-08"
            fields = ["value"] * len(COLUMNS)
            fields[0], fields[8], fields[15] = f"GENE{gene}", CLASSES[kind], barcode
            fields[17] = "Somatic"
            file.write("\t".join(fields) + "\n")


def most_frequent(data, number):
    chosen = np.argsort(-data.values.sum(axis=0), kind="stable")[:number]
    return data.take_events([data.events[i] for i in chosen])


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(rows=200_000):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "data.maf")
        write_maf(path, rows, np.random.default_rng(1))
        size = path.stat().st_size
        before = peak_memory()
        start = time.perf_counter()
        reading = read_maf(path, barcode="patient")
        read = time.perf_counter() - start
        Caprese().fit(most_frequent(reading.data, KEPT))
        both = time.perf_counter() - start
    print(f"{rows:,} rows, {size / 2**20:.0f} MiB: {reading.data}")
    print(f"read {read:.2f} s, read and fitted {both:.2f} s (target 5)")
    print(f"memory {(peak_memory() - before) / size:.1f} x the file beyond the imports (target 10)")
    print(f"memory {peak_memory() / size:.1f} x the file with them")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
