"""`assent try -- COMMAND`: run a command on a copy of the workspace, and see what it changed.

The command has this terminal's input and output, and its exit status is the one of `assent try`.
What is said of it goes to the standard error.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from assent.gate.call.errors import AssentError
from assent.gate.sandbox.changes import Change, Kind
from assent.gate.sandbox.probe import Strength, probe
from assent.gate.sandbox.trials import Trial
from assent.gate.settings.paths import state_path

__all__ = ["main"]

_NOT_RUN: Final = 125
"""The exit status where the command was not started."""
_MOST: Final = 200
"""So many changes are listed."""
_SAYS: Final = {
    Kind.MADE: "new",
    Kind.CHANGED: "changed",
    Kind.DELETED: "deleted",
    Kind.MODE: "rights",
    Kind.FOLDER: "new folder",
    Kind.LINK: "link",
    Kind.SPECIAL: "not a file, left out",
}


def main(rest: Sequence[str]) -> int:
    """Try a command; its exit status."""
    options, command = _read(list(rest))
    workspace = str(Path(options.workspace).absolute())
    finding = probe(workspace, str(Path.home()), str(state_path()))
    if finding.strength is not Strength.TRIAL:
        because = finding.because or "there is no sandbox here"
        return _fail(f"Nothing was run: {because} `assent check --sandbox` says more.")
    try:
        trial = Trial.prepare(
            finding,
            workspace,
            str(Path.home()),
            str(Path.cwd()),
            variables=dict(os.environ),
        )
    except (AssentError, OSError) as error:
        return _fail(f"Nothing was run: {error}")
    try:
        status = trial.run(command)
        _settle(trial, options)
    finally:
        trial.discard()
    return status


def _settle(trial: Trial, options: argparse.Namespace) -> None:
    changes = trial.changes()
    if options.json:
        _say(json.dumps({"changes": [_as_json(change) for change in changes]}))
    else:
        _show(changes)
    if not changes or options.discard or not (options.apply or _wants_them(options)):
        if changes and not options.json:
            _say("Discarded. Nothing in the workspace was changed.")
        return
    try:
        count = trial.apply(changes)
    except (AssentError, OSError) as error:
        _say(f"Nothing was applied. {error}")
        return
    if not options.json:
        _say(f"Applied {count:,} changes." if count != 1 else "Applied 1 change.")


def _show(changes: Sequence[Change]) -> None:
    if not changes:
        _say("It changed nothing.")
        return
    _say(f"It changed this, on a copy of the workspace ({len(changes):,}):")
    for change in changes[:_MOST]:
        led = f" -> {change.target}" if change.target else ""
        _say(f"  {_SAYS[change.kind]:<12} {_plain(change.path)}{_plain(led)}")
    if len(changes) > _MOST:
        _say(f"  and {len(changes) - _MOST:,} more")


def _wants_them(options: argparse.Namespace) -> bool:
    if options.json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write("Apply these changes? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _as_json(change: Change) -> dict[str, object]:
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


def _fail(text: str) -> int:
    _say(text)
    return _NOT_RUN


def _read(words: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        prog="assent try",
        usage="assent try [--apply | --discard] [--json] [--workspace DIR] -- COMMAND ...",
        description="Run a command on a copy of the workspace, and see what it changed.",
    )
    parser.add_argument("--workspace", default=".", metavar="DIR", help="the workspace's folder")
    parser.add_argument("--json", action="store_true", help="list the changes as JSON")
    settled = parser.add_mutually_exclusive_group()
    settled.add_argument("--apply", action="store_true", help="make the changes real")
    settled.add_argument("--discard", action="store_true", help="forget the changes")
    own, dashes, command = words, "--", list[str]()
    if dashes in words:
        at = words.index(dashes)
        own, command = words[:at], words[at + 1 :]
    options = parser.parse_args(own)
    if not command:
        parser.error("write the command after `--`")
    return options, command
