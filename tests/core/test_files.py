"""Text files: read line by line, replaced only when they are complete."""

import os
import re
import stat

import pytest

from caprese._core.files import (
    all_or_none,
    format_error,
    replace_file,
    replacing,
    shown,
    text_lines,
)
from caprese.errors import FormatError


def test_quoted_text_is_on_one_line_and_not_too_long():
    assert shown("8q+\n") == r"'8q+\n'"
    assert shown("long" * 100) == "'longlonglonglonglong…onglonglonglonglong'"


def test_an_error_names_the_place_as_far_as_it_is_known():
    assert str(format_error("data.csv", "odd")) == "data.csv: odd"
    full = format_error("data.csv", "odd", line=5, column=3, name="5q-")
    assert str(full) == "data.csv, line 5, column 3 ('5q-'): odd"


def test_lines_are_read_with_their_line_ends(tmp_path):
    (tmp_path / "data.csv").write_bytes(b"8q+,Xp-\r\n1,0\n0,1")
    assert list(text_lines(tmp_path / "data.csv")) == ["8q+,Xp-\r\n", "1,0\n", "0,1"]


def test_the_existing_file_is_unchanged_if_writing_fails(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("old")

    def interrupted():
        with replacing(path) as file:
            file.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["data.csv"]


def test_no_file_exists_before_it_is_complete(tmp_path):
    path = tmp_path / "data.csv"
    with replacing(path) as file:
        file.write("whole")
        assert not path.exists()
    assert path.read_text() == "whole"
    assert os.listdir(tmp_path) == ["data.csv"]


def test_text_is_utf_8_with_line_ends_as_written(tmp_path):
    with replacing(tmp_path / "data.csv") as file:
        file.write("å\r\n\n")
    assert (tmp_path / "data.csv").read_bytes() == b"\xc3\xa5\r\n\n"


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "usual").touch()
    with replacing(tmp_path / "new") as file:
        file.write("x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_private_file_stays_private(tmp_path):
    path = tmp_path / "data.csv"
    path.touch()
    path.chmod(0o600)
    with replacing(path) as file:
        file.write("x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    link, real = tmp_path / "link.csv", tmp_path / "real" / "data.csv"
    link.symlink_to(real)
    for text in ("first", "second"):
        with replacing(link) as file:
            file.write(text)
        assert link.is_symlink()
        assert real.read_text() == text


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with replacing(pipe) as file:
            file.write("x")
        assert os.read(reading, 10) == b"x"
    finally:
        os.close(reading)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("missing", ["nowhere/data.csv", "file/data.csv"])
def test_a_missing_folder_is_named(tmp_path, missing):
    (tmp_path / "file").touch()
    path = tmp_path / missing
    why = re.escape(f"{path}: there is no folder {path.parent}")
    with pytest.raises(FormatError, match=why), replacing(path):
        pass


def test_several_files_are_written_all_or_none(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("before")
    with pytest.raises(OSError, match="No space"), all_or_none():  # noqa: PT012
        replace_file(first, "after")
        replace_file("/dev/full", "new")
    assert first.read_text() == "before"
    with all_or_none():
        replace_file(first, "after")
        replace_file(second, "new")
        assert first.read_text() == "before"
    assert (first.read_text(), second.read_text()) == ("after", "new")
    assert sorted(tmp_path.iterdir()) == [first, second]


def test_a_directory_is_not_replaced(tmp_path):
    with pytest.raises(IsADirectoryError), replacing(tmp_path):
        pass
