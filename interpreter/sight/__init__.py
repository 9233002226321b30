"""What each seat sees: views, the log, and names that give nothing away."""
