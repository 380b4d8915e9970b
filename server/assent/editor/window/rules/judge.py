"""Rules on calls with rules that are not in force, to show what they would do.

The same policy judges here as at the gate, with other rules in its book.
"""

import os
from collections.abc import Callable
from itertools import islice
from typing import Any

from assent.editor.insights.proposals import call_of
from assent.gate.call.calls import AgentId, Call, ChatId, Effect
from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.explain import with_tasks
from assent.gate.rules.command_texts import rules_for_lines
from assent.gate.rules.drafts import NONE, Drafts
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.gate.ruling.suggestions import suggested_rules, with_rules
from assent.gate.tasks.project_commands import project_commands
from assent.gate.values import evolve, frozen

__all__ = ["Judge"]

_MAX_LINES, _MAX_RULES = 100, 12
"""Of a project: so many lines are looked at, and so many rules offered; a person reads them all."""

Rules = tuple[WrittenRule, ...]


@frozen(kw_only=True)
class Judge:
    """Knows the policy of each chat, and where paths lead."""

    policy: Callable[[ChatId, AgentId], Policy]
    """With what was said for the chat."""
    places: Callable[[], Places]
    new: Callable[[AgentId], Policy] = lambda _: Policy(mode=Mode.ASK)
    """What a new chat with an agent would be ruled by."""
    has_workspace: Callable[[], bool] = lambda: True
    """Whether a rule can be written for the workspace, and be kept."""
    folder: Callable[[], str] = str
    """The one folder of the workspace, as a rule names it."""

    def rule_suggestions(self, call: Call, ruling: Ruling, policy: Policy) -> Drafts:
        """The rules to begin with, for an answer that is meant for always."""
        if not policy.trusted or ruling.verdict is not Verdict.ASK:
            return NONE
        if call.made_by is not None and ruling.rule is None:
            return self._drafts(call.made_by, evolve(policy, bypassed=frozenset()))
        if not ruling.lasting:
            return NONE
        drafts = self._drafts(call, evolve(policy, bypassed=frozenset()), ruling)
        return evolve(drafts, project=self._project(policy)) if drafts.allow else drafts

    def with_rules(self, call: Call, rules: Rules) -> Ruling:
        """The ruling on a call with these rules added; for changes, that on their command."""
        call = call.made_by or call
        policy = evolve(self.policy(call.chat, call.agent), bypassed=frozenset())
        return decide(call, with_rules(policy, rules), self.places().for_call(call))

    def by_rules_alone(self, call: Call, rules: Rules) -> Verdict:
        """What these rules say of a call where nothing else is said of anything."""
        book = evolve(self.policy(call.chat, call.agent).book, rules=rules, suspended=frozenset())
        alone = Policy(mode=Mode.ASK, book=book, trusted=True)
        return decide(call, alone, self.places().for_call(call)).verdict

    def near(self, call: Call, rule: WrittenRule, text: str) -> Call | None:
        """A call like another, but of this command, or on this path; None where it cannot be."""
        if rule.words:
            given: dict[str, Any] = {"command": text}
            return evolve(call, tool="shell", effect=Effect.EXECUTE, input=given, targets=())
        try:
            target = self.places().locate(text, call.cwd)
        except AssentError:
            return None
        effect = Effect.READ if rule.tool == "read" else Effect.WRITE
        given = {"path": text}
        return evolve(call, tool=rule.tool, effect=effect, input=given, targets=(target,), edits=())

    def anew(self, call: Call, rules: Rules = ()) -> Ruling:
        """What would be said of a call of the past, were it made now, in a new chat."""
        policy = self.new(call.agent)
        places = self.places()
        call = with_tasks(call, places)
        return decide(call, with_rules(policy, rules) if rules else policy, places)

    def record_actions(self, call: Call) -> Drafts:
        """The rules to begin with for a call of the past, as if each part were asked about."""
        book = evolve(self.new(call.agent).book, rules=(), suspended=frozenset())
        return self._drafts(call, Policy(mode=Mode.ASK, book=book))

    def _drafts(self, call: Call, policy: Policy, ruling: Ruling | None = None) -> Drafts:
        drafts = suggested_rules(call, policy, self.places().for_call(call), ruling)
        return evolve(drafts, for_workspace=self.has_workspace(), for_folder=self.folder() != "")

    def _project(self, policy: Policy) -> tuple[str, ...]:
        """Rules for what builds and tests the one folder, while the person has none for it."""
        rules = policy.book.rules
        if self.folder() == "" or any(rule.folder for rule in rules):
            return ()
        (root,) = {os.path.realpath(root) for root in self.places().roots}
        lines = tuple(islice(project_commands(root), _MAX_LINES))
        held = {rule.text for rule in rules if rule.verdict is Verdict.ALLOW}
        return tuple(text for text in rules_for_lines(lines, _MAX_RULES) if text not in held)

    def past(self, row: dict[str, Any]) -> Call | None:
        """A call of the journal, as far as it was kept; None where too little of it was."""
        return call_of(row, self.places())
