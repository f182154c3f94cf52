"""The walks of Online Outcome Sampling as kernels: down the tree, out of it, back up; `search.py` has the formulas.

A walk is a small state machine. It descends through the information sets in memory, adds the first one that is not,
and continues by a roll-out, of which nothing is stored. A roll-out asks for a policy at every decision and may wait
there for the answer, so that many walks can ask at once. At its end the regrets on the path are updated.

Names, in a walk that updates player i, at a history h:

    reach[j]    probability of j's own actions on the way to h, as sampled; `everybody` is the product over players
    ratio       s1 / s2: how likely h is in the targeted scenario, over how likely it is in the untargeted one
    mixture     delta * ratio + 1 - delta: the probability of sampling h at all, over that of the untargeted scenario
"""

from forethought.compiler import inlined_kernel, pointer, row_pointer
from forethought.game import CHANCE, TERMINAL, Table
from forethought.nets.critic import ask_critic
from forethought.nets.questions import Questions
from forethought.randomness import Generator, choose, uniform
from forethought.rollouts import write_legal
from forethought.search.infosets import NO_ROW, find_row, key_of
from forethought.search.oos.baselines import back_up_by_baselines, keep_step, move_baseline
from forethought.search.oos.memory import ANSWERED, ASKED, NOT_JUDGED, OosAim, Walks
from forethought.search.oos.targeting import has_arrived, mark_in_target, restrict
from forethought.search.regret import Regrets, add_entry, add_to_average, match_regrets, mix_uniform
from forethought.status import BROKEN

# The state of a walk with respect to the target; OUTSIDE the tree it no longer matters.
ON_THE_WAY, ARRIVED, LEFT, LOST, OUTSIDE = 0, 1, 2, 3, 4
TARGETED, KEPT, CAME, DEAD_ENDS = 0, 1, 2, 3  # in OosAim.tally


@inlined_kernel
def look(game: Table, questions: Questions, slot: int) -> int:
    """Return who acts at the position of a walk, and write the legal actions; BROKEN if there are none."""
    s = row_pointer(questions.states, slot)
    player = game.player(s)
    if player != TERMINAL:
        count = write_legal(game, s, row_pointer(questions.actions, slot))
        questions.counts[slot] = count
        if count == BROKEN:
            return BROKEN
    return player


@inlined_kernel
def move(game: Table, walks: Walks, slot: int, choice: int) -> int:
    """Play a choice; return who acts next, or BROKEN if the game should have ended."""
    questions, plies = walks.questions, walks.path.plies
    if plies[slot] == game.plies:
        return BROKEN
    plies[slot] += 1
    game.apply(row_pointer(questions.states, slot), questions.actions[slot, choice])
    return look(game, questions, slot)


@inlined_kernel
def descend(game: Table, aim: OosAim, table: Regrets, walks: Walks, slot: int, number: int, rng: Generator) -> int:
    """Descend from the start through the information sets in memory, and add one; return who acts after it.

    The walk is the search's first, second, ..., by its number.
    """
    path, reach, updated = walks.path, walks.reach, walks.path.updated[slot]
    state = walks.questions.states[slot]
    state[:] = 0
    game.start(pointer(state))
    reach[:] = 1.0
    path.plies[slot] = path.decisions[slot] = 0
    walks.judged[slot] = NOT_JUDGED
    scale = scale_of(aim, number)
    everybody = ratio = mixture = 1.0
    where = ON_THE_WAY if aim.target.known > 0 else ARRIVED
    targeted = where == ON_THE_WAY and uniform(rng) < aim.delta
    in_tree = True
    player = look(game, walks.questions, slot)
    while in_tree and player >= CHANCE:
        if player == CHANCE:
            first = NO_ROW
            game.chance(pointer(state), pointer(walks.sampling))
        else:
            first, in_tree = find_or_add(game, table, walks.questions, slot, player)
            if first == NO_ROW:
                break  # the memory is full: the roll-out begins here
            consult(aim, table, walks, slot, player, first, scale / (everybody * mixture))
            if not in_tree:
                where = OUTSIDE if where == ON_THE_WAY else where
                ask_for_prior(game, aim, walks, slot, first, player)
        choice, where, gain = draw(game, aim, walks, slot, where, targeted, rng)
        ratio *= gain
        before = mixture
        mixture = aim.delta * ratio + 1.0 - aim.delta
        if aim.baseline_rate > 0.0:
            sampled = walks.sampling[choice] * mixture / before
            keep_step(walks, slot, player, first, choice, sampled, scale / (reach[updated] * before))
        if player != CHANCE:
            reach[player] *= walks.sampling[choice]
            everybody *= walks.sampling[choice]
            if walks.questions.keys[slot] == aim.watched:
                aim.visits[choice] += 1
            if aim.baseline_rate == 0.0 and player == updated:
                keep_decision(walks, slot, first, choice)
        player = move(game, walks, slot, choice)
        if where == ON_THE_WAY and has_arrived(game, pointer(state), aim.target, walks.trial):
            where = ARRIVED
    path.weights[slot] = scale / (reach[updated] * mixture)
    take_stock(aim, where, ratio, targeted)
    return player


@inlined_kernel
def scale_of(aim: OosAim, number: int) -> float:
    """Return the weight of a walk's updates."""
    scale: float = (1.0 - aim.delta) + aim.delta / aim.hit[0]
    return scale * number if aim.linear else scale


@inlined_kernel
def find_or_add(game: Table, table: Regrets, questions: Questions, slot: int, player: int) -> tuple[int, bool]:
    """Return the offset of the information set's entries, NO_ROW if it cannot be added; and whether it was there."""
    facts = questions.facts[slot]
    known = game.facts(row_pointer(questions.states, slot), player, pointer(facts))
    key = key_of(facts, known)
    questions.keys[slot], questions.known[slot] = key, known
    first = find_row(table.infosets, key)
    if first != NO_ROW:
        return first, True
    return add_entry(table, key, facts, known, questions.actions[slot], questions.counts[slot]), False


@inlined_kernel
def ask_for_prior(game: Table, aim: OosAim, walks: Walks, slot: int, first: int, player: int) -> None:
    """Ask about an information set that a walk has just added; the walk goes on, the answer is used when it comes."""
    if aim.prior > 0.0:
        questions, entering, state = walks.questions, walks.entering, walks.questions.states[slot]
        walks.newest[slot] = first
        entering.known[slot], entering.counts[slot] = questions.known[slot], questions.counts[slot]
        for i in range(questions.known[slot]):
            entering.facts[slot, i] = questions.facts[slot, i]
        for i in range(questions.counts[slot]):
            entering.actions[slot, i] = questions.actions[slot, i]
        for i in range(len(state)):
            entering.states[slot, i] = state[i]
        if has_critic(aim):
            ask_critic(game, pointer(state), player, walks.critic, len(walks.newest) + slot)


@inlined_kernel
def has_critic(aim: OosAim) -> bool:
    return aim.rollout_weight < 1.0


@inlined_kernel
def add_priors(aim: OosAim, table: Regrets, walks: Walks) -> None:
    """Begin the information sets that were asked about: regrets with the evaluator's policy, baselines with a critic's.

    The policy is multiplied by a constant and added to the regrets. All are positive: regret matching begins with that
    policy, and what simulations find moves it. What the critic expects counts as one observation of every action.
    """
    slots, weight = len(walks.newest), aim.prior * scale_of(aim, 1)  # in the units of targeted updates
    for slot in range(slots):
        first, count = walks.newest[slot], walks.entering.counts[slot] if aim.prior > 0.0 else 0
        if first != NO_ROW:
            for i in range(count):
                table.entries[first + i] += weight * walks.entering.policies[slot, i]
                if has_critic(aim) and aim.baseline_rate > 0.0 and table.baselines[first + count + i] == 0.0:
                    move_baseline(table, first + i, first + count + i, walks.critic.values[slots + slot], 1.0)
            walks.newest[slot] = NO_ROW


@inlined_kernel
def ask_about_leaf(game: Table, walks: Walks, slot: int, player: int) -> None:
    """Ask a critic about the first decision below the tree."""
    ask_critic(game, row_pointer(walks.questions.states, slot), player, walks.critic, slot)
    walks.movers[slot], walks.judged[slot] = player, ASKED


@inlined_kernel
def consult(aim: OosAim, table: Regrets, walks: Walks, slot: int, player: int, first: int, weight: float) -> None:
    """Write the player's strategy and its sampling policy; add the strategy to the average of a player not updated."""
    count = walks.questions.counts[slot]
    match_regrets(table, first, count, walks.strategy)
    if player == walks.path.updated[slot]:
        mix_uniform(walks.strategy, count, aim.epsilon, walks.sampling)
    else:
        add_to_average(table, first, count, walks.strategy, weight * walks.reach[player])
        mix_uniform(walks.strategy, count, aim.gamma, walks.sampling)


@inlined_kernel
def draw(
    game: Table, aim: OosAim, walks: Walks, slot: int, where: int, targeted: bool, rng: Generator
) -> tuple[int, int, float]:
    """Draw a choice; return it, the walk's state with respect to the target, and the factor by which s1 / s2 grows."""
    questions, in_target = walks.questions, walks.trial.in_target
    state, count = questions.states[slot], questions.counts[slot]
    share = 0.0
    if where == ON_THE_WAY:
        mark_in_target(game, state, questions.actions[slot], count, aim.target, walks.trial)
        share = restrict(walks.sampling, count, in_target, walks.restricted)
        if share == 0.0:
            where = LOST  # both scenarios continue alike: the ratio stays, and the weights stay unbiased
    choice = choose(walks.restricted if targeted and share > 0.0 else walks.sampling, count, rng)
    if share == 0.0:
        return choice, where, 1.0
    if in_target[choice]:
        return choice, ON_THE_WAY, 1.0 / share
    return choice, LEFT, 0.0


@inlined_kernel
def keep_decision(walks: Walks, slot: int, first: int, choice: int) -> None:
    """Keep a decision of the updated player until the walk's end."""
    path = walks.path
    last = path.decisions[slot]
    path.firsts[slot, last], path.counts[slot, last] = first, walks.questions.counts[slot]
    path.choices[slot, last], path.chances[slot, last] = choice, walks.strategy[choice]
    path.decisions[slot] = last + 1


@inlined_kernel
def take_stock(aim: OosAim, where: int, ratio: float, targeted: bool) -> None:
    """Update the counters, and by a targeted walk the estimated probability that an untargeted one stays in target."""
    if aim.target.known > 0:
        aim.tally[TARGETED] += targeted
        aim.tally[KEPT] += ratio > 0.0 and where != LOST
        aim.tally[CAME] += where == ARRIVED
        aim.tally[DEAD_ENDS] += where == LOST
        if targeted:
            aim.hit[0] = aim.decay * aim.hit[0] + (1.0 - aim.decay) / ratio


@inlined_kernel
def back_up(game: Table, aim: OosAim, table: Regrets, walks: Walks, slot: int) -> None:
    """Update the regrets on the path of a finished walk, from its end to its start."""
    won = outcome(game, aim, walks, slot)
    if aim.baseline_rate > 0.0:
        back_up_by_baselines(aim, table, walks, slot, won)
    else:
        back_up_the_return(table, walks, slot, won)


@inlined_kernel
def outcome(game: Table, aim: OosAim, walks: Walks, slot: int) -> float:
    """Return what the updated player wins: the game's return, or what a critic expects at the leaf, or their mean."""
    updated, weight, won = walks.path.updated[slot], 1.0, 0.0
    if walks.judged[slot] == ANSWERED:
        weight = aim.rollout_weight
        won = (1.0 - weight) * walks.critic.values[slot]
        if walks.movers[slot] != updated:
            won = -won
    if weight > 0.0:
        game.returns(row_pointer(walks.questions.states, slot), pointer(walks.returns))
        won += weight * walks.returns[updated]
    return won


@inlined_kernel
def back_up_the_return(table: Regrets, walks: Walks, slot: int, returned: float) -> None:
    path = walks.path
    won = returned * path.weights[slot]
    for i in range(path.decisions[slot] - 1, -1, -1):
        after, first = won, path.firsts[slot, i]
        won *= path.chances[slot, i]
        for entry in range(first, first + path.counts[slot, i]):
            table.entries[entry] -= won
        table.entries[first + path.choices[slot, i]] += after
