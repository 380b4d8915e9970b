"""The command line of `assent run`, checked for what can be followed.

What loosens anything, and whoever answers, must lie where no workspace can have put it.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from assent.cli.answer_sources import FromProgram, FromTerminal, nobody, program_at, why_doubted
from assent.cli.reporting import Report
from assent.editor.window.headless import Inputs
from assent.editor.window.run import Terms
from assent.editor.window.unattended import Ask
from assent.gate.call.calls import Premise
from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode
from assent.gate.settings.files import read_settings, settings_from_files
from assent.gate.settings.layers import Layer
from assent.gate.settings.models.model import Dialect
from assent.gate.settings.paths import user_settings_files, workspace_settings_file
from assent.gate.values import frozen

__all__ = ["Misused", "Run", "run_of"]

_EPILOG: Final = (
    "It ends with 0 where the task was done, 3 where it was and something was denied, 1 where it"
    " failed, 2 where it was not called so, and 130 where it was stopped."
)


class Misused(AssentError):
    """The command line cannot be followed; the sentence says why."""


@frozen(kw_only=True)
class Run:
    """One run, as it was called for."""

    given: Inputs
    prompt: str
    model: str | None
    ask: Ask
    report: Report
    terms: Terms


def run_of(words: Sequence[str]) -> Run:
    """What was called for; raise `Misused` where that cannot be."""
    options = _parser().parse_args(list(words))
    report = Report(as_json=options.json)
    root = Path(options.workspace).absolute()
    if not root.is_dir():
        raise Misused(f"There is no folder {root}.")
    beside = []
    file = None
    if options.settings is not None:
        file = _outside(options.settings, root, "--settings")
        beside.append(Premise(path=str(file), name="the settings of this run"))
    program = None
    if options.ask not in {"deny", "stdin"}:
        program = _program(options.ask, root)
        beside.append(Premise(path=program, name="what answers in this run", run=True))
    mode = Mode(options.mode) if options.mode else Mode.DEFAULT
    return Run(
        given=_given(root, file, options),
        prompt=_prompt(options),
        model=options.model,
        ask=_ask(options.ask, program, root, report),
        report=report,
        terms=Terms(untrusted=mode, beside=tuple(beside), allows_servers=options.allow_servers),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="assent run", description="Let Assent's agent work on a task.", epilog=_EPILOG
    )
    parser.add_argument("prompt", help="what is to be done; `-` reads it from standard input")
    parser.add_argument("--workspace", default=".", metavar="DIR", help="the folder to work in")
    parser.add_argument(
        "--mode", choices=[mode.value for mode in Mode], help="how much passes unasked"
    )
    parser.add_argument(
        "--settings",
        metavar="FILE",
        help="settings.json in place of your editors'; it lies outside the workspace",
    )
    parser.add_argument(
        "--ask",
        default="deny",
        metavar="deny|stdin|PROGRAM",
        help="who is asked: nobody, standard input, or a program outside the workspace, which is"
        " given the card as JSON and allows it once by ending with 0",
    )
    parser.add_argument(
        "--allow-servers",
        action="store_true",
        help="start the MCP servers that the repository's files name, as they are now, and give"
        " them the variables of yours that they name",
    )
    parser.add_argument("--model", help="one of assent.models, or PROVIDER/MODEL")
    parser.add_argument("--json", action="store_true", help="tell what happens as lines of JSON")
    return parser


def _outside(named: str, root: Path, option: str) -> Path:
    """A file that nobody can have put there with the workspace."""
    file, why = Path(named).resolve(), why_doubted(named, str(root))
    if why is not None:
        raise Misused(f"{option} takes no file that the workspace may have brought: it is {why}.")
    problem = read_settings(file, Layer.USER).problem
    if problem is not None:
        raise Misused(f"{file} cannot be read: {problem}.")
    return file


def _program(named: str, root: Path) -> str:
    path = program_at(named, str(root))
    if path is None:
        raise Misused(f"There is no program {named} outside the workspace for --ask.")
    why = why_doubted(named if "/" in named else path, str(root))
    if why is not None:
        raise Misused(f"--ask takes no program that the workspace may have brought: it is {why}.")
    return path


def _given(root: Path, file: Path | None, options: argparse.Namespace) -> Inputs:
    own = [file] if file is not None else list(user_settings_files(Path.home()))
    keys: dict[str, dict[str, Any]] = settings_from_files(own, root)
    # What stands on the command line is the person's own word, and the last one.
    if options.mode:
        keys.setdefault("mode", {})["user"] = options.mode
    if options.model:
        models = keys.setdefault("models", {})
        models["user"] = _with_model(models.get("user"), options.model)
    place = workspace_settings_file(root)
    return Inputs(
        root=root,
        keys=keys,
        user_file=own[0] if len(own) == 1 else None,
        workspace_file=place if os.path.lexists(place) else None,
    )


def _with_model(models: object, wanted: str) -> object:
    """The models with this one, where it is named as PROVIDER/MODEL and none is called so."""
    provider, _, name = wanted.partition("/")
    if not name or provider not in set(Dialect) or not isinstance(models, list | None):
        return models
    listed = models or []
    made = {"provider": provider, "model": name}
    if any(isinstance(model, dict) and _id(model) == wanted for model in listed):
        return listed
    return [*listed, made]


def _id(entry: dict[str, Any]) -> object:
    return entry.get("name") or f"{entry.get('provider')}/{entry.get('model')}"


def _prompt(options: argparse.Namespace) -> str:
    text = sys.stdin.read() if options.prompt == "-" else str(options.prompt)
    if options.prompt == "-" and options.ask == "stdin":
        raise Misused("Standard input cannot hold the task and the answers.")
    if not text.strip():
        raise Misused("Say what is to be done.")
    return text


def _ask(named: str, program: str | None, root: Path, report: Report) -> Ask:
    if program is not None:
        return FromProgram(path=program, root=str(root))
    return FromTerminal(report.notice) if named == "stdin" else nobody
