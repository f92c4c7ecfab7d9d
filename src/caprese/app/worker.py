"""A worker process: takes tasks from a pipe, one at a time, and reports their progress."""

import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

from caprese._core.progress import listening
from caprese.app.answers import Answer, Progress, Refusal, Request
from caprese.errors import CapreseError

STOP = "stop"
READY = "ready"
STOPPED = "stopped; what was done before is kept"

_SECONDS = 0.05  # between two reports of progress


def serve(connection: "Connection[Any, Any]", lifeline: "Connection[Any, Any]") -> None:
    """Run tasks until the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    if sys.platform != "win32":
        os.setpgid(0, 0)  # a group, so that processes that a task starts end with it
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    from caprese.app.tasks import warm_up

    warm_up()
    connection.send(READY)
    while True:
        request = connection.recv()
        if isinstance(request, Request):  # and not a stop that came too late
            connection.send(_answer(request, connection))


def _end_with(lifeline: "Connection[Any, Any]") -> None:
    """End at once when the server does, however it ended: then nobody holds the other end."""
    try:
        lifeline.recv()
    except (EOFError, OSError):
        if sys.platform != "win32":
            os.killpg(0, signal.SIGKILL)
        os._exit(1)


class _Stopped(KeyboardInterrupt):
    """The user asked to stop; a bootstrap that is interrupted so keeps what it has counted."""


def _answer(request: Request, connection: "Connection[Any, Any]") -> Answer | Refusal:
    from caprese.app.tasks import TASKS
    from caprese.app.wording import setting

    told = 0.0

    def listen(what: str, done: int, total: int) -> None:
        nonlocal told
        if connection.poll() and connection.recv() == STOP:
            connection.send(STOP)  # it was heard; what is left is to finish what was begun
            raise _Stopped
        if time.monotonic() - told > _SECONDS:
            connection.send(Progress(what, done, total))
            told = time.monotonic()

    try:
        os.chdir(request.folder)
        with listening(listen):
            return TASKS[request.task](request, connection.send)
    except KeyboardInterrupt:
        return Refusal(STOPPED, stopped=True)
    except MemoryError:
        return Refusal("there is not enough memory for this")
    except CapreseError as error:
        return Refusal(error.message(setting))
    except ValueError as error:
        return Refusal(str(error))
    except OSError as error:
        return Refusal(f"{error.filename or 'file'}: {error.strerror or error}")
