"""One command from the archive of a study to a report, with the log of what was done to it."""

import csv
import html

import numpy as np
import pytest

from caprese import read_fit
from made_studies import TRUTH, made_study, zipped

MADE = made_study(300, 11)

STEPS = (
    f"excluded {MADE.files['data_mutations.txt'].count('Silent')} silent variants",
    "panel IMPACT341 (225 samples) covers 3 of 4 events; the others are unknown there",
    "CDKN2A loss (9p21.3) is one event with CDKN2B, lost together",
    "CCND1 gain (11q13.3) is one event with FGF19, FGF3, FGF4, gained together",
    "renamed 2 genes to today's symbols: CDKN2Ap16INK4A is CDKN2A, WHSC1 is NSD2",
    "375 samples of 300 patients: 300 samples kept, one of each",
    "excluded 1 structural variant",
)


QUICK = ("--replicates", "5", "--budget", "0.01", "-o", "r.html")
MORE = ("PTEN", "EGFR", "PIK3CA", "BRAF", "NRAS", "RB1")  # genes of both panels


def with_more_genes():
    """The files of a study with mutations of more genes, at other shares."""
    hits = [
        f"{gene}\t\tNonsense_Mutation\t{sample}\tSOMATIC\tp.R9*\n"
        for k, gene in enumerate(MORE)
        for sample in MADE.samples[:: 3 + k]
    ]
    return MADE.files | {"data_mutations.txt": MADE.files["data_mutations.txt"] + "".join(hits)}


def carriers_in(files):
    """The primary samples with each event, counted line by line in the files."""
    today = {"WHSC1": "NSD2", "CDKN2Ap16INK4A": "CDKN2A"}
    together = {"CDKN2B loss": "CDKN2A loss"}
    together |= {f"FGF{k} gain": "CCND1 gain" for k in (3, 4, 19)}
    found = {}

    def count(event, sample):
        if sample.endswith("T01-IM5"):
            found.setdefault(together.get(event, event), set()).add(sample)

    for line in files["data_mutations.txt"].splitlines()[1:]:
        gene, _, classification, sample, *_ = line.split("\t")
        if classification != "Silent":
            count(today.get(gene, gene), sample)
    header, *rows = (line.split("\t") for line in files["data_cna.txt"].splitlines())
    for gene, *levels in rows:
        for sample, level in zip(header[1:], levels, strict=True):
            if level in ("-2", "2") and gene != "MTAP":  # which is on neither panel
                count(f"{today.get(gene, gene)} {'gain' if level == '2' else 'loss'}", sample)
    for line in files["data_sv.txt"].splitlines()[1:]:
        sample, status, _, gene, *_ = line.split("\t")
        if status == "SOMATIC":
            count(f"{gene} fusion", sample)
    return found


def test_the_top_twelve_events_of_a_zip_are_those_that_a_count_of_its_files_gives(run, tmp_path):
    files = with_more_genes()
    zipped(files, tmp_path / "made.zip")
    code, _, err = run("report", "made.zip", "--top", "12", *QUICK)
    assert (code, err) == (0, "")
    page = html.unescape((tmp_path / "r.html").read_text())
    dropped = "dropped 10 events, less frequent than the first 12: CCND1 loss (0 of 300), "
    for step in (STEPS[0], *STEPS[2:], dropped):
        assert step in page
    assert run("curate", "made.zip", "--top", "12", "-o", "table.csv")[0] == 0
    with open(tmp_path / "table.csv") as file:
        rows = [*csv.DictReader(file)]
    counted = carriers_in(files)
    first = sorted(counted, key=lambda event: -len(counted[event]))[:12]
    assert {*rows[0]} == {"sample", *first}
    for event in first:
        assert {row["sample"] for row in rows if row[event] == "1"} == counted[event], event
        assert event in page


def test_the_report_of_a_zip_tells_what_was_done_to_the_data(run, tmp_path):
    zipped(MADE.files, tmp_path / "made.zip")
    code, _, err = run("report", "made.zip", "--top", "7", *QUICK)
    assert (code, err) == (0, "")
    page = html.unescape((tmp_path / "r.html").read_text())
    for step in STEPS:
        assert step in page
    assert all(event in page for event in TRUTH.events)


def test_the_fit_of_the_top_events_rests_on_the_calls_of_the_study_and_finds_the_truth(
    run, tmp_path
):
    zipped(MADE.files, tmp_path / "made.zip")
    assert run("fit", "made.zip", "--top", "7", "-o", "fit.json")[0] == 0
    assert run("curate", "made.zip", "--top", "7", "-o", "table.csv")[0] == 0
    fit = read_fit("fit.json")
    assert {*fit.model.edges} == {*TRUTH.edges}
    with open(tmp_path / "table.csv") as file:
        header, *rows = csv.reader(file)
    assert {*header[1:]} == {*TRUTH.events}
    cells = {row[0]: dict(zip(header[1:], row[1:], strict=True)) for row in rows}
    assert {*cells} == {*MADE.samples}
    for event, carriers in MADE.present.items():
        for sample, row in cells.items():
            unseen = event == "NSD2" and MADE.panel[sample] == "IMPACT341"
            assert row[event] == ("NA" if unseen else str(int(sample in carriers))), (event, sample)


@pytest.mark.parametrize("option", ["per=none", "regions=bands", "together=some", "study="])
def test_options_that_cannot_be_are_one_line(refused, tmp_path, option):
    zipped(MADE.files, tmp_path / "made.zip")
    name = option.partition("=")[0]
    assert name in refused("fit", "made.zip", "--read", option)


def test_an_unknown_panel_says_how_to_give_it(refused, tmp_path):
    matrix = MADE.files["data_gene_panel_matrix.txt"].replace("IMPACT341", "ours-7")
    zipped(MADE.files | {"data_gene_panel_matrix.txt": matrix}, tmp_path / "made.zip")
    assert refused("fit", "made.zip", "--read", "unknown_panels=refuse") == (
        "made.zip/made_2026/data_gene_panel_matrix.txt, line 2 ('mutations'): gene panel 'ours-7' "
        "is not defined; expected data_gene_panel_ours-7.txt in the folder; --read panels "
        "names another folder, unknown_panels=exclude leaves out what was seen with it"
    )


def test_coverage_is_an_option(run, tmp_path):
    rng = np.random.default_rng(1)
    rows = [
        "sample,a,b,c",
        *(f"s{k},{k % 2},{k % 3 // 2}," for k in range(60)),
        "t,1,0,1",
        "u,0,1,0",
    ]
    rng.shuffle(rows[1:])
    (tmp_path / "x.csv").write_text("\n".join(rows) + "\n")
    out = run("fit", "x.csv")[1]
    assert "dropped 1 event, known in less than 20 % of samples: c (1 of 2)" in out
    assert "known in less" not in run("fit", "x.csv", "--coverage", "0")[1]
