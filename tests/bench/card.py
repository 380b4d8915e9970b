"""The card that is measured with: a shell command of three parts, as the server draws it."""

from assent.editor.protocol.approvals import ApprovalRequest
from assent.editor.protocol.card import Because, Card, CardOption, ShellBody, ShellPart, Span, Touch

__all__ = ["a_ticket"]

_COMMAND = "git fetch origin && npm run build -- --mode production 2>&1 | tee build.log"
_OPTIONS = (
    ("once", "allowOnce", "Allow"),
    ("allow-chat", "allowChat", "Allow in this chat"),
    ("deny-once", "denyOnce", "Deny"),
    ("deny-tell", "denyTell", "Deny and tell why"),
)


def a_ticket() -> ApprovalRequest:
    """A ticket as it goes out."""
    return ApprovalRequest(
        epoch="0b6c1d1e-8e58-4a57-9a44-6b8a1b7c2f10",
        seq=0,
        approval_id="a000000",
        chat_id="c1",
        call_id="call-1",
        revision=1,
        digest="5f" * 32,
        card=_card(),
        asked_at=1_790_000_000_000,
        now=1_790_000_000_000,
        expires_at=1_790_000_600_000,
    )


def _card() -> Card:
    return Card(
        agent_id="eliza",
        agent_name="Eliza",
        chat_title="Build the release",
        mode="Ask before every change",
        title=[_plain("Run "), Span(kind="code", text="npm run build")],
        consequence="It can change any file of the workspace.",
        level="medium",
        body=ShellBody(
            command=[_plain(_COMMAND)],
            readable=True,
            parts=[
                _part("", "git fetch origin", "allow"),
                _part("&&", "npm run build -- --mode production 2>&1", "ask"),
                _part("|", "tee build.log", "ask"),
            ],
            cwd=[_plain("~/projects/shop")],
        ),
        touches=[
            Touch(name="Runs in", text=[_plain("~/projects/shop")]),
            Touch(name="Files", text=[_plain("build.log")]),
        ],
        because=Because(text="No rule allows this command."),
        primary="deny",
        options=[CardOption(id=name, kind=kind, label=label) for name, kind, label in _OPTIONS],  # type: ignore[arg-type]  # literals of the tuple above
    )


def _plain(text: str) -> Span:
    return Span(kind="plain", text=text)


def _part(operator: str, text: str, verdict: str) -> ShellPart:
    because = "Nothing says that it may." if verdict == "ask" else "It only reads."
    return ShellPart(operator=operator, text=[_plain(text)], verdict=verdict, because=because)  # type: ignore[arg-type]  # one of the three
