"""Files for other programs, as those programs and as our own readers see them."""

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
    Oncotree,
    Poset,
    TimedPoset,
    bootstrap,
    datasets,
)
from caprese.data.curation import curate
from caprese.errors import FormatError, ModelError
from caprese.io.graphs.files import FORMATS, read_graph, write_graph
from caprese.io.graphs.networks import ROOT_NODE, from_networkx, to_networkx
from caprese.io.text.escapes import unescaped
from hostile_names import HOSTILE, names
from shapes import SHAPES
from strategies import forests

# <> -.9- a -.5-> c -.4- d
#  |             /
#  +---.8- b ---+
DAG = ConjunctiveDag(("a", "b", "c", "d"), ((), (), (0, 1), (2,)), (0.9, 0.8, 0.5, 0.4))
TREES_ONLY = (".nwk", ".newick")
IN_ORDER = [ending for ending in FORMATS if ending not in TREES_ONLY]


def hostile_forest():
    """A chain and a star of all hostile names, the last one a leaf of ten thousand signs."""
    size = len(HOSTILE)
    parents = [ROOT if k == 0 else k - 1 if k < size // 2 else k % 5 for k in range(size)]
    return Forest(HOSTILE, np.array(parents), np.linspace(0.05, 0.95, size))


def hostile_dag():
    parents = tuple(tuple(range(max(0, k - 2), k)) for k in range(len(HOSTILE)))
    return ConjunctiveDag(HOSTILE, parents, np.linspace(0.05, 0.95, len(HOSTILE)))


TREES = SHAPES | {"hostile forest": hostile_forest()}
MODELS = TREES | {"dag": DAG, "hostile dag": hostile_dag()}


def chances(model):
    """Each event's parents and probability, whatever the order of the events."""
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
    """A folder with a fit in every format, and all there is to say about it."""
    folder = tmp_path_factory.mktemp("rich")
    drawn = fit.model.sample(30, np.random.default_rng(1))
    support = bootstrap(Caprese(), drawn, replicates=50, seed=1)
    for ending in FORMATS:
        write_graph(fit, folder / f"tree{ending}", support)
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

    def test_a_fit_tells_what_its_table_tells(self):
        ovarian = Caprese().fit(datasets.ovarian())
        graph, table = to_networkx(ovarian), ovarian.table()
        for event, row in table.iterrows():
            (parent,) = graph.predecessors(event)
            node, edge = graph.nodes[event], graph.edges[parent, event]
            assert parent == (ROOT_NODE if pd.isna(row["parent"]) else row["parent"])
            assert node["frequency"] == row["frequency"]
            assert (node["reason"], node["remark"]) == (row["reason"], row["remark"])
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

    def test_what_could_not_be_placed_is_told(self):
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
        class Order:
            events = ("a", "b")

            def adjacency(self):
                return np.array([[False, True], [False, False]])

        assert list(to_networkx(Order()).edges.data()) == [("", "a", {}), ("a", "b", {})]

    @given(forest=forests())
    def test_a_forest_comes_back(self, forest):
        assert from_networkx(to_networkx(forest)) == forest

    def test_a_dag_comes_back(self):
        assert from_networkx(to_networkx(DAG)) == DAG

    @pytest.mark.parametrize(
        ("edges", "message"),
        [
            ([("a", "b", {"probability": 1})], "there is no probability on the edges into 'a'"),
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
            ([("", "a", {"probability": 2})], r"the probability of 'a' must be in \[0, 1\]"),
        ],
    )
    def test_a_graph_that_is_no_model(self, edges, message):
        with pytest.raises(ModelError, match=message):
            from_networkx(nx.DiGraph(edges))


class TestRoundTrips:
    @pytest.mark.parametrize("ending", IN_ORDER)
    @pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
    def test_a_model_comes_back_equal(self, model, ending, tmp_path):
        write_graph(model, tmp_path / f"model{ending}")
        assert read_graph(tmp_path / f"model{ending}") == model

    @pytest.mark.parametrize("ending", TREES_ONLY)
    @pytest.mark.parametrize("model", TREES.values(), ids=TREES)
    def test_newick_gives_the_same_forest_in_its_own_order(self, model, ending, tmp_path):
        write_graph(model, tmp_path / f"model{ending}")
        assert chances(read_graph(tmp_path / f"model{ending}")) == chances(model)

    @pytest.mark.parametrize("ending", FORMATS)
    @settings(max_examples=30)
    @given(data=st.data())
    def test_any_names_come_back(self, ending, data):
        forest = data.draw(forests(max_events=4))
        forest = replace(forest, events=data.draw(names(len(forest.events))))
        with TemporaryDirectory() as folder:
            write_graph(forest, f"{folder}/tree{ending}")
            assert chances(read_graph(f"{folder}/tree{ending}")) == chances(forest)

    @pytest.mark.parametrize("ending", FORMATS)
    def test_a_fit_with_its_confidence_gives_back_the_model(self, ending, confidence, tmp_path):
        ovarian = Caprese().fit(datasets.ovarian())
        write_graph(ovarian, tmp_path / f"tree{ending}", confidence)
        assert chances(read_graph(tmp_path / f"tree{ending}")) == chances(ovarian.model)

    @pytest.mark.parametrize("ending", FORMATS)
    def test_a_chain_longer_than_the_stack(self, ending, tmp_path):
        events = tuple(f"e{k}" for k in range(3000))
        chain = Forest(events, np.arange(-1, 2999), np.full(3000, 0.5))
        write_graph(chain, tmp_path / f"tree{ending}")
        assert chances(read_graph(tmp_path / f"tree{ending}")) == chances(chain)

    @pytest.mark.parametrize("ending", FORMATS)
    def test_the_file_is_printable_text_and_always_the_same(self, ending, tmp_path, monkeypatch):
        write_graph(hostile_forest(), tmp_path / f"first{ending}")
        monkeypatch.setattr("time.strftime", lambda *_: "2099-01-01")
        write_graph(hostile_forest(), tmp_path / f"second{ending}")
        text = (tmp_path / f"first{ending}").read_text(encoding="utf-8")
        assert text == (tmp_path / f"second{ending}").read_text(encoding="utf-8")
        allowed = "\n\t" if ending == ".tsv" else "\n"
        assert all(sign.isprintable() or sign in allowed for sign in text)


def attributes(graph):
    """Everything a graph of a file says, by the names of its events."""
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
    """What networkx, Biopython, pydot and pandas make of the files."""

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

    def test_the_weight_of_an_oncotree_is_no_width_of_edges_in_gexf(self, tmp_path):
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
        assert list(table["child"]) == ["a", "b / e", "c", "'=d"]
        found = dict(zip(table["child"].str.removeprefix("'"), table["probability"], strict=True))
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
            for event, (above, probability) in chances(forest).items()
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
    """What Graphviz shows for a quoted label: it reads backslashes, then entities."""
    text = quoted[1:-1].replace('\\"', '"').replace("\\\\", "\\").replace("&amp;", "&")
    return unescaped(text)


def for_biopython(name):
    """Whether Biopython can tell the name: no apostrophe first, and no number."""
    try:
        float(name)
    except ValueError:
        return not name.startswith("'")
    return False


def pydot_graph(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydot calls pyparsing by its old names
        import pydot

        (graph,) = pydot.graph_from_dot_data(text)
    return graph


def biopython_tree(text):
    from Bio import Phylo

    return Phylo.read(StringIO(text), "newick")


class TestInertness:
    def test_no_cell_of_an_edge_table_is_a_formula(self, tmp_path, fit):
        write_graph(fit, tmp_path / "tree.csv")
        with open(tmp_path / "tree.csv", newline="", encoding="utf-8") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        for cell in cells:
            assert cell[:1] not in set("=+@\t\r")
            assert not cell.startswith("-") or float(cell) < 0

    def test_negative_numbers_stay_numbers(self, tmp_path):
        write_graph(Oncotree().fit(datasets.ovarian()), tmp_path / "tree.csv")
        table = pd.read_csv(tmp_path / "tree.csv")
        assert table["weight"].dtype == float
        assert (table["weight"] < 0).any()

    def test_markup_stays_text_in_xml(self, tmp_path):
        for ending in (".graphml", ".gexf"):
            write_graph(hostile_forest(), tmp_path / f"tree{ending}")
            text = (tmp_path / f"tree{ending}").read_text()
            assert "<script" not in text
            assert "<![CDATA[" not in text


BARE = {
    ".graphml": '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    '<graph edgedefault="directed"><node id="a"/></graph></graphml>',
    ".gexf": '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">'
    '<graph defaultedgetype="directed"><nodes><node id="0" label="a"/></nodes></graph></gexf>',
    ".cyjs": '{"elements": {"nodes": [{"data": {"id": "1", "name": "a"}}], "edges": []}}',
    ".dot": "digraph { a }",
    ".gv": "# none\nstrict digraph g { a; /* no edge */ }",
    ".nwk": "(a);",
    ".newick": "(a);",
    ".csv": "parent,child,probability\n,a,\n",
    ".tsv": "parent\tchild\n\ta\n",
}


class TestRefusals:
    def test_newick_of_several_parents(self, tmp_path):
        message = "^Newick holds trees only, but 'c' follows 'a' and 'b'$"
        with pytest.raises(ModelError, match=message):
            write_graph(DAG, tmp_path / "dag.nwk")
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("name", ["tree.png", "tree", "graphml"])
    def test_an_unknown_ending(self, name, tmp_path):
        message = r"the name must end in one of \.graphml, \.gexf, .*, got"
        with pytest.raises(FormatError, match=message):
            write_graph(DAG, tmp_path / name)
        with pytest.raises(FormatError, match=message):
            read_graph(tmp_path / name)

    @pytest.mark.parametrize("ending", FORMATS)
    def test_a_missing_file(self, ending, tmp_path):
        with pytest.raises(FormatError, match="no such file"):
            read_graph(tmp_path / f"tree{ending}")

    @pytest.mark.parametrize("ending", FORMATS)
    def test_a_file_without_numbers_holds_a_poset(self, ending, tmp_path):
        (tmp_path / f"tree{ending}").write_text(BARE[ending])
        assert isinstance(read_graph(tmp_path / f"tree{ending}"), Poset)

    @pytest.mark.parametrize(("name", "content", "message"), [
        ("t.graphml", "<graphml", "line 1, column 1: not XML: unclosed token"),
        ("t.graphml", "<a/>", ": not GraphML: "),
        ("t.gexf", "<a/>", ": not GEXF: "),
        ("t.gexf", BARE[".gexf"].replace("<nodes>", '<attributes class="x"/><nodes>'),
         ": not GEXF: "),
        ("t.graphml", '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
         '<graph edgedefault="undirected"><node id="a"/></graph></graphml>',
         ": the edges have no direction; expected them from parent to child"),
        ("t.cyjs", "{", "line 1, column 2: not JSON: Expecting property name"),
        ("t.cyjs", "[" * 100_000, ": not Cytoscape JSON: expected \"elements\""),
        ("t.cyjs", "[]", ": not Cytoscape JSON: expected \"elements\""),
        ("t.cyjs", '{"elements": {"nodes": [{"data": {"id": "a", "name": "x"}}, '
         '{"data": {"id": "b", "name": "x"}}], "edges": []}}',
         ": 'x' stands twice; names must differ"),
        ("t.cyjs", '{"elements": {"nodes": [{"data": {"id": "a", "name": " "}}], "edges": []}}',
         ": the event 'a' has an empty label"),
        ("t.dot", "graph { a -- b }", "line 1: '-' is not expected in DOT"),
        ("t.dot", "graph { a }", ": not a directed graph in DOT; expected 'digraph'"),
        ("t.dot", "digraph { a", ": the graph ends too early; expected '}'"),
        ("t.dot", "", ": the graph ends too early; expected '}'"),
        ("t.dot", "digraph a b { }", ": expected '{' after the name of the graph"),
        ("t.dot", "digraph { subgraph x {} }", ": 'subgraph' where a name was expected"),
        ("t.dot", "digraph { a [b] }", ": expected '=' after 'b'"),
        ("t.dot", "digraph {\n a [label=<b>] }", "line 2: '<' is not expected in DOT"),
        ("t.dot", "digraph { }", ": a progression needs at least one event"),
        ("t.nwk", "(a:1,b:1", ": the tree ends too early; expected ')' or ';'"),
        ("t.nwk", "(a:1,b:1));", ": ')' or ',' outside of all parentheses"),
        ("t.nwk", "(a:1);(b:1);", ": text after the first tree; expected a single one"),
        ("t.nwk", "(a:1,a:1);", ": 'a' stands twice; names must differ"),
        ("t.nwk", "(a:1,:1);", ": a node below the root has no name; expected an event"),
        ("t.nwk", "(a:1,\n'b:1);", "line 2: \"'\" is not expected in a Newick tree"),
        ("t.nwk", "(a:x);", ": the probability of 'a' must be a number, got 'x'"),
        ("t.csv", "a,b\n1,2\n", "line 1: no column 'parent'; expected a table of edges"),
        ("t.csv", "parent,child\na\n", "line 2: 1 fields, expected 2, as in the header"),
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

    @pytest.mark.parametrize("ending", FORMATS)
    @given(data=st.data())
    def test_any_damage_is_refused_in_one_line_or_does_no_harm(self, ending, data):
        with TemporaryDirectory() as folder:
            path = Path(folder, f"tree{ending}")
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
    def test_dot_as_people_write_it(self, tmp_path):
        (tmp_path / "tree.dot").write_text(
            "// by hand\nstrict digraph {\n rankdir=LR; edge [color=red]\n"
            ' start [kind=root]\n "8q+"\n start -> "8q+" -> b [probability=.5, color=blue];\n}\n'
        )
        assert read_graph(tmp_path / "tree.dot") == Forest(("8q+", "b"), (ROOT, 0), (0.5, 0.5))

    def test_graphml_whose_attributes_have_no_type(self, tmp_path):
        write_graph(SHAPES["chain"], tmp_path / "tree.graphml")
        text = (tmp_path / "tree.graphml").read_text()
        untyped = re.sub(r'attr\.type="\w+"', "", text)
        assert untyped != text
        (tmp_path / "tree.graphml").write_text(untyped)
        assert read_graph(tmp_path / "tree.graphml") == SHAPES["chain"]

    def test_newick_with_a_named_top_comments_and_line_ends(self, tmp_path):
        (tmp_path / "tree.nwk").write_text("[a comment]\n(b:0.5,\n c_d:.25[&x=1])a:1e-1;\n")
        expected = Forest(("a", "b", "c_d"), (ROOT, 0, 0), (0.1, 0.5, 0.25))
        assert read_graph(tmp_path / "tree.nwk") == expected

    def test_a_table_with_semicolons_and_other_columns(self, tmp_path):
        (tmp_path / "tree.csv").write_text("note;parent;child;probability\nx;;a;0.5\ny;a;b;1\n")
        assert read_graph(tmp_path / "tree.csv") == Forest(("a", "b"), (ROOT, 0), (0.5, 1.0))

    def test_cytoscape_json_as_cytoscape_saves_it(self, tmp_path):
        content = {
            "elements": {
                "nodes": [
                    {"data": {"id": "62", "name": "root", "kind": "root", "SUID": 62}},
                    {"data": {"id": "64", "name": "a", "shared_name": "a", "SUID": 64}},
                ],
                "edges": [{"data": {"source": "62", "target": "64", "probability": 0.5}}],
            }
        }
        (tmp_path / "tree.cyjs").write_text(json.dumps(content))
        assert read_graph(tmp_path / "tree.cyjs") == Forest(("a",), (ROOT,), (0.5,))


class TestPosets:
    poset = Poset("abcd", ((), (), (0, 1), (2,)))
    timed = TimedPoset("abcd", poset.parents, (0.5, 1.25, 3.0, 1e6))

    @pytest.mark.parametrize("ending", IN_ORDER)
    @pytest.mark.parametrize("model", [poset, timed], ids=["poset", "timed"])
    def test_come_back(self, model, ending, tmp_path):
        path = tmp_path / f"poset{ending}"
        write_graph(model, path)
        assert read_graph(path) == model

    @pytest.mark.parametrize("ending", TREES_ONLY)
    def test_of_single_parents_come_back_as_trees_without_numbers(self, ending, tmp_path):
        chain = Poset("abc", ((), (0,), (1,)))
        write_graph(chain, tmp_path / f"chain{ending}")
        assert sorted(read_graph(tmp_path / f"chain{ending}").edges) == [("a", "b"), ("b", "c")]

    def test_of_a_fit_come_back_with_their_rates(self, tmp_path):
        fit = HCBN(steps=20, restarts=1).fit(datasets.ovarian())
        write_graph(fit, tmp_path / "fit.graphml")
        assert read_graph(tmp_path / "fit.graphml") == fit.model
