"""Every walk of a search, with its probability: run in a process of its own, where draws do not come from a generator.

The kernels of `search/` are compiled (or left as Python, with NUMBA_DISABLE_JIT=1) with other functions in place of
those of `randomness.py`. These take what a tape says, note how probable that was, and remember what else was possible;
between two walks the tape goes on to the next possibility, until none is left. So the expected increments of a search
are found exactly, from its own code.

    python -m tests.search.forced '[["leduc", true, {"delta": 0.9, "gamma": 0.0}]]'

prints, for each game and each of the settings given, how far expected increments are from the exact ones at worst, over
all targets there are. With `false`, the game's rule `reaches` is taken away: targeting is by facts alone.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import forethought as ft
from forethought import randomness
from forethought.arrays import Float64s, Int64s
from forethought.compiler import compile_game, kernel, pointer
from forethought.search.infosets import key_of
from forethought.search.regret import Regrets, add_entry, make_regrets
from tests.naive.mccfr import Sums, matched
from tests.naive.oos import exact_increments

NONE_LEFT = -1
CUT_AT = {"kuhn": 2, "goofspiel(cards=4)": 3}  # facts of information sets in memory at most, where leaves are judged


class Tape(NamedTuple):
    """The draws of one walk, in place of a generator."""

    drawn: Int64s  # [1] how many so far
    known: Int64s  # [1] how many are prescribed
    choices: Int64s  # [most]
    others: Int64s  # [most] the next possibility after each choice
    probability: Float64s  # [1] of all that was drawn
    coin: Float64s  # [2] of heads and tails, for a draw of a number
    even: Float64s  # [choices] scratch


def make_tape(game: ft.Game, delta: float) -> Tape:
    most = game.plies + 1
    numbers = [np.zeros(size, np.int64) for size in (1, 1, most, most)]
    return Tape(*numbers, np.ones(1), np.array([delta, 1.0 - delta]), np.zeros(game.table.choices))


@kernel
def next_possible(weights: Float64s, n: int, start: int) -> int:
    for i in range(start, n):
        if weights[i] > 0.0:
            return i
    return NONE_LEFT


@kernel
def choose(weights: Float64s, n: int, tape: Tape) -> int:
    place = tape.drawn[0]
    tape.drawn[0] += 1
    if place == tape.known[0]:
        tape.known[0] += 1
        tape.choices[place] = next_possible(weights, n, 0)
    choice = tape.choices[place]
    tape.others[place] = next_possible(weights, n, choice + 1)
    tape.probability[0] *= weights[choice]
    return choice  # type: ignore[no-any-return]


@kernel
def uniform(tape: Tape) -> float:
    """Draw 0 or 1, which decide whether a number is less than delta."""
    return float(choose(tape.coin, 2, tape))


@kernel
def below(n: int, tape: Tape) -> int:
    tape.even[:n] = 1.0 / n
    return choose(tape.even, n, tape)


@kernel
def turn_over(tape: Tape) -> bool:
    """Prescribe the next possibility; say whether there was one."""
    while tape.known[0] > 0:
        last = tape.known[0] - 1
        if tape.others[last] != NONE_LEFT:
            tape.choices[last] = tape.others[last]
            return True
        tape.known[0] = last
    return False


randomness.choose, randomness.uniform, randomness.below = choose, uniform, below  # before the search is imported

from forethought.nets.critic import ask_critic, judge, make_critic_questions  # noqa: E402
from forethought.nets.mlp import Mlp, MlpScratch, mlp_of  # noqa: E402
from forethought.search.oos.kernels import Turns, make_turns, walk_alone, walk_together  # noqa: E402
from forethought.search.oos.memory import OosAim, Walks, make_walks  # noqa: E402
from forethought.search.oos.search import ROLLOUT_WEIGHTS, OnlineOutcomeSampling, OosSettings  # noqa: E402
from forethought.search.oos.walks import DEAD_ENDS  # noqa: E402


@kernel
def walk_judged(  # noqa: PLR0917
    game: Any, aim: OosAim, table: Regrets, walks: Walks, turns: Turns, critic: Mlp, scratch: MlpScratch, tape: Tape
) -> None:
    """Take one walk whose leaf a critic judges; roll-outs, if any, are uniform."""
    questions = walks.questions
    while walk_together(game, aim, table, walks, turns, tape) > 0:
        judge(critic, walks.critic, 2, scratch)
        for i in range(questions.counts[0]):
            questions.policies[0, i] = 1.0 / questions.counts[0]


@kernel
def add_expected(  # noqa: PLR0917
    game: Any,
    aim: OosAim,
    table: Regrets,
    walks: Walks,
    turns: Turns,
    critic: Mlp,
    scratch: MlpScratch,
    tape: Tape,
    updated: int,
    fixed: Float64s,
    baselines: Float64s,
    sums: Float64s,
) -> float:
    """Add what walks add, each times its probability, with strategies and baselines fixed; return the sum of those."""
    total = 0.0
    going_on = True
    while going_on:
        tape.drawn[0] = 0
        tape.probability[0] = 1.0
        turns.begun[0] = updated
        turns.end[0] = updated + 1
        if aim.rollout_weight < 1.0:
            walk_judged(game, aim, table, walks, turns, critic, scratch, tape)
        else:
            walk_alone(game, aim, table, walks, turns, tape)
        for i in range(len(fixed)):
            sums[i] += tape.probability[0] * (table.entries[i] - fixed[i])
            table.entries[i] = fixed[i]
        for i in range(len(baselines)):
            table.baselines[i] = baselines[i]
        total += tape.probability[0]
        going_on = turn_over(tape)
    return total


class Whole(NamedTuple):
    """A game with all of its information sets in memory."""

    game: ft.Game
    table: Regrets
    policy: Sums
    owners: dict[tuple[int, ...], int]
    observations: list[ft.Observation]


def decisions(s: ft.State) -> Iterator[ft.State]:
    if not s.is_chance and not s.is_terminal:
        yield s
    for action in s.legal_actions():
        child = s.clone()
        child.apply(action)
        yield from decisions(child)


def whole(game: ft.Game, most_facts: int = 10**6) -> Whole:
    """Put all information sets of up to so many facts into memory, with random regrets and random baselines.

    Some actions are never played. No more information sets are added.
    """
    known = {
        o.facts: o for o in (s.observation(s.player) for s in decisions(game.start())) if len(o.facts) <= most_facts
    }
    rng, table = np.random.default_rng(7), make_regrets(len(known), labelled=False, rows=2000, baselines=True)
    found = Whole(game, table, {}, {}, [])
    for s in decisions(game.start()):
        observation = s.observation(s.player)
        if observation.facts in found.policy or observation.facts not in known:
            continue
        facts, actions = np.array(observation.facts), np.array(observation.legal_actions)
        first = add_entry(table, np.uint64(key_of(facts, len(facts))), facts, len(facts), actions, len(actions))
        table.entries[first : first + len(actions)] = rng.normal(0.4, 1.0, len(actions))
        table.baselines[first : first + len(actions)] = np.random.default_rng(first).normal(0.0, 3.0, len(actions))
        found.policy[observation.facts] = matched(table.entries[first : first + len(actions)].tolist())
        found.owners[observation.facts] = s.player
        found.observations.append(observation)
    return found


def random_critic(game: ft.Game) -> Mlp:
    rng, widths = np.random.default_rng(9), (game.facts * game.players, 8, 1)
    arrays = {f"weight{i}": rng.normal(0.0, 1.0, widths[i : i + 2]).astype(np.float32) for i in range(2)}
    return mlp_of(arrays | {f"bias{i}": rng.normal(0.0, 1.0, widths[i + 1]).astype(np.float32) for i in range(2)})


class CutOff:
    """A state of the game that ends where memory does: a leaf is worth what a critic says and uniform play wins."""

    def __init__(self, state: ft.State, memory: Whole, critic: Mlp, rollout_weight: float) -> None:
        self._state, self._about = state, (memory, critic, rollout_weight)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    @property
    def is_terminal(self) -> bool:
        s = self._state
        return s.is_terminal or (not s.is_chance and tuple(s.facts(s.player)) not in self._about[0].policy)

    def clone(self) -> "CutOff":
        return CutOff(self._state.clone(), *self._about)

    def returns(self) -> list[float]:
        s, (memory, critic, weight) = self._state, self._about
        if s.is_terminal:
            return s.returns()
        questions, mover = make_critic_questions(1, critic.facts), s.player
        ask_row(memory.game.table, s.memory, mover, questions)
        judge(critic, questions, 1, critic.scratch(1))
        judged = np.zeros(2)
        judged[mover], judged[1 - mover] = questions.values[0], -questions.values[0]
        found: list[float] = ((1.0 - weight) * judged + weight * np.array(uniform_value(s))).tolist()
        return found


@kernel
def ask_row(game: Any, memory: Any, mover: int, questions: Any) -> None:
    ask_critic(game, pointer(memory), mover, questions, 0)


def uniform_value(s: ft.State) -> list[float]:
    """What uniform play wins from a state on."""
    if s.is_terminal:
        return s.returns()
    legal = s.legal_actions()
    chances = s.chance() if s.is_chance else [1 / len(legal)] * len(legal)
    values = np.zeros(s.game.players)
    for action, chance in zip(legal, chances, strict=True):
        child = s.clone()
        child.apply(action)
        values += chance * np.array(uniform_value(child))
    found: list[float] = values.tolist()
    return found


def targets(game: Whole, targeting: str) -> list[ft.Observation]:
    """Return an observation for each target there is."""
    if targeting == "infoset":
        return game.observations
    return list({o.public_facts: o for o in game.observations if o.public_facts}.values())


def worst(game: Whole, settings: OosSettings) -> dict[str, Any]:
    """Return the largest error over all targets, of increments and of the sum of probabilities."""
    critic, weight = random_critic(game.game), ROLLOUT_WEIGHTS[settings.leaf]
    start = game.game.start() if weight == 1.0 else CutOff(game.game.start(), game, critic, weight)
    regrets, averages = exact_increments(start, game.policy, game.owners, settings.gamma)  # type: ignore[arg-type]
    exact = np.concatenate([regrets[facts] + averages[facts] for facts in game.policy])
    fixed = game.table.entries[: len(exact)].copy()
    tape, turns = make_tape(game.game, settings.delta), make_turns(1)
    walks = make_walks(game.game, baselines=True, critic=True)
    baselines, scratch = game.table.baselines[: len(fixed)].copy(), critic.scratch(2)
    search = OnlineOutcomeSampling(game.game, settings, tape, critic=critic)  # type: ignore[arg-type]
    error = missing = 0.0
    dead_ends, aims = 0, targets(game, settings.targeting)
    for observation in aims:
        search.aim_at(observation)
        sums = np.zeros(len(exact))
        for updated in range(game.game.players):
            memory = search.aim, game.table, walks, turns, critic, scratch, tape
            total = add_expected(game.game.table, *memory, updated, fixed, baselines, sums)
            missing = max(missing, abs(total - 1.0))
        error = max(error, float(np.abs(sums - exact).max()))
        dead_ends += int(search.aim.tally[DEAD_ENDS] > 0)
    return {"error": error, "missing": missing, "targets": len(aims), "dead_ends": dead_ends}


def without_reaches(game: ft.Game) -> ft.Game:
    fields = {name: getattr(game, name) for name in game.__dataclass_fields__}
    rules = [rule for rule in game.rules if rule.__name__ != "reaches"]
    return compile_game(ft.Game(**{**fields, "rules": rules, "machine": None}))


def main(text: str) -> None:
    found = []
    for spec, keep_reaches, *settings in json.loads(text):
        game = ft.load(spec)
        played = game if keep_reaches else without_reaches(game)
        chosen = [OosSettings(weighting="none", **each) for each in settings]
        cut = {each.leaf != "rollout" for each in chosen} == {True}  # where leaves are judged, there must be some
        memory = whole(played, CUT_AT[spec]) if cut else whole(played)
        found.append([worst(memory, each) for each in chosen])
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
