"""Counting pairs of patterns that hold at the same time: how often each union holds, and with how much error.

Unions are identified by 64-bit keys that are equal for all images of a pattern: a random word for each cell and what it
may be, summed; the key is the smallest sum over all turns. So the key of two patterns without a shared cell takes a few
additions, and a shared cell a correction. Among a million unions the probability of two equal keys is about 10^-7.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s, Int64s, UInt64s
from forethought.board import NOWHERE
from forethought.compiler import inlined_kernel, kernel
from forethought.patterns.pattern import FROM, OFF, TO
from forethought.randomness import Generator, word

MOST_IMAGES = 75  # that are paired in one case: those with the largest weights
MOST_PAIRS = MOST_IMAGES * (MOST_IMAGES - 1) // 2
ORIGIN = 16  # in place of what a cell may be: it is the move's origin
AROUND_ORIGIN = np.uint64(0x9E3779B97F4A7C15)  # added to the keys of patterns that are anchored at the origin
FREE = -1


class Ground(NamedTuple):
    """The board, and the turns of its tiling."""

    columns: Int64s  # [cells]
    rows: Int64s  # [cells]
    cells: Int64s  # [rows, columns] the cell there, or NOWHERE
    turns: Int64s  # [turns, 2, 2]


class Images(NamedTuple):
    """All images of all patterns, one after another."""

    pattern: Int64s  # [images]
    weight: Float64s  # [images] absolute weight of the pattern
    anchor: Int64s  # [images]
    origin: Int64s  # [images, 2] relative to the target; valid only where `has_origin`
    has_origin: npt.NDArray[np.bool_]  # [images]
    begin: Int64s  # [images + 1] offsets of the images' cells in the next three
    right: Int64s
    up: Int64s
    allowed: Int64s
    sums: UInt64s  # [images, turns] of the words of the cells


class Cases(NamedTuple):
    """Legal actions of some positions, and the error of a policy for each."""

    cells: npt.NDArray[np.int8]  # [positions, cells] as the player to move sees them
    position: Int64s  # [cases]
    target: Int64s  # [cases] where the piece comes to rest; NOWHERE for a pass
    origin: Int64s  # [cases] or NOWHERE
    error: Float64s  # [cases] the policy's probability minus its target


class PairWork(NamedTuple):
    """Scratch memory for one case."""

    image: Int64s  # [images] those that hold
    tie: UInt64s  # [images] random words that order equal weights
    sums: UInt64s  # [2, MOST_IMAGES, turns] by frame: relative to the target, and to the origin
    shift: Int64s  # [2] from the target to the origin
    origin_words: UInt64s  # [turns]
    total: UInt64s  # [turns]
    next_case: Int64s  # [1]


class Pairs(NamedTuple):
    """The patterns themselves, then the unions in the order in which they were first found."""

    key: UInt64s  # [room]
    times: Int64s  # [room] cases in which it held
    error: Float64s  # [room] sum over those cases
    last: Int64s  # [room] the last of them
    first: Int64s  # [room, 3] two images whose union it is, and the case in which they were seen
    places: Int64s  # [a power of two] rows by key, open addressing; FREE where there is none
    used: Int64s  # [1]


@inlined_kernel
def word_of(right: int, up: int, mark: int) -> Any:
    """Return the random word of a cell and a mark on it (the last steps of splitmix64)."""
    bits = np.uint64(((right + 4096) * 8192 + up + 4096) * 32 + mark) + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@inlined_kernel
def turned_word(turns: Int64s, turn: int, right: int, up: int, mark: int) -> Any:
    return word_of(
        turns[turn, 0, 0] * right + turns[turn, 0, 1] * up, turns[turn, 1, 0] * right + turns[turn, 1, 1] * up, mark
    )


@inlined_kernel
def write_sums(turns: Int64s, images: Images, image: int, shift: Int64s, out: UInt64s) -> None:
    """Sum the words of an image's cells, turn by turn, the image shifted first."""
    for turn in range(len(turns)):
        out[turn] = np.uint64(0)
        for i in range(images.begin[image], images.begin[image + 1]):
            right, up = images.right[i] + shift[0], images.up[i] + shift[1]
            out[turn] += turned_word(turns, turn, right, up, images.allowed[i])


@kernel
def prepare(ground: Ground, images: Images, no_shift: Int64s, pairs: Pairs) -> None:
    """Write the sums of all images, and a row for each pattern."""
    for image in range(len(images.pattern)):
        sums = images.sums[image]
        write_sums(ground.turns, images, image, no_shift, sums)
        if images.pattern[image] == pairs.used[0]:
            smallest = np.uint64(0xFFFFFFFFFFFFFFFF)
            for turn in range(len(ground.turns)):
                total = sums[turn]
                if images.has_origin[image]:
                    right, up = images.origin[image, 0], images.origin[image, 1]
                    total += turned_word(ground.turns, turn, right, up, ORIGIN)
                smallest = min(smallest, total)
            add_row(pairs, smallest + AROUND_ORIGIN if images.anchor[image] == FROM else smallest)


@inlined_kernel
def place_of(pairs: Pairs, key: Any) -> int:
    """Return the place of a key's row, or the free place where it belongs."""
    mask = np.uint64(len(pairs.places) - 1)
    place = key & mask
    while pairs.places[place] != FREE and pairs.key[pairs.places[place]] != key:
        place = (place + np.uint64(1)) & mask
    return place  # type: ignore[no-any-return]


@inlined_kernel
def add_row(pairs: Pairs, key: Any) -> int:
    """Return the row of a key, a new one if there was none; the caller guarantees capacity."""
    place = place_of(pairs, key)
    if pairs.places[place] == FREE:
        row = pairs.used[0]
        pairs.used[0] += 1
        pairs.key[row] = key
        pairs.places[place] = row
    return pairs.places[place]  # type: ignore[no-any-return]


@kernel
def place_rows(pairs: Pairs) -> None:
    """Fill an empty hash table with all rows."""
    for row in range(pairs.used[0]):
        pairs.places[place_of(pairs, pairs.key[row])] = row


@kernel
def count_cases(ground: Ground, images: Images, cases: Cases, work: PairWork, pairs: Pairs, rng: Generator) -> bool:
    """Count patterns and unions in one case after another; return whether all are done, or more room is needed."""
    while work.next_case[0] < len(cases.error):
        if pairs.used[0] + MOST_PAIRS > len(pairs.key):
            return False
        case = work.next_case[0]
        enter_case(ground, cases, case, work)
        kept = keep_heaviest(images, work, list_images(ground, images, cases, case, work), rng)
        count_pairs(ground, images, cases, work, pairs, kept)
        work.next_case[0] += 1
    return True


@inlined_kernel
def enter_case(ground: Ground, cases: Cases, case: int, work: PairWork) -> None:
    """Store the shift from target to origin, if the action has both."""
    target, origin = cases.target[case], cases.origin[case]
    if NOWHERE not in (target, origin):
        work.shift[0] = ground.columns[origin] - ground.columns[target]
        work.shift[1] = ground.rows[origin] - ground.rows[target]
        for turn in range(len(ground.turns)):
            work.origin_words[turn] = turned_word(ground.turns, turn, work.shift[0], work.shift[1], ORIGIN)


@kernel
def list_images(ground: Ground, images: Images, cases: Cases, case: int, work: PairWork) -> int:
    """List the images that hold for the action of a case; return how many."""
    cells = cases.cells[cases.position[case]]
    target, origin = cases.target[case], cases.origin[case]
    n = 0
    for image in range(len(images.pattern)):
        anchor = origin if images.anchor[image] == FROM else target
        if (
            anchor != NOWHERE
            and fits_origin(images, image, origin, work)
            and holds(ground, images, image, cells, anchor)
        ):
            work.image[n] = image
            n += 1
    return n


@inlined_kernel
def fits_origin(images: Images, image: int, origin: int, work: PairWork) -> bool:
    if not images.has_origin[image]:
        return True
    right, up = images.origin[image, 0], images.origin[image, 1]
    return origin != NOWHERE and right == work.shift[0] and up == work.shift[1]


@inlined_kernel
def holds(ground: Ground, images: Images, image: int, cells: npt.NDArray[np.int8], anchor: int) -> bool:
    rows, columns = ground.cells.shape
    for i in range(images.begin[image], images.begin[image + 1]):
        row, column = ground.rows[anchor] + images.up[i], ground.columns[anchor] + images.right[i]
        state = OFF
        if 0 <= row < rows and 0 <= column < columns and ground.cells[row, column] != NOWHERE:
            state = cells[ground.cells[row, column]]
        if images.allowed[i] >> state & 1 == 0:
            return False
    return True


@kernel
def keep_heaviest(images: Images, work: PairWork, n: int, rng: Generator) -> int:
    """Move the images with the largest weights to the front, equal ones in random order; return how many are kept."""
    if n <= MOST_IMAGES:
        return n
    for i in range(n):
        work.tie[i] = word(rng)
    for i in range(MOST_IMAGES):
        best = i
        for j in range(i + 1, n):
            weight, heaviest = images.weight[work.image[j]], images.weight[work.image[best]]
            if weight > heaviest or (weight == heaviest and work.tie[j] > work.tie[best]):
                best = j
        work.image[i], work.image[best] = work.image[best], work.image[i]
        work.tie[i], work.tie[best] = work.tie[best], work.tie[i]
    return MOST_IMAGES


@kernel
def count_pairs(ground: Ground, images: Images, cases: Cases, work: PairWork, pairs: Pairs, kept: int) -> None:
    """Count the patterns of the images that are kept, and the unions of any two that are no pattern yet."""
    case, patterns = work.next_case[0], images.pattern[len(images.pattern) - 1] + 1
    error = cases.error[case]
    for a in range(kept):
        image = work.image[a]
        count(pairs, images.pattern[image], case, error)
        for turn in range(len(ground.turns)):
            work.sums[images.anchor[image], a, turn] = images.sums[image, turn]
        if images.anchor[image] == FROM and cases.target[case] != NOWHERE:
            write_sums(ground.turns, images, image, work.shift, work.sums[TO, a])
    for a in range(kept):
        for b in range(a + 1, kept):
            row = add_row(pairs, union_key(ground, images, work, a, b))
            if row >= patterns:
                if pairs.times[row] == 0:
                    pairs.first[row, 0], pairs.first[row, 1], pairs.first[row, 2] = work.image[a], work.image[b], case
                count(pairs, row, case, error)


@inlined_kernel
def count(pairs: Pairs, row: int, case: int, error: float) -> None:
    """Count a case once."""
    if pairs.last[row] != case:
        pairs.last[row] = case
        pairs.times[row] += 1
        pairs.error[row] += error


@inlined_kernel
def union_key(ground: Ground, images: Images, work: PairWork, a: int, b: int) -> Any:
    """Return the key of the union of two images that hold; it is anchored at the origin only if both are."""
    one, other = work.image[a], work.image[b]
    frame = FROM if images.anchor[one] == FROM and images.anchor[other] == FROM else TO
    for turn in range(len(ground.turns)):
        work.total[turn] = work.sums[frame, a, turn] + work.sums[frame, b, turn]
    if frame == TO and (tells_origin(images, one) or tells_origin(images, other)):
        for turn in range(len(ground.turns)):
            work.total[turn] += work.origin_words[turn]
    correct_shared(ground, images, work, (one, other), frame)
    smallest = work.total[0]
    for turn in range(1, len(ground.turns)):
        smallest = min(smallest, work.total[turn])
    return smallest + AROUND_ORIGIN if frame == FROM else smallest


@inlined_kernel
def tells_origin(images: Images, image: int) -> bool:
    return images.has_origin[image] or images.anchor[image] == FROM  # type: ignore[no-any-return]


@inlined_kernel
def correct_shared(ground: Ground, images: Images, work: PairWork, pair: tuple[int, int], frame: int) -> None:
    """Replace the two words of each shared cell by the word of what both images allow there."""
    one, other = pair
    (right, up), (other_right, other_up) = shift_in(images, work, one, frame), shift_in(images, work, other, frame)
    for i in range(images.begin[one], images.begin[one + 1]):
        x, y = images.right[i] + right, images.up[i] + up
        for j in range(images.begin[other], images.begin[other + 1]):
            if images.right[j] + other_right == x and images.up[j] + other_up == y:
                first, second = images.allowed[i], images.allowed[j]
                for turn in range(len(ground.turns)):
                    work.total[turn] += turned_word(ground.turns, turn, x, y, first & second)
                    work.total[turn] -= turned_word(ground.turns, turn, x, y, first)
                    work.total[turn] -= turned_word(ground.turns, turn, x, y, second)


@inlined_kernel
def shift_in(images: Images, work: PairWork, image: int, frame: int) -> tuple[int, int]:
    """Return the position of an image's anchor in a frame."""
    if frame == TO and images.anchor[image] == FROM:
        return work.shift[0], work.shift[1]
    return 0, 0
