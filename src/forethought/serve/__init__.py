"""The page and its interface: play, see what a planner thinks, watch a run learn; the only folder that knows FastAPI.

Games, players, runs and results are the library's; what is here decides who may see what, when, and how much of it.
"""
