"""Trees of isolates in Newick format, and the data of their branches."""

import re
from math import isfinite, nan

import numpy as np

from caprese._core.files import FilePath, format_error, shown, text_lines
from caprese._core.words import listing, number_of
from caprese.data.dataset import Dataset
from caprese.data.isolates import IsolateTree, isolate_pairs
from caprese.io.data.reading import Note, Reading

_TOKEN = re.compile(r"\s+|\[[^\]]*\]|'(?:[^']|'')*'|[(),:;]|[^\s\[\]'(),:;]+")


def read_newick(path: FilePath) -> IsolateTree:
    """Read a rooted tree.

    Comments in brackets are skipped. A problem names the character of the file, without line ends.

    Raises
    ------
    FormatError
        If the file holds no tree, or several.
    """
    text = "".join(text_lines(path)).strip()
    names, parents, lengths = [""], [-1], [nan]
    node, before, done = 0, "", False
    for place, word in _tokens(path, text):
        if done:
            raise format_error(path, "a second tree, expected one", column=place + 1)
        if word == "(":
            if before not in ("", "(", ","):
                raise format_error(path, "expected a comma before '('", column=place + 1)
            node = _child(node, names, parents, lengths)
        elif word == "," and node and parents[node] >= 0:
            node = _child(parents[node], names, parents, lengths)
        elif word == ")" and parents[node] >= 0:
            node = parents[node]
        elif word == ";" and node == 0:
            done = True
        elif word in (",", ")", ";"):
            problem = "')' without '('" if word == ")" else f"{word!r} outside of a tree"
            if word == ";":
                problem = "the tree ends before all '(' are closed"
            raise format_error(path, problem, column=place + 1)
        elif word == ":":
            pass
        elif before == ":":
            lengths[node] = _length(path, word, place)
        elif names[node]:
            raise format_error(path, f"expected a comma before {shown(word)}", column=place + 1)
        else:
            names[node] = word[1:-1].replace("''", "'") if word[0] == "'" else word
        before = word if word in "(),:;" else "name"
    if not done or len(names) < 3:
        rule = "a tree of two isolates or more in Newick format, such as (a,(b,c));"
        raise format_error(path, f"expected {rule}")
    without = [
        name for name, length in zip(names[1:], lengths[1:], strict=True) if length != length
    ]
    if without and len(without) < len(names) - 1:
        first = shown(without[0]) if without[0] else "an inner node"
        raise format_error(path, f"the branch above {first} has no length, others have one")
    return IsolateTree(tuple(names), tuple(parents), np.array(lengths))


def _tokens(path: FilePath, text: str) -> list[tuple[int, str]]:
    """Return the words and signs of a tree, and where they stand."""
    found, place = [], 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            problem = f"{shown(text[place : place + 20])} is not closed"
            raise format_error(path, problem, column=place + 1)
        if not token[0].isspace() and token[0][0] != "[":
            found.append((place, token[0]))
        place = token.end()
    return found


def _child(node: int, names: list[str], parents: list[int], lengths: list[float]) -> int:
    names.append("")
    parents.append(node)
    lengths.append(nan)
    return len(names) - 1


def _length(path: FilePath, word: str, place: int) -> float:
    try:
        length = float(word)
    except ValueError:
        length = nan
    if not (isfinite(length) and length >= 0):
        problem = f"{shown(word)} is no length of a branch; expected a number from 0"
        raise format_error(path, problem, column=place + 1)
    return length


def with_isolates(reading: Reading, path: FilePath) -> Reading:
    """Return a reading of isolates as one of the branches of their tree.

    Raises
    ------
    FormatError
        If a tip of the tree is not in the data, or is there twice.
    """
    tree, data = read_newick(path), reading.data
    tips = [tree.names[node] for node in tree.tips.tolist()]
    rows = {name: row for row, name in enumerate(data.samples)}
    missing = [name or "a tip without a name" for name in tips if name not in rows]
    if missing:
        problem = f"no sample of the data is {listing(missing)}, {number_of(len(missing), 'tip')}"
        raise format_error(path, f"{problem} of the tree; expected a row for each")
    twice = sorted({name for name in tips if tips.count(name) > 1})
    if twice:
        raise format_error(path, f"{listing(twice)} stands twice in the tree")
    pairs = isolate_pairs(data.without_orders(), tree, [rows[name] for name in tips])
    return reading.changed(pairs, _notes(data, pairs, tips))


def _notes(data: Dataset, pairs: Dataset, tips: list[str]) -> list[Note]:
    """Return what became of the isolates."""
    said = f"isolates: {number_of(len(tips), 'tip')}, {len(pairs.samples) // 2} branches, each a "
    said += "series of an ancestor and a descendant; states of ancestors by parsimony, events stay"
    rest = sorted(set(data.samples) - set(tips))
    more = [Note(f"left out, not in the tree: {listing(rest)}")] if rest else []
    return [Note(said), *more]
