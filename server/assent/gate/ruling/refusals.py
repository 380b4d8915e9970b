"""Reasons to deny or ask about a command that no allowing rule lifts.

Rules that deny or ask are about the command, about each path that it touches, and about what it
does; a path that is denied is denied to every tool. Beside them stand the questions that no rule,
mode or bypass lifts.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from assent.gate.call.calls import Target, What
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.programs.deeds import Deeds, Kind, Taken
from assent.gate.programs.irreversible_losses import command_losses
from assent.gate.programs.nested_execution.interpreters import CONTAINER, ELSEWHERE
from assent.gate.programs.tables.mounts import mounted
from assent.gate.programs.tables.services import FETCHING, REMOVING, TALKING
from assent.gate.rules.book import RuleMatches
from assent.gate.rules.entries import NOTHING, only_perhaps
from assent.gate.rules.environment import strays
from assent.gate.rules.globs import may_meet
from assent.gate.rules.pathtree import folded_path, segments_of
from assent.gate.ruling.asked_in_every_mode import always_asked
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.denied_below import is_led, lies_there
from assent.gate.ruling.denied_paths_in_input import ROOT
from assent.gate.ruling.denied_words import (
    WRITERS,
    about_input,
    deny_by_words,
    run_by_words,
    telling,
)
from assent.gate.ruling.outside_paths import strays_of
from assent.gate.ruling.paths import TESTS, Place, is_new
from assent.gate.ruling.quoted_commands import written_in
from assent.gate.ruling.registries import asked_by
from assent.gate.ruling.repositories import starts_of
from assent.gate.ruling.ruling_context import RulingContext, against, all_against
from assent.gate.ruling.searched_files import Holds, about_names, holder_of, is_tracked
from assent.gate.ruling.wildcards import pattern_in
from assent.gate.shell.script import Command
from assent.gate.text.concatenated_texts import put_together
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["devices_of", "refusals_of", "talks"]


_BLIND: Final = frozenset(
    "tee touch mkdir rm rmdir unlink shred chmod chown chgrp truncate find gfind git".split()
)
"""Programs that change files and show nothing of them; of any other what it changes can be read."""

_PUTTING: Final = frozenset(
    """cp mv install rsync tar gtar bsdtar jar unzip 7z 7za 7zr 7zz cpio pax curl wget""".split()
)
"""Programs that put there what they take from elsewhere, whatever lies there before."""
_KEEPING: Final = late(r"-[A-Za-z]*[bBS]|--(?:back|suf)")
"""Flags with which these keep what lay there, under another name."""
_MAKES: Final = "mktemp"
_FRESH: Final = "tmp.*"
"""How what `mktemp` makes is called."""
_HOSTS: Final = late(r"(?<![\w-])[\w-]+(?:\.[\w-]+)+")
_IN_CODE: Final = late(r"(?:://|@|(?<=[(,=])[\"']|(?<=[(,=]\s)[\"'])([\w-]+(?:\.[\w-]+)+)")
"""Hosts in an address, or as an argument."""
_ASKING: Final = late(r"\b(?:curl|wget|nc|ssh|scp|ping|dig)\b[^\n;|&]*")
"""Commands that ask the hosts among their words."""
_WILD: Final = late(r"[*?\[]")
_ON: Final = frozenset("|>")
"""The signs by which what a command only shows comes into a file."""
_PROGRAM: Final = late(r"/s?bin/([^/]+)\Z")
_FILE: Final = late(r"(?!.*\.d\Z)(?:\.env(?:rc|\..*)?|.+\..+)")
"""A name that is surely a file's, unlike `conf.d`: who denies a folder means what is in it."""


def refusals_of(case: CommandAnalysis, rule_matches: RuleMatches) -> Iterator[Ruling]:
    """Everything that speaks against a command; `found` is what rules say of its words."""
    if case.context.book.rules:
        yield from all_against(chain((rule_matches,), _founds(case)))
    yield from always_asked(case)


def _founds(case: CommandAnalysis) -> Iterator[RuleMatches]:
    """What rules say of what it touches, reaches and does, and of what may be told in its words."""
    context, command, deeds, given = case.context, case.command, case.deeds, case.given
    for place in case.places:
        looks = deeds.reading and place.kind is Kind.LOOK and place.taken in _UNTAKEN
        if looks and command.name not in TESTS:
            yield from about_names(context, command, place)
        elif place.redirect or command.name not in TESTS:
            yield from _about_place(case, place)
        if place.kind.changes and not place.redirect and not _is_unseen(command, place):
            yield from _about_place(case, evolve(place, kind=Kind.READ))
    if ELSEWHERE.get(command.program) == CONTAINER:
        yield from _about_mounts(context, command, case.places)
    yield from (only_perhaps(matches) for matches in _about_taken(context, deeds, case.places))
    for host in _hosts_of(deeds, case.places):
        yield from _about_host(case, host)
    if context.book.on_effects:
        yield from _effects_of(case)
    yield from about_input(context, command)
    for value in (given[stray] or "" for stray in strays(given)) if given else ():
        yield from (context.book.host(it.casefold(), context) for it in _HOSTS.findall(value))
    if case.unsure:
        told = telling(command)
        yield run_by_words(context, command, told)
        yield from deny_by_words(context, command, told, given)
        dotted = (word.text for word in command.argv if "." in word.text)
        hosts = {host for text in dotted for host in _HOSTS.findall(text)}
        yield from (context.book.host(host.casefold(), context) for host in hosts)
        # Code may put the name of a host together.
        codes = (put_together(word.text) for word in command.argv[1:] if "(" in word.text)
        joined = {host for code in codes for host in _HOSTS.findall(code)} - hosts
        yield from (only_perhaps(context.book.host(it.casefold(), context)) for it in joined)
        yield from _about_hosts_read(context, command, hosts)


def _about_host(case: CommandAnalysis, host: str) -> Iterator[RuleMatches]:
    """What rules say of a host that a command reaches; where no word names one, of each it may be.

    `?` is any host, and each rule may be about that.
    """
    context = case.context
    matches = context.book.host(host, context)
    named = asked_by(case) if host == "?" and against(matches) is not None else None
    if named is None:
        yield matches
        return
    yield from (only_perhaps(context.book.host(it, context)) for it in named)


def _about_hosts_read(
    context: RulingContext, command: Command, named: set[str]
) -> Iterator[RuleMatches]:
    """What rules say of hosts that stand in what a program is fed, or in a file that it runs."""
    text = command.told_by(context.text)
    # Beside a rule for many hosts, `skimage.io` would be one.
    if "." not in text:
        return
    words = _HOSTS.findall(" ".join(_ASKING.findall(text)))
    for host in {*_IN_CODE.findall(text), *words} - named:
        yield only_perhaps(context.book.host(host.casefold(), context))


def _is_unseen(command: Command, place: Place) -> bool:
    """Whether nothing of what lies there can be read from what the command does to it."""
    if command.program in _BLIND:
        return True
    taken = place.kind is Kind.WRITE and command.program in _PUTTING
    return taken and not any(_KEEPING.match(word.text) for word in command.argv[1:])


def _may_be(pattern: str, name: str) -> bool:
    """Whether a pattern may stand for a name, be it a hidden one."""
    return may_meet(f"_{pattern}".casefold(), f"_{name}".casefold())


def _spares(context: RulingContext, what: str, place: Place, holds: Holds | None) -> bool:
    """Whether all that is denied has names that are left out."""
    if holds is None or place.target is None:
        return False
    rules = [
        rule
        for rule in context.book.rules
        if rule.tool == what and rule.verdict is not Verdict.ALLOW
    ]
    named = {rule.about: rule.about.rstrip("/").rpartition("/")[2] for rule in rules}
    if any(_WILD.search(it) or not _FILE.fullmatch(it) or holds(it, None) for it in named.values()):
        return False
    return not any(_may_be_folder(context, place, place.target, *it) for it in named.items())


def _may_be_folder(
    context: RulingContext, place: Place, target: Target, about: str, name: str
) -> bool:
    """Whether a rule that names a file may be about a folder, in which files of any name lie."""
    if not _WILD.search(about):
        found = (context.located(about, top) for top in context.tops)
        return any(target is None or context.facts.enters(target.resolved) for target in found)
    if folded_path(name) in segments_of(folded_path(target.resolved)):
        return True
    beyond = place.pattern is not None and (place.through or "/" in place.pattern.spelled)
    deep = beyond or place.tree or place.listed
    return deep and context.facts.lies_below(target.resolved, (f"{name}/",))


def _about_place(case: CommandAnalysis, place: Place) -> Iterator[RuleMatches]:
    context, command, what = case.context, case.command, place.kind.tool
    book = context.book
    if place.target is None:
        yield book.below(what, ROOT, context)
    elif what == "read" and not is_tracked(case, place):
        yield book.path(what, place.target, context)
        return
    elif place.pattern is not None:
        yield from _about_pattern(case, place, what)
    elif not _is_passed_over(context, command, place, place.target):
        yield book.path(what, place.target, context)
    deep = place.kind is not Kind.LOOK and (place.tree or place.listed)
    if deep and place.target is not None:
        yield from _about_all_below(case, place, place.target)


def _is_passed_over(context: RulingContext, command: Command, place: Place, target: Target) -> bool:
    """Whether it is a folder among the names of a pattern, of which who reads files reads nothing.

    To git a folder stands for all that lies in it, and a link to one leads there.
    """
    named = place.kind is Kind.READ and place.word.glob and not (place.tree or place.listed)
    reads = command.program not in {"git", "ln"}
    return named and reads and context.facts.enters(target.resolved)


def _about_all_below(case: CommandAnalysis, place: Place, target: Target) -> Iterator[RuleMatches]:
    """What may be among the files below a folder that are touched."""
    context, what = case.context, place.kind.tool
    if is_new(place):
        # What was just made has a name that nothing had before.
        yield context.book.pattern(what, pattern_in(target, _FRESH), context, tree=True)
        return
    holds = holder_of(case, place)
    through = place.listed and _goes_through(context, place, target)
    if holds is not None and place.listed and (through or is_led(context, place, target, holds)):
        holds = None
    if _spares(context, what, place, holds):
        return
    below = context.book.below(what, target, context, hidden=place.hidden)
    # What may be made anew is not left to what is on the disk now.
    if below is NOTHING or case.makes_files(place) or lies_there(case, place, target, holds):
        yield below


def _goes_through(context: RulingContext, place: Place, target: Target) -> bool:
    """Whether a folder may be read by the name of a link to it that is listed."""
    follows = place.tree and place.kind is not Kind.DELETE
    return follows and context.facts.links_in(target.resolved, all_=True) != ()


def _about_pattern(case: CommandAnalysis, place: Place, what: What) -> Iterator[RuleMatches]:
    """What rules say of all that a pattern may stand for, and is there where it is only read."""
    context = case.context
    if place.pattern is None or place.target is None:
        return
    last = place.pattern.named.rpartition("/")[2]
    spared = _spares(context, what, place, lambda name, _: _may_be(last, name))
    founds: list[RuleMatches] = []
    if place.tree or not spared:
        founds.append(context.book.pattern(what, place.pattern, context))
    # Where its star goes through folders, only what stands behind one is of a file's name.
    if place.through and not (spared and last.startswith("*")):
        founds.append(context.book.through(what, place.pattern, place.target, context))
    met = [it for it in founds if it is not NOTHING]
    if not met:
        return
    holds = holder_of(case, place) if what == "write" else None
    if case.makes_files(place) or lies_there(case, place, place.target, holds):
        yield from met


def _about_mounts(
    context: RulingContext, command: Command, places: list[Place]
) -> Iterator[RuleMatches]:
    """What may not be written, in a folder that what runs in a container may write into."""
    written = {word.path for word in mounted(command.argv, written=True)}
    for place in places:
        if place.target is not None and place.spelled in written:
            yield only_perhaps(context.book.path("write", place.target, context))
            yield context.book.below("write", place.target, context)


def _about_taken(
    context: RulingContext, deeds: Deeds, places: list[Place]
) -> Iterator[RuleMatches]:
    """A program that is denied, where it is read whole: copied or linked, it has another name."""
    if deeds.reading and _ON.isdisjoint(context.text):
        return
    for place in places:
        match = _PROGRAM.search(place.spelled) if place.kind is Kind.READ else None
        if match is not None:
            yield context.book.roughly(frozenset((match[1],)), context)


# Rules about what a command does: reads, writes, deletes, reaches other machines.
#
# What is known of it such a rule holds for; what it only may do, as a program of which no more is
# known, is asked about.

_DOES: Final = {
    "delete": frozenset(
        """rm rmdir unlink shred trash srm unlinkSync rmSync rmdirSync rmtree removedirs rm_rf
        rm_r remove delete del dropdb removeSync uninstall prune purge clean cleandead
        autoremove expunge deinit rmi atrm tmpreaper tmpwatch fdupes jdupes rdfind""".split()
    ),
    "network": frozenset(
        """curl wget nc ncat netcat socat ssh scp sftp ftp telnet rsync pip pip3 npx bunx uvx pipx
        svn hg cvs bzr ipfs aria2c aws gcloud az kubectl helm rclone twine mail mailx sendmail
        urllib urlopen requests httpx httpx2 aiohttp fetch socket Socket create_connection net dns
        HTTPConnection HTTPSConnection smtplib ftplib TCPSocket UDPSocket TCPServer LWP axios
        undici""".split()
    ),
}
"""Names of programs, and of what programs call, that have such an effect."""
_ADDRESS: Final = late(r"(?i)\b(?!file:)[a-z][a-z0-9+.-]{1,19}://\w|/inet[46]?/(?:tcp|udp)/")
"""How a word begins to name another machine, whatever program it is given to."""
_NAMES: Final = late(r"[A-Za-z_]\w*")
_TASK: Final = late(r"[:/]")
_UNTAKEN: Final = frozenset((Taken.NOTHING, Taken.SHOWN, Taken.SHOWN_BELOW))
_WRITES_AWAY: Final = frozenset({"write", "write:outside"})
_DEVICES: Final = ("/dev/tcp/", "/dev/udp/")


def _effects_of(case: CommandAnalysis) -> Iterator[RuleMatches]:
    """What the rules about effects say of a command."""
    context = case.context
    for name in _effects(case.deeds, case.places) | _effects_of_git(case):
        yield context.book.effect(name, context)
    for name in _possible(case):
        yield only_perhaps(context.book.effect(name, context))


def _possible(case: CommandAnalysis) -> set[str]:
    """What it may do: by its name, by what it runs, by the paths and addresses in its words."""
    command = case.command
    done = {"delete"} if command_losses(command, case.context.text) else set[str]()
    done |= {"delete"} if _is_among(REMOVING, command) else set()
    done |= _WRITES_AWAY if command.program == _MAKES else set()
    done |= {"network"} if _is_among(FETCHING, command) else set()
    if not case.unsure:
        return done
    # What it is fed counts as what stands in its words, but for what is only said.
    texts = [word.text for word in command.argv] + [command.told_by(case.context.text)]
    texts = texts[:1] if command.program in WRITERS else texts
    tokens = {token for text in texts for token in _NAMES.findall(text)}
    done |= {name for name, programs in _DOES.items() if tokens & programs}
    done |= {"network"} if talks(command) else set()
    return done | (_WRITES_AWAY if _strays(case) else set())


def _strays(case: CommandAnalysis) -> bool:
    """Whether a path outside the workspace stands in its words, or in code that changes it."""
    context, command = case.context, case.command
    if next(strays_of(context, command.argv[1:], case.anywhere), None) is not None:
        return True
    return next(written_in(command, context.text), None) is not None


def talks(command: Command) -> bool:
    """Whether it may speak with another machine, by what it is or by an address in its words."""
    words = {word.text for word in command.argv}
    mute = command.program in WRITERS or command.program == "sed"
    addressed = not mute and any(map(_ADDRESS.search, words))
    return addressed or _is_among(TALKING, command)


def _is_among(those: Iterable[frozenset[str]], command: Command) -> bool:
    """Whether a command has all the words of one of those."""
    words = {command.program, *(word.text for word in command.argv[1:])}
    words |= {word.partition("=")[0] for word in words if word.startswith("-")}
    # A task may stand behind the plugin that has it, and before how it is to be done.
    words |= {f":{_TASK.split(word)[-1].partition('@')[0]}" for word in words}
    return any(command.program in it and it <= words for it in those)


def _hosts_of(deeds: Deeds, places: list[Place]) -> Iterator[str]:
    """The hosts that it reaches, those behind the names of devices included."""
    yield from deeds.hosts
    yield from devices_of(places)


def devices_of(places: list[Place]) -> Iterator[str]:
    """The hosts behind the names of devices, as bash has them."""
    for place in places:
        for device in _DEVICES:
            if place.spelled.startswith(device):
                yield place.spelled.removeprefix(device).split("/")[0]


def _effects_of_git(case: CommandAnalysis) -> frozenset[str]:
    """What a command of git does to its repository, which is among none of its words."""
    if case.deeds.reading or not case.deeds.git_from:
        return frozenset()
    starts = starts_of(case.context, case.deeds, case.anywhere)
    away = any(start is None or not start.inside for start in starts)
    return _WRITES_AWAY if away else frozenset()


def _effects(deeds: Deeds, places: list[Place]) -> set[str]:
    """What the command does, in the words of rules about effects."""
    names = {"execute"}
    if any(_hosts_of(deeds, places)):
        names |= {"network", "external"}
    for place in places:
        kinds = {"write"} if place.kind.changes else {"read"}
        kinds |= {"delete"} if place.kind is Kind.DELETE else set()
        inside = place.target is not None and place.target.inside
        where = "inside" if inside else "outside"
        names |= kinds | {f"{kind}:{where}" for kind in kinds}
    return names
