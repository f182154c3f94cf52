// Which digit plays which action; it is printed on the button or card that it plays. Where the name of every action that is
// offered has a number, as cards to bid have, it is that number. Else, as of "check" and "raise 2", it is the number of the
// action, counted from 1, which is the same in every position.

const isDigit = (text) => /^\d$/.test(text);

const numbersOf = ({ name }) => name.match(/\d+/g) ?? [];

function keyOf(entry, named) {
  const numbers = numbersOf(entry);
  if (numbers.length > 1) return null; // a cell, or a bid of dice
  const key = named ? numbers[0] : String(entry.action + 1);
  return isDigit(key) ? key : null;
}

// The entries by their keys; a key that two would have plays neither.
export function entriesByKey(entries) {
  const named = entries.every((entry) => numbersOf(entry).length > 0);
  const keys = entries.map((entry) => keyOf(entry, named));
  const isAlone = (key) => key !== null && keys.indexOf(key) === keys.lastIndexOf(key);
  return new Map(keys.map((key, place) => [key, entries[place]]).filter(([key]) => isAlone(key)));
}
