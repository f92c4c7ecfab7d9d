"""Patterns: what their texts mean, and in which samples they hold."""

import itertools

import numpy as np
import pytest

from caprese import Dataset, DatasetError, Pattern, datasets, group_patterns, homologous_patterns
from caprese.data.patterns import Formula, canonical, evaluated, expanded, split_patterns
from caprese.errors import ParameterError

ABC = Dataset.from_rows(list(itertools.product((0, 1), repeat=3)), events="abc")


def holds(formula, row):
    """Whether a formula holds in a genotype, by its definition."""
    parts = [holds(part, row) if isinstance(part, Formula) else row[part] for part in formula.parts]
    match formula.operator:
        case "AND":
            return all(parts)
        case "OR":
            return any(parts)
        case _:
            return sum(parts) == 1


@pytest.mark.parametrize(
    "text",
    ["AND(a, b)", "OR(a, b, c)", "XOR(a, b, c)", "XOR(a, OR(b, c))", "OR(AND(a, b), XOR(b, c))"],
)
def test_a_pattern_holds_where_its_definition_does(text):
    ((column,), _) = evaluated(expanded([f"P = {text}"], ABC), ABC)
    rows = [dict(zip("abc", row, strict=True)) for row in ABC.values.tolist()]
    assert column.present.tolist() == [holds(column.pattern.formula, row) for row in rows]


@pytest.mark.parametrize("text", ["AND(a, b)", "OR(a, b)", "XOR(a, b, c)", "XOR(a, AND(b, c))"])
def test_a_pattern_is_known_where_unknown_entries_cannot_change_it(text):
    entries = list(itertools.product((0, 1, None), repeat=3))
    data = Dataset.from_rows(entries, events="abc")
    formula = Pattern.parse(f"P = {text}").formula
    ((column,), _) = evaluated(expanded([f"P = {text}"], data), data)
    for row, present, known in zip(entries, column.present, column.known, strict=True):
        free = [(0, 1) if entry is None else (entry,) for entry in row]
        answers = {
            holds(formula, dict(zip("abc", each, strict=True))) for each in itertools.product(*free)
        }
        if known:
            assert answers == {present}
        elif text != "XOR(a, AND(b, c))":  # of parts that share no event, nothing more is known
            assert len(answers) == 2


def test_exactly_one_is_meant_by_xor_and_not_an_odd_number():
    ((column,), _) = evaluated(expanded(["P = XOR(a, b, c)"], ABC), ABC)
    assert not column.present[-1]


@pytest.mark.parametrize(
    "text",
    [
        "RAS = XOR(KRAS, NRAS)",
        'RAS = XOR("8q+ (gain)", OR(a, "b, c"))',
        "RAS = AND(a, b) -> c, d <- e",
        "RAS = AND(a, b) -> none",
        '"x = y" = OR(a, "say \\"b\\"")',
    ],
)
def test_a_pattern_is_written_as_it_is_read(text):
    assert str(Pattern.parse(text)) == text == canonical(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RAS", "expected '=', got 'the end'"),
        ("= OR(a, b)", "expected a name, got '= OR(a, b)'"),
        ("P = NAND(a, b)", "'NAND' is not an operator; expected one of AND, OR, XOR; did you mean"),
        ("P = XR(a, b)", "expected one of AND, OR, XOR; did you mean 'XOR'?"),
        ("P = OR a", "expected one of AND, OR, XOR with its events in parentheses, got 'the end'"),
        ("P = OR(a, not(b))", "'not' is not an operator; expected one of AND, OR, XOR"),
        (
            "XOR(a, b)",
            "expected a name before the formula, as in NAME = XOR(a, b), got 'XOR(a, b)'",
        ),
        ("P = XOR(a, b, a)", "'a' is there twice; parts must differ"),
        ("P = OR(AND(a, b), AND(a, b))", "'AND(a, b)' is there twice; parts must differ"),
        ("homologus", "'homologus' is not known; did you mean 'homologous'?"),
        ("pairs XR(a, b)", "'XR' is not an operator"),
        ("P = OR(a, b", "expected ')', got 'the end'"),
        ("P = OR(a,, b)", "expected an event, got ', b)'"),
        ("P = OR(a, b) -> c -> d", "expected one ->, got 'd'"),
        ("P = OR(a, b) c", "expected nothing more, got 'c'"),
    ],
)
def test_a_bad_text_is_refused_with_what_was_expected(text, message):
    with pytest.raises(ParameterError, match=r"^pattern must be such as P = XOR") as refused:
        canonical(text)
    assert message in str(refused.value)


def test_texts_are_separated_by_semicolons_outside_of_quotes():
    assert split_patterns('A = OR("x;y", b); homologous;') == ('A = OR("x;y", b)', "homologous")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["P = OR(a, x)"], "pattern 'P': the data has no event 'x'"),
        (["P = OR(a, b) -> a"], "'a' is part of it, so it cannot be its cause or effect"),
        (["a = OR(b, c)"], "pattern name 'a' is taken"),
        (["P = OR(a, b)", "P = OR(b, c)"], "pattern name 'P' is taken"),
        (
            ["P = OR(a, b)", "Q = XOR(P, c)"],
            r"pattern 'Q': 'P' is a pattern, not an event; write OR\(a, b\) in place of its name",
        ),
    ],
)
def test_a_pattern_that_does_not_fit_the_data_is_refused(texts, message):
    with pytest.raises(DatasetError, match=message):
        expanded(texts, ABC)


def test_patterns_that_say_nothing_new_are_listed_with_the_reason():
    data = Dataset.from_rows([[1, 0, 1], [0, 1, 1], [0, 1, 1]], events="abc")
    texts = ["P = AND(a, b)", "Q = OR(a, b)", "R = AND(b, c)", "S = XOR(a, c)"]
    columns, refused = evaluated(expanded(texts, data), data)
    assert columns == ()
    assert refused == (
        ("P", "never", ""),
        ("Q", "always", ""),
        ("R", "equal", "b"),
        ("S", "equal", "b"),
    )


def test_a_gene_stands_for_all_its_events():
    data = datasets.acml_selected17()
    (pattern,) = expanded(["P = XOR(TET2, IDH2) -> NRAS <- none"], data)
    assert len(pattern.formula.members) == 4
    assert pattern.effects == ("NRAS Missense point",)
    assert pattern.causes == ()


def test_homologous_patterns_are_or_only_where_events_meet():
    texts = homologous_patterns(datasets.acml_selected17())
    names = [Pattern.parse(text).name for text in texts]
    assert names == ["XOR_ASXL1", "XOR_CBL", "OR_CSF3R", "XOR_EZH2", "XOR_TET2"]


def test_a_group_gives_all_its_subsets():
    assert len(group_patterns("OR", "abcd", least=2, most=3)) == 10
    pairs = expanded(["pairs XOR(a, b, c)"], ABC)
    assert [pattern.name for pattern in pairs] == ["XOR_a_b", "XOR_a_c", "XOR_b_c"]
    assert group_patterns("XOR", "abc") == tuple(f"{each.name} = {each.formula}" for each in pairs)


def test_effects_of_a_pattern_come_before_those_of_all():
    first, second = expanded(["P = OR(a, b)", "Q = OR(a, b) -> c"], ABC, effects=(), causes=("c",))
    assert (first.effects, first.causes) == ((), ("c",))
    assert second.effects == ("c",)
    assert np.array_equal(second.causes, ("c",))
