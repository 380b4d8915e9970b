"""What Insights tells of a month: figures as plain queries count them, and rules that keep word."""

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from assent.cli.main import main
from assent.editor.insights import insight_page
from assent.editor.insights.insight_page import Idle, PageContent, page_of
from assent.editor.insights.insights import ANSWERERS, Insights, Question, insights_of
from assent.editor.insights.journal_rows import insights_since, rules_used_since
from assent.editor.insights.proposals import Proposal, Proposals, call_of, propose
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.disk.places import Places
from assent.gate.journal.reader import reading
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from cli.month import DAY, Month, fill
from tables import each_row

requirement = pytest.mark.requirement
MONTH = Month(calls=900)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    fill(path, MONTH)
    return path


@pytest.fixture
def month(journal: Path) -> Insights:
    with reading(journal) as reader:
        return insights_of(reader.all())


def queried(path: Path, wanted: str) -> list[tuple[Any, ...]]:
    """What the table says when it is asked."""
    with closing(sqlite3.connect(path)) as database:
        return database.execute(wanted).fetchall()


BODY = "json_extract(body, '$.{0}')".format
DECISIONS = "from entries where kind = 'decided'"
QUESTIONS = f"from entries where kind = 'decided' and {BODY('ticket')} is not null"


@requirement("S-10")
def test_every_count_is_that_of_a_query(journal: Path, month: Insights) -> None:
    ((decided,),) = queried(journal, "select count(*) from entries where kind = 'decided'")
    ((asked,),) = queried(journal, f"select count(*) {QUESTIONS}")
    assert (month.decided, month.asked) == (decided, asked)
    assert month.unasked.total() == decided - asked
    by = {
        "you allowed": f"{BODY('by')} = 'user' and {BODY('outcome')} = 'allowed'",
        "you denied": f"{BODY('by')} = 'user' and {BODY('outcome')} = 'refused'",
        "nobody in time": f"{BODY('by')} = 'timeout'",
        "in another way": f"{BODY('by')} not in ('user', 'timeout')",
    }
    for who in ANSWERERS:
        ((count,),) = queried(journal, f"select count(*) {QUESTIONS} and {by[who]}")
        assert month.answered[who] == count > 0, who
    days = queried(journal, f"select date(at / 1000, 'unixepoch'), count(*) {QUESTIONS} group by 1")
    assert {day: counts.total() for day, counts in month.days.items()} == dict(days)
    unread = f"{BODY('shownMs')} < 1000 and {by['you allowed']}"
    assert month.unread == queried(journal, f"select count(*) {QUESTIONS} and {unread}")[0][0] > 0


@requirement("S-10")
def test_how_long_questions_waited_is_from_the_row_that_asked(
    journal: Path, month: Insights
) -> None:
    waited = queried(
        journal,
        "select d.at - a.at from entries d join entries a on a.kind = 'asked'"
        " and json_extract(a.body, '$.ticket') = json_extract(d.body, '$.ticket')"
        " where d.kind = 'decided'",
    )
    assert month.waits == sorted(it for (it,) in waited)
    assert sum(count for _, count in month.spread) == len(waited) == month.asked
    assert month.wait(0.5) == month.waits[len(waited) // 2]
    assert month.wait(1.0) == max(month.waits)


@requirement("S-10")
def test_what_was_needless_and_what_rules_did_is_what_a_query_counts(
    journal: Path, month: Insights
) -> None:
    allowed = f"sum({BODY('by')} = 'user' and {BODY('outcome')} = 'allowed')"
    denied = f"sum({BODY('by')} = 'user' and {BODY('outcome')} = 'refused')"
    groups = queried(journal, f"select {allowed}, {denied} {QUESTIONS} group by {BODY('input')}")
    needless = sum(yes - 1 for yes, no in groups if yes >= 3 and not no)
    assert month.needless == needless > 0
    uses = queried(
        journal,
        f"select {BODY('rule')}, count(*), sum({BODY('outcome')} = 'allowed'), max(at)"
        f" {DECISIONS} and {BODY('rule')} is not null group by 1",
    )
    assert {(it.rule, it.uses, it.allowed, it.last) for it in month.rules} == set(uses)
    refused = f"select {BODY('input')} {QUESTIONS} and {BODY('by')} = 'user'"
    refused += f" and {BODY('outcome')} = 'refused'"
    elsewhere = queried(
        journal,
        f"select {BODY('rule')}, count(*) {DECISIONS} and {BODY('rule')} is not null"
        f" and {BODY('outcome')} = 'allowed' and {BODY('input')} in ({refused}) group by 1",
    )
    told = {it.rule: it.denied_elsewhere for it in month.rules if it.denied_elsewhere}
    assert told == dict(elsewhere)
    assert told


@requirement("S-10")
def test_a_time_and_a_workspace_bound_what_is_counted(journal: Path) -> None:
    since = MONTH.begin + 20 * DAY
    with reading(journal) as reader:
        some = insights_since(reader, since, MONTH.workspace)
        assert insights_since(reader, since, "/home/ada/tiller").decided == 0
        assert rules_used_since(reader, MONTH.begin + 31 * DAY) == set()
        assert "shell(npm test:*)" in rules_used_since(reader, since)
    counted = f"select count(*) {DECISIONS} and at >= {since}"
    assert some.decided == queried(journal, counted)[0][0]


@requirement("S-10")
def test_proposed_rules_when_they_are_applied_save_what_they_said(month: Insights) -> None:
    places = Places(roots=(MONTH.workspace,), home="/home/ada")
    policy = Policy(mode=Mode.DEFAULT, book=Book())
    found = propose(month.questions, lambda _: policy, places)
    assert 1 < len(found.each) <= 5
    rules = tuple(written(it.rule, Verdict.ALLOW) for it in found.each)
    applied = evolve(policy, book=Book(rules=rules))
    saved, asked, passing = 0, 0, Counter[str]()
    for question in month.questions:
        call = call_of(question.row, places)
        assert call is not None
        if decide(call, policy, places).verdict is not Verdict.ASK:
            continue
        asked += question.asked
        if decide(call, applied, places).verdict is Verdict.ALLOW:
            assert question.denied == 0, question.what
            saved += question.allowed
            passing[question.what] += 1
    assert (found.saved, found.asked, found.denied) == (saved, asked, 0)
    told = {what for it in found.each for what in (*it.passes, *it.also)}
    assert set(passing) <= told
    assert all(it.saved > 0 for it in found.each)


def test_nothing_is_proposed_for_what_a_rule_lets_our_own_agent_run_in_the_sandbox(
    month: Insights,
) -> None:
    places = Places(roots=(MONTH.workspace,), home="/home/ada")
    policy = Policy(mode=Mode.DEFAULT, trusted=True)
    shell = [it for it in month.questions if it.tool == "shell"]

    def proposed(agent: str, policy: Policy) -> set[str]:
        asked = [evolve(it, row={**it.row, "agent": agent}) for it in shell]
        return {it.rule for it in propose(asked, lambda _: policy, places).each}

    rule = max(proposed("assent", policy))
    held = Book(rules=(written(rule, Verdict.ALLOW, in_sandbox=True),))
    assert rule not in proposed("assent", evolve(policy, book=held))
    assert rule in proposed("eliza", evolve(policy, book=held))


def test_nothing_is_proposed_that_would_let_pass_what_was_denied(month: Insights) -> None:
    places = Places(roots=(MONTH.workspace,), home="/home/ada")
    denied = [evolve(it, denied=1) for it in month.questions]
    policy = Policy(mode=Mode.DEFAULT, book=Book())
    assert propose(denied, lambda _: policy, places).each == ()


def question(
    command: str, *, allowed: int = 0, denied: int = 0, tool: str = "shell", **given: Any
) -> Question:
    """One of the journal's, about a command or about what another tool is given."""
    body = {
        "tool": tool,
        "effect": "execute" if tool == "shell" else "external",
        "input": {key.rstrip("_"): it for key, it in given.items()} or {"command": command},
        "cwd": MONTH.workspace,
        "targets": [],
    }
    row = {"seq": 1, "hash": "", "call": command, "chat": "c", "agent": "eliza"}
    row |= {"body": json.dumps(body)}
    return Question(row=row, what=command, tool=tool, allowed=allowed, denied=denied)


def proposed(*questions: Question) -> dict[str, Proposal]:
    """The rules that these questions would make."""
    places = Places(roots=(MONTH.workspace,), home="/home/ada")
    policy = Policy(mode=Mode.DEFAULT, book=Book())
    return {it.rule: it for it in propose(questions, lambda _: policy, places).each}


PUSH = question("git push origin main", allowed=9)
MAKE = question("make a", allowed=5)
COMMIT = question("git commit -m x", allowed=4)


def test_what_was_denied_once_counts_behind_however_many_other_questions() -> None:
    assert proposed(PUSH)
    many = [question(f"echo {it} > f{it}.txt", allowed=2) for it in range(401)]
    assert "shell(git push:*)" not in proposed(
        PUSH, *many, question("git push origin prod", denied=1)
    )


def test_nothing_is_proposed_for_the_program_of_a_denied_call_that_was_cut() -> None:
    cut = f"make a {'x' * 2_000}\n[… 10,000 letters left out …]\n"
    assert any("make" in it for it in proposed(MAKE))
    found = proposed(MAKE, COMMIT, question(cut, denied=1))
    assert found
    assert not any("make" in it for it in found)


def test_rules_that_let_pass_together_what_was_denied_are_not_proposed_together() -> None:
    assert len(proposed(MAKE, COMMIT)) == 2
    assert len(proposed(MAKE, COMMIT, question("make a && git commit -m x", denied=1))) == 1


@each_row(
    ("asked", "says"),
    [
        (
            question("https://x.org/a", allowed=5, tool="fetch", url="https://x.org/a"),
            "every address of x.org",
        ),
        (
            question("files", allowed=5, tool="mcp", server="files", tool_="write"),
            "every call of write of files, with any arguments",
        ),
    ],
)
def test_a_proposed_rule_says_all_that_it_covers(asked: Question, says: str) -> None:
    assert [it.also[0] for it in proposed(asked).values()] == [says]


HOSTILE = "<script>alert(1)</script>\"'&\u202e\n"


def test_a_page_says_what_an_agent_wrote_and_runs_none_of_it(month: Insights) -> None:
    month.questions[0].what = HOSTILE
    month.rules[0].rule = HOSTILE
    proposal = Proposal(rule=HOSTILE, saved=1, row={}, passes=(HOSTILE,), also=(HOSTILE,))
    page = page_of(
        PageContent(
            insights=month,
            proposals=Proposals(each=(proposal,), saved=1, asked=2),
            idle=(Idle(rule=HOSTILE, verdict="allow", where=HOSTILE, why=HOSTILE),),
            until=datetime.fromtimestamp(MONTH.begin / 1000, UTC).date().isoformat(),
            where=HOSTILE,
        )
    )
    assert "<script" not in page
    assert "\u202e" not in page
    assert page.count("&lt;script&gt;") >= 8
    assert "⟨U+202E⟩" in page
    assert re.search(r"\son\w+=|javascript:|https?://(?!docs|[abc]\.example)", page) is None
    # Each picture has its table.
    assert page.count('<svg class="chart"') == page.count("<details>") == 2


def test_the_command_writes_a_page_for_its_reader_alone(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    assert main(["insights", str(journal), "--days", "366", "--html", str(page)]) == 0
    assert page.stat().st_mode & 0o077 == 0
    assert "Questions a day" in page.read_text("utf-8")
    assert main(["insights", str(journal), "--days", "366"]) == 0
    assert "decisions" in capsys.readouterr().out
    assert main(["insights", str(tmp_path / "none.db")]) == 1
    with pytest.raises(SystemExit, match="2"):
        main(["insights", "--days", "0"])


def test_an_empty_time_is_told_as_one() -> None:
    told = PageContent(insights=insights_of([]), proposals=Proposals(), until="2026-11-22")
    assert "You were asked nothing" in page_of(told)
    assert json.dumps(insights_of([]).spread)


def test_each_who_and_each_verdict_has_a_word_and_no_other_has() -> None:
    who_and_verdicts = {*map(str, Actor), *(it.name.lower() for it in Verdict)}
    assert set(insight_page._WORDS) - {"allowed", "refused", "cancelled"} == who_and_verdicts
