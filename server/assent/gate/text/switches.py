"""The words for on and off, in options and settings of any kind."""

from typing import Final

__all__ = ["OFF", "ON"]

OFF: Final = frozenset("false 0 no off none never".split())
ON: Final = frozenset("true 1 yes on always".split())
