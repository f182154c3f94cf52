"""Planning: the expert."""
