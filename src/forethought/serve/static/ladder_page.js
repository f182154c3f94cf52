// Ratings and matches with their intervals, one game at a time.

import * as api from "./api.js";
import { whiskers } from "./charts.js";
import { h, replace } from "./dom.js";
import { percent } from "./formatting.js";

export function showLadder(root, _argument, fail) {
  const body = h("div", {}, h("p", { class: "muted" }, "Loading …"));
  root.append(h("h1", {}, "Ladder"), body);
  api.ladder().then(({ games }) => replace(body, games.length ? choice(games) : nothing()), fail);
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
  const rated = players.filter((player) => Number.isFinite(player.elo)).sort((a, b) => b.elo - a.elo);
  const rows = rated.map(({ name, elo, low, high }) => ({ name, value: elo, low: low ?? elo, high: high ?? elo }));
  return [
    rows.length > 0 && h("section", { class: "panel" }, h("h2", {}, "Ratings (Elo, 95 % intervals)"), whiskers(rows)),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, "Players"),
      table(["player", "Elo", "low", "high", "games"], rated.map(rating)),
    ),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, "Matches"),
      table(["first", "second", "games", "score of first", "low", "high"], matches.map(match)),
    ),
  ];
}

const rating = (one) => [one.name, number(one.elo), number(one.low), number(one.high), one.games];
const match = (one) => [one.first, one.second, one.games, percent(one.score, 1), share(one.low), share(one.high)];
const number = (value) => (Number.isFinite(value) ? Math.round(value) : "");
const share = (value) => (Number.isFinite(value) ? percent(value, 1) : "");

function table(names, rows) {
  const head = h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)));
  const body = rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, String(cell)))));
  return h("div", { class: "scroll" }, h("table", { class: "data" }, h("thead", {}, head), h("tbody", {}, body)));
}
