"""Replies of a model, as a conversation keeps them."""

from assent.agent.models.conversation import Replied, Wanted, Words

__all__ = ["replied"]


def replied(text: str = "", *calls: Wanted) -> Replied:
    """A reply that says this, if anything, and makes these calls."""
    words = (Words(text=text),) if text else ()
    return Replied(blocks=(*words, *calls))
