// Steps through positions: first, previous, a slider, next, last, and a button that plays them one after another.

import { h, replace, svg } from "./dom.js";

const PAUSE = 900; // milliseconds per position while it plays

// Icons of the buttons, in a square of 16.
const FIRST = "M3 3h2v10H3zM13 3v10L6 8z";
const PREVIOUS = "M11 3v10L4 8z";
const NEXT = "M5 3v10l7-5z";
const LAST = "M11 3h2v10h-2zM3 3v10l7-5z";
const PLAY = "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM6.5 5v6l5-3z";
const PAUSED = "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM5.5 5h2v6h-2zM8.5 5h2v6h-2z";

export class ReplayControls {
  // `show` is called with the number of the position to show.
  constructor(show) {
    this.show = show;
    this.timer = null;
    this.slider = h(
      "input",
      { type: "range", min: 0, max: 0, value: 0, "aria-label": "position", input: () => this.#chosen() },
    );
    this.count = h("span", { class: "count" });
    this.player = this.#button(PLAY, "play all positions", () => this.#toggle());
    this.element = h(
      "div",
      { class: "replay", role: "group", "aria-label": "step through the game" },
      this.#button(FIRST, "first position", () => this.step(-Infinity)),
      this.#button(PREVIOUS, "previous position", () => this.step(-1)),
      this.slider,
      this.#button(NEXT, "next position", () => this.step(1)),
      this.#button(LAST, "last position", () => this.step(Infinity)),
      this.player,
      this.count,
    );
  }

  get last() {
    return Number(this.slider.max);
  }

  get place() {
    return Number(this.slider.value);
  }

  // Set the number of the last position; it is shown unless another is given.
  reset(last, place = last) {
    this.stop();
    this.slider.max = last;
    this.slider.value = place;
    this.#update();
  }

  step(by) {
    this.stop();
    this.go(this.place + by);
  }

  go(place) {
    this.slider.value = Math.min(this.last, Math.max(0, place));
    this.#update();
    this.show(this.place);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.#setIcon(PLAY, "play all positions");
  }

  #chosen() {
    this.stop();
    this.go(this.place);
  }

  #toggle() {
    if (this.timer !== null) {
      this.stop();
      return;
    }
    this.go(this.place === this.last ? 0 : this.place);
    this.timer = setInterval(() => (this.place < this.last ? this.go(this.place + 1) : this.stop()), PAUSE);
    this.#setIcon(PAUSED, "pause");
  }

  #update() {
    this.count.textContent = `${this.place} / ${this.last}`;
    this.slider.setAttribute("aria-valuetext", `position ${this.place} of ${this.last}`);
  }

  #setIcon(icon, label) {
    replace(this.player, drawn(icon));
    this.player.setAttribute("aria-label", label);
  }

  #button(icon, label, click) {
    return h("button", { type: "button", class: "quiet", "aria-label": label, title: label, click }, drawn(icon));
  }
}

const drawn = (icon) => svg(
  "svg",
  { viewBox: "0 0 16 16", "aria-hidden": "true" },
  svg("path", { d: icon, "fill-rule": "evenodd" }),
);
