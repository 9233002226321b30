"""What emitted code calls while it runs, and the loop that drives it."""
