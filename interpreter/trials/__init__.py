"""Games and scenarios run by the many, and those that fail made small."""
