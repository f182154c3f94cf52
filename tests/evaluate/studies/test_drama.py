"""The course of games, by hand."""

import math

import pytest

from forethought.evaluate.studies.drama import MARGIN, drama_of

WON, LOST, DRAWN = (1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)


def test_a_winner_who_was_behind_makes_drama() -> None:
    course = drama_of([0.0, -0.64, -0.36, 0.5, 1.0], WON)
    assert course is not None
    assert course.was_behind
    assert course.drama == pytest.approx((0.8 + 0.6) / 2)  # the mean of the roots
    assert course.lead_changes == 1
    assert course.settled == 3 / 5  # it led from the fourth of five decisions on
    assert course.uncertainty == pytest.approx(1 - (0.64 + 0.36 + 0.5 + 1.0) / 5)


def test_the_same_course_seen_from_the_other_side_is_the_same() -> None:
    leads = [0.0, -0.64, -0.36, 0.5, 1.0]
    assert drama_of([-lead for lead in leads], LOST) == drama_of(leads, WON)


def test_a_winner_who_always_led_makes_none() -> None:
    course = drama_of([0.2, 0.5, 0.9], WON)
    assert course is not None
    assert (course.was_behind, course.drama, course.settled, course.lead_changes) == (False, 0.0, 0.0, 0)


def test_noise_around_zero_is_no_lead() -> None:
    below = math.nextafter(MARGIN, 0.0)
    course = drama_of([below, -below, below, -below], WON)
    assert course is not None
    assert (course.lead_changes, course.was_behind, course.drama) == (0, False, 0.0)
    assert course.settled == 1.0  # never in the lead before the end
    changing = drama_of([MARGIN, -MARGIN, MARGIN], WON)
    assert changing is not None
    assert (changing.lead_changes, changing.was_behind) == (2, True)


def test_a_drawn_game_has_no_winner_to_look_at() -> None:
    course = drama_of([0.5, -0.5], DRAWN)
    assert course is not None
    assert (course.lead_changes, course.was_behind, course.drama, course.settled) == (1, None, None, None)
    assert drama_of([], WON) is None
