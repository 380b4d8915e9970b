"""How long agents are waited for."""

from attrs import frozen

__all__ = ["Patience"]


@frozen(kw_only=True)
class Patience:
    """Seconds, for each thing that an agent may be slow with."""

    greeting: float = 60.0
    """For the answer to `initialize`, and to `session/new`."""
    stop: float = 5.0
    """For the end of a turn that was stopped, before the person is told."""
    stubborn: float = 10.0
    """And after that, before the process is ended."""
    ending: float = 2.0
    """For a process that was asked to end, before it is killed."""
    words: float = 0.5
    """For an agent that closed its pipes to end by itself and say why."""
