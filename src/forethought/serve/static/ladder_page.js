// Ratings and matches with their intervals, one game at a time.

import * as api from "./api.js";
import { whiskers } from "./charts.js";
import { h, refused, replace } from "./dom.js";
import { percent } from "./formatting.js";

export function showLadder(root, _argument, fail) {
  const body = h("div", {}, h("p", { class: "muted" }, "Loading …"));
  root.append(h("h1", {}, "Ladder"), body);
  api.ladder().then(({ games }) => replace(body, games.length ? choice(games) : nothing()), refused(body));
  return () => {};
}

const nothing = () => h(
  "p",
  {},
  "There are no matches yet: ",
  h("code", {}, "forethought match leduc oos:2000 random"),
  " plays one.",
);

// A tab per game, and the ladder of the selected game.
function choice(games) {
  const place = h("div", {});
  const tabs = games.map((one, n) => h("button", { type: "button", class: "tab", click: () => choose(n) }, one.game));
  const choose = (chosen) => {
    tabs.forEach((tab, n) => tab.setAttribute("aria-pressed", n === chosen));
    replace(place, ladderOf(games[chosen]));
  };
  choose(0);
  return [h("div", { class: "tabs", role: "group", "aria-label": "game" }, tabs), place];
}

function ladderOf({ players, matches }) {
  const rows = players.map(({ name, elo, low, high }) => ({ name, value: elo, low, high }));
  return [
    h("section", { class: "panel" }, h("h2", {}, "Ratings (Elo, 95 % intervals)"), whiskers(rows)),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, "Players"),
      table(["player", "Elo", "95 % interval", "games"], players.map(rating)),
    ),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, "Matches"),
      table(["first", "second", "games", "score of first", "95 % interval"], matches.map(match)),
    ),
  ];
}

const rating = ({ name, elo, low, high, games }) => [name, Math.round(elo), between(low, high, Math.round), games];
const match = ({ first, second, games, score, low, high }) =>
  [first, second, games, share(score), between(low, high, share)];
const share = (value) => percent(value, 1);
const between = (low, high, format) => `${format(low)} to ${format(high)}`;

function table(names, rows) {
  const head = h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)));
  const body = rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, String(cell)))));
  return h("div", { class: "scroll" }, h("table", { class: "data" }, h("thead", {}, head), h("tbody", {}, body)));
}
