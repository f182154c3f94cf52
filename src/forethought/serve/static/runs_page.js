// The list of runs: how far each is, and whether it is learning.

import * as api from "./api.js";
import { h, refused, replace } from "./dom.js";
import { ProcessList } from "./process_list.js";

const EVERY = 3000; // milliseconds between two requests of the list

export function watchRuns(root, _argument, fail) {
  const list = h("div", { class: "runs" }, h("p", { class: "muted" }, "Loading …"));
  const names = new Set(); // of runs that are listed: their processes are not listed besides
  const started = new ProcessList((process) => isOngoing(process) && !(process.state === "running" && names.has(process.run)), fail);
  const fresh = h("a", { class: "button", href: "#train" }, "New training");
  root.append(h("div", { class: "line titled" }, h("h1", {}, "Training runs"), fresh), started.element, list);
  let shown = "";
  const look = async () => {
    try {
      const runs = await api.runs();
      runs.filter(({ training }) => training).forEach(({ name }) => names.add(name));
      if (JSON.stringify(runs) !== shown) replace(list, runs.length ? runs.map(row) : nothing());
      shown = JSON.stringify(runs);
    } catch (error) {
      shown = "";
      refused(list)(error);
    }
  };
  look();
  const timer = setInterval(look, EVERY);
  return () => {
    clearInterval(timer);
    started.leave();
  };
}

// What has stopped is shown as the run that it is.
const isOngoing = ({ kind, state }) => kind === "training" && ["running", "failed"].includes(state);

const nothing = () => h(
  "p",
  { class: "none" },
  "There are no runs yet: a new training, here or by ",
  h("code", {}, "forethought train leduc"),
  ", appears while it trains.",
);

function row(run) {
  return h(
    "a",
    { class: "panel run", href: `#watch/${encodeURIComponent(run.name)}`, "data-run": run.name },
    h("header", {}, h("h2", {}, run.name), state(run)),
    h("p", {}, run.verdict),
    h("p", { class: "muted" }, about(run)),
  );
}

// What a run trains, how, and how far it is: nothing of a damaged one, whose verdict says what is wrong.
export function about({ algorithm, game_title: game, algorithm_title: how, iterations, wanted }) {
  const count = wanted === null ? `iteration ${iterations}` : `${iterations} of ${wanted} iterations`;
  return algorithm && `${game} · ${how} · ${count}`;
}

export const state = (run) => h(
  "span",
  { class: `badge${run.training ? " live" : ""}` },
  run.training ? "training" : "stopped",
);
