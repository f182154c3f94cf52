"""The index of information sets against a dictionary, through growth and collisions of places."""

import numpy as np

from forethought.search.infosets import NO_ROW, add_row, find_row, grown, index_facts, key_of, make_index, room


def key(*facts: int) -> np.uint64:
    return np.uint64(key_of(np.array(facts or (0,), np.int64), len(facts)))


def test_keys_tell_lists_apart_by_content_order_and_length() -> None:
    lists = [(), (0,), (0, 0), (1,), (0, 1), (1, 0), (5, 9, 12), (5, 12, 9)]
    assert len({int(key(*facts)) for facts in lists}) == len(lists)


def test_ten_thousand_keys_do_not_collide() -> None:
    facts = np.arange(3)
    keys = set()
    for i in range(100):
        for j in range(100):
            facts[0], facts[1] = i, j
            keys.add(int(key_of(facts, 3)))
    assert len(keys) == 10_000


def test_rows_are_found_again_after_growth() -> None:
    index, known = make_index(8), {}
    for number in range(500):
        if index.used[0] == room(index):
            index = grown(index)
        facts = (number % 17, number)
        known[facts] = add_row(index, key(*facts))
    assert list(known.values()) == list(range(500))
    for facts, row in known.items():
        assert find_row(index, key(*facts)) == row
    assert find_row(index, key(999, 999)) == NO_ROW


def test_lists_are_indexed_in_order() -> None:
    lists = [(3, 4), (), (7,), (3,)]
    flat = np.array([fact for facts in lists for fact in facts], np.int64)
    offsets = np.cumsum([0, *map(len, lists)])
    index = make_index(4)
    index_facts(flat, offsets, index)
    assert [find_row(index, key(*facts)) for facts in lists] == [0, 1, 2, 3]
