// A game in progress: its position, its controls, and what a planner thinks of it. The stream of events is the only
// source of views, so that a late response never shows an older position.

import * as api from "./api.js";
import { h, isTyping, replace } from "./dom.js";
import { GameControls } from "./game_controls.js";
import { forget, remember } from "./my_games.js";
import { MoreButtons } from "./more_buttons.js";
import { MoveList } from "./move_list.js";
import { PastBar } from "./past_bar.js";
import { ReplayControls } from "./replay_controls.js";
import { ReviewPanel } from "./review_panel.js";
import { RulesPanel } from "./rules_panel.js";
import { SharePanel } from "./share_panel.js";
import { sentence } from "./preparation.js";
import { PositionView } from "./position_view.js";
import { INVITATION, ThoughtPanel } from "./thought_panel.js";
import { scoresOf } from "./card_view.js";
import { isHuman, parametersOf, seatName, seriesSum, signed, status } from "./formatting.js";

const CUT = "The clock has stopped a player's search before its simulations were done.";

const WHY_NOT = { spectator: "You are watching: nothing is yours to decide here." };

export function openGame(root, id, fail) {
  const page = new GamePage(id, fail);
  root.append(page.element);
  const pressed = (event) => page.pressed(event);
  document.addEventListener("keydown", pressed);
  page.listen();
  return () => {
    document.removeEventListener("keydown", pressed);
    page.leave();
    page.replay.stop();
    page.rules.leave();
  };
}

class GamePage {
  constructor(id, fail) {
    this.id = id;
    this.fail = fail;
    this.view = null;
    this.positions = null;
    this.heading = h("h1", {});
    this.status = h("p", { class: "status", role: "status" }, "Loading …");
    this.error = h("p", { class: "muted", role: "alert" });
    this.seats = h("ul", { class: "seats" });
    this.positionPlace = h("div", {});
    this.replay = new ReplayControls((place) => this.#look(place));
    this.past = new PastBar({
      back: () => this.replay.step(Infinity),
      think: () => this.thoughts.start(),
      play: () => this.#do(() => this.#playFromHere()),
      change: () => this.#changePlayers(),
    });
    const stop = () => this.#do(() => this.#stopThinking());
    this.thoughts = new ThoughtPanel((spec) => this.#think(this.thoughts, "first", spec), stop);
    this.second = new ThoughtPanel((spec) => this.#think(this.second, "second", spec), stop, "Compare");
    this.secondPlace = h("div", { class: "second" }); // empty while nothing is compared
    this.more = new MoreButtons({
      compare: () => this.#compare(),
      bot: () => this.#do(() => this.#showBotThought()),
      change: () => this.#changePlayers(),
      setUp: () => this.#changePlayers({ set_up: "" }),
    });
    this.review = new ReviewPanel((ply) => this.replay.go(ply), fail);
    this.share = new SharePanel();
    this.rules = new RulesPanel();
    this.series = h("p", { class: "muted series" });
    this.moves = new MoveList((place) => this.replay.go(place));
    this.controls = new GameControls(id, (work) => this.#do(work), () => this.positionView.picture);
    const main = h(
      "section",
      { class: "panel game" },
      h("header", {}, this.heading, this.status),
      this.seats,
      this.series,
      this.past.element,
      this.positionPlace,
      this.error,
      this.moves.news,
      this.replay.element,
      this.controls.element,
    );
    this.element = h(
      "div",
      { class: "game-page" },
      main,
      h(
        "aside",
        {},
        this.thoughts.element,
        this.secondPlace,
        this.more.element,
        this.review.element,
        this.share.element,
        this.moves.element,
        this.rules.element,
      ),
    );
  }

  listen() {
    const handlers = {
      view: (view) => this.show(view),
      thought: (thought) => this.#hear(this.thoughts, thought),
      "second-thought": (thought) => this.#hear(this.second, thought),
      preparation: (progress) => this.#prepare(progress),
    };
    this.leave = api.sessionEvents(this.id, handlers, (...state) => this.#connected(...state));
  }

  pressed(event) {
    const plain = !isTyping(event) && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (this.positionView?.pressed(event) || (plain && this.controls.pressed(event))) event.preventDefault();
  }

  show(view) {
    const first = this.view === null;
    const moved = first || positionOf(view) !== positionOf(this.view);
    this.view = view;
    remember(view);
    if (first) this.#begin();
    if (moved) this.positions = null;
    this.#showFrame();
    if (moved || this.replay.place === view.ply) this.#showPresent();
    this.element.setAttribute("aria-busy", view.busy);
    this.review.offer(view);
    if (moved || view.error) this.#invite(view.ply);
  }

  #showPresent() {
    const { view } = this;
    this.replay.reset(view.ply);
    this.#mark(view.ply);
    this.positionView.show(view.position, view.legal);
  }

  // Offer to think about the shown position.
  #invite(place) {
    const { view } = this;
    const mine = this.#isThinkable(place);
    const present = place === view.ply;
    const ended = present && view.over;
    const why = ended ? "The game is over." : WHY_NOT[view.role] ?? (present ? "It is not your turn." : "You decided nothing here.");
    this.positionView.heat([]);
    for (const panel of this.#panels) {
      panel.clear(view.error ?? (mine ? INVITATION : why));
      if (mine && present && panel.always.checked) panel.start();
    }
    this.more.bot.hidden = this.#botPly() === undefined;
  }

  // Whether a planner can think here: one's own decisions, and all where everything is known.
  #isThinkable(place) {
    const { view } = this;
    if (place === view.ply) return view.legal.length > 0;
    const { player } = view.history[place];
    return player !== null && player >= 0 && (isHuman(view.seats[player]) || this.#isOpen);
  }

  get #panels() {
    return this.secondPlace.hasChildNodes() ? [this.thoughts, this.second] : [this.thoughts];
  }

  // The last decision of a bot before the shown position, if what it thought may be told.
  #botPly() {
    const { history, seats } = this.view;
    const isBots = ({ player }) => player >= 0 && player !== null && !["human", "guest"].includes(seats[player]);
    return this.#isOpen ? history.slice(0, this.replay.place + 1).findLast(isBots)?.ply : undefined;
  }

  async #showBotThought() {
    const ply = this.#botPly();
    const thought = await api.botThought(this.id, ply);
    if (this.replay.place !== ply) await this.#goTo(ply);
    this.thoughts.show(thought, `What ${seatName(this.view, this.view.history[ply].player)} thought before its move:`);
    this.positionView.heat(thought.actions, thought.line);
  }

  #goTo(place) {
    this.replay.reset(this.replay.last, place);
    return this.#look(place);
  }

  // Show a second planner beside the first.
  #compare() {
    const comparing = !this.secondPlace.hasChildNodes();
    replace(this.secondPlace, comparing && this.second.element);
    this.element.classList.toggle("comparing", comparing);
    this.more.comparing(comparing);
    this.second.enable(this.#isThinkable(this.replay.place));
  }

  #changePlayers(more = {}) {
    const query = new URLSearchParams({ game: this.view.game.spec, from: this.id, ply: this.replay.place, ...more });
    location.hash = `#play?${query}`;
  }

  get #isOpen() {
    return !this.view.game.hidden || this.view.over;
  }

  #mark(place) {
    const last = this.view.ply;
    const thinkable = this.#isThinkable(place);
    this.past.mark(place, last, { thinkable, playable: this.#isOpen });
    this.element.classList.toggle("past", place !== last);
    for (const panel of [this.thoughts, this.second]) panel.enable(thinkable);
  }

  #begin() {
    const { game, board } = this.view;
    replace(this.heading, game.title, h("small", {}, parametersOf(game.spec)));
    document.title = `${game.title} · forethought`;
    const names = this.view.seats.map((_, seat) => seatName(this.view, seat));
    this.positionView = new PositionView(board, game.name, names, (action) => this.#play(action));
    replace(this.positionPlace, this.positionView.element);
    this.rules.offer(game.spec, game.name);
    api.players(game.spec).then((players) => [this.thoughts, this.second].map((panel) => panel.offer(players, names)), this.fail);
  }

  #showFrame() {
    const { view } = this;
    this.status.textContent = status(view);
    this.status.className = `status${view.busy ? " busy" : ""}${view.over ? " over" : ""}`;
    this.error.textContent = view.error ?? (view.cut ? CUT : "");
    replace(this.seats, view.seats.map((_, seat) => this.#seat(seat)));
    this.moves.show(view);
    this.more.show(view, this.#isOpen);
    this.series.textContent = seriesSum(view) ?? "";
    this.share.show(view);
    this.controls.show(view);
  }

  #seat(seat) {
    const { view } = this;
    const result = view.returns ? h("strong", {}, signed(view.returns[seat])) : null;
    const score = scoresOf(view.position.drawing).get(seat);
    const turn = view.to_move === seat && !view.over ? " turn" : "";
    return h(
      "li",
      { class: `seat${turn}` },
      h("span", { class: `disc owner${seat + 1}` }),
      seatName(view, seat),
      score && h("span", { class: "muted" }, score),
      result,
    );
  }

  // Do something that may be refused; if so, show why.
  async #do(work) {
    try {
      await work();
    } catch (error) {
      this.fail(error);
    }
  }

  async #play(action) {
    const before = this.view;
    this.positionView.show(before.position); // nothing else can be played until the server answers
    this.element.setAttribute("aria-busy", "true");
    try {
      await api.move(this.id, action, before.ply);
    } catch (error) {
      if (this.view === before) this.show(before); // it can be played again, even if the server does not answer
      this.fail(error);
      await this.#do(async () => this.show(await api.session(this.id)));
    }
  }

  async #think(panel, place, spec) {
    panel.waiting();
    try {
      await api.think(this.id, spec, this.replay.place, place);
    } catch (error) {
      panel.clear(error.message);
    }
  }

  async #stopThinking() {
    for (const panel of this.#panels) panel.halt();
    await api.stopThinking(this.id);
  }

  // Something is compiled that a bot or the planner waits for.
  #prepare(progress) {
    const waiting = this.#panels.find((panel) => panel.running);
    if (waiting) waiting.waiting(sentence(progress));
    else if (this.view?.busy) this.status.textContent = sentence(progress);
  }

  #hear(panel, thought) {
    if (thought.ply !== this.replay.place || !panel.running) return;
    panel.show(thought);
    if (panel === this.thoughts) this.positionView.heat(thought.actions, thought.line);
  }

  // Show another position than the present one; nothing can be played there.
  async #look(place) {
    const { view } = this;
    let { positions } = this;
    try {
      positions ??= await api.positions(this.id);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (view !== this.view) return; // the game has changed meanwhile
    this.positions = positions;
    const present = place === this.replay.last;
    if (this.#panels.some((panel) => panel.running)) await this.#do(() => this.#stopThinking());
    if (view !== this.view || place !== this.replay.place) return;
    this.#mark(place);
    this.#invite(place);
    this.positionView.show(present ? view.position : positions[place], present ? view.legal : []);
    this.moves.mark(place);
  }

  // Start another game with the moves up to the shown position.
  async #playFromHere() {
    const { place } = this.replay;
    const record = await api.record(this.id);
    const view = await api.loadSession({ ...record, actions: record.actions.slice(0, place), resigned: null });
    location.hash = `#play/${view.id}`;
  }

  #connected(connected, refused) {
    if (connected || this.view?.over) return;
    this.status.textContent = "The server does not answer; trying again …";
    if (refused) this.#refused();
  }

  // The stream was refused and is not tried again: show why.
  async #refused() {
    try {
      this.show(await api.session(this.id));
      this.status.textContent = "This page is no longer updated; reload it to continue.";
    } catch (error) {
      this.fail(error);
      this.status.textContent = error.message;
      const another = h("a", { href: "#play" }, "Start another.");
      const gone = [h("h1", {}, "No such game"), h("p", {}, "This game does not exist any more. ", another)];
      if (error.status === 404) forget(this.id);
      if (error.status === 404) replace(this.element, h("section", { class: "panel" }, gone));
    }
  }
}

// Two views are of the same decision if these are equal; what others do unnoticed does not change the ply.
const positionOf = ({ ply, over, legal }) => `${ply} ${over} ${legal.length > 0}`;
