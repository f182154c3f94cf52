"""Expert iteration: a planner plays, a network learns what it concluded, and the planner goes on with the network."""
