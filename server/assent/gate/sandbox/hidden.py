"""What a box hides of the disk: keys and passwords, what rules keep from being read, and sockets.

Each folder of the workspace is walked once. Elsewhere hidden is what is known by its place: the
secrets of a home by their names, the paths of rules by where they begin.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Final

from assent.gate.call.errors import CallUnreadable
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Asker, Book, TwoBooks
from assent.gate.rules.globs import is_wild
from assent.gate.ruling.ruling_context import against
from assent.gate.sandbox.profile import ProfileUnfit
from assent.gate.text.plain_paths import is_within
from assent.gate.values import frozen

__all__ = ["Reading", "hidden_paths"]

_KEEPS_KEYS: Final = re.compile(
    r"\.env(?!\.(?:example|sample|template|dist)$)(?:\..*)?|id_(?:rsa|dsa|ecdsa|ed25519)"
    r"|\.netrc|\.pgpass|\.pypirc|\.git-credentials|.*\.(?:p12|pfx|jks|keystore)"
)
_MAY_KEEP_KEYS: Final = re.compile(r".*\.(?:pem|key|p8)")
"""Certificates are called so, too: only with a key in it such a file is hidden."""
_KEY: Final = b"PRIVATE KEY-----"
_MAX_READ_BYTES: Final = 1 << 16
_MAX_HIDDEN_PATHS: Final = 2_000
"""More paths than that bubblewrap does not take."""
_MAX_ENTRIES_WALKED: Final = 400_000
_ANY: Final = "any/any"
_OBJECTS: Final = "/.git/objects"
_SOCKETS: Final = Path("/proc/net/unix")
_OWN_FOLDERS: Final = ("/tmp/", "/var/tmp/", "/run/", "/dev/")  # noqa: S108 -- a box has its own


@frozen(kw_only=True)
class Reading:
    """The rules about reading, as they hold for a person's own command."""

    book: Book | TwoBooks
    asker: Asker
    places: Places

    def refuses(self, path: str) -> bool:
        """Whether a rule asks about this path or denies it; so it is where nobody can tell."""
        try:
            target = self.places.locate(path, "/")
        except CallUnreadable:
            return True
        return against(self.book.path("read", target, self.asker)) is not None

    def concerns(self, folder: str) -> bool:
        """Whether a rule may ask about something below a folder or deny it."""
        if not self.book.refuses_paths:
            return False
        try:
            target = self.places.locate(folder, "/")
        except CallUnreadable:
            return True
        return against(self.book.below("read", target, self.asker)) is not None

    def beginnings(self) -> list[str]:
        """The paths outside the workspace below which rules speak about reading."""
        if not self.book.suspended.isdisjoint({"read", "*"}):
            raise ProfileUnfit("A rule about reading cannot be read, so nobody knows what to hide.")
        if any(
            rule.tool == "effect"
            and rule.about.startswith("read")
            and rule.verdict is not Verdict.ALLOW
            for rule in self.book.rules
        ):
            raise ProfileUnfit("A rule is about reading of any kind, and a box reads the disk.")
        abouts = (
            f"{self.places.home}{rule.about[1:]}" if rule.about.startswith("~/") else rule.about
            for rule in self.book.rules
            if rule.tool == "read" and rule.verdict is not Verdict.ALLOW
        )
        names = (about.split("/")[1:] for about in abouts if about.startswith("/"))
        fixed = ("/".join(takewhile(lambda name: not is_wild(name), parts)) for parts in names)
        beginnings = dict.fromkeys(f"/{path}" for path in fixed)
        if "/" in beginnings:
            raise ProfileUnfit("A rule is about files anywhere; to look for all takes too long.")
        return [*beginnings]


def hidden_paths(workspace: str, home: str, state: Iterable[str], reading: Reading) -> list[str]:
    """All that a box in this workspace hides beside the secrets of the home.

    `state` are the folders in which Assent keeps what it knows.
    """
    root = os.path.realpath(workspace)
    # Another folder of the same workspace is seen by the box, too.
    folders = dict.fromkeys([root, *map(os.path.realpath, reading.places.roots)])
    secrets = [path for folder in folders for path in _walked(folder, reading, keys=True)]
    for path in reading.beginnings():
        if reading.refuses(path) or reading.refuses(f"{path}/{_ANY}"):
            secrets.append(path)
        elif not is_within(root, path):
            secrets += _walked(path, reading, keys=False)
    others = [path for folder in folders for path in _other_names(folder, secrets)]
    paths = [*secrets, *others, *state, *_sockets((root, home))]
    needed = (root, os.path.realpath(home))
    hidden = dict.fromkeys(_led_to(paths, needed))
    if missed := [path for path in hidden if _holds_any(path, needed)]:
        raise ProfileUnfit(f"{missed[0]} must not be read here, and a box needs what is in it.")
    if len(hidden) > _MAX_HIDDEN_PATHS:
        raise ProfileUnfit(f"{len(hidden):,} files would have to be hidden, which are too many.")
    return [*hidden]


def _led_to(paths: Iterable[str], needed: Sequence[str]) -> Iterator[str]:
    """What these paths lead to.

    Links in a circle lead nowhere. A link to a folder that the box needs, such as `/proc/self/cwd`,
    hides nothing either: secrets in that folder are found by their own names.
    """
    for path in paths:
        real = os.path.realpath(path)
        if os.path.islink(real) or (os.path.islink(path) and _holds_any(real, needed)):  # noqa: PTH114 -- a string in
            continue
        yield real


def _holds_any(folder: str, paths: Iterable[str]) -> bool:
    return any(is_within(path, folder) for path in paths)


def _walked(top: str, reading: Reading, *, keys: bool) -> Iterator[str]:
    """What may not be read below a path; of a folder in which nothing may, the folder.

    With `keys`, files that keep keys and passwords count too.
    """
    left, walked = [(top, reading.concerns(top))], 0
    while left:
        folder, is_ruled = left.pop()
        try:
            entries = _entries(folder)
        except PermissionError:
            # Its owner may open it in the box, and what is in it is not known here.
            yield folder
            continue
        for entry in entries:
            path, walked = entry.path, walked + 1
            if not entry.is_dir(follow_symlinks=False):
                if (is_ruled and reading.refuses(path)) or (keys and _keeps_key(entry)):
                    yield path
                continue
            inner_is_ruled = is_ruled and reading.concerns(path)
            if inner_is_ruled and reading.refuses(f"{path}/{_ANY}"):
                yield path
            elif inner_is_ruled or (keys and not path.endswith(_OBJECTS)):
                left.append((path, inner_is_ruled))
        if walked > _MAX_ENTRIES_WALKED:
            raise ProfileUnfit(f"{top} is too large to find all that rules keep from being read.")


def _keeps_key(entry: os.DirEntry[str]) -> bool:
    if _KEEPS_KEYS.fullmatch(entry.name):
        return True
    if not _MAY_KEEP_KEYS.fullmatch(entry.name) or not entry.is_file(follow_symlinks=False):
        return False
    try:
        descriptor = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return True
    try:
        return _KEY in os.read(descriptor, _MAX_READ_BYTES)
    finally:
        os.close(descriptor)


def _other_names(root: str, secrets: Iterable[str]) -> Iterator[str]:
    """The other names in the workspace of files that are hidden."""
    numbers = set()
    for path in secrets:
        with suppress(OSError):
            facts = os.stat(path)  # noqa: PTH116 -- a string in
            if stat.S_ISREG(facts.st_mode) and facts.st_nlink > 1:
                numbers.add(facts.st_ino)
    left = [root] if numbers else []
    while left:
        folder = left.pop()
        for entry in _entries(folder) if os.access(folder, os.R_OK) else ():
            if entry.is_dir(follow_symlinks=False):
                left.append(entry.path)
            elif entry.inode() in numbers:
                yield entry.path


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [*entries]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except PermissionError:
        raise
    except OSError as error:
        raise ProfileUnfit(f"{folder[:60]} cannot be looked through: {error.strerror}.") from error


def _sockets(seen: Iterable[str]) -> Iterator[str]:
    """The sockets at which programs of this machine listen, as far as a box sees them.

    `seen` are folders that it sees though they lie where it has folders of its own.
    """
    with suppress(OSError):
        for line in _SOCKETS.read_text("utf-8", "surrogateescape").splitlines()[1:]:
            name = "".join(line.split(maxsplit=7)[7:])
            for path in _where(name):
                if not path.startswith(_OWN_FOLDERS) or any(
                    is_within(path, folder) for folder in seen
                ):
                    yield path


def _where(name: str) -> Iterator[str]:
    """Where a socket of this name lies: one that was bound by a relative name, in any folder."""
    if name.startswith("/"):
        yield name
    elif name and not name.startswith("@"):
        for process in Path("/proc").glob("[0-9]*/cwd"):
            with suppress(OSError):
                path = f"{process.readlink()}/{name}"
                if stat.S_ISSOCK(os.lstat(path).st_mode):
                    yield path
