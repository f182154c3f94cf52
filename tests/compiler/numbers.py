"""Numbers that a function of test_content.py takes from here."""

ONE = 1
TWO = 2
