"""Kernels: what one calls is compiled as a part of it; compiling is reported."""

import gc
import signal

import numpy as np
import pytest
from numba import njit
from numba.core import event
from numba.core.errors import NumbaError

from caprese._core.progress import COMPILING, listening, silent
from caprese.kernels import arrays, compiling
from caprese.kernels.compiling import inlined, kernel


def compiled_here(function):
    """Return a kernel that is compiled in every process, as these tests look at how."""
    found = kernel(function)
    found.__dict__["_called_by_python"] = njit(function)
    return found


@inlined
def _double(value):
    return 2 * value


@compiled_here
def _power(value, times):
    result = 1.0
    for _ in range(times):
        result *= value
    return result


@compiled_here
def _powers(values):
    result = np.empty(len(values))
    for k in range(len(values)):
        result[k] = _power(values[k], 3) + _power(_double(values[k]), 2)
    return result


@compiled_here
def _factorial(number):
    return 1 if number < 2 else number * _factorial(number - 1)


@compiled_here
def _ways(number, chosen):
    return _factorial(number) // (_factorial(chosen) * _factorial(number - chosen))


def test_a_kernel_is_the_same_called_by_python_and_by_a_kernel():
    values = np.array([1.0, 2.0, 0.5])
    expected = [_power(value, 3) + _power(2 * value, 2) for value in values]
    assert _powers(values).tolist() == expected == [5.0, 24.0, 1.125]


def test_a_kernel_is_not_compiled_anew_for_each_constant():
    _powers(np.ones(2))
    assert len(_power._called_by_kernels.overloads) == 1


def test_a_part_of_a_kernel_has_no_machine_code_of_its_own():
    _powers(np.ones(2))
    (part,) = _power._called_by_kernels.overloads.values()
    name = part.fndesc.llvm_func_name
    assert part.library.get_pointer_to_function(name) == 0


def test_a_kernel_that_another_one_calls_may_call_itself():
    assert _ways(10, 3) == 120


def test_with_another_release_of_numba_kernels_are_compiled_in_its_own_way(monkeypatch):
    monkeypatch.setattr(compiling, "INSIDE_IS_KNOWN", False)

    @compiled_here
    def half(value):
        return value / 2

    @compiled_here
    def halves(values):
        result = np.empty(len(values))
        for k in range(len(values)):
            result[k] = half(values[k])
        return result

    assert halves(np.array([1.0, 3.0])).tolist() == [0.5, 1.5]
    assert "_called_by_kernels" not in half.__dict__
    (whole,) = half._called_by_python.overloads.values()
    assert whole.library.get_pointer_to_function(whole.fndesc.llvm_func_name) != 0


def test_a_kernel_that_borrows_arrays_may_write_to_them_but_creates_none():
    def doubled(values, out):
        for k in range(len(values)):
            out[k:][0] = 2 * values[k]

    def created(number):
        return np.empty(number)

    options = kernel(doubled, borrows=True).options
    borrowing, creating = njit(doubled, **options), njit(created, **options)
    out = np.zeros(3)
    borrowing(np.arange(3.0), out)
    assert out.tolist() == [0.0, 2.0, 4.0]
    with pytest.raises(NumbaError, match="returning of array"):
        creating(3)


@kernel
def total_of_a_copy(values):
    copy = np.empty(len(values), dtype=np.float32)
    for k in range(len(values)):
        copy[k] = values[k]
    return copy.sum()


@kernel(borrows=True)
def borrowed_total(values):
    return total_of_a_copy(values)


@kernel
def total(values):
    return borrowed_total(values)


def test_a_kernel_that_borrows_arrays_may_call_one_that_creates_some():
    assert total(np.arange(4.0)) == 6.0


@kernel(borrows=True)
def given_back(values):
    return values


@kernel
def first_given_back(values):
    return given_back(values)[0]


def test_a_kernel_that_borrows_arrays_gives_none_back():
    with pytest.raises(TypeError, match="given_back borrows arrays, and cannot return one"):
        first_given_back(np.ones(1))


@kernel
def sum_in_order(values):
    total = 0.0
    for k in range(len(values)):
        total += values[k]
    return total


@kernel(fastmath={"reassoc", "contract", "nsz"})
def sums_in_any_order_and_in_order(values):
    total = 0.0
    for k in range(len(values)):
        total += values[k]
    return total, sum_in_order(values)


def test_a_kernel_sums_in_order_although_the_first_to_call_it_need_not():
    values = np.ones(64)
    values[0], values[-1] = 1e16, -1e16  # in order, each 1 is lost
    in_any_order, in_order = sums_in_any_order_and_in_order(values)
    assert in_any_order > 0.0  # else this test says nothing
    assert in_order == 0.0


def test_a_kernel_has_the_name_and_the_text_of_its_function():
    assert arrays.ones.__name__ == "ones"
    assert arrays.ones.__doc__ == "Return an array of ones."


@pytest.fixture
def fresh():
    """Return a function that was never compiled."""

    @compiled_here
    def answer(value):
        return value + 42

    return answer


class Interrupting(event.Listener):
    """Ctrl-C as soon as something is compiled."""

    def on_start(self, event):  # noqa: ARG002
        signal.raise_signal(signal.SIGINT)

    def on_end(self, event):
        pass


@pytest.fixture
def within(fresh):
    """Return a kernel that calls another one which was never compiled."""

    @compiled_here
    def answer(value):
        return fresh(value)

    return answer


def test_an_interruption_waits_until_compiling_can_be_left(fresh, within):
    before = signal.getsignal(signal.SIGINT)
    for answer in (fresh, within):
        with (
            event.install_listener("numba:compile", Interrupting()),
            pytest.raises(KeyboardInterrupt),
        ):
            answer(1)
        assert signal.getsignal(signal.SIGINT) is before
        assert compiling._watch.depth == 0
        assert answer(1) == 43


def test_compiling_is_reported_after_a_second(fresh, monkeypatch):
    monkeypatch.setattr(compiling, "_PATIENCE", -1.0)
    heard = []
    with listening(lambda *report: heard.append(report)), silent():
        before = compiling.seconds_of_compiling()
        assert fresh(1) == 43
    assert {(what, total) for what, _, total in heard} == {(COMPILING, 0)}
    assert compiling.seconds_of_compiling() > before
    assert not compiling._watch.is_slow()


def test_compiling_in_less_than_a_second_is_not_reported(fresh, monkeypatch):
    monkeypatch.setattr(compiling, "_PATIENCE", 1e9)
    heard = []
    with listening(lambda *report: heard.append(report)):
        fresh(1)
    assert heard == []


@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_is_collected_afterwards_only_if_it_was_before(fresh, collecting):
    was = gc.isenabled()
    try:
        (gc.enable if collecting else gc.disable)()
        fresh(1.0)
        assert gc.isenabled() == collecting
    finally:
        (gc.enable if was else gc.disable)()


def test_work_that_is_cancelled_while_it_is_compiled_can_be_done_again(fresh, monkeypatch):
    def cancel(_what, _done, _total):
        raise InterruptedError

    with monkeypatch.context() as impatient, listening(cancel):
        impatient.setattr(compiling, "_PATIENCE", -1.0)
        with pytest.raises(InterruptedError):
            fresh(1)
    assert not compiling._watch.is_slow()
    assert fresh(1) == 43


class TestArrays:
    def test_fills_copies_and_sums(self):
        rng = np.random.default_rng(1)
        values = rng.normal(size=7)
        assert arrays.ones(3).tolist() == [1.0, 1.0, 1.0]
        target = np.zeros(9)
        arrays.fill(target, 2.5)
        assert (target == 2.5).all()
        arrays.copy_into(target, values)
        assert (target[:7] == values).all()
        assert (target[7:] == 2.5).all()
        arrays.add_to(target[:7], values)
        assert (target[:7] == 2 * values).all()
        matrix = np.zeros((2, 7))
        arrays.copy_rows(matrix, np.array([values, -values]))
        assert (matrix == [values, -values]).all()
        assert arrays.sum_of(values) == sum(values.tolist())
        assert np.isclose(arrays.norm(values), np.linalg.norm(values))
        assert (arrays.chosen(values, np.array([6, 0, 3])) == values[[6, 0, 3]]).all()
