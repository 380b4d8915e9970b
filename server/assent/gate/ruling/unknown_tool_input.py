"""Reasons to deny or ask, found in the arguments of an unknown tool.

Whether it runs commands among its arguments nobody can tell, so they only tighten: what rules say
against such a command, and what is asked about in every mode, counts here too. Where a call says
that it is there to run something, and names no command, each of its texts may be one.
"""

import shlex
from collections.abc import Iterator
from typing import Any, Final

from assent.gate.call.calls import Effect
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.ruling.ruling_context import RulingContext, asked
from assent.gate.text.concatenated_texts import pieces_in
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["against_handed"]

_WORD: Final = late(r"[A-Z]?[a-z]+|[A-Z]+")
_REMOVING: Final = frozenset(
    "delete remove rm rmdir rmtree unlink trash purge wipe erase destroy move mv".split()
)
"""Words in the name of a tool that takes away what it is given."""
_WHAT: Final = frozenset(
    """path paths file files dir directory folder folders target source src from uri item
    items""".split()
)
_WHERE: Final = frozenset("repo repository project root workspace base cwd to destination".split())
"""Words in the name of a member that says what is taken away, and of one that says where."""
_VARIABLE: Final = late(r"\A\$\{workspace\w*\}")
_MAX_NAME_LETTERS: Final = 200
"""A longer text is no path that a person would name."""
_COMMANDS: Final = frozenset({"command", "cmd"})
_RUN: Final = _COMMANDS | frozenset(
    "commands cmds shell bash sh zsh terminal script scripts argv exec execute code".split()
)
"""Words in the name of a member that may hold what is run."""
_OPERANDS: Final = ("args", "arguments", "argv")
_MAX_COMMANDS: Final = 50
_MAX_COMMANDS_LETTERS: Final = 20_000
"""So many texts are judged, with so many letters in all; a longer one is no command."""
_TOO_MANY: Final = asked("It names more commands than can be judged.")


def against_handed(context: RulingContext, name: str) -> Iterator[Ruling]:
    """Everything that speaks against the texts that a tool of this name is given."""
    yield from _against_commands(context)
    yield from _of_whole(context, name)


def _of_whole(context: RulingContext, name: str) -> Iterator[Ruling]:
    """The question about a tool that by its name removes, and is given a home or a workspace."""
    if _REMOVING.isdisjoint(_words_in(name)):
        return
    from assent.gate.ruling.asked_in_every_mode import of_everything  # noqa: PLC0415 -- it takes a parser

    given = context.call.input.get("arguments")
    for member, value in given.items() if isinstance(given, dict) else ():
        named = _words_in(str(member))
        texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        what = not _WHAT.isdisjoint(named) and _WHERE.isdisjoint(named)
        for text in (
            text
            for text in texts
            if isinstance(text, str) and len(text) <= _MAX_NAME_LETTERS and what
        ):
            target = context.located(_VARIABLE.sub(".", text).rstrip("*") or ".", context.call.cwd)
            if target is not None and (context.facts.holds(target) or target.resolved == "/"):
                yield of_everything(target, removes=True)


def _words_in(name: str) -> set[str]:
    """The words that a name is put together of, in small letters."""
    return {it.lower() for it in _WORD.findall(name)}


def _against_commands(context: RulingContext) -> Iterator[Ruling]:
    """What speaks against the commands that a tool is given."""
    call = context.call
    given = call.input.get("arguments") if call.tool == "mcp" else call.input
    texts = dict.fromkeys(_texts(given, named=call.effect is Effect.EXECUTE))
    plain = given.get("command") if isinstance(given, dict) else None
    judged = [text for text in texts if text and len(text) <= _MAX_COMMANDS_LETTERS]
    if len(judged) > _MAX_COMMANDS or sum(map(len, judged)) > _MAX_COMMANDS_LETTERS:
        yield _TOO_MANY
        return
    for text in judged:
        yield from _against(context, text, surely=text == plain)


def _against(context: RulingContext, text: str, *, surely: bool) -> Iterator[Ruling]:
    from assent.gate.ruling.shell import rule_on_shell  # noqa: PLC0415 -- it takes a parser

    call = evolve(context.call, tool="shell", effect=Effect.EXECUTE, input={"command": text})
    said = rule_on_shell(evolve(context, call=call))
    if said.verdict is Verdict.ALLOW:
        return
    # What cannot be read may be no command at all, and then no rule is about it.
    unread = surely and bool(context.book.rules) and not said.lasting
    if said.by is Actor.RULE or said.grave or unread:
        yield evolve(said, parts=(), deeds=(), readable=True)


def _texts(value: Any, *, named: bool) -> Iterator[str]:
    """The texts that may be run: under a name that says so, or all of them."""
    if isinstance(value, str):
        yield from (value, *(piece for piece in pieces_in(value) if " " in piece)) if named else ()
    elif isinstance(value, list):
        words = [str(it) for it in value if isinstance(it, str | int | float)]
        if named and len(words) == len(value) > 1:
            yield from (shlex.join(words), " ".join(words))
        for item in value:
            yield from _texts(item, named=named)
    elif isinstance(value, dict):
        yield from _with_operands(value)
        for name, item in value.items():
            yield from _texts(item, named=named or _may_be_run(name))


def _with_operands(value: dict[str, Any]) -> Iterator[str]:
    """A program with its words, which stand under another name; the program's may be any."""
    for words in (value[operand] for operand in _OPERANDS if isinstance(value.get(operand), list)):
        rest = " ".join(str(word) for word in words if isinstance(word, str | int | float))
        yield from (f"{it} {rest}" for it in value.values() if isinstance(it, str))


def _may_be_run(name: str) -> bool:
    return not _RUN.isdisjoint(_words_in(name))
