"""The figures of the TSPG paper (Soemers and others, 2019), from runs of one game, each with a seed of its own.

strength    Fig. 2, policies against ce over training; Table I, biased tree search against UCT
entropies   Fig. 3, how sure policies and searches are of their moves over a game
densities   Fig. 4, how widely weights are spread
drawings    the pictures of all of them
"""
