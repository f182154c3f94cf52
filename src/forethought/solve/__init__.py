"""Whole-game solvers and exact answers."""
