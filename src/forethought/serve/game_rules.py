"""A game in a minute: the rules as its file explains them, and a short game played at random as an example."""

import inspect
from collections import OrderedDict

import numpy as np

from forethought.game import EVERYONE, Game
from forethought.games import Factory
from forethought.serve.game_catalogue import GameCatalogue, Key
from forethought.serve.schemas.play import RulesSchema
from forethought.serve.views import board_view, replay_views

MOST_PLIES = {True: 24, False: 8}  # of an example, by whether there is a board; cards and dice take much room
MOST_KEPT = 64  # rules in memory
SEED = 1


class RuleBook:
    """Explains games; each is explained once, until its file changes."""

    def __init__(self, games: GameCatalogue) -> None:
        self._games = games
        self._known: OrderedDict[Key, RulesSchema] = OrderedDict()

    def rules(self, spec: str) -> RulesSchema:
        key = self._games.key(spec)
        if key not in self._known:
            self._known[key] = self._explained(spec)
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        return self._known[key]

    def _explained(self, spec: str) -> RulesSchema:
        game, factory = self._games.plain(spec), self._games.factory(spec)
        actions, names = _example(game)
        return RulesSchema(
            title=self._games.title(spec),
            paragraphs=_paragraphs(factory),
            board=board_view(game),
            moves=names,
            positions=replay_views(game.start(), EVERYONE, actions),
        )


def _paragraphs(factory: Factory) -> list[str]:
    """Return what a game's function and its file say of it, whichever says more."""
    texts = [inspect.cleandoc(text or "") for text in (factory.__doc__, factory.__globals__.get("__doc__"))]
    return [" ".join(part.split()) for part in max(texts, key=len).split("\n\n") if part.strip()]


def _example(game: Game) -> tuple[list[int], list[str]]:
    """Play at random, until the game is over or long enough for an example; return the actions and their names."""
    state, rng, actions, names = game.start(), np.random.default_rng(SEED), list[int](), list[str]()
    while not state.is_terminal and len(actions) < MOST_PLIES[game.board is not None]:
        action = state.legal_actions()[int(rng.integers(len(state.legal_actions())))]
        names.append(state.action_name(action))
        actions.append(action)
        state.apply(action)
    return actions, names
