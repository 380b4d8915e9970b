"""What the server would tell the view of chats: events, settlements and whole snapshots."""

from collections.abc import Sequence
from typing import Any, Final

from assent.editor.protocol import approvals, card, chats, happenings, records, replicas, rules
from webview.tickets import EPOCH, Ticket, code, plain, wire

__all__ = [
    "AGENTS",
    "EPOCH",
    "RECORDS",
    "TALK",
    "chat",
    "delivered",
    "event",
    "preview",
    "record",
    "settled",
    "snapshot",
]

AGENTS: Final = [
    chats.AgentInfo(id="eliza", name="Eliza", state="running", bypassed=False),
    chats.AgentInfo(id="claude", name="Claude Code", state="ready", bypassed=False),
    chats.AgentInfo(
        id="codex",
        name="Codex",
        state="failed",
        because="`codex-acp` was not found.",
        bypassed=False,
    ),
]


def record(name: str, title: list[card.Span], **more: Any) -> records.CallRecord:
    """A call in the transcript."""
    told: dict[str, Any] = {
        "level": "low",
        "state": "succeeded",
        "by": "user",
        "at": 1_700_000_000_000,
        **more,
    }
    return records.CallRecord(call_id=f"call-{name}", title=title, **told)


RECORDS: Final = [
    record(
        "r1",
        [*plain("Read 4 files in "), *code("src/")],
        by="mode",
        because="The mode allows reads in the workspace.",
    ),
    record(
        "r2",
        [*plain("Edit "), *code("src/parser.py")],
        approval_id="t-0",
        because="You allowed it once.",
        output="+3 −1\n",
        record_id=7,
    ),
    record(
        "r3",
        [*plain("Send a request to "), *code("pastebin.com")],
        state="refused",
        because="You denied it: “use the docs in /docs”",
    ),
    record(
        "r4",
        [*plain("Run "), *code("sleep 600")],
        state="refused",
        by="timeout",
        because="Nobody answered in time, so it was not run.",
    ),
    record(
        "r5",
        [*plain("Run "), *code("npm test")],
        state="running",
        by="rule",
        because="shell(npm test) in user settings",
        output="\u001b[32m12 passing\u001b[0m\n",
    ),
]


def chat(name: str = "chat-1", **more: Any) -> chats.Chat:
    """A chat, empty unless told otherwise."""
    told: dict[str, Any] = {
        "agent_id": "claude",
        "agent_name": "Claude Code",
        "title": "Make the parser tests pass",
        "mode": "default",
        "running": False,
        "gate": "verified",
        "plan": [],
        "items": [],
        **more,
    }
    return chats.Chat(chat_id=name, **told)


TALK: Final = [
    chats.Said(
        kind="user", message_id="m1", text="Make the parser tests pass and publish the fix branch"
    ),
    chats.Said(kind="thought", message_id="m2", text="The guard looks wrong."),
    chats.Said(
        kind="agent",
        message_id="m3",
        text=(
            "The nested-bracket test fails in `parse_group`. I changed the **guard** and will "
            "run the tests, see [the docs](https://example.org/docs).\n\n"
            "```python\ndef parse_group(s, i):\n    return None  # so far\n```\n\n"
            "- one\n- two\n"
        ),
    ),
    *RECORDS,
    chats.Notice(
        kind="notice",
        level="warning",
        text="Codex ran a call that nobody ruled on.",
        at=1_700_000_000_000,
    ),
]


def snapshot(
    *,
    talks: Sequence[chats.Chat] = (),
    tickets: Sequence[Ticket] = (),
    seq: int = 0,
    **more: Any,
) -> Any:
    """The answer to a subscription."""
    told: dict[str, Any] = {
        "agents": AGENTS,
        "trusted": True,
        "default_mode": "default",
        "banners": [],
        **more,
    }
    whole = replicas.Snapshot(chats=list(talks), tickets=list(tickets), **told)
    return wire(replicas.Subscribed(epoch=EPOCH, seq=seq, snapshot=whole))


def event(seq: int, chat_id: str | None, happened: happenings.Event) -> Any:
    """One event, as it comes."""
    return wire(happenings.AgentEvent(epoch=EPOCH, seq=seq, chat_id=chat_id, event=happened))


def preview(texts: Sequence[str], *, problem: str | None = None) -> Any:
    """What these rules would do."""
    told = [
        rules.PreviewedRule(
            rule=text,
            problem=problem if at == 0 else None,
            would_match=[] if problem else ["git push origin main"],
            would_spare=[] if problem else ["git push --force \u202eorigin"],
        )
        for at, text in enumerate(texts)
    ]
    return wire(rules.Previewed(rules=told, covers=problem is None, matched=3, denied=0, of=200))


def settled(seq: int, ticket: Ticket, **more: Any) -> Any:
    """How a ticket ended."""
    told: dict[str, Any] = {
        "outcome": "allowed",
        "by": "user",
        "because": "You allowed it once.",
        **more,
    }
    return wire(
        approvals.ApprovalSettled(
            epoch=EPOCH,
            seq=seq,
            approval_id=ticket.approval_id,
            chat_id=ticket.chat_id,
            record_id=None,
            **told,
        )
    )


def delivered(seq: int, ticket: Ticket) -> Any:
    """A ticket, as it comes."""
    return wire(ticket.model_copy(update={"seq": seq}))
