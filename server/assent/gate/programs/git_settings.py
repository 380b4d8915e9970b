"""The settings of a repository, and which of them make a reading git command run something.

Whoever packs a repository writes its settings, so each that is not known to be harmless counts as
one that runs something. What git would read otherwise than this does cannot be read at all.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from assent.gate.programs.flag_lexicon import is_setting_of_code
from assent.gate.programs.git_keys import (
    AS_WRITTEN,
    FOR_READERS,
    HARMLESS,
    HARMLESS_BELOW,
    HARMLESS_SECTIONS,
    NEVER,
    SECTIONS_FOR_READERS,
)
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["Settings", "may_run", "settings_in", "steers", "values_in"]

_ITEM: Final = late(
    r"[ \t\n]*+(?:"
    r"[#;][^\n]*+"
    r"|\[(?P<section>[A-Za-z0-9.-]++)(?:[ \t]++\"(?P<part>(?:[^\"\\\n\0]|\\[^\n\0])*+)\")?\]"
    r"|(?P<key>[A-Za-z][A-Za-z0-9-]*+)[ \t]*+"
    r"(?:=(?P<value>(?:[^\"\\#;\n\0]++|\"(?:[^\"\\\n\0]++|\\[\"\\ntb\n])*+\"|\\[\"\\ntb\n])*+)"
    r"(?:[#;][^\n]*+)?+)?+(?=\n|\Z)"
    r"|\Z)"
)
_ESCAPED: Final = late(r"\\(.)|\"", re.DOTALL)
_LETTERS: Final = {"n": "\n", "t": "\t", "b": "\b"}
_GOES_ON: Final = "\\\n"
_BLANKS: Final = " \t\r\n"
_RUNS_GPG: Final = late(r"%[-+ ]?G|%\(signature")
_PLAIN: Final = late(r"[\w./:@+-]{1,60}")
_FORMATS: Final = frozenset({"format", "pretty"})


@frozen(kw_only=True)
class Settings:
    """What matters of the settings in one file."""

    harm: str | None = None
    """The first of them that is not known to be harmless, or a clause where they are unreadable."""
    readable: bool = True
    worktree: str | None = None
    """Where the files lie that belong to the repository, if it says so."""
    hooks: str | None = None
    """Where its hooks lie, if it says so."""


@lru_cache(maxsize=16)
def settings_in(written: bytes) -> Settings:
    """What matters of the settings in one file of git's.

    >>> settings_in(b"[user] name = me").harm is None
    True
    >>> settings_in(b"[core] fsmonitor = ./run").harm
    'core.fsmonitor'
    """
    text = written.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    harm, places = None, {}
    for name, value in values_in(text):
        if name is None:
            return Settings(readable=False)
        if name in _PLACES:
            places[name] = value
        elif harm is None and not _is_harmless(name, value):
            harm = _shown(name)
    hooks, worktree = (places.get(name) for name in _PLACES)
    return Settings(harm=harm, worktree=worktree, hooks=hooks)


_PLACES: Final = ("core.hookspath", "core.worktree")
"""Settings that are paths, which matter by where they lead."""


def values_in(text: str) -> Iterator[tuple[str | None, str]]:
    """Each setting with its value; None for a name where this cannot read as git does.

    >>> list(values_in('[remote "origin"] URL = x.org # ours'))
    [('remote.origin.url', 'x.org')]
    """
    section, at, text = "", 0, text.replace("\r\n", "\n")
    while at < len(text):
        match = _ITEM.match(text, at)
        if match is None:
            yield None, ""
            return
        at = match.end()
        if match["section"]:
            part = match["part"]
            below = f".{_unescaped(part)}" if part is not None else ""
            section = f"{match['section'].lower()}{below}"
        elif match["key"]:
            yield (f"{section}.{match['key'].lower()}" if section else None), _value(match["value"])


def _value(raw: str | None) -> str:
    if raw is None:
        return "true"
    # Blanks at the end do not count, those before a line that goes on do.
    lines, _, last = raw.rpartition(_GOES_ON)
    raw = (lines.replace(_GOES_ON, "") + last.rstrip(_BLANKS)).lstrip(_BLANKS)
    return _unescaped(raw) if '"' in raw or "\\" in raw else raw


def _unescaped(raw: str) -> str:
    return _ESCAPED.sub(lambda match: _LETTERS.get(match[1], match[1]) if match[1] else "", raw)


def steers(setting: Word) -> bool:
    """Whether a setting that a clone is given, and keeps, may say what any git runs.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [steers(it) for it in words_of("core.autocrlf=false FILTER.x.smudge=./x $x")]
    [False, True, True]
    """
    name, _, value = setting.text.partition("=")
    return not setting.known or may_run(name, value)


def may_run(written: str, value: str) -> bool:
    """Whether git may run something by a setting of this name, whatever its command is.

    >>> may_run("FILTER.x.Smudge", "./x"), may_run("gc.recentobjectshook", "./x")
    (True, True)
    >>> may_run("gc.auto", "0")
    False
    """
    name = written.lower()
    for_readers = name in FOR_READERS or name.partition(".")[0] in SECTIONS_FOR_READERS
    return for_readers or not _is_harmless(name, value) or is_setting_of_code(written)


def _is_harmless(name: str, value: str) -> bool:
    section, _, rest = name.partition(".")
    _, below, key = rest.rpartition(".")
    if section in _FORMATS:
        return not _RUNS_GPG.search(value)
    if name in AS_WRITTEN:
        return value in AS_WRITTEN[name]
    if section in HARMLESS_SECTIONS:
        return name not in NEVER
    if not below:
        return name in HARMLESS
    generic = f"{section}.*.{key}"
    if generic in AS_WRITTEN:
        return value in AS_WRITTEN[generic]
    if generic == "submodule.*.update":
        return not value.lstrip().startswith("!")
    return generic in HARMLESS_BELOW


def _shown(name: str) -> str:
    section, _, rest = name.partition(".")
    part, below, key = rest.rpartition(".")
    if not below or _PLAIN.fullmatch(part):
        return name
    return f"{section}.….{key}"
