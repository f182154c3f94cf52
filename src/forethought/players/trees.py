"""Players that search a tree of positions before they decide; where nothing is hidden."""

import math

from forethought.game import Game
from forethought.nets.networks import load_network
from forethought.players.player import NewPlayer
from forethought.players.searching import Budget, SearchPlayer
from forethought.randomness import Generator
from forethought.runs import weights_of
from forethought.search.mcts.search import TreeSearch
from forethought.search.mcts.settings import TreeSettings
from forethought.search.playouts import largest_return


def uct(  # noqa: PLR0913, PLR0917 (one parameter each of the search)
    game: Game,
    simulations: int = 1_600,
    seconds: float = 0.0,
    exploration: float = math.sqrt(2.0),
    cut: int = 1_000,
    solve: bool = False,
    temperature: float = 0.0,
    max_nodes: int = 1_000_000,
) -> NewPlayer:
    """Plans by Monte Carlo tree search with random roll-outs (UCT), and plays what it visited most."""
    settings = TreeSettings(exploration=exploration, cut=cut, solve=solve, max_nodes=max_nodes)
    settings.check_game(game, asks=False)
    budget = Budget(simulations, seconds)

    def new_player(rng: Generator) -> SearchPlayer:
        return SearchPlayer(TreeSearch(game, settings, rng, temperature=temperature), budget)

    return new_player


def az(  # noqa: PLR0913, PLR0917
    game: Game,
    run: str,
    simulations: int = 800,
    seconds: float = 0.0,
    exploration: float = 1.5,
    pessimistic: bool = False,
    rollouts: float = 0.0,
    solve: bool = False,
    considered: int = 0,
    width: int = 1,
    temperature: float = 0.0,
    max_nodes: int = 1_000_000,
) -> NewPlayer:
    """Plans by Monte Carlo tree search guided by the network of a run, as AlphaZero does: az:RUN, az:RUN@iteration."""
    settings = TreeSettings(
        selection="puct",
        exploration=exploration,
        pessimistic=pessimistic,
        rollouts=rollouts,
        solve=solve,
        width=width,
        considered=considered,
        gumbel=temperature,
        planned=max(1, simulations - 1) if considered else 0,  # the first walk only evaluates the root
        worth=largest_return(game),
        max_nodes=max_nodes,
    )
    settings.check_game(game, asks=True)
    budget, network = Budget(simulations, seconds), load_network(weights_of(run), game)
    if network.values == 0:
        raise game.mistake(f"the network of {run} gives no values, which a tree search needs; use net:{run}")

    def new_player(rng: Generator) -> SearchPlayer:
        search = TreeSearch(game, settings, rng, network, temperature)
        return SearchPlayer(search, budget)

    return new_player
