// Ratings and matches with their intervals, one game at a time.

import * as api from "./api.js";
import { whiskers } from "./charts.js";
import { table } from "./tables.js";
import { ContestForm } from "./contest_form.js";
import { h, refused, replace } from "./dom.js";
import { percent, signed } from "./formatting.js";
import { ProcessList, isContest } from "./process_list.js";

export function showLadder(root, _argument, fail) {
  const body = h("div", {}, h("p", { class: "muted" }, "Loading …"));
  const look = () =>
    api.ladder().then(({ games }) => replace(body, games.length ? choice(games) : nothing()), refused(body));
  const form = new ContestForm(fail, () => started.look());
  let finished = "";
  const started = new ProcessList(isContest, fail, (processes) => {
    const ended = JSON.stringify(processes.filter(({ state }) => state !== "running").map(({ id }) => id));
    if (ended !== finished) look();
    finished = ended;
  });
  root.append(h("h1", {}, "Ladder"), form.element, started.element, body);
  look();
  return () => started.leave();
}

const nothing = () => h(
  "p",
  { class: "none" },
  "There are no matches yet: start one here, or by ",
  h("code", {}, "forethought match leduc oos:2000 random"),
  ".",
);

// A tab per game, and the ladder of the selected game.
function choice(games) {
  const place = h("div", {});
  const tabs = games.map((one, n) => h("button", { type: "button", class: "tab", click: () => choose(n) }, one.game_title));
  const choose = (chosen) => {
    tabs.forEach((tab, n) => tab.setAttribute("aria-pressed", n === chosen));
    replace(place, ladderOf(games[chosen]));
  };
  choose(0);
  return [h("div", { class: "tabs", role: "group", "aria-label": "game" }, tabs), place];
}

// How ratings and results are called and written: of games that pay different sums, by what they pay.
const share = (value) => percent(value, 1);
const SCALES = {
  elo: { rating: "Elo", result: "wins of first", format: Math.round, formatResult: share },
  payoff: { rating: "payoff per game", result: "payoff of first per game", format: signed, formatResult: signed },
};

function ladderOf({ scale, anchor, players, matches }) {
  const words = SCALES[scale];
  const titles = new Map(players.map(({ name, title }) => [name, title]));
  const rows = players.map(({ title, rating, low, high }) => ({ name: title, value: rating, low, high }));
  const against = scale === "elo" ? `${titles.get(anchor)} has 1500` : `against ${titles.get(anchor)}`;
  return [
    h(
      "section",
      { class: "panel" },
      h("h2", {}, `Ratings: ${words.rating}, ${against} (95 % intervals)`),
      whiskers(rows, words.format),
    ),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, "Players"),
      table(["player", words.rating, "95 % interval", "share of wins", "games", "written"], players.map((one) => rating(one, words))),
    ),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, "Matches"),
      table(matchHead(words), matches.map((one) => match(one, words, titles))),
    ),
  ];
}

// The share of wins stands besides, where it is not the result itself.
const matchHead = (words) => {
  const head = ["first", "second", "games", words.result, "95 % interval"];
  return words === SCALES.elo ? head : [...head, "wins of first"];
};

const rating = ({ name, title, rating: value, low, high, win_share, games }, { format }) =>
  [title, format(value), between(low, high, format), share(win_share), games, h("code", {}, name)];

function match({ first, second, games, result, low, high, win_share }, words, titles) {
  const row = [titles.get(first), titles.get(second), games, words.formatResult(result), between(low, high, words.formatResult)];
  return words === SCALES.elo ? row : [...row, share(win_share)];
}

const between = (low, high, format) => `${format(low)} to ${format(high)}`;
