"""What the server says to a person in the editor, collected from where it stands in the source.

A sentence is a text of a module, with a letter in braces for whatever is put into it: `{a}`, `{b}`
where that is a name, a path, a rule, and `{A}` where it is words of our own, such as a mode's. A
text of which a part is chosen is one sentence for each choice.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assent.gate.call.modes import Reach
from assent.gate.settings.layers import Layer
from house.texts import SERVER, Module

__all__ = ["EXCUSED", "modules", "sentences"]

EXCUSED: Final = {
    "__main__": "the command line",
    "cli.": "the command line",
    "hosting.terminals.without_window": "said by the hook to an agent in a terminal",
    "hosting.eliza": "an agent's words",
    "hosting.hooks.gate_hook": "said by the hook to an agent",
    "hosting.recipes": "said to agents, and names",
    "hosting.hooks.hook_": "said to agents by their hooks",
    "hosting.hooks.hooks": "said to agents by their hooks",
    "hosting.terminals.launcher": "a script for a shell",
    "hosting.connection.peer": "said to agents by the protocol",
    "hosting.recipes.references": "said to agents",
    "agent.loop.model_call": "said to the model",
    "agent.loop.call_drafts": "pieces of a line; those that are titles stand in `cards.titles`",
    "agent.loop.situation_notes": "said to the model",
    "agent.loop.prompt": "said to the model",
    "agent.loop.workflow_steps": "said to the model",
    "agent.loop.subtasks": "said to the model",
    "agent.loop.wording": "said to the model",
    "catalogue.nodes.": "said to the model",
    "gate.journal.index_check": "the command line",
    "gate.journal.index_tables": "what a database is told",
    "gate.journal.card_file": "what a database is told",
    "gate.journal.reader": "the command line",
    "gate.journal.search": "what a database is told",
    "gate.journal.table": "the command line",
    "editor.lsp.frames": "for whoever writes an editor",
    "editor.lsp.log": "for the log",
    "editor.lsp.outbox": "for the log",
    "editor.lsp.refusals": "for whoever writes an editor",
    "editor.lsp.start": "for whoever writes an editor",
    "editor.lsp.transport": "for whoever writes an editor",
    "editor.lsp.connection": "for whoever writes an editor",
    "catalogue.mcp.": "said to the model, as what came of a call",
    "editor.window.chats.kept.interrupted": "said to the model",
    "editor.window.chats.cut_to_size": "said of a file that is written",
    "editor.window.chats.kept.export": "written into a file",
    "editor.window.agents.own.guides": "said to the model",
    "editor.window.headless": "the command line",
    "editor.window.agents.own.prepared": "said to the model",
    "editor.window.agents.own.setup": "said to the model",
    "editor.window.agents.own.sight": "said to the model",
    "editor.window.servers.servers_of_a_run": "the command line",
    "editor.window.unattended": "the command line",
    "gate.programs.aliases": "commands",
    "editor.protocol.": "what describes the wire",
    "editor.cards.dialog": "why a member is not said in a dialog, for whoever reads the source",
    "editor.window.chats.diffs": "names of documents",
    "gate.settings.models.hosters": "names",
    "agent.models.model_lists": "said to the model",
    "agent.models.http_requests": "what a host is told",
    "agent.models.replay": "a script in place of a model",
    "agent.models.script": "a script in place of a model",
    "agent.models.well_formed": "said to the model",
    "gate.settings.manifest": "what the manifest says in each language, by keys",
    "gate.settings.model": "what the manifest says in each language, by keys",
    "gate.settings.paths": "names of folders",
    "gate.settings.sentences": "what the manifest says in each language, by keys",
    "gate.settings.shapes": "what the manifest says in each language, by keys",
    "editor.telemetry.": "counts for a collector",
    "gate.text.": "pieces that rooms above put together",
    "catalogue.workers.": "said to the model, as what came of a call",
    "agent.tools.": "said to the model",
    "gate.tasks.editors": "said to the model",
    "catalogue.workflows.files": "said to the model",
    "catalogue.workflows.step_references": "said to the model",
    "catalogue.workflows.graph": "said to the model, and the schema of the files",
    "gate.tasks.justfiles": "said to the model",
    "gate.tasks.makefiles": "said to the model",
    "catalogue.workflows.nodetool_graphs": "said to the model",
    "gate.tasks.packages": "said to the model",
    "gate.tasks.projects": "said to the model",
    "gate.tasks.task_files": "said to the model",
    "gate.tasks.tasks": "said to the model",
    "gate.tasks.values": "said to the model",
}
"""What nobody reads in the editor, by the beginning of a module's name, and why.

A module that is not named here is one whose sentences have to be there in each language."""

READ: Final = frozenset(
    {"catalogue.mcp.accounts", "catalogue.mcp.log_in_callback", "catalogue.mcp.server_states"}
)
"""What a person reads all the same of what is excused: how their log-ins and servers are."""

STAY: Final = {
    "Assent": "a name",
    "Claude Code": "a name",
    "Codex": "a name",
    "Copilot": "a name",
    "Cursor": "a name",
    "Eliza": "a name",
    "Gemini": "a name",
    "Ollama": "a name",
    "Qwen Code": "a name",
    "Notification": "a name",
    "It called {a} {b}": "said to the model",
    "{a} came to: {b}{c}": "said to the model",
    "The agent: {a}": "said to the model",
    "Shell": "a name",
    "The editor left without asking to shut down.": "for the log",
    "The editor said goodbye.": "for the log",
}
"""Texts that stay, and why."""

_TO_MODELS: Final = ("The person", "[", "{a}\n\n[", "You write notes")
"""How texts begin that agents are told in a person's place, or notes of a conversation."""

_PIECES: Final = frozenset(
    {
        *(
            "editor.cards.titles",
            "editor.cards.touches",
            "editor.cards.members",
            "editor.cards.hunks",
        ),
        *(
            "editor.insights.charts",
            "editor.insights.insight_page",
            "editor.insights.insights",
            "editor.window.record.insights",
        ),
    }
)
"""Whose texts are pieces, drawn beside names; elsewhere what begins small is no sentence."""

_HALVES: Final = frozenset(
    {
        "agent.chats.chats_file",
        "agent.chats.integrity",
        "gate.journal.file",
        "gate.journal.integrity",
    }
)
"""Whose texts are halves of sentences, beside what they tell a database."""
_GIVEN_HALVES: Final = frozenset(
    {
        *("ChatsUnkept", "GateRequestFailed", "Foreign", "Garbled", "JournalUnwritable"),
        *("LogInFailed", "_Unanswered", "broken"),
    }
)
"""What is given the half of a sentence, in whichever module."""
_SQL: Final = re.compile(r"(?:begin|commit|create|pragma|rollback|select|vacuum)\b", re.IGNORECASE)

_LETTER: Final = re.compile(r"\{[A-Za-z]\}")


_NAMED: Final = "`{a}` {B}"
"""A name of others, and what is said of it in words of ours, which have their own line."""


@cache
def sentences() -> list[str]:
    """All of them, in order."""
    each = {(name, text) for name in modules() for text in Module.of(name).said()}
    found = {text for name, text in each if _is_for_person(name, text)}
    found |= {text for name in _every() for text in _halves(name) if _has_words(text)}
    return sorted({*found, _NAMED, *map(str, Reach), *(it.words for it in Layer)})


def _is_for_person(name: str, text: str) -> bool:
    if text in STAY or text.startswith(_TO_MODELS):
        return False
    if not _has_words(text):
        return False
    # Beside what programs do stand their words, which are none of ours.
    if "programs.tables" in name and not text.endswith("."):
        return False
    is_whole = text.endswith(".") and " " in text
    return text[0] in "{`" or text[0].isupper() or is_whole or name in _PIECES


def _halves(name: str) -> Iterator[str]:
    """The halves of sentences that a module says, which others put into theirs."""
    module = Module.of(name)
    yield from module.handed(_GIVEN_HALVES)
    if name in _HALVES:
        yield from (it for it in module.said() if not _SQL.match(it))


def _has_words(text: str) -> bool:
    return re.search(r"[^\W\d_]", _LETTER.sub("", text)) is not None


def modules() -> list[str]:
    """All of whose sentences a person may read in the editor."""
    return sorted(it for it in _every() if it in READ or not it.startswith(tuple(EXCUSED)))


def _every() -> Iterator[str]:
    every = (
        ".".join(path.relative_to(SERVER).with_suffix("").parts) for path in SERVER.rglob("*.py")
    )
    return (it for it in every if not it.endswith(("__init__", "__main__")))
