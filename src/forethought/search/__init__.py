"""Searches that plan before a decision."""
