"""Who may talk to the page: this machine, with the token, from the page itself."""

import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
"""The address at which a machine reaches itself."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Let requests through that name this machine, know the token, and come from the page.

    The name of the host is checked against DNS rebinding, by which another site could make a
    browser take its name for this machine. Without a port any is right: that of a container may be
    published as another one. What changes anything must come from the page itself. The token is
    the first segment of every address; what is guarded sees addresses without it.
    """

    def __init__(self, app: ASGIApp, token: str, port: int | None) -> None:
        self.app, self.token = app, token.encode()
        self.port = "" if port is None else str(port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # no websockets
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await PlainTextResponse(refusal[1], refusal[0], HEADERS)(scope, receive, send)
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        root = "/" + self.token.decode()
        if scope["path"] == root:  # addresses in the page are relative to the folder
            await RedirectResponse(f"{root}/", 307, HEADERS)(scope, receive, send)
            return
        inner = dict(scope, path=scope["path"].removeprefix(root) or "/", root_path="")
        await self.app(inner, receive, sealed)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        hosts = [host.lower() for host in headers.getlist("host")]
        if len(hosts) != 1 or not self._is_this_machine(hosts[0]):
            return 421, "this page is served to this machine only"
        token, _, _ = scope["path"].removeprefix("/").partition("/")
        if not secrets.compare_digest(token.encode("utf-8", "surrogateescape"), self.token):
            return 404, "not found: use the whole address that caprese app printed"
        origin = headers.get("origin")
        if origin is None and scope["method"] in ("GET", "HEAD"):
            return None
        if origin != f"http://{hosts[0]}":
            return 403, "this request does not come from the page"
        return None

    def _is_this_machine(self, host: str) -> bool:
        name, _, port = host.partition(":")
        return name in (LOOPBACK, "localhost") and port == (self.port or port)
