"""Whether a call would still do what was judged: the same paths, the same files.

What a shell call runs is a part of what it does, so each file that it names for that is bound to
what stood in it when the call was made.
"""

import errno
import os
import stat
from typing import Final

from assent.gate.call.calls import APPLY, Call, Code, Edit, Planned
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.buffers import Buffers
from assent.gate.disk.files import text_of
from assent.gate.disk.large_files import bytes_of, digest_of
from assent.gate.disk.places import Places
from assent.gate.values import evolve

__all__ = ["UNTOLD", "changed_since", "code_at", "with_file_digests"]

_MAX_READ_BYTES: Final = 256 * 1024
"""In bytes: so much of a file is read. What is longer is known by what the disk says of it."""

_MISSING: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
UNTOLD: Final = "Which files it runs could not be told."


def with_file_digests(call: Call, places: Places) -> Call:
    """The call with what stands now in the files that it runs; whoever may run it is asked."""
    if call.steps:
        return evolve(call, steps=tuple(_bound_step(step, places) for step in call.steps))
    if call.tool != "shell":
        return call
    try:
        # Reading commands takes a parser, which nothing else needs.
        from assent.gate.ruling.named_code import files_run  # noqa: PLC0415

        files = files_run(call, places)
        codes = [code_at(file.named, file.shown) for file in files]
    except Exception:  # noqa: BLE001 -- what cannot be bound is shown to a person
        return evolve(call, caution=call.caution or UNTOLD)
    return evolve(call, code=(*call.code, *codes)) if codes else call


def code_at(path: str, shown: str) -> Code:
    """A file that a call runs, as it is now."""
    return Code(path=path, shown=shown, content=_content(path))


def _bound_step(step: Planned, places: Places) -> Planned:
    return step if step.call is None else evolve(step, call=with_file_digests(step.call, places))


def changed_since(call: Call, places: Places, buffers: Buffers | None = None) -> str | None:
    """What is no longer as it was judged, in a sentence for the person and the agent; or None.

    `buffers` are given for an agent that edits in the editor what is not saved.
    """
    try:
        calls = (call, *(step.call for step in call.steps if step.call is not None))
        return next(filter(None, (_changed(call, places, buffers) for call in calls)), None)
    except CallUnreadable as error:
        return f"It can no longer be told what this would change: {error}"


def _changed(call: Call, places: Places, buffers: Buffers | None) -> str | None:
    return _moved(call, places) or _edited(call, buffers) or _rewritten(call)


def _moved(call: Call, places: Places) -> str | None:
    if call.action == APPLY:
        # Its trial changes each file in a folder that it opened without following a link.
        return None
    for target in call.targets:
        # What a path leads to was told by where it leads, so that must lead there still.
        now = places.locate(target.resolved, "/")
        if {twin.resolved for twin in now.twins} - {twin.resolved for twin in target.twins}:
            return f"{target.shown} has got another name since this was judged."
        if now.resolved != target.resolved:
            return f"{target.shown} leads elsewhere than it did when this was judged."
        if target.named and places.locate(target.named, "/").resolved != target.resolved:
            return f"{target.shown} leads elsewhere than it did when this was judged."
    return None


def _edited(call: Call, buffers: Buffers | None) -> str | None:
    shown = {target.resolved: target.shown for target in call.targets}
    for edit in call.edits:
        name = shown.get(edit.path, edit.path)
        if not _stands(edit, name, buffers):
            return f"{name} has changed since this was shown."
    return None


def _stands(edit: Edit, shown: str, buffers: Buffers | None) -> bool:
    """Whether a file is as it was when its edit was made, and where it was."""
    if edit.stretch is not None:
        is_typed = buffers is not None and buffers.at(edit.path) is not None
        return not is_typed and digest_of(bytes_of(edit.path, shown)) == edit.stretch.old_file
    if buffers is None:
        return edit.version is None and text_of(edit.path, shown) == edit.old
    now = buffers.standing(edit.path, shown)
    is_kept = now.encoding is edit.encoding or edit.old is None or edit.version is not None
    return is_kept and (now.text, now.version) == (edit.old, edit.version)


def _rewritten(call: Call) -> str | None:
    for code in call.code:
        if _content(code.path) != code.content:
            return f"{code.shown} has changed since this was shown."
    return None


def _content(path: str) -> str | None:
    """What stands in a file, by its digest; None where there is no file."""
    try:
        # Opening a pipe would wait for whoever writes it.
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return None if error.errno in _MISSING else f"unreadable: {error.errno}"
    try:
        facts = os.fstat(file)
        if not stat.S_ISREG(facts.st_mode):
            return f"no file: {facts.st_dev} {facts.st_ino}"
        if facts.st_size > _MAX_READ_BYTES:
            status = (
                facts.st_dev,
                facts.st_ino,
                facts.st_size,
                facts.st_mtime_ns,
                facts.st_ctime_ns,
            )
            return f"long: {status}"
        return _digest(file)
    except OSError as error:
        return f"unreadable: {error.errno}"
    finally:
        os.close(file)


def _digest(file: int) -> str:
    # Few calls run files, and a question should not wait for OpenSSL.
    import hashlib  # noqa: PLC0415

    digest = hashlib.sha256()
    while piece := os.read(file, 1024 * 1024):
        digest.update(piece)
    return digest.hexdigest()
