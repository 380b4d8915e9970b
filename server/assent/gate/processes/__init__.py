"""Processes that outlive a turn: commands, their output, and their end."""
