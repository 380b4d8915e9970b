"""The policy of the settings files on disk, or of a test case: for questions without an editor.

What a workspace's own files allow does not count here, since only the editor knows whether a
person has agreed to it.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from assent.gate.call.calls import Premise
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Source
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.rules.book import Book
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.policy import Policy
from assent.gate.settings.complaints import Complaints
from assent.gate.settings.files import SettingsFile, read_settings, settings_from_files
from assent.gate.settings.layers import Layer, Problems
from assent.gate.settings.managed import read_managed
from assent.gate.settings.own import Own
from assent.gate.settings.reading import read
from assent.gate.settings.rules import layer_rules
from assent.gate.settings.started_later import started_later
from assent.gate.values import evolve

__all__ = ["book_of_case", "standing_of_files"]

_RULES: Final = ("allow", "ask", "deny")
_CASE: Final = Source(scope="the case's policy")


def standing_of_files(
    own: Sequence[Path],
    workspace: Path | None,
    places: Places,
    mode: Mode | None,
    now: float,
    *,
    known: Iterable[Premise] = (),
) -> tuple[Policy, Own, Places]:
    """What holds by the person's settings files, the workspace's, and the organisation's.

    Beside it what our own agent works with, and the places by what is known and what is started.
    """
    keys = settings_from_files(own, workspace)
    reading = read(keys, True, lambda _: None, managed=read_managed(), now=now)
    named = read_settings(own[0], Layer.USER) if len(own) == 1 else None
    rules = [_placed(rule, named) for rule in reading.rules]
    book = _book(rules, places, reading.suspended)
    policy = Policy(mode=mode or reading.mode, book=book, now=now, trusted=True)
    started = started_later(reading.hooks, reading.agents, reading.own, places.roots)
    premises = Premises.of([*known, *started], places.roots)
    return policy, reading.own, evolve(places, premises=premises)


def _placed(rule: WrittenRule, file: SettingsFile | None) -> WrittenRule:
    """A rule with the file and the line that it stands in, where that is known."""
    if file is None or rule.layer != file.layer.value or rule.at is None:
        return rule
    line = file.line(("rules", *rule.at))
    return evolve(rule, source=evolve(rule.source, file=str(file.path), line=line))


def book_of_case(given: Mapping[str, Any], places: Places) -> Book:
    """The rules that a case names; a member that nobody knows may be a misspelt refusal."""
    rules = {name: value for name, value in given.items() if name != "mode"}
    complaints = Complaints(Problems())
    layer = layer_rules("user", "the case's policy", _CASE, rules, complaints)
    suspended = frozenset(layer.suspended)
    if any(name not in _RULES for name in rules):
        suspended |= {"*"}
    return _book(layer.rules, places, suspended)


def _book(rules: Sequence[WrittenRule], places: Places, suspended: frozenset[str]) -> Book:
    home = os.path.realpath(places.home)
    real_roots = tuple(map(os.path.realpath, places.roots))
    return Book.of(
        rules,
        places.anchors,
        places.home,
        suspended=suspended,
        real_home=home,
        real_roots=real_roots,
    )
