"""Players: what one is, and the kinds there are, each named by a string wherever a player is wanted.

A kind of player is a `PlayerSettings` class, registered under a name:

    @register_player("random", label="Random")
    @dataclass(frozen=True, kw_only=True)
    class RandomSettings(PlayerSettings):
        def new_player(self, game): ...

`random`, `oos:10000` and `oos(simulations=10000,delta=0.9)` are strings that name players. What is costly, a policy
file for one, is loaded once, by `new_player(game)`; each game then gets a new player, with a generator of its own, that
may remember what it found earlier in that game.
"""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from forethought.errors import ForethoughtError
from forethought.game import Game, Observation, State
from forethought.randomness import Generator, choose, generator
from forethought.registry import Registry, files_outside
from forethought.runs import weights_of
from forethought.settings import Settings, read_spec, settings_of, write_spec


class Policy(NamedTuple):
    """Probabilities over the legal actions of one observation."""

    actions: tuple[int, ...]
    probabilities: tuple[float, ...]

    def as_dict(self) -> dict[int, float]:
        """Return the probability of each action, by action."""
        return dict(zip(self.actions, self.probabilities, strict=True))


class Player(Protocol):
    """Whoever can decide. A player sees observations only, never a hidden state."""

    def think(self, observation: Observation) -> Policy: ...


NewPlayer = Callable[[Generator], Player]


class PlayerGroup(Protocol):
    """Players of several games that are played at once, one per game, who may think about their decisions together."""

    def think(self, games: Sequence[int], observations: Sequence[Observation]) -> list[Policy]:
        """Decide in some of the games."""


NewGroup = Callable[[Sequence[Generator]], PlayerGroup]


class SeparatePlayers:
    """A group of players who think one after another."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players

    def think(self, games: Sequence[int], observations: Sequence[Observation]) -> list[Policy]:
        return [self.players[game].think(seen) for game, seen in zip(games, observations, strict=True)]


@dataclass(frozen=True, kw_only=True)
class PlayerSettings(Settings):
    """The settings of one kind of player."""

    def new_player(self, game: Game) -> NewPlayer:
        """Load what the player needs for a game; return what makes a player of it for each game that is played."""
        raise NotImplementedError

    def new_group(self, game: Game) -> NewGroup:
        """Do the same for players of several games at once, who decide as they would alone."""
        new_player = self.new_player(game)
        return lambda rngs: SeparatePlayers([new_player(rng) for rng in rngs])

    def compiled(self, game: Game) -> Any | None:  # noqa: ARG002
        """Return a compiled evaluator (`nets/evaluator.py`) that decides as the player does, if there is one.

        Kernels then ask it without returning to Python. Only for players that remember nothing.
        """
        return None

    @property
    def thinks_together(self) -> bool:
        """Whether players of several games at once are quicker than one after another."""
        return type(self).new_group is not PlayerSettings.new_group

    def files(self) -> list[Path]:
        """Return the files that decide how the player plays: weights, files it names, code of other packages."""
        return [*self.named_files().values(), *files_outside(type(self))]

    def named_files(self) -> dict[str, Path]:
        """Return the files that settings name, by the name of the setting."""
        readers, declared = {"run": weights_of, "file": Path}, settings_of(type(self)).items()
        named = ((key, getattr(self, key), one.metadata["declared"].names) for key, one in declared)
        return {key: readers[what](text) for key, text, what in named if what in readers and text}

    def __str__(self) -> str:
        return player_spec(self)


@dataclass(frozen=True)
class PlayerKind:
    """A registered kind of player."""

    name: str
    label: str  # for people
    settings: type[PlayerSettings]
    suits: Callable[[Game], bool]
    thinks: str = ""  # its string where it tells a person what it thinks, with {simulations} left open
    reviews: str = ""  # its string where it looks back on a whole game; such a kind is recommended for games it suits

    @property
    def searches(self) -> bool:
        """Whether the player searches, and takes a number of simulations."""
        return "simulations" in settings_of(self.settings)

    @property
    def needs_run(self) -> bool:
        """Whether the player is what a run has learned."""
        required = [one for one in settings_of(self.settings).values() if one.default is MISSING]
        return any(one.metadata["declared"].names == "run" for one in required)


PLAYERS: Registry[PlayerKind] = Registry(
    "player", "forethought.players", ("forethought.players", "forethought.search"), "register_player"
)

SettingsClass = TypeVar("SettingsClass", bound=type[PlayerSettings])


def any_game(_game: Game) -> bool:
    return True


def register_player(
    name: str, *, label: str, suits: Callable[[Game], bool] = any_game, thinks: str = "", reviews: str = ""
) -> Callable[[SettingsClass], SettingsClass]:
    """Register a kind of player: a decorator of its settings."""

    def register(settings: SettingsClass) -> SettingsClass:
        kind = PlayerKind(name, label, settings, suits, thinks, reviews)
        PLAYERS.add(name, kind, settings.__module__)
        return settings

    return register


def read_player(spec: str) -> tuple[PlayerKind, PlayerSettings]:
    """Return the kind of the player that a string names, and its settings."""
    return read_spec(spec, PLAYERS, "random or oos:10000", lambda kind: kind.settings)


def find_player(spec: str) -> PlayerSettings:
    """Return the settings of the player that a string names: `find_player("oos:100").new_player(game)`."""
    return read_player(spec)[1]


def player_spec(settings: PlayerSettings) -> str:
    """Write settings as a string that names the same player: only what differs from the defaults.

    A kind that is not registered is called by the name of its class.
    """
    registered = (name for name, kind in PLAYERS if kind.settings is type(settings))
    name = next(registered, type(settings).__name__)
    return write_spec(name, settings)


def seated(new_players: Sequence[NewPlayer], *seed: int) -> list[Player]:
    """Make the players of one game, each with a generator that its seat and the game's seed give it."""
    return [new_player(generator(*seed, seat)) for seat, new_player in enumerate(new_players)]


def draw_action(state: State, players: Sequence[Player], rng: Generator) -> int:
    """Let whoever acts here, a player or chance, draw an action."""
    if state.is_chance:
        actions, weights = tuple(state.legal_actions()), tuple(state.chance())
    else:
        actions, weights = players[state.player].think(state.observation(state.player))
    return actions[choose(np.array(weights), len(actions), rng)]


def uniform_policy(observation: Observation) -> Policy:
    """Return the policy of equal probabilities."""
    actions = observation.legal_actions
    return Policy(actions, (1.0 / len(actions),) * len(actions))


def recommended_player(game: Game) -> PlayerKind:
    """Return the kind of player that plans best in a game without having learned anything."""
    for _, kind in PLAYERS:
        if kind.reviews and kind.suits(game):
            return kind
    raise ForethoughtError(f"No player that searches suits {game.name}.")
