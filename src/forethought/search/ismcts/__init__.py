"""Information Set Monte Carlo Tree Search."""
