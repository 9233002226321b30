"""A game file as a spec: its keys, its outline, files stacked on each other, and the model built of them."""
