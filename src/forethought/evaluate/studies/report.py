"""A study as HTML: in a notebook, and as a page of its own that needs no other file."""

from typing import TYPE_CHECKING

from forethought.drawing.markup import Markup, bar, block, element, escaped, interval, note, table

if TYPE_CHECKING:
    from forethought.evaluate.studies.result import GameStudy, IntervalEstimate, SkillStep

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
)
WHOLE = (0.0, 1.0)


def study_block(study: "GameStudy") -> Markup:
    """Return what a study found."""
    about = f"{study.games:,} games of {study.planner} against itself; seed {study.seed}; intervals are of 95 %"
    parts = [
        element("ul", [element("li", one) for one in study.findings]),
        _quantities(study),
        _heading("Seats"),
        _seats(study),
        _heading("Skill: more thinking against less"),
        _skill(study),
        _heading("Length"),
        _histogram(study),
        note(about),
    ]
    return block(study.game, *parts)


def study_page(study: "GameStudy") -> str:
    """Return a whole page."""
    title = escaped(f"{study.game}: a study")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    body = f"<h1>{title}</h1>{study_block(study)}"
    return f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head><body>{body}</body></html>\n'


def shares_of_study(study: "GameStudy") -> "list[tuple[str, IntervalEstimate]]":
    """Return the quantities from 0 to 1, with what they are called."""
    drama = study.drama
    named = [("draws", study.draws)]
    if drama is not None:
        named += [("uncertainty", drama.uncertainty)]
        optional = (("games won from behind", drama.comebacks), ("drama", drama.drama), ("settled at", drama.settled))
        named += [(name, one) for name, one in optional if one is not None]
    return named


def counts_of_study(study: "GameStudy") -> "list[tuple[str, IntervalEstimate]]":
    """Return the quantities that are counted, with what they are called."""
    named = [
        ("moves per game", study.length.mean),
        ("decisions per game", study.decisions),
        ("legal actions per move", study.branching),
    ]
    return named if study.drama is None else [*named, ("changes of the lead per game", study.drama.lead_changes)]


def _quantities(study: "GameStudy") -> Markup:
    counts: list[list[object]] = [
        [name, f"{one.value:.2f}", f"{one.low:.2f} to {one.high:.2f}", ""] for name, one in counts_of_study(study)
    ]
    shares = [[name, *_share(one)] for name, one in shares_of_study(study)]
    return table(("quantity", "mean", "(95 %)", ""), counts + shares, left=("quantity",))


def _seats(study: "GameStudy") -> Markup:
    rows = [[str(seat), *_share(one.score), *_returns(one.mean_return)] for seat, one in enumerate(study.seats)]
    return table(("seat", "score", "(95 %)", "", "mean return", "(95 %) "), rows)


def _skill(study: "GameStudy") -> Markup:
    rows = [
        [one.more, one.less, *_share(one.win_rate), *_returns(one.mean_return), told_of_step(one)]
        for one in study.skill
    ]
    columns = ("more", "less", "score of more", "(95 %)", "", "mean return", "(95 %) ", "verdict")
    return table(columns, rows, left=("more", "less", "verdict"))


def told_of_step(step: "SkillStep") -> str:
    """Say whether more thinking wins more."""
    chance = "p < 0.001" if step.p_value < 0.001 else f"p = {step.p_value:.3f}"
    return f"wins more, {chance}" if step.wins_more else f"no proof that it wins more, {chance}"


def _histogram(study: "GameStudy") -> Markup:
    most = max(one.games for one in study.length.histogram)
    rows = [
        [
            str(one.first) if one.first == one.last else f"{one.first} to {one.last}",
            f"{one.games:,}",
            bar(one.games / most),
        ]
        for one in study.length.histogram
    ]
    return table(("moves", "games", ""), rows)


def _share(one: "IntervalEstimate") -> list[object]:
    return [f"{one.value:.1%}", f"{one.low:.1%} to {one.high:.1%}", interval(one.low, one.high, one.value, WHOLE)]


def _returns(one: "IntervalEstimate") -> list[str]:
    return [f"{one.value:+.3f}", f"{one.low:+.3f} to {one.high:+.3f}"]


def _heading(text: str) -> Markup:
    return element("div", text, style="font-weight:600;margin:1em 0 0.2em")
