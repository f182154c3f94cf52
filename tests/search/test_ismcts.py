"""ISMCTS equals a slow reference draw for draw; it guesses all that may be hidden, and nothing else."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pytest

import forethought as ft
from forethought.randomness import generator
from forethought.search.ismcts.search import DEAD_ENDS, GIVEN_UP, InformationSetTreeSearch, IsmctsSettings, determinise
from forethought.search.oos.memory import make_walks
from tests.naive import ismcts as naive
from tests.search.tables import decisions_of_a_game
from tests.tiers import others_slow

KUHN3, DOUBT = "tests/userfiles/kuhn3.py", "docs/games/doubt.py"
PASS, BET = 0, 1


def after(game: ft.Game, *actions: int) -> ft.Observation:
    s = game.start()
    for action in actions:
        s.apply(action)
    return s.observation(s.player)


def searched(game: ft.Game, observation: ft.Observation, walks: int, **settings: object) -> InformationSetTreeSearch:
    search = InformationSetTreeSearch(game, IsmctsSettings(**settings), generator(7), labelled=True)
    search.aim_at(observation)
    search.simulate(walks)
    return search


def visits_in(search: InformationSetTreeSearch, observation: ft.Observation) -> np.ndarray:
    return search.about_actions(observation)["visits"]


def statistics(search: InformationSetTreeSearch) -> naive.Statistics:
    table, labels, found = search.table, search.table.labels, {}
    for row in range(search.infosets):
        facts = labels.facts[labels.fact_offsets[row] : labels.fact_offsets[row + 1]]
        first, count = 2 * labels.action_offsets[row], labels.action_offsets[row + 1] - labels.action_offsets[row]
        visits, totals = table.entries[first : first + count], table.entries[first + count : first + 2 * count]
        found[tuple(facts.tolist())] = (visits.tolist(), totals.tolist())
    return found


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=4)", "goofspiel(cards=6)", "tic_tac_toe", KUHN3])
@pytest.mark.parametrize("seed", others_slow([1, 2], (1,)))
@pytest.mark.quick_cases(3)
def test_walks_as_the_reference_does(spec: str, seed: int) -> None:
    game = ft.load(spec)
    search = InformationSetTreeSearch(game, IsmctsSettings(), generator(seed), labelled=True)
    reference = naive.Search([int(word) for word in generator(seed)], game.start())
    for state in decisions_of_a_game(game, seed)[:4]:  # the tree is kept from target to target
        observation = state.observation(state.player)
        search.aim_at(observation)
        search.simulate(250)
        if game.hidden:
            reference.observer, reference.target = state.player, observation.facts
        else:
            reference.origin = state
        for _ in range(250):
            reference.walk()
        visits, totals = reference.tree[observation.facts]
        assert visits_in(search, observation).tolist() == visits
        assert search.about_actions(observation)["value"] == pytest.approx(np.array(totals) / np.maximum(visits, 1))
    assert statistics(search) == reference.tree  # returns are whole numbers: sums are exact


def states(s: ft.State) -> Iterator[ft.State]:
    """Every decision of every play."""
    if not s.is_terminal and not s.is_chance:
        yield s
    for action in s.legal_actions():
        child = s.clone()
        child.apply(action)
        yield from states(child)


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=3)", DOUBT])
@pytest.mark.quick_cases(2)
def test_guesses_are_all_that_may_be_hidden_and_nothing_else(spec: str) -> None:
    game, rng = ft.load(spec), generator(3)
    possible: dict[ft.Observation, set[bytes]] = defaultdict(set)
    for s in states(game.start()):
        possible[s.observation(s.player)].add(s.memory.tobytes())
    search, walks = InformationSetTreeSearch(game, IsmctsSettings(), rng), make_walks(game)
    for observation, hidden in possible.items():
        search.aim_at(observation)
        guessed = set()
        for _ in range(60):
            assert determinise(game.table, search.aim, walks, rng) == observation.player
            guessed.add(walks.questions.states[0].tobytes())
        assert guessed == hidden
        assert "reaches" not in game.source or search.aim.tally[DEAD_ENDS] == 0


def test_guesses_again_where_one_leads_nowhere() -> None:
    """The facts of player 1 do not yet exclude that the king goes to player 0."""
    game = ft.load("kuhn")
    search = searched(game, after(game, 0, 2, PASS), 1_000)
    assert search.aim.tally[DEAD_ENDS] > 200
    assert search.aim.tally[GIVEN_UP] == 0


def test_what_cannot_be_is_given_up_and_played_at_random() -> None:
    game = ft.load("kuhn")
    two_cards = ft.Observation(game=game, player=0, facts=(0, 1), public_facts=(), legal_actions=(PASS, BET))
    search = searched(game, two_cards, 3)
    assert (search.simulated, search.infosets, search.aim.tally[GIVEN_UP]) == (3, 0, 3)
    assert search.policy(two_cards).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("spec", "play", "best", "value"),
    [
        ("kuhn", (2, 0, PASS, BET), BET, 2.0),  # the king calls
        ("kuhn", (0, 2, PASS, BET), PASS, -1.0),  # the jack folds
        ("kuhn", (1, 2, BET), BET, 2.0),
        ("tic_tac_toe", (0, 3, 1, 4), 2, 1.0),
        (KUHN3, (0, 3, 1, BET), BET, None),  # the highest of four cards calls
        (DOUBT, (5,), 1, None),  # a high roll claims
    ],
)
def test_finds_the_best_action_where_there_is_one(
    spec: str, play: tuple[int, ...], best: int, value: float | None
) -> None:
    game = ft.load(spec)
    observation = after(game, *play)
    search = searched(game, observation, 1_000)
    choice = observation.legal_actions.index(best)
    assert search.policy(observation)[choice] == 1.0
    assert value is None or search.about_actions(observation)["value"][choice] == value


def test_plays_what_is_visited_most_or_as_visits_are() -> None:
    game = ft.load("leduc")
    observation = after(game, 0, 2)
    most, shared = searched(game, observation, 500), searched(game, observation, 500, play="visits")
    visits = visits_in(most, observation)
    assert visits_in(shared, observation).tolist() == visits.tolist()
    assert shared.policy(observation) == pytest.approx(visits / 500)
    assert most.policy(observation).tolist() == (visits == visits.max()).tolist()
    assert searched(game, observation, 2).policy(observation).tolist() == [0.5, 0.5]  # each once: a tie
    assert searched(game, observation, 0).policy(observation).tolist() == [0.5, 0.5]


def test_a_full_memory_adds_nothing_and_goes_on() -> None:
    game = ft.load("leduc")
    observation = after(game, 0, 2)
    search = searched(game, observation, 500, max_infosets=5)
    reference = naive.Search([int(word) for word in generator(7)], game.start(), max_infosets=5)
    reference.observer, reference.target = 0, observation.facts
    for _ in range(500):
        reference.walk()
    assert search.infosets == 5
    assert statistics(search) == reference.tree


def test_a_full_memory_begins_anew_where_it_knows_nothing() -> None:
    game = ft.load("leduc")
    first, later = after(game, 0, 2), after(game, 0, 2, 1, 2)
    search = searched(game, first, 100, max_infosets=1)
    search.aim_at(first)
    assert visits_in(search, first).sum() == 100
    search.aim_at(later)
    search.simulate(50)
    assert (search.infosets, visits_in(search, later).sum(), visits_in(search, first).sum()) == (1, 50, 0)


def test_the_same_seed_gives_the_same_search_however_walks_are_portioned() -> None:
    game = ft.load("goofspiel(cards=13)")
    observation = after(game, 3, 5, 7, 8)
    whole, portioned = searched(game, observation, 3_000), searched(game, observation, 1_000)
    for portion in (1, 999, 1_000):
        portioned.simulate(portion)
    assert whole.simulated == portioned.simulated == 3_000
    assert whole.infosets > 2_000  # memory has grown on the way
    assert statistics(whole) == statistics(portioned)


def test_searches_the_start_of_the_game_before_it_is_aimed() -> None:
    game = ft.load("kuhn")
    search = InformationSetTreeSearch(game, IsmctsSettings(), generator(1))
    search.simulate(1_000)
    dealt = [after(game, card, (card + 1) % 3) for card in range(3)]
    assert sum(visits_in(search, observation).sum() for observation in dealt) == 1_000


def test_a_game_that_breaks_its_promise_is_reported() -> None:
    game = ft.load("goofspiel(cards=4)")
    given = {name: getattr(game, name) for name in game.__dataclass_fields__}
    short = ft.Game(**{**given, "plies": 3, "machine": game.machine._replace(plies=3)})
    with pytest.raises(ft.ForethoughtError, match="did not end within the declared 3 plies"):
        searched(short, after(short), 1)


@pytest.mark.parametrize("wrong", [{"play": "best"}, {"exploration": -1.0}, {"max_infosets": 0}])
def test_settings_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ft.ForethoughtError, match=next(iter(wrong))):
        IsmctsSettings(**wrong)
