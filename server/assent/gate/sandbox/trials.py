"""One trial: a command that runs on a copy of the workspace, and what becomes of its changes.

In a workspace there is one trial at a time. What one leaves behind that was cut short, by a crash
or a power failure, the next one puts back and removes before it begins.
"""

import asyncio
import fcntl
import hashlib
import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Self
from weakref import finalize

from assent.gate.disk.git.files import Unclear
from assent.gate.disk.git.repository import found_from
from assent.gate.processes.family import Family
from assent.gate.processes.walls import Beginning
from assent.gate.sandbox.apply import applied_paths, apply, changed_since, is_kept, undo
from assent.gate.sandbox.bubblewrap import Opening, Start, boxed
from assent.gate.sandbox.changes import Change, digest_of, read_changes
from assent.gate.sandbox.elsewhere import written_in
from assent.gate.sandbox.filters import program
from assent.gate.sandbox.hosts import Contact, Judge, Resolve, looked_up
from assent.gate.sandbox.layers import is_private, new_layer, remove_layer
from assent.gate.sandbox.network import Network, started_by
from assent.gate.sandbox.network_probe import why_no_network
from assent.gate.sandbox.probe import Finding
from assent.gate.sandbox.profile import Profile, ProfileUnfit, profile_for, visible
from assent.gate.sandbox.streams import carry, piped
from assent.gate.text.plain_paths import is_within
from assent.gate.values import evolve, frozen

__all__ = ["BY_SIGNAL", "Applied", "Trial"]

BY_SIGNAL: Final = range(129, 193)
"""The exit status where a signal ended the command: 128 and its number."""

_LAYERS: Final = "trial-"
_UNDO: Final = "undo-"
_STATUS_BYTES: Final = 4_096


@frozen(kw_only=True)
class Trial:
    """A command and the layer that takes what it writes."""

    bwrap: str
    profile: Profile
    folder: str
    """Where what is replaced is kept."""
    layers: tuple[str, ...]
    """Where what the command writes is kept."""
    began: int
    """The time at which it was made, as the disk has it."""
    put_back: tuple[str, ...] = ()
    """The workspace's files that a trial before was changing when it was cut short."""
    left: tuple[str, ...] = ()
    """Folders with what those trials replaced and could not put back, since it was made anew."""
    network: Network | None = None
    """How it reaches hosts, each of which is asked about; None where it reaches none."""
    no_network: str = ""
    """Why it reaches none though somebody could be asked."""
    lock: int
    status: int
    """A file in memory to which bubblewrap writes how the command ended."""

    @classmethod
    def prepare(
        cls,
        finding: Finding,
        workspace: str,
        home: str,
        folder: str,
        state: str,
        *,
        variables: Mapping[str, str],
        hidden: Callable[[], Sequence[str]],
        waits: Callable[[], None] = lambda: None,
        judge: Judge | None = None,
        resolve: Resolve = looked_up,
    ) -> Self:
        """Make an empty layer. `finding` tells the wall and where layers are kept.

        What is replaced is kept in `state`, where no agent may write: what lies there is put back
        after a crash. In a layer that lies elsewhere nothing is believed.

        `hidden` lists what the command must not read; `waits` is called where another trial of
        this workspace has not ended yet. `judge` rules on each host that the command wants to
        reach: on the loop on which it is started, else beside it. Without one it reaches none.
        """
        no_network = "" if judge is None else why_no_network(finding.bwrap)
        layer_places = tuple(dict.fromkeys(filter(None, (finding.layers, finding.home_layers))))
        name = hashlib.sha256(os.fsencode(os.path.realpath(workspace))).hexdigest()[:16]
        kept_in = f"{state}/trials"
        Path(kept_in).mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(kept_in):
            raise ProfileUnfit(f"Others may write in {kept_in}.")
        lock = _alone(f"{kept_in}/{name}.lock", waits)
        try:
            beginning = f"{_LAYERS}{name}-"
            put_back, left = _clean_up(kept_in, layer_places, beginning)
            kept = tempfile.mkdtemp(prefix=beginning, dir=kept_in)
            layers = list[str]()
            try:
                folder_of_layer, layer = new_layer(finding.layers, beginning)
                layers.append(folder_of_layer)
                home_layer = None
                if finding.home_layers:
                    folder_of_layer, home_layer = new_layer(
                        finding.home_layers, f"{beginning}home-"
                    )
                    layers.append(folder_of_layer)
                # What is hidden is looked up now: who waited may have waited for days.
                profile = profile_for(
                    workspace,
                    home,
                    folder,
                    secrets=[*hidden(), *layer_places],
                    variables=variables,
                    layer=layer,
                    home_layer=home_layer,
                )
                began = os.lstat(layer.upper).st_ctime_ns
            except BaseException:
                for each in (kept, *layers):
                    remove_layer(each)
                raise
        except BaseException:
            os.close(lock)
            raise
        return cls(
            bwrap=finding.bwrap,
            profile=profile,
            folder=kept,
            layers=tuple(layers),
            began=began,
            put_back=tuple(put_back),
            left=tuple(left),
            network=None if judge is None or no_network else Network(judge, resolve),
            no_network=no_network,
            lock=lock,
            status=os.memfd_create("status", os.MFD_CLOEXEC),
        )

    def run(self, command: Sequence[str]) -> int:
        """Run it with our own input and output; its exit status, 128 and more for a signal.

        Raises `ProfileUnfit` where the network that it was to have could not be made.
        """
        stdin, stdout, stderr = piped()
        with self._opened(self.profile.variables, command) as (start, opening):
            line, program, inherited = start.words, start.program, start.inherited
            if opening is not None:
                program, inherited = start.by_descriptor
                line, program = started_by(opening, program, start.words), sys.executable
            started = subprocess.Popen(
                line,
                executable=program,
                pass_fds=inherited,
                env={},
                start_new_session=True,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
            )
            carrying = carry(started)
        before = {
            number: signal.signal(number, lambda got, _: _pass_on(started.pid, got))
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        }
        try:
            status = started.wait()
        finally:
            started.kill()
            started.wait()
            for thread in carrying:
                thread.join()
            for number, handler in before.items():
                signal.signal(number, handler)
        if self.network is not None and self.network.failure:
            raise ProfileUnfit(self.network.failure)
        return status if status >= 0 else 128 - status

    @contextmanager
    def around(self, beginning: Beginning) -> Iterator[Beginning]:
        """How a keeper starts a command in the box, while this lasts."""
        command = [beginning.program, *beginning.args[1:]]
        with self._opened(visible(beginning.env), command, self.status) as (start, opening):
            program, inherited = start.by_descriptor
            yield Beginning(
                program=program,
                args=start.words,
                env={},
                inherited=inherited,
                watched_by=() if opening is None else opening.watched_by,
            )

    @contextmanager
    def _opened(
        self, variables: Mapping[str, str], command: Sequence[str], status: int | None = None
    ) -> Iterator[tuple[Start, Opening | None]]:
        """How to start a command in the box, and what makes its network, where it has one."""
        with ExitStack() as stack:
            opening = None
            if self.network is not None:
                overlays = (self.profile.workspace, self.profile.home)
                opening = stack.enter_context(self.network.opened(overlays))
                variables = {**variables, **opening.variables}
            profile = evolve(self.profile, variables=variables)
            box = boxed(self.bwrap, profile, _filter(), command, status=status, opening=opening)
            yield stack.enter_context(box), opening

    @property
    def witness(self) -> tuple[Contact, ...]:
        """The hosts that it reached, and those that it wanted to reach, each once."""
        return () if self.network is None else self.network.witness

    def elsewhere(self) -> list[str]:
        """What it wrote to the home, which is gone when this ends; nothing where nobody knows."""
        layer = self.profile.home_layer
        return [] if layer is None else [f"~/{path}" for path in written_in(layer.upper)]

    @property
    def repository_outside(self) -> str | None:
        """The repository that git writes to where that lies outside, so that it is not kept."""
        try:
            repository = found_from(self.profile.workspace)
        except Unclear:
            return None
        if repository is None:
            return None
        is_inside = all(
            is_within(path, self.profile.workspace) for path in (repository.git, repository.shared)
        )
        return None if is_inside else repository.shared

    @property
    def has_ended(self) -> bool:
        """Whether a command that a keeper started has begun and come to its own end."""
        return b'"exit-code"' in os.pread(self.status, _STATUS_BYTES, 0)

    def changes(self) -> list[Change]:
        """What it changed."""
        return read_changes(self.profile.workspace, self._upper)

    def digest(self, changes: Sequence[Change]) -> str:
        """The SHA-256 of what these changes would make of the workspace."""
        return digest_of(self._upper, changes)

    def lies(self, change: Change) -> Path:
        """Where a file that it made or changed lies until it becomes real."""
        return Path(self._upper).resolve() / change.path

    def apply(self, changes: Sequence[Change]) -> int:
        """Make these changes real, all of them or none; how many."""
        return apply(self.profile.workspace, self._upper, changes, self.folder, self.began)

    def undo(self) -> list[str]:
        """Put back what `apply` replaced; the paths that somebody has changed since, and keeps."""
        return undo(self.folder)

    def keep(self) -> "Applied":
        """Keep what `apply` replaced, beyond the end of the trial."""
        return Applied(self.folder)

    def end(self) -> None:
        """Forget what it changed, and let the next trial begin."""
        if self.network is not None:
            self.network.end()
        for layer in self.layers:
            remove_layer(layer)
        # What could not be put back stays for the next trial, which tells where it is.
        if not is_kept(self.folder):
            remove_layer(self.folder)
        os.close(self.status)
        os.close(self.lock)

    @property
    def _upper(self) -> str:
        assert self.profile.layer is not None  # noqa: S101 -- a trial has one
        return self.profile.layer.upper


class Applied:
    """What a trial replaced when its changes were made real, until this is forgotten."""

    def __init__(self, folder: str) -> None:
        kept = Path(folder)
        self._folder = str(kept.rename(kept.with_name(f"{_UNDO}{os.getpid()}-{kept.name}")))
        self._forget = finalize(self, _remove_aside, self._folder)

    def paths(self) -> list[str]:
        """The paths that it has changed."""
        return applied_paths(self._folder)

    def changed_since(self) -> list[str]:
        """The paths that somebody has changed since."""
        return changed_since(self._folder)

    def undo(self) -> list[str]:
        """Put all of it back; the paths that somebody has changed meanwhile, and keeps."""
        stays = undo(self._folder)
        if is_kept(self._folder):
            self._forget.detach()
        else:
            self._forget()
        return stays


def _remove_aside(folder: str) -> None:
    """Remove a layer in a thread of its own where a loop would wait for it."""
    try:
        asyncio.get_running_loop().run_in_executor(None, remove_layer, folder)
    except RuntimeError:
        remove_layer(folder)


def _filter() -> bytes:
    filter_program = program(platform.machine())
    if filter_program is None:
        raise ProfileUnfit("No filter of system calls is known for this machine.")
    return filter_program


def _alone(path: str, waits: Callable[[], None]) -> int:
    """Wait until no other trial of the workspace is left; a descriptor that holds the place."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waits()
            fcntl.flock(lock, fcntl.LOCK_EX)
    except BaseException:
        os.close(lock)
        raise
    return lock


def _clean_up(
    kept_in: str, layer_places: Sequence[str], beginning: str
) -> tuple[list[str], list[str]]:
    """Put back what trials that were cut short have changed, and remove them; what stays where."""
    put_back, left = list[str](), list[str]()
    undoable = (
        folder
        for folder in Path(kept_in).glob(f"{_UNDO}*-{beginning}*")
        if not Path("/proc", folder.name.split("-")[1]).exists()
    )
    for folder in (*Path(kept_in).glob(f"{beginning}*"), *undoable):
        put_back += undo(str(folder), unfinished=True)
        if is_kept(str(folder)):
            left.append(str(folder.rename(folder.with_name(f"left-{folder.name}"))))
        else:
            remove_layer(str(folder))
    for place in layer_places:
        for folder in Path(place).glob(f"{beginning}*"):
            remove_layer(str(folder))
    return put_back, left


def _pass_on(bwrap: int, number: int) -> None:
    """Send a signal to what runs in the box. bubblewrap itself would end it all at once."""
    Family(root=bwrap, group=None).signal_inside(bwrap, number)
