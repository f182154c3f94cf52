// Files for the person.

import { h } from "./dom.js";

export function download(name, content) {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

export const textFile = (text, type) => new Blob([text], { type });
