"""The server of the page: it hands requests to workers, and waits."""

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from caprese._core.budget import VARIABLE, share, size_words
from caprese.app.answers import BESIDE, LONG, UPLOADED, Answer, Message
from caprese.app.pool import Pool
from caprese.app.security import LOOPBACK, Guard
from caprese.app.sessions import Session, clear
from caprese.app.storage import entrance, private_folder

_TASKS = LONG | BESIDE | {"load", "curate"}
SESSIONS = 32  # tabs at a time
IDLE = 8 * 3600.0  # seconds after which a session that nobody uses is dropped
REQUEST = 4 * 2**20  # bytes of what the page chose, such as the names of events
FILES = 300  # of a folder
TABLES = 20  # beside the data
FOLDERS = 3  # within each other
WORKERS = 3  # processes, of which one is kept for what is quick
_PER_BYTE = 16  # bytes of memory that reading a byte may take
_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
_LONGEST_NAME = 200  # bytes of the name of a file


class Site:
    """The page and what it asks for; first it opens the data given on the command line, if any.

    Each tab has a session, by an identity that cannot be guessed, with its files in the folder. The
    entrance is a file that led the browser here, and is removed as soon as it did.
    """

    def __init__(self, given: str, folder: Path, entrance: Path) -> None:
        self.given, self.home = given, os.getcwd()
        self.folder, self.entrance = folder, entrance
        self.sessions: dict[str, Session] = {}
        self.pool: Pool

    def app(self) -> Starlette:
        """Return the application."""
        session = "/sessions/{session}"
        return Starlette(
            routes=[
                Route("/", self.static),
                Route("/static/{name}", self.static),
                Route("/sessions", self.open_session, methods=["POST"]),
                Route(f"{session}/upload", self.upload, methods=["POST"]),
                Route(f"{session}/stop", self.stop, methods=["POST"]),
                Route(f"{session}/close", self.close_session, methods=["POST"]),
                Route(f"{session}/files/{{name}}", self.file),
                Route(f"{session}/{{task}}", self.run, methods=["POST"]),
            ],
            lifespan=self.living,
            exception_handlers={HTTPException: _refused},
        )

    @contextlib.asynccontextmanager
    async def living(self, _app: Starlette) -> AsyncIterator[None]:
        """Start the workers; in the end, end them."""
        self.pool = Pool(WORKERS)
        self.pool.start()
        try:
            yield
        finally:
            self.pool.close()

    async def static(self, request: Request) -> Response:
        """Return the page, or a file that it is made of."""
        name = request.path_params.get("name", "index.html")
        if name not in _assets():
            raise HTTPException(404, "there is no such file")
        self.entrance.unlink(missing_ok=True)
        return Response(_assets()[name], media_type=_KINDS[Path(name).suffix])

    async def open_session(self, _request: Request) -> Response:
        """Open a session for a tab."""
        for identity, session in list(self.sessions.items()):
            if time.monotonic() - session.touched > IDLE:
                self._close(identity)
        if len(self.sessions) >= SESSIONS:
            raise HTTPException(503, "too many tabs are open; close one of them")
        identity = secrets.token_urlsafe(16)
        self.sessions[identity] = Session(self.folder / identity)
        return JSONResponse({"session": identity, "given": Path(self.given).name or self.given})

    async def close_session(self, request: Request) -> Response:
        """Close the session of a tab that was closed."""
        self._close(request.path_params["session"])
        return Response(status_code=204)

    async def stop(self, request: Request) -> Response:
        """Stop what runs for a tab."""
        self._session(request).stop()
        return Response(status_code=204)

    async def upload(self, request: Request) -> Response:
        """Take a file: its content is the body, its name is in the address.

        It holds the data, unless it is a further file of a folder, or comes beside the data. What
        was sent before stays until all of it is there: data until it is loaded.
        """
        session, given = self._session(request), request.query_params
        parts = _path(given.get("folder", ""), given.get("name", ""))
        adding = given.get("adding", "")
        if adding == "beside" and parts[0] in session.taken():
            raise HTTPException(400, "the data has the same name; please rename one of them")
        if adding == "beside" and len(session.beside) >= TABLES:
            raise HTTPException(413, f"there are {TABLES} tables beside the data; open it again")
        if adding != "folder":
            clear(session.coming)
        elif not (len(parts) > 1 and (session.coming / parts[0]).is_dir()):
            raise HTTPException(400, "the first file of this folder is missing")
        present = [each for each in session.coming.rglob("*") if each.is_file()]
        if len(present) >= FILES:
            raise HTTPException(413, f"the folder has more than {FILES} files")
        target = session.coming.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            await _save(request, target, sum(each.stat().st_size for each in present))
        except FileExistsError:
            raise HTTPException(400, "there are two files of this name") from None
        except (HTTPException, ClientDisconnect):
            clear(session.coming)
            raise
        if adding == "beside":
            session.take(parts[0], beside=True)
        return JSONResponse({"name": parts[0]})

    async def run(self, request: Request) -> Response:
        """Run a task, and stream what it reports: a line of JSON for each message."""
        session, task = self._session(request), request.path_params["task"]
        if task not in _TASKS:
            raise HTTPException(404, f"there is no task {task!r}")
        given = await _json(request)
        if task == "load":
            source = self._source(session, given)
            given = {**given, "source": source, "beside": _beside(session, given)}
        if task in UPLOADED and given.get("name") not in os.listdir(session.uploads):
            raise HTTPException(400, "there is no such file")
        messages = session.run(self.pool, task, given)

        async def lines() -> AsyncIterator[bytes]:
            async with contextlib.aclosing(messages):
                async for message in messages:
                    yield json.dumps(_shown(message)).encode() + b"\n"

        return StreamingResponse(lines(), media_type="application/x-ndjson")

    async def file(self, request: Request) -> Response:
        """Return a file to take away, which a task has written."""
        session, name = self._session(request), request.path_params["name"]
        if name not in os.listdir(session.files):
            raise HTTPException(404, "there is no such file")
        return FileResponse(
            session.files / name, filename=name, media_type="application/octet-stream"
        )

    def _close(self, identity: str) -> None:
        session = self.sessions.pop(identity, None)
        if session is not None:
            session.close()

    def _session(self, request: Request) -> Session:
        session = self.sessions.get(request.path_params["session"])
        if session is None:
            raise HTTPException(410, "this page was left alone for long; reload it to go on")
        return session

    def _source(self, session: Session, given: dict[str, Any]) -> str:
        """Return the data to read: embedded, uploaded, or named on the command line."""
        kind, name = given.get("kind"), given.get("name")
        session.working = session.uploads
        if kind == "given" and self.given:
            given_file = Path(self.given)
            if given_file.suffix.lower() == ".zip" and given_file.is_file():
                # It may be a saved analysis, which is unpacked beside it.
                shutil.copy(given_file, session.uploads / given_file.name)
                return given_file.name
            session.working = Path(self.home)
            return self.given
        if not isinstance(name, str):
            raise HTTPException(400, "name the data")
        if kind == "file":
            if name in os.listdir(session.coming):
                session.take(name)
            if name not in os.listdir(session.uploads):
                raise HTTPException(400, "there is no such file")
            plain = name[0] not in "-" and "." in name  # so that it is not taken for embedded data
            return name if plain else f"./{name}"
        if kind == "embedded" and name.isidentifier():
            return name
        raise HTTPException(400, "there is no such data")


def _beside(session: Session, given: dict[str, Any]) -> dict[str, str]:
    """Return the tables beside the data by what they tell, as paths; they must be uploaded."""
    named = given.get("beside")
    found = {kind: name for kind, name in named.items() if name} if isinstance(named, dict) else {}
    if not all(isinstance(name, str) and name in session.beside for name in found.values()):
        raise HTTPException(400, "there is no such file")
    here = session.working == session.uploads
    return {kind: name if here else str(session.uploads / name) for kind, name in found.items()}


def _path(folder: str, name: str) -> list[str]:
    """Return the parts of the path of a file, within the folder of what is uploaded."""
    parts = [*(folder.split("/") if folder else ()), name]
    for part in parts:
        plain = part.isprintable() and not set(part) & set('/\\:*?"<>|') and part.strip(". ")
        if not plain or len(part.encode("utf-8", "replace")) > _LONGEST_NAME:
            raise HTTPException(400, "this is not the name of a file; please rename it")
    if len(parts) > FOLDERS + 1:
        raise HTTPException(400, "there are too many folders within each other")
    return parts


def upload_limit() -> int:
    """Return the size of the largest file that is taken, by the budget for reading files."""
    return share(_PER_BYTE)


async def _save(request: Request, target: Path, taken: int = 0) -> None:
    """Write what is sent to a file, as long as all files together are within the limit."""
    size, limit = taken, upload_limit()
    with open(target, "xb") as file:
        async for part in request.stream():
            size += len(part)
            if size > limit:
                words = f"this is larger than {size_words(limit)}"
                raise HTTPException(413, f"{words}; set {VARIABLE} to allow more")
            await asyncio.to_thread(file.write, part)


async def _json(request: Request) -> dict[str, Any]:
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > REQUEST:
            raise HTTPException(413, "the request is too large")
    try:
        found = json.loads(bytes(content) or b"{}")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise HTTPException(400, "expected a JSON object")
    return found


def _shown(message: Message) -> dict[str, Any]:
    content = message.shown if isinstance(message, Answer) else vars(message)
    return {type(message).__name__.lower(): dict(content)}


@cache
def _assets() -> dict[str, bytes]:
    """Return the files that the page is made of, read once."""
    static = files("caprese.app").joinpath("static")
    own = {each.name: each.read_bytes() for each in static.iterdir()}
    shared = files("caprese.report").joinpath("templates")
    script = shared.joinpath("report.js").read_bytes() + b"\nexport { enhance };\n"
    return own | {"report.css": shared.joinpath("report.css").read_bytes(), "report.js": script}


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"refusal": {"why": error.detail}}, error.status_code)


def serve(given: str, host: str, port: int, opened: Callable[[str, Path], None]) -> None:
    """Serve the page until a signal ends it.

    The host is `LOOPBACK`, this machine only, or within a container another address, whose port
    the machine publishes as one of its own. Port 0 is any that is free; the page opens the data
    that is given, unless it is empty. `opened` is called with the address in a browser of this
    machine, and with a file of this user alone that leads to it.
    """
    with socket.create_server((host, port)) as listening, private_folder() as folder:
        port = listening.getsockname()[1]
        token = secrets.token_urlsafe(24)
        address = f"http://{LOOPBACK}:{port}/{token}/"
        page = entrance(folder, address)
        config = uvicorn.Config(
            Guard(Site(given, folder, page).app(), token, port if host == LOOPBACK else None),
            log_level="critical",
            access_log=False,
            server_header=False,
            ws="none",
            lifespan="on",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        if hasattr(signal, "SIGHUP"):  # the terminal was closed
            signal.signal(signal.SIGHUP, server.handle_exit)
        opened(address, page)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
