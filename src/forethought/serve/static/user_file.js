// The file that was named on the command line: tells whoever listens when it is edited. Without one nothing is asked.

import * as api from "./api.js";

const EVERY = 2000; // milliseconds between two looks
const listeners = new Set();
let known = null;

async function look() {
  try {
    const file = await api.userFile();
    if (file.name === null) return;
    const edited = known !== null && known.version !== file.version;
    known = file;
    if (edited) listeners.forEach((listen) => listen(file));
  } catch {
    // The server does not answer: whatever else is shown says so.
  }
  setTimeout(look, EVERY);
}

// Whether something was made of another version of the file than there is now.
export const isOutdated = ({ game, version }) => /^yours\b/.test(game) && known !== null && version !== known.version;

// Call back whenever the file is edited; returns what ends that.
export function watchFile(listen) {
  if (!listeners.size && known === null) look();
  listeners.add(listen);
  return () => listeners.delete(listen);
}
