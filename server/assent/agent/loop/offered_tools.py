"""Chooses the tools that a model is offered: none that nobody has set up."""

from assent.agent.loop.ports import Work
from assent.agent.models.conversation import Toolcard
from assent.agent.tools.collections import COLLECTIONS
from assent.agent.tools.generated_files import unset_makers
from assent.agent.tools.nodes import NODES
from assent.agent.tools.web_search import WEB_SEARCH

__all__ = ["offered_tools"]


def offered_tools(work: Work) -> tuple[Toolcard, ...]:
    """The tools that the model of a chat is offered now."""
    setup = work.ports.setup
    unset = set() if setup.search_url() else {WEB_SEARCH.name}
    unset |= set() if setup.nodes.source.has_any else NODES
    unset |= set() if setup.documents is not None and setup.documents.names else COLLECTIONS
    unset |= unset_makers(setup.maker, work.ports.places())
    return tuple(card for card in work.chat.cards if card.name not in unset)
