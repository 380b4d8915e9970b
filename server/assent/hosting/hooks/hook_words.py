"""The formats of agents' hooks: what each is given, and what it answers.

A wrong word is no refusal: the agent runs its tool. So each has words of its own, and whatever it
hands over in another form than this is not ruled on.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import orjson

from assent.gate.call.calls import digest_of
from assent.gate.call.errors import CallUnreadable
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, field, frozen

__all__ = [
    "CLAUDE",
    "CODEX",
    "COPILOT",
    "OPENCODE",
    "QWEN",
    "HookWords",
    "Hooked",
    "cwd_in",
    "diff",
]


@frozen(kw_only=True)
class Hooked:
    """What a hook was handed: a call, or word that a session has begun."""

    session: str
    tool: str = ""
    """The tool, as the agent's own program names it; nothing where a session begins."""
    input: dict[str, Any] = field(factory=dict, hash=False)
    call: str = ""
    """The agent's own id of the call; nothing where it tells none."""
    parent: str = ""
    """The session that this is a part of, where a sub-agent has one of its own."""
    cwd: str = ""
    """The folder in which the call would run, or the session begins, where it tells one."""
    turn: str = ""
    """The turn that it is a part of, where the agent tells one."""
    is_again: bool = False
    """Whether the agent is about to ask the person about a call that its hook was handed before."""
    agent: str = ""
    """The sub-agent that makes the call, where one does and the agent tells which."""
    asks_first: bool = False
    """Whether the agent asks if it may make the call, before the hook that it runs for each."""
    asks_nobody: bool = False
    """Whether the agent is in `bypassPermissions`: there it runs some calls that its hook asks
    about."""

    @property
    def asked_first(self) -> str:
        """The name of what a sub-agent asks for first: it tells no id of the call by then."""
        return digest_of([self.session, self.agent, self.tool, self.input, self.cwd])

    def repeats(self, other: "Hooked") -> bool:
        """Whether the agent asks about that very call."""
        mine = (self.session, self.turn, self.tool, self.input, self.cwd)
        return self.is_again and mine == (
            *(other.session, other.turn, other.tool, other.input, other.cwd),
        )


@frozen(kw_only=True)
class HookWords:
    """How one agent speaks with its hooks."""

    read: Callable[[dict[str, Any]], Hooked]
    """What was handed over; raises `CallUnreadable`."""
    allow: Callable[[Hooked, str], dict[str, Any]]
    """The answer that lets a call go on as it was ruled on, for a reason."""
    deny: Callable[[str], dict[str, Any]]
    """The answer that keeps it from running."""
    ask: Callable[[str], dict[str, Any]] | None = None
    """The answer that has the agent ask the person itself; None where it knows none."""
    allow_and_ask: Callable[[Hooked, str], dict[str, Any]] | None = None
    """The answer that lets a call go on as it was ruled on, once the agent has asked about it as
    it would then run; None where it knows none."""
    again: dict[str, Any] | None = None
    """The answer to what it would ask the person about a call that was let go on; None where it
    runs no hook before it asks."""

    def heard(self, text: str) -> Hooked:
        """What a hook was handed, from its text."""
        try:
            payload = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise CallUnreadable("What its hook was handed is no JSON.") from error
        if not isinstance(payload, dict):
            raise CallUnreadable("What its hook was handed is no object.")
        return self.read(payload)

    def refusal(self, because: str) -> str:
        """What a hook prints that keeps a call from running."""
        return orjson.dumps(self.deny(because)).decode()


def diff(path: object, old: object, new: object) -> dict[str, Any]:
    """A change of a file, as the Agent Client Protocol shows one."""
    return {"type": "diff", "path": path, "oldText": old, "newText": new}


_SKILLS: Final = frozenset({"Skill", "SlashCommand"})
_MENTIONED: Final = late(r"(?<!\w)@")
"""Within a word, as in an address, it names no file."""
_NAMES_FILES: Final = (
    "With `@`, the arguments of a skill name files that nobody is asked about. Leave it out, and"
    " read the file by a call."
)
"""The agent reads such files into the skill, and runs no hook."""


def _claudes(payload: dict[str, Any]) -> Hooked:
    event, session = payload.get("hook_event_name"), payload.get("session_id")
    if event == "SessionStart" and isinstance(session, str):
        return Hooked(session=session, cwd=cwd_in(payload))
    tool, given, call = (payload.get(key) for key in ("tool_name", "tool_input", "tool_use_id"))
    if event != "PreToolUse" or not (isinstance(session, str) and isinstance(given, dict)):
        raise CallUnreadable("Its hook was handed something else than a call.")
    if not (isinstance(tool, str) and tool and isinstance(call, str) and call):
        raise CallUnreadable("Its hook was handed a call without a name.")
    if tool in _SKILLS and any(_MENTIONED.search(str(value)) for value in given.values()):
        raise CallUnreadable(_NAMES_FILES)
    asks_nobody = payload.get("permission_mode") == "bypassPermissions"
    return Hooked(
        session=session,
        tool=tool,
        input=given,
        call=call,
        cwd=cwd_in(payload),
        asks_nobody=asks_nobody,
    )


def cwd_in(payload: dict[str, Any]) -> str:
    """The folder that a hook was told; nothing where it was told none."""
    cwd = payload.get("cwd")
    return cwd if isinstance(cwd, str) else ""


def _in_claudes_words(**decision: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}


_NETWORK: Final = "network-access"
"""How Codex begins what it asks about a host that a command wants to reach."""


def _codexes(payload: dict[str, Any]) -> Hooked:
    turn = payload.get("turn_id")
    turn = turn if isinstance(turn, str) else ""
    if payload.get("hook_event_name") != _QUESTION:
        return evolve(_claudes(payload), turn=turn)
    asked = _asked(payload)
    # What its model says of the call, which the other hook is not told. What Codex says there of
    # the network is another question, about a host that stood on no card: no call is like it then.
    if not str(asked.input.get("description")).startswith(_NETWORK):
        given = {name: asked.input[name] for name in asked.input if name != "description"}
        asked = evolve(asked, input=given)
    return evolve(asked, turn=turn, is_again=True)


def _asked(payload: dict[str, Any]) -> Hooked:
    """A call of which an agent asks whether it may be made; it tells no id of it."""
    session, tool, given = (payload.get(key) for key in ("session_id", "tool_name", "tool_input"))
    if not (isinstance(session, str) and isinstance(tool, str) and isinstance(given, dict)):
        raise CallUnreadable("Its hook was handed something else than a question.")
    return Hooked(session=session, tool=tool, input=given, cwd=cwd_in(payload))


_QUESTION: Final = "PermissionRequest"
"""The event of a hook by which an agent asks whether a call may be made."""


def _decided(**decision: str) -> dict[str, Any]:
    """The answer to that question."""
    return {"hookSpecificOutput": {"hookEventName": _QUESTION, "decision": decision}}


CODEX: Final = HookWords(
    read=_codexes,
    # It takes no reason with an allowance, and no allowance without the input.
    allow=lambda hooked, _: _in_claudes_words(
        permissionDecision="allow", updatedInput=hooked.input
    ),
    deny=lambda because: _in_claudes_words(
        permissionDecision="deny", permissionDecisionReason=because
    ),
    again=_decided(behavior="allow"),
)


def _copilots(payload: dict[str, Any]) -> Hooked:
    session, tool = payload.get("sessionId"), payload.get("toolName")
    if not isinstance(session, str):
        raise CallUnreadable("Its hook was handed something else than a call.")
    if tool is None and "source" in payload:
        return Hooked(session=session, cwd=cwd_in(payload))
    given = payload.get("toolArgs")
    if not (isinstance(tool, str) and tool and isinstance(given, dict)):
        raise CallUnreadable("Its hook was handed a call without a name.")
    parent = payload.get("parentAgentId")
    parent = parent if isinstance(parent, str) else ""
    return Hooked(session=session, tool=tool, input=given, parent=parent, cwd=cwd_in(payload))


COPILOT: Final = HookWords(
    read=_copilots,
    # Flat: what is nested as in the others' answers is passed over, and the tool runs.
    allow=lambda hooked, because: {
        "permissionDecision": "allow",
        "permissionDecisionReason": because,
        "modifiedArgs": hooked.input,
    },
    deny=lambda because: {"permissionDecision": "deny", "permissionDecisionReason": because},
    ask=lambda because: {"permissionDecision": "ask", "permissionDecisionReason": because},
)

_FORM: Final = "AskUserQuestion"


def _claudes_allowance(hooked: Hooked, because: str) -> dict[str, Any]:
    """The ruled input is said again, so that no other hook's rewriting comes after the ruling.

    For its question to the person that would be the answer, and nobody would be asked.
    """
    return _claudes_answer("ask" if hooked.tool == _FORM else "allow", hooked, because)


def _claudes_answer(decision: str, hooked: Hooked, because: str) -> dict[str, Any]:
    again = {} if hooked.tool == _FORM else {"updatedInput": hooked.input}
    return _in_claudes_words(permissionDecision=decision, permissionDecisionReason=because, **again)


CLAUDE: Final = HookWords(
    read=_claudes,
    allow=_claudes_allowance,
    # Of several hooks that allow a call the last to end has its way with the input; an `allow`
    # counts for nothing beside an `ask`.
    allow_and_ask=partial(_claudes_answer, "ask"),
    deny=lambda because: _in_claudes_words(
        permissionDecision="deny", permissionDecisionReason=because
    ),
    ask=lambda because: _in_claudes_words(
        permissionDecision="ask", permissionDecisionReason=because
    ),
)


def _qwens(payload: dict[str, Any]) -> Hooked:
    agent = payload.get("agent_id")
    agent = agent if isinstance(agent, str) else ""
    if payload.get("hook_event_name") == _QUESTION:
        asked = evolve(_asked(payload), agent=agent, asks_first=True)
        return evolve(asked, call=asked.asked_first)
    hooked = evolve(_claudes(payload), agent=agent)
    # What it names a call by elsewhere stands beside an id of the hook's own.
    call = payload.get("tool_call_id")
    return evolve(hooked, call=call) if isinstance(call, str) and call else hooked


def _qwens_denial(because: str) -> dict[str, Any]:
    """A denial that no other hook takes back, of a call and of the question that comes before it.

    Of several answers it takes the last word on `permissionDecision`, but one that is not to go on
    stays so.
    """
    denial = _in_claudes_words(
        permissionDecision="deny",
        permissionDecisionReason=because,
        decision={"behavior": "deny", "message": because},
    )
    return {
        **denial,
        "decision": "deny",
        "reason": because,
        "continue": False,
        "stopReason": because,
    }


def _qwens_allowance(hooked: Hooked, because: str) -> dict[str, Any]:
    """It takes no other input from a hook, so there is nothing to be said again."""
    if hooked.asks_first:
        return _decided(behavior="allow")
    return _in_claudes_words(permissionDecision="allow", permissionDecisionReason=because)


QWEN: Final = HookWords(
    read=_qwens,
    allow=_qwens_allowance,
    deny=_qwens_denial,
    ask=lambda because: _in_claudes_words(
        permissionDecision="ask", permissionDecisionReason=because
    ),
)


def _opencodes(payload: dict[str, Any]) -> Hooked:
    event, session = payload.get("event"), payload.get("session")
    if not (isinstance(session, str) and session):
        raise CallUnreadable("Its hook was handed something else than a call.")
    if event == "session":
        return Hooked(session=session, cwd=cwd_in(payload))
    tool, given, call, parent = (payload.get(key) for key in ("tool", "input", "call", "parent"))
    if event != "tool" or not (isinstance(given, dict) and isinstance(parent, str)):
        raise CallUnreadable("Its hook was handed something else than a call.")
    if not (isinstance(tool, str) and tool and isinstance(call, str) and call):
        raise CallUnreadable("Its hook was handed a call without a name.")
    return Hooked(
        session=session, tool=tool, input=given, call=call, parent=parent, cwd=cwd_in(payload)
    )


OPENCODE: Final = HookWords(
    # These words are our own: the plugin that it loads is ours.
    read=_opencodes,
    allow=lambda hooked, _: {"decision": "allow", "input": hooked.input},
    deny=lambda because: {"decision": "deny", "reason": because},
)
