"""What is only an agent's word: rules may deny it or ask about it, and none allows it."""

from pathlib import Path
from typing import Any

from attrs import evolve

from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.hosting.permission.calls import Reader
from assent.hosting.permission.hearsay import told_in_words
from assent.hosting.recipes import claude, gemini
from gate.rules.books import allow, deny
from tables import each_row

TITLED: dict[str, Any] = {"toolCallId": "t", "kind": "execute", "title": "make", "content": []}
_ALLOW, _ASK, _DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY


def places_of(root: Path) -> Places:
    return Places(roots=(str(root),), home=str(root.parent))


def call_of(root: Path, whole: dict[str, Any]) -> Call:
    agent, places = AgentId("a"), places_of(root)
    reader = Reader(chat=ChatId("c"), agent=agent, cwd=str(root), places=places)
    words = gemini.RECIPE.in_words(whole)
    call = reader.read(words or whole)
    return call if words is None else told_in_words(call)


def verdict(root: Path, call: Call, *rules: Any, **told: Any) -> Verdict:
    book = Book.of([*rules], (str(root),), str(root))
    policy = Policy(**{"mode": Mode.DEFAULT, "trusted": True, "book": book} | told)
    return decide(call, policy, places_of(root)).verdict


def test_a_command_that_stands_in_the_title_alone_is_shown_as_one(tmp_path: Path) -> None:
    call = call_of(tmp_path, TITLED)
    assert (call.tool, call.input, call.hearsay) == ("shell", {"command": "make"}, True)
    assert call.unreadable is None


def test_no_rule_lets_it_pass_and_each_that_denies_it_does(tmp_path: Path) -> None:
    call = call_of(tmp_path, TITLED)
    assert verdict(tmp_path, call, allow("shell(make:*)")) is _ASK
    assert verdict(tmp_path, call, allow("shell(*)")) is _ASK
    assert verdict(tmp_path, call, deny("shell(make:*)")) is _DENY
    known = evolve(call, hearsay=False)
    assert verdict(tmp_path, known, allow("shell(make:*)")) is _ALLOW


def test_what_only_reads_is_asked_about_as_well(tmp_path: Path) -> None:
    call = call_of(tmp_path, {**TITLED, "title": "ls"})
    assert verdict(tmp_path, call) is _ASK
    assert verdict(tmp_path, evolve(call, hearsay=False)) is _ALLOW


def test_a_bypass_and_a_mode_that_lets_commands_run_lift_that(tmp_path: Path) -> None:
    call = call_of(tmp_path, TITLED)
    assert verdict(tmp_path, call, bypassed=frozenset({AgentId("a")})) is _ALLOW
    assert verdict(tmp_path, call, mode=Mode.AUTO) is _ALLOW
    assert verdict(tmp_path, call, deny("shell(make:*)"), mode=Mode.AUTO) is _DENY


@each_row(
    "told",
    [
        {"kind": "other"},
        {"rawInput": {"command": "make"}},
        {"title": ""},
        {"title": 7},
        {"locations": [{"path": "a.txt"}]},
    ],
)
def test_only_the_title_of_a_command_that_says_nothing_else_counts_as_one(
    tmp_path: Path, told: dict[str, Any]
) -> None:
    assert not call_of(tmp_path, {**TITLED, **told}).hearsay
    assert claude.RECIPE.in_words(TITLED) is None


def search_of(root: Path, title: str, kind: str = "search") -> Call:
    """A call as Gemini CLI 0.61.0 asks for one: with a title, and nothing else that says more."""
    told = {"toolCallId": "glob_1", "status": "pending", "content": [], "locations": []}
    return call_of(root, {**told, "kind": kind, "title": title})


@each_row(
    "title, action, given, shown",
    [
        (".", "list", {"path": "."}, ["."]),
        ("sub", "list", {"path": "sub"}, ["sub"]),
        ("'to do' within ./", "search", {"pattern": "to do", "path": "./"}, ["."]),
        ("'x' within sub", "search", {"pattern": "x", "path": "sub"}, ["sub"]),
        ("'*.txt'", "search", {"pattern": "*.txt", "path": "."}, ["."]),
        (
            "'x' in *.py within sub",
            "search",
            {"pattern": "x", "path": "sub", "include": "*.py"},
            ["sub"],
        ),
    ],
)
def test_a_title_that_clearly_tells_a_search_or_a_list_is_shown_as_one(
    tmp_path: Path, title: str, action: str, given: dict[str, str], shown: list[str]
) -> None:
    call = search_of(tmp_path, title)
    assert (call.tool, call.action, call.input) == ("read", action, given)
    assert [target.shown for target in call.targets] == shown
    assert call.unreadable is None
    assert "cannot check" in call.caution


@each_row(
    "title",
    [
        "'x' within a within b",
        "'x' within docs' within secrets",
        "'x' within a/very...long",
        "'x' across all workspace directories",
        "a list of more",
        "sub\u202etxt",
        "sub/...",
        "'/etc/*'",
        "'../*' within sub",
        "'~/x'",
    ],
)
def test_a_title_that_may_mean_another_folder_is_shown_as_the_words_that_it_is(
    tmp_path: Path, title: str
) -> None:
    call = search_of(tmp_path, title)
    assert (call.tool, call.input, call.targets) == ("other", {"title": title}, ())
    assert call.unreadable is None
    assert "cannot check" in call.caution


@each_row(
    "kind, title, given",
    [
        ("search", 'Searching the web for: "a "b" c"', {"query": 'a "b" c'}),
        ("fetch", "Fetching content from: https://x.org/a", {"url": "https://x.org/a"}),
        (
            "fetch",
            'Processing URLs and instructions from prompt: "see https://x.org"',
            {"prompt": "see https://x.org"},
        ),
        ("fetch", "another title", {"title": "another title"}),
        ("read", "Lists all background processes.", {"title": "Lists all background processes."}),
    ],
)
def test_a_title_tells_what_is_wanted_of_the_web(
    tmp_path: Path, kind: str, title: str, given: dict[str, str]
) -> None:
    call = search_of(tmp_path, title, kind)
    assert (call.tool, call.input, call.unreadable) == ("other", given, None)
    assert "cannot check" in call.caution


def test_what_is_searched_and_fetched_by_words_is_asked_about_in_every_mode(tmp_path: Path) -> None:
    for call in (
        search_of(tmp_path, "."),
        search_of(tmp_path, "'x' within ./"),
        search_of(tmp_path, "Fetching content from: https://x.org/a", "fetch"),
    ):
        for rule in (allow("read(./**)"), allow("fetch(domain:x.org)")):
            assert verdict(tmp_path, call, rule) is _ASK
        assert verdict(tmp_path, call, mode=Mode.AUTO) is _ASK
        assert verdict(tmp_path, call, bypassed=frozenset({AgentId("a")})) is _ASK


def test_a_rule_that_denies_a_folder_or_a_host_denies_what_words_name_of_it(tmp_path: Path) -> None:
    inside = search_of(tmp_path, "'x' within secrets")
    assert verdict(tmp_path, inside, deny("read(./secrets/**)")) is _DENY
    fetched = search_of(tmp_path, "Fetching content from: https://x.org/a", "fetch")
    assert verdict(tmp_path, fetched, deny("fetch(domain:x.org)")) is _DENY
