"""Whether a rule goes as far as a command: which of those that are about it, and what is beyond."""

from typing import Final

from assent.bash.script import Command
from assent.policy.matter import Matter
from assent.programs.deeds import Deeds
from assent.programs.harming import loss_beyond
from assent.programs.inputs import is_given, takes_code
from assent.rules.book import Found, WrittenRule
from assent.rules.environment import stray
from assent.rules.written import Given

__all__ = ["beyond_rule", "rule_for"]

_BY_INPUT: Final = "what it runs comes from its input"


def rule_for(
    matter: Matter, found: Found, command: Command, deeds: Deeds, given: Given
) -> WrittenRule | None:
    """The first rule that goes as far as a command, else the first that is about it."""
    if not found.others:
        return found.allow
    rules = [it for it in (found.allow, *found.others) if it is not None]
    said = ((it, beyond_rule(it, command, deeds, stray(given, it), matter.text)) for it in rules)
    return next((it for it, why in said if why is None), found.allow)


def beyond_rule(
    rule: WrittenRule, command: Command, deeds: Deeds, odd: str | None, text: str
) -> str | None:
    """What a command does beyond its rule, or None: what is named there is meant."""
    if odd is not None:
        return f"it is given `{odd}`"
    if rule.words and is_given(command) and takes_code([it.text for it in command.argv]):
        return _BY_INPUT
    if rule.exact:
        return None
    # A rule for every command names none of its words.
    if not rule.words or deeds.reading:
        return next(iter(deeds.escapes), None)
    # What flags mean is loaded with the first rule for a command's first words.
    from assent.programs.shape import beyond  # noqa: PLC0415

    why = beyond(rule.words, command.argv, deeds.escapes, text=text)
    return why or loss_beyond(rule.words, command.argv)
