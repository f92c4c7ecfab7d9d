"""Facts are values."""

from caprese._core.facts import Fact


def test_facts_with_the_same_content_are_equal_and_have_one_hash():
    one = Fact("rare", ("a",), {"fewest": 1, "share": 0.05})
    other = Fact("rare", ("a",), {"share": 0.05, "fewest": 1})
    assert one == other
    assert hash(one) == hash(other)


def test_each_field_counts():
    facts = [Fact("rare"), Fact("few samples"), Fact("rare", ("a",)), Fact("rare", (), {"n": 1})]
    assert len(set(facts)) == len(facts)
