"""Names of events and samples."""

import pytest

from caprese import ModelError
from caprese._core.names import by_name, event_names, numbered, places


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["p", "q", "p", "p"], ("p", "q", "p.2", "p.3")),
        (["p", "p", "p.2"], ("p", "p.3", "p.2")),
        ([], ()),
    ],
)
def test_repeated_names_are_numbered_and_stay_distinct(names, expected):
    assert numbered(names) == expected


def test_the_alphabetical_order_of_given_names_is_the_numerical_one():
    assert event_names(2) == ("e1", "e2")
    assert event_names(10)[:2] == ("e01", "e02")
    assert list(event_names(120)) == sorted(event_names(120))


def test_positions_in_alphabetical_order():
    assert by_name(["Xp-", "3q+", "8q+"]).tolist() == [1, 2, 0]


def test_positions_of_the_events_of_another_list():
    assert places(["Xp-", "3q+", "8q+"], ["3q+", "8q+", "Xp-"], "both models").tolist() == [1, 2, 0]
    with pytest.raises(ModelError, match=r"^both models must have the same events; 'b' is in one"):
        places(["a"], ["a", "b"], "both models")
