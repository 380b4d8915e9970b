"""Puts together the policy of each chat from what is in force now."""

import time

from assent.editor.window.chats.board import Board
from assent.editor.window.settings.workspace import Workspace
from assent.gate.approvals.grants import Grants
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.modes import Mode, stricter
from assent.gate.ruling.policy import Policy
from assent.gate.settings.reading import permitted
from assent.gate.values import define, evolve
from assent.hosting.terminals.connected_agents import Sessions
from assent.hosting.terminals.terminals import agent_of

__all__ = ["Policies"]


@define
class Policies:
    """One for the whole server."""

    _workspace: Workspace
    _board: Board
    _grants: Grants
    _sessions: Sessions
    _untrusted: Mode = Mode.DEFAULT
    """The loosest mode of a chat where the workspace is not trusted."""

    def of(self, chat: ChatId, agent: AgentId) -> Policy:
        """The policy for an agent in a chat; of a chat that is gone, the strictest that asks."""
        transcript = self._board.chat(chat)
        mode = transcript.mode if transcript else Mode.ASK
        ground = self._sessions.ground(chat)
        return self._in_mode(agent, mode) if ground is None else ground.policy(mode)

    def whole(self, chat: ChatId, agent: AgentId) -> Policy:
        """The policy with what was said for the chat, which the gate otherwise adds itself."""
        policy = self.of(chat, agent)
        return evolve(
            policy,
            rules=(*policy.rules, *self._grants.of(chat)),
            more=evolve(policy.book, rules=self._grants.written(chat), suspended=frozenset()),
        )

    def of_new(self, agent: AgentId) -> Policy:
        """The policy for an agent in a chat that would be opened now."""
        return self._in_mode(agent, self._workspace.reading.mode)

    def _in_mode(self, agent: AgentId, mode: Mode) -> Policy:
        reading = self._workspace.reading
        # Trust may be taken back, and a mode be forbidden, while a chat works in a looser one.
        mode = mode if reading.trusted else stricter(mode, self._untrusted)
        mode = permitted(mode, reading.forbidden)
        return Policy(
            mode=mode,
            book=self._workspace.book,
            now=time.time(),
            bypassed=frozenset({agent} & reading.bypassed),
            trusted=reading.trusted,
            tries=reading.sandbox == "auto",
            holds=reading.holds_auto,
            # What is written about an agent is written about those that are hosted.
            may_bypass=reading.may_bypass and agent_of(agent) is None,
        )
