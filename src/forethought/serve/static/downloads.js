// Files for the person: a game as text, and a board as a picture.

import { h } from "./dom.js";

// What a picture of the board takes from the page's style sheets.
const STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap"],
  ...["stroke-linejoin", "opacity", "visibility", "paint-order", "font-family", "font-size", "font-weight"],
  ...["text-anchor", "dominant-baseline", "transform"],
];
const ENLARGED = 2; // pixels of a picture for each unit of the board

export function download(name, content) {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

export const textFile = (text, type) => new Blob([text], { type });

// Paint a drawing on a ground of this colour.
export async function picture(drawing, ground) {
  const [, , width, height] = drawing.getAttribute("viewBox").split(" ").map(Number);
  const copy = styled(drawing);
  copy.setAttribute("width", ENLARGED * width);
  copy.setAttribute("height", ENLARGED * height);
  const address = URL.createObjectURL(textFile(new XMLSerializer().serializeToString(copy), "image/svg+xml"));
  const image = new Image();
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  const canvas = h("canvas", { width: ENLARGED * width, height: ENLARGED * height });
  const context = canvas.getContext("2d");
  context.fillStyle = ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// A copy that looks the same without the page's style sheets.
function styled(element) {
  const copy = element.cloneNode(false);
  const style = getComputedStyle(element);
  copy.removeAttribute("style");
  for (const name of STYLES) {
    const value = style.getPropertyValue(name);
    if (value !== "none" || name !== "transform") copy.setAttribute(name, value);
  }
  copy.append(...[...element.childNodes].map((child) => (child.nodeType === 1 ? styled(child) : child.cloneNode())));
  return copy;
}
