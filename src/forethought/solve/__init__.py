"""Solvers of whole games, best responses, and exact values of positions."""
