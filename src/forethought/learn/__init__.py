"""Expert iteration: a planner plays, a network learns what it concluded, and the planner goes on with the network."""

import os

# Torch's threads must not spin while they wait for each other: on a busy machine that makes a step five times as long.
# It is read when torch is imported, so it is set here, before any module of this package can.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
