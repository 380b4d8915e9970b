"""Suggests rules for a call by ruling on it again with each of them in force."""

from assent.gate.call.calls import Call
from assent.gate.call.verdicts import Ruling
from assent.gate.rules.drafts import Drafts
from assent.gate.rules.suggest import drafts_for
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.decide import decide
from assent.gate.ruling.facts import UNKNOWN, Facts
from assent.gate.ruling.policy import Policy
from assent.gate.shell.steps import MAX_STEPS, Budget
from assent.gate.values import evolve

__all__ = ["suggested_rules", "with_rules"]


def suggested_rules(
    call: Call, policy: Policy, facts: Facts = UNKNOWN, ruling: Ruling | None = None
) -> Drafts:
    """The rules to begin with for an answer "always", as far as one budget goes for all trials.

    `ruling` is what this policy says of the call, where that is known.

    >>> from assent.gate.call.calls import Effect
    >>> from assent.gate.call.modes import Mode
    >>> whose = {"id": "1", "chat": "c", "agent": "eliza", "cwd": "/w"}
    >>> given = {"server": "files", "tool": "read"}
    >>> call = Call(tool="mcp", effect=Effect.EXTERNAL, input=given, **whose)
    >>> policy = Policy(mode=Mode.DEFAULT, trusted=True)
    >>> suggested_rules(call, policy).allow
    ('mcp(files:read)',)
    """
    budget = Budget(left=1 * MAX_STEPS)

    def trial(rules: tuple[WrittenRule, ...]) -> Ruling:
        return decide(call, with_rules(policy, rules), facts, budget)

    return drafts_for(call, ruling or trial(()), trial, facts)


def with_rules(policy: Policy, rules: tuple[WrittenRule, ...]) -> Policy:
    """The policy with these rules beside the others; its own book, which may be large, stays.

    >>> from assent.gate.call.modes import Mode
    >>> from assent.gate.call.verdicts import Verdict
    >>> from assent.gate.rules.notation import written
    >>> policy = with_rules(Policy(mode=Mode.DEFAULT), (written("shell(make)", Verdict.ALLOW),))
    >>> [rule.text for rule in policy.more.rules]
    ['shell(make)']
    """
    more = evolve(policy.book, rules=(*policy.more.rules, *rules), suspended=frozenset())
    return evolve(policy, more=more)
