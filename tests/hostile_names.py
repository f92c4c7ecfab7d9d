"""Names with characters that are special in markup, formulas, trees or terminals."""

from hypothesis import strategies as st

HOSTILE = (
    "<script>alert(1)</script>",
    "&lt;b&gt; & &amp;",
    "]]><![CDATA[",
    "it's",
    "'quoted'",
    'say "x"',
    '"',
    "\\",
    "\\\\'",
    'ends in \\"',
    "C:\\new\\N",
    "\\u0041 \\U0001f600",
    "two\nlines",
    "a\r\nb\rc",
    "\ttabbed\t",
    "  blanks  ",
    "=cmd|'/C calc'!A0",
    "+8q",
    "-7q",
    "@SUM(A1)",
    "\t=1",
    "'=1",
    "\uff1d1",
    "a,b;c",
    "(a:0.1,b)[c];",
    "a_b c",
    "\u202egnp.exe\u200f",
    "nul\0 bell\a escape\x1b[31m \x85 \u2028",
    "lone \ud800 surrogate \uffff",
    "🧬 \U000e0001",
    "root",
    "event1",
    "node",
    "->",
    "digraph {",
    "NA",
    "7",
    "# not a comment",
    "x" * 10_000,
)

CHARACTERS = st.characters(exclude_categories=())  # lone surrogates too
NAMES = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(CHARACTERS, min_size=1, max_size=6),
    st.text("'\"\\=+-@ \t\nu0041,;:()[]<>&{}|", min_size=1, max_size=8),
).filter(str.strip)


def names(number):
    """Distinct names, most of them with special characters."""
    return st.lists(NAMES, min_size=number, max_size=number, unique=True).map(tuple)
