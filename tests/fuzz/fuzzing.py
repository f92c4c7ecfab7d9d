"""Run readers on damaged files: each must refuse in one line, or give an answer that is usable.

``python -m fuzz.fuzzing --cases 100000`` tries that many files; ``make fuzz`` calls it. A failure
is stored in a folder and printed; add it to ``test_fuzz.py`` as a named case.
"""

import argparse
import random
import sys
import traceback
import warnings
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from caprese.errors import CapreseError
from fuzz.readers import READERS

_AT_ONCE = 500  # files of one reader, before the next has its turn
MEMORY = 6 * 2**30  # bytes of the process, beyond which the operating system refuses


class FindingError(AssertionError):
    """A damaged file that a reader did not handle."""


def check(reader, path):
    """Call a reader; return whether it gave an answer. Anything but an error in one line fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            reader.call(path)
    except CapreseError as error:
        message = str(error)
        if not message.strip() or "\n" in message or len(message) > 2000:
            raise FindingError(f"not one line: {message[:300]!r}") from error
        return False
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.lineno}"
        raise FindingError(f"{type(error).__name__} at {place}: {str(error)[:200]}") from error
    return True


def cases(name, number, seed):
    """Yield damaged files of a reader: the same ones for the same seed."""
    reader = READERS[name]
    contents = reader.seeds()
    for case in range(number):
        rng = random.Random(f"{name} {seed} {case}")
        yield case, reader.damage(rng.choice(contents), rng)


@contextmanager
def limited_memory(size=MEMORY):
    """Limit the memory of this process, where the operating system can."""
    try:
        import resource
    except ImportError:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


@dataclass
class Tally:
    """How many files each reader was given, answered, and failed on."""

    tried: Counter = field(default_factory=Counter)
    answered: Counter = field(default_factory=Counter)
    failed: Counter = field(default_factory=Counter)

    def lines(self):
        """One line for each reader, and the totals."""
        for name in self.tried:
            numbers = (count[name] for count in (self.tried, self.answered, self.failed))
            yield "{:18} {:8} files, {:8} read, {:6} failed".format(name, *numbers)
        yield f"{self.tried.total()} files, {self.failed.total()} failures"


def fuzz(name, number, seed, folder, tally):
    """Give a reader damaged files; yield each finding as its case, content and reason."""
    reader = READERS[name]
    path = Path(folder, reader.name)
    for case, content in cases(name, number, seed):
        path.write_bytes(content)
        tally.tried[name] += 1
        try:
            tally.answered[name] += check(reader, path)
        except FindingError as finding:
            tally.failed[name] += 1
            yield case, content, finding


def main():
    """Try every reader in turn, until all cases are done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000, help="files in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reader", choices=READERS, action="append", help="only this reader")
    parser.add_argument("--keep", type=Path, help="folder for the files that failed")
    parser.add_argument("--progress", type=Path, help="file for the numbers so far")
    given = parser.parse_args()
    names = given.reader or list(READERS)
    each = min(_AT_ONCE, -(-given.cases // len(names)))
    tally, kept = Tally(), set()
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # files that touch no disk
    with TemporaryDirectory(dir=memory) as folder, limited_memory():
        for seed in range(given.seed, given.seed + max(1, given.cases // (each * len(names)))):
            for name in names:
                for case, content, reason in fuzz(name, each, seed, folder, tally):
                    if (name, str(reason)[:60]) not in kept:
                        kept.add((name, str(reason)[:60]))
                        print(f"{name}, seed {seed}, case {case}: {reason}", flush=True)
                        keep(given.keep, f"{name}-{seed}-{case}", content)
            if given.progress is not None:
                given.progress.write_text("\n".join(tally.lines()))
    print("\n".join(tally.lines()))
    sys.exit(bool(tally.failed))


def keep(folder, name, content):
    """Store a file that failed."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name.replace(" ", "")).write_bytes(content)


if __name__ == "__main__":
    main()
