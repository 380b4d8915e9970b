"""What is in force in a folder without a window: the person's settings, tightened by its own.

Such a folder counts as one that nobody trusts. What its own settings ask about and deny counts;
what they would allow does not, and nobody is asked for it.
"""

import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from assent.gate.call.calls import Premise
from assent.gate.call.modes import Mode, stricter
from assent.gate.disk.executables import path_in
from assent.gate.disk.hardlinks import guarded_by
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.rules.book import Book
from assent.gate.ruling.policy import Policy
from assent.gate.settings.files import settings_from_files
from assent.gate.settings.layers import Layer
from assent.gate.settings.managed import read_managed
from assent.gate.settings.model import DEFAULTS, Settings
from assent.gate.settings.premises import premises_of_machine
from assent.gate.settings.reading import BUILT_IN, Reading, permitted, read, unread
from assent.gate.settings.started_later import started_later
from assent.gate.text.plain_paths import is_within
from assent.gate.values import evolve, field, frozen

__all__ = ["NOTHING_OWN", "Ground", "OwnSettings", "ground_of"]


@frozen(kw_only=True)
class OwnSettings:
    """The person's own settings, as far as an editor could tell them apart from all others."""

    keys: Mapping[str, Any] = field(factory=dict, repr=False)
    is_known: bool = False
    """Whether these are all; where they are not, every call is asked about."""
    premises: tuple[Premise, ...] = ()
    """Where that lies which makes the editor itself."""

    @property
    def without_editor(self) -> str:
        """What becomes of a question where no window is open: `leave` or `deny`."""
        key = "hookWithoutEditor"
        if key not in self.keys:
            return DEFAULTS.hook_without_editor
        try:
            return Settings.model_validate({key: self.keys[key]}).hook_without_editor
        except ValidationError:
            return "deny"


NOTHING_OWN: Final = OwnSettings()


@frozen(kw_only=True)
class Ground:
    """One such folder, as it stands at this moment."""

    reading: Reading
    book: Book
    places: Places

    def policy(self, mode: Mode) -> Policy:
        """The policy for whoever works there in this mode, or in a stricter one."""
        mode = permitted(stricter(mode, Mode.DEFAULT), self.reading.forbidden)
        return Policy(mode=mode, book=self.book, now=time.time(), may_bypass=False)


def ground_of(
    folder: str, own: OwnSettings, state: Path, home: Path, path: str | None = None
) -> Ground:
    """What holds in a folder by the settings as they are written now.

    `path` is the PATH of those who work there, where it is another than ours.
    """
    path = path_in(os.environ if path is None else {"PATH": path})
    reading = _reading(folder, own)
    # What holds the person's whole home is nobody's workspace.
    above = is_within(os.path.realpath(home), os.path.realpath(folder))
    roots = () if above else (folder,)
    premises = [
        *premises_of_machine(state, home, roots),
        *started_later(reading.hooks, reading.agents, reading.own, roots),
        *own.premises,
    ]
    return Ground(
        reading=reading,
        book=_book(reading, roots, str(home)),
        places=Places(
            roots=roots,
            home=str(home),
            premises=Premises.of(premises, roots),
            guarded=guarded_by(reading.rules, str(home)),
            path=path,
        ),
    )


def _reading(folder: str, own: OwnSettings) -> Reading:
    managed = read_managed()
    keys = _in_layers(own.keys, settings_from_files((), Path(folder)))
    reading = read(keys, False, lambda _: None, managed=managed, now=time.time())
    if own.is_known:
        return reading
    # What they deny stays denied, and nothing is allowed by what nobody could read whole.
    nothing = unread(BUILT_IN, managed=managed)
    return evolve(reading, mode=nothing.mode, suspended=reading.suspended | nothing.suspended)


def _in_layers(
    own: Mapping[str, Any], workspace: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    keys: dict[str, dict[str, Any]] = {key: dict(layers) for key, layers in workspace.items()}
    for key, value in own.items():
        keys.setdefault(key, {})[Layer.USER.value] = value
    return keys


def _book(reading: Reading, roots: Iterable[str], home: str) -> Book:
    roots = tuple(roots)
    real_roots = tuple(map(os.path.realpath, roots))
    return Book.of(
        reading.rules,
        (*roots, *real_roots),
        home,
        suspended=reading.suspended,
        real_home=os.path.realpath(home),
        real_roots=real_roots,
    )
