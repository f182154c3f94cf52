"""Patterns around a move that a person can read: what is near the cell it goes to, or the cell it comes from.

pattern      what a pattern is, turned, reflected and joined with another
text         patterns as words for files, and as drawings for people
instances    patterns laid out on a board, as arrays that kernels read
single_cell  patterns of one cell, decided all at once
policies     the patterns of both players and their weights, as kernels read them
incremental  which of them are active, kept up to date as pieces come and go; play by them
model        linear policies in memory and on disk
atomic       the patterns to begin with: at most one cell each
pair_counts  counting pairs of patterns that hold at once
growth       the pair of patterns whose union explains best what a policy gets wrong
"""
