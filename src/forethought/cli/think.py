"""`forethought think`: what does a player think of a position?"""

import secrets
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.cli.moves import position_after
from forethought.cli.output import Json, Seed, print_json, print_table, progress
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.game import Observation, State
    from forethought.search.player import Thought

BAR = 30  # characters of a probability of one


def think(
    game: Annotated[str, typer.Argument(help="The game: leduc, goofspiel(cards=6), my_game.py.")],
    player: Annotated[str, typer.Option(help="Who thinks: oos:10000, oos(seconds=1), ismcts:10000, policy:FILE.")] = (
        "oos:10000"
    ),
    moves: Annotated[str, typer.Option(help="How the game has gone: actions and outcomes, with commas between.")] = "",
    seat: Annotated[int | None, typer.Option(help="Whose decision it must be, to be sure.", min=0)] = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Show what a player sees in a position, and what it thinks of each action."""
    from forethought.games import load  # noqa: PLC0415 (imports numpy)
    from forethought.player import find_player  # noqa: PLC0415
    from forethought.randomness import generator  # noqa: PLC0415

    maker = find_player(player)
    loaded = load(game)
    seed = secrets.randbelow(2**32) if seed is None else seed
    state = position_after(loaded, moves, seed)
    if seat is not None and seat != state.player:
        raise ForethoughtError(f"There player {state.player} is to move, not {seat}; give other --moves or no --seat.")
    observation = state.observation(state.player)
    with progress(f"{player} thinks") as report:
        thought = _thought(
            maker.new_player(loaded)(generator(seed)), observation, lambda part: report("searching", part)
        )
    if as_json:
        print_json(_record(state, observation, thought, {"game": game, "player": player, "seed": seed}))
    else:
        print(f"{loaded.spec or loaded.name}, player {state.player} is to move, and sees")
        print(state.show(state.player) or f"facts {', '.join(map(str, observation.facts))}")
        _print(state, player, thought)
        print(f"seed {seed}")


def _thought(player: Any, observation: "Observation", report: Any) -> "Thought":
    from forethought.search.player import SearchPlayer, study  # noqa: PLC0415

    if isinstance(player, SearchPlayer):
        player.search.simulate(0)  # compiles what must be, before the clock starts
    return study(player, observation, report)


def _record(state: "State", observation: "Observation", thought: "Thought", asked: dict[str, Any]) -> dict[str, Any]:
    per_second = thought.simulations / thought.seconds if thought.seconds > 0 else None
    actions = [
        {
            "action": action,
            "name": state.action_name(action),
            "probability": probability,
            **{name: numbers[i] for name, numbers in thought.about_actions.items()},
        }
        for i, (action, probability) in enumerate(zip(*thought.policy, strict=True))
    ]
    return {
        **asked,
        "seat": observation.player,
        "facts": list(observation.facts),
        "actions": actions,
        "simulations": thought.simulations,
        "seconds": thought.seconds,
        "simulations_per_second": per_second,
        "infosets": thought.infosets,
    }


def _print(state: "State", player: str, thought: "Thought") -> None:
    rows = [
        [
            state.action_name(action),
            f"{probability:.3f}",
            "█" * round(BAR * probability),
            *(f"{numbers[i]:,.4g}" if name != "visits" else f"{numbers[i]:,.0f}" for name, numbers in known.items()),
        ]
        for known in [thought.about_actions]
        for i, (action, probability) in enumerate(zip(*thought.policy, strict=True))
    ]
    print_table(["action", "policy", "", *thought.about_actions], rows, right=["policy", *thought.about_actions])
    if thought.simulations > 0:
        rate = thought.simulations / thought.seconds
        print(f"{player}: {thought.simulations:,} simulations in {thought.seconds:.3g} s, {rate:,.0f} simulations/s,")
        print(f"  {thought.infosets:,} information sets in memory")
