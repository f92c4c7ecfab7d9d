"""Tables of a million samples: written quickly, read and fitted in a process of their own."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

_CELLS_AT_ONCE = 20_000_000
_NAME = 8  # characters of the name of a sample
_MEASURED = """
import json, resource, sys
from pathlib import Path
{code}
used = resource.getrusage(resource.RUSAGE_SELF)
peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
status = Path("/proc/self/status")
if status.exists():  # ru_maxrss begins with that of the process that started this one
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    peak = 1024 * int(line.split()[1])
print(json.dumps([used.ru_utime + used.ru_stime, peak]), file=sys.stderr)
"""


def write_csv(path: Path, samples: int, events: int, *, seed: int = 1) -> None:
    """Write a table in which four of five events follow another one, a third of their number."""
    rng = np.random.default_rng(seed)
    rates = rng.uniform(0.3, 0.8, events)
    step = max(1, _CELLS_AT_ONCE // events)
    with path.open("wb") as file:
        file.write(bytes(",".join(("sample", *(f"E{k}" for k in range(events)))) + "\n", "ascii"))
        for start in range(0, samples, step):
            rows = min(samples, start + step) - start
            present = rng.random((rows, events), dtype=np.float32) < rates
            for event in (k for k in range(1, events) if k % 5):
                present[:, event] &= present[:, (event - 1) // 3]
            names = np.array([b"S%07d" % k for k in range(start, start + rows)])
            text = np.full((rows, _NAME + 1 + 2 * events), ord(","), dtype=np.uint8)
            text[:, :_NAME] = names.view(np.uint8).reshape(rows, _NAME)
            text[:, _NAME + 1 :: 2] = present + ord("0")
            text[:, -1] = ord("\n")
            file.write(text.tobytes())


def measured(code: str) -> str:
    """Return code whose last line on standard error is its seconds, and its peak in bytes."""
    return _MEASURED.format(code=code)


def in_new_process(code: str, *arguments: str) -> tuple[float, float]:
    """Return the seconds of the processor and the peak of memory, in GB, of a new process."""
    command = [sys.executable, "-c", measured(code), *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, peak = json.loads(ended.stderr.splitlines()[-1])
    return seconds, peak / 1e9


READ = "from caprese import read_dataset; read_dataset(sys.argv[1])"
FIT = "from caprese.cli import main; main(['fit', sys.argv[1]])"
