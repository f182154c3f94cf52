// Which page is shown follows the address: #play, #play?game=SPEC, #play/SESSION, #watch,
// #watch/RUN, #train, #ladder, #study, #study/ID.

import { h, replace } from "./dom.js";
import { chooseGame } from "./new_game_page.js";
import { openGame } from "./game_page.js";
import { watchRuns } from "./runs_page.js";
import { watchRun } from "./run_page.js";
import { showLadder } from "./ladder_page.js";
import { newTraining } from "./training_page.js";
import { studies } from "./study_page.js";
import { showStudy } from "./study_report.js";
import { watchFile } from "./user_file.js";

const root = document.getElementById("page");
const alertBox = document.getElementById("alert");
let leave = () => {}; // what the present page does before it is left

// A page is a function (root, argument, fail, query) that fills the root and returns what to do on leaving.
const PAGES = {
  play: (argument) => (argument ? openGame : chooseGame),
  watch: (argument) => (argument ? watchRun : watchRuns),
  train: () => newTraining,
  ladder: () => showLadder,
  study: (argument) => (argument ? showStudy : studies),
};
const PARENTS = { train: "watch" }; // pages that belong to another in the navigation

// An error is shown until it is closed or the page is left: what it says may be true for as long.
function fail(error) {
  const close = h("button", { type: "button", class: "quiet", "aria-label": "close", click: hush }, "\u00d7");
  replace(alertBox, h("p", {}, error.message, close));
}

function hush() {
  replace(alertBox);
}

function route() {
  const [path, query] = location.hash.replace(/^#/, "").split("?", 2);
  const [name, ...rest] = path.split("/");
  const page = Object.hasOwn(PAGES, name) ? name : "play";
  const argument = decoded(rest.join("/"));
  for (const link of document.querySelectorAll("[data-page]")) {
    if (link.dataset.page === (PARENTS[page] ?? page)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  leave();
  hush();
  const moved = document.activeElement !== document.body;
  document.title = "forethought";
  replace(root);
  leave = PAGES[page](argument)(root, argument, fail, new URLSearchParams(query));
  if (moved && document.activeElement === document.body) root.focus({ preventScroll: true });
}

// A badly encoded name is the name of nothing, and its page says so.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

window.addEventListener("hashchange", route);
route();
// The form for a new game shows the user's file as it is now.
watchFile(() => /^#?(play)?(\?.*)?$/.test(location.hash) && route());
