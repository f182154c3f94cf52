// Stepping through positions: first, back, a slider, on, last, and a button that plays them like a film.

import { h, replace, svg } from "./dom.js";

const PAUSE = 900; // milliseconds a position is shown in the film

// Signs of the buttons, in a square of 16.
const FIRST = "M3 3h2v10H3zM13 3v10L6 8z";
const BACK = "M11 3v10L4 8z";
const ON = "M5 3v10l7-5z";
const LAST = "M11 3h2v10h-2zM3 3v10l7-5z";
const FILM = "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM6.5 5v6l5-3z";
const REST = "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM5.5 5h2v6h-2zM8.5 5h2v6h-2z";

export class Replay {
  // `show` is called with the number of the position to look at.
  constructor(show) {
    this.show = show;
    this.film = null;
    this.slider = h(
      "input",
      { type: "range", min: 0, max: 0, value: 0, "aria-label": "position", input: () => this.#chosen() },
    );
    this.count = h("output", {});
    this.player = this.#button(FILM, "play the game like a film", () => this.#toggle());
    this.element = h(
      "div",
      { class: "replay", role: "group", "aria-label": "step through the game" },
      this.#button(FIRST, "first position", () => this.step(-Infinity)),
      this.#button(BACK, "one back", () => this.step(-1)),
      this.slider,
      this.#button(ON, "one on", () => this.step(1)),
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

  // The game has so many positions by now; the newest is looked at unless one said another.
  reset(last, place = last) {
    this.stop();
    this.slider.max = last;
    this.slider.value = place;
    this.#tell();
  }

  step(by) {
    this.stop();
    this.go(this.place + by);
  }

  go(place) {
    this.slider.value = Math.min(this.last, Math.max(0, place));
    this.#tell();
    this.show(this.place);
  }

  stop() {
    clearInterval(this.film);
    this.film = null;
    this.#sign(FILM, "play the game like a film");
  }

  #chosen() {
    this.stop();
    this.go(this.place);
  }

  #toggle() {
    if (this.film !== null) {
      this.stop();
      return;
    }
    this.go(this.place === this.last ? 0 : this.place);
    this.film = setInterval(() => (this.place < this.last ? this.go(this.place + 1) : this.stop()), PAUSE);
    this.#sign(REST, "pause");
  }

  #tell() {
    this.count.textContent = `${this.place} / ${this.last}`;
    this.slider.setAttribute("aria-valuetext", `position ${this.place} of ${this.last}`);
  }

  #sign(sign, label) {
    replace(this.player, drawn(sign));
    this.player.setAttribute("aria-label", label);
  }

  #button(sign, label, click) {
    return h("button", { type: "button", class: "quiet", "aria-label": label, title: label, click }, drawn(sign));
  }
}

const drawn = (sign) => svg(
  "svg",
  { viewBox: "0 0 16 16", "aria-hidden": "true" },
  svg("path", { d: sign, "fill-rule": "evenodd" }),
);
