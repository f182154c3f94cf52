"""`forethought play`: a game in the terminal."""

import re
import shutil
from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import DrawnSeed, Game, Json
from forethought.cli.output import print_json
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.player import Player
    from forethought.randomness import Generator


GAP = "   "  # between two actions on a line


class Quit(Exception):  # noqa: N818 (not an error)
    """The person has had enough."""


def play(
    game: Game,
    seat: Annotated[int, typer.Option(help="Which player you are.", min=0)] = 0,
    against: Annotated[str, typer.Option(help="Who plays the other seats.")] = "random",
    seed: DrawnSeed = None,
    games: Annotated[int, typer.Option(help="How many games to play.", min=1)] = 1,
    watch: Annotated[bool, typer.Option("--watch", help="Take no seat: watch the players play.")] = False,
    as_json: Json = False,
) -> None:
    """Play a game in the terminal; you see only what your seat may see."""
    made = ft.load(game, compiled=False)
    if seat >= made.players:
        raise made.mistake(f"there is no seat {seat}; seats are 0 to {made.players - 1}")
    if as_json:
        if not watch:
            raise ForethoughtError("JSON is for programs, which take no seat here: add --watch.")
        print_json(ft.play_games(made, against, games, seed=seed))
    else:
        _play_all(made, None if watch else seat, against, games, seed)


def _play_all(made: "ft.Game", seat: int | None, against: str, games: int, seed: int | None) -> None:
    from forethought.api.arguments import chosen_seed  # noqa: PLC0415 (imports Numba)
    from forethought.api.playing import Seats  # noqa: PLC0415
    from forethought.player import seated  # noqa: PLC0415
    from forethought.randomness import generator  # noqa: PLC0415

    seats, drawn = Seats(made, against), chosen_seed(seed)
    who = "watching" if seat is None else f"you are player {seat}"
    print(f"{made.spec}, {who}, against {against}, seed {drawn}")
    try:
        for number in range(games):
            if games > 1:
                print(f"\n--- game {number + 1} of {games}")
            players = seated(seats.makers, drawn, number)
            _play_one(seats.game.start(), seat, players, generator(drawn, number))
    except (Quit, EOFError, KeyboardInterrupt):
        print("\nbye")


def _play_one(state: "ft.State", seat: int | None, players: "list[Player]", rng: "Generator") -> None:
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


def _tell(state: "ft.State", action: int, seat: int | None) -> None:
    """Say what happens, as far as the seat notices it; a spectator sees all."""
    observer = ft.EVERYONE if seat is None else seat
    noticed, name = state.noticed(action, observer), state.name_of_noticed(action, observer)
    if noticed is not None:
        print(f"{_actor(noticed.player)} has acted" if name is None else f"{_actor(noticed.player)}: {name}")


def _actor(player: int | None) -> str:
    return "somebody" if player is None else "chance" if player == ft.CHANCE else f"player {player}"


def _ask(state: "ft.State", seat: int) -> int:
    """Show the position and the actions; ask until a legal one is named."""
    from forethought.api.positions import find_action, possible_answers  # noqa: PLC0415

    drawing = state.show(seat)
    print(f"\n{drawing}" if drawing else "")
    print(f"your actions: {_actions_in_lines(state)}")
    while True:
        answer = input("> ")
        if answer.strip().lower() in ("q", "quit", "exit"):
            raise Quit
        action = find_action(state, answer)
        if action is not None:
            return action
        print(f"Please answer with one of {possible_answers(state)}; q quits.")


def _actions_in_lines(state: "ft.State") -> str:
    """List the legal actions: many of them in columns, with lines of their own for those that begin alike."""
    from forethought.api.positions import listed_actions  # noqa: PLC0415

    listed, width = listed_actions(state), shutil.get_terminal_size().columns
    together = GAP.join(listed)
    if len(together) + len("your actions: ") <= width:
        return together
    groups: dict[str, list[str]] = {}
    for action, one in zip(state.legal_actions(), listed, strict=True):
        groups.setdefault(re.split("[- ]", state.action_name(action))[0], []).append(one)
    paragraphs = list(groups.values()) if len(groups) < len(listed) else [list(listed)]
    cell = max(map(len, listed)) + len(GAP)
    per_line = max(1, width // cell)
    lines = [part[i : i + per_line] for part in paragraphs for i in range(0, len(part), per_line)]
    return "\n" + "\n".join("".join(one.ljust(cell) for one in line).rstrip() for line in lines)
