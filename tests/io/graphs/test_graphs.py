"""Files for other programs, read by those programs and by caprese."""

import csv
import json
import re
import warnings
from dataclasses import replace
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import caprese
from caprese import (
    HCBN,
    ROOT,
    Caprese,
    ConjunctiveDag,
    Forest,
    Independence,
    Oncotree,
    Poset,
    TimedPoset,
    bootstrap,
    datasets,
)
from caprese.data.curation import curate
from caprese.errors import FormatError, ModelError
from caprese.io.documents import read_document
from caprese.io.graphs.files import GRAPH_FORMATS, graph_text, read_graph, write_graph
from caprese.io.graphs.networks import ROOT_NODE, from_networkx, to_networkx
from caprese.io.text.cells import unescaped
from hostile_names import HOSTILE, names
from shapes import SHAPES
from strategies import forests

pytestmark = pytest.mark.slow

# <> -.9- a -.5-> c -.4- d
#  |             /
#  +---.8- b ---+
DAG = ConjunctiveDag(("a", "b", "c", "d"), ((), (), (0, 1), (2,)), (0.9, 0.8, 0.5, 0.4))
TREES_ONLY = [".nwk", ".newick"]
READABLE = [".graphml", ".csv", ".tsv"]
ONLY_WRITTEN = [".gexf", ".cyjs", ".dot", ".gv"]
each_format = pytest.mark.parametrize("suffix", GRAPH_FORMATS)
each_readable = pytest.mark.parametrize("suffix", READABLE)


def test_every_format_is_tested():
    assert sorted(GRAPH_FORMATS) == sorted(TREES_ONLY + READABLE + ONLY_WRITTEN)


def hostile_forest():
    """A chain and a star of all hostile names, the last one a leaf of ten thousand characters."""
    size = len(HOSTILE)
    parents = [ROOT if k == 0 else k - 1 if k < size // 2 else k % 5 for k in range(size)]
    return Forest(HOSTILE, np.array(parents), np.linspace(0.05, 0.95, size))


def hostile_dag():
    parents = tuple(tuple(range(max(0, k - 2), k)) for k in range(len(HOSTILE)))
    return ConjunctiveDag(HOSTILE, parents, np.linspace(0.05, 0.95, len(HOSTILE)))


TREES = SHAPES | {"hostile forest": hostile_forest()}
MODELS = TREES | {"dag": DAG, "hostile dag": hostile_dag()}


def parents_in_model(model):
    """The parents and the probability of each event, whatever the order of the events."""
    above = model.adjacency()
    return {
        event: ({model.events[i] for i in np.flatnonzero(above[:, j])}, model.probabilities[j])
        for j, event in enumerate(model.events)
    }


@pytest.fixture(scope="module")
def fit():
    data = caprese.Dataset.from_rows(
        [[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1], [1, 1, 1, 1]],
        events=["a", "b", "c", "=d"],
    )
    doubled = caprese.Dataset(
        np.column_stack([data.values, data.values[:, 1]]), (*data.events, "e"), data.samples
    )
    curated = curate(doubled)
    return replace(Caprese().fit(curated.data), log=curated.log)


@pytest.fixture(scope="module")
def confidence():
    return bootstrap(Caprese(), datasets.ovarian(), replicates=200, seed=1)


@pytest.fixture(scope="module")
def rich(fit, tmp_path_factory):
    """A folder with a fit in every format, and all its attributes."""
    folder = tmp_path_factory.mktemp("rich")
    drawn = fit.model.sample(30, np.random.default_rng(1))
    support = bootstrap(Caprese(), drawn, replicates=50, seed=1)
    for suffix in GRAPH_FORMATS:
        write_graph(fit, folder / f"tree{suffix}", support)
    return folder, attributes(to_networkx(fit, support))


class TestNetworkx:
    def test_nodes_are_the_events_and_the_root(self):
        graph = to_networkx(DAG)
        assert list(graph) == [ROOT_NODE, "a", "b", "c", "d"]
        assert set(graph.edges) == {("", "a"), ("", "b"), ("a", "c"), ("b", "c"), ("c", "d")}
        assert graph.nodes[ROOT_NODE] == {"label": "root", "kind": "root"}
        assert graph.nodes["a"] == {"label": "a", "kind": "event"}
        assert graph.edges["a", "c"] == graph.edges["b", "c"] == {"probability": 0.5}

    def test_an_event_called_root_is_not_the_root(self):
        graph = to_networkx(Forest(("root", "a"), (ROOT, 0), (0.5, 0.5)))
        assert list(graph.edges) == [("", "root"), ("root", "a")]
        assert graph.nodes["root"]["kind"] == "event"

    def test_a_fit_has_the_attributes_of_its_table(self):
        ovarian = Caprese().fit(datasets.ovarian())
        graph, table = to_networkx(ovarian), ovarian.table()
        for event, row in table.iterrows():
            (parent,) = graph.predecessors(event)
            node, edge = graph.nodes[event], graph.edges[parent, event]
            assert parent == (ROOT_NODE if pd.isna(row["parent"]) else row["parent"])
            assert node["frequency"] == row["frequency"]
            assert node["reason"] == row["reason"]
            assert not node["undetermined"]
            assert edge["probability"] == row["probability"]
            assert edge["filtered"] == (row["reason"] == "filtered")
            assert edge.get("score") == (None if np.isnan(row["score"]) else row["score"])
        assert graph.graph["method"] == "caprese (shrinkage 0.5)"
        assert graph.graph["samples"] == 87
        assert graph.graph["digest"] == datasets.ovarian().digest

    def test_the_numbers_are_those_of_the_method(self):
        ovarian = Oncotree().fit(datasets.ovarian())
        weights = {event: edge["weight"] for _, event, edge in to_networkx(ovarian).edges.data()}
        assert weights == ovarian.table()["weight"].to_dict()

    def test_an_event_without_a_determined_parent_is_marked(self):
        data = caprese.Dataset.from_rows([[1, 0], [0, 0]], events=["a", "never"])
        graph = to_networkx(Caprese().fit(data))
        assert graph.nodes["never"]["undetermined"]
        assert graph.nodes["never"]["reason"] == "never seen"

    def test_composites_name_their_members(self, fit):
        graph = to_networkx(fit)
        assert json.loads(graph.nodes["b / e"]["members"]) == ["b", "e"]
        assert "members" not in graph.nodes["a"]

    def test_support_is_that_of_the_edge(self, confidence):
        graph = to_networkx(Caprese().fit(datasets.ovarian()), confidence)
        table = confidence.table()
        for parent, event, edge in graph.edges.data():
            assert edge["support"] == table.loc[parent or "root", event]
        assert graph.graph["replicates"] == 200
        assert graph.graph["exact"] == confidence.exact

    def test_support_of_several_parents(self, confidence):
        events = confidence.events
        dag = ConjunctiveDag(events, ((), (0,), (0, 1), (), (), (), ()), [0.5] * 7)
        graph = to_networkx(dag, confidence)
        assert graph.edges[events[0], events[2]]["support"] == confidence.support[0, 2]
        assert graph.edges[events[1], events[2]]["support"] == confidence.support[1, 2]
        assert graph.edges["", events[3]]["support"] == confidence.support[7, 3]

    def test_a_confidence_of_other_events_is_refused(self, confidence):
        with pytest.raises(ModelError, match="confidence must have the same events"):
            to_networkx(DAG, confidence)

    def test_a_model_without_probabilities_has_edges_without(self):
        order = Poset("ab", ((), (0,)))
        assert list(to_networkx(order).edges.data()) == [("", "a", {}), ("a", "b", {})]

    def test_a_model_without_edges_is_refused(self):
        message = "^this model has no edges: there is no order to draw or to write$"
        with pytest.raises(ModelError, match=message):
            to_networkx(Independence("ab", (0.5, 0.25)))

    @given(forest=forests())
    def test_a_forest_is_read_back(self, forest):
        assert from_networkx(to_networkx(forest)) == forest

    def test_a_dag_is_read_back(self):
        assert from_networkx(to_networkx(DAG)) == DAG

    @pytest.mark.parametrize(
        ("edges", "message"),
        [
            ([("a", "b", {"probability": 1})], "no probability on the edges into 'a'"),
            (
                [("", "a", {"probability": "much"})],
                "the probability of 'a' must be a number, got 'much'",
            ),
            (
                [("", "a", {"probability": []})],
                r"the probability of 'a' must be a number, got '\[\]'",
            ),
            (
                [("", "a", {"probability": 0.5}), ("b", "a", {"probability": 0.25})],
                "the edges into 'a' differ in probability: 0.25 to 0.5",
            ),
            (
                [("a", "b", {"probability": 1}), ("b", "a", {"probability": 1})],
                "the parents form a cycle",
            ),
            ([("", "a", {"probability": 2})], r"probabilities must be in \[0, 1\]"),
        ],
    )
    def test_a_graph_that_is_no_model(self, edges, message):
        with pytest.raises(ModelError, match=message):
            from_networkx(nx.DiGraph(edges))


class TestRoundTrips:
    @each_readable
    @pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
    def test_a_model_is_read_back_equal(self, model, suffix, tmp_path):
        write_graph(model, tmp_path / f"model{suffix}")
        assert read_graph(tmp_path / f"model{suffix}") == model

    @pytest.mark.parametrize("suffix", ONLY_WRITTEN)
    @pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
    def test_other_programs_find_the_same_parents(self, model, suffix, tmp_path):
        write_graph(model, tmp_path / f"model{suffix}")
        assert parents_in_file(tmp_path / f"model{suffix}") == parents_in_model(model)

    @pytest.mark.parametrize("suffix", TREES_ONLY)
    @pytest.mark.parametrize("model", TREES.values(), ids=TREES)
    def test_newick_holds_the_same_parents(self, model, suffix, tmp_path):
        write_graph(model, tmp_path / f"model{suffix}")
        assert parents_in_file(tmp_path / f"model{suffix}") == parents_in_model(model)

    @each_format
    @settings(max_examples=30)
    @given(data=st.data())
    def test_any_names_are_read_back(self, suffix, data):
        forest = data.draw(forests(max_events=4))
        forest = replace(forest, events=data.draw(names(len(forest.events))))
        with TemporaryDirectory() as folder:
            write_graph(forest, f"{folder}/tree{suffix}")
            assert parents_in_file(Path(folder, f"tree{suffix}")) == parents_in_model(forest)

    @pytest.mark.parametrize("suffix", [".csv", ".tsv"])
    @settings(max_examples=30)
    @given(data=st.data())
    def test_any_guarded_names_are_read_back(self, suffix, data):
        forest = data.draw(forests(max_events=4))
        forest = replace(forest, events=data.draw(names(len(forest.events))))
        with TemporaryDirectory() as folder:
            write_graph(forest, f"{folder}/tree{suffix}", guard_formulas=True)
            assert read_graph(f"{folder}/tree{suffix}") == forest

    @each_format
    def test_a_fit_with_its_confidence_has_the_parents_of_its_model(
        self, suffix, confidence, tmp_path
    ):
        ovarian = Caprese().fit(datasets.ovarian())
        write_graph(ovarian, tmp_path / f"tree{suffix}", confidence)
        assert parents_in_file(tmp_path / f"tree{suffix}") == parents_in_model(ovarian.model)

    @each_format
    def test_a_chain_longer_than_the_stack(self, suffix, tmp_path):
        events = tuple(f"e{k}" for k in range(3000))
        chain = Forest(events, np.arange(-1, 2999), np.full(3000, 0.5))
        write_graph(chain, tmp_path / f"tree{suffix}")
        assert parents_in_file(tmp_path / f"tree{suffix}") == parents_in_model(chain)

    @each_format
    def test_the_file_is_printable_text_and_always_the_same(self, suffix, tmp_path, monkeypatch):
        write_graph(hostile_forest(), tmp_path / f"first{suffix}")
        monkeypatch.setattr("time.strftime", lambda *_: "2099-01-01")
        write_graph(hostile_forest(), tmp_path / f"second{suffix}")
        text = (tmp_path / f"first{suffix}").read_text(encoding="utf-8")
        assert text == (tmp_path / f"second{suffix}").read_text(encoding="utf-8")
        allowed = "\n\t" if suffix == ".tsv" else "\n"
        assert all(character.isprintable() or character in allowed for character in text)


def parents_in_file(path):
    """The parents and the probability of each event in a file, read without our writers."""
    if path.suffix in READABLE:
        return parents_in_model(read_graph(path))
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".gexf":
        return parents_in_graph(nx.read_gexf(path))
    if path.suffix == ".cyjs":
        return parents_in_graph(nx.cytoscape_graph(json.loads(text)))
    return parents_in_newick(text) if path.suffix in TREES_ONLY else parents_in_dot(text)


def parents_in_graph(graph):
    label = {node: unescaped(values["label"]) for node, values in graph.nodes.data()}
    root = next(node for node, kind in graph.nodes.data("kind") if kind == "root")
    edges = [(i, j, values.get("probability")) for i, j, values in graph.edges.data()]
    return parents_of(edges, label, root)


def parents_in_dot(text):
    """Read the DOT that is written here: one statement per line."""
    label = {
        node: dot_label(quoted)
        for node, quoted in re.findall(r'^  (\w+) \[label=("(?:[^"\\]|\\.)*+")', text, re.MULTILINE)
    }
    edge = re.compile(r'^  (\w+) -> (\w+) \[(?:probability="([^"]*)")?', re.MULTILINE)
    edges = [(i, j, float(p) if p else None) for i, j, p in edge.findall(text)]
    return parents_of(edges, label, "root")


def parents_in_newick(text):
    """Read a tree: parentheses hold the children of the label that follows them."""
    token = re.compile(r"([(),;])|'((?:[^']|'')*+)'|:([^(),;]+)|([^'(),:;]+)")
    parents, label, lengths, here = [None], {0: ""}, {0: None}, 0
    for mark, quoted, length, bare in token.findall(text.strip()):
        if mark and mark in "(,":
            parents.append(here if mark == "(" else parents[here])
            here = len(parents) - 1
            label[here], lengths[here] = "", None
        elif mark == ")":
            here = parents[here]
        elif quoted or bare:
            label[here] = unescaped(quoted.replace("''", "'") or bare)
        elif length:
            lengths[here] = float(length)
    assert here == 0
    edges = [(parent, node, lengths[node]) for node, parent in enumerate(parents) if node]
    return parents_of(edges, label, 0)


def parents_of(edges, label, root):
    found = {}
    for parent, child, probability in edges:
        above, given = found.setdefault(label[child], (set(), probability))
        above |= {label[parent]} - ({label[root]} if parent == root else set())
        assert given == probability
    return found


def attributes(graph):
    """All attributes in the graph of a file, by the names of its events."""
    label = {node: unescaped(values["label"]) for node, values in graph.nodes.data()}
    nodes = {(label[node], values["kind"]): values for node, values in graph.nodes.data()}
    edges = {
        ((label[i], graph.nodes[i]["kind"]), label[j]): values
        for i, j, values in graph.edges.data()
    }
    return nodes, edges


def without(values, *keys):
    return {key: value for key, value in values.items() if key not in keys}


class TestOtherPrograms:
    """The files, read by networkx, Biopython, pydot and pandas."""

    def test_graphml_opens_with_all_attributes(self, rich):
        folder, expected = rich
        graph = nx.read_graphml(folder / "tree.graphml")
        assert graph.is_directed()
        assert attributes(graph) == expected
        assert graph.graph["method"] == "caprese (shrinkage 0.5)"
        assert graph.graph["replicates"] == 50

    def test_gexf_opens_with_all_attributes(self, rich):
        folder, (nodes, edges) = rich
        found_nodes, found_edges = attributes(nx.read_gexf(folder / "tree.gexf"))
        assert found_nodes == nodes
        assert {edge: without(values, "id") for edge, values in found_edges.items()} == edges

    def test_the_weight_of_an_oncotree_is_not_a_width_of_edges_in_gexf(self, tmp_path):
        ovarian = Oncotree().fit(datasets.ovarian())
        write_graph(ovarian, tmp_path / "tree.gexf")
        edges = nx.read_gexf(tmp_path / "tree.gexf").edges.data()
        assert all("weight" not in values and values["log_weight"] < 0 for *_, values in edges)

    def test_cytoscape_json_opens_with_all_attributes(self, rich):
        folder, (nodes, edges) = rich
        content = json.loads((folder / "tree.cyjs").read_text())
        assert content["data"]["method"] == "caprese (shrinkage 0.5)"
        found_nodes, found_edges = attributes(nx.cytoscape_graph(content))
        ours = {
            node: without(values, "id", "value", "name") for node, values in found_nodes.items()
        }
        assert ours == nodes
        assert all(values["name"] == values["label"] for values in found_nodes.values())
        ours = {edge: without(values, "source", "target") for edge, values in found_edges.items()}
        assert ours == edges

    def test_pandas_reads_the_edges(self, rich):
        folder, (_, edges) = rich
        table = pd.read_csv(folder / "tree.csv", keep_default_na=False)
        assert list(table.columns[:3]) == ["parent", "child", "probability"]
        assert list(table["child"]) == ["a", "b / e", "c", "=d"]
        found = dict(zip(table["child"], table["probability"], strict=True))
        assert found == {child: edge["probability"] for (_, child), edge in edges.items()}
        tabbed = pd.read_csv(folder / "tree.tsv", sep="\t", keep_default_na=False)
        pd.testing.assert_frame_equal(tabbed, table)

    def test_pydot_reads_the_same_nodes_and_edges(self, tmp_path):
        forest = hostile_forest()
        write_graph(forest, tmp_path / "tree.dot")
        graph = pydot_graph((tmp_path / "tree.dot").read_text(encoding="utf-8"))
        label = {
            node.get_name(): dot_label(node.get("label"))
            for node in graph.get_nodes()
            if node.get("label")
        }
        found = {(edge.get_source(), label[edge.get_destination()]) for edge in graph.get_edges()}
        under_root = {("root", HOSTILE[0])}
        assert under_root <= found
        between = {(label[parent], child) for parent, child in found - under_root}
        assert between == set(forest.edges)

    def test_biopython_reads_the_same_parents_and_children(self, tmp_path):
        forest = hostile_forest()
        # Biopython drops an apostrophe at the start, and takes numbers for support.
        named = [f"_{name}" if name[0] == "'" or name == "7" else name for name in HOSTILE]
        forest = replace(forest, events=tuple(named))
        write_graph(forest, tmp_path / "tree.nwk")
        tree = biopython_tree((tmp_path / "tree.nwk").read_text())
        assert tree.root.name is None
        found = {
            (unescaped(clade.name or ""), unescaped(child.name), child.branch_length)
            for clade in tree.find_clades()
            for child in clade.clades
        }
        expected = {
            (next(iter(above), ""), event, probability)
            for event, (above, probability) in parents_in_model(forest).items()
        }
        assert found == expected

    @settings(max_examples=30)
    @given(data=st.data())
    def test_biopython_finds_every_name(self, data):
        drawn = data.draw(names(4).filter(lambda found: all(map(for_biopython, found))))
        forest = Forest(drawn, (ROOT, 0, 1, 0), (0.5, 0.25, 0.125, 1.0))
        with TemporaryDirectory() as folder:
            write_graph(forest, f"{folder}/tree.nwk")
            with open(f"{folder}/tree.nwk", encoding="utf-8") as file:
                tree = biopython_tree(file.read())
        pairs = [(clade.name, child.name) for clade in tree.find_clades() for child in clade.clades]
        found = {(unescaped(parent), unescaped(child)) for parent, child in pairs if parent}
        assert found == set(forest.edges)


def dot_label(quoted):
    """The text that Graphviz shows for a quoted label: it reads backslashes, then entities."""
    text = quoted[1:-1].replace('\\"', '"').replace("\\\\", "\\").replace("&amp;", "&")
    return unescaped(text)


def for_biopython(name):
    """Whether Biopython can read the name: not a number, and no apostrophe at the start."""
    try:
        float(name)
    except ValueError:
        return not name.startswith("'")
    return False


def pydot_graph(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydot uses deprecated names of pyparsing
        import pydot

        (graph,) = pydot.graph_from_dot_data(text)
    return graph


def biopython_tree(text):
    from Bio import Phylo

    return Phylo.read(StringIO(text), "newick")


class TestFormulas:
    def test_names_are_written_as_they_are_by_default(self, tmp_path):
        write_graph(Forest(("-7q", "+8q"), (ROOT, 0), (0.5, 0.25)), tmp_path / "tree.csv")
        text = (tmp_path / "tree.csv").read_text()
        assert text == "parent,child,probability\n,-7q,0.5\n-7q,+8q,0.25\n"

    def test_no_cell_of_a_guarded_table_is_a_formula(self, tmp_path, fit):
        write_graph(fit, tmp_path / "tree.csv", guard_formulas=True)
        with open(tmp_path / "tree.csv", newline="", encoding="utf-8") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert "'=d" in cells
        for cell in cells:
            assert cell[:1] not in set("=+@\t\r")
            assert not cell.startswith("-") or float(cell) < 0

    @pytest.mark.parametrize("suffix", [*ONLY_WRITTEN, *TREES_ONLY, ".graphml"])
    def test_only_tables_have_cells_to_guard(self, suffix, tmp_path, fit):
        write_graph(fit, tmp_path / f"plain{suffix}")
        write_graph(fit, tmp_path / f"guarded{suffix}", guard_formulas=True)
        plain = (tmp_path / f"plain{suffix}").read_text()
        assert (tmp_path / f"guarded{suffix}").read_text() == plain

    def test_negative_numbers_stay_numbers(self, tmp_path):
        fit = Oncotree().fit(datasets.ovarian())
        write_graph(fit, tmp_path / "tree.csv", guard_formulas=True)
        table = pd.read_csv(tmp_path / "tree.csv")
        assert table["weight"].dtype == float
        assert (table["weight"] < 0).any()


TWO = Forest(("+8q", "5' end"), (ROOT, 0), (0.5, 0.25))
TEXTS = {
    ".nwk": "(('5'' end':0.25)+8q:0.5);\n",
    ".csv": "parent,child,probability\n,'+8q,0.5\n'+8q,\"5' end\",0.25\n",
    ".tsv": "parent\tchild\tprobability\n\t'+8q\t0.5\n'+8q\t\"5' end\"\t0.25\n",
    ".dot": """// made by caprese
digraph progression {
  node [shape=box, style=rounded];
  root [label="root", kind="root", shape="plain"];
  event1 [label="+8q", kind="event"];
  event2 [label="5' end", kind="event"];
  root -> event1 [probability="0.5", label="0.50"];
  event1 -> event2 [probability="0.25", label="0.25"];
}
""",
}


@pytest.mark.parametrize("suffix", TEXTS)
def test_the_text_of_a_small_forest(suffix):
    assert graph_text(TWO, f"tree{suffix}", guard_formulas=True) == TEXTS[suffix]


@pytest.mark.parametrize("suffix", [".graphml", ".gexf", ".cyjs", ".dot"])
def test_identifiers_are_plain_and_names_are_labels(suffix):
    text = graph_text(Forest(("root",), (ROOT,), (0.5,)), f"tree{suffix}")
    assert "event1" in text
    assert "event2" not in text


def test_a_document_may_be_a_graph(tmp_path):
    write_graph(TWO, tmp_path / "tree.graphml")
    assert read_document(tmp_path / "tree.graphml") == TWO


def test_markup_stays_text_in_xml(tmp_path):
    for suffix in (".graphml", ".gexf"):
        write_graph(hostile_forest(), tmp_path / f"tree{suffix}")
        text = (tmp_path / f"tree{suffix}").read_text()
        assert "<script" not in text
        assert "<![CDATA[" not in text


def graphml(content, edges="directed"):
    return (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="d0" for="node" attr.name="label" attr.type="string"/>'
        f'<graph edgedefault="{edges}">{content}</graph></graphml>'
    )


BARE = {
    ".graphml": graphml('<node id="a"/>'),
    ".csv": "parent,child,probability\n,a,\n",
    ".tsv": "parent\tchild\n\ta\n",
}


class TestRefusals:
    def test_newick_of_several_parents(self, tmp_path):
        message = "^Newick holds only trees, but 'c' has parents 'a' and 'b'$"
        with pytest.raises(ModelError, match=message):
            write_graph(DAG, tmp_path / "dag.nwk")
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("name", ["tree.png", "tree", "graphml"])
    def test_an_unknown_suffix(self, name, tmp_path):
        message = r"the suffix must be one of \.graphml, \.gexf, .*, got"
        with pytest.raises(FormatError, match=message):
            write_graph(DAG, tmp_path / name)
        message = r"the suffix must be one of \.graphml, \.csv, \.tsv, got"
        with pytest.raises(FormatError, match=message):
            read_graph(tmp_path / name)

    @pytest.mark.parametrize(
        ("suffix", "name"),
        [
            (".gexf", "GEXF"),
            (".cyjs", "Cytoscape JSON"),
            (".dot", "DOT"),
            (".gv", "DOT"),
            (".nwk", "Newick"),
            (".NEWICK", "Newick"),
        ],
    )
    @pytest.mark.parametrize("reader", [read_graph, read_document])
    def test_a_format_that_is_only_written(self, reader, suffix, name, tmp_path):
        path = tmp_path / f"tree{suffix}"
        write_graph(SHAPES["chain"], path)
        readable = "a model is read from .graphml, .csv, .tsv or the .json of caprese"
        message = f"{path}: {name} is written but not read; {readable}"
        with pytest.raises(FormatError, match=f"^{re.escape(message)}$"):
            reader(path)

    @each_format
    def test_a_model_without_edges(self, suffix, tmp_path):
        message = "^this model has no edges: there is no order to draw or to write$"
        with pytest.raises(ModelError, match=message):
            write_graph(Independence("ab", (0.5, 0.25)), tmp_path / f"tree{suffix}")
        assert not list(tmp_path.iterdir())

    @each_readable
    def test_a_missing_file(self, suffix, tmp_path):
        with pytest.raises(FormatError, match="no such file"):
            read_graph(tmp_path / f"tree{suffix}")

    @each_readable
    def test_a_file_without_numbers_holds_a_poset(self, suffix, tmp_path):
        (tmp_path / f"tree{suffix}").write_text(BARE[suffix])
        assert isinstance(read_graph(tmp_path / f"tree{suffix}"), Poset)

    @pytest.mark.parametrize(("name", "content", "message"), [
        ("t.graphml", "<graphml", "line 1, column 1: not XML: unclosed token"),
        ("t.graphml", "<a/>", ": not GraphML: "),
        ("t.graphml", graphml('<node id="a"/>', edges="undirected"),
         ": the edges have no direction; expected them from parent to child"),
        ("t.graphml", graphml('<node id="a"><data key="d0">x</data></node>'
                              '<node id="b"><data key="d0">x</data></node>'),
         ": 'x' occurs twice; names must differ"),
        ("t.graphml", graphml('<node id="a"><data key="d0"> </data></node>'),
         ": the event 'a' has an empty label"),
        ("t.graphml", graphml(""), ": a progression needs at least one event"),
        ("t.csv", "parent,child,probability\n,a,x\n",
         ": the probability of 'a' must be a number, got 'x'"),
        ("t.csv", "a,b\n1,2\n", "line 1: no column 'parent', expected a table of edges"),
        ("t.csv", "parent,child\na\n", "line 2: 1 field, expected 2, as in the header"),
        ("t.csv", "parent,child\na,\n", "line 2, column 2: the child has no name"),
        ("t.csv", "", ": the file is empty; expected a header and rows below it"),
    ])  # fmt: skip
    def test_a_damaged_file_is_refused_in_one_line(self, name, content, message, tmp_path):
        path = tmp_path / name
        path.write_text(content)
        with pytest.raises(FormatError) as caught:
            read_graph(path)
        assert str(caught.value).startswith(str(path))
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)

    @each_readable
    @given(data=st.data())
    def test_any_damage_is_refused_in_one_line_or_does_no_harm(self, suffix, data):
        with TemporaryDirectory() as folder:
            path = Path(folder, f"tree{suffix}")
            write_graph(SHAPES["three trees"], path)
            content = bytearray(path.read_bytes())
            where = data.draw(st.integers(0, len(content) - 1))
            content[where : where + data.draw(st.integers(0, 40))] = data.draw(
                st.binary(max_size=3)
            )
            path.write_bytes(content[: data.draw(st.sampled_from([where, len(content)]))])
            try:
                read_graph(path)
            except FormatError as error:
                assert str(error).startswith(str(path))  # noqa: PT017  both ends are fine
                assert str(error).isprintable()  # noqa: PT017


class TestFilesOfOtherPrograms:
    def test_graphml_whose_attributes_have_no_type(self, tmp_path):
        write_graph(SHAPES["chain"], tmp_path / "tree.graphml")
        text = (tmp_path / "tree.graphml").read_text()
        untyped = re.sub(r'attr\.type="\w+"', "", text)
        assert untyped != text
        (tmp_path / "tree.graphml").write_text(untyped)
        assert read_graph(tmp_path / "tree.graphml") == SHAPES["chain"]

    def test_a_table_with_semicolons_and_other_columns(self, tmp_path):
        (tmp_path / "tree.csv").write_text("note;parent;child;probability\nx;;a;0.5\ny;a;b;1\n")
        assert read_graph(tmp_path / "tree.csv") == Forest(("a", "b"), (ROOT, 0), (0.5, 1.0))


class TestPosets:
    poset = Poset("abcd", ((), (), (0, 1), (2,)))
    timed = TimedPoset("abcd", poset.parent_sets, (0.5, 1.25, 3.0, 1e6))

    @each_readable
    @pytest.mark.parametrize("model", [poset, timed], ids=["poset", "timed"])
    def test_are_read_back(self, model, suffix, tmp_path):
        path = tmp_path / f"poset{suffix}"
        write_graph(model, path)
        assert read_graph(path) == model

    @pytest.mark.parametrize("suffix", ONLY_WRITTEN)
    @pytest.mark.parametrize("model", [poset, timed], ids=["poset", "timed"])
    def test_have_the_same_parents_for_other_programs(self, model, suffix, tmp_path):
        path = tmp_path / f"poset{suffix}"
        write_graph(model, path)
        expected = {"a": set(), "b": set(), "c": {"a", "b"}, "d": {"c"}}
        assert parents_in_file(path) == {event: (above, None) for event, above in expected.items()}

    @pytest.mark.parametrize("suffix", TREES_ONLY)
    def test_of_single_parents_are_trees_without_numbers(self, suffix, tmp_path):
        chain = Poset("abc", ((), (0,), (1,)))
        write_graph(chain, tmp_path / f"chain{suffix}")
        found = parents_in_file(tmp_path / f"chain{suffix}")
        assert found == {"a": (set(), None), "b": ({"a"}, None), "c": ({"b"}, None)}

    def test_of_a_fit_are_read_back_with_their_rates(self, tmp_path):
        fit = HCBN(steps=20, restarts=1).fit(datasets.ovarian())
        write_graph(fit, tmp_path / "fit.graphml")
        assert read_graph(tmp_path / "fit.graphml") == fit.model
