"""States that a seat cannot tell apart: sampled for bots, compared to find leaks."""
