"""Small files of every format; all are invented, with the columns of real files."""

import gzip
from datetime import date, timedelta
from pathlib import Path

import numpy as np

MAF_HEADER = (
    "Hugo_Symbol\tEntrez_Gene_Id\tCenter\tNCBI_Build\tChromosome\tVariant_Classification\t"
    "Variant_Type\tTumor_Sample_Barcode\tMutation_Status\tHGVSp_Short"
)


def maf_line(gene, classification="Missense_Mutation", sample="p1", status="Somatic"):
    fields = [gene, "1", "ours", "GRCh38", "chr1", classification, "SNP", sample, status, "p.A1B"]
    return "\t".join(fields)


def maf(*variants, version="#version 2.4\n#annotated by hand\n"):
    """The text of a MAF with these variants, each a tuple of arguments of `maf_line`."""
    return version + "\n".join([MAF_HEADER, *(maf_line(*variant) for variant in variants)]) + "\n"


COUNTS = "sample,TP53,KRAS,MYC\np,1,1,1\nq,1,1,0\nr,1,1,0\ns,0,0,1\n"
VARIANTS = (
    "sample,event,t_alt_count,t_depth,Chromosome\n"
    "p,TP53,180,400,17\np,KRAS,60,400,12\np,MYC,20,410,8\nq,TP53,160,380,17\nq,KRAS,50,420,12\n"
    "r,KRAS,90,400,12\nr,TP53,110,300,17\nr,BCOR,80,90,X\ns,MYC,12,30,8\n"
)


def orders_of(data, earlier, later):
    """A table of orders: one event before the other in all samples that have both."""
    both = data.values[:, [data.events.index(earlier), data.events.index(later)]].all(axis=1)
    rows = [
        f"{sample},{earlier},{later}\n"
        for sample, one in zip(data.samples, both, strict=True)
        if one
    ]
    return "".join(["sample,earlier,later\n", *rows])


BY_GENES = (
    "Gene Symbol\tLocus ID\tCytoband\tp1\tp2\tp3\n"
    "MYC\t4609\t8q24.21\t2\t1\t0\n"
    "PTEN\t5728\t10q23.31\t-2\t-1\tNA\n"
)

DATA_CNA = "Hugo_Symbol\tEntrez_Gene_Id\tp1\tp2\nERBB2\t2064\t2\t0\nCDKN2A\t1029\t-2\t-1.5\n"

LESION_COLUMNS = (
    "Unique Name\tDescriptor\tWide Peak Limits\tPeak Limits\tRegion Limits\tq values\t"
    "Residual q values after removing segments shared with higher peaks\tBroad or Focal\t"
    "Amplitude Threshold"
)


def lesion(name, band, *levels, threshold="0: t<0.1; 1: 0.1<t< 0.9; 2: t>0.9"):
    limits = "chr8:128000000-129000000(probes 1:2)"
    fields = [name, band, limits, limits, limits, "1e-9", "1e-9", "", threshold, *levels]
    return "\t".join(fields) + "\t\n"


LESIONS = (
    f"{LESION_COLUMNS}\tp1\tp2\tp3\t\n"
    + lesion("Amplification Peak  1", "8q24.21 ", "2", "1", "0")
    + lesion("Deletion Peak  1", "10q23.31 ", "1", "2", "0")
    + lesion("Amplification Peak  1 - CN values", "8q24.21 ", "1.31", "0.42", "-0.01")
    + lesion("Deletion Peak  1 - CN values", "10q23.31 ", "-0.4", "-1.2", "0.03")
)

PANEL = "stable_id: SMALL\ndescription: Two genes\ngene_list: TP53\tKRAS\n"

STUDY = {
    "meta_study.txt": "type_of_cancer: brca\ncancer_study_identifier: ours_2026\nname: Ours\n",
    "meta_mutations.txt": (
        "cancer_study_identifier: ours_2026\ngenetic_alteration_type: MUTATION_EXTENDED\n"
        "datatype: MAF\nstable_id: mutations\ndata_filename: data_mutations.txt\n"
    ),
    "data_mutations.txt": maf(
        ("TP53", "Missense_Mutation", "s1"),
        ("EGFR", "Frame_Shift_Del", "s2"),
        ("TP53", "Silent", "s2"),
        version="",
    ),
    "meta_cna.txt": (
        "cancer_study_identifier: ours_2026\ngenetic_alteration_type: COPY_NUMBER_ALTERATION\n"
        "datatype: DISCRETE\nstable_id: gistic\ndata_filename: data_cna.txt\n"
    ),
    "data_cna.txt": "Hugo_Symbol\tEntrez_Gene_Id\ts1\ts5\nMYC\t4609\t2\t0\n",
    "data_gene_panel_matrix.txt": (
        "SAMPLE_ID\tmutations\tgistic\ns1\tSMALL\tWES\ns2\tWES\tNA\ns3\tSMALL\tNA\ns5\tNA\tWES\n"
    ),
    "data_gene_panel_small.txt": PANEL,
    "data_clinical_sample.txt": (
        "#Patient Identifier\tSample Identifier\tSample Type\n#x\tx\tx\n#STRING\tSTRING\tSTRING\n"
        "#1\t1\t1\nPATIENT_ID\tSAMPLE_ID\tSAMPLE_TYPE\n"
        "a\ts2\tMetastasis\na\ts1\tPrimary\nb\ts3\tPrimary\nc\ts4\tPrimary\nd\ts5\tPrimary\n"
        "e\ts6\tPrimary\n"
    ),
    "case_lists/cases_sequenced.txt": (
        "cancer_study_identifier: ours_2026\nstable_id: ours_2026_sequenced\n"
        "case_list_name: Sequenced\ncase_list_ids: s1\ts2\ts3\ts4\n"
    ),
}


def stored_study(folder, **changes):
    """Store the study in a folder; a change of None omits a file. Names have _ for . and /."""
    plain = {name.replace(".", "_").replace("/", "_"): name for name in STUDY}
    content = STUDY | {plain.get(key, key): text for key, text in changes.items()}
    for name, text in content.items():
        if text is not None:
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return Path(folder)


def packed(text):
    return gzip.compress(text.encode())


def series_files(patients=80):
    """A table of one to three samples of each patient, and another one of their dates."""
    rng = np.random.default_rng(3)
    rows, dates = ["sample,TP53,KRAS,APC,MYC"], ["sample,patient,date,site"]
    for patient in range(patients):
        comes = rng.exponential(size=4) / (1.5, 1.0, 0.6, 0.4)
        comes[1:3] += comes[0]  # KRAS and APC follow TP53
        taken = rng.exponential(size=1 + patient % 3).cumsum()
        for k, when in enumerate(taken.tolist(), start=1):
            name = f"P{patient + 1:02d}_T{k}"
            rows.append(",".join([name, *map(str, (comes <= when).astype(int))]))
            day = date(2020, 1, 1) + timedelta(days=int(300 * when))
            dates.append(f"{name},P{patient + 1:02d},{day},tumour")
    return {"series.csv": "\n".join(rows) + "\n", "dates.csv": "\n".join(dates) + "\n"}


def pair_files(patients=60):
    """A table of a primary tumour and a metastasis of each patient, and another one of which."""
    rng = np.random.default_rng(5)
    rows, sites = ["sample,TP53,KRAS,SMAD4,MYC"], ["sample,patient,site"]
    before = rng.exponential(size=(patients, 4)) / (3.0, 1.5, 0.3, 0.5)
    shared = before < rng.exponential(size=(patients, 1))
    for site, letter in (("primary", "P"), ("metastasis", "M")):
        waits = rng.exponential(size=(patients, 4)) / (0.5, 0.5, 1.5, 0.5)
        values = shared | (waits < rng.exponential(size=(patients, 1)))
        for patient, row in enumerate(values.astype(int).tolist(), start=1):
            name = f"{letter}{patient:02d}"
            rows.append(",".join([name, *map(str, row)]))
            sites.append(f"{name},{patient:02d},{site}")
    return {"pairs.csv": "\n".join(rows) + "\n", "sites.csv": "\n".join(sites) + "\n"}


def isolate_files(isolates=60):
    """A tree of isolates with lengths of branches, and a table of what each is resistant to."""
    rng = np.random.default_rng(7)
    ends = [("r", np.zeros(3, dtype=bool))]
    children = {"r": []}
    lengths = {}
    while len(ends) < isolates:
        name, state = ends.pop(int(rng.integers(len(ends))))
        for side in "ab":
            child, length, now, own = name + side, rng.exponential(), 0.0, state.copy()
            while True:  # amikacin comes three times as fast after rifampicin
                rates = np.array([0.25, 0.1 + 0.3 * own[0], 0.08]) * ~own
                now += rng.exponential() / max(rates.sum(), 1e-9)
                if now > length:
                    break
                own[(rng.random() * rates.sum() >= rates.cumsum()).sum()] = True
            children[name].append(child)
            children[child], lengths[child] = [], length
            ends.append((child, own))
    names = {end: f"i{k:02d}" for k, (end, _) in enumerate(ends, start=1)}

    def text(node):
        inner = ",".join(map(text, children[node]))
        return (f"({inner})" if inner else names[node]) + (
            f":{lengths[node]:.3f}" if node in lengths else ""
        )

    rows = ["sample,rifampicin,amikacin,linezolid"]
    rows += [",".join([names[end], *map(str, own.astype(int))]) for end, own in ends]
    return {"isolates.csv": "\n".join(rows) + "\n", "isolates.nwk": text("r") + ";\n"}
