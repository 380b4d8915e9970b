"""A stand to start commands at, as the tests of shells have it."""

from gate.processes.conftest import stand

__all__ = ["stand"]
