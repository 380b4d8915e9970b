"""The policy of one chat: its mode, and all rules that a person set before.

A grant is a rule that ends with its chat. Rules of the settings have their seam here: whatever
covers a call and has a ruling can stand in a policy.
"""

import re
from typing import Final, Protocol

from assent.gate.call.calls import APPLY, AgentId, Call, ChatId, Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Ruling, Source, Verdict
from assent.gate.rules.book import EMPTY, Book
from assent.gate.text.addresses import host_of
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, frozen

__all__ = ["THIS_CHAT", "Grant", "Policy", "Rule", "grant_for", "rules_about"]

THIS_CHAT: Final = Source(scope="this chat")
"""Where a rule stands that holds until a chat ends."""
_PLAIN_COMMAND: Final = late(r"[\w./:@=+ -]{1,60}", re.ASCII)


class Rule(Protocol):
    """Anything that may cover a call and says what then."""

    @property
    def ruling(self) -> Ruling:
        """What the rule says of each call that it covers."""
        ...

    def covers(self, call: Call) -> bool:
        """Whether the rule is about this call."""
        ...


@frozen(kw_only=True)
class Grant:
    """A person's `for this chat`: lives in memory, for one agent, and ends with the chat.

    One that denies files covers each call of a file tool that would do it to any of them.
    """

    chat: ChatId
    agent: AgentId
    text: str
    likeness: str | None = None
    """The exact call, where the grant is for nothing else."""
    effect: Effect | None = None
    action: str = ""
    """What may be done to the files, where they may be changed."""
    paths: frozenset[str] = frozenset()
    """The resolved paths, where the grant is for an effect on them."""
    verdict: Verdict = Verdict.ALLOW

    @property
    def ruling(self) -> Ruling:
        """What the person said for this chat."""
        said = "denied" if self.verdict is Verdict.DENY else "allowed"
        return Ruling(
            verdict=self.verdict,
            because=f"You {said} {self.text} for this chat.",
            by=Actor.RULE,
            rule=self.text,
            source=THIS_CHAT,
        )

    def covers(self, call: Call) -> bool:
        """Whether it is the granted call again, or the granted effect on granted paths."""
        if (call.chat, call.agent) != (self.chat, self.agent):
            return False
        if self.likeness is not None:
            return _likeness(call) == self.likeness
        touched = {target.resolved for target in call.targets}
        if self.verdict is Verdict.DENY:
            return call.effect is self.effect and bool(touched & self.paths)
        if (call.effect, call.action) != (self.effect, self.action) or _is_unseen(call):
            return False
        return bool(touched) and touched <= self.paths


@frozen(kw_only=True)
class Policy:
    """All wishes that bear on one chat, as they stand now."""

    mode: Mode
    rules: tuple[Rule, ...] = ()
    """What was said for a chat."""
    book: Book = EMPTY
    """What was written down, by whomever."""
    more: Book = EMPTY
    """What was written down for this chat."""
    now: float = 0.0
    """Seconds since 1970, for rules that end."""
    bypassed: frozenset[AgentId] = frozenset()
    """The agents for which a person, here and by a gesture, ceased to be asked."""
    trusted: bool = False
    """Whether the person trusts the workspace; without that nothing broad is offered."""
    hook: Ruling | None = None
    """What a hook of the person's said of the call that is judged. Its yes lifts what the mode
    would ask, and no more."""
    may_bypass: bool = True
    """Whether an agent may be let work unasked; if not, it is not offered either."""
    tries: bool = False
    """Whether a command that the mode would ask about runs on a copy of the workspace instead."""
    holds: bool = False
    """Whether in Auto a command that does not only read runs in the sandbox."""
    on_copy: bool = False
    """Whether this is ruled on as such a run: the mode asks about no command then."""
    in_sandbox: bool = False
    """Whether this is ruled on as a run in the sandbox that a rule may allow."""
    braked: bool = False
    """Whether the mode asks about all that Default asks about, to find out what only reads."""


def grant_for(call: Call) -> Grant:
    """The narrowest grant worth having: an effect on files that are shown, else to the letter."""
    shown = ", ".join(target.shown for target in call.targets)
    names_files = call.tool in {"read", "write"} and call.action != APPLY
    if names_files and call.targets and not _is_unseen(call):
        verb = {Effect.READ: "reading", Effect.WRITE: "changes to"}.get(call.effect, "use of")
        return Grant(
            chat=call.chat,
            agent=call.agent,
            text=f"{verb} {shown}",
            effect=call.effect,
            action=call.action,
            paths=frozenset(target.resolved for target in call.targets),
        )
    text = "exactly this call"
    if call.made_by is not None:
        text = f"what {_command_of(call.made_by)} changes"
    elif call.tool == "network":
        text = f"reaching {_host(call)}:{call.input.get('port')}"
    return Grant(chat=call.chat, agent=call.agent, text=text, likeness=_likeness(call))


def _command_of(call: Call) -> str:
    """The command of a call, where it looks like nothing else in a sentence."""
    command = str(call.input.get("command"))
    return f"`{command}`" if _PLAIN_COMMAND.fullmatch(command) else "this command"


def _likeness(call: Call) -> str:
    """What it shares with the same call made again; a connection, with those of other commands.

    The changes of a trial share it with all others of the same command, whatever these are.
    """
    if call.made_by is not None:
        given = {name: call.made_by.input.get(name) for name in ("command", "env", "shell")}
        return evolve(call.made_by, action=APPLY, input=given).likeness
    if call.tool != "network":
        return call.likeness
    where = {"host": _host(call), "port": call.input.get("port")}
    return evolve(call, input=where, cwd="").likeness


def rules_about(call: Call) -> frozenset[str]:
    """The rules and grants that are about connecting to just the host of a call."""
    host = _host(call)
    rules = f"network({host})", f"network({host}:{call.input.get('port')})"
    return frozenset((*rules, grant_for(call).text))


def _host(call: Call) -> str:
    """The host of a connection in its one spelling, where it has one."""
    host = str(call.input.get("host", ""))
    address = host_of(host)
    return address.host if address else host


def _is_unseen(call: Call) -> bool:
    """Whether files would be changed in a way that no change of text shows."""
    return call.tool == "write" and (call.action in {"delete", "move"} or not call.edits)
