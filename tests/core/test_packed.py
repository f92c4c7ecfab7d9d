import bz2
import gzip
import io
import lzma
import sys

import pytest

from caprese._core.budget import budget
from caprese._core.files import text_lines, unpacked, unpacked_bytes
from caprese.errors import CapreseError, FormatError
from caprese.io.data import tables


def read_table(path, **options):
    return tables.read_table(path, **options).data


pytestmark = pytest.mark.slow

TABLE = b"sample,a,b\np,1,0\nq,0,1\n"


@pytest.fixture
def stored(tmp_path):
    def store(content, name="data.csv.gz"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return store


def test_a_packed_table_reads_like_a_plain_one(stored):
    plain, small = stored(TABLE, "data.csv"), stored(gzip.compress(TABLE))
    assert read_table(small) == read_table(plain)


def test_the_first_bytes_decide_and_not_the_name(stored):
    assert read_table(stored(gzip.compress(TABLE), "data.csv")).events == ("a", "b")
    assert read_table(stored(TABLE, "data.csv.gz")).events == ("a", "b")


def test_concatenated_gzip_files_are_one_file(stored):
    path = stored(gzip.compress(TABLE) + gzip.compress(b"r,1,1\n"))
    assert read_table(path).samples == ("p", "q", "r")


def test_a_byte_order_mark_and_windows_line_ends_inside(stored):
    path = stored(gzip.compress(b"\xef\xbb\xbf" + TABLE.replace(b"\n", b"\r\n")))
    assert read_table(path).samples == ("p", "q")


def test_standard_input_is_unpacked_and_left_open(monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(gzip.compress(TABLE)))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert read_table("-").events == ("a", "b")
    assert not stdin.buffer.closed


def test_a_stream_that_can_be_peeked_at_is_not_copied():
    source = io.BufferedReader(io.BytesIO(TABLE))
    assert unpacked(source) is source


def test_whole_files_are_unpacked_too(stored):
    assert unpacked_bytes(stored(gzip.compress(b"RDX3\n"))) == b"RDX3\n"


def refusal(path):
    with pytest.raises(FormatError) as caught:
        list(text_lines(path))
    return str(caught.value).removeprefix(str(path))


def test_a_truncated_file(stored):
    path = stored(gzip.compress(TABLE * 1000)[:-20])
    assert refusal(path) == ": this gzip file is truncated; was a download interrupted?"


def test_a_damaged_file(stored):
    content = bytearray(gzip.compress(TABLE * 1000))
    content[-8] ^= 0xFF  # in the checksum
    assert refusal(stored(bytes(content))).startswith(": this gzip file is damaged (")


def test_something_else_after_the_end(stored):
    path = stored(gzip.compress(TABLE) + b"tail")
    assert refusal(path).startswith(": this gzip file is damaged (")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
class TestEachPacker:
    def test_a_table_is_unpacked(self, stored, pack):
        assert read_table(stored(pack(TABLE) + pack(b"r,1,1\n"))).samples == ("p", "q", "r")

    def test_a_truncated_file(self, stored, pack):
        assert "file is truncated" in refusal(stored(pack(TABLE * 1000)[:-20]))

    def test_a_large_file_is_refused_at_the_budget(self, stored, pack, monkeypatch):
        path = stored(pack(b"a\n" * 2_000_000))
        assert len(list(text_lines(path))) == 2_000_000
        monkeypatch.setenv("CAPRESE_MEMORY", "1M")
        limit = "more than 1 MiB of memory, the limit that CAPRESE_MEMORY sets"
        assert refusal(path).endswith(limit)


@pytest.mark.parametrize("size", ["0", "4 apples", "-1", "1e3"])
def test_a_budget_that_is_no_size(stored, monkeypatch, size):
    monkeypatch.setenv("CAPRESE_MEMORY", size)
    rule = "CAPRESE_MEMORY must be a size such as 4G or 500M, got "
    with pytest.raises(CapreseError, match=rule + repr(size)):
        read_table(stored(gzip.compress(TABLE)))


@pytest.mark.parametrize(
    ("size", "number"), [("", 4 * 2**30), ("7", 7), ("2k", 2048), ("3 GiB", 3 * 2**30)]
)
def test_the_budget_in_bytes(monkeypatch, size, number):
    monkeypatch.setenv("CAPRESE_MEMORY", size)
    assert budget() == number


def test_a_small_file_may_have_a_high_compression_ratio(stored):
    text = b"a\n" + b"1\n" * 400_000
    path = stored(gzip.compress(text, compresslevel=9))
    assert path.stat().st_size * 500 < len(text)
    assert sum(1 for _ in text_lines(path)) == 400_001
