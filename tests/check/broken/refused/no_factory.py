"""No function makes a game."""

SIZE = 3
