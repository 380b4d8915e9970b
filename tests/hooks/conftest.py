"""The gate that hooks stand around in their tests."""

from gate.conftest import scene

__all__ = ["scene"]
