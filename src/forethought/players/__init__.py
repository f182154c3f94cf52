"""Players that do not search: one file per kind, its settings, its registration, and the player itself."""
