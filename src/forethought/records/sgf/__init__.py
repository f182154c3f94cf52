"""Smart Game Format FF[4]: `grammar.py` reads its text, `dialects.py` knows how each game writes its moves."""
