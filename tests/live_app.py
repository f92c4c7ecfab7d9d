"""The live page as a process of its own, and requests to it without a browser."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

START = "from caprese.cli import main; main()"


class LiveApp:
    """A running `caprese app`."""

    def __init__(self, process, address):
        self.process, self.address = process, address
        parts = urlsplit(address)
        self.port, self.token = parts.port, parts.path.strip("/")

    def ask(self, method, path, body=None, *, root=None, **headers):
        """Return status, headers and content; with the headers of the page unless told."""
        sent = {"Host": f"127.0.0.1:{self.port}", "Origin": f"http://127.0.0.1:{self.port}"}
        sent |= {name.title(): value for name, value in headers.items()}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        address = f"/{self.token if root is None else root}{path}"
        connection.putrequest(method, address, skip_host=True)
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        content = body.encode() if isinstance(body, str) else body or b""
        connection.putheader("Content-Length", str(len(content)))
        connection.endheaders(content)
        response = connection.getresponse()
        found = response.status, dict(response.getheaders()), response.read()
        connection.close()
        return found

    def session(self):
        """Open a session."""
        _, _, content = self.ask("POST", "/sessions")
        return Session(self, json.loads(content)["session"])

    def children(self):
        """Return the processes of the workers."""
        path = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        found = []
        for each in Path(f"/proc/{self.process.pid}/task").iterdir():
            found += (each / "children").read_text().split()
        assert path
        return [int(each) for each in found]


class Session:
    """A tab, without a browser."""

    def __init__(self, app, identity):
        self.app, self.path = app, f"/sessions/{identity}"

    def upload(self, name, content, **more):
        query = urlencode({"name": name, **more}, quote_via=quote)
        return self.app.ask("POST", f"{self.path}/upload?{query}", content)

    def messages(self, task, **given):
        _, _, content = self.app.ask("POST", f"{self.path}/{task}", json.dumps(given))
        return [json.loads(line) for line in content.splitlines()]

    def run(self, task, **given):
        """Return the answer, or the reason that there is none."""
        (last,) = self.messages(task, **given)[-1].values()
        return last

    def open(self, name, content):
        """Upload a file and read it."""
        assert self.upload(name, content)[0] == 200
        return self.run("load", kind="file", name=name)

    def file(self, name):
        """Return a file to take away."""
        assert self.run("download", name=name) == {"file": name}
        status, _, content = self.app.ask("GET", f"{self.path}/files/{name}")
        assert status == 200
        return content


@contextmanager
def serving(folder, *arguments, browser=False, **environment):
    """Run `caprese app` in a folder, and end it."""
    opening = [] if browser else ["--no-browser"]
    environment |= {"TMPDIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", START, "app", *opening, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=os.environ | environment,
    )
    try:
        yield LiveApp(process, process.stdout.readline().strip())
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stdout.close()
        process.stderr.close()
