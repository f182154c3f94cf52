"""Patterns around a move, readable for people: what is near the cell that it goes to, or the cell that it comes from.

pattern      what a pattern is, turned, reflected and joined with another
text         patterns as words for files, and as drawings for people
instances    patterns laid out on a board, as arrays that kernels read
single_cell  patterns of one cell, decided all at once
policies     the patterns of both players and their weights, as kernels read them
incremental  which patterns are active, updated as pieces come and go
rollouts     play by pattern policies
model        linear policies in memory and on disk
atomic       the patterns to begin with: at most one cell each
pair_counts  counting pairs of patterns that hold at the same time
growth       the pair of patterns whose union explains the error of a policy best
"""
