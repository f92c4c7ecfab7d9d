"""A pool of worker processes that stay alive, so that nothing is imported twice."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

from caprese.app.answers import Answer, Message, Refusal, Request, is_last
from caprese.app.worker import READY, STOP, STOPPED, serve

PATIENCE = 1.5  # seconds a worker has to hear that it shall stop; then it is killed
FINISHING = 30.0  # seconds it has, once it heard that, to draw what it has
_ATTEMPTS = 3  # to start a process
_NONE = "no worker process could be started; if it happens again, try caprese fit ovarian"
_LOST = "the computation ended unexpectedly, perhaps for lack of memory; please try again"


class Worker:
    """A process that runs one task at a time."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        ours, lifeline = context.Pipe()
        self._lifeline = ours  # nothing is sent; the process ends when this end is closed
        self._threads = threads
        self.process = context.Process(target=serve, args=(theirs, lifeline), daemon=False)
        self.process.start()
        theirs.close()
        lifeline.close()

    async def receive(self) -> Any:
        """Return the next message; raise EOFError if the process has ended."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._connection.recv)

    async def run(
        self, request: Request, tell: Callable[[Message], None], stop: asyncio.Event
    ) -> Answer | Refusal | None:
        """Return the answer to a request; None if the worker had to be killed to stop it."""
        self._connection.send(request)
        stopping = asyncio.create_task(stop.wait())
        message = asyncio.create_task(self.receive())
        patience: float | None = None
        try:
            while True:
                waiting = {message, stopping} if patience is None else {message}
                done, _ = await asyncio.wait(
                    waiting, timeout=patience, return_when=asyncio.FIRST_COMPLETED
                )
                if not done:
                    return None
                if stopping in done:
                    self._connection.send(STOP)
                    patience = PATIENCE
                if message in done:
                    found = message.result()
                    if is_last(found):
                        return found
                    if found == STOP:
                        patience = FINISHING
                    else:
                        tell(found)
                    message = asyncio.create_task(self.receive())
        finally:
            stopping.cancel()

    def kill(self) -> None:
        """End the process, and those that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError, TypeError):
            if sys.platform == "win32":
                self.process.kill()
            else:
                self._kill_group()
        self.process.join(1)
        self._connection.close()
        self._lifeline.close()

    def _kill_group(self) -> None:
        identity = self.process.pid
        if identity is not None and self.process.is_alive():
            own = os.getpgid(identity) == identity  # it may not have come so far
            (os.killpg if own else os.kill)(identity, signal.SIGKILL)


class Pool:
    """Workers that are free, and who may use them; long tasks leave one for quick ones."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._free: asyncio.Queue[Worker | None] = asyncio.Queue()  # None if none could be started
        self._failures = 0
        self._long = asyncio.Semaphore(size - 1)
        self._workers: set[Worker] = set()
        self._threads = ThreadPoolExecutor(2 * size + 2)
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def start(self) -> None:
        """Start all processes in the background, one first so that it is soon ready."""
        self._start_one(then=self._size - 1)

    def close(self) -> None:
        """End all processes."""
        self._closed = True
        for worker in list(self._workers):
            worker.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(
        self,
        request: Request,
        tell: Callable[[Message], None],
        stop: asyncio.Event,
        *,
        long: bool = False,
    ) -> Answer | Refusal:
        """Run a task in a free worker, or as soon as one is free."""
        async with self._long if long else contextlib.nullcontext():
            worker = await self._next()
            if worker is None:
                return Refusal(_NONE)
            try:
                found = await worker.run(request, tell, stop)
            except (EOFError, OSError):
                self._replace(worker)
                return Refusal(_LOST)
            except BaseException:
                self._replace(worker)
                raise
            if found is None:
                self._replace(worker)
                return Refusal(STOPPED, stopped=True)
            self._free.put_nowait(worker)
            return found

    async def _next(self) -> Worker | None:
        """Return a free worker that is alive; None if none could be started, and try again."""
        while (worker := await self._free.get()) is not None:
            if worker.process.is_alive():
                return worker
            self._replace(worker)
        self._failures = 0
        self._start_one(then=self._size - 1 - len(self._workers))
        return None

    def _replace(self, worker: Worker) -> None:
        worker.kill()
        self._workers.discard(worker)
        self._start_one()

    def _start_one(self, then: int = 0) -> None:
        if self._closed:
            return
        task = asyncio.create_task(self._started(then))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _started(self, then: int) -> None:
        """Start a process, and so many others when it is ready."""
        loop = asyncio.get_running_loop()
        worker = await loop.run_in_executor(self._threads, Worker, self._threads)
        if self._closed:
            worker.kill()
            return
        self._workers.add(worker)
        try:
            assert await worker.receive() == READY
        except (EOFError, OSError):
            self._failed(worker, then)
            return
        self._failures = 0
        self._free.put_nowait(worker)
        for _ in range(then):
            self._start_one()

    def _failed(self, worker: Worker, then: int) -> None:
        """Try again to start a process that ended before it was ready, but not for ever."""
        worker.kill()
        self._workers.discard(worker)
        self._failures += 1
        if self._failures < _ATTEMPTS:
            self._start_one(then)
        else:
            self._free.put_nowait(None)
