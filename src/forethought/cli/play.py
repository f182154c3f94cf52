"""`forethought play`: a game in the terminal."""

import secrets
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.cli.moves import find_action, listed_actions
from forethought.cli.output import Json, Seed, print_json
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.game import State
    from forethought.player import Player
    from forethought.randomness import Generator


class Quit(Exception):  # noqa: N818 (not an error)
    """The person has had enough."""


def play(
    game: Annotated[str, typer.Argument(help="The game: leduc, goofspiel(cards=6), my_game.py.")],
    seat: Annotated[int, typer.Option(help="Which player you are.", min=0)] = 0,
    against: Annotated[str, typer.Option(help="Who plays the other seats.")] = "random",
    seed: Seed = None,
    games: Annotated[int, typer.Option(help="How many games to play.", min=1)] = 1,
    watch: Annotated[bool, typer.Option("--watch", help="Take no seat: watch the players play.")] = False,
    as_json: Json = False,
) -> None:
    """Play a game in the terminal; you see only what your seat may see."""
    from forethought.games import load  # noqa: PLC0415 (imports numpy)
    from forethought.player import find_player, seated  # noqa: PLC0415
    from forethought.randomness import generator  # noqa: PLC0415

    made = load(game, compiled=False)
    if seat >= made.players:
        raise made.mistake(f"there is no seat {seat}; seats are 0 to {made.players - 1}")
    kind = find_player(against)
    if as_json and not watch:
        raise ForethoughtError("JSON is for programs, which take no seat here: add --watch.")
    compiled = load(made)
    others = [kind.new_player(compiled)] * compiled.players
    seed = secrets.randbelow(2**32) if seed is None else seed
    if as_json:
        print_json([_record(compiled.start(), seated(others, seed, number), seed, number) for number in range(games)])
        return
    print(f"{game}, {'watching' if watch else f'you are player {seat}'}, against {against}, seed {seed}")
    try:
        for number in range(games):
            if games > 1:
                print(f"\n--- game {number + 1} of {games}")
            players = seated(others, seed, number)
            _play_one(compiled.start(), None if watch else seat, players, generator(seed, number))
    except (Quit, EOFError, KeyboardInterrupt):
        print("\nbye")


def _play_one(state: "State", seat: int | None, players: "list[Player]", rng: "Generator") -> None:
    from forethought.player import draw_action  # noqa: PLC0415

    while not state.is_terminal:
        if seat is not None and state.player == seat:
            action = _ask(state, seat)
        else:
            action = draw_action(state, players, rng)
            _tell(state, action, seat)
        state.apply(action)
    print(f"\n{state}")
    for player, value in enumerate(state.returns()):
        print(f"{'you' if player == seat else f'player {player}'}: {value:+g}")


def _record(state: "State", players: "list[Player]", seed: int, number: int) -> dict[str, Any]:
    """Play one game without a person and write it down."""
    from forethought.player import draw_action  # noqa: PLC0415
    from forethought.randomness import generator  # noqa: PLC0415

    rng = generator(seed, number)
    actions, names = [], []
    while not state.is_terminal:
        actions.append(draw_action(state, players, rng))
        names.append(state.action_name(actions[-1]))
        state.apply(actions[-1])
    return {"seed": seed, "actions": actions, "names": names, "returns": state.returns()}


def _tell(state: "State", action: int, seat: int | None) -> None:
    """Say what happens, as far as the seat sees it; a spectator sees all."""
    sees = state.game.source.get("sees")
    visible = seat is None or not state.game.hidden or (sees is not None and sees(state.view, action, seat) is True)
    who = "chance" if state.is_chance else f"player {state.player}"
    if visible:
        print(f"{who}: {state.action_name(action)}")
    elif not state.is_chance:
        print(f"{who} has acted")


def _ask(state: "State", seat: int) -> int:
    """Show the position and the actions; ask until a legal one is named."""
    drawing = state.show(seat)
    print(f"\n{drawing}" if drawing else "")
    print(f"your actions: {listed_actions(state)}")
    while True:
        answer = input("> ")
        if answer.strip().lower() in ("q", "quit", "exit"):
            raise Quit
        action = find_action(state, answer)
        if action is not None:
            return action
        print(f"Please answer with one of {', '.join(map(str, state.legal_actions()))}, or a name; q quits.")
