"""Evaluators of positions: networks, their files, and the backends that run them."""
