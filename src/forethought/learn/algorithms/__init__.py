"""The algorithms of learning, one file each: its configuration, its learner, its self-play and its registration."""
