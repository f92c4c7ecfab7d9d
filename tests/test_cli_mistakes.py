"""What a user may get wrong, and the one line said about it."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["fti"], "there is no command 'fti'; did you mean 'fit'?"),
        (["boot"], "there is no command 'boot'; did you mean 'bootstrap'?"),
        (["magic"], "there is no command 'magic'; there are inspect, curate, fit, bootstrap, comp"),
        (["--hlep"], "caprese has no option '--hlep'; did you mean '--help'?"),
        (["fit", "ovarian", "--Top", "3"], "fit has no option '--Top'; did you mean '--top'?"),
        (["fit", "ovarian", "--kind", "x"], "fit has no option '--kind'; bootstrap has it"),
        (
            ["fit", "ovarian", "--trees", "3"],
            "fit has no option '--trees'; simulate, study have it",
        ),
        (["show", "m.json", "--quiet"], "show has no option '--quiet'"),
        (["fit", "ovarian", "-q"], "fit has no option '-q'"),
        (
            ["fit", "ovarian", "--method", "capresse"],
            "--method must be one of caprese, oncotree, hcbn, cbn, got 'capresse'; "
            "did you mean 'caprese'?",
        ),
        (
            ["fit", "ovarian", "--method", "magic"],
            "--method must be one of caprese, oncotree, hcbn, cbn, got 'magic'",
        ),
        (
            ["compare", "ovarian", "-m", "caprese:shrinkag=1"],
            "--method: shrinkag is not a parameter of caprese; it has shrinkage, noise; "
            "did you mean 'shrinkage'?",
        ),
        (
            ["fit", "ovarian", "--format", "tabel"],
            "--format must be one of table, maf, copy-number, study, genotypes, r, parquet, excel, "
            "got 'tabel'; did you mean 'table'?",
        ),
        (
            ["fit", "data.csv", "--read", "delimeter=x"],
            "--read format 'table' has no option 'delimeter'; its options are delimiter, "
            "sample_names; did you mean 'delimiter'?",
        ),
        (
            ["study", "nosy", "-o", "x"],
            "study must be one of lambda, noise-free, noisy, example, dag, convergence, h-cbn, "
            "unknown, got 'nosy'; did you mean 'noisy'?",
        ),
        (["fit", "avarian"], "avarian: no such file; did you mean the embedded 'ovarian'?"),
        (["fit", "dat.csv"], "dat.csv: no such file; did you mean 'data.csv'?"),
        (["fit", "data.tsv"], "data.tsv: no such file; did you mean 'data.csv'?"),
        (["fit", "tumours.csv"], "tumours.csv: no such file"),
        (["fit", "d.csv"], "d.csv: no such file"),
    ],
)
def test_the_nearest_is_suggested_only_if_it_is_near(refused, tmp_path, arguments, line):
    (tmp_path / "data.csv").write_text("a,b\n1,0\n0,1\n")
    assert refused(*arguments).startswith(line)
    assert ("did you mean" in line) == ("did you mean" in refused(*arguments))
