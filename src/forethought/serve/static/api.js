// The server's API: one function a request. What fails becomes an Error whose message is one sentence.

const UNREACHABLE = "The server does not answer; is `forethought serve` still running?";

async function ask(method, path, body) {
  const options = { method, headers: { Accept: "application/json" } };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(`/api${path}`, options);
  } catch {
    throw new Error(UNREACHABLE);
  }
  const text = await response.text();
  if (response.ok) return text === "" ? null : JSON.parse(text);
  throw Object.assign(new Error(sentence(text, response.status)), { status: response.status });
}

function sentence(text, status) {
  try {
    const { detail } = JSON.parse(text);
    if (typeof detail === "string") return detail;
  } catch {
    // What is not JSON does not come from the API.
  }
  return `The server refused this (${status}).`;
}

const at = (...parts) => parts.map((part) => `/${encodeURIComponent(part)}`).join("");

export const games = () => ask("GET", "/games");
export const players = (game) => ask("GET", `/players?game=${encodeURIComponent(game)}`);

export const newTable = (game, seats) => ask("POST", "/tables", { game, seats, seed: null });
export const loadTable = (saved) => ask("POST", "/tables/load", saved);
export const table = (id) => ask("GET", at("tables", id));
export const move = (id, action, ply) => ask("POST", at("tables", id, "moves"), { action, ply });
export const undo = (id) => ask("POST", at("tables", id, "undo"));
export const resign = (id) => ask("POST", at("tables", id, "resign"));
export const record = (id) => ask("GET", at("tables", id, "record"));
export const positions = (id) => ask("GET", at("tables", id, "positions"));
export const review = (id) => ask("GET", at("tables", id, "review"));
export const think = (id, player, ply) => ask("POST", at("tables", id, "thoughts"), { player, ply });
export const stopThinking = (id) => ask("DELETE", at("tables", id, "thoughts"));

export const runs = () => ask("GET", "/runs");
export const run = (name) => ask("GET", at("runs", name));
export const runGame = (name, iteration, index) => ask("GET", at("runs", name, "games", iteration, index));
export const ladder = () => ask("GET", "/ladder");

// Listen to a stream of events: handlers by the events' names. `onConnection` hears whether it is there, and if not,
// whether it was refused, so that nobody tries again. Returns the function that stops listening.
function listen(path, handlers, onConnection) {
  const source = new EventSource(`/api${path}`);
  for (const [name, handle] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
  }
  source.addEventListener("open", () => onConnection(true));
  source.addEventListener("error", () => onConnection(false, source.readyState === EventSource.CLOSED));
  return () => source.close();
}

export const tableEvents = (id, handlers, onConnection) => listen(`${at("tables", id)}/events`, handlers, onConnection);
export const runEvents = (name, handlers, onConnection) => listen(`${at("runs", name)}/events`, handlers, onConnection);
