"""`python -m interpreter.cli` is the command `rulespec`."""

from interpreter.cli import main

main()
