"""The stages of AlphaGo's training (Silver et al., 2016), one file each; `algorithms/alphago.py` puts them in order."""
