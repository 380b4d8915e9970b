"""The messages about agents that can be added."""

from typing import Annotated

from pydantic import Field

from assent.editor.protocol.shapes import Id, Shape

__all__ = ["AgentAdded", "AgentOffer", "AgentOfferRef", "AgentOffers"]


class AgentOffer(Shape):
    """An agent that could be added."""

    id: str
    name: str
    version: str
    says: str
    source: str
    """Where it would come from, such as `npm: @google/gemini-cli`."""
    added: bool
    """Whether there is an agent of this id already."""
    wants_path: bool = False
    """Whether the person is to say where its program is, which they install themselves."""


class AgentOffers(Shape):
    """The agents that could be added, by name."""

    offers: list[AgentOffer]
    note: str = ""
    """What a person should know of the list itself, such as that it is an old one."""


class AgentAdded(Shape):
    """Whether it was added; it was not where the person drew back."""

    added: bool


class AgentOfferRef(Shape):
    """One of the offers, by its id."""

    offer_id: Id
    path: Annotated[str, Field(max_length=4_096)] = ""
    """Where its program is, if that is the person's to say."""
