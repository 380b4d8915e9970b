"""What agents call their arguments: the names by which commands, folders and paths come.

Names that are not known here never make a call lighter: they keep it from being a mere reading,
and what looks like a path under them counts as one.
"""

from collections.abc import Iterator
from typing import Any, Final

from assent.errors import CallUnreadable

__all__ = [
    "command_in",
    "everywhere",
    "folder_in",
    "likely_paths",
    "only_read",
    "paths_in",
    "places_in",
]

_COMMANDS: Final = ("command", "cmd")
_FOLDERS: Final = ("cwd", "workdir", "working_directory", "workingDirectory", "directory")
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
_PLACES: Final = _PATHS | frozenset(_FOLDERS)
_TEXTS: Final = frozenset(
    """content contents text old_string new_string oldString newString old_str new_str oldText
    newText old_text new_text description explanation instruction instructions reason diff patch
    insert_text new_source""".split()
)
_EVERYWHERE: Final = ("replace_all", "replaceAll")
_LONGEST_PATH: Final = 4096


def command_in(args: dict[str, Any]) -> str | list[str] | None:
    """The command among the arguments; None where there is none."""
    given = [args[name] for name in _COMMANDS if args.get(name) is not None]
    if not given:
        return None
    command = given[0]
    if len(given) == 1 and command and isinstance(command, str):
        return command
    if len(given) == 1 and command and isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        if words == command:
            return words
    raise CallUnreadable("It names a command that is not one text.")


def folder_in(args: dict[str, Any]) -> str | None:
    """The folder in which a command would run, where the arguments name one."""
    given = [args[name] for name in _FOLDERS if args.get(name) is not None]
    if not given or given == [""]:
        return None
    if len(given) > 1 or not isinstance(given[0], str):
        raise CallUnreadable("It names a folder to run in that is not one text.")
    return given[0]


def paths_in(args: dict[str, Any]) -> list[str]:
    """The paths that stand under names that mean paths."""
    return [text for name in args if name in _PATHS for text in _texts(args[name])]


def places_in(args: dict[str, Any]) -> list[str]:
    """The paths as above, and the folders that are named to work in."""
    return [*paths_in(args), *(args[name] for name in _FOLDERS if isinstance(args.get(name), str))]


def likely_paths(args: dict[str, Any]) -> list[str]:
    """What looks like a path under any other name."""
    others = {name: value for name, value in args.items() if name not in _PATHS}
    return [text for text in _texts(others) if _looks_like_path(text)]


def only_read(args: dict[str, Any]) -> bool:
    """Whether each argument is one that a mere reading has, and no pattern leads away."""
    if not args.keys() <= _READING:
        return False
    patterns = {name: value for name, value in args.items() if name not in _PLACES}
    return all(_is_flat(value) for value in args.values()) and not any(
        text.startswith(("/", "~")) or "../" in text or text == ".." for text in _texts(patterns)
    )


def everywhere(args: dict[str, Any]) -> bool:
    """Whether a replacement is meant for each place where the old text stands."""
    return any(args.get(name) is True for name in _EVERYWHERE)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in _TEXTS:
                yield from _texts(item)


def _is_flat(value: object) -> bool:
    return not isinstance(value, dict) and not (
        isinstance(value, list) and any(isinstance(item, dict | list) for item in value)
    )


def _looks_like_path(text: str) -> bool:
    if not text or len(text) > _LONGEST_PATH or "\n" in text:
        return False
    return text.startswith(("/", "~", ".")) or ("/" in text and " " not in text)
