"""Calls and policies to test with, and Hypothesis strategies for them.

Each value is whole and ordinary; a test names only what it is about.
"""

from itertools import count
from typing import Any

from attrs import evolve, frozen
from hypothesis import strategies as st

from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Edit, Effect, Target
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.ruling.policy import Policy, Rule

__all__ = [
    "AGENT",
    "CHAT",
    "WORKSPACE",
    "Says",
    "calls",
    "connecting",
    "fetching",
    "inside",
    "outside",
    "policies",
    "policy",
    "reading",
    "rules",
    "running",
    "says",
    "target",
    "using",
    "writing",
]

WORKSPACE = "/home/ada/till"
CHAT = ChatId("chat-1")
AGENT = AgentId("eliza")

_NUMBERS = count(1)


def target(path: str, *, resolved: str | None = None) -> Target:
    """A path as it is spelled; it resolves below the workspace unless it is absolute."""
    whole = resolved or (path if path.startswith("/") else f"{WORKSPACE}/{path}")
    shown = whole.removeprefix(WORKSPACE + "/")
    return Target(
        spelled=path, resolved=whole, inside=whole.startswith(WORKSPACE + "/"), shown=shown
    )


def _call(tool: str, effect: Effect, given: dict[str, Any], **more: Any) -> Call:
    call = Call(
        id=CallId(f"call-{next(_NUMBERS)}"),
        chat=CHAT,
        agent=AGENT,
        tool=tool,
        effect=effect,
        input=given,
        cwd=WORKSPACE,
    )
    return evolve(call, **more)


def reading(path: str = "src/till.py", **more: Any) -> Call:
    """A call that would read one file."""
    return _call("read", Effect.READ, {"path": path}, targets=(target(path),), **more)


def writing(path: str = "src/till.py", new: str = "print(1)\n", **more: Any) -> Call:
    """A call that would write one file."""
    touched = more.pop("targets", (target(path),))
    edits = (Edit(path=touched[0].resolved, old=None, new=new),) if touched else ()
    given = {"path": path, "content": new}
    return _call("write", Effect.WRITE, given, targets=touched, edits=edits, **more)


def running(command: str = "make test", **more: Any) -> Call:
    """A call that would run a shell command."""
    return _call("shell", Effect.EXECUTE, {"command": command}, **more)


def fetching(url: str = "https://docs.example.org/", **more: Any) -> Call:
    """A call that would ask something of a host."""
    return _call("fetch", Effect.EXTERNAL, {"url": url}, **more)


def searching(url: str = "https://search.example/?q=vat", **more: Any) -> Call:
    """A call of our own agent's that asks the engine that the person chose."""
    return _call("fetch", Effect.READ, {"url": url, "query": "vat rates"}, **more)


def connecting(
    host: str = "registry.example", port: int = 443, command: str = "npm install", **more: Any
) -> Call:
    """A call of a command in the sandbox that would reach a host."""
    given = {"host": host, "port": port, "command": command}
    return _call("network", Effect.EXTERNAL, given, **more)


def using(given: dict[str, Any] | None = None, **more: Any) -> Call:
    """A call of some other tool."""
    return _call("other", Effect.EXTERNAL, given or {"query": "vat rates"}, **more)


@frozen(kw_only=True)
class Says:
    """A rule that says one thing of whatever it covers."""

    verdict: Verdict
    name: str = "a rule"
    about: Effect | None = None

    @property
    def ruling(self) -> Ruling:
        """What it says."""
        because = f"{self.name} says so."
        return Ruling(verdict=self.verdict, because=because, by=Actor.RULE, rule=self.name)

    def covers(self, call: Call) -> bool:
        """Everything, or one effect."""
        return self.about in {None, call.effect}


def says(verdict: Verdict) -> Says:
    """A rule about every call."""
    return Says(verdict=verdict)


def policy(mode: Mode = Mode.DEFAULT, *rules: Rule, bypass: bool = False) -> Policy:
    """A policy of a trusted workspace."""
    bypassed = frozenset({AGENT}) if bypass else frozenset()
    return Policy(mode=mode, rules=rules, bypassed=bypassed, trusted=True)


inside = st.sampled_from(["src/till.py", "README.md", "docs/a b.md", "weird/ünïcode\u202e.txt"])
outside = st.sampled_from(["/etc/passwd", "/home/ada/notes.txt", "/tmp/x", "/home/ada/tiller/x"])
_protected = st.sampled_from(
    [".vscode/settings.json", ".git/hooks/pre-commit", "/home/ada/.bashrc"]
)
_paths = inside | outside | _protected
_commands = st.sampled_from(["make", "ls -la", "echo hi > .envrc", "rm -rf build", "", "\ud800"])
_unreadable = st.none() | st.just("its arguments have no path")

calls = st.one_of(
    st.builds(reading, _paths, unreadable=_unreadable),
    st.builds(writing, _paths, unreadable=_unreadable),
    st.builds(running, _commands, unreadable=_unreadable),
    st.builds(using, st.dictionaries(st.text(max_size=5), st.text(max_size=5)), says=st.text()),
)
rules = st.builds(
    Says,
    verdict=st.sampled_from(Verdict),
    name=st.text(min_size=1, max_size=4),
    about=st.none() | st.sampled_from(Effect),
)
policies = st.builds(
    Policy,
    mode=st.sampled_from(Mode),
    rules=st.lists(rules, max_size=4).map(tuple),
    bypassed=st.sampled_from([frozenset(), frozenset({AGENT}), frozenset({AgentId("other")})]),
    trusted=st.booleans(),
)
