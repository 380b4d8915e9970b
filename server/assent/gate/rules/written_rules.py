"""A parsed rule, who looks rules up, and the result of a look-up."""

from collections.abc import Mapping
from functools import cached_property
from typing import Protocol

from assent.gate.call.calls import AgentId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Ruling, Source, Verdict
from assent.gate.values import field, frozen

__all__ = ["Asker", "Asks", "Given", "RuleMatches", "WrittenRule"]

Given = Mapping[str, str | None]
"""The variables that a command is given; None is a value that only running it would tell."""


@frozen(kw_only=True)
class WrittenRule:
    """One rule that somebody wrote down; `notation.written` makes one of a text."""

    text: str
    """As it is written: `shell(git status:*)`."""
    verdict: Verdict
    tool: str
    why: str = ""
    source: Source = field(factory=lambda: Source(scope="your settings"))
    agent: AgentId | None = None
    mode: Mode | None = None
    until: float | None = None
    """Seconds since 1970 after which it holds no longer."""
    folder: str = ""
    """The only workspace in which it counts: `~/code/app`, where that really lies."""
    in_sandbox: bool = False
    """Whether it allows commands only where they run in the sandbox."""
    exact: bool = False
    """Whether it names one command to the letter."""
    words: tuple[str, ...] = ()
    """Of a shell rule: its words."""
    variables: tuple[tuple[str, str], ...] = ()
    """Of a shell rule: the variables before its words, as in `shell(PORT=80 make:*)`."""
    arguments: tuple[tuple[str, str], ...] = ()
    """Of a rule about a tool of a server: what stands in braces, `{key=glob}`."""
    layer: str = ""
    """Whose it is: `user`, `workspace`, `folder`, `managed` or `chat`."""
    at: tuple[str, int] | None = None
    """Where in the setting it stands: `("deny", 3)` is the fourth that denies."""

    @cached_property
    def ruling(self) -> Ruling:
        """What it says of whatever it is about."""
        says = {Verdict.ALLOW: "allows", Verdict.ASK: "asks about", Verdict.DENY: "denies"}
        because = f"The rule `{self.text}` {says[self.verdict]} this."
        if self.in_sandbox:
            because = f"The rule `{self.text}` allows this in the sandbox."
        return Ruling(
            verdict=self.verdict,
            because=self.why or because,
            by=Actor.RULE,
            rule=self.text,
            source=self.source,
        )

    @property
    def limits(self) -> tuple[AgentId | None, Mode | None, float | None, str, bool]:
        """For whom, when and where it counts."""
        return (self.agent, self.mode, self.until, self.folder, self.in_sandbox)

    @property
    def is_limited(self) -> bool:
        """Whether it does not count for everybody, at any time, everywhere."""
        return self.limits != (None, None, None, "", False)

    def fits(self, given: Given) -> bool:
        """Whether a command is given each variable that the rule names, with that value."""
        return all(given.get(name) == value for name, value in self.variables)

    @property
    def about(self) -> str:
        """What stands between its brackets."""
        end = self.text.index("){") if self.arguments else -1
        return self.text[len(self.tool) + 1 : end]


class Asks(Protocol):
    """Who asks, in what mode, and when."""

    @property
    def agent(self) -> AgentId:
        """Who asks."""
        ...

    @property
    def mode(self) -> Mode:
        """In what mode."""
        ...

    @property
    def now(self) -> float:
        """When, in seconds since 1970."""
        ...

    @property
    def in_sandbox(self) -> bool:
        """Whether what is asked about would run in the sandbox."""
        ...


@frozen(kw_only=True)
class Asker:
    """Somebody who asks without a call."""

    agent: AgentId
    mode: Mode
    now: float = 0.0
    in_sandbox: bool = False


@frozen(kw_only=True)
class RuleMatches:
    """The rule matches of a look-up: the first rule of each verdict."""

    deny: WrittenRule | None = None
    ask: WrittenRule | None = None
    allow: WrittenRule | None = None
    others: tuple[WrittenRule, ...] = ()
    """What else allows it: where the first does not go as far, another may."""
    perhaps: WrittenRule | None = None
    """A rule that denies or asks and would be about it, if a word were what it may be."""
