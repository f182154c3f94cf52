// The server's API: one function per request. A failure becomes an Error whose message is one sentence.

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
    // A response that is not JSON does not come from the API.
  }
  return `The server refused this (${status}).`;
}

const at = (...parts) => parts.map((part) => `/${encodeURIComponent(part)}`).join("");

export const games = () => ask("GET", "/games");
export const rules = (game) => ask("GET", `/rules?game=${encodeURIComponent(game)}`);
export const players = (game) => ask("GET", `/players?game=${encodeURIComponent(game)}`);

export const startSession = (game, seats, start = null) => ask("POST", "/sessions", { game, seats, seed: null, start });
export const loadSession = (saved) => ask("POST", "/sessions/load", saved);
export const session = (id) => ask("GET", at("sessions", id));
export const move = (id, action, ply) => ask("POST", at("sessions", id, "moves"), { action, ply });
export const undo = (id) => ask("POST", at("sessions", id, "undo"));
export const resign = (id) => ask("POST", at("sessions", id, "resign"));
export const record = (id) => ask("GET", at("sessions", id, "record"));
export const positions = (id) => ask("GET", at("sessions", id, "positions"));
export const review = (id) => ask("GET", at("sessions", id, "review"));
export const think = (id, player, ply, place) => ask("POST", at("sessions", id, "thoughts"), { player, ply, place });
export const botThought = (id, ply) => ask("GET", at("sessions", id, "thoughts", ply));
export const nextGame = (id) => ask("POST", at("sessions", id, "next"));
export const endSession = (id) => ask("DELETE", at("sessions", id));
export const sgf = (id) => ask("GET", at("sessions", id, "sgf"));
export const stopThinking = (id) => ask("DELETE", at("sessions", id, "thoughts"));

export const runs = () => ask("GET", "/runs");
export const run = (name) => ask("GET", at("runs", name));
export const runGame = (name, iteration, index) => ask("GET", at("runs", name, "games", iteration, index));
export const ladder = () => ask("GET", "/ladder");

export const learners = (game) => ask("GET", `/learners?game=${encodeURIComponent(game)}`);
export const processes = () => ask("GET", "/processes");
export const stopProcess = (id) => ask("POST", `${at("processes", id)}/stop`);
export const resumeProcess = (id) => ask("POST", `${at("processes", id)}/resume`);
export const forgetProcess = (id) => ask("DELETE", at("processes", id));
export const startTraining = (training) => ask("POST", "/trainings", training);
export const stopTraining = (run) => ask("POST", `${at("runs", run)}/stop`);
export const resumeTraining = (run, how) => ask("POST", `${at("runs", run)}/resume`, how);
export const startMatch = (match) => ask("POST", "/matches", match);
export const startLadder = (players) => ask("POST", "/ladders", players);
export const startStudy = (study) => ask("POST", "/studies", study);
export const study = (id) => ask("GET", at("studies", id));
export const userFile = () => ask("GET", "/file");

// Listen to a stream of events: handlers by the names of the events. `onConnection(connected, refused)` is called when
// the stream opens and when it breaks; after a refusal the browser does not try again. Returns a function that stops it.
function listen(path, handlers, onConnection) {
  const source = new EventSource(`/api${path}`);
  for (const [name, handle] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
  }
  source.addEventListener("open", () => onConnection(true));
  source.addEventListener("error", () => onConnection(false, source.readyState === EventSource.CLOSED));
  return () => source.close();
}

export const sessionEvents = (id, handlers, onConnection) =>
  listen(`${at("sessions", id)}/events`, handlers, onConnection);
export const preparationEvents = (game, seats, handlers, onConnection) => {
  const query = new URLSearchParams([["game", game], ...seats.map((seat) => ["player", seat])]);
  return listen(`/preparation/events?${query}`, handlers, onConnection);
};
export const runEvents = (name, handlers, onConnection) => listen(`${at("runs", name)}/events`, handlers, onConnection);
