"""Monte Carlo tree search: planning where nothing is hidden."""
