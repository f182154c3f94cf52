"""The web page and its API: play, see what a planner thinks, watch a run learn. The only folder that knows FastAPI.

Games, players, runs and results come from the library; this folder decides what a client may see and how much it may
ask for. A request passes `middleware`, and a route (`play_routes`, `watch_routes`) answers it with the `services`.
"""
