// Cards, dice, chips and text: what a game draws by its own rule.

import { keyCap } from "./action_buttons.js";
import { h, svg } from "./dom.js";
import { plain } from "./formatting.js";

const SUITS = new Map([
  ["s", ["\u2660", "spades"]],
  ["h", ["\u2665", "hearts"]],
  ["d", ["\u2666", "diamonds"]],
  ["c", ["\u2663", "clubs"]],
]);
const MOST_DISCS = 8; // of a pile of chips; higher ones are drawn alike

// Where pips lie on a die, in a grid of three by three.
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

// Draw the items of a position. `names`: those of the seats; `legal`: actions that a click on a card may play, some of
// them with a key.
export function drawing(items, names, legal, keys, play) {
  const actions = new Map(legal.map((entry) => [entry.action, { entry, key: keys.get(entry) }]));
  const places = [];
  for (const item of items.filter(({ kind }) => DRAW.has(kind))) {
    const content = h("div", { class: `item ${item.kind}` }, labelled(item), DRAW.get(item.kind)(item, actions, play));
    const seat = item.seat ?? null;
    if (places.at(-1)?.seat !== seat) places.push({ seat, contents: [] });
    places.at(-1).contents.push(content);
  }
  return places.length > 0 && h("div", { class: "drawing" }, places.map(({ seat, contents }) => place(seat, names, contents)));
}

// The items of one seat, or those that belong to nobody.
function place(seat, names, contents) {
  const row = h("div", { class: "items" }, contents);
  if (seat === null) return h("section", { class: "place shared" }, row);
  return h("section", { class: `place seat${seat + 1}` }, h("h2", {}, names[seat] ?? `Player ${seat}`), row);
}

// The heading names the seat, so the label of an item leaves it out.
function labelled(item) {
  const text = Number.isInteger(item.seat) ? item.label.replace(/(\s*of)?\s*player \d+\s*/, "") : item.label;
  return text ? h("p", { class: "item-label" }, text) : null;
}

// The actions that a click on a card plays; they need no button.
export function actionsOnCards(items) {
  const cards = (items ?? []).flatMap((item) => (item.kind === "cards" ? item.cards : []));
  return new Set(cards.filter((card) => Number.isInteger(card.action)).map((card) => card.action));
}

// What the game says of actions, by action: what a bet costs.
export const notesOf = (items) =>
  new Map((items ?? []).flatMap(({ notes }) => notes ?? []).map(({ action, text }) => [action, text]));

// The cells of the board that the game marks: a row that has won.
export const markedCells = (items) => (items ?? []).flatMap(({ cells }) => cells ?? []);

// What the players have so far: texts by seat.
export function scoresOf(items) {
  const scores = (items ?? []).filter(({ kind }) => kind === "score");
  return new Map(scores.map(({ seat, amount, label }) => [seat, `${plain(amount)} ${label}`]));
}

function cardRow(item, actions, play) {
  const many = item.cards.length > 7 ? " wide many" : item.cards.length > 4 ? " wide" : "";
  return h("div", { class: `row${many}` }, item.cards.map((card) => oneCard(card, actions, play)));
}

function oneCard(card, actions, play) {
  if (card.hidden) return h("div", { class: "card back", role: "img", "aria-label": "a card face down" });
  const [sign, suit] = SUITS.get(card.suit) ?? [null, null];
  const red = card.suit === "h" || card.suit === "d" ? " red" : "";
  const face = [
    h("span", { class: "rank" }, card.text),
    sign && h("span", { class: "suit", role: "img", "aria-label": ` of ${suit}` }, sign),
  ];
  if (!actions.has(card.action)) {
    const used = card.used ? unseen(", used") : null;
    const current = card.current ? " current" : "";
    return h("div", { class: `card${red}${used ? " used" : ""}${current}` }, face, used, current && unseen(", now"));
  }
  const { entry, key } = actions.get(card.action);
  return h(
    "button",
    {
      class: `card playable${red}`,
      type: "button",
      "data-action": entry.action,
      "aria-keyshortcuts": key,
      click: () => play([entry]),
    },
    keyCap(key),
    face,
  );
}

const unseen = (text) => h("span", { class: "unseen" }, text);

function diceRow(item) {
  return h("div", { class: "row" }, item.dice.map((face) => (face === null ? covered() : die(face))));
}

const covered = () => h("div", { class: "die covered", role: "img", "aria-label": "a hidden die" }, "?");

function die(face) {
  const at = (step) => 11 + 14 * step;
  const pip = (place) => svg("circle", { cx: at(place % 3), cy: at(Math.floor(place / 3)), r: 4.2 });
  const number = () => svg("text", { x: 25, y: 33 }, String(face)); // dice may have other faces
  const picture = svg("svg", { viewBox: "0 0 50 50" }, Object.hasOwn(PIPS, face) ? PIPS[face].map(pip) : number());
  return h("div", { class: "die", role: "img", "aria-label": `a die showing ${face}` }, picture);
}

function chipPile(item) {
  const height = Math.min(MOST_DISCS, Math.max(0, Math.ceil(item.amount)));
  const disc = (_, n) => svg("ellipse", { cx: 20, cy: 5 * (height - n) + 4, rx: 17, ry: 7 });
  const discs = Array.from({ length: height }, disc);
  const picture = svg("svg", { viewBox: `0 0 40 ${5 * height + 14}`, "aria-hidden": "true" }, discs);
  return h("div", { class: "row pile" }, height > 0 && picture, h("strong", {}, plain(item.amount)));
}

function words(item) {
  return h("p", { class: "said" }, item.text);
}

const DRAW = new Map([["cards", cardRow], ["dice", diceRow], ["chips", chipPile], ["words", words]]);
