"""The files that a container build sends: all that its ignore list does not exclude.

The list is `.dockerignore`, which is read as it lies there. It is believed where it only leaves
out, in names and the patterns that are rules' too, and where nothing before it changes any file.
"""

from collections.abc import Callable
from itertools import accumulate
from typing import Final

from assent.gate.programs.study import study
from assent.gate.rules.globs import path_fits
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.paths import Place
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.ruling.wildcards import has_glob
from assent.gate.shell.script import START
from assent.gate.text.lazy_patterns import late

__all__ = ["goes_along"]

_LIST: Final = ".dockerignore"
_BUILDS: Final = (("build",), ("buildx", "build"), ("image", "build"))
_STEERING: Final = ("--build-context", "BUILDKIT")
"""What names another folder, or another program that builds."""
_MAX_IGNORE_LETTERS: Final = 20_000
_READERS: Final = late(r"(?im)^[ \t]*(?:#|//)[ \t]*syntax[ \t]*=[ \t]*(.*)")
_USUAL: Final = late(r"docker/dockerfile(?:-upstream)?(?:[:@\s]|\Z)")
_UNREAD: Final = frozenset("[\\")
"""With these a pattern is not read."""


def goes_along(case: CommandAnalysis, place: Place) -> Callable[[str], bool] | None:
    """What tells of a path below the folder whether it goes along; None where any may."""
    context, command = case.context, case.command
    words = [word.text for word in command.argv]
    builds = any(tuple(words[1 : len(build) + 1]) == build for build in _BUILDS)
    plain = command.ways is START and command.literal and not command.assignments
    others = any(it in context.text for it in _STEERING)
    if words[:1] != ["docker"] or not (builds and plain and place.tree) or others:
        return None
    if place.target is None or any(finding.changed for finding in case.before):
        return None
    folder = place.target.resolved
    # A list beside the file that it is built by takes the place of the other, and what reads that
    # file says itself what it is given.
    files = [touch.word.path for touch in study(command).touches if not touch.tree] or [
        f"{folder}/Dockerfile"
    ]
    if not all(_is_plain(context, file) for file in files):
        return None
    listed = context.facts.contents(f"{folder}/{_LIST}") or ""
    patterns = _patterns(listed) if len(listed) <= _MAX_IGNORE_LETTERS else []
    return (lambda path: not _is_left_out(path, patterns)) if patterns else None


def _is_plain(context: RulingContext, file: str) -> bool:
    """Whether a file says how to build in the usual way, and has no list of its own."""
    target, own = (context.located(it, context.call.cwd) for it in (file, f"{file}{_LIST}"))
    if target is None or own is None or has_glob(own.resolved):
        return False
    if context.facts.names(own.resolved, "/") != ():
        return False
    text = context.facts.contents(target.resolved)
    # Of what is given by no file, or in another language, nobody knows who reads it.
    plain = bool(text) and not (text or "").lstrip().startswith("{")
    return plain and all(_USUAL.match(it) for it in _READERS.findall(text or ""))


def _patterns(text: str) -> list[list[str]]:
    """What a list leaves out, each in segments; nothing where it takes some of that in again."""
    lines = [it.strip() for it in text.split("\n")]
    if any(line.startswith("!") for line in lines):
        return []
    plain = (line for line in lines if line and line[0] != "#" and _UNREAD.isdisjoint(line))
    found = [[part for part in it.split("/") if part not in {"", "."}] for it in plain]
    return [it for it in found if it and ".." not in it]


def _is_left_out(path: str, patterns: list[list[str]]) -> bool:
    """Whether it is named there, or lies in a folder that is."""
    ways = accumulate(([it] for it in path.split("/")), lambda one, other: one + other)
    return any(path_fits(pattern, way) for way in ways for pattern in patterns)
