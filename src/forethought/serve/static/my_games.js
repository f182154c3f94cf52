// The games of this browser: kept in its storage by their secret addresses, to be continued, renamed or deleted.

import * as api from "./api.js";
import { h, replace } from "./dom.js";
import { parametersOf, status } from "./formatting.js";

const KEY = "forethought.games";
const MOST = 64; // as many as the server keeps for one client

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter((one) => typeof one?.id === "string") : [];
  } catch {
    return []; // no storage, or something else is in it
  }
}

function write(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
  } catch {
    // A browser that stores nothing plays all the same.
  }
}

// Note how a game stands; the newest comes first.
export function remember(view) {
  const before = read().find(({ id }) => id === view.id);
  const entry = { id: view.id, name: before?.name ?? view.game.title, spec: view.game.spec, state: status(view) };
  write([entry, ...read().filter(({ id }) => id !== view.id)]);
}

export const forget = (gone) => write(read().filter(({ id }) => id !== gone));

export class MyGames {
  constructor(fail) {
    this.fail = fail;
    this.list = h("ul", { class: "my-games" });
    this.element = h("section", { class: "panel", "aria-label": "my games" }, h("h2", {}, "My games"), this.list);
    this.#show();
  }

  #show() {
    const games = read();
    this.element.hidden = games.length === 0;
    replace(this.list, games.map((game) => this.#entry(game)));
  }

  #entry(game) {
    const link = h("a", { href: `#play/${encodeURIComponent(game.id)}` }, game.name);
    const about = [parametersOf(game.spec), game.state].filter(Boolean).join(" · ");
    const place = h("span", { class: "name" }, link, h("span", { class: "muted" }, ` ${about}`));
    const named = (what) => `${what} ${game.name}`;
    const quiet = { type: "button", class: "quiet" };
    return h(
      "li",
      {},
      place,
      h("button", { ...quiet, "aria-label": named("rename"), click: () => this.#rename(game, place) }, "Rename"),
      h("button", { ...quiet, "aria-label": named("delete"), click: () => this.#delete(game) }, "Delete"),
    );
  }

  #rename(game, place) {
    const done = () => {
      write(read().map((one) => (one.id === game.id ? { ...one, name: input.value.trim() || game.name } : one)));
      this.#show();
    };
    const keydown = (event) => event.key === "Enter" && input.blur();
    const input = h("input", { type: "text", maxlength: 60, value: game.name, "aria-label": "name", blur: done, keydown });
    replace(place, input);
    input.select();
  }

  async #delete(game) {
    try {
      await api.endSession(game.id);
    } catch (error) {
      if (![403, 404].includes(error.status)) return this.fail(error); // a guest's game is only left out of the list
    }
    forget(game.id);
    return this.#show();
  }
}
