// The report of a study: its findings, then every number with its interval.

import * as api from "./api.js";
import { whiskers } from "./charts.js";
import { table } from "./tables.js";
import { h, refused, replace } from "./dom.js";
import { percent, signed } from "./formatting.js";

export function showStudy(root, id) {
  const body = h("div", { class: "study" }, h("h1", {}, "Study"), h("p", { class: "muted" }, "Loading …"));
  root.append(h("p", {}, h("a", { href: "#study" }, "All studies")), body);
  api.study(id).then((study) => replace(body, ...report(study)), (error) => {
    const why = h("div", {});
    refused(why)(error);
    replace(body, h("h1", {}, "Study"), why);
  });
  return () => {};
}

function report(study) {
  const { seats, skill, length, titles } = study;
  return [
    h("h1", {}, titles[study.game]),
    h("p", { class: "muted" }, `${study.games} games of ${titles[study.planner]} against itself · seed ${study.seed} · 95 % intervals`),
    h("ul", { class: "findings" }, study.findings.map((finding) => h("li", {}, finding))),
    panel("Score of each seat in %, 50 in a balanced game", scores(
      seats.map(({ score }, seat) => ({ name: `seat ${seat}`, score })),
    )),
    panel("Skill: score of more thinking against less in %", scores(
      skill.map(({ more, less, win_rate: score }) => ({ name: `${titles[more]} against ${titles[less]}`, score })),
    )),
    panel("The game", table(["quantity", "mean", "95 % interval"], quantities(study))),
    panel(
      `Length: ${length.shortest} to ${length.longest} moves, median ${length.median}`,
      histogram(length.histogram),
    ),
    panel("Returns", table(["seat", "mean return", "95 % interval"], seats.map(({ mean_return: paid }, seat) =>
      [seat, signed(paid.value, 3), between(paid, (value) => signed(value, 3))]))),
  ];
}

const scores = (rows) => whiskers(
  rows.map(({ name, score: { value, low, high } }) => ({ name, value: 100 * value, low: 100 * low, high: 100 * high })),
  (score) => `${score.toFixed(1)}\u00a0%`,
);

const panel = (heading, ...children) => h("section", { class: "panel" }, h("h2", {}, heading), children);

function quantities({ length, decisions, branching, draws, drama }) {
  const count = (value) => value.toFixed(2);
  const share = (value) => percent(value, 1);
  const rows = [
    ["moves per game", length.mean, count],
    ["decisions per game", decisions, count],
    ["legal actions per move (branching)", branching, count],
    ["draws", draws, share],
    ["changes of the lead per game", drama?.lead_changes, count],
    ["uncertainty", drama?.uncertainty, share],
    ["games won from behind", drama?.comebacks, share],
    ["drama", drama?.drama, share],
    ["settled at this part of the game", drama?.settled, share],
  ];
  return rows.filter(([, one]) => one).map(([name, one, format]) => [name, format(one.value), between(one, format)]);
}

const between = ({ low, high }, format) => `${format(low)} to ${format(high)}`;

// A row for each range of lengths: a bar as long as it has games.
function histogram(bins) {
  const most = Math.max(...bins.map(({ games }) => games));
  return table(["moves", "games", ""], bins.map(({ first, last, games }) => {
    const bar = h("div", { class: "games-bar" });
    bar.style.width = `${(100 * games) / most}%`;
    return [first === last ? first : `${first} to ${last}`, games, bar];
  }));
}
