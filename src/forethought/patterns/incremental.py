"""Which patterns match, updated as pieces come and go: only instances that depend on a changed cell are touched.

An instance has a count of its unmet elements, a slot (a pattern at a site) a count of its instances without any, and a
site a *mass*: the product of exp(weight) of all its active patterns. A move's probability is proportional to the
product of the masses of its target, its origin, and of itself. So no sums and exponentials are computed in play.
"""

import math
from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float64s, Int8s, Int64s, UInt64s
from forethought.compiler import inlined_kernel, kernel, pointer
from forethought.compiler.rows import copy_row
from forethought.game import PUBLIC, Game, Table
from forethought.patterns.instances import landing
from forethought.patterns.policies import Joined, Policies
from forethought.patterns.single_cell import BYTE, occurrence, transition

WORD = 8  # cells that are compared at once


class ActivePatterns(NamedTuple):
    """Which patterns match in one position."""

    owners: Int8s  # [cells, and some that are never used] 0, or 1 + player
    words: UInt64s  # the same memory, eight cells at once
    unmet: Int8s  # [instances] number of elements that do not hold
    met: Int8s  # [slots] number of instances whose elements all hold
    counts: Int64s  # [rings] cells of each kind, a byte each (`single_cell.py`)
    mass: Float64s  # [2 * sites] of player 0 and player 1, alternately


class PatternMemory(NamedTuple):
    """What matches at the present position, at the root, and on an empty board; and scratch memory for updates."""

    now: ActivePatterns
    root: ActivePatterns
    empty: ActivePatterns
    seen: Int8s  # as `owners`
    seen_words: UInt64s
    facts: Int64s
    chances: Float64s  # [choices]


def make_pattern_memory(game: Game, patterns: Joined) -> PatternMemory:
    """Return the memory of one search or one series of games."""
    seen, seen_words = _owners(patterns)
    facts, chances = np.zeros(game.facts, np.int64), np.zeros(game.table.choices)
    now, root, empty = (_make_active(patterns) for _ in range(3))
    return PatternMemory(now, root, empty, seen, seen_words, facts, chances)


def _make_active(patterns: Joined) -> ActivePatterns:
    counts = patterns.rings.counts.copy()
    return ActivePatterns(
        *_owners(patterns), patterns.unmet.copy(), patterns.met.copy(), counts, np.ones(2 * patterns.sites)
    )


def _owners(patterns: Joined) -> tuple[Int8s, UInt64s]:
    words = np.zeros(-(-patterns.cells // WORD), np.uint64)
    return words.view(np.int8), words


@inlined_kernel
def start_from_empty(policies: Policies, memory: PatternMemory) -> None:
    """Compute the masses of an empty board, as weights may have changed, and begin there."""
    patterns, rings, mass = policies.patterns, policies.patterns.rings, memory.empty.mass
    mass[:] = 1.0
    for slot in range(len(patterns.met)):
        if patterns.met[slot] > 0:
            mass[patterns.slot_mass[slot]] *= policies.factors[patterns.slot_pattern[slot]]
    for ring in range(len(rings.counts)):
        factors = policies.ring_factors[rings.kind[ring], occurrence(rings.counts[ring])]
        for player in range(2):
            mass[2 * rings.site[ring] + player] *= factors[player]
    copy_active(memory.empty, memory.now)


@inlined_kernel
def copy_active(source: ActivePatterns, target: ActivePatterns) -> None:
    copy_row(source.words, target.words)
    copy_row(source.unmet, target.unmet)
    copy_row(source.met, target.met)
    copy_row(source.counts, target.counts)
    copy_row(source.mass, target.mass)


@inlined_kernel
def update(game: Table, policies: Policies, memory: PatternMemory, state: Bytes) -> None:
    """Read where the pieces are, and update what depends on cells that have changed."""
    seen, words, facts, cells = memory.seen, memory.seen_words, memory.facts, policies.patterns.cells
    words[:] = 0
    known = game.facts(pointer(state), PUBLIC, pointer(facts))
    for i in range(known):
        fact = facts[i]
        if fact < cells:
            seen[fact] = 1
        elif fact < 2 * cells:
            seen[fact - cells] = 2
    now = memory.now
    for word in range(len(words)):
        if words[word] != now.words[word]:
            for cell in range(WORD * word, WORD * word + WORD):
                if seen[cell] != now.owners[cell]:
                    change(policies, now, cell, seen[cell])


@inlined_kernel
def change(policies: Policies, active: ActivePatterns, cell: int, owner: int) -> None:
    """Change the owner of a cell."""
    before = active.owners[cell]
    change_rings(policies, active, cell, before, owner)
    change_instances(policies, active, cell, before, owner)
    active.owners[cell] = owner


@inlined_kernel
def change_rings(policies: Policies, active: ActivePatterns, cell: int, before: int, after: int) -> None:
    """Update the counts and masses of every ring with the cell.

    Most masses are multiplied by 1, as no kind of cell has come or gone: to ask first would cost more.
    """
    rings, counts, mass, ratios = policies.patterns.rings, active.counts, active.mass, policies.ring_ratios
    step = (1 << after * BYTE) - (1 << before * BYTE)
    for place in range(rings.touched_begin[cell], rings.touched_begin[cell + 1]):
        ring = rings.touched[place]
        kind, changed, site = rings.kind[ring], transition(counts[ring], counts[ring] + step), 2 * rings.site[ring]
        counts[ring] += step
        mass[site] *= ratios[kind, changed, 0]
        mass[site + 1] *= ratios[kind, changed, 1]


@inlined_kernel
def change_instances(policies: Policies, active: ActivePatterns, cell: int, before: int, after: int) -> None:
    """Update the unmet elements of all instances that depend on a cell."""
    patterns, unmet, met, mass = policies.patterns, active.unmet, active.met, active.mass
    key = (cell * 3 + before) * 3 + after
    for place in range(patterns.lost_begin[key], patterns.lost_begin[key + 1]):
        instance = patterns.lost[place]
        if unmet[instance] == 0:
            slot = patterns.slot[instance]
            met[slot] -= 1
            if met[slot] == 0:
                mass[patterns.slot_mass[slot]] *= policies.inverses[patterns.slot_pattern[slot]]
        unmet[instance] += 1
    for place in range(patterns.gained_begin[key], patterns.gained_begin[key + 1]):
        instance = patterns.gained[place]
        unmet[instance] -= 1
        if unmet[instance] == 0:
            slot = patterns.slot[instance]
            met[slot] += 1
            if met[slot] == 1:
                mass[patterns.slot_mass[slot]] *= policies.factors[patterns.slot_pattern[slot]]


@inlined_kernel
def target_site(patterns: Joined, owners: Int8s, action: int) -> int:
    """Return the target of an action, among the sites of one player."""
    target = patterns.targets[action]
    return landing(owners, target, patterns.above) if patterns.stacks and target < patterns.cells else target


@inlined_kernel
def write_policy(
    policies: Policies, active: ActivePatterns, player: int, actions: Int64s, count: int, out: Float64s
) -> None:
    """Write the softmax, over the legal actions, of the priors' weights of their active patterns."""
    patterns, highest = policies.patterns, -math.inf
    for i in range(count):
        out[i] = 0.0
        for part in range(3 if patterns.carries else 1):
            site = site_of(patterns, active, actions[i], part)
            out[i] += prior_weight(policies, active, player, site)
        highest = max(highest, out[i])
    total = 0.0
    for i in range(count):
        out[i] = math.exp(out[i] - highest)
        total += out[i]
    for i in range(count):
        out[i] /= total


@inlined_kernel
def site_of(patterns: Joined, active: ActivePatterns, action: int, part: int) -> int:
    """Return the site of an action's target (part 0), of its origin (1), or of both together (2)."""
    if part == 0:
        return target_site(patterns, active.owners, action)
    return patterns.origins[action] if part == 1 else 2 * patterns.cells + action


@inlined_kernel
def prior_weight(policies: Policies, active: ActivePatterns, player: int, site: int) -> float:
    """Return the sum of the weights of a player's active patterns at a site."""
    patterns, rings, weight = policies.patterns, policies.patterns.rings, 0.0
    first = player * patterns.sites + site
    for slot in range(patterns.site_begin[first], patterns.site_begin[first + 1]):
        if active.met[slot] > 0:
            weight += policies.priors[patterns.slot_pattern[slot]]
    if site < 2 * patterns.cells:
        for ring in range(site % patterns.cells, len(rings.site), patterns.cells):
            if rings.site[ring] == site:
                weight += policies.ring_priors[rings.kind[ring], occurrence(active.counts[ring]), player]
    return weight


@kernel
def update_from_empty(game: Table, policies: Policies, memory: PatternMemory, state: Bytes) -> None:
    """Update from an empty board to a position."""
    copy_active(memory.empty, memory.now)
    update(game, policies, memory, state)


@kernel
def policy_at(policies: Policies, memory: PatternMemory, player: int, actions: Int64s, out: Float64s) -> None:
    """Write the policy of the priors' weights at the present position."""
    write_policy(policies, memory.now, player, actions, len(actions), out)


@kernel
def list_active(
    patterns: Joined, active: ActivePatterns, player: int, actions: Int64s, out: Int64s, ends: Int64s
) -> int:
    """Write the active patterns of each action, one list after another, and where each ends; return how many.

    A player's patterns are numbered from 0. `out` must have room for all of them for every action.
    """
    found = 0
    for i in range(len(actions)):
        for part in range(3 if patterns.carries else 1):
            found = list_at(patterns, active, player, site_of(patterns, active, actions[i], part), out, found)
        ends[i] = found
    return found


@inlined_kernel
def list_at(patterns: Joined, active: ActivePatterns, player: int, site: int, out: Int64s, found: int) -> int:
    """Append the active patterns of a player at a site; return the new length."""
    rings, first, offset = patterns.rings, player * patterns.sites + site, player * patterns.split
    for slot in range(patterns.site_begin[first], patterns.site_begin[first + 1]):
        if active.met[slot] > 0:
            out[found] = patterns.slot_pattern[slot] - offset
            found += 1
    if site < 2 * patterns.cells:
        classes = len(rings.site) // patterns.cells
        for ring in range(site % patterns.cells, len(rings.site), patterns.cells):
            if rings.site[ring] == site:
                here, kind = occurrence(active.counts[ring]), player * classes + rings.kind[ring]
                for i in range(rings.pattern_begin[kind], rings.pattern_begin[kind + 1]):
                    if rings.allowed[i] & here:
                        out[found] = rings.pattern[i] - offset
                        found += 1
    return found
