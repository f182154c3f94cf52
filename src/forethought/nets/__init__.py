"""Evaluators: facts in, a policy out."""
