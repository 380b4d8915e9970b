"""Agents in a terminal: the hook that `assent connect` writes, and who answers it."""
