import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest

from caprese import FormatError, Noise
from caprese._core.arrays import FloatArray, NumberArray
from caprese.io.json import codec
from caprese.io.json.codec import decode, encode, packed_array, text


@dataclass(frozen=True)
class Example:
    way: Literal["up", "down"]
    noise: Noise | None
    flags: tuple[bool, ...]


def test_a_nested_value_is_read_back_equal():
    value = Example("up", Noise(0.1, 0.2), (True, False))
    assert decode(Example, encode(value), "example") == value


def test_a_union_takes_the_first_kind_that_fits():
    assert decode(Example, encode(Example("down", None, ())), "example").noise is None


def test_a_union_that_fits_no_kind_names_the_first_kind():
    with pytest.raises(FormatError, match=r"example\.noise: expected dict, got 3"):
        decode(Example, {"way": "up", "noise": 3, "flags": []}, "example")


def test_a_literal_is_one_of_its_words():
    with pytest.raises(FormatError, match=r"example\.way: expected one of up, down, got 1"):
        decode(Example, {"way": 1, "noise": None, "flags": []}, "example")


def test_a_number_is_not_a_truth_value():
    with pytest.raises(FormatError, match=r"example\.flags\[0\]: expected bool, got 1"):
        decode(Example, {"way": "up", "noise": None, "flags": [1]}, "example")
    with pytest.raises(FormatError, match="expected int, got True"):
        decode(int, True, "samples")


def test_infinite_numbers_are_kept_as_text_and_undefined_ones_as_null():
    array = np.array([[math.inf, -math.inf], [math.nan, 1.5]])
    assert encode(array) == [["Infinity", "-Infinity"], [None, 1.5]]
    np.testing.assert_array_equal(decode(FloatArray, encode(array), "array"), array)
    assert decode(float, "-Infinity", "number") == -math.inf


@pytest.mark.parametrize("values", [[[1, 2], [3, 4]], [[1.0, 2.0], [3.0, 4.5]]])
def test_whole_numbers_stay_whole_and_others_do_not_become_so(values):
    array = np.array(values)
    back = decode(NumberArray, encode(array), "array")
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)


def test_the_text_has_a_matrix_row_on_each_line():
    assert text({"a": [[1, 2], [3, 4]], "b": {}}) == (
        '{\n  "a": [\n    [1, 2],\n    [3, 4]\n  ],\n  "b": {}\n}'
    )


class TestPackedArrays:
    @pytest.mark.parametrize(
        "array",
        [
            np.arange(6).reshape(2, 3),
            np.array([[True, False]]),
            np.array([0.1, math.nan, -math.inf]),
            np.broadcast_to(np.int64(7), (2, 2)),
            np.arange(6.0).reshape(2, 3).T,
        ],
    )
    def test_large_ones_are_packed_and_read_back_equal(self, array, monkeypatch):
        written_out = encode(array)
        monkeypatch.setattr(codec, "_MOST_WRITTEN", 0)
        assert set(encode(array)) == {"type", "shape", "packed"}
        found = decode(NumberArray, encode(array), "a")
        np.testing.assert_array_equal(found, array)
        np.testing.assert_array_equal(found, decode(NumberArray, written_out, "a"))
        assert found.dtype == array.dtype

    def test_small_ones_are_written_out(self):
        assert encode(np.arange(3)) == [0, 1, 2]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"type": "object"}, r"a: expected numbers, got 'object' of \(2, 3\)"),
            ({"shape": [-1, 6]}, r"a: expected numbers, got 'int64' of \(-1, 6\)"),
            ({"shape": [2, 4]}, "a: expected 64 bytes of numbers, got another number"),
            ({"shape": [2, 2]}, "a: expected 32 bytes of numbers, got another number"),
            (
                {"shape": [2**20, 2**20]},
                "a: 8.19e.03 GiB of numbers; this would take more than 4 G",
            ),
            ({"shape": "x"}, r"a\.shape: expected list, got 'x'"),
            ({"packed": None}, r"a\.packed: expected str, got None"),
            ({"packed": "*"}, "a: the packed numbers are damaged"),
            ({"packed": "AAAA"}, "a: the packed numbers are damaged"),
        ],
    )
    def test_damaged_ones_are_refused(self, change, message):
        content = packed_array(np.arange(6).reshape(2, 3)) | change
        with pytest.raises(FormatError, match=message):
            decode(NumberArray, content, "a")

    def test_what_is_packed_does_not_become_more_than_it_says(self):
        bomb = packed_array(np.zeros(10**7, dtype=np.int64)) | {"shape": [3]}
        with pytest.raises(FormatError, match="a: expected 24 bytes of numbers"):
            decode(NumberArray, bomb, "a")
