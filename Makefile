# `make demo` shows what forethought does. `make test` runs every kind of check in about ten minutes; `make test-all`
# adds the long statistics, strength and soak tests. Each sets up its own environment first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Some machines ask Python not to keep what it compiled; then every process of the tests would compile all it imports.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-all ready lint docs kernels collected screenshots bench clean

demo: $(VENV)/installed
	@echo; echo "== The games"
	$(BIN)/forethought games
	@echo; echo "== Does every built-in game keep the laws of a game?"
	$(BIN)/forethought check --histories 1000 --plies 5000 --seconds 3
	@echo; echo "== A few hands of Leduc poker, random players"
	$(BIN)/forethought play leduc --watch --games 3 --seed 1
	@echo; echo "== What a planner thinks: Leduc poker, a queen against a raise"
	$(BIN)/forethought think leduc --player oos:50000 --moves "Ks, Qs, raise" --seed 1
	@echo; echo "== An equilibrium of Leduc poker, and what it wins"
	$(BIN)/forethought solve leduc --save runs/leduc.policy --plot runs/leduc.png
	$(BIN)/forethought match leduc policy:runs/leduc.policy random --games 1000
	@echo; echo "== Expert iteration: a network learns Leduc poker from the planner, two minutes"
	rm -rf runs/demo
	$(BIN)/forethought train leduc --run demo --minutes 2 --seed 1
	$(BIN)/forethought plot demo
	$(BIN)/forethought match leduc net:demo random --games 1000
	$(BIN)/forethought match leduc net:demo oos:5000 --games 400
	@echo; echo "== AlphaZero learns tic-tac-toe, half a minute; then against a tree search without a network"
	rm -rf runs/demo-board
	$(BIN)/forethought train tic_tac_toe --run demo-board --minutes 0.5 --simulations 50 --set learning.symmetries=true --seed 1
	$(BIN)/forethought match tic_tac_toe 'az(run=demo-board,simulations=100)' uct:100 --games 200
	@echo; echo "== How fast, beside OpenSpiel"
	$(BIN)/forethought bench playouts threads startup cfr+ mccfr oos
	@echo; echo "Play it yourself: $(BIN)/forethought play leduc --against net:demo"
	@echo "In the browser, with what it thinks: $(BIN)/forethought serve leduc --open"
	@echo "Your own game: docs/tutorial-your-own-game.md"

# Four processes keep two cores busy: tests also wait, for a browser, say.
PYTEST := $(BIN)/pytest -n 4 --dist loadscope --no-loadscope-reorder

test: ready
	$(PYTEST) -m "not slow"

test-all: ready
	$(PYTEST)

# What comes before the tests, two things at a time: pip unpacks on one core while kernels are compiled on the other.
ready:
	$(MAKE) --jobs=2 lint docs kernels collected

lint: $(VENV)/installed
	$(BIN)/ruff format --check src tests docs
	$(BIN)/ruff check src tests docs
	$(BIN)/mypy
	$(BIN)/lint-imports

# Strict: a broken link or a missing name fails. Nothing is fetched.
docs: $(VENV)/installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# What tests commonly need. The sources are named: pip may be installing the package anew.
kernels: $(VENV)/compiler
	PYTHONPATH=src $(BIN)/python -m forethought cache --warm

# Every process of the tests imports them all; here Python compiles them once.
collected: $(VENV)/installed
	@$(BIN)/pytest --collect-only -qq > $(VENV)/collected || (cat $(VENV)/collected; exit 1)

# Every built-in game in the page, and every form, list and report, on a desk and a phone, light and dark: to look at.
screenshots: $(VENV)/installed
	$(BIN)/python -m docs.pictures.every_game screenshots
	$(BIN)/python -m docs.pictures.every_page screenshots

bench: $(VENV)/installed
	$(BIN)/forethought bench

# PIP_CONSTRAINT pins the build's own dependencies too. Python compiles what is imported when it is, a sixth of all files;
# pip would compile them all. First comes what kernels need.
INSTALL := PIP_CONSTRAINT=constraints.txt $(BIN)/pip install --quiet --no-compile --disable-pip-version-check --editable

$(VENV)/compiler: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "forethought needs Python 3.11 or newer; set PYTHON=python3.12, say")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) '.[train]'
	touch $@

$(VENV)/installed: $(VENV)/compiler
	$(INSTALL) '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) dist site .mypy_cache .ruff_cache .pytest_cache
