"""`assent try -- COMMAND`: run a command on a copy of the workspace, and see what it changed.

The command has this terminal's input and output, and its exit status is the one of `assent try`.
What is said of it goes to the standard error.
"""

import argparse
import json
import os
import shutil
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from assent.cli.policy_of_files import standing_of_files
from assent.gate.call.calls import AgentId
from assent.gate.call.errors import AssentError
from assent.gate.disk.hardlinks import guarded_by
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.rules.book import Asker
from assent.gate.ruling.policy import Policy
from assent.gate.sandbox.changes import Change, Kind
from assent.gate.sandbox.hidden import Reading, hidden_paths
from assent.gate.sandbox.probe import Strength, probe
from assent.gate.sandbox.sorting import Sorted, sort_changes
from assent.gate.sandbox.trials import BY_SIGNAL, Trial
from assent.gate.settings.paths import state_path, user_settings_files
from assent.gate.settings.premises import premises_of_machine
from assent.gate.values import evolve

__all__ = ["main"]

_NOT_RUN: Final = 125
"""The exit status where nothing was run, or what was wanted could not be applied."""
_NOT_FOUND: Final = 127
_AS_USUAL: Final = "\033[0m"
"""Letters in no colour, and to be seen."""
_MAX_CHANGES_LISTED: Final = 200
"""So many changes are listed."""
_PERSON: Final = AgentId("")
"""Who runs it: rules about one agent are not about a person."""
_SAYS: Final = {
    Kind.MADE: "new",
    Kind.CHANGED: "changed",
    Kind.DELETED: "deleted",
    Kind.MODE: "rights",
    Kind.FOLDER: "new folder",
    Kind.LINK: "link",
    Kind.SPECIAL: "not a file",
}


def main(rest: Sequence[str]) -> int:
    """Try a command; its exit status."""
    options, command = _read(list(rest))
    workspace, home, state = str(Path(options.workspace).absolute()), str(Path.home()), state_path()
    finding = probe(workspace, home, str(state))
    if finding.strength is not Strength.TRIAL:
        because = (finding.because or "there is no sandbox here").rstrip(".")
        return _fail(f"Nothing was run: {because}. `assent check --sandbox` says more.")
    if shutil.which(command[0]) is None:
        return _fail(f"Nothing was run: there is no program {command[0]}.", _NOT_FOUND)
    try:
        policy, places = _rules(workspace, home, state)
        asker = Asker(agent=_PERSON, mode=policy.mode, now=policy.now)
        reading = Reading(book=policy.book, asker=asker, places=places)
        trial = Trial.prepare(
            finding,
            workspace,
            home,
            str(Path.cwd()),
            str(state),
            variables=dict(os.environ),
            hidden=lambda: hidden_paths(workspace, home, [str(state)], reading),
            waits=lambda: _say("Waiting until another trial of this workspace has ended."),
        )
    except (AssentError, OSError) as error:
        return _fail(f"Nothing was run: {error}")
    try:
        _tell_of_last(trial)
        _tell_of_repository(trial)
        with _terminal_as_before():
            status = trial.run(command)
        return _settle(trial, policy, places, options, status)
    except (AssentError, OSError) as error:
        return _fail(f"Nothing was applied. {error}")
    finally:
        trial.end()


def _rules(workspace: str, home: str, state: Path) -> tuple[Policy, Places]:
    """The rules of the person's settings, of the workspace and of the organisation."""
    known = premises_of_machine(state, Path(home), [workspace])
    places = Places(roots=(workspace,), home=home, premises=Premises.of(known, [workspace]))
    files = user_settings_files(Path(home))
    now = time.time()
    policy, _, places = standing_of_files(files, Path(workspace), places, None, now, known=known)
    return policy, evolve(places, guarded=guarded_by(policy.book.rules, places.home))


def _tell_of_last(trial: Trial) -> None:
    if trial.put_back:
        _say("A trial before was cut short while its changes were made real. They were put back:")
        _list(trial.put_back)
    for folder in trial.left:
        _say(f"What it could not put back, since you changed it meanwhile, is in {folder}")


def _tell_of_repository(trial: Trial) -> None:
    """Tell where what git writes lies outside, as it does for a linked work tree."""
    if repository := trial.repository_outside:
        _say(f"What git writes to {_plain(repository)} is not kept: it lies outside.")


def _settle(
    trial: Trial, policy: Policy, places: Places, options: argparse.Namespace, status: int
) -> int:
    """Show the changes, and make them real if they are wanted; the exit status."""
    # What was looked up before the command ran may be otherwise now.
    places, changes = evolve(places), trial.changes()
    sorted_changes = sort_changes(trial.profile.workspace, changes, policy, _PERSON, places)
    if options.json:
        _say(json.dumps(_as_json(sorted_changes)))
    else:
        _show(sorted_changes)
    is_asked = options.apply or options.apply_all
    if not (sorted_changes.plain or sorted_changes.protected or sorted_changes.denied):
        return status
    if because := _why_not(sorted_changes, options, status):
        _say(f"Nothing was applied. {because}")
        return (status or _NOT_RUN) if is_asked else status
    if not is_asked and not _agrees(sorted_changes, options):
        if not options.json:
            _say("Discarded. Nothing in the workspace was changed.")
        return status
    count = trial.apply(changes)
    if not options.json:
        _say(f"Applied {count:,} changes." if count != 1 else "Applied 1 change.")
    return status


def _why_not(sorted_changes: Sorted, options: argparse.Namespace, status: int) -> str:
    """Why the changes cannot be made real, though they are wanted: all of them or none."""
    if options.discard:
        return ""
    if status in BY_SIGNAL:
        return "The command was ended by a signal, so its changes may be half of what it meant."
    if sorted_changes.denied:
        return "A rule denies what is marked `x`, and the rest may need it."
    if sorted_changes.protected and options.apply:
        return "What is marked `!` takes `--apply-all`, and the rest may need it."
    return ""


def _show(changes: Sorted) -> None:
    count = sum(map(len, (changes.plain, changes.protected, changes.denied, changes.special)))
    if not count:
        _say("It changed nothing.")
        return
    _say(f"It changed this, on a copy of the workspace ({count:,}):")
    rows = [
        *(("!", change) for change in changes.protected),
        *((" ", change) for change in changes.plain),
    ]
    rows.sort(key=lambda row: row[1].kind is not Kind.DELETED)
    _list([_row(*row) for row in rows])
    for text, kind in (
        ("A rule denies this:", changes.denied),
        ("Never made real, since it is no file:", changes.special),
    ):
        if kind:
            _say(text)
            _list([_row("x", change) for change in kind])


def _row(mark: str, change: Change) -> str:
    led = f" -> {change.target}" if change.target else ""
    return f"{mark} {_SAYS[change.kind]:<12} {change.path}{led}"


def _list(rows: Sequence[str]) -> None:
    for row in rows[:_MAX_CHANGES_LISTED]:
        _say(f"  {_plain(row)}")
    if len(rows) > _MAX_CHANGES_LISTED:
        _say(f"  and {len(rows) - _MAX_CHANGES_LISTED:,} more")


def _agrees(changes: Sorted, options: argparse.Namespace) -> bool:
    """Ask, where somebody sits before a terminal."""
    if options.discard or options.json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    # What was typed while the command ran was meant for the command.
    termios.tcflush(sys.stdin, termios.TCIFLUSH)
    marked = ", also what is marked `!`" if changes.protected else ""
    sys.stderr.write(f"Apply these changes{marked}? [y/N] ")
    sys.stderr.flush()
    try:
        return sys.stdin.readline().strip().casefold() in ("y", "yes")
    except KeyboardInterrupt:
        _say("")
        return False


@contextmanager
def _terminal_as_before() -> Iterator[None]:
    """Give the terminal its settings back after a command that has changed them."""
    if not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)
        if sys.stderr.isatty():
            sys.stderr.write(_AS_USUAL)


def _as_json(changes: Sorted) -> dict[str, object]:
    kinds = {
        "changes": changes.plain,
        "protected": changes.protected,
        "denied": (*changes.denied, *changes.special),
    }
    return {name: [_described(change) for change in kind] for name, kind in kinds.items()}


def _described(change: Change) -> dict[str, object]:
    described: dict[str, object] = {
        "kind": change.kind.value,
        "path": change.path,
        "size": change.size,
    }
    return {**described, "target": change.target} if change.target else described


def _plain(text: str) -> str:
    """What a terminal may be shown of a name that somebody else chose."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _fail(text: str, status: int = _NOT_RUN) -> int:
    _say(_plain(text))
    return status


def _read(words: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        prog="assent try",
        usage="assent try [OPTIONS] -- COMMAND ...",
        description="Run a command on a copy of the workspace, and see what it changed.",
    )
    parser.add_argument("--workspace", default=".", metavar="DIR", help="the workspace's folder")
    parser.add_argument("--json", action="store_true", help="list the changes as JSON")
    settled = parser.add_mutually_exclusive_group()
    settled.add_argument("--apply", action="store_true", help="make the changes real")
    settled.add_argument("--apply-all", action="store_true", help="also those marked `!`")
    settled.add_argument("--discard", action="store_true", help="forget the changes")
    own, dashes, command = words, "--", list[str]()
    if dashes in words:
        at = words.index(dashes)
        own, command = words[:at], words[at + 1 :]
    options = parser.parse_args(own)
    if not command:
        parser.error("write the command after `--`")
    return options, command
