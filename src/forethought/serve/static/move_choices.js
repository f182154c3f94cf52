// What a click on a cell means, given the legal actions. Nothing is drawn here.

const NOWHERE = -1;
const OFF_BOARD = { origin: NOWHERE, target: NOWHERE, kind: 0 };

// What an action does on the board.
export const moveOf = (board, action) => board.moves[action] ?? OFF_BOARD;

function add(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}

export class Choices {
  constructor(board, pieces, legal) {
    this.places = new Map(); // cell -> legal actions that put something there
    this.moves = new Map(); // origin -> Map of target -> legal actions
    this.landings = new Map(); // cell -> where a piece put there lands
    this.rest = []; // legal actions without a cell, such as a pass
    for (const entry of legal) this.#sort(board, pieces, entry, moveOf(board, entry.action));
  }

  #sort(board, pieces, entry, { origin, target }) {
    if (origin === NOWHERE && target === NOWHERE) this.rest.push(entry);
    else if (origin !== NOWHERE && target !== NOWHERE) {
      if (!this.moves.has(origin)) this.moves.set(origin, new Map());
      add(this.moves.get(origin), target, entry);
    } else if (board.stacks) this.#stack(board, pieces, entry, target);
    else add(this.places, Math.max(origin, target), entry);
  }

  // Pieces pile up: the whole column means the same action, and the piece lands on the first free cell.
  #stack(board, pieces, entry, target) {
    const column = columnOf(board, target);
    const landing = landingOf(board, pieces, target);
    for (const cell of column) {
      add(this.places, cell, entry);
      this.landings.set(cell, landing);
    }
  }

  // The origin if there is only one; null if there are several, or also placements.
  get onlyOrigin() {
    return this.moves.size === 1 && this.places.size === 0 ? [...this.moves.keys()][0] : null;
  }

  // A click on a cell while an origin may be selected: {play: actions} or {select: origin or null}.
  click(cell, selected) {
    const onwards = this.moves.get(selected)?.get(cell);
    if (onwards) return { play: onwards };
    if (this.moves.has(cell)) return { select: cell === selected ? null : cell };
    if (this.places.has(cell)) return { play: this.places.get(cell) };
    return { select: null };
  }

  // The cells that can be clicked to play, once this origin is selected.
  targets(selected) {
    return selected === null ? [...this.places.keys()] : [...(this.moves.get(selected)?.keys() ?? [])];
  }
}

// The cells above a cell in its column, from the lowest.
export function columnOf(board, cell) {
  const { x } = board.cells[cell];
  return board.cells
    .map((_, number) => number)
    .filter((number) => Math.abs(board.cells[number].x - x) < 1e-6)
    .sort((a, b) => board.cells[a].y - board.cells[b].y);
}

// Where a piece put into the column of a cell comes to rest: on the first free cell.
export const landingOf = (board, pieces, cell) => columnOf(board, cell).find((one) => !pieces?.[one]) ?? cell;

// Where an action left its piece, for a mark: on a board of stacks, the top of the column.
export function restOf(board, pieces, target) {
  if (!board.stacks || !pieces || target === NOWHERE) return target;
  return columnOf(board, target).findLast((cell) => pieces[cell]) ?? target;
}
