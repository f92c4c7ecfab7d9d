"""Parameters are refused by name, with the rule and the value."""

import math
import pickle

import numpy as np
import pytest

from caprese._core.checks import number, one_of, whole
from caprese.errors import DatasetError, ParameterError, Remedy


@pytest.mark.parametrize("value", [2.5, True, "3", None, math.nan, 1])
def test_what_is_no_whole_number_of_at_least_two(value: object) -> None:
    with pytest.raises(ParameterError, match="folds must be a whole number of at least 2, got"):
        whole("folds", value, 2)


def test_a_whole_number_out_of_its_range() -> None:
    with pytest.raises(ParameterError, match="top must be a whole number from 1 to 9, got 10"):
        whole("top", 10, 1, 9)
    with pytest.raises(
        ParameterError, match="draws must be at most 1,000,000,000, got 10000000000"
    ):
        whole("draws", 10**10)


def test_numbers_of_numpy_are_numbers() -> None:
    assert whole("folds", np.int64(3), 2) == 3
    assert number("level", np.float32(0.5), 0, 1) == 0.5


@pytest.mark.parametrize("value", [math.nan, True, "0.5", None, -0.1, 1.1])
def test_what_is_no_number_from_zero_to_one(value: object) -> None:
    with pytest.raises(ParameterError, match=r"level must be in \[0, 1\], got"):
        number("level", value, 0, 1)


def test_numbers_with_one_bound_or_none() -> None:
    with pytest.raises(ParameterError, match="rate must be a number of at least 0, got -1"):
        number("rate", -1, 0)
    with pytest.raises(ParameterError, match="gain must be a number, got nan"):
        number("gain", math.nan)
    with pytest.raises(ParameterError, match="gain must be a number of at most 2, got 3"):
        number("gain", 3, high=2)


def test_one_of_several_words() -> None:
    assert one_of("kind", "a", ("a", "b")) == "a"
    for value in ("c", 1, None, ["a"]):
        with pytest.raises(ParameterError, match="kind must be one of a, b, got"):
            one_of("kind", value, ("a", "b"))


def test_errors_travel_between_processes() -> None:
    remedy = Remedy("keep_constant", True, "keeps events that do not vary")
    for error in (
        ParameterError("folds", "a number", "x", remedy=remedy),
        DatasetError("no event is left", remedy=remedy),
    ):
        copy = pickle.loads(pickle.dumps(error))
        assert str(copy) == str(error)
        assert copy.message(lambda name, _: f"--{name}").endswith(
            "; --keep_constant keeps events that do not vary"
        )
