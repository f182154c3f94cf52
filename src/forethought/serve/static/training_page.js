// The form for a training: a game, an algorithm that suits it, a preset, and every registered setting with its range.

import * as api from "./api.js";
import { GameChoice } from "./game_choice.js";
import { h, refused, replace } from "./dom.js";
import { settingFields } from "./setting_fields.js";

const FIRST = ["iterations", "minutes", "games"]; // settings that everybody looks at; the others fold away

export function newTraining(root, _argument, fail, query) {
  const page = new TrainingForm(fail);
  root.append(page.element);
  api.games().then((games) => page.offer(games, query.get("game") ?? ""), refused(page.place));
  return () => {};
}

class TrainingForm {
  constructor(fail) {
    this.fail = fail;
    this.place = h("div", {});
    this.algorithm = h("select", { change: () => this.#show() });
    this.preset = h("select", { change: () => this.fields.set(this.learner.presets[this.preset.value] ?? {}) });
    const pattern = "[A-Za-z0-9][A-Za-z0-9_.\\-]{0,63}";
    this.run = h("input", { type: "text", pattern, placeholder: "chosen for you", autocomplete: "off" });
    this.about = h("p", { class: "muted about" });
    this.settings = h("div", {});
    this.refusal = h("div", {});
    this.start = h("button", { class: "primary large", disabled: true }, "Start training");
    const submit = (event) => {
      event.preventDefault();
      this.#begin();
    };
    this.element = h(
      "div",
      {},
      h("p", {}, h("a", { href: "#watch" }, "All runs")),
      h(
        "form",
        { class: "panel work", submit },
        h("h1", {}, "New training"),
        this.place,
        h(
          "div",
          { class: "fields" },
          h("label", {}, "Algorithm", this.algorithm),
          h("label", {}, "Settings to begin from", this.preset),
          h("label", {}, "Name of the run", this.run),
        ),
        this.about,
        this.settings,
        this.refusal,
        h("div", { class: "line" }, this.start),
      ),
    );
  }

  offer(games, spec) {
    this.choice = new GameChoice(games, spec, () => this.#ask());
    replace(this.place, this.choice.element);
    this.#ask();
  }

  get learner() {
    return this.learners.find(({ name }) => name === this.algorithm.value);
  }

  // Ask which algorithms suit the game; what is refused cannot be started, and the form says why for as long.
  async #ask() {
    const { spec } = this.choice;
    try {
      const learners = await api.learners(spec);
      if (spec !== this.choice.spec) return;
      this.learners = learners;
      const name = ({ label, recommended }) => (recommended ? `${label} (recommended)` : label);
      replace(this.algorithm, learners.map((one) => h("option", { value: one.name }, name(one))));
      replace(this.refusal);
      this.start.disabled = !learners.length;
      this.#show();
    } catch (error) {
      if (spec !== this.choice.spec) return;
      this.start.disabled = true;
      refused(this.refusal)(error);
    }
  }

  #show() {
    const { about, presets, usual_preset: usual, settings } = this.learner;
    this.about.textContent = about;
    const names = ["", ...Object.keys(presets)];
    replace(this.preset, names.map((name) => h("option", { value: name }, name || "the defaults")));
    this.preset.value = usual;
    this.fields = settingFields(settings, FIRST);
    this.fields.set(presets[usual] ?? {});
    replace(this.settings, this.fields.element);
  }

  async #begin() {
    this.start.disabled = true;
    try {
      const started = await api.startTraining({
        game: this.choice.spec,
        algorithm: this.algorithm.value,
        preset: this.preset.value,
        run: this.run.value || null,
        settings: this.fields.changed(this.learner.presets[this.preset.value] ?? {}),
      });
      location.hash = `#watch/${encodeURIComponent(started.run)}`;
    } catch (error) {
      this.start.disabled = false;
      this.fail(error);
    }
  }
}
