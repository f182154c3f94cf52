"""What a player thinks of a position."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from forethought.api.arguments import PlayerLike, Progress, chosen_seed, quiet
from forethought.drawing.markup import Markup, bar, beside, block, note, table
from forethought.drawing.positions import PositionView
from forethought.errors import ForethoughtError
from forethought.evaluate.rounds import entrant
from forethought.game import Observation, State
from forethought.games import load
from forethought.player import Player, Policy, recommended_player
from forethought.randomness import generator
from forethought.results import ASIDE, ResultBase
from forethought.search.player import SearchPlayer, Thought, shares_of, study

SIMULATIONS = 10_000  # of the player that thinks by default


@dataclass(frozen=True)
class ThoughtResult(ResultBase):
    """What a player found where it is to move. A notebook shows only what the player itself sees."""

    game: str
    player: str
    seed: int
    seat: int
    facts: list[int]  # what the player observes
    actions: list[dict[str, Any]]  # action, name, probability, share, and what the search knows: visits, value, regret
    simulations: int
    seconds: float
    simulations_per_second: float | None  # None if it does not search
    infosets: int  # in memory
    view: PositionView | None = field(default=None, repr=False, compare=False, metadata=ASIDE)

    @property
    def policy(self) -> Policy:
        """The probabilities of the legal actions, which sum to one."""
        actions, chances = self.about("action"), self.about("probability")
        return Policy(tuple(actions), tuple(chances))

    @property
    def share_name(self) -> str:
        """What the shares of actions are shares of: of visits, where the policy is the most visited action."""
        return "policy" if self.about("share") == self.about("probability") else "visited"

    @property
    def numbers(self) -> list[str]:
        """The names of what the search knows of each action."""
        return [key for key in self.actions[0] if key not in ("action", "name", "probability", "share")]

    @property
    def best(self) -> int:
        """The most probable action; the first of several."""
        found: int = max(self.actions, key=lambda one: one["probability"])["action"]
        return found

    def about(self, what: str) -> list[Any]:
        """Return a number about each action: "visits", "value", "regret", whatever the player reports."""
        unknown = [one for one in self.actions if what not in one]
        if unknown:
            raise ForethoughtError(f"{self.player} reports no '{what}', only {', '.join(self.actions[0])}.")
        return [one[what] for one in self.actions]

    def _repr_html_(self) -> str:
        rows = [
            [one["name"], f"{one['share']:.3f}", bar(one["share"]), *(f"{one[key]:.4g}" for key in self.numbers)]
            for one in self.actions
        ]
        listed = table(["action", self.share_name, "", *self.numbers], rows, left=["action", ""])
        title = f"{self.game}: {self.player} in seat {self.seat}"
        return block(title, beside(self._picture(), listed), note(self._effort()))

    def _picture(self) -> Markup:
        if self.view is None:
            return note(f"it knows the facts {', '.join(map(str, self.facts))}")
        return self.view.html(self.policy.as_dict())

    def _effort(self) -> str:
        searched = f"{self.simulations:,} simulations in {self.seconds:.3g} s; " if self.simulations else ""
        return f"{searched}seed {self.seed}"


def think(
    position: State | Observation,
    player: PlayerLike | None = None,
    *,
    seed: int | None = None,
    progress: Progress = quiet,
) -> ThoughtResult:
    """Let a player think about a position in which it is to move: it is given what it may observe, and no more.

    Without a player, the search that is recommended for the game thinks, with 10,000 simulations. The seed decides all
    chance of its search; without one, a seed is drawn, and is in the result. Raises ForethoughtError if nobody is to
    move there, or the player does not suit the game.
    """
    chosen = f"{recommended_player(position.game).name}:{SIMULATIONS}" if player is None else player
    thinking, drawn = entrant(chosen), chosen_seed(seed)  # mistakes before anything is compiled
    seen, view, names = _observed(position)
    new_player = thinking.settings.new_player(seen.game)
    thought = _thought(new_player(generator(drawn)), seen, progress)
    return ThoughtResult(
        game=seen.game.spec or seen.game.name,
        player=thinking.name,
        seed=drawn,
        seat=seen.player,
        facts=list(seen.facts),
        actions=_rows(thought, names, shares_of(thought.policy, thought.about_actions, seen.game.hidden)),
        simulations=thought.simulations,
        seconds=thought.seconds,
        simulations_per_second=thought.simulations / thought.seconds if thought.seconds > 0.0 else None,
        infosets=thought.infosets,
        view=view,
    )


def _observed(position: State | Observation) -> tuple[Observation, PositionView | None, list[str]]:
    """Return what the player to move observes, in a game that is compiled; and how that looks, and its actions' names.

    An observation of a game with hidden information does not tell how it looks, nor names.
    """
    state = position if isinstance(position, State) else position.state
    if isinstance(position, State):
        if position.is_terminal or position.is_chance:
            what = "the game is over" if position.is_terminal else "chance acts"
            raise position.game.mistake(f"nobody is to move there: {what}")
        position = position.observation(position.player)
    if not position.legal_actions:
        raise position.game.mistake(f"player {position.player} is not to move there")
    game = load(position.game)
    seen = replace(position, game=game, state=position.state and State(game, position.state.memory))
    if state is None:
        return seen, None, [str(action) for action in seen.legal_actions]
    return seen, state.seen_by(seen.player), [state.action_name(action) for action in seen.legal_actions]


def _thought(player: Player, seen: Observation, progress: Progress) -> Thought:
    if isinstance(player, SearchPlayer):
        player.search.simulate(0)  # compiles what must be, before the clock starts
    return study(player, seen, lambda part: progress("searching", part))


def _rows(thought: Thought, names: Sequence[str], shares: Sequence[float]) -> list[dict[str, Any]]:
    return [
        {
            "action": action,
            "name": names[place],
            "probability": probability,
            "share": shares[place],
            **{what: numbers[place] for what, numbers in thought.about_actions.items()},
        }
        for place, (action, probability) in enumerate(zip(*thought.policy, strict=True))
    ]
