"""Connects terminal agents: puts the hook into each one's settings, or takes it out.

What stood there before is kept, so that it can be put back letter by letter; where the file was
changed since, the hook alone is taken out of it.
"""

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from assent.gate.call.errors import AssentError
from assent.gate.settings.foreign_settings import put_back, put_text, text_of
from assent.gate.settings.paths import connected_folder
from assent.gate.settings.private_files import UnfitFile, read_private, write_private
from assent.gate.text.json_edits import NotPlain
from assent.gate.values import frozen
from assent.hosting.hooks import codex_trust
from assent.hosting.hooks.hook_places import HookLine, Ours
from assent.hosting.terminals.launcher import begins_of, launcher, line_of, write_launcher
from assent.hosting.terminals.terminal import Terminal
from assent.hosting.terminals.terminals import TERMINALS

__all__ = ["Change", "Connections", "Unconnected", "has_record"]


class Unconnected(AssentError):
    """Why an agent was not connected, or not disconnected; a sentence."""


@frozen(kw_only=True)
class Change:
    """What a file of settings says, and what it would say; None is that there is no such file."""

    terminal: Terminal
    file: Path
    before: str | None
    after: str | None

    @property
    def is_none(self) -> bool:
        """Whether nothing would change."""
        return self.before == self.after


@frozen(kw_only=True)
class Connections:
    """Those of one person."""

    state: Path
    home: Path
    environment: Mapping[str, str]

    def line(self, terminal: Terminal) -> HookLine:
        """What an agent is to run before each call."""
        return line_of(terminal.id, self.state)

    def finish(self, change: Change) -> str:
        """What is to be done and said once the hook stands there."""
        terminal = change.terminal
        sentences = [f"From its next session on, {terminal.name} asks Assent before each call."]
        if terminal.trust:
            trust = partial(codex_trust.trust, change.file, self.line(terminal).text)
            sentences.insert(0, self.beside(terminal, trust))
        loose = [terminal.versions.loose if terminal.versions else "", terminal.loose]
        return " ".join([*sentences, *filter(None, loose)])

    def beside(self, terminal: Terminal, work: Callable[[], str]) -> str:
        """Have the agent itself write down that it trusts this; what came of that."""
        file = self._file(terminal).parent / terminal.trust
        before = self._read(file)
        said, kept = work(), self._kept(terminal)
        after = self._read(file)
        if kept is not None and before != after:
            trust = {"file": str(file), "before": before, "after": after}
            write_private(self._record(terminal), orjson.dumps({**kept, "trust": trust}))
        return said

    def connecting(self, terminal: Terminal) -> Change:
        """What connecting would change."""
        file = self._file(terminal)
        before = self._read(file)
        try:
            text = terminal.place.put(before, self._ours(terminal))
        except NotPlain as error:
            raise Unconnected(f"{file} was left as it is: {error}.") from error
        return Change(terminal=terminal, file=file, before=before, after=text)

    def disconnecting(self, terminal: Terminal) -> Change:
        """What disconnecting would change."""
        kept = self._kept(terminal)
        file = Path(kept["file"]) if kept else self._file(terminal)
        before = self._read(file)
        after = before
        if kept and before == kept["after"]:
            after = kept["before"]
        elif before is not None:
            after = self._without(terminal, file, before)
        return Change(terminal=terminal, file=file, before=before, after=after)

    def connect(self, change: Change) -> None:
        """Let it hold."""
        terminal, after = change.terminal, change.after
        if terminal.versions and (unfit := terminal.versions.unfit):
            raise Unconnected(unfit)
        assert after is not None  # noqa: S101 -- connecting never takes a file away
        kept, before = self._kept(terminal) or {}, self._stood(change)
        record = {**kept, "file": str(change.file), "before": before, "after": after}
        try:
            write_launcher(self.state)
            if change.is_none:
                return
            write_private(self._record(terminal), orjson.dumps(record))
            put_text(change.file, change.before, after)
        except UnfitFile as error:
            raise Unconnected(f"{change.file} was left as it is: {error}.") from error

    def disconnect(self, change: Change) -> None:
        """Let it hold, and keep no word of it."""
        try:
            put_back(change.file, change.before, change.after)
            self._distrust(change.terminal)
        except UnfitFile as error:
            raise Unconnected(f"{change.file} was left as it is: {error}.") from error
        # The launcher stays, since another file of settings may name it.
        self._record(change.terminal).unlink(missing_ok=True)

    def standing(self, terminal: Terminal) -> str:
        """How it stands, in a word: `connected`, `changed`, or nothing."""
        is_known = self._kept(terminal) or self.is_outdated(terminal)
        try:
            change = self.connecting(terminal)
        except Unconnected:
            return "changed" if is_known else ""
        if change.is_none and launcher(self.state).is_file():
            return "connected"
        return "changed" if is_known else ""

    def is_outdated(self, terminal: Terminal) -> bool:
        """Whether a hook of ours stands there otherwise than it is written now."""
        try:
            return self._is_named(terminal) and not self.connecting(terminal).is_none
        except Unconnected:
            return False

    def refresh(self) -> None:
        """Write the launcher anew where it lies there, or the settings of an agent name it."""
        is_there = os.path.lexists(launcher(self.state))
        if is_there or any(map(self._is_named, TERMINALS.values())):
            write_launcher(self.state)

    def seen(self, terminal: Terminal) -> float | None:
        """When its hook ran last, in seconds since 1970; None where it never did."""
        try:
            return (connected_folder(self.state) / f"{terminal.id}.seen").stat().st_mtime
        except OSError:
            return None

    def _distrust(self, terminal: Terminal) -> None:
        """Put back what the agent wrote down, where nothing else was written there since."""
        trust = (self._kept(terminal) or {}).get("trust")
        if trust and self._read(Path(trust["file"])) == trust["after"]:
            put_back(Path(trust["file"]), trust["after"], trust["before"])

    def _file(self, terminal: Terminal) -> Path:
        return terminal.settings(self.home, self.environment)

    def _is_named(self, terminal: Terminal) -> bool:
        """Whether a hook of ours stands there, whatever version of us wrote it."""
        try:
            file = self._file(terminal)
            text = self._read(file)
            return text is not None and self._without(terminal, file, text) != text
        except Unconnected:
            return False

    def _without(self, terminal: Terminal, file: Path, text: str) -> str | None:
        try:
            return terminal.place.taken_out(text, self._ours(terminal))
        except NotPlain as error:
            raise Unconnected(f"{file} was left as it is: {error}.") from error

    def _ours(self, terminal: Terminal) -> Ours:
        kept = self._kept(terminal) or {}
        return Ours(
            line=self.line(terminal),
            begins=begins_of(self.state),
            written=str(kept.get("after") or ""),
        )

    def _stood(self, change: Change) -> str | None:
        """What stood there before the first of several connectings, which is what is put back."""
        kept = self._kept(change.terminal)
        if kept and kept["after"] == change.before:
            return kept["before"]  # type: ignore[no-any-return]  # a text, or nothing
        try:
            return change.before and self._without(change.terminal, change.file, change.before)
        except Unconnected:
            return None  # Ours, in which somebody wrote: the diff has shown that it goes.

    def _read(self, file: Path) -> str | None:
        try:
            return text_of(file)
        except UnfitFile as error:
            raise Unconnected(f"{file} was left as it is: {error}.") from error

    def _kept(self, terminal: Terminal) -> dict[str, Any] | None:
        try:
            data = read_private(self._record(terminal))
            record = orjson.loads(data) if data else None
        except (UnfitFile, ValueError):
            return None
        return (
            record
            if isinstance(record, dict) and {"file", "before", "after"} <= record.keys()
            else None
        )

    def _record(self, terminal: Terminal) -> Path:
        return _record_of(self.state, terminal)


def has_record(state: Path, terminal: Terminal) -> bool:
    """Whether an agent was connected and not disconnected since."""
    return _record_of(state, terminal).exists()


def _record_of(state: Path, terminal: Terminal) -> Path:
    return connected_folder(state) / f"{terminal.id}.json"
