"""Players, and games that they play."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from forethought.api.arguments import GameLike, PlayerLike, chosen_seed
from forethought.drawing.markup import block, note
from forethought.evaluate.rounds import Entrant, entrant
from forethought.game import Game, State
from forethought.games import load
from forethought.player import NewPlayer, PlayerSettings, draw_action, find_player, seated
from forethought.randomness import generator
from forethought.results import ASIDE, Listing, ResultBase


@dataclass(frozen=True)
class GameRecord(ResultBase):
    """A game that was played to its end, and can be looked at again."""

    game: str
    players: list[str]  # by seat
    seed: int
    number: int  # of the game, among those with this seed
    actions: list[int]  # outcomes of chance included
    names: list[str]  # of the actions
    returns: list[float]  # by seat
    played: Game = field(repr=False, compare=False, metadata=ASIDE)

    def states(self) -> Iterator[State]:
        """Yield every position, from the start of the game to its end: one more than there are actions."""
        state = self.played.start()
        yield state.clone()
        for action in self.actions:
            state.apply(action)
            yield state.clone()

    def _repr_html_(self) -> str:
        *states, last = self.states()
        moves = [
            f"{ply}. {'chance: ' if state.is_chance else ''}{name}"
            for ply, (state, name) in enumerate(zip(states, self.names, strict=True))
        ]
        results = [
            f"{name} (seat {seat}) {won:+g}"
            for seat, (name, won) in enumerate(zip(self.players, self.returns, strict=True))
        ]
        title, said = f"{self.game}: {', '.join(results)}", f"seed {self.seed}; {'   '.join(moves)}"
        return block(title, last.seen_by().html(), note(said))


def player(spec: PlayerLike) -> PlayerSettings:
    """Return a player by the string that names it: `oos:10000`, `az(run=demo,simulations=400)`.

    The settings can be looked at, changed by `dataclasses.replace`, and given wherever a player is wanted. Raises
    ForethoughtError, which says what there is, if the string names no player or a setting is out of range.
    """
    return find_player(spec) if isinstance(spec, str) else spec


def play(
    game: GameLike, players: PlayerLike | Sequence[PlayerLike], *, seed: int | None = None, number: int = 0
) -> GameRecord:
    """Let players play one game: one player for all seats, or one for each seat.

    The seed and the number decide everything; without a seed one is drawn, and is in the record. Raises
    ForethoughtError if there are too few or too many players, or one of them does not suit the game.
    """
    return Seats(game, players).play(chosen_seed(seed), number)


def play_games(
    game: GameLike, players: PlayerLike | Sequence[PlayerLike], games: int, *, seed: int | None = None
) -> Listing[GameRecord]:
    """Let players play some games, each with its number; what players need is loaded once."""
    seats, drawn = Seats(game, players), chosen_seed(seed)
    return Listing(seats.play(drawn, number) for number in range(games))


class Seats:
    """Players in the seats of a game, loaded and ready for any number of games."""

    def __init__(self, game: GameLike, players: PlayerLike | Sequence[PlayerLike]) -> None:
        made = load(game, compiled=False)
        self.entrants = _entrants(made, players)  # mistakes before anything is compiled
        self.game = load(made)
        self.makers: list[NewPlayer] = []
        for one in self.entrants:
            same = [maker for other, maker in zip(self.entrants, self.makers, strict=False) if other == one]
            self.makers.append(same[0] if same else one.settings.new_player(self.game))

    def play(self, seed: int, number: int) -> GameRecord:
        """Play a game to its end."""
        state, players, rng = self.game.start(), seated(self.makers, seed, number), generator(seed, number)
        actions: list[int] = []
        names: list[str] = []
        while not state.is_terminal:
            actions.append(draw_action(state, players, rng))
            names.append(state.action_name(actions[-1]))
            state.apply(actions[-1])
        called = [one.name for one in self.entrants]
        spec = self.game.spec or self.game.name
        return GameRecord(spec, called, seed, number, actions, names, state.returns(), self.game)


def _entrants(game: Game, players: PlayerLike | Sequence[PlayerLike]) -> list[Entrant]:
    given = [players] * game.players if isinstance(players, str | PlayerSettings) else list(players)
    if len(given) != game.players:
        raise game.mistake(f"it has {game.players} seats, but {len(given)} players were given; name one for each seat")
    return [entrant(one) for one in given]
