"""The names that agents use for commands, folders and paths in their arguments.

Names that are not known here never make a call lighter: they keep it from being a mere reading,
a plain command or a readable change, and what looks like a path under them counts as one.
"""

import shlex
from collections.abc import Iterator
from typing import Any, Final

from assent.gate.call.errors import CallUnreadable

__all__ = [
    "CHANGES",
    "EVERYWHERE",
    "FOLDERS",
    "MANNERS",
    "PLACES",
    "SAYINGS",
    "beside_change",
    "beside_command",
    "command_in",
    "everywhere",
    "folder_in",
    "hired_in",
    "likely_paths",
    "manner_in",
    "names_command",
    "new_texts",
    "only_notes",
    "only_read",
    "paths_in",
    "put_in",
    "words_beside",
]

_COMMANDS: Final = ("command", "cmd")
FOLDERS: Final = ("cwd", "workdir", "working_directory", "workingDirectory", "directory")
_PATHS: Final = frozenset(
    """path paths file files file_path filePath filepath file_paths filePaths filename file_name
    fileName abs_path absolute_path absolutePath dir dir_path dirPath folder target target_file
    targetFile source destination src dst old_path new_path oldPath newPath notebook_path uri
    relative_path relativePath""".split()
)
_READING: Final = _PATHS | frozenset(
    """cwd directory pattern query regex glob include exclude globs offset limit line lines
    start_line end_line startLine endLine view_range from_line to_line recursive depth max_depth
    case_sensitive caseSensitive ignore_case output_mode head_limit max_results maxResults context
    -n -i -A -B -C type multiline encoding respect_git_ignore file_filtering_options ignore
    description""".split()
)
PLACES: Final = _PATHS | frozenset(FOLDERS)
_GLOBS: Final = frozenset("pattern glob globs include exclude ignore".split())
_HIRED: Final = ("subagent_type", "agent_type", "agent_name")
_NOTES: Final = frozenset(("plan", "todos", "thought"))
_BESIDE_NOTES: Final = frozenset(("explanation",))
_WORDS: Final = ("args",)
MANNERS: Final = frozenset(
    """timeout timeout_ms timeoutMs timeout_seconds delay_ms background run_in_background
    runInBackground is_background isBackground""".split()
)
"""How a command is run: what it does is the same, and a person is told."""
SAYINGS: Final = frozenset("description explanation reason call_id turn_id".split())
"""What an agent says of a command, or by what name it knows it; nothing is decided by it."""
_BESIDE_COMMAND: Final = MANNERS | SAYINGS
"""What may stand beside a command without changing what it does."""
_NEW_TEXTS: Final = frozenset(
    """content contents text file_text new_string newString new_str newText new_text insert_text
    new_source""".split()
)
_TEXTS: Final = _NEW_TEXTS | frozenset(
    """old_string oldString old_str oldText old_text description explanation instruction
    instructions reason""".split()
)
CHANGES: Final = _NEW_TEXTS | frozenset("old_string oldString old_str oldText old_text".split())
"""The names of texts that a change puts in or takes out."""
EVERYWHERE: Final = ("replace_all", "replaceAll", "allow_multiple")
_ENDS: Final = ("from", "to")
"""Paths where files are moved, and other things elsewhere."""
_BESIDE_CHANGE: Final = (
    PLACES
    | _TEXTS
    | frozenset(EVERYWHERE)
    | frozenset(_ENDS)
    | frozenset(
        """edits encoding offset limit line lines start_line end_line startLine endLine
        insert_line insertLine view_range expected_replacements cell_id cell_type edit_mode
        overwrite recursive call_id turn_id""".split()
    )
)
_MAX_PATH_LETTERS: Final = 4096


def names_command(args: dict[str, Any]) -> bool:
    """Whether there is a command among the arguments, of whatever form."""
    return any(args.get(name) is not None for name in _COMMANDS)


def command_in(args: dict[str, Any]) -> str | None:
    """The command among the arguments, with its words; None where there is none."""
    given = [args[name] for name in _COMMANDS if args.get(name) is not None]
    if not given:
        return None
    more = [args[name] for name in _WORDS if args.get(name) is not None]
    words = more[0] if more else []
    if len(given) == 1 and given[0] and _is_words(words):
        command = given[0]
        if isinstance(command, str):
            return f"{command} {shlex.join(words)}" if words else command
        if not words and _is_words(command):
            return shlex.join(command)
    raise CallUnreadable("It names a command that is not one text.")


def beside_command(args: dict[str, Any]) -> str | None:
    """The first argument that may change what a command does; None for a plain command."""
    plain = {*_COMMANDS, *_WORDS, *FOLDERS}
    for name, value in args.items():
        harmless = name in _BESIDE_COMMAND and not isinstance(value, dict | list)
        # Copilot lists the one command once more.
        harmless = harmless or (name == "commands" and value == [args.get("command")])
        if not harmless and name not in plain and value is not None:
            return name
    return None


def manner_in(args: dict[str, Any]) -> dict[str, Any]:
    """How a command would be run, as far as the arguments say."""
    return {name: args[name] for name in args if name in MANNERS and args[name] is not None}


def words_beside(args: dict[str, Any]) -> list[str]:
    """What the agent says beside a command, each under its name."""
    return [f"{name}: {args[name]}" for name in args if name in SAYINGS and args[name] is not None]


def beside_change(args: dict[str, Any]) -> str | None:
    """The first name, at any depth, that is none of those by which files are changed."""
    return next((name for name in _names(args) if name not in _BESIDE_CHANGE), None)


def new_texts(args: dict[str, Any]) -> list[str]:
    """The texts that would be written, at any depth."""
    own = [value for name, value in args.items() if name in _NEW_TEXTS and isinstance(value, str)]
    inner = args.get("edits")
    items = inner if isinstance(inner, list) else [inner]
    return own + [text for item in items if isinstance(item, dict) for text in new_texts(item)]


def put_in(args: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a change that may come to stand in a file: texts, and what nobody knows."""
    return {name: args[name] for name in args if name not in _BESIDE_CHANGE - CHANGES - {"edits"}}


def folder_in(args: dict[str, Any]) -> str | None:
    """The folder in which a command would run, where the arguments name one."""
    given = [args[name] for name in FOLDERS if args.get(name) is not None]
    if not given or given == [""]:
        return None
    if len(given) > 1 or not isinstance(given[0], str):
        raise CallUnreadable("It names a folder to run in that is not one text.")
    return given[0]


def paths_in(args: dict[str, Any]) -> list[str]:
    """The paths that stand under names that mean paths."""
    return [text for name in args if name in _PATHS for text in _texts(args[name])]


def likely_paths(args: dict[str, Any]) -> list[str]:
    """What looks like a path under any other name, or must be one where files are changed."""
    ends = [text for name in _ENDS for text in _texts(args.get(name))]
    others = {name: value for name, value in args.items() if name not in PLACES}
    candidates = [*_texts(others), *_names(others)]
    return ends + [text for text in candidates if _looks_like_path(text) and text not in ends]


def only_read(args: dict[str, Any]) -> bool:
    """Whether each argument is one that a mere reading has, and no pattern leads away."""
    if not args.keys() <= _READING:
        return False
    others = {name: value for name, value in args.items() if name not in PLACES}
    globs = {name: value for name, value in args.items() if name in _GLOBS}
    return (
        all(_is_flat(value) for value in args.values())
        and not any(_leads_away(text) for text in _texts(others))
        # Braces can spell what is no `..` until they are spelled out.
        and not any("{" in text or ".." in text for text in _texts(globs))
    )


def hired_in(args: dict[str, Any]) -> str | None:
    """The other agent that is to do what a prompt says; None where there is no such agent."""
    given = [args[name] for name in _HIRED if args.get(name) is not None]
    named = len(given) == 1 and isinstance(given[0], str) and bool(given[0])
    return given[0] if named and isinstance(args.get("prompt"), str) else None


def only_notes(args: dict[str, Any]) -> bool:
    """Whether the arguments are nothing but a plan or a thought."""
    return bool(args.keys() & _NOTES) and args.keys() <= _NOTES | _BESIDE_NOTES


def everywhere(args: dict[str, Any]) -> bool:
    """Whether a replacement is meant for each place where the old text stands."""
    return any(args.get(name) is True for name in EVERYWHERE)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in _TEXTS or not isinstance(item, str):
                yield from _texts(item)


def _names(value: object) -> Iterator[str]:
    """All names in a value, at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _names(item)


def _is_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _leads_away(text: str) -> bool:
    """Whether a pattern may lead elsewhere, or be taken for an option by what searches."""
    return text.startswith(("/", "~", "-")) or "../" in text or text == ".."


def _is_flat(value: object) -> bool:
    return not isinstance(value, dict) and not (
        isinstance(value, list) and any(isinstance(item, dict | list) for item in value)
    )


def _looks_like_path(text: str) -> bool:
    if not text or len(text) > _MAX_PATH_LETTERS or "\n" in text:
        return False
    return text.startswith(("~", ".")) or "/" in text
