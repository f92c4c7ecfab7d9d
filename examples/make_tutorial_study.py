"""Write the study of the tutorial as a zip, in the format of cBioPortal.

The genes are real, the data is sampled from a known progression: 170 patients, 45 of them with a
later sample, too, sequenced with one of two panels, with copy number, stages and survival.

    python examples/make_tutorial_study.py [FILE]
"""

import sys
import zipfile
from pathlib import Path

import numpy as np

from caprese import ROOT, Forest

SEED = 2026
PATIENTS, SEVERAL = 170, 45
ID = "tutorial_study"

#   TP53 ─┬─ KRAS ─┬─ CDKN2A loss ─── SMAD4
#         │        └─ MYC gain
#         └─ PIK3CA
TRUTH = Forest(
    ("TP53", "KRAS", "CDKN2A loss", "SMAD4", "MYC gain", "PIK3CA"),
    (ROOT, 0, 1, 2, 1, 0),
    (0.85, 0.7, 0.6, 0.5, 0.45, 0.4),
)
ENTREZ = {"TP53": 7157, "KRAS": 3845, "SMAD4": 4089, "PIK3CA": 5290, "CDKN2A": 1029, "MYC": 4609}
MUTATED = ("TP53", "KRAS", "SMAD4", "PIK3CA")
COPIED = {"CDKN2A": ("CDKN2A loss", -2), "MYC": ("MYC gain", 2)}
PANELS = {"WIDE6": tuple(ENTREZ), "NARROW4": ("TP53", "KRAS", "SMAD4", "CDKN2A")}
MISSED, WRONG, SILENT = 0.06, 0.01, 0.05  # probabilities of errors, and of a silent variant
COMES = 0.4  # probability that an event comes before the later sample, once its parent is there
KINDS = ("Missense_Mutation", "Nonsense_Mutation", "Frame_Shift_Del")
STAGES = ("I", "II", "III", "IV")


def study(seed: int = SEED) -> dict[str, str]:
    """Return the text of each file, by its path in the study."""
    rng = np.random.default_rng(seed)
    first = TRUTH.sample(PATIENTS, rng).values
    names = [f"T-{k:03d}" for k in range(1, PATIENTS + 1)]
    panels = rng.permutation([*PANELS] * (PATIENTS // 2)).tolist()
    samples = {f"{name}-01": row for name, row in zip(names, first, strict=True)}
    for patient in sorted(rng.permutation(PATIENTS)[:SEVERAL].tolist()):
        samples[f"{names[patient]}-02"] = _later(first[patient], rng)
    panel = {sample: panels[names.index(sample[:-3])] for sample in samples}
    seen = {name: _seen(row, rng) for name, row in samples.items()}
    return {
        **_metas(),
        "data_mutations.txt": _text(_mutations(seen, panel, rng)),
        "data_cna.txt": _text(_levels(seen, panel)),
        "data_gene_panel_matrix.txt": _text(
            [["SAMPLE_ID", "mutations", "cna"], *([s, panel[s], panel[s]] for s in samples)]
        ),
        **{f"data_gene_panel_{each.lower()}.txt": _panel(each) for each in PANELS},
        "data_clinical_sample.txt": _clinical(samples, rng),
        "case_lists/cases_sequenced.txt": _properties(
            cancer_study_identifier=ID,
            stable_id=f"{ID}_sequenced",
            case_list_name="Sequenced tumors",
            case_list_description=f"All sequenced samples ({len(samples)} samples)",
            case_list_ids="\t".join(samples),
        ),
    }


def write(path: Path, seed: int = SEED) -> None:
    """Write all files into a zip, the same bytes every time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in study(seed).items():
            archive.writestr(zipfile.ZipInfo(f"{ID}/{name}"), text, zipfile.ZIP_DEFLATED)


def _later(row: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a later sample of a patient: events stay, and some come, parents first."""
    found = row.copy()
    for event, parent in enumerate(TRUTH.parents):
        found[event] |= (parent == ROOT or found[parent]) and rng.random() < COMES
    return found


def _seen(row: np.ndarray, rng: np.random.Generator) -> set[str]:
    present = np.where(row, rng.random(row.size) >= MISSED, rng.random(row.size) < WRONG)
    return {event for event, there in zip(TRUTH.events, present.tolist(), strict=True) if there}


def _mutations(
    seen: dict[str, set[str]], panel: dict[str, str], rng: np.random.Generator
) -> list[list[str]]:
    header = ["Hugo_Symbol", "Entrez_Gene_Id", "Variant_Classification", "Tumor_Sample_Barcode"]
    rows = [header]
    for sample, events in seen.items():
        for gene in (gene for gene in MUTATED if gene in PANELS[panel[sample]]):
            kinds = [KINDS[int(3 * rng.random())]] * (gene in events)
            kinds += ["Silent"] * (rng.random() < SILENT)
            rows += [[gene, str(ENTREZ[gene]), kind, sample] for kind in kinds]
    return rows


def _levels(seen: dict[str, set[str]], panel: dict[str, str]) -> list[list[str]]:
    rows = [["Hugo_Symbol", "Entrez_Gene_Id", *seen]]
    for gene, (event, level) in COPIED.items():
        levels = [
            str(level * (event in events)) if gene in PANELS[panel[sample]] else "NA"
            for sample, events in seen.items()
        ]
        rows.append([gene, str(ENTREZ[gene]), *levels])
    return rows


def _clinical(samples: dict[str, np.ndarray], rng: np.random.Generator) -> str:
    titles = ["PATIENT_ID", "SAMPLE_ID", "SAMPLE_TYPE", "SAMPLE_NUMBER", "STAGE"]
    titles += ["OS_MONTHS", "OS_STATUS"]
    kinds = ["STRING"] * 3 + ["NUMBER", "STRING", "NUMBER", "STRING"]
    rows = [[f"#{titles[0]}", *titles[1:]]] * 2 + [["#STRING", *kinds[1:]], ["#1"] + ["1"] * 6]
    rows.append(titles)
    for name, row in samples.items():
        kind = "Recurrence" if name.endswith("-02") else "Primary"
        stage = STAGES[min(3, int((row.sum() + rng.integers(0, 3)) // 2))]
        death, end = rng.exponential(60 / (1 + row.sum())), rng.uniform(6, 60)
        followed = [f"{min(death, end):.1f}", "1:DECEASED" if death < end else "0:LIVING"]
        rows.append([name[:-3], name, kind, name[-1], stage, *followed])
    return _text(rows)


def _panel(name: str) -> str:
    about = f"{len(PANELS[name])} genes, invented for the tutorial"
    return _properties(stable_id=name, description=about, gene_list="\t".join(PANELS[name]))


def _metas() -> dict[str, str]:
    parts = {
        "mutations": ("MUTATION_EXTENDED", "MAF"),
        "cna": ("COPY_NUMBER_ALTERATION", "DISCRETE"),
        "gene_panel_matrix": ("GENE_PANEL_MATRIX", "GENE_PANEL_MATRIX"),
        "clinical_sample": ("CLINICAL", "SAMPLE_ATTRIBUTES"),
    }
    found = {
        f"meta_{name}.txt": _properties(
            cancer_study_identifier=ID,
            genetic_alteration_type=alteration,
            datatype=datatype,
            stable_id=name,
            data_filename=f"data_{name}.txt",
        )
        for name, (alteration, datatype) in parts.items()
    }
    about = "A simulated study with two panels and several samples of some patients"
    study = _properties(type_of_cancer="luad", cancer_study_identifier=ID, name=about)
    return {"meta_study.txt": study, **found}


def _text(rows: list[list[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def _properties(**values: str) -> str:
    return "".join(f"{name}: {value}\n" for name, value in values.items())


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "study.zip"))
