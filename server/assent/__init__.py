"""Assent: one gate for every agent in your editor."""

__all__ = ["__version__"]

__version__ = "0.2.0"
