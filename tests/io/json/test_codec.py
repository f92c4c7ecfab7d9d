import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest

from caprese import FormatError, Noise
from caprese._core.arrays import FloatArray, NumberArray
from caprese.io.json.codec import decode, encode, text


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
    with pytest.raises(FormatError, match=r"example\.way: expected one of \('up', 'down'\), got 1"):
        decode(Example, {"way": 1, "noise": None, "flags": []}, "example")


def test_a_number_is_not_a_truth_value():
    with pytest.raises(FormatError, match=r"example\.flags\[0\]: expected bool, got 1"):
        decode(Example, {"way": "up", "noise": None, "flags": [1]}, "example")
    with pytest.raises(FormatError, match="expected int, got True"):
        decode(int, True, "samples")


def test_numbers_that_are_not_finite_are_kept_as_text():
    array = np.array([[math.inf, -math.inf], [math.nan, 1.5]])
    assert encode(array) == [["Infinity", "-Infinity"], ["NaN", 1.5]]
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
