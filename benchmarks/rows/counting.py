"""Pair counts, pairwise fits and the bootstrap; the rival is numpy."""

import numpy as np
from measure import Rival, Row, Section, exponent, in_turns, independent

from caprese import Caprese, Counts, Oncotree, bootstrap, datasets

ROWS = 8192
R_SECONDS = {  # for 1,000 replicates: TRONCO 2.41.1, Oncotree 0.3.5, two cores
    (87, 7): {"caprese": 7.1, "oncotree": 0.69},
    (250, 20): {"caprese": 25.9, "oncotree": 4.2},
    (1000, 100): {"caprese": 502.0, "oncotree": 189.0},
}


def product(values):
    """Return pair counts by a matrix product in single precision, in chunks of rows."""
    found = np.zeros((values.shape[1], values.shape[1]))
    for start in range(0, len(values), ROWS):
        part = values[start : start + ROWS].astype(np.float32)
        found += part.T @ part
    return found


def pair_counts(quick):
    events = 200
    sizes = [10_000, 50_000] if quick else [50_000, 200_000, 1_000_000]
    rows = []
    for samples in sizes:
        data = independent(events, samples)
        ours, theirs = in_turns(
            lambda data=data: Counts.of(data), lambda data=data: product(data.values)
        )
        assert (Counts.of(data).joint == product(data.values)).all()
        rival = Rival(name="numpy, matrix product", seconds=theirs)
        rows.append(Row(what=f"{samples:,} x {events}", seconds=ours, rival=rival))
    growth = {"samples": exponent(sizes, [row.seconds for row in rows])}
    return Section(title="pair counts", rows=tuple(rows), growth=growth)


def fits(_quick):
    rows = []
    for samples, events in ((250, 20), (1000, 100)):
        data = independent(events, samples)
        Caprese().fit(data)  # the digest of the data is computed once
        ours, theirs = in_turns(
            lambda data=data: Caprese().fit(data),
            lambda data=data: product(data.values),
            repeats=15,
        )
        rival = Rival(name="numpy, matrix product of its pair counts", seconds=theirs)
        rows.append(
            Row(
                what=f"caprese, {samples} x {events}",
                seconds=ours,
                rival=rival,
            )
        )
    return Section(title="fit", rows=tuple(rows))


def bootstraps(quick):
    rng = np.random.default_rng(1)
    rows = []
    for (samples, events), recorded in list(R_SECONDS.items())[: 2 if quick else 3]:
        data = datasets.ovarian() if events == 7 else independent(events, samples)
        distinct, _ = data.genotypes()
        i, j = np.triu_indices(events)
        pairs = (distinct.values[:, i] & distinct.values[:, j]).astype(float)
        weights = rng.integers(0, 3, size=(1000, len(pairs))).astype(float)
        for name, method in (("caprese", Caprese()), ("oncotree", Oncotree())):
            bootstrap(method, data, replicates=10, seed=1)
            ours, theirs = in_turns(
                lambda data=data, method=method: bootstrap(method, data, replicates=1000, seed=1),
                lambda weights=weights, pairs=pairs: weights @ pairs,
            )
            rival = Rival(name="numpy, product that counts the pairs alone", seconds=theirs)
            note = f"R on two cores, recorded in November 2026: {recorded[name]:g} s"
            rows.append(
                Row(
                    what=f"{name}, 1,000 replicates of {samples} x {events}",
                    seconds=ours,
                    rival=rival,
                    note=note,
                )
            )
    return Section(title="bootstrap", rows=tuple(rows))


SECTIONS = (pair_counts, fits, bootstraps)
