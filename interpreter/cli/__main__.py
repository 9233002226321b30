"""`python -m interpreter.cli` is the command `rulespec`."""

from interpreter.cli import main

if __name__ == "__main__":
    main()
