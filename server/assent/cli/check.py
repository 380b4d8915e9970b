"""`assent check`: loads every rule in reach as the server would for an editor, and shows faults.

Tells what is refused, what can never count, and which examples are false, each with its file and
line. It reads files and changes none.
"""

import argparse
import pathlib
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from assent.gate.rules.written_rules import WrittenRule
from assent.gate.settings.complaints import Complaint
from assent.gate.settings.files import SettingsFile, read_settings
from assent.gate.settings.layers import Layer
from assent.gate.settings.managed import Managed, read_managed
from assent.gate.settings.paths import user_settings_files, workspace_settings_file
from assent.gate.settings.reading import read
from assent.gate.settings.wishes import Standing

__all__ = ["faults_of", "main"]


def main(rest: Sequence[str]) -> int:
    """Check, and print; 1 where anything is refused or dead."""
    options = _options().parse_args(list(rest))
    if options.sandbox:
        return _sandbox(options.workspace)
    named = [pathlib.Path(setting) for setting in options.settings]
    paths = named or user_settings_files(pathlib.Path.home())
    files = [read_settings(path, Layer.USER) for path in paths]
    place = workspace_settings_file(pathlib.Path(options.workspace))
    if place.exists():
        files.append(read_settings(place, Layer.WORKSPACE))
    faults, rules, off = faults_of(files, read_managed(), time.time())
    counted = "1 rule" if rules == 1 else f"{rules:,} rules"
    counted += f", {off:,} switched off" if off else ""
    summary = f"{counted}, none refused." if not faults else f"{counted}, {len(faults):,} faults."
    sys.stdout.write("\n".join([*faults, summary.replace(" 1 faults", " 1 fault"), ""]))
    return 1 if faults else 0


def _sandbox(workspace: str) -> int:
    if sys.platform != "linux":
        sys.stdout.write("Sandbox for this workspace: none. It needs Linux.\n")
        return 1
    from assent.cli.check_sandbox import sandbox  # noqa: PLC0415 -- only there can it be loaded

    return sandbox(workspace)


def faults_of(
    files: Iterable[SettingsFile], managed: Managed, now: float
) -> tuple[list[str], int, int]:
    """What is wrong, line by line, how many rules there are, and how many are switched off.

    Each of the user's files is read with the workspace's alone, as its editor does.
    """
    files = list(files)
    shared = [file for file in files if file.layer is not Layer.USER]
    own = [[file] for file in files if file.layer is Layer.USER] or [[]]
    faults: dict[str, None] = {}
    rules: set[tuple[object, ...]] = set()
    off: set[tuple[object, ...]] = set()
    for user in own:
        together = [*user, *shared]
        for file in together:
            if file.problem is not None:
                faults[f"{file.path}: error: This could not be read: {file.problem}."] = None
        reading = read(_keys(together), True, _granted, managed=managed, now=now)
        by_layer = {file.layer.value: file for file in together}
        faults.update(dict.fromkeys(_describe_complaints(reading.complaints, by_layer, managed)))
        rules.update(_places_of(reading.rules, by_layer))
        off.update(_places_of(reading.off, by_layer))
    return list(faults), len(rules), len(off)


def _places_of(
    rules: Iterable[WrittenRule], files: Mapping[str, SettingsFile]
) -> Iterator[tuple[object, ...]]:
    for rule in rules:
        yield str(files[rule.layer].path) if rule.layer in files else rule.layer, rule.at


def _keys(files: Iterable[SettingsFile]) -> dict[str, dict[str, object]]:
    keys: dict[str, dict[str, object]] = {}
    for file in files:
        for key, value in file.values.items():
            keys.setdefault(key, {})[file.layer.value] = value
    return keys


def _granted(_: object) -> Standing:
    """Rules are checked that nobody has agreed to yet as well."""
    return Standing.GRANTED


def _describe_complaints(
    complaints: Iterable[Complaint], files: dict[str, SettingsFile], managed: Managed
) -> Iterator[str]:
    for complaint in complaints:
        file = files.get(complaint.layer)
        where = str(file.path) if file else managed.file or complaint.layer
        line = file.line(complaint.path) if file else managed.line(complaint.path)
        at = where if line is None else f"{where}:{line}"
        yield f"{at}: {complaint.severity}: {complaint.sentence}"


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="assent check", description="Load every rule in reach and tell what is wrong with it."
    )
    parser.add_argument("--workspace", default=".", metavar="DIR", help="the workspace's folder")
    parser.add_argument(
        "--settings",
        action="append",
        default=[],
        metavar="FILE",
        help="a file of user settings, instead of those of the editors found here",
    )
    parser.add_argument(
        "--sandbox", action="store_true", help="tell what a sandbox can do for this workspace"
    )
    return parser
