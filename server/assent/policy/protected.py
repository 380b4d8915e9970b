"""Places whose change would change what is allowed later: asked about in every mode.

Names that do not exist yet count, spelling and case do not, and a path counts both as it is
spelled and as it resolves. What is no reading or writing of known files is judged by its text,
which may ask once too often and never once too seldom for a name that stands in it.
"""

import re
from collections.abc import Iterator
from typing import Final

from assent.calls import Call, Effect, canonical

__all__ = ["protected_place"]

_FOLDERS: Final = (
    ".vscode",
    ".vscode-server",
    ".idea",
    ".theia",
    ".husky",
    ".devcontainer",
    ".github/workflows",
    ".claude",
    ".cursor",
    ".gemini",
    ".codex",
    ".roo",
    ".amazonq",
    ".kiro",
    ".zed",
    ".qwen",
    ".opencode",
    ".windsurf",
    ".continue",
    ".ssh",
    ".gnupg",
    ".config/assent",
    ".config/code",
    ".config/code - oss",
    ".config/cursor",
    ".config/fish",
    ".config/git",
    ".config/opencode",
    ".config/vscodium",
    ".config/zed",
    ".local/state/assent",
    "library/application support/assent",
    "library/application support/code",
)

_FILES: Final = tuple(
    (
        ".gitmodules .gitconfig .mcp.json .envrc .bashrc .bash_profile .bash_login .bash_logout"
        " .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .inputrc .npmrc"
        " .pypirc .netrc opencode.json"
    ).split()
)

_GIT: Final = ".git"
"""As a path it is protected whole: a file of that name leads git to any other folder."""

_IN_GIT: Final = (".git/config", ".git/hooks", ".git/info", ".git/modules", ".git/worktrees")
"""In a text, where the name alone stands at the end of many an address."""

_PARENTS: Final = frozenset(("", ".", "~", ".github", ".config", ".local", ".local/state"))
"""Who replaces or removes one of these does the same to what is protected in it."""

_SUFFIXES: Final = (".code-workspace",)

_NAMED: Final = re.compile(
    "|".join(re.escape(name) for name in [*_FOLDERS, *_FILES, *_IN_GIT, *_SUFFIXES]), re.IGNORECASE
)


def protected_place(call: Call) -> str | None:
    """The protected place that a call would change, as a person would name it, or None."""
    if call.effect is Effect.READ:
        return None
    touched = (shown for path, shown in _touched(call) if _is_protected(path))
    return next(touched, None) or _whole(call) or _named(call)


def _whole(call: Call) -> str | None:
    """The target that is Assent's own, or that has protected places in it, or None."""
    for target in call.targets:
        if target.own or target.resolved == "/":
            return target.shown
        if target.shown.casefold().removeprefix("~/").rstrip("/. ") in _PARENTS:
            return target.shown
    return None


def _touched(call: Call) -> Iterator[tuple[str, str]]:
    """The paths that a call says it touches, each with how it is shown."""
    for target in call.targets:
        yield target.spelled, target.shown
        yield target.resolved, target.shown
    for edit in call.edits:
        yield edit.path, edit.path


def _named(call: Call) -> str | None:
    """The protected name in the words of a call of which the files are not known."""
    if call.tool in {"read", "write"} and call.targets:
        return None
    if _is_protected(call.cwd):
        return call.cwd
    text = canonical(call.input)
    # A backslash parts folders, or is an escape that a shell drops with its quotes.
    for plain in (re.sub(r"\\+", "/", text), re.sub(r"[\\'\"]", "", text)):
        named = _NAMED.search(re.sub(r"/(?:\.?/)+", "/", plain))
        if named:
            return named.group()
    return None


def _is_protected(path: str) -> bool:
    folded = "/" + path.replace("\\", "/").casefold().strip("/")
    # A trailing dot or blank is dropped by some file systems, so it hides nothing here either.
    folded = "/".join(part.rstrip(". ") or part for part in folded.split("/"))
    names = (f"/{name}/" for name in (*_FOLDERS, *_FILES, _GIT))
    return folded.endswith(_SUFFIXES) or any(name in f"{folded}/" for name in names)
