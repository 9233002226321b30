"""The rules language: text to syntax tree. `parser` has the entry points, `nodes` the tree."""
