"""Texts of the rules that a path is offered: by its folder, or for itself."""

from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from assent.gate.call.verdicts import Deed
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import is_within
from assent.gate.text.secret_places import SECRETS

__all__ = ["Folders", "folder_rules", "path_rule", "path_rules", "seen_whole"]

_UNPLAIN: Final = frozenset("*?[]{}()\\\"'\n")
"""Letters of a path that a rule could read otherwise."""

_MAX_RULE_LETTERS: Final = 200
"""In characters: a longer rule is not seen whole."""

_PATTERN: Final = late(r"[*?\[{]")
_OF_TOOLS: Final = frozenset(".cache .cargo .gradle .m2 .npm .nuget .rustup".split())
"""Hidden folders of a home that hold what tools have fetched."""
_OF_APPS: Final = frozenset("library appdata maildir snap".split())
"""Folders of a home in which programs keep what they know of a person, in small letters."""
_SYSTEM_FILES: Final = "/usr/"
"""Outside the home, only folders of the system get a rule: others may hold keys."""
_LEAST_NAMES: Final = 3
"""So many names lead to a folder that a rule is offered for: `~/code` and `/home/ada` may hold all
that a person works on."""


class Folders(Protocol):
    """What is known of the folders on the disk."""

    def is_folder(self, path: str) -> bool:
        """Whether a path is a folder's, as far as that can be told."""
        ...

    def repository_of(self, path: str) -> str | None:
        """The folder of the repository that a path lies in; None where it lies in none."""
        ...


def seen_whole(text: str) -> str | None:
    r"""The rule, if a person can see it whole: not too long, and every sign of it shown.

    >>> seen_whole("shell(make)")
    'shell(make)'
    >>> seen_whole("shell(make\u200b)")
    """
    return text if len(text) <= _MAX_RULE_LETTERS and text.isprintable() else None


def path_rules(deeds: Iterable[Deed], folders: Folders | None = None) -> Iterator[str]:
    """Rules for the very paths that need a leave of their own: written, or read outside.

    With `folders`, none is for a folder that holds too much, since it covers all that lies below.

    >>> from types import SimpleNamespace
    >>> known = SimpleNamespace(is_folder=lambda it: "." not in it, repository_of=lambda _: None)
    >>> inside = [Deed(kind="read", what="a.py"), Deed(kind="write", what="out/a.txt")]
    >>> outside = Deed(kind="read", what="~/notes.md", inside=False, lies="/h/notes.md")
    >>> home = Deed(kind="look", what="~", inside=False, lies="/h")
    >>> list(path_rules([*inside, outside, home], known))
    ['write(./out/a.txt)', 'read(~/notes.md)']
    """
    for deed in deeds:
        is_read = deed.kind in {"look", "read"} and not deed.inside
        if deed.kind != "write" and not is_read:
            continue
        if is_read and folders is not None and _is_wide(deed, folders):
            continue
        if rule := path_rule("read" if is_read else "write", deed.what, inside=deed.inside):
            yield rule


def folder_rules(
    deeds: Iterable[Deed], folders: Folders, *, reads_inside: bool = False
) -> Iterator[str]:
    """Rules for the folders of the paths that need a leave of their own.

    A path in a folder that holds too much, such as a home, gets a rule of its own, and so does
    one outside the workspace that is written.

    >>> from types import SimpleNamespace
    >>> known = SimpleNamespace(is_folder=lambda it: "." not in it, repository_of=lambda _: None)
    >>> deeds = [
    ...     Deed(kind="write", what="src/a.ts", lies="/w/src/a.ts"),
    ...     Deed(kind="write", what="LICENSE", lies="/w/LICENSE"),
    ...     Deed(kind="look", what="~/code/other/src", inside=False, lies="/h/code/other/src"),
    ...     Deed(kind="read", what="~/notes.md", inside=False, lies="/h/notes.md"),
    ... ]
    >>> list(folder_rules(deeds, known))
    ['write(./src/**)', 'write(./LICENSE)', 'read(~/code/other/src/**)', 'read(~/notes.md)']
    """
    for deed in deeds:
        is_read = deed.kind in {"look", "read"}
        if deed.kind != "write" and not (is_read and (reads_inside or not deed.inside)):
            continue
        folder = ""
        if deed.inside:
            folder = _folder_inside(deed.what)
        elif is_read:
            folder = _folder_outside(deed, folders)
        kind = "read" if is_read else "write"
        if folder:
            rule = path_rule(kind, f"{folder}/**", inside=deed.inside, is_folder=True)
        elif deed.what != "." and (deed.inside or not is_read or not _is_wide(deed, folders)):
            rule = path_rule(kind, deed.what, inside=deed.inside)
        else:
            rule = None
        if rule is not None:
            yield rule


def _is_wide(deed: Deed, folders: Folders) -> bool:
    """Whether a rule for a path outside the workspace would be one for a folder with too much."""
    is_folder = deed.kind == "look" or folders.is_folder(deed.lies)
    return is_folder and not _folder_outside(deed, folders)


def _folder_inside(shown: str) -> str:
    """The folder of a path in the workspace; nothing for a file at its root."""
    above = _above_pattern(shown)
    return shown.rpartition("/")[0] if above is None else above


def _folder_outside(deed: Deed, folders: Folders) -> str:
    """The repository that a path lies in, or its folder; nothing where that holds too much."""
    above = _above_pattern(deed.what)
    shown, lies = (deed.what, deed.lies) if above is None else (above, _above_pattern(deed.lies))
    if lies is None or not lies.endswith(shown.removeprefix("~")):
        # A link leads elsewhere: a rule for the folder that is shown would not be about it.
        return ""
    if repository := folders.repository_of(lies):
        names_below = lies.removeprefix(repository).count("/")
        folder = shown.rsplit("/", names_below)[0] if names_below else shown
        return "" if folder in {"", "~"} or _holds_more(folder) else folder
    is_folder = above is not None or folders.is_folder(lies)
    folder = shown if is_folder else shown.rpartition("/")[0]
    return "" if folder.count("/") < _LEAST_NAMES or _holds_more(folder) else folder


def _holds_more(folder: str) -> bool:
    """Whether keys may lie in a folder, or what programs know of a person.

    >>> [_holds_more(it) for it in ("~/.config/app/x", "~/.ssh/a/b", "/etc/a/b", "~/code/a/b")]
    [True, True, True, False]
    """
    if not folder.startswith("~/"):
        return not folder.startswith(_SYSTEM_FILES)
    inner = folder.removeprefix("~/").casefold()
    first = inner.partition("/")[0]
    if (first.startswith(".") and first not in _OF_TOOLS) or first in _OF_APPS:
        return True
    return any(
        is_within(inner, secret) or is_within(secret, inner)
        for secret in map(str.casefold, SECRETS)
    )


def _above_pattern(path: str) -> str | None:
    """The folder below which a pattern finds names; None where the path is no pattern."""
    found = _PATTERN.search(path)
    return path[: found.start()].rpartition("/")[0] if found else None


def path_rule(kind: str, shown: str, *, inside: bool, is_folder: bool = False) -> str | None:
    """A rule for a path; none where a rule would read a letter of it as something else.

    >>> path_rule("write", "docs/a.md", inside=True)
    'write(./docs/a.md)'
    >>> path_rule("read", "~/docs/**", inside=False, is_folder=True)
    'read(~/docs/**)'
    >>> path_rule("write", "docs/[a].md", inside=True)
    """
    path = f"./{shown}" if inside and not shown.startswith(("/", "~")) else shown
    plain = path.removesuffix("/**") if is_folder else path
    return None if _UNPLAIN & set(plain) else seen_whole(f"{kind}({path})")
