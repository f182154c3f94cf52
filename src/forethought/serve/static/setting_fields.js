// A field for each registered setting, as the server describes it: its choices or its range, its default, its text.

import { h } from "./dom.js";

// Returns the element, `set(values)` for the values of a preset, and `changed(values)`: what differs from them.
export function settingFields(settings, first) {
  const fields = settings.map((setting) => ({ setting, input: inputFor(setting) }));
  const usual = ({ key, default: value }, values) => values[key] ?? value;
  const drawn = ({ setting: { key, about, range }, input }) =>
    h("label", { title: `${key}: ${range}` }, h("span", {}, key, h("small", { class: "muted" }, about)), input);
  const isFirst = ({ setting }) => first.includes(setting.key);
  const sections = bySection(fields.filter((field) => !isFirst(field)));
  const element = h(
    "div",
    {},
    h("div", { class: "fields" }, fields.filter(isFirst).map(drawn)),
    [...sections].map(([section, members]) => h(
      "details",
      { class: "section" },
      h("summary", {}, section || "other settings"),
      h("div", { class: "fields" }, members.map(drawn)),
    )),
  );
  const set = (values) => fields.forEach(({ setting, input }) => write(input, usual(setting, values)));
  const changed = (values) => Object.fromEntries(
    fields
      .filter(({ setting, input }) => read(setting, input) !== "" || setting.default !== "")
      .filter(({ setting, input }) => read(setting, input) !== usual(setting, values))
      .map(({ setting, input }) => [setting.key, read(setting, input)]),
  );
  return { element, set, changed };
}

function bySection(fields) {
  const sections = new Map();
  for (const field of fields) {
    const section = field.setting.key.split(".").slice(0, -1).join(".");
    sections.set(section, [...(sections.get(section) ?? []), field]);
  }
  return sections;
}

function inputFor({ key, kind, default: usual, words, low, high }) {
  const named = { "aria-label": key };
  if (words.length) {
    const select = h("select", named, words.map((word) => h("option", { value: word }, word || "none")));
    select.value = usual;
    return select;
  }
  if (kind === "bool") return h("input", { ...named, type: "checkbox", checked: usual });
  if (kind === "str") return h("input", { ...named, type: "text", value: usual });
  const placeholder = usual === "" ? "drawn" : null;
  const step = kind === "int" ? 1 : "any";
  return h("input", { ...named, type: "number", step, min: low, max: high, value: usual, placeholder });
}

function write(input, value) {
  if (input.type === "checkbox") input.checked = value;
  else input.value = value;
}

function read({ kind }, input) {
  if (input.type === "checkbox") return input.checked;
  return kind === "str" || input.value === "" ? input.value : Number(input.value);
}
