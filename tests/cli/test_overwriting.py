"""-o never overwrites an input, and a file of another kind only by --force."""

import shutil
import subprocess
import sys

import pytest

from example_files import maf, stored_study

pytestmark = pytest.mark.slow

TABLE = "sample,a,b\np,1,0\nq,1,1\nr,0,0\n"


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data.csv").write_text(TABLE)
    return "data.csv"


@pytest.mark.parametrize("force", [[], ["--force"]])
class TestInputs:
    def kept(self, refused, path, *arguments):
        before = path.read_bytes()
        line = refused(*arguments)
        assert path.read_bytes() == before
        return line

    @pytest.mark.parametrize("option", ["--only", "--exclude"])
    def test_a_list_of_events(self, refused, tmp_path, data, force, option):
        names = tmp_path / "names.csv"
        names.write_text("a\n")
        line = self.kept(
            refused, names, "curate", data, option, "names.csv", "-o", "names.csv", *force
        )
        assert line == "--output names.csv would overwrite the input; name another file"

    def test_a_mapping_of_variants(self, refused, tmp_path, force):
        (tmp_path / "data.maf").write_text(maf(("TP53",), ("KRAS", "Missense_Mutation", "p2")))
        mapping = tmp_path / "map.csv"
        mapping.write_text("pattern,event\nTP53,x\n")
        arguments = ["--read", "events=map.csv", "-o", "./map.csv", *force]
        line = self.kept(refused, mapping, "curate", "data.maf", *arguments)
        assert "./map.csv would overwrite the input" in line

    def test_a_file_inside_a_study_folder(self, refused, tmp_path, force):
        folder = stored_study(tmp_path / "study")
        path = folder / "data_cna.txt"
        line = self.kept(refused, path, "curate", "study", "-o", "study/data_cna.txt", *force)
        assert "would overwrite a file of the input study; name another file" in line

    def test_a_folder_of_gene_panels(self, refused, tmp_path, force):
        stored_study(tmp_path / "study")
        (tmp_path / "panels").mkdir()
        panel = tmp_path / "panels" / "small.txt"
        shutil.copy(tmp_path / "study" / "data_gene_panel_small.txt", panel)
        arguments = ["--read", "panels=panels", "-o", "panels/small.txt", *force]
        assert "would overwrite a file of the input panels" in self.kept(
            refused, panel, "curate", "study", *arguments
        )

    def test_redirected_standard_input(self, tmp_path, data, force):
        program = "from caprese.cli import main; main()"
        with (tmp_path / data).open() as source:
            done = subprocess.run(
                [sys.executable, "-c", program, "curate", "-", "-o", data, *force],
                stdin=source,
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
            )
        line = f"caprese: --output {data} would overwrite the input; name another file\n"
        assert (done.returncode, done.stderr) == (2, line)
        assert (tmp_path / data).read_text() == TABLE

    def test_a_structure_that_is_judged(self, refused, tmp_path, data, force):
        path = tmp_path / "fit.json"
        path.write_text('{"format": "caprese fit"}')
        arguments = ["-m", "fit.json", "-o", "fit.json", *force]
        assert "would overwrite the input" in self.kept(refused, path, "judge", data, *arguments)

    def test_an_annotation_by_a_link(self, refused, tmp_path, data, force):
        path = tmp_path / "stages.csv"
        path.write_text("sample,stage\np,I\n")
        (tmp_path / "out.svg").symlink_to(path)
        arguments = ["--annotation", "stages.csv", "-o", "out.svg", *force]
        line = self.kept(refused, path, "plot", "oncoprint", data, *arguments)
        assert "would overwrite the input" in line


MINE = {
    "cohort.csv": maf(("TP53",)),
    "table.tsv": "patient\tage\np\t61\n",
    "edges.csv": "parent,child,probability\n,a,0.5\n",
    "notes.json": '{"mine": 1}',
    "tree.svg": "<?xml version='1.0'?>\n<svg/>\n",
    "tree.png": "\x89PNG",
    "tree.pdf": "%PDF-1.4",
    "tree.graphml": "<graphml/>",
    "tree.dot": "digraph mine {}",
    "tree.nwk": "(a,b);",
}


@pytest.mark.parametrize(("name", "content"), MINE.items(), ids=MINE)
def test_a_file_of_another_kind_needs_force(run, refused, tmp_path, data, name, content):
    (tmp_path / name).write_text(content)
    command = "curate" if name in ("cohort.csv", "table.tsv") else "fit"
    line = refused(command, data, "-o", name)
    assert line == (
        f"--output {name} exists and is not a file of this kind that caprese wrote; "
        "name another file, or overwrite it with --force"
    )
    assert (tmp_path / name).read_text() == content
    assert run(command, data, "-o", name, "--force")[0] == 0
    assert (tmp_path / name).read_bytes() != content.encode()


PICTURES = ("svg", "png", "pdf")
GRAPHS = ("graphml", "gexf", "cyjs", "dot", "gv")


@pytest.mark.parametrize(
    ("command", "suffixes"),
    [
        ("curate", ["csv", "tsv", "txt", "xlsx", "parquet"]),
        ("fit", ["json", *PICTURES, *GRAPHS, "csv", "tsv"]),
        ("bootstrap --replicates 5", ["json", "svg", "csv", "tsv"]),
        ("bootstrap -m mhn --replicates 2", ["json", "csv", "tsv"]),
        ("judge -m caprese --folds 2", ["json", "png"]),
        ("known -m caprese", ["json", "svg"]),
        ("patients", ["json", "csv", "txt", "html"]),
        ("report --replicates 5", ["html"]),
        ("plot oncoprint", PICTURES),
        ("show", ["svg"]),
    ],
)
def test_what_caprese_wrote_is_replaced(run, data, command, suffixes):
    run("fit", data, "-o", "fit.json")
    given = "fit.json" if command == "show" else data
    for suffix in suffixes:
        for _ in range(2):
            code, _, said = run(*command.split(), given, "-o", f"a.{suffix}")
            assert code == 0, said


def test_a_name_without_suffix_is_known_again(run, data):
    for _ in range(2):
        assert run("curate", data, "-o", "plain")[0] == 0
        assert run("simulate", "--events", "3", "-o", "drawn", "--truth", "model")[0] == 0


def test_tests_of_a_clinical_table_are_replaced(run, tmp_path, data):
    (tmp_path / "clinical.csv").write_text("sample,stage\np,I\nq,II\nr,I\n")
    for _ in range(2):
        words = ("--annotation", "clinical.csv", "--tests", "tests.tsv")
        assert run("patients", data, *words)[0] == 0


CLINICAL = "sample,stage,MONTHS,STATUS\np,I,3,1\n"


@pytest.mark.parametrize(
    "words",
    [
        ["fit", "data.csv", "-o", "mine.csv"],
        ["curate", "data.csv", "-o", "mine.csv"],
        ["patients", "data.csv", "-o", "mine.csv"],
        ["simulate", "--events", "3", "-o", "mine.csv"],
        ["simulate", "--events", "3", "-o", "new.csv", "--genotypes", "mine.csv"],
        ["run", "a.toml"],
    ],
)
@pytest.mark.parametrize("mine", [CLINICAL, TABLE.replace("a,b", "a,c"), "parent,child\na,b\n"])
@pytest.mark.usefixtures("data")
def test_a_table_of_the_user_is_kept_whatever_it_starts_with(refused, tmp_path, words, mine):
    (tmp_path / "mine.csv").write_text(mine)
    (tmp_path / "a.toml").write_text('[source]\nname="data.csv"\n[outputs]\ntable="mine.csv"')
    line = refused(*words)
    assert "mine.csv exists and " in line
    assert line.endswith("; name another file, or overwrite it with --force")
    assert (tmp_path / "mine.csv").read_text() == mine
    assert not (tmp_path / "new.csv").exists()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["fit", "data.csv"], ["bootstrap", "data.csv", "--replicates", "5"]),
        (["judge", "data.csv", "-m", "caprese", "--folds", "2"], ["fit", "data.csv"]),
        (["fit", "data.csv"], ["show", "truth.json"]),
    ],
)
@pytest.mark.usefixtures("data")
def test_json_of_one_kind_does_not_replace_another(run, refused, first, second):
    run("simulate", "--events", "3", "-o", "drawn.csv", "--truth", "truth.json")
    assert run(*first, "-o", "out.json")[0] == 0
    line = refused(*second, "-o", "out.json")
    assert "out.json exists and is not a file of this kind that caprese wrote" in line


def test_a_workbook_that_another_program_saved_is_kept(run, refused, data):
    openpyxl = pytest.importorskip("openpyxl")
    assert run("curate", data, "-o", "table.xlsx")[0] == 0
    book = openpyxl.load_workbook("table.xlsx")
    book.properties.lastModifiedBy = "A person"
    book.save("table.xlsx")
    line = refused("curate", data, "-o", "table.xlsx")
    assert "table.xlsx exists and is not a file of this kind that caprese wrote" in line


@pytest.mark.parametrize("suffix", ["xlsx", "parquet", "pdf"])
def test_text_under_the_name_of_another_format_is_kept(refused, tmp_path, data, suffix):
    kept = tmp_path / f"mine.{suffix}"
    kept.write_text("sample,a,b\n" if suffix != "pdf" else '{"format": "caprese fit"')
    command = "curate" if suffix != "pdf" else "fit"
    assert "exists and is not a file of this kind" in refused(command, data, "-o", kept.name)


def test_every_model_of_several_subtypes_is_looked_at(refused, tmp_path):
    (tmp_path / "truth.2.json").write_text("[1]")
    words = ["--subtypes", "2", "--events", "3", "-o", "data.csv", "--truth", "truth.json"]
    assert "--truth truth.2.json exists and is not" in refused("simulate", *words)


def test_a_simulated_truth_replaces_only_a_model(run, refused, tmp_path):
    (tmp_path / "truth.json").write_text("[1]")
    arguments = ["simulate", "--events", "3", "-o", "data.csv", "--truth", "truth.json"]
    assert "exists and is not a file of this kind that caprese wrote" in refused(*arguments)
    assert run(*arguments, "--force")[0] == 0
    assert run(*arguments)[0] == 0


def test_a_recipe_replaces_nothing_but_a_recipe(refused, run, tmp_path, data):
    notes = tmp_path / "notes"
    notes.write_text("precious\n")
    assert "notes must end in one of .toml" in refused("fit", data, "--save-recipe", "notes")
    line = refused("curate", data, "-o", "notes")  # a name without suffix
    assert line.startswith(
        "--output notes exists and is not a file of this kind that caprese wrote"
    )
    other = tmp_path / "other.toml"
    other.write_text("[tool]\n")
    line = refused("fit", data, "--save-recipe", "other.toml")
    assert line.startswith(
        "--save-recipe other.toml exists and is not a file of this kind that caprese wrote"
    )
    assert (notes.read_text(), other.read_text()) == ("precious\n", "[tool]\n")
    for _ in range(2):
        assert run("fit", data, "--save-recipe", "own.toml")[0] == 0
