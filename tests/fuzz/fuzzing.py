"""Run readers on damaged files: each must refuse in one line, or give an answer that is usable.

``python -m fuzz.fuzzing --cases 100000`` tries that many files; ``make fuzz`` calls it. A failure
is stored in a folder and printed; add it to ``test_fuzz.py`` as a named case.
"""

import argparse
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from caprese.errors import CapreseError
from fuzz.readers import READERS

MEMORY = 6 * 2**30  # bytes of the process, beyond which the operating system refuses


class Finding(AssertionError):
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
            raise Finding(f"not one line: {message[:300]!r}") from error
        return False
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.lineno}"
        raise Finding(f"{type(error).__name__} at {place}: {str(error)[:200]}") from error
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


def fuzz(name, number, seed, folder):
    """Yield each finding of a reader as its case, content and reason; count the answers."""
    reader = READERS[name]
    path = Path(folder, reader.name)
    answers = 0
    for case, content in cases(name, number, seed):
        path.write_bytes(content)
        try:
            answers += check(reader, path)
        except Finding as finding:
            yield case, content, finding
    yield number, None, answers


def main():
    """Try every reader in turn, until all cases are done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000, help="files in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reader", choices=READERS, action="append", help="only this reader")
    parser.add_argument("--keep", type=Path, help="folder for the files that failed")
    given = parser.parse_args()
    names = given.reader or list(READERS)
    tried, answered, failed = Counter(), Counter(), Counter()
    kept = set()
    rounds = max(1, given.cases // (500 * len(names)))
    start = time.monotonic()
    with TemporaryDirectory() as folder, limited_memory():
        for turn in range(rounds):
            for name in names:
                each = min(500, -(-given.cases // len(names)))
                for case, content, reason in fuzz(name, each, given.seed + turn, folder):
                    if content is None:
                        tried[name] += case
                        answered[name] += reason
                        continue
                    failed[name] += 1
                    signature = (name, str(reason)[:60])
                    if signature not in kept:
                        kept.add(signature)
                        print(f"{name}, seed {given.seed + turn}, case {case}: {reason}", flush=True)
                        if given.keep is not None:
                            given.keep.mkdir(parents=True, exist_ok=True)
                            stem = f"{name.replace(' ', '')}-{given.seed + turn}-{case}"
                            (given.keep / stem).write_bytes(content)
    for name in names:
        print(f"{name:18} {tried[name]:8} files, {answered[name]:8} read, {failed[name]:6} failed")
    seconds = time.monotonic() - start
    print(f"{tried.total()} files in {seconds:.0f} s, {failed.total()} failures")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
