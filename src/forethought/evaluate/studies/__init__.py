"""Studies of a game as its designer asks for them: bots play it in batches, and numbers say what it is like."""
