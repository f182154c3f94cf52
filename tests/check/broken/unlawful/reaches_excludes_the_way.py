"""The rule `reaches` excludes actions that did lead to the target."""

from tests.check.bases import cards


def reaches_excludes_the_way():
    def reaches(s, action, observer, target, known):
        return action != 1

    return cards(reaches)
