// The list of runs: how far each is, and whether it is learning.

import * as api from "./api.js";
import { h, refused, replace } from "./dom.js";

const EVERY = 3000; // milliseconds between two requests of the list

export function watchRuns(root) {
  const list = h("div", { class: "runs" }, h("p", { class: "muted" }, "Loading …"));
  root.append(h("h1", {}, "Training runs"), list);
  let shown = "";
  const look = async () => {
    try {
      const runs = await api.runs();
      if (JSON.stringify(runs) !== shown) replace(list, runs.length ? runs.map(row) : nothing());
      shown = JSON.stringify(runs);
    } catch (error) {
      shown = "";
      refused(list)(error);
    }
  };
  look();
  const timer = setInterval(look, EVERY);
  return () => clearInterval(timer);
}

const nothing = () => h(
  "p",
  {},
  "There are no runs yet: ",
  h("code", {}, "forethought train leduc"),
  " starts one, and it appears here while it trains.",
);

function row(run) {
  return h(
    "a",
    { class: "panel run", href: `#watch/${encodeURIComponent(run.name)}`, "data-run": run.name },
    h("header", {}, h("h2", {}, run.name), state(run)),
    h("p", {}, run.verdict),
    h("p", { class: "muted" }, `${run.game} · ${run.algorithm} · ${run.iterations} iterations`),
  );
}

export const state = (run) => h(
  "span",
  { class: `badge${run.training ? " live" : ""}` },
  run.training ? "training" : "stopped",
);
