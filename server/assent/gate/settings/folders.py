"""`assent.additionalDirectories`: folders beside the workspace in which agents may work."""

import os
from collections.abc import Iterable
from typing import Final

from assent.gate.settings.claims import Claims, folders_wish
from assent.gate.settings.complaints import Complaints
from assent.gate.settings.layers import Layer, said, shown

__all__ = ["folders_of", "is_folder", "only_folder"]

KEY: Final = "additionalDirectories"
MAX_FOLDERS: Final = 100
MAX_PATH_LETTERS: Final = 1_024


def folders_of(keys: object, claims: Claims, complaints: Complaints) -> tuple[str, ...]:
    """The user's folders, and those of the workspace that a person has agreed to."""
    folders: dict[str, None] = {}
    for layer, value in said(keys, KEY).items():
        wanted = [folder for folder in _folders(layer, value, complaints) if folder not in folders]
        if layer is Layer.USER or (wanted and claims.holds(folders_wish(sorted(set(wanted))))):
            folders.update(dict.fromkeys(wanted))
    return tuple(folders)


def _folders(layer: Layer, value: object, complaints: Complaints) -> list[str]:
    if not isinstance(value, list) or len(value) > MAX_FOLDERS:
        complaints.refuse(
            layer.value,
            (KEY,),
            f"assent.{KEY} in {layer.words!s} could not be understood, so it adds no folder.",
        )
        return []
    folders = []
    for index, folder in enumerate(value):
        if is_folder(folder):
            folders.append(folder.rstrip("/") or "/")
        else:
            complaints.refuse(
                layer.value,
                (KEY, index),
                f"assent.{KEY} in {layer.words!s} has {shown(folder)}, which is left out: a folder"
                " begins with `/` or `~/`, and has no `..` in it.",
            )
    return folders


def is_folder(folder: object) -> bool:
    """Whether a text of the settings names a folder: from the root, or from the home."""
    return (
        isinstance(folder, str)
        and len(folder) <= MAX_PATH_LETTERS
        and folder.isprintable()
        and (folder.startswith(("/", "~/")) or folder == "~")
        and ".." not in folder.split("/")
    )


def only_folder(roots: Iterable[str], home: str) -> str:
    """The one folder of a workspace as a rule names it, where it really lies; empty for others.

    >>> only_folder(["/usr"], "/nowhere"), only_folder(["/usr", "/etc"], "/nowhere")
    ('/usr', '')
    """
    real = {os.path.realpath(root) for root in roots}
    if len(real) != 1:
        return ""
    (folder,) = real
    own = os.path.realpath(home) + "/"
    spelled = f"~/{folder.removeprefix(own)}" if folder.startswith(own) else folder
    return spelled if is_folder(spelled) and spelled != "/" else ""
