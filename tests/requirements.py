"""What Assent must do, as data: one line per requirement, with who asked for it and when it is due.

Each requirement that is built is marked by at least one test, and no test marks one that is not;
`house/test_requirements.py` checks both directions. `later` says what a requirement waits for:
the whole of it where it is not built, else the rest.
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
    later: str


COMMISSION: Final = "the commission"
REPORT: Final = "the tool permission report"
CHAPTER: Final = "the tool use authorization chapter"
MODEL: Final = "the chat permission model"
ANALYSIS: Final = "the permission and agentic flow analysis"


def _built(source: str, name: str, sentence: str, *, wave: int = 1, later: str = "") -> Requirement:
    return Requirement(
        id=name, source=source, wave=wave, sentence=sentence, built=True, later=later
    )


def _due(source: str, name: str, sentence: str, later: str, *, wave: int = 1) -> Requirement:
    return Requirement(
        id=name, source=source, wave=wave, sentence=sentence, built=False, later=later
    )


REQUIREMENTS: Final = (
    _built(COMMISSION, "M-01", "A Python language server speaks JSON-RPC on stdio."),
    _built(
        COMMISSION,
        "M-02",
        "It notifies by `tool/approvalRequest` and answers the request `tool/approvalResponse`.",
    ),
    _built(COMMISSION, "M-03", "A thin TypeScript webview draws the cards."),
    _built(COMMISSION, "M-04", "The Python side runs the agent loop."),
    _built(
        COMMISSION,
        "M-05",
        "The bypass of each agent is stored in the workspace's settings and toggled there.",
    ),
    _built(COMMISSION, "M-06", "It is installed as a VSIX that needs neither pip nor a network."),
    _built(
        COMMISSION, "M-07", "The top level is pyproject.toml, server, client-ts, tests, README."
    ),
    _built(REPORT, "T-01", "No gated call runs before an answer; every call can be vetoed."),
    _built(
        REPORT,
        "T-02",
        "Cards in the chat offer to accept and to reject.",
        later="Always Allow as a rule comes with rules",
    ),
    _built(REPORT, "T-03", "There are modes that ask always, that let read, that let all."),
    _built(REPORT, "T-04", "Always Allow persists, and its list can be edited."),
    _built(REPORT, "T-05", "A rejected call is skipped, the agent is told why, and goes on."),
    _built(
        REPORT,
        "T-06",
        "Chunks, calls, permissions, results, the end and errors stream to the front.",
    ),
    _built(REPORT, "T-07", "Several calls of one turn are gated apart and run side by side."),
    _built(REPORT, "T-08", "Stop, while a card waits, refuses the call and folds the card."),
    _built(REPORT, "T-09", "No answer is a refusal after a configurable time."),
    _built(REPORT, "T-10", "A click that races the deadline has one outcome, told truthfully."),
    _built(REPORT, "T-11", "An answer to an unknown or settled question is a clear error."),
    _built(REPORT, "T-12", "What was allowed and is lost or corrupt is asked about."),
    _built(REPORT, "T-13", "A stale card never stays: result, stop or deadline folds it."),
    _built(REPORT, "T-14", "Ollama's chat streams with tool calls."),
    _built(REPORT, "T-15", "Tools bash, read_file and write_file."),
    _due(REPORT, "T-16", "Settings show the mode and the allowlist.", "wave 2", wave=2),
    _built(
        CHAPTER, "S-01", "What agents of the protocol ask is answered by the gate; no loop blocks."
    ),
    _built(CHAPTER, "S-02", "Agents are configured by name; Claude Code and Eliza are among them."),
    _built(CHAPTER, "S-03", "The bypass of an agent, off, shows a card; on, allows without one."),
    _built(CHAPTER, "S-04", "The card offers approve, deny and bypass, and shows what is asked."),
    _built(CHAPTER, "S-05", "Cards fold into a record after the click."),
    _built(CHAPTER, "S-06", "Question and answer carry an approval id, the chat and the outcome."),
    _due(CHAPTER, "S-07", "A MynahUI card works.", "wave 2", wave=2),
    _built(CHAPTER, "S-08", "Policies for tools and rules for directories."),
    _built(CHAPTER, "S-09", "A bypass or a grant can end with its session and never persist."),
    _due(CHAPTER, "S-10", "The history of approvals can be audited.", "wave 2", wave=2),
    _due(CHAPTER, "S-11", "Several cards can be answered at once.", "wave 2", wave=2),
    _built(MODEL, "N-01", "Each chat has its mode, from one dropdown; new chats start at Default."),
    _built(MODEL, "N-02", "Read, write, execute and external, by mode: auto, ask or blocked."),
    _built(MODEL, "N-03", "All tools are always there; the mode governs approval alone."),
    _built(MODEL, "N-04", "Cards allow, allow for this chat or deny; several queue, none blocks."),
    _built(MODEL, "N-05", "The system prompt tells the tools and the mode."),
    _built(MODEL, "N-06", "Sub-agents inherit mode and gate."),
    _built(MODEL, "N-07", "Tools to read, write, list, search, plan and fetch."),
    _due(MODEL, "N-08", "Nodes and workflows run through generic tools.", "wave 2", wave=2),
    _due(MODEL, "N-09", "Collections can be listed, searched and queried.", "wave 2", wave=2),
    _due(MODEL, "N-10", "MCP tools and browser actions count as external.", "wave 2", wave=2),
    _due(MODEL, "N-11", "Making images and speech counts as write.", "wave 2", wave=2),
    _built(ANALYSIS, "C-01", "A call that is asked about waits and goes on; it is not made again."),
    _built(
        ANALYSIS,
        "C-02",
        "A permission context holds mode, directories, rules and whether bypass is available.",
    ),
    _built(ANALYSIS, "C-03", "Tools start while the model still streams."),
    _built(ANALYSIS, "C-04", "Decisions are allow, deny, background and kill."),
    _built(ANALYSIS, "C-05", "Shells outlive a turn, within limits."),
    _built(ANALYSIS, "C-06", "An approval never leaks into a later call."),
    _built(ANALYSIS, "C-07", "Nothing deadlocks or hangs, however things interleave."),
    _built(ANALYSIS, "C-08", "Hooks run before and after a call."),
    _built(ANALYSIS, "C-09", "Small pieces of text are gathered before the view is updated."),
    _due(ANALYSIS, "C-10", "A sandbox confines what runs without a card.", "wave 2", wave=2),
    _due(ANALYSIS, "C-11", "Decisions and tool times are measured.", "wave 2", wave=2),
)

BY_ID: Final = {requirement.id: requirement for requirement in REQUIREMENTS}
