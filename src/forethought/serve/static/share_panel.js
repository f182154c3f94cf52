// Addresses for others: a seat for each guest on a device of its own, and one for spectators, who can only watch.

import { h, replace } from "./dom.js";

export class SharePanel {
  constructor() {
    this.body = h("ul", { class: "links" });
    this.element = h(
      "details",
      { class: "panel", hidden: true },
      h("summary", {}, h("h2", {}, "Invite")),
      h("p", { class: "muted" }, "Whoever opens one of these addresses takes that place; nobody sees another's cards."),
      this.body,
    );
  }

  // Links come with the host's view only. While a guest is awaited, they are open.
  show({ links, ply }) {
    this.element.hidden = links.length === 0;
    const written = JSON.stringify(links);
    if (written === this.written) return;
    this.written = written;
    this.element.open = ply < 3 && links.some(({ seat }) => seat !== null);
    replace(this.body, links.map(entry));
  }
}

function entry({ id, seat }) {
  const what = seat === null ? "Spectators" : `Player ${seat}`;
  const address = `${location.origin}/#play/${encodeURIComponent(id)}`;
  const field = h("input", { type: "text", readonly: true, value: address, "aria-label": `address for ${what}` });
  field.addEventListener("focus", () => field.select());
  const copy = h("button", { type: "button", "aria-label": `copy the address for ${what}` }, "Copy");
  copy.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(address);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Press Ctrl+C"; // the browser does not allow it; the address is selected
    }
  });
  return h("li", {}, h("span", {}, what), field, copy);
}
