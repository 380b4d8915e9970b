"""Suggests rules for an answer "always": rules that a careful person would keep.

A suggestion is tried before it is made: with it in force the call passes, without any one of its
rules it does not. What a person could not see whole, what cannot be undone, and what no rule may
lift, gets none.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from assent.gate.call.calls import Call
from assent.gate.call.verdicts import Deed, Part, Ruling, Verdict
from assent.gate.programs.code_inputs import is_given, takes_code
from assent.gate.rules.command_texts import (
    MORE_RIGHTS,
    broad_rules,
    commands_of,
    host_rule,
    host_rules,
    named_rule,
    network_rule,
    texts_that_deny,
    to_the_letter,
    with_flags,
)
from assent.gate.rules.drafts import NONE, Drafts
from assent.gate.rules.notation import RuleRefused, written
from assent.gate.rules.path_texts import Folders, folder_rules, path_rule, path_rules
from assent.gate.rules.written_rules import WrittenRule

__all__ = ["MAX_RULES", "Trial", "drafts_for"]

MAX_RULES: Final = 5
"""More rules at once nobody reads."""

_MAX_PARTS: Final = 12
"""Of a call with more parts that ask, too many would have to be tried."""

_MAX_TRIALS: Final = 40
"""How often a call is ruled on again to find rules that let it pass."""

_MAX_TRIED_TOGETHER: Final = 12
"""How many rules are tried at once, to keep those of them that are needed."""

_MAX_DENYING: Final = 2
"""How many rules are tried for each part that is to be denied."""

_BY_INPUT: Final = "No rule is offered: what it runs comes from its input, which no rule names."

Trial = Callable[[tuple[WrittenRule, ...]], Ruling]
"""Rules on the call with these rules in force, beside those that are."""

Texts = tuple[str, ...]


def drafts_for(call: Call, ruling: Ruling, trial: Trial, folders: Folders) -> Drafts:
    """The rules that are suggested for a question about a call.

    `trial` rules on it again, with further rules in force.

    >>> from assent.gate.call.calls import Effect
    >>> from assent.gate.call.modes import Mode
    >>> from assent.gate.ruling.decide import decide
    >>> from assent.gate.ruling.policy import Policy
    >>> from assent.gate.disk.places import Places
    >>> from assent.gate.rules.book import Book
    >>> whose = {"id": "1", "chat": "c", "agent": "eliza", "cwd": "/w"}
    >>> given = {"server": "files", "tool": "read"}
    >>> call = Call(tool="mcp", effect=Effect.EXTERNAL, input=given, **whose)
    >>> trial = lambda rules: decide(call, Policy(mode=Mode.DEFAULT, book=Book(rules=rules)))
    >>> drafts = drafts_for(call, trial(()), trial, Places(roots=("/w",), home="/h"))
    >>> drafts.allow, drafts.deny
    (('mcp(files:read)',), ('mcp(files:read)',))
    """
    if not ruling.lasting or call.unreadable is not None:
        return NONE
    search = _Search(call, ruling, trial, folders)
    allow = () if _asked_by_rule(ruling) else search.rules_that_allow()
    why = _BY_INPUT if not allow and _is_by_input(call, ruling) else ""
    return Drafts(allow=allow, deny=search.rules_that_deny(), why=why)


def _is_by_input(call: Call, ruling: Ruling) -> bool:
    """Whether a part asked that takes from its input what it runs."""
    if call.tool != "shell":
        return False
    asking = [part for part in ruling.parts if part.verdict is not Verdict.ALLOW]
    commands = [command for part in asking for command, _ in commands_of(call, part)]
    return any(
        is_given(command) and takes_code([word.text for word in command.argv])
        for command in commands
    )


def _asked_by_rule(ruling: Ruling) -> bool:
    """Whether a rule asks, which no other rule can lift."""
    judged = [(part.verdict, part.rule) for part in ruling.parts]
    rules = [rule for verdict, rule in (*judged, (ruling.verdict, ruling.rule)) if verdict]
    return any(rule is not None for rule in rules)


class _Search:
    """Looks for rules, and rules on the call once with each choice of them."""

    def __init__(self, call: Call, ruling: Ruling, trial: Trial, folders: Folders) -> None:
        self._call = call
        self._ruling = ruling
        self._trial = trial
        self._folders = folders
        self._is_inside = all(deed.inside for deed in ruling.deeds if deed.kind == "look")
        self._rulings: dict[Texts, Ruling | None] = {}

    def rules_that_allow(self) -> Texts:
        """Rules that together let the call pass, each of them needed; none where there are none."""
        if self._call.tool != "shell":
            alternatives = _beside_shell(self._call, self._folders)
            return next(
                (
                    texts
                    for texts in alternatives
                    if len(texts) <= MAX_RULES and self._allows(texts)
                ),
                (),
            )
        if sum(part.verdict is not Verdict.ALLOW for part in self._ruling.parts) > _MAX_PARTS:
            return ()
        chosen = self._all_at_once() or self._part_by_part()
        # The later ones are done without first: they reach less far.
        for text in reversed(chosen):
            if self._allows(less := _without(chosen, text)):
                chosen = less
        return chosen if len(chosen) <= MAX_RULES and self._allows(chosen) else ()

    def _all_at_once(self) -> Texts:
        """The first choice for each part that asked, if these let the call pass."""
        # What a program's words mean takes its tables.
        from assent.gate.programs.study import study  # noqa: PLC0415

        asking = [part for part in self._ruling.parts if part.verdict is not Verdict.ALLOW]
        commands = [command for part in asking for command in commands_of(self._call, part)]
        if any(command.program in MORE_RIGHTS for command, _ in commands):
            return ()
        # A command that only reads asks for a path: leave for that is all it lacks.
        doing = [command for command in commands if not study(command[0]).reading]
        broad = broad_rules(doing, is_inside=self._is_inside)
        texts = [text or to_the_letter(*each) for text, each in zip(broad, doing, strict=True)]
        hosts = [text for command, _ in commands for text in host_rules(command)]
        more = [*folder_rules(self._ruling.deeds, self._folders), *hosts]
        pools = ((*broad, *more), (*texts, *more)) if None in broad else (broad, (*broad, *more))
        for pool in map(_known, pools):
            if pool and self._allows(pool):
                return pool
        return ()

    def _part_by_part(self) -> Texts:
        """The first choice that lets each part pass, beside those for the parts before it."""
        chosen: Texts = ()
        latest = self._ruling
        for at, part in enumerate(self._ruling.parts):
            if _passes(latest, at):
                continue
            for texts in self._alternatives(part):
                if self._lets_pass((*chosen, *texts), at):
                    chosen = _known((*chosen, *texts))
                    break
            else:
                return ()
            latest = self._ruled(chosen) or latest
        return chosen

    def rules_that_deny(self) -> Texts:
        """Rules of which each refuses the call."""
        if self._call.tool != "shell":
            exact = [*_beside_shell(self._call, self._folders)]
            return tuple(text for text in exact[-1] if self._denies(text)) if exact else ()
        found: dict[str, None] = {}
        parts = enumerate(self._ruling.parts)
        for at in [at for at, part in parts if part.verdict is not Verdict.ALLOW][:MAX_RULES]:
            # Where a leave for the paths is all that is missing, the paths are what asked.
            paths = tuple(path_rules(self._ruling.deeds))[:MAX_RULES]
            denying = [path for path in paths if self._denies(path)]
            if not (denying and self._lets_pass(paths, at)):
                names = dict.fromkeys(texts_that_deny(self._call, self._ruling.parts[at]))
                tried = [*names][:_MAX_DENYING]
                denying = [text for text in tried if self._denies(text)][:1]
            found |= dict.fromkeys(denying)
        return tuple(found)[:MAX_RULES]

    def _alternatives(self, part: Part) -> Iterator[Texts]:
        """What could let a part pass: program and subcommand, folders and hosts, this very call."""
        commands = commands_of(self._call, part)
        if any(command.program in MORE_RIGHTS for command, _ in commands):
            return
        exact = [to_the_letter(*command) for command in commands]
        wider = [
            with_flags(*command) or narrow for command, narrow in zip(commands, exact, strict=True)
        ]
        broader = broad_rules(commands, is_inside=self._is_inside)
        broad = [text or other for text, other in zip(broader, wider, strict=True)]
        folders = [*folder_rules(self._ruling.deeds, self._folders)]
        paths = [*path_rules(self._ruling.deeds, self._folders)]
        choices: list[Sequence[str | None]] = [
            *(broad, folders, [*broad, *folders]),
            *(wider, [*wider, *folders]),
            *(exact, paths, [*exact, *paths]),
        ]
        yield from (texts for texts in dict.fromkeys(map(_known, choices)) if texts)

    def _ruled(self, texts: Texts) -> Ruling | None:
        """The ruling with these rules as they would be read again; None where they cannot be."""
        if texts not in self._rulings:
            rules = _written(texts, Verdict.ALLOW)
            is_tried = rules is not None and len(rules) <= _MAX_TRIED_TOGETHER
            self._rulings[texts] = (
                self._trial(rules)
                if is_tried and rules is not None and len(self._rulings) < _MAX_TRIALS
                else None
            )
        return self._rulings[texts]

    def _lets_pass(self, texts: Texts, at: int) -> bool:
        ruling = self._ruled(texts)
        return ruling is not None and _passes(ruling, at)

    def _allows(self, texts: Texts) -> bool:
        ruling = self._ruled(texts) if texts else None
        return ruling is not None and ruling.verdict is Verdict.ALLOW

    def _denies(self, text: str) -> bool:
        rules = _written((text,), Verdict.DENY)
        return rules is not None and self._trial(rules).verdict is Verdict.DENY


def _passes(ruling: Ruling, at: int) -> bool:
    return at < len(ruling.parts) and ruling.parts[at].verdict is Verdict.ALLOW


def _known(texts: Iterable[str | None]) -> Texts:
    return tuple(dict.fromkeys(text for text in texts if text is not None))


def _without(texts: Texts, text: str) -> Texts:
    return tuple(other for other in texts if other != text)


def _written(texts: Texts, verdict: Verdict) -> tuple[WrittenRule, ...] | None:
    try:
        return tuple(written(text, verdict) for text in texts)
    except RuleRefused:
        return None


def _beside_shell(call: Call, folders: Folders) -> Iterator[Texts]:
    """What could be said of a call that is no command, the broadest first."""
    given = call.input
    match call.tool:
        case "read" | "write":
            deeds = [
                Deed(kind=call.tool, what=target.shown, inside=target.inside, lies=target.resolved)
                for target in call.targets
            ]
            exact = [path_rule(call.tool, deed.what, inside=deed.inside) for deed in deeds]
            if deeds and None not in exact:
                hosts = host_rule(call.sent_to or "")
                broad = _known(folder_rules(deeds, folders, reads_inside=True))
                yield (*broad, *hosts)
                yield (*_known(exact), *hosts)
        case "fetch":
            yield host_rule(str(given.get("url", "")))
        case "network":
            yield network_rule(given)
        case "mcp":
            yield named_rule(f"mcp({given.get('server', '')}:{given.get('tool', '')})")
        case "run":
            yield named_rule(f"run({given.get('name', '')})")
        case "agent":
            yield named_rule(f"agent({given.get('name', '')})")
        case _:
            return
