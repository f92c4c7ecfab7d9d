"""What goes between the server and its workers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard


@dataclass(frozen=True)
class Request:
    """A task for a worker.

    Parameters
    ----------
    task
        Name of a function of `tasks`.
    folder
        Where the task runs, so that files have the names that the user gave them.
    files
        Where it may write files.
    kept
        What former answers kept, as pickles that the server never opens.
    given
        What the page asks for: any JSON.
    """

    task: str
    folder: str
    files: str
    kept: Mapping[str, bytes]
    given: Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """The answer of a worker, or a part of it.

    Parameters
    ----------
    shown
        For the page: any JSON.
    kept
        What the session keeps for later tasks; None for what it forgets.
    """

    shown: Mapping[str, Any] = field(default_factory=dict)
    kept: Mapping[str, bytes | None] = field(default_factory=dict)


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


LONG = frozenset({"fit", "bootstrap", "judge", "patients", "clinical", "download"})
"""Tasks that may take long, and leave a worker for others."""

BESIDE = frozenset({"start", "support", "event", "patient", "download"})
"""Tasks that change nothing, and so may run beside others of the same session."""

UPLOADED = frozenset({"clinical"})
"""Tasks that read a file uploaded beside the data, which may be elsewhere."""
