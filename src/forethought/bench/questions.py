"""What searches ask networks, for benchmarks that let them answer."""

import numpy as np

from forethought.game import Game
from forethought.nets.questions import Questions, make_questions, write_question


def some_questions(game: Game, rows: int, columns: int) -> Questions:
    """Return questions about one position after the other of random games (without chance), with room for values."""
    questions, state, rng = make_questions(game, rows, columns), game.start(), np.random.default_rng(1)
    for row in range(rows):
        facts, actions = state.facts(state.player), state.legal_actions()
        write_question(questions, row, facts, actions)
        state.apply(int(rng.choice(actions)))
        if state.is_terminal:
            state = game.start()
    return questions
