"""Tests of edges; the rival is scipy, with one of the four tests."""

from measure import Rival, Row, Section, exponent, fastest, in_turns, simulated
from scipy.stats import boschloo_exact

from caprese import Caprese, edge_tests


def scipy_tests(fit):
    counts, events = fit.counts, fit.model.events
    for parent, child in fit.edges:
        i, j = events.index(parent), events.index(child)
        both, first, second = counts.joint[i, j], counts.first[i, j], counts.second[i, j]
        rest = counts.total[i, j] - first - second + both
        boschloo_exact([[both, second - both], [first - both, rest]], alternative="greater")


def edges(quick):
    small = simulated(5, 50)
    edge_tests(Caprese().fit(small), small)  # compiles
    data = simulated(20, 250)
    fit = Caprese().fit(data)
    ours, theirs = in_turns(lambda: edge_tests(fit, data), lambda: scipy_tests(fit))
    number = len(fit.edges)
    rows = [
        Row(
            what="250 samples, an edge",
            seconds=ours / number,
            rival=Rival(name="scipy, boschloo_exact alone", seconds=theirs / number),
        )
    ]
    sizes = [1000, 10_000] if quick else [1000, 10_000, 100_000]
    for samples in sizes:
        many = simulated(10, samples)
        found = Caprese().fit(many)
        seconds = fastest(lambda many=many, found=found: edge_tests(found, many), 2)
        rows.append(Row(what=f"all edges, 10 x {samples:,}", seconds=seconds))
    growth = {"samples": exponent(sizes, [row.seconds for row in rows[1:]])}
    if not quick:
        most = simulated(20, 1_000_000)
        found = Caprese().fit(most)
        seconds = fastest(lambda: edge_tests(found, most), 1)
        rows.append(Row(what="all edges, 20 x 1,000,000", seconds=seconds))
    return Section(title="edge tests", rows=tuple(rows), growth=growth)


SECTIONS = (edges,)
