# `make` lists what there is. Everything runs from .venv, which is made and filled on first use;
# needed beforehand: python3 (3.11 or later) with venv, git, make.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
GAMES ?= $(shell $(BIN)/rulespec games --ids)
SOAK ?= 10000
FUZZ ?= 10000

.DEFAULT_GOAL := help
.PHONY: help demo test lint types grammar docs soak fuzz bench clean

help:  ## what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

demo: $(VENV)/.cli  ## check all games, then watch bots play one to its end
	$(BIN)/rulespec check --all
	$(BIN)/rulespec play grand-dog-park --players 3 --humans none --bots random --seed 7

test: $(VENV)/.test  ## all tests but the long ones
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.lint  ## style, formatting, and which module may import which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.lint  ## mypy, strict
	$(BIN)/mypy

grammar: $(VENV)/.test  ## the tables of the grammar, after every change of rulespec/syntax/grammar.lark
	$(BIN)/python -m rulespec.syntax.generate

docs: $(VENV)/.docs  ## the rulebooks of all games and of what variants change, in docs/rulebooks
	$(BIN)/rulespec docs --all -o docs/rulebooks

soak: $(VENV)/.test  ## long runs: SOAK=10000 games of each game with its invariants, and the tests marked soak
	@for game in $(GAMES); do \
	  echo "== $$game"; \
	  $(BIN)/rulespec simulate $$game -n $(SOAK) --check-invariants --workers 2 || exit 1; \
	done
	$(BIN)/python -m pytest -n 2 -m soak || test $$? -eq 5  # 5: there are none

fuzz: $(VENV)/.test  ## for a night: FUZZ=10000 random specs, a hundred games of each, and as many spoiled games
	$(BIN)/python tests/fuzz/random_specs.py --count $(FUZZ)
	$(BIN)/python tests/fuzz/specs.py --count $(FUZZ)

bench: $(VENV)/.test  ## speed of each game, beside games written by hand and other engines; seconds for each rulebook
	$(BIN)/python benchmarks/games.py
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/classics.py
	$(BIN)/python benchmarks/books.py

clean:  ## remove the environment and everything that was made
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# One stamp for each set of extras: installing again only when pyproject.toml changes.
$(VENV)/.%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$*]'
	@touch $@
