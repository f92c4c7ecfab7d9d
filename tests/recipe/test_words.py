"""A recipe as a command and as lines of Python."""

import pytest

from caprese import HCBN, Caprese, Capri, Noise, Recipe
from caprese.data.curation import MergeEvents
from caprese.errors import ParameterError
from caprese.models.poset import Poset
from caprese.recipe.loading import Curation, Source
from caprese.recipe.parts import Bootstrap, Judging, Outputs, Placing, Reporting
from caprese.recipe.words import command, python_lines

DATA = Source("x.csv")
RUN = "caprese run analysis.toml"


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (
            {
                "method": HCBN(),
                "bootstrap": Bootstrap(replicates=10, seed=7),
                "judge": Judging(budget="2m", seed=7),
                "outputs": "report",
            },
            "caprese report x.csv -m hcbn:seed=1 --replicates 10 --seed 7 --budget 2m -o f",
        ),
        (
            {"method": HCBN(), "outputs": "confidence"},
            "caprese bootstrap x.csv -m hcbn --replicates 100 -o f",
        ),
        (
            {"curation": Curation(only=("a", "it's"), at_least=0.1, keep_unknown=True)},
            """caprese curate x.csv --only 'a,it'"'"'s' --at-least 0.1 --keep-unknown -o f""",
        ),
        ({"curation": Curation(exclude=("a,b",))}, RUN),
        ({"curation": Curation(exclude=("two\nlines",))}, RUN),
        ({"curation": Curation(exclude=("names.txt",))}, RUN),
        ({"curation": Curation(merge=(MergeEvents(["a", "b"], into="c=d"),))}, RUN),
        ({"curation": Curation(merge=(MergeEvents(["a", "b"], keep_members=True),))}, RUN),
        ({"source": Source("x", options={"genes": ["A,B"]})}, RUN),
        (
            {"source": Source("x", "table", {"delimiter": "\t", "sample_names": True})},
            "caprese curate x --format table --delimiter tab --read sample_names=yes -o f",
        ),
        (
            {"source": Source("x", orders="o.csv", orders_extra=True)},
            "caprese curate x --orders o.csv --orders-extra -o f",
        ),
        (
            {"source": Source("x", orders="o", orders_options={"mixed": True, "depth": 90})},
            "caprese curate x --orders o --read-orders mixed=yes --read-orders depth=90 -o f",
        ),
        ({"method": Capri(patterns=("p = OR(chr1:5, b)",)), "outputs": "fit"}, RUN),
        (
            {"report": Reporting(annotation="c.csv", column="my stage"), "outputs": "report"},
            "caprese report x.csv --annotation 'c.csv:my stage' -o f",
        ),
        ({"report": Reporting(annotation="c.csv", column="a:b"), "outputs": "report"}, RUN),
        (
            {
                "report": Reporting(clinical="c.csv", time="months", status="dead", by="8q+"),
                "outputs": "report",
            },
            "caprese report x.csv --clinical c.csv --time months --status dead --by 8q+ -o f",
        ),
        ({"bootstrap": Bootstrap(seed=7), "outputs": "report"}, RUN),  # judged with another seed
        ({"judge": Judging(methods=("mhn",)), "outputs": "report"}, RUN),
        (
            {"judge": Judging(methods=("caprese", "oncotree"), seed=4), "outputs": "judgement"},
            "caprese judge x.csv -m caprese -m oncotree --seed 4 -o f",
        ),
        (
            {"patients": Placing(annotation="c.csv", corrected=True), "outputs": "tests"},
            "caprese patients x.csv --annotation c.csv --corrected --tests f",
        ),
        (
            {
                "patients": Placing(block=("a", "b"), slow=("c=0.5",), target="d"),
                "outputs": "patients",
            },
            "caprese patients x.csv --block a --block b --slow c=0.5 --target d -o f",
        ),
    ],
)
def test_a_file_has_its_command(parts, words):
    outputs = Outputs(**{parts.get("outputs", "table"): ("f",)})
    assert command(Recipe(**{"source": DATA, **parts, "outputs": outputs})) == words


def test_names_that_no_command_line_can_give_are_given_in_python():
    recipe = Recipe(source=DATA, curation=Curation(exclude=("two\nlines",)))
    assert "Curation(exclude=('two\\nlines',))" in python_lines(recipe)


def test_the_lines_of_python_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recipe = Recipe(
        source=Source("ovarian"),
        curation=Curation(merge=(MergeEvents(["8q+", "3q+"], into="a, b"),), top=5),
        method=Caprese(shrinkage=0.3, noise=Noise(0.1, 0.05)),
        bootstrap=Bootstrap(replicates=5),
    )
    found = {}
    exec(python_lines(recipe), found)
    assert found["recipe"] == Recipe(
        source=recipe.source, curation=recipe.curation, method=recipe.method
    )
    assert found["confidence"].replicates == 5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "table.csv"]


def test_a_method_that_has_no_words_is_refused():
    method = HCBN(start=Poset(("a", "b"), ((), (0,))))
    with pytest.raises(ParameterError, match="method must be one that can be written in words"):
        Recipe(source=DATA, method=method)
