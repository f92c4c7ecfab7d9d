"""Sessions: what each tab has in front of it. They know nothing of each other."""

import asyncio
import contextlib
import shutil
import time
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any

from caprese.app.answers import BESIDE, LONG, UPLOADED, Answer, Message, Request, is_last
from caprese.app.pool import Pool


def clear(folder: Path) -> None:
    """Remove what is in a folder."""
    for old in folder.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()


class Session:
    """One tab: its files in a folder, what it keeps, and the one task that runs for it."""

    def __init__(self, folder: Path) -> None:
        self.uploads, self.files, self.coming = (
            folder / name for name in ("data", "files", "coming")
        )
        for each in (self.uploads, self.files, self.coming):
            each.mkdir(parents=True)
        self.folder = folder
        self.working = self.uploads  # where tasks run
        self.beside: set[str] = set()  # tables that were uploaded beside it
        self.kept: dict[str, bytes] = {}
        self.touched = time.monotonic()
        self._stops: set[asyncio.Event] = set()  # of tasks that run
        self._main = asyncio.Event()  # of the task that may change what is kept
        self._turn = asyncio.Lock()

    def take(self, name: str, *, beside: bool = False) -> None:
        """Use what has come in place of what was uploaded before, or beside the data."""
        if not beside:
            clear(self.uploads)
            self.beside = set()
        else:
            self.beside.add(name)
        (self.coming / name).replace(self.uploads / name)

    def taken(self) -> set[str]:
        """Return the names of the files of the data, which a table beside it cannot have."""
        return {each.name for each in self.uploads.iterdir()} - self.beside

    def stop(self) -> None:
        """Ask what runs to stop."""
        for stop in self._stops:
            stop.set()

    async def run(
        self, pool: Pool, task: str, given: Mapping[str, Any]
    ) -> AsyncGenerator[Message, None]:
        """Run a task; yield what it reports, last its answer.

        A task that changes what is kept first stops the one before it. If nobody listens any
        more, the task is stopped.
        """
        self.touched = time.monotonic()
        stop, beside = asyncio.Event(), task in BESIDE
        if not beside:
            self._main.set()
        async with contextlib.nullcontext() if beside else self._turn:
            if not beside:
                self._main = stop
            told: asyncio.Queue[Message] = asyncio.Queue()
            folder = self.uploads if task in UPLOADED else self.working
            request = Request(task, str(folder), str(self.files), dict(self.kept), given)
            running = asyncio.create_task(self._answer(pool, request, told, stop))
            self._stops.add(stop)
            try:
                while True:
                    message = await told.get()
                    yield message
                    if is_last(message):
                        return
            finally:
                stop.set()
                await asyncio.shield(running)
                self._stops.discard(stop)
                self.touched = time.monotonic()

    async def _answer(
        self, pool: Pool, request: Request, told: "asyncio.Queue[Message]", stop: asyncio.Event
    ) -> None:
        """Run a task to its end, whether or not somebody listens; keep what it gives."""

        def tell(message: Message) -> None:
            if isinstance(message, Answer):
                now = {**self.kept, **message.kept}
                self.kept = {name: part for name, part in now.items() if part is not None}
            told.put_nowait(message)

        tell(await pool.run(request, tell, stop, long=request.task in LONG))

    def close(self) -> None:
        """Stop what runs, and remove the files."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
