"""The name by which a hook that was copied elsewhere finds the gate: it stays where modules move."""

from assent.acp.alone import ruling

__all__ = ["ruling"]
