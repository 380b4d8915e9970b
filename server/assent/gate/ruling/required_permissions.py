"""What a rule or the mode must allow for a command: itself, its paths, its folder.

A rule about a command is no rule about the files that it fills: these need a rule of their own,
unless the command does nothing but what its name says to files of the workspace.
"""

import re
from collections.abc import Iterator
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.call.modes import Mode, Reach
from assent.gate.call.verdicts import Actor, Ruling, Verdict, reach_of
from assent.gate.programs.code_inputs import is_given, is_written_here, takes_code
from assent.gate.programs.command_scopes import CHECKER, RUNNER, kind_of
from assent.gate.programs.deeds import Deeds, Kind
from assent.gate.programs.escapes import Escape
from assent.gate.programs.irreversible_losses import loss_beyond, shown_by
from assent.gate.programs.study import is_plainly_named
from assent.gate.programs.tables import row_of
from assent.gate.programs.tables.services import SENDERS
from assent.gate.programs.variables import is_dangerous
from assent.gate.rules.book import RuleMatches, WrittenRule
from assent.gate.rules.environment import only_declares, stray, strays
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.findings import deed_of
from assent.gate.ruling.killing import ends_its_own
from assent.gate.ruling.outside_paths import of_this_machine, strays_of, valued
from assent.gate.ruling.outward import ODD, rule_on_url, why_near
from assent.gate.ruling.paths import TESTS, Place
from assent.gate.ruling.plain_writers import loses_nothing, only_fills
from assent.gate.ruling.programs import is_builtin
from assent.gate.ruling.refusals import devices_of
from assent.gate.ruling.repositories import why_of_another
from assent.gate.ruling.ruling_context import RulingContext, strictest, unless_allowed
from assent.gate.ruling.uploads import sends_unseen
from assent.gate.shell.script import Command
from assent.gate.shell.word import Word
from assent.gate.text.addresses import address_of, hosts_named, is_odd, port_here
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["leaves_of", "rule_for"]

_FILLING: Final = frozenset("dd install rsync scp truncate sponge curl wget unzip patch".split())
"""Programs that fill files from elsewhere, or by other names than those that their words say: such
a file needs a rule about writing."""

_PUTTING: Final = frozenset("tee cp mv ln tar".split())
"""Programs that are there to put files where their words say: a rule that names one means them."""
_ASKS_HOSTS: Final = "curl"
_BY_TLS: Final = "https"
"""A program that asks at another port than an address without a scheme says."""
_UNREAD: Final = "?"
"""What stands among the hosts of a command for one that cannot be told."""
_ELSEWHERE: Final = late(
    r"-(?!-).*L|--(?:loc|proto)|(?:--url=)?(?:(?!https?:)\w[\w+.-]*://|(?:ftp|dict|ldap|imap|smtp|pop3)\.)",
    re.IGNORECASE,
)
"""How it is told to go on to whatever host an answer names, or to ask by no web address."""
_OPEN: Final = frozenset(
    """/etc/os-release /usr/lib/os-release /etc/lsb-release /etc/debian_version
    /etc/alpine-release /proc/cpuinfo /proc/meminfo /proc/version /proc/loadavg""".split()
)
"""Files that tell what machine this is, as `uname` and `lscpu` do, and nothing of its people."""

_MAKING: Final = frozenset({"mkdir", "rmdir"})
_ONLY_READS: Final = Ruling(verdict=Verdict.ALLOW, because="It only reads.")
_ONLY_FILLS: Final = Ruling(verdict=Verdict.ALLOW, because="It only writes what is named.")
_ONLY_WRAPS: Final = Ruling(verdict=Verdict.ALLOW, because="It only runs what it is given.")
_ONLY_ENDS: Final = Ruling(verdict=Verdict.ALLOW, because="It only ends what was started here.")
_ONLY_SETS: Final = Ruling(verdict=Verdict.ALLOW, because="It only sets a variable.")
_LOSES: Final = "Overwrites {}, and git does not have it as it stands."
_MOVES: Final = "Moves {}, which may be overwritten or leave the workspace."
_DELETES: Final = "Deletes {}."
_UNNAMED: Final = "The rule `{}` does not go as far: no rule lets {} be changed."
_GIVEN: Final = "It is given `{}`, and what that changes is not known."
"""What git itself has named: it is neither a message nor a flag."""


def leaves_of(
    case: CommandAnalysis, rule: WrittenRule | None, *, more: str | None, another: str | None
) -> Iterator[Ruling]:
    """Everything that a command needs, each with what is said of it.

    `rule` is what allows it, `more` says what a reading command may do besides, and `another` why
    it may not be the program of its name. A rule means whichever program has the name.
    """
    context, command, deeds = case.context, case.command, case.deeds
    odd = stray(case.given, rule)
    if odd is not None and deeds.reading and is_builtin(context, command):
        # No program is started that could be given it.
        odd = next(filter(is_dangerous, strays(case.given)), None)
    shown = shown_by(command.argv)
    if shown is not None and not _names_what_is_shown(rule, command):
        # What it prints stands in the chat, and with whoever gives the agent its model.
        yield evolve(_in_any_mode(context, Reach.READ_OUTSIDE), because=shown)
    leave = _command(case, rule, more=more, another=another, odd=odd)
    yield leave
    yield from _asked_of_hosts(case, rule, leave)
    for place in _furthest_first(case.places):
        yield from _place(case, rule, place)
    for folder in case.folders:
        if folder is None or not folder.inside:
            yield _folder(context, folder)
    if rule is not None and not rule.exact:
        foreign = why_of_another(case)
        if foreign is not None:
            because = f"The rule `{rule.text}` does not go as far: {foreign}."
            yield unless_allowed(context.by_mode(Reach.EXECUTE), because)
        if sends_unseen(command, _behind(rule, command), deeds, case.script):
            yield _said(context.by_mode(Reach.EXTERNAL), "What it sends")
        if not (deeds.reading or command.wraps):
            yield from _beyond_rule(case, rule)


def _furthest_first(places: list[Place]) -> list[Place]:
    """Of equals the first is told, and that is to be what reaches furthest."""
    if len(places) <= 1:
        return places
    return sorted(places, key=lambda place: reach_of([deed_of(place)]), reverse=True)


def _names_what_is_shown(rule: WrittenRule | None, command: Command) -> bool:
    """Whether a rule names the very words by which a secret is shown."""
    if rule is None or rule.exact:
        return rule is not None
    return bool(rule.words) and loss_beyond(rule.words, command.argv) is None


def _in_any_mode(context: RulingContext, reach: Reach) -> Ruling:
    """What the mode says, or the question of Default mode where it asks about nothing."""
    said = context.by_mode(reach)
    by_default = context.mode is Mode.AUTO and said.by is Actor.MODE
    return context.by_mode(reach, Mode.DEFAULT) if by_default else said


def _command(
    case: CommandAnalysis,
    rule: WrittenRule | None,
    *,
    more: str | None,
    another: str | None,
    odd: str | None,
) -> Ruling:
    """What is said of the command itself; `odd` is a variable that is asked about."""
    context, command, deeds = case.context, case.command, case.deeds
    asks = context.policy.mode is Mode.ASK
    if command.wraps and (another is None or rule is not None):
        return _ONLY_WRAPS
    if not asks and (not command.argv or only_declares(command)):
        return _ONLY_SETS
    # A rule about Python means whatever module of that name it finds.
    means = rule is not None and (rule.exact or not rule.words or bool(deeds.module))
    if more is not None and not means:
        return _may_do_more(context, more)
    further = beyond_rule(case, rule, odd) if rule is not None else None
    if rule is not None and further is None:
        return rule.ruling
    if another is not None:
        said = context.by_mode(Reach.EXECUTE)
        return evolve(said, because=another) if said.verdict is Verdict.ASK else said
    plain = not asks and odd is None
    own = _by_what_it_does(context, command, deeds) if plain and rule is None else None
    if own is not None or (deeds.reading and plain):
        return own or _ONLY_READS
    said = context.by_mode(Reach.EXECUTE)
    flag, file = next(iter(deeds.runs), ("", ""))
    if said.verdict is Verdict.ALLOW or (further is None and odd is None):
        names = file and said.verdict is Verdict.ASK
        return evolve(said, because=f"The flag `{flag}` runs `{file}`.") if names else said
    if rule is None or further is None:
        return evolve(said, because=_GIVEN.format(odd)) if said.verdict is Verdict.ASK else said
    if further.replace("`", "") == f"{flag} {Escape.RUNS}":
        further = f"`{flag}` runs `{file}`"
    return evolve(said, because=f"The rule `{rule.text}` does not go as far: {further}.")


def _by_what_it_does(context: RulingContext, command: Command, deeds: Deeds) -> Ruling | None:
    """What lets a command pass that does nothing but what rules about files or hosts are about."""
    if only_fills(context, command, deeds):
        return _ONLY_FILLS
    if ends_its_own(context, command) and is_builtin(context, command):
        return _ONLY_ENDS
    return _only_fetches(context, command, deeds)


def _only_fetches(context: RulingContext, command: Command, deeds: Deeds) -> Ruling | None:
    """The rule that lets a command do nothing but ask hosts, as the tool for that does."""
    plain = command.program == _ASKS_HOSTS and is_plainly_named(command.name)
    plain = plain and deeds.known and not deeds.escapes
    plain = plain and all(word.known or word.choices for word in command.argv[1:])
    texts = (text for word in command.argv[1:] for text in word.choices or (word.text,))
    plain = plain and not any(map(_ELSEWHERE.match, texts))
    if not (plain and deeds.hosts):
        return None
    said = strictest([rule_on_url(context, f"http://{host}/") for host in deeds.hosts])
    return said if said.verdict is Verdict.ALLOW and said.by is Actor.RULE else None


def _asked_of_hosts(
    case: CommandAnalysis, rule: WrittenRule | None, leave: Ruling
) -> Iterator[Ruling]:
    """What is asked about a request that the tool for requests would ask about, too."""
    context, command = case.context, case.command
    # Who wrote a rule that covers the command, or allowed this very call, means its host.
    by_rule = rule is not None and leave is rule.ruling
    if leave.verdict is not Verdict.ALLOW or by_rule or context.granted is not None:
        return
    row, words = row_of((command.program,)), command.argv[1:]
    is_request = row is not None and row.irreversible_uses == SENDERS
    texts = [text for word in words for text in word.choices or (word.text,)] if is_request else []
    hosts = [*(case.deeds.hosts if is_request else ()), *devices_of(case.places)]
    named = [(text, (text.casefold(), *hosts_named(text))) for text in texts if " " not in text]
    for host in dict.fromkeys([*hosts, *(host for _, (_, *more) in named for host in more)]):
        ports = [port_here(it) for it, forms in named if any(host in form for form in forms)]
        # What starts a server and then tries it asks nobody but that.
        led = any(escape.endswith(Escape.CONNECTS_ELSEWHERE) for escape in case.deeds.escapes)
        sure = bool(ports) and not led and command.program != _BY_TLS
        idle = sure and not any(port is None or context.facts.listens(port) for port in ports)
        if (near := why_near(context, address_of(f"http://{host}/"))) and not idle:
            yield Ruling(verdict=Verdict.ASK, because=near)
    known = [word.text for word in words if word.known]
    # Of what is written out no host could be read: it has per cent signs in it, braces, or no name.
    unread = (
        _UNREAD in hosts and len(known) == len(words) and any(word[:1] != "-" for word in known)
    )
    if is_request and (unread or any(map(is_odd, known))):
        yield Ruling(verdict=Verdict.ASK, because=ODD)


def _may_do_more(context: RulingContext, why: str) -> Ruling:
    """What reads, and may do more, is asked about in every mode that asks about anything."""
    said = context.by_mode(Reach.READ_OUTSIDE)
    if said.verdict is Verdict.ALLOW or context.policy.on_copy:
        return context.by_mode(Reach.EXECUTE)
    return evolve(said, because=why)


def _place(case: CommandAnalysis, rule: WrittenRule | None, place: Place) -> Iterator[Ruling]:
    context, command = case.context, case.command
    if not place.redirect and rule is not None and _is_named(rule, place):
        return
    if not place.kind.changes:
        yield from _read(context, command, place)
    elif rule is None or place.redirect:
        yield _write(case, place)
    elif not _is_own(context, command, rule, place):
        said = _write(case, place)
        unnamed = said.verdict is Verdict.ASK and said.by is Actor.MODE and place.target is not None
        why = _UNNAMED.format(rule.text, place.spelled)
        yield evolve(said, because=why) if unnamed else said


def _is_named(rule: WrittenRule, place: Place) -> bool:
    """Whether the rule names this very path."""
    return place.target is not None and (rule.exact or place.spelled in rule.words)


def _is_own(context: RulingContext, command: Command, rule: WrittenRule, place: Place) -> bool:
    """Whether a change is what the command is there for, in the workspace.

    Who has written down which files may be written means those, but for what goes through a
    project and writes it anew; a file that a compiler is told to make is named like any other.
    """
    kind = kind_of(command.argv)
    anew = kind == CHECKER or (kind == RUNNER and place.pattern is not None)
    means = anew or not context.book.allows_writes
    if place.target is None or not (place.target.inside and means):
        return False
    if place.some and place.kind is Kind.WRITE:
        # What is unpacked there is named nowhere.
        return False
    if command.program in _PUTTING:
        return bool(rule.words)
    return command.program not in _FILLING


def _read(context: RulingContext, command: Command, place: Place) -> Iterator[Ruling]:
    target = place.target
    if target is None:
        if place.kind is not Kind.LOOK or command.name not in TESTS:
            yield _said(context.by_mode(Reach.READ_OUTSIDE), f"Where `{place.spelled}` leads")
    elif not target.inside and (target.resolved not in _OPEN or place.tree):
        yield _rule_on_path(context, place, target) or context.by_mode(Reach.READ_OUTSIDE)


def _write(case: CommandAnalysis, place: Place) -> Ruling:
    context, target = case.context, place.target
    if target is None:
        return _said(context.by_mode(Reach.WRITE_OUTSIDE), f"Where `{place.spelled}` leads")
    reach = Reach.WRITE_INSIDE if target.inside else Reach.WRITE_OUTSIDE
    by_rule = _rule_on_path(context, place, target, makes=case.command.name in _MAKING)
    if by_rule is not None:
        return by_rule
    by_mode = context.by_mode_on(target, reach)
    edits = context.policy.mode is Mode.ACCEPT_EDITS and by_mode.verdict is Verdict.ALLOW
    if not edits or loses_nothing(case, place):
        return by_mode
    asked = context.by_mode(reach, Mode.DEFAULT)
    lost = _lost_by(case, place).format(target.shown if place.pattern is None else place.spelled)
    # A bypass has a reason of its own.
    return evolve(asked, because=lost) if asked.verdict is Verdict.ASK else asked


def _lost_by(case: CommandAnalysis, place: Place) -> str:
    if place.kind is not Kind.DELETE:
        return _LOSES
    return _MOVES if case.deeds.moves else _DELETES


def _rule_on_path(
    context: RulingContext, place: Place, target: Target, *, makes: bool = False
) -> Ruling | None:
    """What a rule about the path allows; a pattern needs a rule for all that it may be."""
    what = place.kind.tool
    matches = context.book.path(what, place.pattern or target, context)
    if matches.allow is None and (makes or _is_filled(context, place, target)):
        # A folder belongs to a rule for whatever lies below it.
        # What is listed may lie deeper.
        for below in ("/-/-", "/-") if place.listed else ("/-",):
            inner = f"{target.resolved}{below}"
            matches = context.book.path(what, evolve(target, resolved=inner, named=inner), context)
            if matches.allow is None:
                break
    return None if matches.allow is None else matches.allow.ruling


def _is_filled(context: RulingContext, place: Place, target: Target) -> bool:
    """Whether files are written into a folder, or some that lie in it are."""
    if place.kind is not Kind.WRITE or place.tree or place.pattern is not None:
        return False
    if place.listed:
        # Through a link another file would be written.
        return context.facts.links_in(target.resolved, all_=True) == ()
    return context.facts.enters(target.resolved)


def _beyond_rule(case: CommandAnalysis, rule: WrittenRule) -> Iterator[Ruling]:
    """The other places that a rule for a command's first words cannot have meant."""
    context, command = case.context, case.command
    here = of_this_machine(command, _behind(rule, command))
    # Of a program whose operands are known, what its flags are given may still be a path.
    unread = valued(here) if case.deeds.known else here
    for target in strays_of(context, unread, case.folders):
        matches = context.book.path("read", target, context)
        said = matches.allow.ruling if matches.allow is not None else None
        yield said or context.by_mode(Reach.READ_OUTSIDE)


def _behind(rule: WrittenRule, command: Command) -> tuple[Word, ...]:
    """The words behind those that a rule names."""
    named = tuple(word.text for word in command.argv[: len(rule.words)]) == rule.words
    return command.argv[len(rule.words) if named and rule.words else 1 :]


def _folder(context: RulingContext, folder: Target | None) -> Ruling:
    if folder is None:
        return _said(context.by_mode(Reach.READ_OUTSIDE), "The folder that it runs in")
    matches = context.book.path("read", folder, context)
    if matches.allow is not None:
        return matches.allow.ruling
    because = f"It runs outside the workspace, in {folder.shown}."
    return unless_allowed(context.by_mode(Reach.READ_OUTSIDE), because)


def _said(by_mode: Ruling, what: str) -> Ruling:
    return unless_allowed(by_mode, f"{what} is only known when it runs.")


# Whether a rule goes as far as a command: which of those that are about it, and what is beyond.

_BY_INPUT: Final = "what it runs comes from its input"


def rule_for(case: CommandAnalysis, rule_matches: RuleMatches) -> WrittenRule | None:
    """The first rule that goes as far as a command, else the first that is about it."""
    if not rule_matches.others:
        return rule_matches.allow
    rules = [it for it in (rule_matches.allow, *rule_matches.others) if it is not None]
    said = ((rule, beyond_rule(case, rule, stray(case.given, rule))) for rule in rules)
    return next((it for it, why in said if why is None), rule_matches.allow)


def beyond_rule(case: CommandAnalysis, rule: WrittenRule, odd: str | None) -> str | None:
    """What a command does beyond its rule, or None: what is named there is meant."""
    command, deeds, text = case.command, case.deeds, case.context.text
    if odd is not None:
        return f"it is given `{odd}`"
    fed = rule.words and is_given(command) and takes_code([word.text for word in command.argv])
    if rule.exact:
        return _BY_INPUT if fed else None
    # A rule for every command names none of its words.
    if not rule.words or (deeds.reading and not fed):
        return next(iter(deeds.escapes), None)
    # What flags mean is loaded with the first rule for a command's first words.
    from assent.gate.programs.prefix_scope import beyond, means_any_code  # noqa: PLC0415

    if fed and not (is_written_here(command, text) and means_any_code(rule.words, command.argv)):
        return _BY_INPUT
    why = beyond(rule.words, command.argv, deeds.escapes, text=text)
    return why or loss_beyond(rule.words, command.argv)
