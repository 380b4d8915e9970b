"""Rules about what a command does: reads, writes, deletes, reaches other machines.

What is known of it such a rule holds for; what it only may do, as a program of which no more is
known, is asked about.
"""

from collections.abc import Iterator
from typing import Final

from assent.bash.script import Command
from assent.policy.folders import folders_of
from assent.policy.matter import Matter
from assent.policy.paths import Place
from assent.policy.quoted import written_in
from assent.policy.repositories import starts_of
from assent.policy.strays import strays_of
from assent.programs.deeds import Deeds, Kind
from assent.programs.families.services import TALKING
from assent.programs.harming import harms_of
from assent.rules.book import Found
from assent.text.patterns import late

__all__ = ["effects_of", "hosts_of"]

_WRITERS: Final = frozenset({"git", "gh", "glab", "hg", "svn"})
"""Programs whose long words are messages, and no code."""
_DOES: Final = {
    "delete": frozenset(
        """rm rmdir unlink shred trash srm unlinkSync rmSync rmdirSync rmtree removedirs rm_rf
        rm_r remove delete del dropdb removeSync uninstall""".split()
    ),
    "network": frozenset(
        """curl wget nc ncat netcat socat ssh scp sftp ftp telnet rsync pip pip3 npx bunx uvx pipx
        svn hg cvs bzr ipfs aria2c aws gcloud az kubectl helm rclone twine mail mailx sendmail
        urllib urlopen requests httpx httpx2 aiohttp fetch socket Socket create_connection net dns
        HTTPConnection HTTPSConnection smtplib ftplib""".split()
    ),
}
"""Names of programs, and of what programs call, that have such an effect."""
_ADDRESS: Final = late(r"(?i)\b(?!file:)[a-z][a-z0-9+.-]{1,19}://\w|/inet[46]?/(?:tcp|udp)/")
"""How a word begins to name another machine, whatever program it is given to."""
_NAMES: Final = late(r"[A-Za-z_]\w*")
_WRITES_AWAY: Final = frozenset({"write", "write:outside"})
_DEVICES: Final = ("/dev/tcp/", "/dev/udp/")


def effects_of(
    matter: Matter, command: Command, deeds: Deeds, places: list[Place], *, unsure: bool
) -> Iterator[Found]:
    """What the rules about effects say of a command."""
    for name in _effects(deeds, places) | _effects_of_git(matter, command, deeds):
        yield matter.book.effect(name, matter)
    for name in _possible(matter, command, unsure=unsure):
        found = matter.book.effect(name, matter)
        yield Found(perhaps=found.deny or found.ask)


def _possible(matter: Matter, command: Command, *, unsure: bool) -> set[str]:
    """What it may do: by its name, by what it runs, by the paths and addresses in its words."""
    done = {"delete"} if harms_of(command, str(matter.call.input["command"])) else set[str]()
    if not unsure:
        return done
    words = command.argv[:1] if command.program in _WRITERS else command.argv
    tokens = {token for word in words for token in _NAMES.findall(word.text)}
    done |= {name for name, programs in _DOES.items() if tokens & programs}
    done |= {"network"} if _talks(command) else set()
    return done | (_WRITES_AWAY if _strays(matter, command) else set())


def _strays(matter: Matter, command: Command) -> bool:
    """Whether a path outside the workspace stands in its words, or in code that changes it."""
    found = folders_of(matter, command, (), whole=False)
    if next(strays_of(matter, command.argv[1:], found), None) is not None:
        return True
    return next(written_in(command, str(matter.call.input["command"])), None) is not None


def _talks(command: Command) -> bool:
    """Whether it may speak with another machine, by what it is or by an address in its words."""
    words = {command.program, *(it.text for it in command.argv[1:])}
    words |= {it.partition("=")[0] for it in words if it.startswith("-")}
    named = (it for it in TALKING if command.program in it)
    mute = command.program in _WRITERS or command.program == "sed"
    addressed = not mute and any(map(_ADDRESS.search, words))
    return addressed or any(it <= words for it in named)


def hosts_of(deeds: Deeds, places: list[Place]) -> Iterator[str]:
    """The hosts that it reaches, those behind the names of devices included."""
    yield from deeds.hosts
    for place in places:
        for device in _DEVICES:
            if place.spelled.startswith(device):
                yield place.spelled.removeprefix(device).split("/")[0]


def _effects_of_git(matter: Matter, command: Command, deeds: Deeds) -> frozenset[str]:
    """What a command of git does to its repository, which is among none of its words."""
    if deeds.reading or not deeds.git_from:
        return frozenset()
    starts = starts_of(matter, deeds, folders_of(matter, command, (), whole=False))
    away = any(start is None or not start.inside for start in starts)
    return _WRITES_AWAY if away else frozenset()


def _effects(deeds: Deeds, places: list[Place]) -> set[str]:
    """What the command does, in the words of rules about effects."""
    names = {"execute"}
    if any(hosts_of(deeds, places)):
        names |= {"network", "external"}
    for place in places:
        kinds = {"write"} if place.kind.changes else {"read"}
        kinds |= {"delete"} if place.kind is Kind.DELETE else set()
        inside = place.target is not None and place.target.inside
        where = "inside" if inside else "outside"
        names |= kinds | {f"{kind}:{where}" for kind in kinds}
    return names
