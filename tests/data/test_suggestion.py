"""Suggested events: drivers are proposed, neutral genes are not, however many samples have them."""

import csv

import numpy as np
import pytest

from caprese.data.curation import names_in
from caprese.data.dataset import Dataset
from caprese.data.suggestion import NEUTRAL, GeneVariants, excess_of, suggest
from caprese.io.data.maf import read_maf

SAMPLES = 300
HEADER = "Hugo_Symbol\tVariant_Classification\tTumor_Sample_Barcode\tHGVSp_Short"


def maf(rng, *, neutral=60, silent=True, many=2):
    """A MAF of drivers of each sort, neutral genes of all lengths, and hypermutated samples."""
    lines = [HEADER]

    def variants(gene, share, kinds, codons):
        for sample in np.flatnonzero(rng.random(SAMPLES) < share):
            kind = kinds(rng)
            if kind != "Silent" or silent:
                lines.append(f"{gene}\t{kind}\ts{sample}\tp.A{rng.integers(1, codons + 1)}V")

    def random_kind(rng):
        return "Missense_Mutation" if rng.random() < NEUTRAL else "Silent"

    variants("EXCESS", 0.4, lambda _: "Missense_Mutation", 900)
    variants("HOT", 0.15, lambda _: "Missense_Mutation", 3)
    variants("CUT", 0.1, lambda rng: "Nonsense_Mutation" if rng.random() < 0.6 else "Silent", 900)
    for k in range(neutral):
        length = int(rng.integers(300, 9000))
        variants(f"N{k}", min(0.5, length / 12000), random_kind, length)
    lines += [f"M{k}\tMissense_Mutation\ts{j}\tp.A1V" for j in range(many) for k in range(300)]
    return "\n".join(lines) + "\n"


@pytest.fixture
def reading(tmp_path):
    (tmp_path / "x.maf").write_text(maf(np.random.default_rng(3)))
    return read_maf(tmp_path / "x.maf")


def proposed(reading, **options):
    return [e.event for e in suggest(reading.data, reading.variants(), **options).events if e.use]


def test_what_the_variants_of_a_gene_say_is_counted(tmp_path):
    rows = [
        *("A\tMissense_Mutation\tp\tp.R5H", "A\tMissense_Mutation\tp\tp.R5C"),
        *("A\tNonsense_Mutation\tq\tp.R5*", "A\tFrame_Shift_Del\tr\tp.K9fs"),
        *("A\tSilent\tr\tp.K9=", "A\tIntron\ts\t", "B\tSilent\ts\tp.V2=", "C\tIntron\ts\t"),
    ]
    (tmp_path / "x.maf").write_text("\n".join([HEADER, *rows]) + "\n")
    assert read_maf(tmp_path / "x.maf").variants() == {
        "A": GeneVariants(4, 2, 3, 1, 2, "5"),
        "B": GeneVariants(0, 0, 0, 1, 0, ""),
    }


def test_drivers_of_each_sort_are_proposed_with_their_reason(reading):
    found = {e.event: e for e in suggest(reading.data, reading.variants()).events}
    assert "substitutions change the protein, 0 are silent" in found["EXCESS"].reasons[0]
    assert any(reason.startswith("position ") for reason in found["HOT"].reasons)
    assert any(reason.endswith("truncate the protein") for reason in found["CUT"].reasons)
    assert all(found[gene].use for gene in ("EXCESS", "HOT", "CUT"))


def test_neutral_genes_are_hardly_ever_proposed_though_many_samples_have_them(tmp_path):
    wrong, tried, frequent = 0, 0, 0
    for seed in range(5):
        (tmp_path / "x.maf").write_text(maf(np.random.default_rng(seed)))
        reading = read_maf(tmp_path / "x.maf")
        neutral = [e for e in proposed(reading, most=100) if e.startswith("N")]
        present = dict(zip(reading.data.events, reading.data.tallies()[0].tolist(), strict=True))
        wrong, tried = wrong + len(neutral), tried + 60
        frequent += sum(present.get(f"N{k}", 0) > present["CUT"] for k in range(60))
    assert frequent > 100  # frequency alone would propose them
    assert wrong <= 9  # 1 % of 300, by the level of the test, and three standard errors


def test_without_silent_variants_genes_of_public_panels_are_proposed(tmp_path):
    text = maf(np.random.default_rng(3), silent=False).replace("N7\t", "KEAP1\t")
    (tmp_path / "x.maf").write_text(text)
    reading = read_maf(tmp_path / "x.maf")
    found = {e.event: e for e in suggest(reading.data, reading.variants()).events}
    assert found["KEAP1"].use
    assert "no silent variants to compare with" in found["KEAP1"].reasons[0]
    assert not found["N8"].use


def test_samples_with_far_more_events_than_others_are_named(reading):
    found = suggest(reading.data, reading.variants())
    assert found.hypermutated == ("s0", "s1")
    carried = reading.data.values.sum(axis=1)
    assert (carried > found.limit).sum() == 2


def test_without_evidence_frequency_and_coverage_decide():
    rng = np.random.default_rng(1)
    values = rng.random((100, 4)) < (0.5, 0.3, 0.02, 0.5)
    values[:2, 2] = True
    known = np.ones((100, 4), dtype=bool)
    known[10:, 3] = False
    found = suggest(Dataset(values, ("a", "b", "rare", "seldom"), known=known))
    assert [e.event for e in found.events if e.use] == ["a", "b"]
    reasons = {e.event: e.reasons for e in found.events}
    assert reasons["rare"] == ("rare",)
    assert reasons["seldom"][0] == "known in 10 % of samples only"
    assert (found.hypermutated, found.limit) == ((), None)


@pytest.mark.parametrize(("changing", "silent"), [(0, 0), (0, 3), (7, 0), (5, 2), (300, 60)])
def test_the_excess_is_the_tail_of_the_binomial_distribution(changing, silent):
    from scipy.stats import binomtest

    gene = GeneVariants(changing, 0, changing, silent, 0, "")
    total = changing + silent
    expected = binomtest(changing, total, NEUTRAL, "greater").pvalue if total else 1
    assert excess_of(gene) == pytest.approx(expected)


def test_the_order_of_rows_and_columns_does_not_matter(reading):
    data = reading.data
    turned = data.take_events(data.events[::-1]).take_samples(range(len(data.samples))[::-1])
    assert suggest(turned, reading.variants()) == suggest(data, reading.variants())


def test_no_more_than_asked_for_are_proposed(reading):
    assert len(proposed(reading, most=2)) == 2
    others = [e for e in suggest(reading.data, reading.variants(), most=2).events if not e.use]
    assert sum(e.reasons[:1] == ("not among the first 2",) for e in others) >= 1


def test_the_table_is_edited_and_given_back_as_a_selection(run, tmp_path):
    (tmp_path / "x.maf").write_text(maf(np.random.default_rng(3)))
    code, out, err = run("curate", "x.maf", "--suggest", "events.csv")
    assert (code, err) == (0, "")
    assert "2 samples with far more events than others: s0, s1; --hypermutated" in out
    with open(tmp_path / "events.csv") as file:
        header, *rows = csv.reader(file)
    assert header == ["event", "use", "present", "known", "reasons"]
    used = [row[0] for row in rows if row[1] == "yes"]
    assert {"EXCESS", "HOT", "CUT"} <= {*used}
    text = (tmp_path / "events.csv").read_text().replace("EXCESS,yes", "EXCESS,no")
    (tmp_path / "events.csv").write_text(text)
    assert names_in(text.splitlines()) == tuple(name for name in used if name != "EXCESS")
    code, out, _ = run("fit", "x.maf", "--only", "events.csv")
    assert code == 0
    assert f"x {len(used) - 1} events" in out
    assert "EXCESS" not in out.partition("excluded")[0]


def test_a_table_and_a_suggestion_can_be_written_together(run, tmp_path):
    (tmp_path / "x.maf").write_text(maf(np.random.default_rng(3)))
    code, out, _ = run("curate", "x.maf", "--suggest", "events.csv", "-o", "table.csv")
    assert code == 0
    assert "events.csv: " in out
    assert "table.csv: 300 samples x" in out


def test_one_of_both_is_needed(refused, tmp_path):
    (tmp_path / "x.maf").write_text(maf(np.random.default_rng(3)))
    assert refused("curate", "x.maf") == "Missing option '-o' / '--output', or --suggest"
