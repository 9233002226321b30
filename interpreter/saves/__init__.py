"""Positions and matches as text: exact, checked when read, and replayed under other rules."""
