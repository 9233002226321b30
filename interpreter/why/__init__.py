"""Why not: what keeps a seat from doing something, told without its secrets."""
