"""A verb and an object for every call, from what was parsed, never from an agent's words."""

import re
from itertools import pairwise
from typing import Final
from urllib.parse import urlsplit

from assent.editor.cards.forms import asker_of
from assent.editor.cards.spans import line, plain
from assent.editor.protocol.card import Span
from assent.gate.call.calls import APPLY, MADE, Call, Effect, Script
from assent.gate.call.modes import Reach, reach_of
from assent.gate.call.verdicts import Ruling

__all__ = ["folder_of", "host_of", "is_told", "title_of"]

_PLAIN_URL: Final = re.compile(r"https?://[A-Za-z0-9.:\-\[\]]+(?:[/?#][!-?A-\[\]-~]*)?")
"""What every reader of URLs reads in the same way: no blanks, no backslash, no user name."""

_BESIDE: Final = frozenset({"url", "method", "format", "prompt", "timeout", "description"})
"""What may stand beside a URL without making more of the call than a request."""

_MAX_COMMAND_LETTERS: Final = 80
"""A command up to this length stands in the title; a longer one only in the body, whole."""

_MAX_INNER_COMMAND_LETTERS: Final = 40
"""What a command runs stands beside it in the title up to this length; what is longer, below."""

_BEFORE: Final = plain(" (")

_ACTIONS: Final = {"delete": "Delete ", "move": "Move ", **dict.fromkeys(MADE, "Create ")}

_OWN: Final = {
    "plan": "Write down its plan",
    "shellOutput": "Read what a command printed",
    "killShell": "End a command that it started",
    "subtask": "Work on a part of the whole",
    "presentPlan": "A plan for you to approve",
    "question": "A question for you",
    "skill": "Read how you want something done",
}
"""What touches nothing but the chat."""


def title_of(call: Call, ruling: Ruling | None = None) -> list[Span]:
    """What the call would do, in plain words; a ruling tells how far it could be read."""
    if call.unreadable is not None:
        return plain("Do something that could not be read")
    match call.tool:
        case "shell":
            where = [] if call.folder == "." else [*plain(" in "), *line(call.folder)]
            run = _run(str(call.input.get("command", "")), ruling)
            return [*run, *_leads_to(call, ruling), *_with(call), *where]
        case "form":
            asks = " asks you to open a page" if "url" in call.input else " asks you something"
            return [*line(asker_of(call)), *plain(asks)]
        case "read":
            return _look(call)
        case "write":
            return _write(call)
        case "mcp":
            tool, server = (line(str(call.input.get(name, ""))) for name in ("tool", "server"))
            return [*plain("Use "), *tool, *plain(" of the server "), *server]
        case "catalogue":
            return _list_of(call)
        case "run":
            return _workflow(call)
        case _ if call.effect is Effect.CHAT:
            return plain(_OWN.get(call.action, "Keep track of its work"))
        case _:
            return _request(call)


def folder_of(call: Call) -> list[Span]:
    """The folder that a command runs in."""
    return plain("the workspace") if call.folder == "." else line(call.folder)


def host_of(call: Call) -> str | None:
    """The host that a call names, where it names exactly one URL, or connects to one."""
    if call.tool == "network":
        return _to(call)
    url = call.input.get("url")
    if not isinstance(url, str) or not _PLAIN_URL.fullmatch(url) or call.input.keys() - _BESIDE:
        return None
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _to(call: Call) -> str:
    """The host and the port of a connection."""
    return f"{call.input.get('host')}:{call.input.get('port')}"


def _wanting(command: str) -> list[Span]:
    """The command that wants something; a long one is shown whole below."""
    is_brief = 0 < len(command) <= _MAX_INNER_COMMAND_LETTERS and "\n" not in command
    return line(command) if is_brief else plain("A command")


def _list_of(call: Call) -> list[Span]:
    """What of what was set up is looked through."""
    if call.action in {"getNode", "getWorkflow"}:
        return [*plain("Read what "), *line(str(call.input.get("name", ""))), *plain(" is")]
    if call.action == "listCollections":
        return plain("List the collections of documents")
    words = line(str(call.input.get("words", "")))
    if call.action == "listWorkflows":
        return [*plain("Find workflows for "), *words] if words else plain("List the workflows")
    return [*plain("Find tools for "), *words] if words else plain("List tools of servers")


def _workflow(call: Call) -> list[Span]:
    """Which workflow is run, and of how many steps."""
    name = line(str(call.input.get("name", "")).removeprefix("workflow:"))
    steps = call.input.get("steps")
    count = len(steps) if isinstance(steps, list) else 0
    size = f" ({count:,} steps)" if count > 1 else ""
    return [*plain("Run the workflow "), *name, *plain(size)]


def _request(call: Call) -> list[Span]:
    """Whom something is sent to, or what is to be reached, and by what."""
    if call.tool == "network":
        command = str(call.input.get("command", ""))
        return [*_wanting(command), *plain(" wants "), *line(_to(call))]
    if reach_of(call) is Reach.SEARCH:
        return [*plain("Search the web for "), *line(str(call.input.get("query", "")))]
    host = host_of(call)
    return [*plain("Send a request to "), *line(host)] if host else plain("Use a tool")


def _run(command: str, ruling: Ruling | None) -> list[Span]:
    if ruling is not None and not ruling.readable:
        return plain("Run a command that could not be fully read")
    if ruling is not None and len(ruling.parts) > 1:
        return plain(f"Run {len(ruling.parts)} commands")
    breaks = command.strip().count("\n")
    if breaks == 0 and len(command) <= _MAX_COMMAND_LETTERS:
        return [*plain("Run "), *line(command)]
    size = f"{breaks + 1:,} lines" if breaks else f"{len(command):,} characters"
    if ruling is not None:
        return plain(f"Run a {'script' if breaks else 'command'} of {size}")
    # Of what is on record the beginning tells which it was; nobody is asked by that.
    begun = command.strip().partition("\n")[0][:_MAX_COMMAND_LETTERS]
    return [*plain("Run "), *line(begun), *plain(f" … ({size})")]


def _leads_to(call: Call, ruling: Ruling | None) -> list[Span]:
    """What one plain command runs of its own accord, on the card of it: `npm test (vitest run)`."""
    if ruling is None or len(ruling.parts) != 1 or len(call.scripts) != 1:
        return []
    spans = line(call.scripts[0].text)
    is_brief = (
        len(spans) == 1
        and spans[0].shown is None
        and len(spans[0].text) <= _MAX_INNER_COMMAND_LETTERS
    )
    # What has brackets of its own would end those that stand around it.
    is_whole = ruling.readable and not {"(", ")"} & set(spans[0].text if spans else "()")
    return [*_BEFORE, *spans, *plain(")")] if is_brief and is_whole else []


def is_told(script: Script, title: list[Span]) -> bool:
    """Whether a title that was drawn for a call says what this one of its texts is.

    >>> script = Script(name="test", text="vitest run", folder="/p")
    >>> is_told(script, [*line("npm test"), *_BEFORE, *line("vitest run"), *plain(")")])
    True
    >>> is_told(script, line("vitest run"))
    False
    """
    return any(
        [before] == _BEFORE and [span] == line(script.text) for before, span in pairwise(title)
    )


def _with(call: Call) -> list[Span]:
    """How many variables it is given beside its text; each stands with its value below."""
    given = call.input.get("env")
    count = len(given) if isinstance(given, dict) else 0
    several = f" with {count:,} variables"
    return plain(" with a variable" if count == 1 else several) if count else []


def _write(call: Call) -> list[Span]:
    """Which files are changed, or whose changes are to become real."""
    if call.action != APPLY:
        return [*plain(_change(call)), *_files([target.shown for target in call.targets])]
    command = str(call.input.get("trial", ""))
    if len(command) > _MAX_INNER_COMMAND_LETTERS or "\n" in command:
        return plain("Apply the changes of a command")
    return [*plain("Apply the changes of "), *line(command)]


def _look(call: Call) -> list[Span]:
    """What is read, or looked for in it."""
    files = _files([target.shown for target in call.targets])
    pattern = line(str(call.input.get("pattern", "")))
    match call.action:
        case "list":
            is_all = [target.shown for target in call.targets] == ["."]
            return plain("List the workspace") if is_all else [*plain("List "), *files]
        case "find":
            return [*plain("Find "), *pattern, *plain(" in "), *files]
        case "search":
            return [*plain("Search "), *files, *plain(" for "), *pattern]
        case "searchCollections":
            return [*plain("Search the collections for "), *line(str(call.input.get("words", "")))]
        case "queryCollection":
            name, question = (
                line(str(call.input.get(member, ""))) for member in ("name", "question")
            )
            return [*plain("Search the collection "), *name, *plain(": "), *question]
        case _:
            return [*plain("Read "), *files]


def _change(call: Call) -> str:
    if call.action in _ACTIONS:
        return _ACTIONS[call.action]
    if call.edits and all(edit.old is None for edit in call.edits):
        return "Create "
    return "Edit " if call.edits else "Change "


def _files(shown: list[str]) -> list[Span]:
    if len(shown) == 1:
        return line(shown[0])
    return plain(f"{len(shown)} files") if shown else plain("files")
