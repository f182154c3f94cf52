"""How strong players are: matches, ladders, their intervals, and the store of rounds. See docs/strength.md."""
