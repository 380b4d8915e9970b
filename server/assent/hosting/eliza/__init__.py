"""Eliza: an agent without a model, so that a fresh install has somebody to talk to.

Imports nothing but the standard library, and of that only what starts fast.
"""
