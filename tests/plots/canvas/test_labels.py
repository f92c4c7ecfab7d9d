import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.plots.canvas.labels import legible, legible_names, text_width, wrapped

ANY = st.text(alphabet=st.characters(), max_size=200)


class TestLegible:
    @given(ANY, st.integers(3, 60))
    def test_it_is_never_longer_than_the_limit_and_always_visible(self, text, longest):
        found = legible(text, longest)
        assert len(found) <= longest
        assert found.isprintable()

    @given(ANY)
    def test_it_can_be_measured_without_a_warning(self, text):
        assert text_width(legible(text), 9) >= 0

    def test_plain_text_is_unchanged(self):
        assert legible("TP53 (R175H) µ ≥ é") == "TP53 (R175H) µ ≥ é"

    def test_both_ends_of_a_long_text_are_kept(self):
        assert legible("begin" + "x" * 10_000 + "end", 20) == "beginxxxxx…xxxxxxend"

    @pytest.mark.parametrize(
        ("text", "shown"),
        [("8q+\n", "8q+\\n"), ("a\u200f", "a\\u200f"), ("\u4e2d", "□")],
        ids=["line break", "direction mark", "not in the font"],
    )
    def test_a_character_that_cannot_be_drawn_is_replaced(self, text, shown):
        assert legible(text) == shown

    def test_no_blanks_are_beside_the_ellipsis(self):
        assert legible("a" + " " * 60 + "b", 20) == "a…b"

    def test_names_that_are_shortened_to_the_same_text_are_numbered(self):
        names = ["a" * 50 + middle + "b" * 50 for middle in "xyz"]
        assert len(set(legible_names(names, 20))) == 3
        names = ["chromosome 11 loss", "chromosome 12 loss"]
        assert legible_names(names, longest=10) == ("chrom…loss", "chrom…loss.2")


class TestWrapped:
    @given(ANY.filter(str.strip), st.integers(4, 30), st.integers(1, 4))
    def test_neither_the_number_of_lines_nor_their_width_exceeds_the_limit(
        self, text, width, lines
    ):
        found = wrapped(text, width, lines)
        assert 1 <= len(found) <= lines
        assert max(map(len, found)) <= width

    def test_lines_are_broken_between_words(self):
        assert wrapped("CDK4 / MDM2 / HMGA2", 12) == ("CDK4 /", "MDM2 / HMGA2")
        assert wrapped("SETBP1_missense", 10) == ("SETBP1_", "missense")
        assert wrapped("loss of the short arm", width=12) == ("loss of the", "short arm")

    def test_a_text_that_does_not_fit_loses_its_middle(self):
        assert "".join(wrapped("a" * 30 + "b" * 30, 10, 2)) == "aaaaaaaaaa…bbbbbbbbb"
        assert wrapped("ABCDEFGHIJ", width=4, lines=2) == ("ABCD", "…HIJ")


def test_wide_letters_need_more_space():
    assert text_width("mm", 10) > text_width("ii", 10) > 0
