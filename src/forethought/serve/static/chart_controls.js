// How charts are drawn: over iterations or time, on which scale, how smooth, and beside which other runs.

import * as api from "./api.js";
import { h, replace } from "./dom.js";

export class ChartControls {
  // `change` is called whenever the charts are to be drawn anew.
  constructor(name, change, fail) {
    this.others = new Map(); // runs drawn besides, by name
    const draw = () => change();
    this.axis = h(
      "select",
      { change: draw },
      h("option", { value: "iteration" }, "iterations"),
      h("option", { value: "time" }, "time of training"),
    );
    this.logarithmic = h("input", { type: "checkbox", change: draw });
    this.smoothing = h("input", { type: "range", min: 0, max: 0.95, step: 0.05, value: 0, input: draw });
    this.runs = h("div", { class: "line" });
    this.element = h(
      "div",
      { class: "line chart-controls" },
      h("label", {}, "over", this.axis),
      h("label", {}, this.logarithmic, "logarithmic"),
      h("label", {}, "smoothing", this.smoothing),
      h("details", {}, h("summary", {}, "compare with"), this.runs),
    );
    api.runs().then((runs) => this.#offer(runs.filter((run) => run.name !== name), change, fail), fail);
  }

  get view() {
    return {
      axis: this.axis.value,
      logarithmic: this.logarithmic.checked,
      smoothing: Number(this.smoothing.value),
    };
  }

  // The metric of this name in this run and in those that are drawn besides, if they report it.
  series(run, metric) {
    const others = [...this.others.values()].map((other) => ({
      name: other.name,
      metric: other.metrics.find(({ name }) => name === metric.name),
    }));
    return [{ name: run.name, metric }, ...others.filter((other) => other.metric)];
  }

  #offer(runs, change, fail) {
    const toggle = async (box, name) => {
      try {
        if (box.checked) this.others.set(name, await api.run(name));
        else this.others.delete(name);
        change();
      } catch (error) {
        box.checked = false;
        fail(error);
      }
    };
    const boxes = runs.map(({ name, game_title: game }) => {
      const box = h("input", { type: "checkbox", value: name, change: () => toggle(box, name) });
      return h("label", { title: game }, box, name);
    });
    replace(this.runs, boxes.length ? boxes : h("span", { class: "muted" }, "There are no other runs."));
  }
}
