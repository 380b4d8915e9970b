"""What was allowed for one chat only: grants and rules, in memory until the chat ends."""

from assent.gate.call.calls import ChatId, digest_of
from assent.gate.call.verdicts import Verdict
from assent.gate.rules.notation import written
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.policy import THIS_CHAT, Grant
from assent.gate.values import define, field

__all__ = ["Grants", "mark_of", "rule_of_chat"]


def mark_of(said: WrittenRule | Grant) -> str:
    """What tells it apart from all else that was said for its chat."""
    parts: list[object] = [said.verdict.name, said.text]
    if isinstance(said, Grant):
        effect = said.effect.value if said.effect else None
        parts += [said.likeness, effect, said.action, sorted(said.paths)]
    return digest_of(parts)


def rule_of_chat(text: str, verdict: Verdict, *, in_sandbox: bool = False) -> WrittenRule:
    """The rule of a text that holds for one chat; raise `RuleRefused` where it is none.

    >>> str(rule_of_chat("read(~/other/**)", Verdict.ALLOW).source)
    'this chat'
    """
    return written(text, verdict, source=THIS_CHAT, layer="chat", in_sandbox=in_sandbox)


@define
class Grants:
    """Who was allowed or denied what for as long as a chat lives."""

    _by_chat: dict[ChatId, tuple[Grant, ...]] = field(factory=dict)
    _rules: dict[ChatId, tuple[WrittenRule, ...]] = field(factory=dict)

    def add(self, grant: Grant) -> None:
        """Remember a grant."""
        self._by_chat[grant.chat] = (*self.of(grant.chat), grant)

    def of(self, chat: ChatId) -> tuple[Grant, ...]:
        """The grants of one chat."""
        return self._by_chat.get(chat, ())

    def write(self, chat: ChatId, rules: tuple[WrittenRule, ...]) -> None:
        """Remember rules for a chat; one that stands there already is not written twice."""
        self._rules[chat] = tuple(dict.fromkeys((*self.written(chat), *rules)))

    def written(self, chat: ChatId) -> tuple[WrittenRule, ...]:
        """The rules of one chat."""
        return self._rules.get(chat, ())

    def erase(self, chat: ChatId, mark: str) -> bool:
        """Take the rule or the grant of that mark out. False if there was none."""
        rules = tuple(rule for rule in self.written(chat) if mark_of(rule) != mark)
        grants = tuple(grant for grant in self.of(chat) if mark_of(grant) != mark)
        is_erased = (rules, grants) != (self.written(chat), self.of(chat))
        self._rules[chat], self._by_chat[chat] = rules, grants
        return is_erased

    def chats(self) -> tuple[ChatId, ...]:
        """The chats for which anything was said."""
        return tuple(dict.fromkeys((*self._by_chat, *self._rules)))

    def drop(self, chat: ChatId) -> None:
        """Forget what was said for a chat."""
        self._by_chat.pop(chat, None)
        self._rules.pop(chat, None)
