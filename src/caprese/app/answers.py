"""What goes between the server and its workers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard


@dataclass(frozen=True)
class Request:
    """A task for a worker, with what former answers kept as pickles the server never opens."""

    task: str  # name of a function of `tasks`
    folder: str  # where it runs, so that files have the names that the user gave them
    files: str  # where it may write files
    kept: Mapping[str, bytes]
    given: Mapping[str, Any]  # what the page asks for: any JSON


@dataclass(frozen=True)
class Answer:
    """The answer of a worker, or a part of it."""

    shown: Mapping[str, Any] = field(default_factory=dict)  # for the page: any JSON
    kept: Mapping[str, bytes | None] = field(default_factory=dict)  # None for what is forgotten


@dataclass(frozen=True)
class Progress:
    """How far a task is: the kind of work, how much of it is done, and the total."""

    what: str
    done: int
    total: int


@dataclass(frozen=True)
class Refusal:
    """Why there is no answer, in one line for the user; `stopped` if the user asked for that."""

    why: str
    stopped: bool = False


Message = Answer | Progress | Refusal


def is_last(message: object) -> TypeGuard[Answer | Refusal]:
    """Whether nothing comes after a message."""
    if isinstance(message, Answer):
        return not message.shown.get("partial")
    return isinstance(message, Refusal)


LONG = frozenset(
    {"fit", "bootstrap", "judge", "patients", "clinical", "groups", "whatif", "download"}
)
"""Tasks that may take long, and leave a worker for others."""

BESIDE = frozenset(
    {"start", "support", "event", "patient", "download", "table", "groups", "whatif"}
)
"""Tasks that change nothing, and so may run beside others of the same session."""

UPLOADED = frozenset({"clinical", "table", "groups"})
"""Tasks that read a file uploaded beside the data, which may be elsewhere."""
