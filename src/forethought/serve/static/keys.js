// Which digit plays which action. A key means what is printed on the button or card that it plays, in every position:
// the number in the action's name, else the number of the action, counted from 1.

const isDigit = (text) => /^\d$/.test(text);

function keyOf({ action, name }) {
  const numbers = name.match(/\d+/g) ?? [String(action + 1)];
  return numbers.length === 1 && isDigit(numbers[0]) ? numbers[0] : null;
}

// The entries by their keys; a key that two would have plays neither.
export function entriesByKey(entries) {
  const keys = entries.map(keyOf);
  const isAlone = (key) => key !== null && keys.indexOf(key) === keys.lastIndexOf(key);
  return new Map(keys.map((key, place) => [key, entries[place]]).filter(([key]) => isAlone(key)));
}
