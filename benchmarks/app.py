"""How quick the live page is: from a dropped file to its tree, and many requests at once.

Run `python benchmarks/app.py`; it needs the extra `app`, and takes about a minute. The file is sent
over HTTP as the page sends it; what the browser needs to draw comes on top. Each should take less
than a second.
"""

import json
import statistics
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from caprese import datasets, write_dataset
from live_app import serving

TIMES = 7
AT_ONCE = 50
LOADS = 10
FILES = ("/", *(f"/static/{name}" for name in ("report.css", "app.css", "report.js", "app.js")))


def main() -> None:
    """Print the times."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ovarian.csv")
        write_dataset(datasets.ovarian(), path)
        table = path.read_text()
        began = time.perf_counter()
        with serving(folder) as app:
            desk = app.desk()
            desk.run("start")
            show("from the command to the first page", [time.perf_counter() - began])
            show("from drop to tree, the first", [dropped(desk, table)])
            time.sleep(10)  # until the other workers are ready
            measure(app, desk, table)
            for method in ("caprese", "likelihood"):  # one with threads, one with processes
                with bootstrapping(app, table, method):
                    print(f"while a bootstrap of {method} runs")
                    measure(app, desk, table)


def measure(app, desk, table: str) -> None:
    """Print how long it takes to open a file, to answer many requests, and to load many pages."""
    show("from drop to tree", [dropped(desk, table) for _ in range(TIMES)])
    show(f"{AT_ONCE} requests at once", [requests(app, desk) for _ in range(TIMES)])
    show(f"{LOADS} page loads at once", [loads(app) for _ in range(TIMES)])


@contextmanager
def bootstrapping(app, table: str, method: str):
    """Run a bootstrap of many replicates in another tab."""
    desk = app.desk()
    dropped(desk, table, method)
    many = {"replicates": 10_000_000, "seed": 1}
    running = threading.Thread(target=desk.messages, args=("bootstrap",), kwargs=many)
    running.start()
    time.sleep(2)
    yield
    assert running.is_alive()
    app.ask("POST", f"{desk.path}/stop")
    running.join()


def show(what: str, seconds: list[float]) -> None:
    """Print the median of several times, and the longest."""
    usual, longest = statistics.median(seconds), max(seconds)
    print(f"{what:<36} {usual:6.2f} s, at most {longest:.2f} s", flush=True)


def dropped(desk, table: str, method: str = "caprese") -> float:
    """Return how long it takes to send a file, to read it and to fit it."""
    began = time.perf_counter()
    desk.open("ovarian.csv", table)
    assert "tree" in desk.run("fit", method={"name": method}, other=None)["fragments"]
    return time.perf_counter() - began


def requests(app, desk) -> float:
    """Return how long it takes until all are answered: half of them pages, half of them events."""

    def ask(number: int) -> None:
        if number % 2:
            assert app.ask("GET", "/")[0] == 200
        else:
            assert "fragments" in desk.run("event", event=number % 7)

    return at_once(ask, AT_ONCE)


def loads(app) -> float:
    """Return how long it takes until all pages are there with their forms."""

    def load(_number: int) -> None:
        for name in FILES:
            assert app.ask("GET", name)[0] == 200
        desk = app.desk()
        assert "fragments" in desk.run("start")
        app.ask("POST", f"{desk.path}/close")

    return at_once(load, LOADS)


def at_once(work, times: int) -> float:
    """Return how long it takes to do something many times at once."""
    failures: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except (AssertionError, OSError, json.JSONDecodeError) as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(times)]
    began = time.perf_counter()
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    if failures:
        raise failures[0]
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
