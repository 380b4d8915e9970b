"""What a command sends to another machine beyond what its prefix rule can mean."""

from collections.abc import Sequence
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind
from assent.gate.programs.study import study
from assent.gate.shell.computed_words import is_computed
from assent.gate.shell.script import Command, Script
from assent.gate.shell.word import Word
from assent.gate.shell.word_sets import Branch, Hash
from assent.gate.text.addresses import is_private
from assent.gate.text.lazy_patterns import late

__all__ = ["sends_unseen"]

_SIFTING: Final = frozenset("cut grep head jq sort tail tr uniq wc".split())
"""Programs that print nothing but what they are fed, where they only read and open no file."""
_OF_COMMITS: Final = late(
    r"-\d+|-n\d*|--oneline|--reverse|--no-merges"
    r"|(?:--format=|--pretty=(?:format:)?)(?:%[sbBhHadciren]+|[\w :,.()#-])+"
    r"|(?!-)[\w./@~^-]*\w(?:\.\.[\w./@~^-]*\w)?"
)
"""How `git log` is told to print nothing but that."""
_MORE: Final = late(r"(?i)env|input|import|include|\$__")
"""What in the language of jq may be about something else."""


def sends_unseen(command: Command, words: Sequence[Word], deeds: Deeds, script: Script) -> bool:
    """Whether it may send what nobody has seen, in words that its rule does not name."""
    unknown = [word for word in words if not _is_told(command, word)]
    # What the shell splits may name further hosts.
    parts = any(word.several for word in unknown)
    away = (
        [host for host in deeds.hosts if parts or not is_private(f"http://{host}/")]
        if unknown
        else []
    )
    if "?" in away:
        return True

    def answers(one: Command) -> bool:
        own = one.name in script.functions or one.wraps
        answers = _sifts(one) or _is_of_same(one, command, deeds) or _tells_commits(one)
        return not own and answers

    return bool(away) and any(
        not word.listed and is_computed(script, word, command, answers) for word in unknown
    )


def _is_told(command: Command, word: Word) -> bool:
    """Whether it is known what is said with a word: git knows what it has named itself."""
    return bool(word.texts) or (command.program == "git" and isinstance(word, Branch | Hash))


def _is_of_same(one: Command, command: Command, deeds: Deeds) -> bool:
    """Whether what another command prints comes from the very hosts that it would be sent to."""
    if one.program != command.program or one.redirects:
        return False
    if any("env" in word.text.casefold() for word in one.argv):
        # What forms an answer may know the environment.
        return False
    found = study(one)
    reads = any(touch.kind is Kind.READ for touch in found.touches)
    return found.hosts == deeds.hosts and found.known and not reads


def _tells_commits(command: Command) -> bool:
    """Whether it prints what commits are called and say, and nothing of what is in them."""
    words = [word.text for word in command.argv[1:]]
    named = all(word.known for word in command.argv) and not command.redirects
    told = named and command.program == "git" and words[:1] == ["log"]
    return told and all(map(_OF_COMMITS.fullmatch, words[1:]))


def _sifts(command: Command) -> bool:
    """Whether it prints lines that it is fed, or parts of them, and nothing else."""
    if command.program not in _SIFTING or not command.piped:
        return False
    if command.program == "jq" and any(_MORE.search(word.text) for word in command.argv):
        return False
    deeds = study(command)
    return deeds.reading and not deeds.touches
