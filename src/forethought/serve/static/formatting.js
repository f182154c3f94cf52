// Numbers, players and results as text.

const MINUS = "\u2212";

export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)}\u00a0%`;

export function signed(value, digits = 2) {
  const text = Number.isInteger(value) ? String(Math.abs(value)) : Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return value > 0 ? `+${text}` : value < 0 ? MINUS + text : text;
}

// With two digits always, so that numbers in a column line up.
export const aligned = (value) => (value <= -0.005 ? MINUS : "+") + Math.abs(value).toFixed(2);

export const plain = (value) => String(value).replace("-", MINUS);

// 1234567 as 1.2 M
export function short(count) {
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (count >= size) return `${(count / size).toPrecision(count / size >= 100 ? 3 : 2)}\u00a0${letter}`;
  }
  return String(Math.round(count));
}

// A measured number with three significant digits.
export function measured(value) {
  const size = Math.abs(value);
  return (value < 0 ? MINUS : "") + (size >= 1000 ? short(size) : Number(size.toPrecision(3)));
}

// 4000 seconds as 1.1 h
export function duration(seconds) {
  if (seconds < 90) return `${Math.round(seconds)}\u00a0s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)}\u00a0min` : `${(seconds / 3600).toFixed(1)}\u00a0h`;
}

// The parameters in the spec of a game: hex(size=7,swap=True) has "size 7, swap True".
export const parametersOf = (spec) =>
  (/\((.*)\)$/.exec(spec)?.[1] ?? "").replaceAll(/[=_]/g, " ").replaceAll(",", ", ");

export const isHuman = (seat) => seat === "human";

const isGuest = (seat) => seat === "guest";

// A player's name: a bot's title; persons are "You" or numbered.
export function seatName(view, seat) {
  const kind = view.seats[seat];
  if (isGuest(kind)) return `Player ${seat}`;
  if (!isHuman(kind)) return view.titles[seat];
  return view.seats.filter(isHuman).length === 1 ? "You" : `Player ${seat}`;
}

// What has been won in the series, this game included: "After 3 games: You +2, Random −2"; null without a series.
export function seriesSum(view) {
  if (view.series === null) return null;
  const { games, totals } = view.series;
  const played = games + (view.over ? 1 : 0);
  const sums = totals.map((total, seat) => total + ((view.over && view.returns?.[seat]) || 0));
  return `After ${played} game${played > 1 ? "s" : ""}: ${sums.map((sum, seat) => `${seatName(view, seat)} ${signed(sum)}`).join(", ")}`;
}

// Who is to move, or how the game ended.
export function status(view) {
  if (view.over) return outcome(view);
  if (view.to_move === null) return view.role === "spectator" ? "The game is on" : "The others are thinking …";
  const who = seatName(view, view.to_move);
  if (isGuest(view.seats[view.to_move])) return `Waiting for ${who} …`;
  if (!isHuman(view.seats[view.to_move])) return `${who} is thinking …`;
  return who === "You" ? "Your move" : `${who} to move`;
}

function resignation(view) {
  const who = `${seatName(view, view.resigned)} resigned`;
  if (view.returns === null) return `${who}: no score, since the rules do not say what that costs`;
  return `${who}: ${signed(view.returns[view.resigned])}`;
}

function outcome(view) {
  const only = view.seats.filter(isHuman).length === 1 ? view.seats.findIndex(isHuman) : null;
  if (view.resigned !== null) return resignation(view);
  if (view.returns === null) return "The game is over";
  if (only !== null) {
    const own = view.returns[only];
    return own > 0 ? `You won: ${signed(own)}` : own < 0 ? `You lost: ${signed(own)}` : "A draw";
  }
  const most = Math.max(...view.returns);
  const winners = view.returns.flatMap((value, seat) => (value === most ? [seat] : []));
  if (winners.length > 1) return "A draw";
  return `${seatName(view, winners[0])} won: ${signed(most)}`;
}
