"""What an organisation fixes for this machine: rules, forbidden modes, no bypass.

It only ever tightens, unless the file is the system's own and nobody else may write it: then what
it allows counts too. A file that is there and cannot be understood makes every call ask, and
nothing that a person or a workspace sets undoes it.
"""

import os
import pathlib
import stat
import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Source, Verdict
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.settings.complaints import Complaint, Complaints, Place
from assent.gate.settings.entries import EVERYTHING
from assent.gate.settings.layers import Problems
from assent.gate.settings.ordinary_files import opened, read_bounded
from assent.gate.settings.paths import managed_file
from assent.gate.settings.positions import Span, spans_of
from assent.gate.settings.rules import layer_rules
from assent.gate.values import evolve, field, frozen

__all__ = [
    "LAYER",
    "NOTHING_MANAGED",
    "SANDBOX_USES",
    "Managed",
    "SandboxUse",
    "read_managed",
    "strictest_use",
]

SandboxUse = Literal["auto", "offer", "off"]
SANDBOX_USES: Final[tuple[SandboxUse, ...]] = get_args(SandboxUse)
"""What the sandbox is used for, from the most to nothing."""

LAYER: Final = "managed"
MAX_FILE_BYTES: Final = 4_000_000
"""In bytes."""

WORDS: Final = "your organisation's settings"


@frozen(kw_only=True)
class Managed:
    """What holds on this machine, whatever anybody sets."""

    file: str | None = None
    """Where it is written, if it is."""
    rules: tuple[WrittenRule, ...] = ()
    off: tuple[WrittenRule, ...] = ()
    """Those that the file itself switches off."""
    suspended: frozenset[str] = frozenset()
    forbidden: frozenset[Mode] = frozenset()
    may_bypass: bool = True
    sandbox: SandboxUse = "auto"
    """The most that the sandbox may be used for."""
    problems: tuple[str, ...] = ()
    """What could not be taken as it is written, as sentences for a banner."""
    complaints: tuple[Complaint, ...] = ()
    spans: Mapping[Place, Span] = field(factory=dict, hash=False)
    """Where its rules stand."""

    def line(self, place: Place) -> int | None:
        """The line, from 1, of a value or of the nearest that it lies in."""
        spans = (self.spans.get(place[:length]) for length in range(len(place), 0, -1))
        return next((span.line + 1 for span in spans if span is not None), None)


NOTHING_MANAGED: Final = Managed()


def strictest_use(uses: Iterable[SandboxUse]) -> SandboxUse:
    """The one of these by which the sandbox is used for least; `auto` where there are none."""
    return SANDBOX_USES[max(map(SANDBOX_USES.index, uses), default=0)]


def _mode_named(value: Any) -> Any:
    return next((mode for mode in Mode if mode.value == value), value)


class _Strict(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True, strict=True)


class _Modes(_Strict):
    """What is said of modes."""

    forbidden: Annotated[list[Annotated[Mode, BeforeValidator(_mode_named)]], Field(max_length=9)]


class _File(_Strict):
    """The whole file. Its rules are read as those of settings are, one by one."""

    rules: dict[str, Any] = {}
    modes: _Modes = _Modes.model_construct(forbidden=[])
    bypass: bool = True
    sandbox: SandboxUse = "auto"


def read_managed(path: pathlib.Path | None = None, *, owner: int = 0) -> Managed:
    """What the file says; nothing where there is none. `owner` is whose it must be to allow."""
    path = path or managed_file()
    try:
        return _read(path, owner)
    except OSError as error:
        return _unclear(path, (error.strerror or type(error).__name__).lower())
    except Exception:  # noqa: BLE001 -- whatever goes wrong, every call asks
        return _unclear(path, "it is not what such a file should be")


def _read(path: pathlib.Path, owner: int) -> Managed:
    data_and_details = _opened(path)
    if data_and_details is None:
        return NOTHING_MANAGED
    data, details = data_and_details
    text = data.decode("utf-8")
    file = _File.model_validate_json(text)
    return _understood(path, file, text, trusted=_is_fit(path, details, owner))


def _opened(path: pathlib.Path) -> tuple[bytes, os.stat_result] | None:
    try:
        with opened(path) as file:
            return read_bounded(file, MAX_FILE_BYTES), os.fstat(file.fileno())
    except FileNotFoundError:
        if os.path.lexists(path):
            raise
        return None


def _is_fit(path: pathlib.Path, details: os.stat_result, owner: int) -> bool:
    """Whether nobody but the system could have written the file, or put another in its place."""
    if sys.platform == "win32":
        return False
    try:
        folder = path.resolve().parent.stat()
    except (OSError, RuntimeError):
        return False
    others = stat.S_IWGRP | stat.S_IWOTH
    return all(
        status.st_uid == owner and not status.st_mode & others for status in (details, folder)
    )


def _understood(path: pathlib.Path, file: _File, text: str, *, trusted: bool) -> Managed:
    problems = Problems()
    complaints = Complaints(problems)
    source = Source(scope=WORDS, file=str(path))
    layer = layer_rules(LAYER, WORDS, source, file.rules, complaints)
    allowed = [rule for rule in layer.rules if rule.verdict is Verdict.ALLOW]
    if allowed and not trusted:
        complaints.refuse(
            LAYER,
            ("rules", "allow"),
            f"What {path} allows does not count, since others than the system may write it.",
        )
    spans = spans_of(text, "rules")
    kept = [rule for rule in layer.rules if trusted or rule.verdict > Verdict.ALLOW]
    return Managed(
        file=str(path),
        rules=tuple(_with_line(rule, spans) for rule in kept),
        off=tuple(_with_line(rule, spans) for rule in layer.off),
        suspended=frozenset(layer.suspended),
        forbidden=frozenset(file.modes.forbidden),
        may_bypass=file.bypass,
        sandbox=file.sandbox,
        problems=problems.sentences,
        complaints=complaints.all,
        spans=spans,
    )


def _with_line(rule: WrittenRule, spans: Mapping[Place, Span]) -> WrittenRule:
    span = spans.get(("rules", *rule.at)) if rule.at else None
    return evolve(rule, source=evolve(rule.source, line=span.line + 1)) if span else rule


def _unclear(path: pathlib.Path, because: str) -> Managed:
    sentence = (
        f"{path} could not be read ({because}), so every call is asked about and nothing is"
        " bypassed."
    )
    complaint = Complaint(layer=LAYER, path=(), severity="error", sentence=sentence)
    return Managed(
        file=str(path),
        suspended=frozenset({EVERYTHING}),
        may_bypass=False,
        sandbox="offer",
        problems=(sentence,),
        complaints=(complaint,),
    )
