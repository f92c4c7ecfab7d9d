import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.plots.canvas.lettering import legible, legible_names, percent, text_width, wrapped

ANY = st.text(alphabet=st.characters(), max_size=200)


class TestLegible:
    @given(ANY, st.integers(3, 60))
    def test_it_is_never_longer_than_asked_for_and_always_visible(self, text, longest):
        found = legible(text, longest)
        assert len(found) <= longest
        assert found.isprintable()

    @given(ANY)
    def test_it_can_be_measured_without_a_warning(self, text):
        assert text_width(legible(text), 9) >= 0

    def test_plain_text_is_left_as_it_is(self):
        assert legible("TP53 (R175H) µ ≥ é") == "TP53 (R175H) µ ≥ é"

    def test_both_ends_of_a_long_text_are_kept(self):
        assert legible("begin" + "x" * 10_000 + "end", 20) == "beginxxxxx…xxxxxxend"

    def test_names_that_become_the_same_are_told_apart(self):
        names = ["a" * 50 + sign + "b" * 50 for sign in "xyz"]
        assert len(set(legible_names(names, 20))) == 3


class TestWrapped:
    @given(ANY.filter(str.strip), st.integers(4, 30), st.integers(1, 4))
    def test_there_are_few_lines_and_they_are_short(self, text, across, lines):
        found = wrapped(text, across, lines)
        assert 1 <= len(found) <= lines
        assert max(map(len, found)) <= across

    def test_lines_break_where_words_end(self):
        assert wrapped("CDK4 / MDM2 / HMGA2", 12) == ("CDK4 /", "MDM2 / HMGA2")
        assert wrapped("SETBP1_missense", 10) == ("SETBP1_", "missense")

    def test_what_does_not_fit_loses_its_middle(self):
        assert "".join(wrapped("a" * 30 + "b" * 30, 10, 2)) == "aaaaaaaaaa…bbbbbbbbb"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0 %"), (0.004, "<1 %"), (0.006, "1 %"), (0.5, "50 %"), (0.996, ">99 %"), (1, "100 %")],
)
def test_percents_are_honest_at_the_ends(share, text):
    assert percent(share) == text
