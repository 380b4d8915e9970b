"""The gate that hooks stand around in their tests."""

from gate.admit.conftest import scene

__all__ = ["scene"]
