"""Convergence: how an iteration says that it reached its limit.

It still has an answer, the best that it came to, so nothing is raised. The answer has a field
`converged`; the evidence of a fit keeps it, and makes a note of the fit from it. Chains have
`Diagnostics` in its place, and rounds of recovery `settled`.
"""

from dataclasses import field
from typing import Any

from caprese._core.facts import Fact


def convergence_field() -> Any:
    """Return a field of evidence: whether it converged; files of earlier versions lack it."""
    return field(default=True, metadata={"optional": True})


def convergence_notes(steps: int, *, converged: bool) -> tuple[Fact, ...]:
    """Return the note on an iteration of at most so many steps; none if it converged."""
    return () if converged else (Fact("not converged", values={"steps": steps}),)
