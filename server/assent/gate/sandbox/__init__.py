"""Runs a command where it can do no harm: what a box may do, and the wall that enforces it here."""
