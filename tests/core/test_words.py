import pytest

from caprese._core.words import percent


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0 %"), (0.004, "<1 %"), (0.006, "1 %"), (0.5, "50 %"), (0.996, ">99 %"), (1, "100 %")],
)
def test_only_none_is_0_percent_and_only_all_is_100_percent(share, text):
    assert percent(share) == text
