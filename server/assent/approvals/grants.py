"""The grants of all chats: in memory only, each gone with its chat."""

from attrs import define, field

from assent.calls import ChatId
from assent.policy.rules import Grant

__all__ = ["Grants"]


@define
class Grants:
    """Who was allowed what for how long as a chat lives."""

    _by_chat: dict[ChatId, tuple[Grant, ...]] = field(factory=dict)

    def add(self, grant: Grant) -> None:
        """Remember a grant."""
        self._by_chat[grant.chat] = (*self.of(grant.chat), grant)

    def of(self, chat: ChatId) -> tuple[Grant, ...]:
        """The grants of one chat."""
        return self._by_chat.get(chat, ())

    def drop(self, chat: ChatId) -> None:
        """Forget a chat's grants."""
        self._by_chat.pop(chat, None)
