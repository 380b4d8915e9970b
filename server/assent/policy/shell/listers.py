"""Commands that only write names of files below the folder, one in a line.

`git ls-files | grep x` is such; a listing of another folder is none.
"""

from collections.abc import Sequence
from typing import Final

from assent.policy.shell.script import Command, Word

__all__ = ["LISTED", "STRICT", "names_of"]

LISTED: Final = Word(text="…", known=False, listed=True)
"""A name below the folder, which may begin with a dash."""
STRICT: Final = Word(text="./…", known=False, listed=True)
"""A name below the folder that begins with no dash."""

_FILTERS: Final = frozenset("head tail sort uniq grep egrep fgrep shuf tac".split())
_FIND_PRINTS: Final = frozenset(("-print", "-print0"))
_FIND_BAD: Final = (
    "-printf",
    "-fprint",
    "-exec",
    "-ok",
    "-ls",
    "-fls",
    "-delete",
    "-follow",
    "-files0",
)
_RG_ODD: Final = (
    "--pre",
    "--replace",
    "-r",
    "--follow",
    "-L",
    "--search-zip",
    "-n",
    "-c",
    "--json",
)


def names_of(commands: Sequence[Command]) -> Word | None:
    """What each line is that a pipeline of these writes; None where it may be anything."""
    if not commands:
        return None
    first = _lists(commands[0])
    if first is None or commands[0].folders is None:
        return None
    return first if all(_filters(it) for it in commands[1:]) else None


def _lists(command: Command) -> Word | None:
    lister = _LISTERS.get(command.name)
    if lister is None or any(not it.known for it in command.argv):
        return None
    return lister([it.path for it in command.argv[1:]])


def _filters(command: Command) -> bool:
    """Whether it writes only lines that it reads."""
    if command.name not in _FILTERS:
        return False
    flags = [it.text for it in command.argv[1:] if it.text.startswith("-")]
    if command.name.endswith("grep"):
        bare = "".join(it[1:] for it in flags if not it.startswith("--"))
        return not set(bare) & set("rRcnHobAuCBf") and not any(it.startswith("--") for it in flags)
    operands = [it for it in command.argv[1:] if not it.text.startswith("-")]
    odd = [it for it in operands if not it.text.isdecimal()]
    return not odd and not any(
        it.startswith(("-c", "--co")) for it in flags if command.name == "uniq"
    )


def _below(operands: list[str]) -> bool:
    return all(not it.startswith(("/", "~")) and ".." not in it.split("/") for it in operands)


def _find(words: list[str]) -> Word | None:
    """`find` writes each root with a path behind it."""
    roots: list[str] = []
    for word in words:
        if word.startswith(("-", "(", "!", ",")):
            break
        roots.append(word)
    rest = words[len(roots) :]
    if any(it.startswith(_FIND_BAD) or it in ("-H", "-L", "-P", "-D") for it in rest):
        return None
    if not _below(roots):
        return None
    alone = len(roots) == 1 and roots[0].strip("./") != "" and "…" not in roots[0]
    return Word(text=f"{roots[0].rstrip('/')}/…", known=False, listed=True) if alone else STRICT


def _git(words: list[str]) -> Word | None:
    if words[:1] == ["ls-files"]:
        rest = words[1:]
        odd = ("-s", "--stage", "-t", "-u", "-v", "-f", "--format", "--eol", "--debug")
        return LISTED if not any(it.startswith(odd) for it in rest) and _below(rest) else None
    if words[:1] in (["diff"], ["show"], ["diff-tree"]) and "--name-only" in words:
        return LISTED if _below(words) else None
    if words[:1] == ["grep"] and {"-l", "--files-with-matches", "--name-only"} & set(words):
        return LISTED
    return None


def _ls(words: list[str]) -> Word | None:
    flags = "".join(it[1:] for it in words if it.startswith("-") and not it.startswith("--"))
    operands = [it for it in words if not it.startswith("-")]
    if set(flags) - set("1AtrSUXv") or any(it.startswith("--") for it in words):
        return None
    return LISTED if _below(operands) else None


def _grep(words: list[str]) -> Word | None:
    flags = "".join(it[1:] for it in words if it.startswith("-") and not it.startswith("--"))
    if "l" not in flags and "--files-with-matches" not in words and "L" not in flags:
        return None
    operands = [it for it in words if not it.startswith("-")]
    return LISTED if _below(operands[1:]) and not set(flags) & set("efH") else None


def _rg(words: list[str]) -> Word | None:
    short = "".join(it[1:] for it in words if it.startswith("-") and not it.startswith("--"))
    lists = {"--files", "--files-with-matches"} & set(words) or "l" in short
    if not lists or any(it.startswith(_RG_ODD) for it in words):
        return None
    operands = [it for it in words if not it.startswith("-")]
    return LISTED if _below(operands if "--files" in words else operands[1:]) else None


def _fd(words: list[str]) -> Word | None:
    odd = (
        "-x",
        "-X",
        "--exec",
        "-a",
        "--absolute",
        "-L",
        "--follow",
        "-l",
        "--list",
        "--base",
        "--format",
    )
    operands = [it for it in words if not it.startswith("-")]
    return LISTED if not any(it.startswith(odd) for it in words) and _below(operands) else None


_LISTERS: Final = {
    "find": _find,
    "git": _git,
    "ls": _ls,
    "grep": _grep,
    "rg": _rg,
    "fd": _fd,
    "fdfind": _fd,
}
