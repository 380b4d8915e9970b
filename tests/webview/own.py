"""What a chat of our own agent holds: its models, its shells, its running calls and their parts."""

from typing import Any, Final

from assent.editor.protocol import card, chats, happenings, records
from webview import scenes
from webview.tickets import code, plain

__all__ = ["AGENTS", "CODER", "QWEN", "RUNS", "chat", "moved", "printed", "run", "shell"]

QWEN: Final = chats.ModelInfo(id="ollama/qwen3:8b", name="qwen3:8b (Ollama)")
CODER: Final = chats.ModelInfo(id="openai/qwen3 coder", name="qwen3 coder (127.0.0.1:1234)")
AGENTS: Final = [
    chats.AgentInfo(
        id="assent", name="Assent", state="ready", bypassed=False, models=[QWEN, CODER]
    ),
    *scenes.AGENTS,
]


def run(name: str, command: str, **more: Any) -> records.CallRecord:
    """A command that runs, and about which a person can do something."""
    told: dict[str, Any] = {
        "state": "running",
        "by": "user",
        "because": "You allowed it once.",
        "may": ["background", "kill"],
        **more,
    }
    return scenes.record(name, [*plain("Run "), *code(command)], **told)


RUNS: Final = run(
    "run",
    "npm test",
    output="".join(f"\u001b[32m✓\u001b[0m parses group {n}\n" for n in range(40)),
)


def shell(name: str, command: str, **more: Any) -> records.ShellInfo:
    """A command in the background."""
    told: dict[str, Any] = {
        "call_id": f"call-{name}",
        "state": "running",
        "in_background": True,
        "at": 1_700_000_000_000 + int(name),
        **more,
    }
    return records.ShellInfo(shell_id=name, command=[card.Span(kind="code", text=command)], **told)


def chat(name: str = "chat-1", **more: Any) -> chats.Chat:
    """A chat of our own agent."""
    told: dict[str, Any] = {
        "agent_id": "assent",
        "agent_name": "Assent",
        "gate": "advisory",
        "model": QWEN.name,
        **more,
    }
    return scenes.chat(name, **told)


def moved(seq: int, call: records.CallRecord, entry: int = 1) -> Any:
    """A call took a step; it is the second entry unless told otherwise."""
    return scenes.event(seq, "chat-1", happenings.CallMoved(entry=entry, call=call))


def printed(seq: int, call: records.CallRecord, text: str) -> Any:
    """A running call printed something."""
    return scenes.event(seq, "chat-1", happenings.CallPrinted(call_id=call.call_id, append=text))
