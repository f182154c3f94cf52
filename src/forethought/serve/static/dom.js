// Creates elements. Text is always added as text, so nothing from the server can become markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (isThere(value)) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter(isThere));
  return node;
}

const isThere = (value) => value !== null && value !== undefined && value !== false;

// h("button", {class: "quiet", click: undo}, "Undo"): functions listen, true and false switch an attribute on and off.
export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export function replace(node, ...children) {
  node.replaceChildren(...children.flat().filter(isThere));
}

// Shows in a place why what should be there is not.
export const refused = (place) => (error) => replace(place, h("p", { class: "refusal", role: "alert" }, error.message));

// Whether an input has the keyboard, so that digits and arrows are not for the game.
export const isTyping = (event) => event.target.closest("input, select, textarea") !== null;

// A long name breaks between its words and nowhere else; a short one not at all.
const SHORT = 12; // characters

export function words(name) {
  const parts = name.length > SHORT ? name.split(" ") : [name];
  return parts.flatMap((word, n) => [n > 0 && " ", h("span", { class: "word" }, word)]);
}
