"""Write a small study in the format of cBioPortal, sampled from a known progression.

The genes are real, the data is not. Half of the samples were sequenced with a panel that lacks
three of the genes.

    python examples/make_panel_study.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

from caprese import ROOT, Forest

SEED = 2014
SAMPLES = 60
ID = "panel_study"

#   APC ─┬─ KRAS ─┬─ TP53 ─┬─ SMAD4
#        │        │        └─ CDKN2A loss
#        │        └─ PIK3CA
#        ├─ FBXW7
#        └─ MYC gain
TRUTH = Forest(
    ("APC", "KRAS", "TP53", "SMAD4", "PIK3CA", "FBXW7", "MYC gain", "CDKN2A loss"),
    (ROOT, 0, 1, 2, 1, 0, 0, 2),
    (0.85, 0.75, 0.70, 0.55, 0.45, 0.30, 0.40, 0.40),
)
ENTREZ = {
    "APC": 324,
    "KRAS": 3845,
    "TP53": 7157,
    "SMAD4": 4089,
    "PIK3CA": 5290,
    "FBXW7": 55294,
    "MYC": 4609,
    "CDKN2A": 1029,
}
MUTATED = ("APC", "KRAS", "TP53", "SMAD4", "PIK3CA", "FBXW7")
COPIED = {"MYC": "MYC gain", "CDKN2A": "CDKN2A loss"}
LARGE, SMALL = "LARGE8", "SMALL5"
PANELS = {LARGE: tuple(ENTREZ), SMALL: ("APC", "KRAS", "TP53", "SMAD4", "CDKN2A")}
KINDS = ("Missense_Mutation", "Nonsense_Mutation", "Frame_Shift_Del")
SILENT = 0.05  # probability of a silent variant in a sequenced gene
LOW_LEVEL = 0.25  # probability of a low-level change in a gene without a gain or loss

Table = list[list[str]]


def study(seed: int = SEED) -> dict[str, str]:
    """Return the text of each file, by its path in the folder."""
    rng = np.random.default_rng(seed)
    names = [f"PS-{number:03d}" for number in range(1, SAMPLES + 1)]
    present = dict(zip(TRUTH.events, TRUTH.sample(SAMPLES, rng).values.T.tolist(), strict=True))
    on_small = rng.permutation(SAMPLES) < SAMPLES // 2
    panel = dict(zip(names, np.where(on_small, SMALL, LARGE).tolist(), strict=True))
    seen = {sample: {e for e in present if present[e][k]} for k, sample in enumerate(names)}
    return {
        **_metas(),
        "data_mutations.txt": "#version 2.4\n" + _text(_mutations(seen, panel, rng)),
        "data_cna.txt": _text(_levels(seen, panel, rng)),
        "data_gene_panel_matrix.txt": _text(
            [["SAMPLE_ID", "mutations", "cna"], *([s, panel[s], panel[s]] for s in names)]
        ),
        **{f"data_gene_panel_{each.lower()}.txt": _panel(each) for each in PANELS},
        "data_clinical_sample.txt": _clinical(names),
        "case_lists/cases_sequenced.txt": _properties(
            cancer_study_identifier=ID,
            stable_id=f"{ID}_sequenced",
            case_list_name="Sequenced tumors",
            case_list_description=f"All sequenced samples ({SAMPLES} samples)",
            case_list_ids="\t".join(names),
        ),
    }


def write(folder: Path, seed: int = SEED) -> None:
    """Write all files."""
    for name, text in study(seed).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def _mutations(seen: dict[str, set[str]], panel: dict[str, str], rng: np.random.Generator) -> Table:
    header = ["Hugo_Symbol", "Entrez_Gene_Id", "Variant_Classification", "Variant_Type"]
    rows = [[*header, "Tumor_Sample_Barcode", "Mutation_Status"]]
    for sample, events in seen.items():
        for gene in MUTATED:
            kind = KINDS[int(len(KINDS) * rng.random())]
            found = [kind] * (gene in events) + ["Silent"] * (rng.random() < SILENT)
            for each in found if gene in PANELS[panel[sample]] else ():
                variant = "DEL" if each == "Frame_Shift_Del" else "SNP"
                rows.append([gene, str(ENTREZ[gene]), each, variant, sample, "Somatic"])
    return rows


def _levels(seen: dict[str, set[str]], panel: dict[str, str], rng: np.random.Generator) -> Table:
    rows = [["Hugo_Symbol", "Entrez_Gene_Id", *seen]]
    for gene, event in COPIED.items():
        full = 2 if event.endswith("gain") else -2
        levels = []
        for sample, events in seen.items():
            level = full // 2 if rng.random() < LOW_LEVEL else 0
            level = full if event in events else level
            levels.append(str(level) if gene in PANELS[panel[sample]] else "NA")
        rows.append([gene, str(ENTREZ[gene]), *levels])
    return rows


def _clinical(names: list[str]) -> str:
    above = [
        ["#Patient Identifier", "Sample Identifier", "Sample Type"],
        ["#Identifier of the patient", "Identifier of the sample", "Type of the sample"],
        ["#STRING", "STRING", "STRING"],
        ["#1", "1", "1"],
        ["PATIENT_ID", "SAMPLE_ID", "SAMPLE_TYPE"],
    ]
    return _text([*above, *([f"P{name[3:]}", name, "Primary"] for name in names)])


def _panel(name: str) -> str:
    genes = PANELS[name]
    about = f"{len(genes)} genes, invented for the example"
    return _properties(stable_id=name, description=about, gene_list="\t".join(genes))


def _metas() -> dict[str, str]:
    def meta(alteration: str, datatype: str, file: str, **more: str) -> str:
        return _properties(
            cancer_study_identifier=ID,
            genetic_alteration_type=alteration,
            datatype=datatype,
            **more,
            data_filename=file,
        )

    def profile(name: str) -> dict[str, str]:
        return {
            "stable_id": name,
            "show_profile_in_analysis_tab": "true",
            "profile_name": name.capitalize(),
            "profile_description": "Generated by examples/make_panel_study.py",
        }

    return {
        "meta_study.txt": _properties(
            type_of_cancer="coadread",
            cancer_study_identifier=ID,
            name="A generated study with two gene panels",
            description="Not real data; see examples/make_panel_study.py",
        ),
        "meta_mutations.txt": meta(
            "MUTATION_EXTENDED", "MAF", "data_mutations.txt", **profile("mutations")
        ),
        "meta_cna.txt": meta(
            "COPY_NUMBER_ALTERATION", "DISCRETE", "data_cna.txt", **profile("cna")
        ),
        "meta_gene_panel_matrix.txt": meta(
            "GENE_PANEL_MATRIX", "GENE_PANEL_MATRIX", "data_gene_panel_matrix.txt"
        ),
        "meta_clinical_sample.txt": meta(
            "CLINICAL", "SAMPLE_ATTRIBUTES", "data_clinical_sample.txt"
        ),
    }


def _text(rows: Table) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def _properties(**values: str) -> str:
    return "".join(f"{name}: {value}\n" for name, value in values.items())


if __name__ == "__main__":
    here = Path(__file__).parent / "panel_study"
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else here)
