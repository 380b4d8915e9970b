"""What a card offers: broad answers only where they may be given, rules where there are any."""

import pytest
from attrs import evolve

from assent.gate.approvals.grants import Grants, mark_of
from assent.gate.approvals.options import options_for
from assent.gate.approvals.tickets import OptionKind, Outcome, Scope
from assent.gate.call.calls import ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.rules.drafts import NONE, Drafts
from assent.gate.rules.notation import written
from assent.gate.ruling.policy import Policy, grant_for
from gate.approvals.samples import DRAFTS
from gate.ruling.samples import reading, running, target, writing
from tables import each_row

requirement = pytest.mark.requirement

ASKED = Ruling(verdict=Verdict.ASK, because="Default mode asks.")


def kinds(*, trusted: bool = True, lasting: bool = True, drafts: Drafts = DRAFTS) -> list[str]:
    policy = Policy(mode=Mode.DEFAULT, trusted=trusted)
    ruling = evolve(ASKED, lasting=lasting)
    return [it.kind.value for it in options_for(running(), ruling, policy, "Eliza", drafts)]


@requirement("T-04")
def test_in_a_trusted_workspace_there_are_answers_for_always() -> None:
    assert kinds() == [
        "allowOnce", "allowChat", "allowAlways", "bypassAgent",
        "denyOnce", "denyTell", "denyChat", "denyAlways",
    ]  # fmt: skip


@each_row("less", [{"trusted": False}, {"lasting": False}])
def test_where_nothing_lasts_nothing_lasting_is_offered(less: dict[str, bool]) -> None:
    assert kinds(**less) == ["allowOnce", "denyOnce", "denyTell"]


def test_without_a_rule_to_begin_with_no_rule_is_offered() -> None:
    assert not {"allowAlways", "denyAlways"} & set(kinds(drafts=NONE))


@requirement("T-04")
@each_row(
    ("rules", "label"),
    [
        (("read(~/other/**)",), "Allow reading ~/other in this chat"),
        (("read(~/other/a.txt)",), None),
        (("write(./src/**)",), None),
        (("read(~/other/**)", "shell(make:*)"), None),
        (("read(~/a, and everything else/**)",), None),
    ],
)
def test_a_folder_may_be_read_for_a_chat_where_that_is_all_that_lacks(
    rules: tuple[str, ...], label: str | None
) -> None:
    policy = Policy(mode=Mode.DEFAULT, trusted=True)
    offered = options_for(running(), ASKED, policy, "Eliza", Drafts(allow=rules))
    assert [it.label for it in offered if it.id == "folder"] == ([label] if label else [])


@requirement("T-04")
def test_the_rules_and_where_they_may_be_written_stand_on_the_option() -> None:
    policy = Policy(mode=Mode.DEFAULT, trusted=True)
    offered = {
        it.kind: it
        for it in options_for(running(), ASKED, policy, "Eliza", evolve(DRAFTS, for_folder=True))
    }
    assert offered[OptionKind.ALLOW_ALWAYS].rules == DRAFTS.allow
    assert offered[OptionKind.DENY_ALWAYS].rules == DRAFTS.deny
    whole = offered[OptionKind.ALLOW_ALWAYS].scopes
    assert whole == (Scope.WORKSPACE, Scope.CHAT, Scope.HERE, Scope.USER)
    assert offered[OptionKind.ALLOW_ONCE].rules == ()


@requirement("T-04")
@each_row(
    ("allow", "project", "rules"),
    [
        (("shell(a)",), ("shell(b)", "shell(a)"), ("shell(a)", "shell(b)")),
        (("shell(a)",), ("shell(a)",), None),
        (("shell(a)",), (), None),
        ((), ("shell(b)",), None),
    ],
)
def test_the_projects_commands_are_offered_behind_the_rules_of_a_call(
    allow: tuple[str, ...], project: tuple[str, ...], rules: tuple[str, ...] | None
) -> None:
    policy = Policy(mode=Mode.DEFAULT, trusted=True)
    drafts = Drafts(allow=allow, project=project)
    offered = options_for(running(), ASKED, policy, "Eliza", drafts)
    found = [(it.rules, it.scopes) for it in offered if it.id == "project"]
    assert found == ([(rules, (Scope.HERE,))] if rules else [])


def test_without_a_workspace_no_rule_is_offered_to_be_written_for_it() -> None:
    policy = Policy(mode=Mode.DEFAULT, trusted=True)
    drafts = evolve(DRAFTS, for_workspace=False)
    offered = options_for(running(), ASKED, policy, "Eliza", drafts)
    scopes = {it.kind: it.scopes for it in offered if it.kind.writes_rules}
    assert set(scopes.values()) == {(Scope.CHAT, Scope.USER)}


def test_every_kind_of_refusal_refuses_and_every_answer_only_answers() -> None:
    said = {
        outcome: {it.value for it in OptionKind if it.outcome is outcome} for outcome in Outcome
    }
    refusals = {"denyOnce", "denyTell", "denyChat", "denyAlways", "keepAsking", "keepOff"}
    assert said[Outcome.REFUSED] == refusals
    to_servers = {"answerForm", "openPage", "decline", "cancel"}
    assert said[Outcome.ANSWERED] == {"answer", "answerWords", "skip"} | to_servers


class TestGrants:
    """What was said for one chat."""

    def test_a_denial_covers_the_same_call_and_says_so(self) -> None:
        call = running("make test")
        denial = evolve(grant_for(call), verdict=Verdict.DENY)
        assert denial.covers(running("make test"))
        assert not denial.covers(running("make tests"))
        assert denial.ruling.verdict is Verdict.DENY
        assert denial.ruling.because == "You denied exactly this call for this chat."

    def test_a_denial_of_changes_to_a_file_covers_each_change_to_it(self) -> None:
        denial = evolve(grant_for(writing("a.py", action="write")), verdict=Verdict.DENY)
        both = (target("a.py"), target("b.py"))
        assert denial.covers(writing("a.py", action="delete"))
        assert denial.covers(writing("a.py", targets=both, action="write"))
        assert not denial.covers(writing("b.py", action="write"))
        assert not denial.covers(reading("a.py"))

    def test_rules_end_with_their_chat_and_can_be_taken_out(self) -> None:
        grants, chat = Grants(), ChatId("chat-1")
        rule = written("shell(make:*)", Verdict.ALLOW)
        grants.write(chat, (rule,))
        grants.write(chat, (rule,))
        assert grants.written(chat) == (rule,)
        assert grants.written(ChatId("chat-2")) == ()
        assert not grants.erase(chat, mark_of(evolve(rule, verdict=Verdict.DENY)))
        assert grants.erase(chat, mark_of(rule))
        assert grants.written(chat) == ()
        grants.write(chat, (rule,))
        grants.drop(chat)
        assert grants.chats() == ()

    def test_of_two_grants_of_the_same_words_one_can_be_taken_out(self) -> None:
        grants = Grants()
        one, other = grant_for(running("make a")), grant_for(running("make b"))
        grants.add(one)
        grants.add(other)
        assert one.text == other.text
        assert grants.erase(one.chat, mark_of(one))
        assert grants.of(one.chat) == (other,)
        assert not grants.erase(one.chat, mark_of(one))
