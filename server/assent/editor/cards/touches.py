"""What a call would touch, in a few lines: files by deed, hosts, and where it runs."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from assent.editor.cards.spans import line, plain
from assent.editor.cards.titles import folder_of, host_of
from assent.editor.protocol.card import Span, Touch
from assent.gate.call.calls import APPLY, WANTS_OUT, Call
from assent.gate.call.verdicts import Deed, Ruling
from assent.gate.text.encodings import Encoding

__all__ = ["touches_of"]

_MAX_NAMES: Final = 12
"""How many names one line has before it only counts them."""

_VERBS: Final = {
    "delete": "Deletes",
    "move": "Moves",
    "write": "Writes",
    "read": "Reads",
    "look": "Looks",
    "network": "Network",
}
_OUTSIDE: Final = "outside the workspace"
_WHERES: Final = ("wherever it leads", _OUTSIDE, "")
_QUIET: Final = frozenset({"Reads", "Looks"})
"""What matters less than the network, where it stays in the workspace."""

_NAMELESS: Final = "hosts that it does not name"
_WHOLE: Final = {".": "the workspace", "~": "your home", "/": "all files of this machine"}


def touches_of(call: Call, ruling: Ruling) -> list[Touch]:
    """The lines for a call."""
    if call.steps:
        return list(_by_deeds(ruling.deeds))
    if call.action == APPLY or call.tool == "network":
        # Each file stands in the body, and the host in the title.
        return []
    if call.tool != "shell":
        return list(_by_targets(call))
    return [
        *_by_deeds(ruling.deeds),
        Touch(name="Folder", text=folder_of(call)),
        Touch(name="Runs in", text=_runs_in(call)),
        *_before(call),
    ]


def _before(call: Call) -> Iterator[Touch]:
    """What came of it in the sandbox, where its agent wants it outside now."""
    if call.input.get(WANTS_OUT) and call.tried_before:
        yield Touch(name="In the sandbox", text=line(call.tried_before))


def _runs_in(call: Call) -> list[Span]:
    """Where a command runs once it is allowed, and why it cannot be tried."""
    why = [*plain(" · "), *plain(call.why_outside)] if call.why_outside else []
    return [*plain("your shell, no sandbox"), *why]


def _by_targets(call: Call) -> Iterator[Touch]:
    unsaved = {edit.path for edit in call.edits if edit.version is not None}
    odd = {edit.path: edit.encoding for edit in call.edits if edit.encoding is not Encoding.UTF_8}
    for target in call.targets:
        where = " · in the workspace" if target.inside else " · outside the workspace"
        how = " · in the editor, where it is not saved" if target.resolved in unsaved else ""
        kept = f" · in {odd[target.resolved].words}" if target.resolved in odd else ""
        yield Touch(name="File", text=[*line(target.shown), *plain(where + how + kept)])
    if host := call.sent_to or host_of(call):
        yield Touch(name="Network", text=line(host))


def _by_deeds(deeds: tuple[Deed, ...]) -> Iterator[Touch]:
    names: dict[str, dict[str, None]] = {}
    for deed in sorted(deeds, key=_rank):
        group = _group(deed)
        if group is not None:
            names.setdefault(group, {})[deed.what] = None
    for group, found in names.items():
        named = _hosts(found) if group == "Network" else _tops(found)
        here = group in {*_VERBS.values(), *(f"{verb} {_OUTSIDE}" for verb in _VERBS.values())}
        yield Touch(name=group, text=_listed(named, _named if here else line))


def _rank(deed: Deed) -> tuple[bool, int, int]:
    """The gravest first: by what is done, then by how far it lies."""
    verb = _verb(deed)
    where = 1 if deed.where else _WHERES.index(_how_far(deed))
    quiet = verb in _QUIET and deed.inside and not deed.where
    return quiet, list(_VERBS.values()).index(verb) if verb else 0, where


def _verb(deed: Deed) -> str | None:
    return _VERBS.get("move" if deed.moved else deed.kind)


def _how_far(deed: Deed) -> str:
    if deed.kind == "network" or (deed.sure and deed.inside):
        return ""
    return _OUTSIDE if deed.sure else "wherever it leads"


def _group(deed: Deed) -> str | None:
    """What a line for it begins with; none for what runs, and for what is only looked at inside."""
    verb = _verb(deed)
    where = deed.where or _how_far(deed)
    if verb is None or (verb == "Looks" and (deed.where or not where)):
        return None
    return f"{verb} {where}".rstrip() if verb != "Network" else verb


def _hosts(names: Iterable[str]) -> list[str]:
    """The hosts that are named, and last that there are others."""
    all_ = [*names]
    return [*(it for it in all_ if it != "?"), *([_NAMELESS] if "?" in all_ else [])]


def _tops(names: Iterable[str]) -> list[str]:
    """Paths without those below another of them, which says it for them; but not all is one."""
    all_ = [*names]
    return [it for it in all_ if not any(it.startswith(f"{one}/") for one in all_)]


def _named(name: str) -> list[Span]:
    """A name as it is; what is none of a file, in words."""
    said = _WHOLE.get(name) or (_NAMELESS if name == _NAMELESS else None)
    return plain(said) if said else line(name)


def _listed(names: list[str], named: Callable[[str], list[Span]]) -> list[Span]:
    spans = named(names[0])
    for name in names[1:_MAX_NAMES]:
        spans += [*plain(", "), *named(name)]
    more = len(names) - _MAX_NAMES
    return [*spans, *(plain(f" and {more} more") if more > 0 else ())]
