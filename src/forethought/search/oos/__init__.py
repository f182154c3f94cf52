"""Online Outcome Sampling: planning where information is hidden."""
