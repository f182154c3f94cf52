// Studies of games for their designers: a form to start one, and those that were started. A user's file is watched: it can
// be studied anew whenever it is edited.

import * as api from "./api.js";
import { GameChoice } from "./game_choice.js";
import { h, refused, replace } from "./dom.js";
import { ProcessList } from "./process_list.js";
import { watchFile } from "./user_file.js";

const BUDGETS = "10, 100, 1000";

export function studies(root, _argument, fail, query) {
  const page = new StudyForm(fail);
  root.append(page.element);
  const offer = () => api.games().then((games) => page.offer(games, page.choice?.spec ?? query.get("game") ?? ""));
  offer().catch(refused(page.place));
  const unwatch = watchFile((file) => offer().then(() => page.edited(file), fail));
  return () => {
    unwatch();
    page.started.leave();
  };
}

class StudyForm {
  constructor(fail) {
    this.fail = fail;
    this.place = h("div", {});
    this.games = h("input", { type: "number", min: 2, max: 1_000_000, value: 100, required: true });
    this.budgets = h("input", { type: "text", value: BUDGETS, pattern: "\\s*\\d+(\\s*,\\s*\\d+)*\\s*", required: true });
    this.again = h("input", { type: "checkbox" });
    this.anew = h("label", { hidden: true }, "Study it again whenever the file is edited", this.again);
    this.file = h("p", { class: "muted", role: "status" });
    this.start = h("button", { class: "primary large", disabled: true }, "Start");
    this.started = new ProcessList(({ kind }) => kind === "study", fail);
    const submit = (event) => {
      event.preventDefault();
      this.#begin();
    };
    this.element = h(
      "div",
      {},
      h(
        "form",
        { class: "panel work", submit },
        h("h1", {}, "Study a game"),
        h(
          "p",
          { class: "muted" },
          "Planners play it against themselves and against less thinking: balance, length, draws, branching, how much ",
          "skill decides, and drama.",
        ),
        this.place,
        h(
          "div",
          { class: "fields" },
          h("label", {}, "Games of each batch", this.games),
          h("label", {}, "Simulations per decision, ascending", this.budgets),
          this.anew,
        ),
        this.file,
        h("div", { class: "line" }, this.start),
      ),
      this.started.element,
    );
  }

  offer(games, spec) {
    this.choice = new GameChoice(games, spec, () => this.#change());
    replace(this.place, this.choice.element);
    this.start.disabled = false;
    this.#change();
  }

  #change() {
    this.anew.hidden = this.choice.game.name !== "yours";
  }

  edited({ name, mistake }) {
    this.started.redraw();
    this.file.textContent = mistake ?? `${name} was edited; studies from now on are of the new version.`;
    if (mistake === null && this.again.checked && !this.anew.hidden) this.#begin();
  }

  async #begin() {
    const budgets = this.budgets.value.split(",").map(Number);
    this.start.disabled = true;
    try {
      await api.startStudy({ game: this.choice.spec, games: Number(this.games.value), budgets });
      await this.started.look();
    } catch (error) {
      this.fail(error);
    }
    this.start.disabled = false;
  }
}
