"""Several threads, results in the order of the work."""

from __future__ import annotations

import itertools
import random
import threading
import time

import pytest

from cranfield.kit.parallel import ordered_map


def slowly(n: int) -> int:
    time.sleep(random.random() / 500)
    return n * n


@pytest.mark.parametrize("threads", [0, 1, 2, 3, 8])
@pytest.mark.parametrize("n", [0, 1, 2, 50])
def test_results_come_in_the_order_of_the_work(threads, n):
    assert list(ordered_map(slowly, range(n), threads)) == [i * i for i in range(n)]


def test_work_is_done_on_several_threads():
    meet = threading.Barrier(3, timeout=10)  # breaks unless three calls are under way at once
    assert list(ordered_map(lambda i: (meet.wait(), i)[1], range(3), 3)) == [0, 1, 2]


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_error_in_the_order_of_the_work_comes_out(threads):
    def call(n: int) -> int:
        if n >= 5:
            raise ValueError(n)
        return n

    found = []
    with pytest.raises(ValueError, match="5"):
        found.extend(ordered_map(call, range(100), threads))
    assert found in ([], [0, 1, 2, 3, 4])


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_stops_the_rest(threads):
    begun = []

    def call(n: int) -> int:
        begun.append(n)
        raise ValueError(n)

    with pytest.raises(ValueError):
        list(ordered_map(call, itertools.count(), threads))
    assert len(begun) <= 2 * threads + 2


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_of_the_input_comes_out(threads):
    def items():
        yield 1
        raise OSError("the disk")

    with pytest.raises(OSError, match="the disk"):
        list(ordered_map(slowly, items(), threads))


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_little_more_is_taken_than_has_been_handed_on(threads):
    taken = []

    def items():
        for i in range(1000):
            taken.append(i)
            yield i

    for done, _ in enumerate(ordered_map(slowly, items(), threads)):
        assert len(taken) <= done + 1 + threads + 2
        if done == 30:
            break
