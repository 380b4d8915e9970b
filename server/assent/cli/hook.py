"""Rules for a hook that was copied elsewhere; it knows this name, so it stays if modules move."""

from assent.hosting.terminals.without_window import ruling

__all__ = ["ruling"]
