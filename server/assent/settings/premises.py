"""What is known of the gate's own premises before any editor has said a word."""

from collections.abc import Iterable
from pathlib import Path

from assent.calls import Premise
from assent.premises.process import premises_of_process
from assent.settings.paths import key_file, managed_file, user_settings_files

__all__ = ["premises_of_machine"]


def premises_of_machine(state: Path, home: Path, roots: Iterable[str]) -> list[Premise]:
    """The process, its state, and the files in which settings are written here."""
    own = user_settings_files(home)
    return [
        *premises_of_process(roots),
        Premise(path=str(state), name="Assent's own state"),
        Premise(path=str(key_file(state)), name="the key of what you agreed to", keys=True),
        Premise(path=str(managed_file()), name="your organisation's settings"),
        *(Premise(path=str(path), name="an editor's settings") for path in own),
    ]
