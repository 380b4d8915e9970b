"""Decides on a call from its facts: pure, synchronous, and total.

Deny beats ask, ask beats allow, allow beats the mode. What cannot be read, and whatever would
change what is allowed later, is asked in every mode. An exception here is a question.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from assent.gate.call.calls import Beside, Call, Effect, Target, handed_in, texts_in
from assent.gate.call.modes import Mode, reach_of
from assent.gate.call.verdicts import Actor, Deed, Ruling, Verdict
from assent.gate.rules.book import TwoBooks, WrittenRule
from assent.gate.ruling.denied_paths_in_input import refused_path
from assent.gate.ruling.facts import UNKNOWN, Facts
from assent.gate.ruling.files import deeds_of, effects_of, rule_on_files
from assent.gate.ruling.forms import FOR_PERSON, rule_on_form, rule_on_question
from assent.gate.ruling.outward import (
    CHANGED,
    UNTOLD,
    against_names,
    hosts_in,
    rule_on_fetch,
    rule_on_network,
    rule_on_tool,
)
from assent.gate.ruling.paths_in_text import given_in, mentioned_in
from assent.gate.ruling.policy import Policy
from assent.gate.ruling.protected import (
    CHANGES_WHAT_IS_ALLOWED,
    change_of,
    git_folders,
    keys_in,
    protected_place,
)
from assent.gate.ruling.ruling_context import (
    RulingContext,
    against,
    asked,
    instead,
    of_mode,
    strictest,
    unless_refused,
)
from assent.gate.shell.steps import Budget
from assent.gate.values import evolve

__all__ = ["FOR_PERSON", "decide"]

_MAX_CARD_LETTERS: Final = 4 * 1024 * 1024
"""Nobody reads more on a card, and drawing it would keep others waiting."""

_MAX_UNCHECKED_LETTERS: Final = 128 * 1024
"""Up to here it does not matter how a text is drawn."""
_BOX: Final = 32
"""A box for what cannot be seen takes about as much as so many letters."""
_BLANKS: Final = " " * 8

_ALLOW, _ASK, _DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
_READ, _WRITE = Effect.READ, Effect.WRITE
"""Looking up a member of an enumeration takes Python 3.11 as long as calling a function."""

_TOO_LARGE: Final = "This call is too large to be shown whole; do it in smaller parts."
_HEARSAY: Final = "Its agent tells in its own words alone what it would run; no rule allows that."
_EVERY: Final = "*"
_SOUGHT: Final = frozenset(("pattern", "query", "regex"))
"""The arguments of other people's agents that have a text looked for in files."""
_READ_WHOLE: Final = frozenset({"shell", "fetch", "network"})
"""The tools of which all input is understood, so that nothing is guessed from its words."""

_TRYING: Final = frozenset({Mode.DEFAULT, Mode.ACCEPT_EDITS})
"""The modes in which commands run on a copy instead of being asked about."""
_IN_SANDBOX: Final = "Auto mode lets agents run commands, and this one runs in the sandbox."

_TOOL_OF: Final = {
    "look": "read",
    "read": "read",
    "write": "write",
    "delete": "write",
    "network": "fetch",
}
"""The tool whose rules are about what a command does."""


def decide(
    call: Call, policy: Policy, facts: Facts = UNKNOWN, budget: Budget | None = None
) -> Ruling:
    """Rule on `call` by a budget: the strictest rule that covers it, else the mode."""
    try:
        ruling = _decide(call, policy, facts, budget or Budget())
        can = call.tool == "shell" and policy.trusted
        return _by_sandbox(ruling, call, policy, facts) if can else ruling
    except Exception as error:  # noqa: BLE001 -- whatever goes wrong in judging, the person is asked
        said = asked(f"The policy could not judge this call ({type(error).__name__}).")
        return unless_refused(said, of_mode(policy.mode, reach_of(call)))


def _by_sandbox(ruling: Ruling, call: Call, policy: Policy, facts: Facts) -> Ruling:
    """What becomes of a ruling on a command where commands can run on copies of the workspace.

    What is asked about may be allowed there by a rule, or run on a copy first. In Auto all that
    does not only read runs on one, and what cannot, or works only outside, is a question.
    """

    def said_by(other: Policy) -> Ruling:
        return _decide(call, other, facts, Budget())

    if ruling.verdict is _ASK and call.why_outside == "":
        there = _by_rules_there(policy, said_by)
        if there is not None:
            return there
        if policy.tries and policy.mode in _TRYING:
            on_copy = said_by(evolve(policy, on_copy=True))
            return evolve(ruling, may_try=on_copy.verdict is _ALLOW)
    is_held = policy.holds and policy.mode is Mode.AUTO and call.has_sandbox
    if not is_held or ruling.verdict is _DENY:
        return ruling
    return _held(ruling, call, policy, said_by)


def _held(
    ruling: Ruling, call: Call, policy: Policy, said_by: Callable[[Policy], Ruling]
) -> Ruling:
    """What becomes of a ruling in Auto."""
    # What goes on in the background would see what others change meanwhile.
    ends = not call.input.get("background")
    if ends and said_by(evolve(policy, braked=True)).verdict is _ALLOW:
        return ruling
    why_outside = call.why_outside
    held = None if why_outside else said_by(evolve(policy, on_copy=True))
    if held is not None and held.verdict is _ALLOW:
        return evolve(held, by=Actor.MODE, because=_IN_SANDBOX, in_sandbox=True)
    if ruling.verdict is _ASK:
        return ruling
    if held is not None:
        return _by_rules_there(policy, said_by) or held
    because = f"It would run outside the sandbox. {why_outside!s}"
    # Each part of it may pass: it is asked about as a whole.
    return evolve(instead(ruling, Ruling(verdict=_ASK, because=because)), parts=())


def _by_rules_there(policy: Policy, said_by: Callable[[Policy], Ruling]) -> Ruling | None:
    """Leave to run in the sandbox by rules alone; in Auto the mode would give it for outside."""
    if not _has_rules_there(policy):
        return None
    there = said_by(evolve(policy, in_sandbox=True, braked=policy.mode is Mode.AUTO))
    if there.verdict is not _ALLOW:
        return None
    # Other parts may pass by other rules: named is one without which it would not run there.
    rules = {rule.text: rule for rule in _rules_there(policy)}
    named = next((rules[part.rule].ruling for part in there.parts if part.rule in rules), there)
    return evolve(
        there, in_sandbox=True, because=named.because, rule=named.rule, source=named.source
    )


def _has_rules_there(policy: Policy) -> bool:
    return policy.book.allows_in_sandbox or policy.more.allows_in_sandbox


def _rules_there(policy: Policy) -> Iterator[WrittenRule]:
    return (rule for book in (policy.book, policy.more) for rule in book.rules if rule.in_sandbox)


def _decide(call: Call, policy: Policy, facts: Facts, left: Budget) -> Ruling:
    words = [] if call.targets or call.tool in _READ_WHOLE else handed_in(call)
    if _is_too_large(call):
        return Ruling(verdict=_DENY, because=_TOO_LARGE)
    said = _said_for_chat(call, policy) if policy.rules else None
    if said is not None and said.verdict is _DENY:
        return said
    granted = said if said is not None and said.verdict is _ALLOW else None
    if call.made_by is not None and granted is None and _has_rules_there(policy):
        granted = _by_its_command(decide(call.made_by, policy, facts, left))
    if call.agreed and of_mode(policy.mode, reach_of(call)).verdict is not _DENY:
        granted = Ruling(verdict=_ALLOW, because=call.agreed, by=Actor.RULE)
    book = TwoBooks(policy.book, policy.more) if policy.more.rules else policy.book
    context = RulingContext(
        call=call, policy=policy, book=book, facts=facts, granted=granted, budget=left
    )
    ruling = _JUDGES.get(call.tool, _rule_on_other)(context)
    if call.beside:
        ruling = _with_besides(context, ruling)
    # A tool that is handed nothing names nothing; of one with targets the words were not gathered.
    named = call.served or (call.tool in UNTOLD and (words or call.targets))
    if named or book.on_effects or book.suspended:
        ruling = instead(ruling, strictest([ruling, *_beside(context, ruling)]))
    if said is not None and said.verdict > ruling.verdict:
        ruling = instead(ruling, said)
    if policy.hook is not None and policy.hook.verdict >= max(ruling.verdict, _ASK):
        ruling = instead(ruling, policy.hook)
    if call.hearsay and ruling.verdict is _ALLOW and not _lets_words_pass(policy, call):
        ruling = instead(ruling, asked(_HEARSAY))
    return ruling if ruling.verdict is _DENY else _always_asked(context, ruling, words)


def _by_its_command(ruling: Ruling) -> Ruling | None:
    """Leave for what a command changed that a rule lets run in the sandbox."""
    if not ruling.in_sandbox or ruling.rule is None:
        return None
    because = f"The rule `{ruling.rule}` allows what this command changes."
    return Ruling(
        verdict=_ALLOW, because=because, by=Actor.RULE, rule=ruling.rule, source=ruling.source
    )


def _with_besides(context: RulingContext, ruling: Ruling) -> Ruling:
    said = strictest([ruling, *_against_besides(context, ruling, decide)])
    return evolve(instead(ruling, said), deeds=_deeds_besides(context.call))


def _lets_words_pass(policy: Policy, call: Call) -> bool:
    """Whether whatever an agent may have meant would pass: by its bypass, or by the mode."""
    bypassed = call.agent in policy.bypassed
    return bypassed or of_mode(policy.mode, reach_of(call)).verdict is _ALLOW


def _is_too_large(call: Call) -> bool:
    size = len(call.says)
    for value in call.input.values():
        size += len(value) if type(value) is str else sum(map(len, texts_in(value)))
    for edit in call.edits:
        size += len(edit.new) + len(edit.old or "")
    # Of a change no more is drawn than a card has room for; of all else, each letter.
    if _MAX_UNCHECKED_LETTERS < size <= _MAX_CARD_LETTERS and not call.edits:
        size += sum(map(_boxes_in, (call.says, *texts_in(call.input)))) * _BOX
    return size > _MAX_CARD_LETTERS


def _boxes_in(text: str) -> int:
    """How many boxes are drawn for what cannot be seen in a text, at most."""
    seen = sum(map(str.isprintable, text)) + text.count("\n") + text.count("\t")
    return len(text) - seen + text.count(_BLANKS)


def _said_for_chat(call: Call, policy: Policy) -> Ruling | None:
    """The strictest of what a person said for this chat."""
    covering = [rule.ruling for rule in policy.rules if rule.covers(call)]
    return max(covering, key=lambda it: it.verdict) if covering else None


def _beside(context: RulingContext, ruling: Ruling) -> list[Ruling]:
    """What rules say of the call besides: that they cannot be read, of its effects and names."""
    rulings = []
    call, book = context.call, context.book
    does = {_TOOL_OF.get(deed.kind, "") for deed in ruling.deeds}
    may_be = {"mcp"} if call.served else set[str]()
    # What denies requests to a host denies connections to it.
    may_be |= {"fetch"} if call.tool == "network" else set()
    if not book.suspended.isdisjoint({call.tool, _EVERY, *does, *may_be}):
        because = "A rule that denies or asks could not be read, so this is asked about."
        rulings.append(asked(because))
    if book.on_effects and call.tool != "shell":
        founds = [book.effect(name, context) for name in effects_of(call)]
        said = [against(found) for found in founds]
        rulings += [ruling for ruling in said if ruling is not None]
    return [*rulings, *against_names(context)]


def _always_asked(context: RulingContext, ruling: Ruling, words: list[str]) -> Ruling:
    """The question that no rule, mode or bypass lifts, if this call raises one; else the ruling."""
    call = context.call
    if call.unreadable is not None:
        return instead(ruling, asked(f"This call could not be read: {call.unreadable}"))
    if call.caution:
        said, told = instead(ruling, asked(call.caution)), call.described
        return said if told is None or told.before is None else evolve(said, grave=CHANGED)
    if call.effect is _READ:
        read = _keys_read(context, words)
        because = f"Reading {read} is asked about in every mode."
        return ruling if read is None else instead(ruling, asked(because))
    if call.tool == "shell":
        # What its text touches has been looked at already, word by word.
        place = _first(change_of, call.targets)
    else:
        place = protected_place(call, words) or _behind(context) or _named(context, words)
    if place is None:
        return ruling
    grave = f"{CHANGES_WHAT_IS_ALLOWED}: touches {place}."
    because = f"Changes to {place} are asked about in every mode."
    return evolve(instead(ruling, asked(because)), grave=grave)


def _first(said_of: Callable[[Target], str | None], targets: Iterable[Target]) -> str | None:
    """What is said of the first of these of which anything is."""
    for target in targets:
        said = said_of(target)
        if said:
            return said
    return None


def _keys_read(context: RulingContext, words: list[str]) -> str | None:
    """The keys of the gate that a call reads, in words."""
    call = context.call
    if call.targets:
        # What looks into files is told what stands in those below; a list has their names alone.
        looks_in = call.action == "search" or not (call.action or _SOUGHT.isdisjoint(call.input))
        return _first(
            lambda target: keys_in(target, tree=looks_in or target.resolved == "/proc"),
            call.targets,
        )
    return mentioned_in(context, words, (call.cwd,), keys=True)


def _named(context: RulingContext, words: list[str]) -> str | None:
    """The part of the gate that stands in the words of a call whose files are not known."""
    call = context.call
    known = call.effect is Effect.CHAT or call.tool in {"fetch", "network"}
    if known or (call.tool in {"read", "write"} and call.targets):
        return None
    return given_in(context, words)


def _behind(context: RulingContext) -> str | None:
    """What a call would change that is protected for what else is on the disk.

    A protected name that is a link to it, or a repository that lies among other files.
    """
    if context.call.effect is not _WRITE:
        return None
    for target in context.call.targets:
        if target.is_history:
            continue
        alias = context.facts.alias(target)
        if alias is not None:
            return alias
        folders = git_folders(target)
        if folders and any(map(context.facts.keeps_git, folders)):
            return target.shown
    return None


def _rule_on_parts(context: RulingContext) -> Ruling:
    # Reading commands takes a parser, which nothing else needs.
    from assent.gate.ruling.scripts_and_steps import rule_on_parts  # noqa: PLC0415

    return rule_on_parts(context, decide)


def _rule_on_other(context: RulingContext) -> Ruling:
    said = context.by_mode(reach_of(context.call))
    if said.verdict is not _ALLOW or context.call.effect is Effect.CHAT:
        return said
    return refused_path(context) or said


_JUDGES: Final[dict[str, Callable[[RulingContext], Ruling]]] = {
    "read": rule_on_files,
    "write": rule_on_files,
    "shell": _rule_on_parts,
    "fetch": rule_on_fetch,
    "network": rule_on_network,
    "mcp": rule_on_tool,
    "run": _rule_on_parts,
    "agent": rule_on_tool,
    **dict.fromkeys(FOR_PERSON, rule_on_question),
    "form": rule_on_form,
}


# What a call of somebody else's tool does besides: each judged as a call of ours that does it.
#
# It only tightens. That the mode would ask about a request alone is no second question where the
# tool itself was allowed, since that is what a browser's tool is for.

_Decide = Callable[[Call, Policy, Facts], Ruling]


def _against_besides(context: RulingContext, ruling: Ruling, decide: _Decide) -> Iterator[Ruling]:
    """What is said against what a call does besides."""
    for it in context.call.beside:
        said = decide(context.call.doing(it), context.policy, context.facts)
        if not _is_told(context, ruling, it, said):
            yield evolve(said, deeds=(), parts=())


def _deeds_besides(call: Call) -> tuple[Deed, ...]:
    """What that is, for the card and the journal."""
    each = map(call.doing, call.beside)
    return tuple(
        deed
        for call in each
        for deed in (hosts_in(call) if call.tool == "fetch" else deeds_of(call))
    )


def _is_told(context: RulingContext, ruling: Ruling, beside: Beside, said: Ruling) -> bool:
    """Whether the mode alone says it, and somebody allowed this very call or its tool."""
    if said.by is not Actor.MODE or not said.lasting:
        return False
    is_let = beside.tool == "fetch" and ruling.verdict is Verdict.ALLOW
    return is_let or context.granted is not None
