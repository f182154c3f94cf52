"""Patterns around a move that a person can read: what stands near the cell it goes to, or the cell it comes from.

pattern     what a pattern is, turned, reflected and joined with another
text        patterns as words for files, and as drawings for people
instances   patterns laid out on a board, as arrays that kernels read
atomic      the patterns to begin with: at most one cell each
growth      the pair of patterns whose union explains best what a policy gets wrong
"""
