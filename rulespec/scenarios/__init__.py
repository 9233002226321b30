"""Scenario files: worked examples of a game. `read` reads and checks them, `interpreter.trials.scenarios` runs them."""
