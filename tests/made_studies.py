"""Studies as the portal gives them, made from a known truth: panels by name only, earlier symbols,
several samples per patient, neighbours that are lost together, structural variants."""

import io
import tarfile
import zipfile
from dataclasses import dataclass

import numpy as np

from caprese import ROOT, Forest

# APC ─┬─ TP53 ─┬─ NSD2
#      │        └─ CDKN2A loss
#      ├─ KRAS ─── ALK fusion
#      └─ CCND1 gain
TRUTH = Forest(
    ("APC", "TP53", "KRAS", "CCND1 gain", "NSD2", "CDKN2A loss", "ALK fusion"),
    (ROOT, 0, 0, 0, 1, 1, 2),
    (0.8, 0.65, 0.6, 0.35, 0.5, 0.55, 0.4),
)
ENTREZ = {"APC": 324, "TP53": 7157, "KRAS": 3845, "WHSC1": 7468, "TTN": 7273}
WRITTEN = {"NSD2": "WHSC1"}  # as studies of the time have it
NEIGHBOURS = {
    "CDKN2A": ("CDKN2A", "CDKN2Ap16INK4A", "CDKN2B", "MTAP"),
    "CCND1": ("CCND1", "FGF19", "FGF3", "FGF4"),
}
PANELS = ("IMPACT341", "impact_468")
HEADER = (
    "Hugo_Symbol\tEntrez_Gene_Id\tVariant_Classification\tTumor_Sample_Barcode\tMutation_Status\t"
    "HGVSp_Short"
)


@dataclass(frozen=True)
class Made:
    """The files of a study by name, and what is true of its primary samples."""

    files: dict[str, str]
    samples: tuple[str, ...]  # one for each patient
    present: dict[str, frozenset[str]]  # the samples with each event
    panel: dict[str, str]


def made_study(patients=120, seed=5, *, more_genes=0, silent=0.3):
    """Return a study: of every fourth patient a metastasis, too, with nothing but TP53."""
    rng = np.random.default_rng(seed)
    data = TRUTH.sample(patients, rng)
    names = tuple(f"P-{k:05d}-T01-IM5" for k in range(patients))
    events = {e: data.values[:, j] for j, e in enumerate(data.events)}
    panel = {name: PANELS[k % 2] for k, name in enumerate(names)}
    later = {name: name.replace("T01", "T02") for name in names[::4]}
    maf, cna, sv = (
        [HEADER],
        ["Hugo_Symbol\t" + "\t".join(names)],
        ["Sample_Id\tSV_Status\tSite1_Hugo_Symbol\tSite2_Hugo_Symbol\tSite1_Entrez_Gene_Id"],
    )
    for name, row in zip(names, range(patients), strict=True):
        for event in ("APC", "TP53", "KRAS", "NSD2"):
            gene = WRITTEN.get(event, event)
            if events[event][row]:
                if event == "NSD2" and PANELS.index(panel[name]) == 0:
                    continue  # IMPACT341 lacks it
                maf.append(_variant(gene, "Missense_Mutation", name, rng))
            if rng.random() < silent and event != "NSD2":
                maf.append(_variant(gene, "Silent", name, rng))
        if events["ALK fusion"][row]:
            sv.append(f"{name}\tSOMATIC\tEML4\tALK\t27436")
    sv.append(f"{names[0]}\tGERMLINE\tALK\tALK\t238")
    extra = [f"GENE{k}" for k in range(more_genes)]
    hits = rng.random((patients, more_genes)) < 0.02
    for row, column in np.argwhere(hits):
        maf.append(_variant(extra[column], "Nonsense_Mutation", names[row], rng))
    maf += [_variant("TP53", "Missense_Mutation", name, rng) for name in later.values()]
    for known, genes in NEIGHBOURS.items():
        level, event = (-2, "CDKN2A loss") if known == "CDKN2A" else (2, "CCND1 gain")
        for gene in genes:
            calls = np.where(events[event], level, 0)
            if gene == "MTAP":  # nearly the same
                calls[np.flatnonzero(events[event])[:1]] = 0
            cna.append("\t".join([gene, *map(str, calls)]))
    cna += ["\t".join([gene, *["0"] * patients]) for gene in extra]
    matrix = ["SAMPLE_ID\tmutations\tcna\tstructural_variants"]
    matrix += [f"{name}\t{panel[name]}\t{panel[name]}\t{panel[name]}" for name in names]
    matrix += [f"{other}\t{panel[name]}\tNA\tNA" for name, other in later.items()]
    clinical = ["#a\tb\tc", "PATIENT_ID\tSAMPLE_ID\tSAMPLE_TYPE"]
    clinical += [f"{other[:7]}\t{other}\tMetastasis" for other in later.values()]
    clinical += [f"{name[:7]}\t{name}\tPrimary" for name in names]
    files = {
        "meta_study.txt": "cancer_study_identifier: made_2026\nname: Made\n",
        "data_mutations.txt": _text(maf),
        "data_cna.txt": _text(cna),
        "data_sv.txt": _text(sv),
        "data_gene_panel_matrix.txt": _text(matrix),
        "data_clinical_sample.txt": _text(clinical),
        "case_lists/cases_sequenced.txt": "stable_id: made_2026_sequenced\ncase_list_ids: "
        + "\t".join((*names, *later.values()))
        + "\n",
    }
    present = {e: frozenset(np.array(names)[events[e]].tolist()) for e in TRUTH.events}
    return Made(files, names, present, panel)


def _variant(gene, classification, sample, rng):
    change = f"p.R{rng.integers(1, 400)}H" if gene != "KRAS" else "p.G12D"
    number = ENTREZ.get(gene, "")
    return f"{gene}\t{number}\t{classification}\t{sample}\tSOMATIC\t{change}"


def _text(lines):
    return "\n".join(lines) + "\n"


def stored(files, folder):
    """Store files in a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def zipped(files, path, top="made_2026/"):
    """Store files in a zip archive, as systems do that add folders of their own."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(top + name, text)
            archive.writestr(f"__MACOSX/{top}{name.replace('.', '_')}/._x", b"\0\5\26\7")
    return path


def tarred(files, path, top="made_2026/"):
    """Store files in a tar archive that is packed as its name says."""
    with tarfile.open(path, f"w:{path.suffix[1:].replace('tgz', 'gz')}") as archive:
        for name, text in files.items():
            content = text if isinstance(text, bytes) else text.encode()
            info = tarfile.TarInfo(top + name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path
