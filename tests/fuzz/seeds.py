"""Files to start from: a small valid one or more for each reader, as bytes."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import openpyxl
import pandas
import rdata

import caprese
from caprese.io.documents import document_text
from caprese.io.graphs.files import graph_text
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import ROOT, Forest
from caprese.models.poset import Poset, TimedPoset
from caprese.simulation.random_models import ForestRecipe
from example_files import BY_GENES, DATA_CNA, LESIONS, PANEL, STUDY, maf
from made_studies import made_study, tarred, zipped

TABLES = (
    "sample,8q+,-7q,TP53 (R175H)\np1,1,0,NA\np2,0,1,1\np3,yes,no,?\n",
    'id\ta\t"b\nc"\nx\t1\t0\ny\t0\t1\n',
    "a;b;c\n1;0;1\n0;;1\n",
    "a b c\np 1 0 1\nq 0 1 0\n",
    "# a comment\nGene,TCGA-02-0001-01,TCGA-02-0002-01\nTP53,1,0\nKRAS,0,1\n",
)
MAFS = (
    maf(("TP53", "Missense_Mutation", "p1"), ("KRAS", "Silent", "p2"), ("EGFR", "Fusion", "p3")),
    maf(
        ("TP53", "Nonsense_Mutation", "TCGA-02-0001-01A", "Germline"),
        ("TP53", "Silent", "TCGA-02-0001-06A"),
        ("KRAS", "Frame_Shift_Del", "TCGA-02-0002-01A"),
        version="",
    ),
)
LONG = "Hugo_Symbol\tEntrez_Gene_Id\tSample_Id\tValue\nMYC\t1\tp1\t2\nMYC\t1\tp2\t-1\n"
COPY_NUMBER = (BY_GENES, DATA_CNA, LESIONS, LONG)
GENOTYPES = ("# events: a b c\n010 3\n11? 2\n000 1\n", "a,b\n10 4\n01 2\n", "0110 12\n1000 1\n")
ORDERS = (
    "sample,earlier,later,confidence,nested\np,TP53,KRAS,0.8,0.5\nq,KRAS,-7q,1,1\n",
    "patient\tearlier\tlater\np\ta\tb\np\tb\tc\n",
    "patient,event,node,parent\np,a,1,0\np,b,2,1\np,c,3,2\np,d,3,2\nq,a,x,root\nq,b,y,x\n",
)
READ_COUNTS = (
    "Hugo_Symbol\tChromosome\tVariant_Classification\tTumor_Sample_Barcode\tt_alt_count\tt_ref_count\n"
    "TP53\t17\tMissense_Mutation\tp\t180\t220\nKRAS\t12\tSilent\tp\t60\t340\n"
    "KRAS\t12\tMissense_Mutation\tp\t60\t340\nMYC\t8\tMissense_Mutation\tp\t30\t300\n",
    "sample,event,vaf,depth,copy_number,purity\np,a,0.4,100,2,0.9\np,b,0.1,120,2,0.9\np,c,0.2,90,,\n",
)
ANNOTATIONS = ("sample,stage\np1,I\np2,II\n", "sample\tage\tstage\np\t61\tI\n")


def encoded(texts):
    """The texts as bytes, the first of them also packed."""
    plain = [text.encode() for text in texts]
    return (*plain, gzip.compress(plain[0]), bz2.compress(plain[0]), lzma.compress(plain[0]))


@cache
def workbooks():
    """Excel files: with formulas, errors, other sheets, and text inside cells."""
    book = openpyxl.Workbook()
    for row in (["sample", "a", "b"], ["p", 1, "NA"], ["q", "=1-1", "#N/A"], ["r", True, 0.0]):
        book.active.append(row)
    book.create_sheet("hidden").sheet_state = "hidden"
    content = io.BytesIO()
    book.save(content)
    inline = io.BytesIO()
    with zipfile.ZipFile(inline, "w") as packed:
        packed.writestr(
            "xl/workbook.xml",
            '<workbook xmlns:r="r"><sheets><sheet name="s" r:id="i"/></sheets></workbook>',
        )
        packed.writestr(
            "xl/_rels/workbook.xml.rels",
            '<Relationships><Relationship Id="i" Target="/xl/worksheets/s.xml"/></Relationships>',
        )
        cells = (
            '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c t="str"><v>b</v></c></row>'
            '<row r="9"><c r="A9"><v>1</v></c><c r="B9" t="b"><v>0</v></c></row>'
        )
        packed.writestr("xl/worksheets/s.xml", f"<worksheet><sheetData>{cells}</sheetData>")
    return content.getvalue(), inline.getvalue()


@cache
def parquets():
    """Parquet files: with an index, nulls, booleans, a dictionary, text beside."""
    frames = (
        pandas.DataFrame({"a": [1, 0], "b": [True, False]}, index=["p", "q"]),
        pandas.DataFrame({"a": [1.0, None], "b": [0, 1]}, index=[5, 6]),
        pandas.DataFrame({"id": pandas.Categorical(["p", "q"]), "a": [1, 0], "age": ["x", "y"]}),
    )
    found = []
    for frame in frames:
        content = io.BytesIO()
        frame.to_parquet(content)
        found.append(content.getvalue())
    return tuple(found)


class Attributed:
    """A value with R attributes: dim, dimnames, class."""

    def __init__(self, value, **attributes):
        self.value, self.attributes = value, attributes


def built(data, converter):
    """An R object of a value with attributes."""
    item = converter.convert_to_r_object(data.value)
    item.attributes = converter.convert_to_r_attributes(data.attributes)
    item.info.attributes = True
    return item


def matrix(values, rows, columns):
    """An R matrix with names."""
    values = np.asarray(values)
    names = [None if part is None else np.array(part) for part in (rows, columns)]
    dim = np.array(values.shape, dtype=np.int32)
    return Attributed(values.ravel(order="F"), dim=dim, dimnames=names)


TRONCO = {
    "genotypes": matrix([[1, 0], [0, 1]], ["p", "q"], ["G1", "G2"]),
    "annotations": matrix([["Indel", "TP53"], ["SNV", "TP53"]], ["G1", "G2"], ["type", "event"]),
    "stages": matrix([["I"], ["II"]], ["p", "q"], ["stage"]),
}


def unparsed(data, kind="rds", form="xdr"):
    """A Python value as an R file."""
    content = io.BytesIO()
    constructors = {
        Attributed: built,
        pandas.DataFrame: rdata.conversion.to_r.dataframe_constructor,
    }
    constructors |= rdata.conversion.to_r.DEFAULT_CLASS_MAP
    converter = rdata.conversion.to_r.ConverterFromPythonToR(constructor_dict=constructors)
    r_data = converter.convert_to_r_data(data, file_type=kind)
    rdata.unparser.unparse_fileobj(content, r_data, file_type=kind, file_format=form)
    return content.getvalue()


@cache
def r_files():
    """R files: a frame, a list of frames, text; binary, as text, packed."""
    frame = pandas.DataFrame({"a": np.array([1, 0], dtype=np.int32), "b": [0.0, 1.0]})
    found = [
        unparsed(frame),
        unparsed(frame, form="ascii"),
        unparsed({"one": frame, "text": "x"}, "rda"),
        unparsed({"list": {"first": frame, "second": [True, False]}}, "rda"),
        unparsed({"model": TRONCO}, "rda"),
        unparsed(matrix([["1", "0"], ["NA", "1"]], None, ["a", "b"])),
    ]
    return (*found, bz2.compress(found[0]), lzma.compress(found[0]), gzip.compress(found[2]))


@cache
def data():
    """A small data set with unknown entries."""
    truth = ForestRecipe(events=4).draw(np.random.default_rng(1))
    return caprese.curate(truth.sample(30, np.random.default_rng(2))).data


@cache
def fits():
    """A fit of every method, as JSON."""
    chains = {"chains": 2, "draws": 10, "thin": 1, "warm_up": 10}
    small = {"bayes": chains, "hcbn": {"restarts": 1}}
    small["stack"] = {"parts": ("independence", "caprese", "mhn:penalty_strength=0.1"), "folds": 2}
    found = []
    for name, method in caprese.METHODS.items():
        given = {k: v for k, v in small.get(name, {}).items() if hasattr(method, k)}
        found.append(document_text(method(**given).fit(data())).encode())
    return tuple(found)


MODELS = (
    Forest(("8q+", "-7q", "c"), (ROOT, 0, 0), (0.5, 0.25, 0.1)),
    ConjunctiveDag(("a", "b", "c"), ((), (0,), (0, 1)), np.array([0.5, 0.4, 0.3])),
    Poset(("a", "b", "c"), ((), (0,), (0, 1))),
    TimedPoset(("a", "b"), ((), (0,)), np.array([1.0, 0.5])),
    caprese.models.independence.Independence(("a", "b"), (0.5, 0.25)),
)


def models():
    """Models of every kind, as JSON."""
    return tuple(document_text(model).encode() for model in MODELS)


@cache
def confidences():
    """The result of a bootstrap, as JSON."""
    found = caprese.bootstrap(caprese.Caprese(), data(), replicates=20)
    return (document_text(found).encode(),)


@cache
def judgements():
    """A judgement, as JSON."""
    found = caprese.judge([caprese.Caprese()], data(), folds=3)
    return (document_text(found).encode(),)


@cache
def graphs():
    """Models as files of graphs that can be read."""
    fit = caprese.Caprese().fit(data())
    progressions = (fit, *MODELS[:4])
    return {
        suffix: tuple(graph_text(each, f"x{suffix}").encode() for each in progressions)
        for suffix in (".graphml", ".csv", ".tsv")
    }


def trees():
    """Trees as nested JSON."""
    inner = {"gene_events": {"KRAS": {}}, "children": [{"gene_events": {"NRAS": {}, "TP53": {}}}]}
    tree = {"node_id": "0", "children": [{"gene_events": {"TP53": {}}, "children": [inner]}, inner]}
    return (json.dumps({"trees": {"p": {"tree": tree}, "q": {"tree": inner}}}).encode(),)


def studies():
    """The files of a cBioPortal study folder, as JSON of name and text."""
    return (json.dumps(STUDY).encode(),)


@cache
def archives(suffix):
    """Studies in archives: one as the portal gives it, a GENIE release, and two in one archive."""
    made = {**made_study(12, more_genes=3).files}
    regions = "".join(f"{gene}\tTrue\tA\n" for gene in ("APC", "TP53", "KRAS"))
    release = {
        "data_mutations_extended.txt": made["data_mutations.txt"],
        "data_clinical_sample.txt": "SAMPLE_ID\tPATIENT_ID\tSEQ_ASSAY_ID\nP-1\tP\tA\n",
        "genomic_information.txt": f"Hugo_Symbol\tincludeInPanel\tSEQ_ASSAY_ID\n{regions}",
    }
    both = {f"{top}/{name}": text for top in "ab" for name, text in STUDY.items()}
    with TemporaryDirectory() as folder:
        path = Path(folder, f"study{suffix}")
        pack = zipped if suffix == ".zip" else tarred
        return tuple(pack(files, path).read_bytes() for files in (made, STUDY, release, both))


def panels():
    """Definitions of gene panels."""
    return (PANEL.encode(),)
