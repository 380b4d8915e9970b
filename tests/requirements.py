"""What Assent must do, as data: one line per requirement, with who asked for it and when it is due.

Each requirement that is built is marked by at least one test, and no test marks one that is not;
`house/test_requirements.py` checks both directions, and `shown.py` that such a test really ran.
`missing` says what is not so yet: of the whole where nothing is built, else of the rest.
"""

from dataclasses import dataclass
from typing import Final

__all__ = ["BY_ID", "REQUIREMENTS", "Requirement"]


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """One thing that Assent must do."""

    id: str
    source: str
    wave: int
    """When it is due: 1 first, 2 next, 3 after."""
    sentence: str
    built: bool
    """Whether tests show it, but for what is missing."""
    missing: str
    """What is not so yet, as a sentence; nothing where all of it is."""


COMMISSION: Final = "the commission"
REPORT: Final = "the tool permission report"
CHAPTER: Final = "the tool use authorization chapter"
MODEL: Final = "the chat permission model"
ANALYSIS: Final = "the permission and agentic flow analysis"
CLIENTS: Final = "makers of clients and packages"


def _built(
    source: str, name: str, sentence: str, *, wave: int = 1, missing: str = ""
) -> Requirement:
    return Requirement(
        id=name, source=source, wave=wave, sentence=sentence, built=True, missing=missing
    )


def _due(source: str, name: str, sentence: str, *, missing: str, wave: int = 1) -> Requirement:
    return Requirement(
        id=name, source=source, wave=wave, sentence=sentence, built=False, missing=missing
    )


REQUIREMENTS: Final = (
    _built(
        COMMISSION,
        "M-01",
        "A Python language server (pygls, lsprotocol, pydantic, cattrs; pytest) over JSON-RPC"
        " on stdio.",
    ),
    _built(
        COMMISSION,
        "M-02",
        "It sends `tool/approvalRequest` notifications and answers `tool/approvalResponse`"
        " requests.",
    ),
    _built(
        COMMISSION,
        "M-03",
        "A thin TypeScript webview client draws the cards.",
    ),
    _built(
        COMMISSION,
        "M-04",
        "The Python side runs the agent loop.",
    ),
    _built(
        COMMISSION,
        "M-05",
        "The per-agent bypass map is stored in workspace settings, and toggled in `settings.json`.",
    ),
    _built(
        COMMISSION,
        "M-06",
        "Installed as an editor extension (a VSIX that works without pip or network).",
    ),
    _built(
        COMMISSION,
        "M-07",
        "Top level: pyproject.toml, server/, client-ts/, tests/, README.md.",
    ),
    _built(
        REPORT,
        "T-01",
        "No gated tool executes before an answer; the user sees every call *whole* (all"
        " arguments, environment too), before and afterwards, and can veto it.",
    ),
    _built(
        REPORT,
        "T-02",
        "Inline cards: Accept, Reject, Always Allow.",
    ),
    _built(
        REPORT,
        "T-03",
        "Modes: ask every time; auto-accept read-only (reads never gated); auto-accept all.",
    ),
    _built(
        REPORT,
        "T-04",
        "Always Allow executes and persists; the list is shown, edited and pruned in settings"
        " and in a view.",
    ),
    _built(
        REPORT,
        "T-05",
        "Reject: the tool is skipped and an error with the reason goes into the history the"
        " model sees; the loop continues.",
    ),
    _built(
        REPORT,
        "T-06",
        "Events stream to the front, each call with its tool and arguments and while a long one"
        " is still being written: chunk (text, thinking), tool call, permission, tool result"
        " (success, output, path, content), done with reason, error.",
    ),
    _built(
        REPORT,
        "T-07",
        "Several calls in one turn are gated independently and run side by side; two cards for"
        " the same tool are answered apart.",
    ),
    _built(
        REPORT,
        "T-08",
        "Stop while a card waits: refused, card dismissed, the model's connection closed at once.",
    ),
    _built(
        REPORT,
        "T-09",
        "No answer: refused after a configurable time (5 minutes), and so after a reload with"
        " nobody there.",
    ),
    _built(
        REPORT,
        "T-10",
        "A click that races the timeout: one outcome, told truthfully.",
    ),
    _built(
        REPORT,
        "T-11",
        "An answer to an unknown or settled request is a clear error.",
    ),
    _built(
        REPORT,
        "T-12",
        "Allowlist lost or corrupt: fall back to asking; a call before the settings are loaded"
        " asks.",
    ),
    _built(
        REPORT,
        "T-13",
        "A stale card never stays: the result, stop or timeout folds it.",
    ),
    _built(
        REPORT,
        "T-14",
        "Ollama's streaming chat with tool calls; a limit on writes per turn.",
    ),
    _built(
        REPORT,
        "T-15",
        "Tools bash, read_file, write_file, confined to the workspace (by the gate: whatever"
        " leaves it asks in every mode but Auto; by the sandbox: cannot).",
        missing="There is no sandbox; the gate alone confines them.",
    ),
    _due(
        REPORT,
        "T-16",
        "Settings surface: mode, allowlist management.",
        missing=(
            "The settings list rules and modes, but there is no place of Assent's own that shows"
            " both."
        ),
        wave=2,
    ),
    _built(
        CHAPTER,
        "S-01",
        "ACP agents' `requestPermission` is answered from the gate; the agent blocks, the event"
        " loop does not.",
    ),
    _built(
        CHAPTER,
        "S-02",
        "Agents configured by name: command, args, bypassPermissions; Claude Code (ACP adapter)"
        " and an Eliza agent among them.",
    ),
    _built(
        CHAPTER,
        "S-03",
        "Per-agent bypass: off → card; on → allowed once without a card.",
    ),
    _built(
        CHAPTER,
        "S-04",
        "Card: Approve / Deny / Bypass Permissions (approve and set bypass for this agent),"
        " agent name, tool title, kind, parameters as JSON, the agent's own options.",
        missing=(
            "The parameters of a tool that Assent knows are drawn in its own way and not as JSON."
        ),
    ),
    _built(
        CHAPTER,
        "S-05",
        "Cards dismiss after the click (ours fold into a record).",
    ),
    _built(
        CHAPTER,
        "S-06",
        "Request and response carry an approval id (UUID), the tab (chat) and the ACP outcome.",
    ),
    _built(
        CHAPTER,
        "S-07",
        "A MynahUI card works (adapter, tested in real MynahUI).",
    ),
    _built(
        CHAPTER,
        "S-08",
        "Future list: per-tool policies; resource-based rules (directories).",
    ),
    _built(
        CHAPTER,
        "S-09",
        "Future list: session bypass that does not persist.",
    ),
    _built(
        CHAPTER,
        "S-10",
        "Future list: approval history for audit: a view with filters, true reasons, export,"
        " verification.",
        wave=2,
    ),
    _built(
        CHAPTER,
        "S-11",
        "Future list: batch approvals.",
        wave=2,
    ),
    _built(
        MODEL,
        "N-01",
        "One mode dropdown in the composer footer, per chat, new chats at Default; modes Plan,"
        " Default, Auto.",
    ),
    _built(
        MODEL,
        "N-02",
        "Categories read / write / execute / external × modes: auto, ask, blocked.",
    ),
    _built(
        MODEL,
        "N-03",
        "All tools always there; the mode governs approval, not a client-chosen tool list.",
    ),
    _built(
        MODEL,
        "N-04",
        "Inline card Allow / Allow for this chat / Deny; non-blocking, several queue; session"
        " grants in memory only.",
    ),
    _built(
        MODEL,
        "N-05",
        "The system prompt tells the toolbelt and the active mode; in Plan it says to plan and"
        " not act, besides the hard gate.",
    ),
    _built(
        MODEL,
        "N-06",
        "Sub-agents (`run_subtask`) inherit mode and gate.",
    ),
    _built(
        MODEL,
        "N-07",
        "Tools: read_file, write_file, list, search, todo_write, web_search, web_fetch.",
    ),
    _built(
        MODEL,
        "N-08",
        "Generic `run_node` / `run_workflow` with `list_nodes`, `get_node`, `list_workflows`,"
        " `get_workflow`, so that hundreds of capabilities need no selection.",
        missing="Nodes are those of MCP servers alone, and graphs are read as JSON alone.",
        wave=2,
    ),
    _built(
        MODEL,
        "N-09",
        "Collections: `list_collections`, `search_collections`, `query_collection`.",
        missing="Meaning is compared only by a model on this machine.",
        wave=2,
    ),
    _built(
        MODEL,
        "N-10",
        "MCP tools and browser actions as external.",
        missing="There is no browser preset.",
        wave=2,
    ),
    _built(
        MODEL,
        "N-11",
        "Image generation and text-to-speech as write.",
    ),
    _built(
        MODEL,
        "N-12",
        "Chats persist: a thread keeps its mode and turns over reloads and restarts.",
    ),
    _built(
        MODEL,
        "N-13",
        "Research works in Plan: `web_search` through the person's own engine passes; a fetch"
        " needs a rule, and is otherwise denied.",
    ),
    _built(
        ANALYSIS,
        "C-01",
        "Suspension, not re-execution: the call waits and continues in the same context.",
    ),
    _built(
        ANALYSIS,
        "C-02",
        "Permission context: mode, additional working directories, always-allow, always-ask and"
        " always-deny rules, whether bypass is available.",
    ),
    _built(
        ANALYSIS,
        "C-03",
        "Tools start while the model still streams, in parallel; results go back without ending"
        " the conversation.",
    ),
    _built(
        ANALYSIS,
        "C-04",
        "Decisions Allow, Deny, Background, Kill.",
    ),
    _built(
        ANALYSIS,
        "C-05",
        "Background shells: id, output so far, kill; limits on their number and on buffered"
        " output; ended with the chat.",
    ),
    _built(
        ANALYSIS,
        "C-06",
        "An approval never leaks into a later call; no global permission state.",
    ),
    _built(
        ANALYSIS,
        "C-07",
        "No deadlock, no hang of the interface, under any interleaving.",
    ),
    _built(
        ANALYSIS,
        "C-08",
        "Hooks PreToolUse, PostToolUse, Notification.",
    ),
    _built(
        ANALYSIS,
        "C-09",
        "Small text deltas are buffered before the interface updates.",
    ),
    _due(
        ANALYSIS,
        "C-10",
        "Sandbox mode: runs without a card but confined.",
        missing="Nothing is confined.",
        wave=2,
    ),
    _built(
        ANALYSIS,
        "C-11",
        "Metrics of decisions and tool times.",
        wave=2,
    ),
    _built(
        ANALYSIS,
        "C-12",
        "Standard output and error told apart; the shell that runs a command can be chosen.",
        wave=2,
    ),
    _built(
        CLIENTS,
        "P-01",
        "The protocol is documented and has a JSON Schema, both generated; a client of 60 lines"
        " written from it works; `call {tool, effect, input, toolCallId}` stands beside the"
        " card.",
    ),
    _due(
        CLIENTS,
        "P-02",
        "Packages for linux-x64, linux-arm64, darwin-x64, darwin-arm64, win32-x64, each built"
        " here; what was run where is said.",
        missing="A package is made for linux-x64 alone.",
        wave=2,
    ),
)

BY_ID: Final = {requirement.id: requirement for requirement in REQUIREMENTS}
