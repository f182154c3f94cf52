"""Information Set Monte Carlo Tree Search (Cowling, Powley and Whitehouse, 2012).

Each simulation (a *walk*, see `search/online.py`) samples a state that is consistent with what the observer knows (a
*determinisation*) and then searches as if it were known, but keeps statistics by information set, so that no player
acts on what it cannot know. A walk

1. plays from the start at random, only actions that can lead to what the observer knows, chance by its conditional
   probabilities, until the observer is to move and knows exactly that;
2. continues by a rule of selection at the information set of the player to move: UCB1, untried actions first, in
   random order, or another of `selection.py`;
3. adds the first information set that is not in memory, and from there plays at random to the end;
4. lets each of its decisions learn from the return of the player who made it.

With `begin=start`, walks skip step 1 and are whole games, as Smooth UCT wants them.

UCB1 takes the action of the largest mean return + c * range * sqrt(ln(visits of all) / visits), where the range is the
largest absolute return that this search has met. c is 2 as in the OOS paper, whose UCT explores with twice the largest
payoff.

Differences from the paper:

- Every player has its own information sets, all in one table; the paper calls this multiple observers. Equal facts
  mean equal legal actions, so the availability of actions is not counted.
- Determinisations are uniform, action by action; they depend neither on the tree nor on how likely actions are. This
  is the difference to OOS, and why more simulations need not converge to an equilibrium.
- Where nothing is hidden, walks begin at the observed state.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer, row_pointer
from forethought.game import CHANCE, PUBLIC, TERMINAL, Game, Observation, Table
from forethought.player import register_player
from forethought.playouts import largest_return
from forethought.randomness import Generator, below, choose
from forethought.search.infosets import NO_ROW
from forethought.search.ismcts.selection import (
    Exp3,
    RegretMatching,
    Selection,
    SelectionScratch,
    SmoothUct,
    Ucb1,
    learn,
    select,
)
from forethought.search.online import InfosetSearch
from forethought.search.oos.kernels import Turns, chance_choice
from forethought.search.oos.memory import Walks, make_walks
from forethought.search.oos.targeting import Target, make_target, mark_in_target, no_target, restrict
from forethought.search.oos.walks import find_or_add, look, move
from forethought.search.player import InfosetSettings, NewSearch
from forethought.search.regret import Regrets, has_room, make_regrets
from forethought.settings import setting
from forethought.status import BROKEN, DONE, NO_ROOM, OFF_TARGET

TRIES = 1_000  # to sample a determinisation, before a walk gives up
GUESSED, DEAD_ENDS, GIVEN_UP = 0, 1, 2  # in IsmctsAim.tally


@register_player("ismcts", label="Information Set MCTS", suits=lambda game: game.hidden)
@dataclass(frozen=True, kw_only=True)
class IsmctsSettings(InfosetSettings):
    """Plans by Information Set Monte Carlo Tree Search, the usual rival of Online Outcome Sampling."""

    selection: str = setting(
        "how actions are chosen at information sets: by UCB1, regret matching, Exp3 or Smooth UCT",
        "ucb",
        words=("ucb", "rm", "exp3", "smooth"),
    )
    begin: str = setting(
        "where simulations begin: at states that fit the observation, or at the start of the game",
        "observation",
        words=("observation", "start"),
    )
    exploration: float = setting("c of UCB1, in units of the largest return", 2.0, low=0.0)
    play: str = setting(
        "with ucb, play what was visited most, or in proportion to visits", "most", words=("most", "visits")
    )
    gamma: float = setting("with rm and exp3, the share of uniform play", 0.2, above=0.0, high=1.0)
    eta: float = setting("with smooth, the probability of UCB1 at the first visit", 0.9, low=0.0, high=1.0)
    eta_least: float = setting("and its lower bound", 0.1, low=0.0, high=1.0)
    eta_decay: float = setting("and d: after N visits it is divided by 1 + d sqrt(N)", 0.002, low=0.0)

    def new_search(self, game: Game) -> NewSearch:
        return lambda rng: InformationSetTreeSearch(game, self, rng)

    def rule(self, game: Game) -> Selection:
        """Return the rule of selection."""
        rules: dict[str, Callable[[], Selection]] = {
            "ucb": lambda: Ucb1(self.exploration, self.play == "most"),
            "rm": lambda: RegretMatching(self.gamma),
            "exp3": lambda: Exp3(self.gamma, largest_return(game)),
            "smooth": lambda: SmoothUct(self.exploration, self.eta, self.eta_least, self.eta_decay),
        }
        return rules[self.selection]()


class IsmctsAim(NamedTuple):
    """Where walks begin, and what they keep outside of the tree."""

    origin: Bytes  # [state_bytes] from where determinisations are sampled
    target: Target  # the observer and what it knows; if the observer is PUBLIC, the origin is the state to search
    largest: Float64s  # [1] absolute return so far
    movers: Int64s  # [plies] who took each decision of a walk
    tally: Int64s  # [3] determinisations that reached the target, that did not, walks that found none


class InformationSetTreeSearch(InfosetSearch):
    """One search, kept during a whole game: a new observation only changes where walks begin."""

    def __init__(self, game: Game, settings: IsmctsSettings, rng: Generator, labelled: bool = False) -> None:
        super().__init__(
            game, make_regrets(settings.max_infosets, labelled), 1
        )  # a row: two numbers per action, which the rule of selection defines
        self.settings, self._labelled, self._walks, self._rng = settings, labelled, make_walks(game), rng
        self._rule, self._largest = settings.rule(game), np.full(1, np.finfo(np.float64).tiny)
        self.aim_at(None)

    def aim_at(self, observation: Observation | None) -> None:
        game = self.game
        origin, target = game.start(), no_target(game)
        if observation is not None and self.settings.begin == "observation":
            if observation.state is not None:
                origin = observation.state
            else:
                target = make_target(game, observation.player, observation.facts)
        self.aim = IsmctsAim(
            origin=origin.memory.copy(),
            target=target,
            largest=self._largest,
            movers=np.zeros(game.plies, np.int64),
            tally=np.zeros(3, np.int64),
        )
        if observation is not None and self._first(observation) == NO_ROW and self.infosets >= self.table.max_rows:
            self.table = make_regrets(self.table.max_rows, self._labelled)  # a full table could add nothing here

    def _advance(self) -> int:
        return walk_alone(self.game.table, self.aim, self._rule, self.table, self._walks, self._turns, self._rng)

    def policy(self, observation: Observation) -> Float64s:
        return self._rule.policy(*self._row(observation))

    def about_actions(self, observation: Observation) -> dict[str, Float64s]:
        return self._rule.about(*self._row(observation))

    def _row(self, observation: Observation) -> tuple[Float64s, Float64s]:
        count, first = len(observation.legal_actions), self._first(observation)
        row = self.table.entries[first : first + 2 * count].copy() if first != NO_ROW else np.zeros(2 * count)
        return row[:count], row[count:]


@kernel
def walk_alone(
    game: Table, aim: IsmctsAim, rule: Selection, table: Regrets, walks: Walks, turns: Turns, rng: Generator
) -> int:
    """Run walks one after another; return DONE, NO_ROOM or BROKEN."""
    while turns.begun[0] < turns.end[0]:
        if not has_room(game, table, 1):
            return NO_ROOM
        turns.begun[0] += 1
        player = determinise(game, aim, walks, rng)
        if player >= CHANCE:
            player = play_out(game, aim, rule, table, walks, player, rng)
        if player == BROKEN:
            return BROKEN
        if player == TERMINAL:
            back_up(game, aim, rule, table, walks)
    return DONE


@kernel
def determinise(game: Table, aim: IsmctsAim, walks: Walks, rng: Generator) -> int:
    """Sample plays until one reaches the target; return who acts there, OFF_TARGET after too many tries, or BROKEN."""
    for _ in range(TRIES):
        player = guess(game, aim, walks, rng)
        if player != OFF_TARGET:
            aim.tally[GUESSED] += 1
            return player
        aim.tally[DEAD_ENDS] += 1
    aim.tally[GIVEN_UP] += 1
    return OFF_TARGET


@kernel
def guess(game: Table, aim: IsmctsAim, walks: Walks, rng: Generator) -> int:
    """Play at random, in target, until the observer is to move there; return as `determinise` does."""
    questions, target = walks.questions, aim.target
    walks.path.plies[0] = walks.path.decisions[0] = 0
    for i in range(game.state_bytes):
        questions.states[0, i] = aim.origin[i]
    player = look(game, questions, 0)
    if target.observer == PUBLIC:
        return player
    while player >= CHANCE and not is_target(game, target, walks, player):
        count = questions.counts[0]
        if weigh_in_target(game, target, walks, player) == 0.0:
            return OFF_TARGET
        player = move(game, walks, 0, choose(walks.restricted, count, rng))
    return OFF_TARGET if player == TERMINAL else player


@inlined_kernel
def is_target(game: Table, target: Target, walks: Walks, player: int) -> bool:
    """Whether the observer is to move and knows exactly the target."""
    if player != target.observer:
        return False
    facts = walks.trial.facts
    known = game.facts(row_pointer(walks.questions.states, 0), player, pointer(facts))
    same = 0
    while same < known and facts[same] == target.facts[same]:
        same += 1
    return same == known and known == target.known


@inlined_kernel
def weigh_in_target(game: Table, target: Target, walks: Walks, player: int) -> float:
    """Write the probability of each action given that it is in target, of players uniform; return 0 if none is."""
    questions, weights = walks.questions, walks.sampling
    state, count = questions.states[0], questions.counts[0]
    if player == CHANCE:
        game.chance(pointer(state), pointer(weights))
    else:
        for i in range(count):
            weights[i] = 1.0
    mark_in_target(game, state, questions.actions[0], count, target, walks.trial)
    return restrict(weights, count, walks.trial.in_target, walks.restricted)


@kernel
def play_out(
    game: Table, aim: IsmctsAim, rule: Selection, table: Regrets, walks: Walks, player: int, rng: Generator
) -> int:
    """Play to the end: in the tree by the rule, through one new information set, then at random; return who acts."""
    questions, in_tree, scratch = walks.questions, True, SelectionScratch(walks.strategy, walks.sampling)
    while player >= CHANCE:
        count = questions.counts[0]
        if player == CHANCE:
            choice = chance_choice(game, walks, 0, rng)
        elif in_tree:
            first, in_tree = find_or_add(game, table, questions, 0, player)
            if first == NO_ROW:
                choice = below(count, rng)  # the memory is full
            else:
                choice = select(rule, table, first, count, aim.largest[0], scratch, rng)
                remember(aim, walks, player, first, choice)
        else:
            choice = below(count, rng)
        player = move(game, walks, 0, choice)
    return player


@inlined_kernel
def remember(aim: IsmctsAim, walks: Walks, player: int, first: int, choice: int) -> None:
    """Keep a decision until the walk's end."""
    path, last = walks.path, walks.path.decisions[0]
    aim.movers[last] = player
    path.firsts[0, last], path.counts[0, last], path.choices[0, last] = first, walks.questions.counts[0], choice
    path.chances[0, last] = walks.sampling[choice]
    path.decisions[0] = last + 1


@kernel
def back_up(game: Table, aim: IsmctsAim, rule: Selection, table: Regrets, walks: Walks) -> None:
    """Let every decision of a walk learn from the return of the player who made it."""
    path, returns = walks.path, walks.returns
    game.returns(row_pointer(walks.questions.states, 0), pointer(returns))
    for player in range(game.players):
        aim.largest[0] = max(aim.largest[0], abs(returns[player]))
    for i in range(path.decisions[0]):
        first, count, choice = path.firsts[0, i], path.counts[0, i], path.choices[0, i]
        learn(rule, table, first, count, choice, path.chances[0, i], returns[aim.movers[i]])
