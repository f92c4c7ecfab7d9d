"""Files of seen orders: pairs, trees as tables and as JSON, read counts; and how they meet data."""

import gzip
import json

import numpy as np
import pytest

from caprese import Dataset, SeenOrders, datasets, read_orders, write_orders
from caprese.errors import FormatError, ParameterError
from caprese.io.data.reading import Reading
from caprese.io.data.seen_orders import read_seen, with_seen_orders

PAIRS = "sample,earlier,later,confidence,nested,depth\np,TP53,KRAS,0.8,0.5,120\nq,KRAS,-7q,1,1,90\n"
TREES = """patient,event,node,parent
p,TP53,1,0
p,KRAS,2,1
p,NRAS,2,1
p,FLT3,3,1
p,MYC,4,3
p,FLT3,5,4
q,KRAS,a,root
q,TP53,b,a
"""
NESTED = {
    "trees": {
        "p": {
            "tree": {
                "node_id": "0",
                "children": [
                    {
                        "node_id": "1",
                        "gene_events": {"TP53": {"SNV": "p.R175H"}},
                        "children": [
                            {"node_id": 2, "gene_events": {"KRAS": {}, "NRAS": {}}},
                            {
                                "node_id": "3",
                                "gene_events": {"FLT3": {}},
                                "children": [
                                    {
                                        "gene_events": {"MYC": {}},
                                        "children": [{"gene_events": {"FLT3": {}}}],
                                    }
                                ],
                            },
                        ],
                    }
                ],
            },
            "metadata": {"VitalStatus": "Alive"},
        },
        "q": {"tree": {"gene_events": {"KRAS": 1}, "children": [{"gene_events": {"TP53": 1}}]}},
    }
}
IN_TREES = {
    ("p", "TP53", "KRAS"),
    ("p", "TP53", "NRAS"),
    ("p", "TP53", "MYC"),
    ("q", "KRAS", "TP53"),
}
MAF = """#version 2.4
Hugo_Symbol\tChromosome\tVariant_Classification\tTumor_Sample_Barcode\tt_alt_count\tt_ref_count
TP53\tchr17\tMissense_Mutation\tp\t180\t220
KRAS\t12\tMissense_Mutation\tp\t60\t340
KRAS\t12\tMissense_Mutation\tp\t20\t380
BCOR\tchrX\tNonsense_Mutation\tp\t100\t100
MYC\t8\tMissense_Mutation\tp\t10\t20
TTN\t2\tSilent\tp\t100\t100
EGFR\t7\tMissense_Mutation\tp\t380\t20
NRAS\t1\tMissense_Mutation\tp\t40\t160
NRAS\t1\tMissense_Mutation\tp\tNA\t
"""


@pytest.fixture
def stored(tmp_path):
    def store(content, name="orders.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return store


def named(orders):
    return {tuple(seen)[:3] for seen in orders.rows()}


class TestPairs:
    def test_numbers_are_read_and_other_columns_are_allowed(self, stored):
        found = read_orders(stored(PAIRS)).rows()
        assert list(map(tuple, found)) == [
            ("p", "TP53", "KRAS", 0.8, 0.5),
            ("q", "KRAS", "-7q", 1.0, 1.0),
        ]

    def test_confidence_and_nested_may_be_missing_and_the_sample_may_be_a_patient(self, stored):
        found = read_orders(stored("Patient\tLater\tEarlier\np\tb\ta\n", "orders.tsv"))
        assert list(map(tuple, found.rows())) == [("p", "a", "b", 1.0, 1.0)]

    def test_mixing_is_an_option(self, stored):
        found = read_orders(stored(PAIRS), mixed=True)
        assert found.rows()[0].confidence == pytest.approx(0.65)

    def test_what_is_written_is_read_back(self, tmp_path):
        orders = SeenOrders.from_rows(
            [("p,1", "-7q", 'a"b', 1 / 3, 0.1), ("p,1", "8q+", "c d"), ("q", "8q+", "-7q", 0.7)]
        )
        for guard in (False, True):
            write_orders(orders, tmp_path / "orders.csv", guard_formulas=guard)
            assert read_orders(tmp_path / "orders.csv").rows() == orders.rows()
        assert "'-7q" in (tmp_path / "orders.csv").read_text()

    def test_packed_files_are_read(self, stored):
        path = stored(gzip.compress(PAIRS.encode()), "orders.csv.gz")
        assert len(read_orders(path)) == 2


class TestTrees:
    def test_ancestors_come_before_and_recurring_events_have_no_order(self, stored):
        found = read_seen(stored(TREES), {})
        assert named(found.orders) == IN_TREES
        assert found.orders.source == "trees in orders.csv"
        (note,) = map(str, found.notes)
        assert note == "orders: left out what recurs in the tree of a sample: 1 event, in 2 pairs"

    @pytest.mark.parametrize("before", ["", "data_aml_morita=", "var data = ", "x.y ="])
    def test_nested_json_gives_the_same(self, stored, before):
        path = stored(before + json.dumps(NESTED) + ";" * bool(before), "trees.json")
        found = read_seen(path, {})
        assert named(found.orders) == IN_TREES
        assert "in 2 pairs" in str(found.notes[0])

    def test_rows_of_a_tree_may_have_any_order(self, stored):
        header, *rows = TREES.splitlines()
        assert named(read_orders(stored("\n".join([header, *reversed(rows)])))) == IN_TREES

    def test_a_node_may_be_without_an_event(self, stored):
        found = read_orders(stored("sample,event,node,parent\np,a,1,\np,,2,1\np,b,3,2\n"))
        assert named(found) == {("p", "a", "b")}

    def test_the_embedded_trees_are_those_of_their_table(self):
        data = datasets.aml_trees()
        assert data.orders.source.startswith("trees of single cells")
        assert named(data.orders) >= {
            ("AML-04-003", "SF3B1", "SRSF2"),
            ("AML-03-001", "FLT3-ITD", "NPM1"),
        }
        assert not any("WT1" in seen for seen in named(data.orders) if seen[0] == "AML-01-002")
        assert set(data.orders.confidence) == {1.0}


class TestSeries:
    @pytest.mark.parametrize(
        "times", [("0", "12.5", "30"), ("2020-02-28", "2020-03-01", "2021-01-01")]
    )
    def test_what_is_there_earlier_came_before_what_is_first_seen_later(self, stored, times):
        early, middle, late = times
        rows = [
            ("p", late, "MYC"),
            ("p", early, "TP53"),
            ("p", middle, "TP53"),
            ("p", middle, "KRAS"),
        ]
        rows += [("q", early, "KRAS"), ("q", early, "MYC"), ("p", late, "NF1")]
        text = "\n".join(["patient,time,event", *map(",".join, rows)])
        found = read_orders(stored(text))
        assert {tuple(seen) for seen in found.rows()} == {
            ("p", one, other, 1.0, 0.5)
            for one, other in (
                ("TP53", "KRAS"),
                ("TP53", "MYC"),
                ("TP53", "NF1"),
                ("KRAS", "MYC"),
                ("KRAS", "NF1"),
            )
        }

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("patient,time,event\np,soon,TP53\n", "line 2, column 2 .*'soon' is no time; expected"),
            ("patient,time,event\np,inf,TP53\n", "'inf' is no time"),
            (
                "patient,time,event\np,1,TP53\np,2020-01-01,KRAS\n",
                "line 3, .*'2020-01-01' is a date, line 2 has none",
            ),
            (
                "patient,time,event\n",
                "there is only a header; expected one row per event of a time",
            ),
        ],
    )
    def test_bad_times_are_refused(self, stored, text, message):
        with pytest.raises(FormatError, match=message):
            read_orders(stored(text))


class TestReadCounts:
    def test_what_is_left_out_is_counted_by_reason(self, stored):
        found = read_seen(stored(MAF, "data.maf"), {})
        assert named(found.orders) == {("p", "TP53", "KRAS")}
        assert found.orders.source == "allele fractions in data.maf"
        assert [str(note) for note in found.notes] == [
            "orders: left out 6 of 9 variants: 1 without read counts, 1 silent, 1 on a sex "
            "chromosome or in mitochondria, 1 of an event with such a variant, 1 in more than 0.55 "
            "of the reads, 1 at a depth below 50",
            "orders: assumed, as there is no column of it: 2 copies, a purity of 1",
        ]

    def test_names_without_an_order_are_not_part_of_the_orders(self, stored):
        found = read_orders(stored(MAF + "ABL1\t9\tSilent\tq\t1\t1\n", "data.maf"))
        assert (found.samples, found.events) == (("p",), ("TP53", "KRAS"))

    def test_options_choose_the_depth_the_pairs_and_the_events(self, stored):
        path = stored(MAF, "data.maf")
        assert "MYC" in {name for seen in named(read_orders(path, depth=30)) for name in seen}
        assert len(read_orders(path, depth=30, pairs="neighbours")) == 2
        kinds = read_orders(path, events="gene and kind")
        assert named(kinds) == {("p", "TP53 missense", "KRAS missense")}

    @pytest.mark.parametrize(
        "columns",
        [
            {"VAF": ("0.45", "0.1"), "depth": ("400", "400")},
            {"CCF": ("0.9", "0.2"), "t_depth": ("400", "400")},
            {"t_alt_count": ("180", "40"), "t_depth": ("400", "400")},
            {"ccf": ("0.9", "0.2"), "depth": ("800", "800"), "purity": ("0.5", "0.5")},
        ],
    )
    def test_fractions_and_counts_say_the_same(self, stored, columns):
        rows = [",".join(["sample", "event", *columns])]
        rows += [
            f"p,{event}," + ",".join(cells)
            for event, *cells in zip("ab", *columns.values(), strict=True)
        ]
        found = read_orders(stored("\n".join(rows)))
        assert named(found) == {("p", "a", "b")}
        assert found.confidence[0] == 0.999

    def test_copies_and_purity_are_used(self, stored):
        table = (
            "sample,gene,t_alt_count,t_depth,copy_number,purity,chrom\n"
            "p,a,100,400,2,0.5,1\np,b,100,400,2,0.5,1\np,c,40,400,2,0.5,1\np,d,40,400,3,0.5,1\n"
        )
        found = read_seen(stored(table), {})
        assert [str(note) for note in found.notes] == [
            "orders: left out 1 of 4 variants: 1 with a copy number other than 2"
        ]
        both = {tuple(seen)[1:3]: seen for seen in found.orders.rows()}
        assert both["a", "b"].confidence == pytest.approx(0.5)
        assert both["a", "c"].confidence == 0.999
        assert both["a", "c"].nested > 0.95

    def test_orders_have_a_bounded_size(self, stored, monkeypatch):
        monkeypatch.setenv("CAPRESE_MEMORY", "1M")
        rows = [f"p,e{k},{50 + k},999" for k in range(200)]
        path = stored("\n".join(["sample,event,t_alt_count,t_depth", *rows]))
        with pytest.raises(FormatError, match=r"19,900 pairs of events.*pairs='neighbours' takes"):
            read_orders(path)
        assert len(read_orders(path, pairs="neighbours")) == 199


BAD = {
    "an empty file": ("", ": the file is empty"),
    "a header alone": ("sample,earlier,later\n", ", line 1: there is only a header"),
    "a header of trees alone": ("sample,event,node,parent\n", ", line 1: there is only a header"),
    "a header of counts alone": ("sample,event,vaf,depth\n", ", line 1: there is only a header"),
    "other columns": ("sample,a,b\np,1,0\n", ", line 1: no columns of orders; expected sample"),
    "no sample": ("earlier,later\na,b\n", ", line 1: no column sample or sample_id"),
    "a column twice": (
        "sample,earlier,later,earlier\np,a,b,c\n",
        ", line 1, column 4: column 'earlier' is also column 2; titles must differ",
    ),
    "a short row": ("sample,earlier,later\np,a\n", ", line 2: 2 fields, expected 3"),
    "an empty name": (
        "sample,earlier,later\np,,b\n",
        ", line 2, column 2: the earlier name is empty",
    ),
    "a confidence above 1": (
        "sample,earlier,later,confidence\np,a,b,0.5\np,a,c,1.5\n",
        ", line 3, column 4 ('confidence'): '1.5' is not a probability; expected a "
        "number from 0 to 1",
    ),
    "a confidence that is no number": (
        "sample,earlier,later,confidence\np,a,b,sure\n",
        ", line 2, column 4 ('confidence'): 'sure' is not a probability",
    ),
    "nested below 0": (
        "sample,earlier,later,nested\np,a,b,-1\n",
        ", line 2, column 4 ('nested'): '-1' is not a probability",
    ),
    "an event before itself": (
        "sample,earlier,later\np,a,a\n",
        ", line 2, column 3 ('later'): 'a' cannot come before itself",
    ),
    "a loop": (
        "sample,earlier,later\np,a,b\np,b,c\np,c,a\n",
        ": sample 'p': its orders contradict each other: each comes before the others, "
        "'a', 'b', 'c'",
    ),
    "a node that is its own ancestor": (
        "patient,event,node,parent\np,a,1,2\np,b,2,3\np,c,3,1\n",
        ", line 2: node '1' of sample 'p' is its own ancestor",
    ),
    "a node that is its own parent": (
        "patient,event,node,parent\np,a,1,1\n",
        ", line 2: node '1' of sample 'p' is its own ancestor",
    ),
    "a node with two parents": (
        "patient,event,node,parent\np,a,1,0\np,b,1,2\n",
        ", line 3, column 4 ('parent'): node '1' has another parent in line 2",
    ),
    "a fraction above 1": (
        "sample,event,vaf,depth\np,a,1.2,100\n",
        ", line 2, column 3 ('vaf'): '1.2' is not a fraction of reads; expected a "
        "number from 0 to 1",
    ),
    "a negative count": (
        "sample,event,t_alt_count,t_depth\np,a,-3,100\n",
        ", line 2, column 3 ('t_alt_count'): '-3' is not a number of reads; expected 0 or more",
    ),
    "more reads than all": (
        "sample,event,t_alt_count,t_depth\np,a,30,20\n",
        ", line 2, column 3 ('t_alt_count'): more reads with the variant, 30, than the depth, 20",
    ),
    "a fraction without a depth": (
        "sample,event,ccf\np,a,0.5\n",
        ", line 1: no column t_depth or depth or coverage, expected one",
    ),
    "JSON without trees": (
        '{"a": 1}',
        ': no trees; expected JSON with "trees", one for each sample',
    ),
    "JSON with a tree that is none": (
        '{"trees": {"p": {"tree": {"children": 3}}}}',
        ": the tree of sample 'p' is not one of nodes",
    ),
    "damaged JSON": ('x={"trees": {', ", line 1, column 14: not JSON: "),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_line_with_its_place(stored, name):
    content, message = BAD[name]
    path = stored(content)
    with pytest.raises(FormatError) as found:
        read_orders(path)
    assert str(found.value).startswith(f"{path}{message}")
    assert "\n" not in str(found.value)


def test_a_small_file_with_too_many_orders_is_refused(stored, monkeypatch):
    monkeypatch.setenv("CAPRESE_MEMORY", "50M")
    chain = "\n".join(f"p,e{k},e{k + 1}" for k in range(3000))
    with pytest.raises(FormatError, match=r"what follows from .* certain orders: this would take"):
        read_orders(stored("sample,earlier,later\n" + chain))
    chain = "\n".join(f"p,e{k},{k + 1},{k}" for k in range(3000))
    with pytest.raises(FormatError, match="the pairs of events on the branches of its trees"):
        read_orders(stored("sample,event,node,parent\n" + chain))


def test_options_that_a_format_lacks_are_refused_by_name(stored):
    with pytest.raises(ParameterError, match="options of trees must be one of mixed, got 'pairs'"):
        read_orders(stored(TREES), pairs="all")
    with pytest.raises(
        ParameterError, match=r"of seen orders must be .*, got 'pair'; did you mean"
    ):
        read_orders(stored(TREES), pair="all")
    with pytest.raises(ParameterError, match="pairs must be one of all, neighbours, got 'some'"):
        read_orders(stored(MAF, "a.maf"), pairs="some")
    with pytest.raises(ParameterError, match="depth must be a whole number of at least 1, got 0"):
        read_orders(stored(MAF, "a.maf"), depth=0)


def data(*samples, events=("TP53", "KRAS", "-7q")):
    return Dataset(np.ones((len(samples), len(events)), dtype=bool), events, samples)


class TestWithData:
    def test_orders_come_with_the_data_and_are_counted(self, stored):
        found = with_seen_orders(Reading(data("q", "p", "r")), stored(PAIRS), {})
        assert named(found.data.orders) == {("p", "TP53", "KRAS"), ("q", "KRAS", "-7q")}
        (note,) = map(str, found.notes)
        assert note == "orders: 2 pairs, whose events are both present, in 2 of 3 samples"

    def test_orders_of_absent_events_are_left_out_and_counted(self, stored):
        absent = Dataset.from_rows([[1, 0, 1], [1, 1, 1]], ("TP53", "KRAS", "-7q"), "pq")
        found = with_seen_orders(Reading(absent), stored(PAIRS), {})
        assert "1 pair of 2, whose events are both present, in 1 of 2 samples" in str(
            found.notes[-1]
        )

    def test_that_no_order_is_left_is_said(self, stored):
        absent = Dataset.from_rows([[1, 0, 0], [0, 1, 0]], ("TP53", "KRAS", "-7q"), "pq")
        found = with_seen_orders(Reading(absent), stored(PAIRS), {})
        expected = "orders: no seen order is left, so everything is as without these orders"
        assert str(found.notes[-1]) == expected

    @pytest.mark.parametrize(
        ("samples", "events", "message"),
        [
            (("p", "qq"), ("TP53", "KRAS", "-7q"), "line 3: sample 'q' is not in the data"),
            (
                ("p", "q"),
                ("TP53", "KRAS", "-7"),
                "line 3: event '-7q' is not in the data; did you mean '-7'",
            ),
            (("p", "q"), ("a", "b"), "event 'TP53' and 2 other events are not in the data"),
        ],
    )
    def test_unknown_names_are_refused_or_left_out(self, stored, samples, events, message):
        path, reading = stored(PAIRS), Reading(data(*samples, events=events))
        with pytest.raises(FormatError) as found:
            with_seen_orders(reading, path, {})
        assert message in str(found.value)
        assert str(found.value).endswith("orders_extra=True leaves out such orders")
        notes = with_seen_orders(reading, path, {}, extra=True).notes
        assert "that the data lacks: " in str(notes[0])

    def test_columns_that_were_left_out_while_reading_are_no_unknown_events(self, stored):
        reading = Reading(data("p", "q", events=("TP53", "KRAS")), left_out=("-7q",))
        assert len(with_seen_orders(reading, stored(PAIRS), {}).data.orders) == 1

    def test_a_name_at_the_end_of_one_sample_is_that_sample(self, stored):
        path = stored("patient,earlier,later\nAML-01-001,TP53,KRAS\n")
        found = with_seen_orders(Reading(data("AML-01_AML-01-001", "AML-02_AML-02-001")), path, {})
        assert named(found.data.orders) == {("AML-01_AML-01-001", "TP53", "KRAS")}
        assert str(found.notes[0]) == (
            "orders: matched 1 sample by a part of the name: AML-01-001 is AML-01_AML-01-001"
        )

    @pytest.mark.parametrize(
        "samples", [("x_p", "y_p"), ("xp", "y_q"), ("x_p_1", "z")], ids=["two", "no mark", "inside"]
    )
    def test_other_names_are_not_matched(self, stored, samples):
        with pytest.raises(FormatError, match="sample 'p' is not in the data"):
            with_seen_orders(
                Reading(data(*samples)), stored("sample,earlier,later\np,TP53,KRAS\n"), {}
            )

    def test_two_names_are_never_one_sample(self, stored):
        path = stored("sample,earlier,later\nx_p,TP53,KRAS\np,KRAS,TP53\n")
        with pytest.raises(FormatError, match="sample 'p' is not in the data"):
            with_seen_orders(Reading(data("x_p")), path, {})

    def test_barcodes_are_matched_with_their_shorter_forms_only(self, stored):
        path = stored("sample,earlier,later\nTCGA-02-0001-01A,TP53,KRAS\n")
        for sample in ("TCGA-02-0001", "TCGA-02-0001-01"):
            found = with_seen_orders(Reading(data(sample)), path, {})
            assert found.data.orders.samples == (sample,)
        with pytest.raises(FormatError, match="did you mean 'TCGA-02-0001-06'"):
            with_seen_orders(Reading(data("TCGA-02-0001-06")), path, {})
