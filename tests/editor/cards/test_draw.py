"""A card says what was parsed, and the agent's words only where they are named as such."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from assent.editor.cards.draw import draw
from assent.editor.cards.spans import text_of
from assent.editor.cards.titles import title_of
from assent.gate.call.calls import Edit, Effect, Offer, Script
from assent.gate.call.modes import Mode
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.gate.text.encodings import Encoding
from editor.cards.samples import SETTING, a_call, a_target, a_ticket, a_wish, shell
from gate.ruling.samples import connecting, searching
from tables import each_row

requirement = pytest.mark.requirement


def card(asks: Any) -> Any:
    return draw(a_ticket(asks), SETTING)


def title(asks: Any) -> str:
    return text_of(card(asks).title)


TITLES = {
    "Run npm test": shell("npm test"),
    "Run npm test in packages/core": shell("npm test", folder="packages/core"),
    "Run a command of 4,000 characters": shell("x" * 4000),
    "Run a script of 3 lines": shell("a\nb\nc"),
    "Read src/a.py": a_call(tool="read", effect=Effect.READ, targets=(a_target("src/a.py"),)),
    "Read 2 files": a_call(tool="read", effect=Effect.READ, targets=(a_target("a"), a_target("b"))),
    "Create a": a_call(
        tool="write",
        effect=Effect.WRITE,
        targets=(a_target("a"),),
        edits=(Edit(path="/w/a", old=None, new="x"),),
    ),
    "Edit a": a_call(
        tool="write",
        effect=Effect.WRITE,
        targets=(a_target("a"),),
        edits=(Edit(path="/w/a", old="y", new="x"),),
    ),
    "Change a": a_call(tool="write", effect=Effect.WRITE, targets=(a_target("a"),)),
    "Send a request to x.org": a_call(input={"url": "https://x.org/a"}),
    "Search the web for vat rates": searching(),
    "npm install wants registry.example:443": connecting(),
    "A command wants x.org:80": connecting("x.org", 80, "x" * 41),
    "A command wants [::1]:80": connecting("[::1]", 80, "a\nb"),
    "Use a tool": a_call(input={"thing": 1}),
    "Do something that could not be read": shell("ls", unreadable="It has no input."),
}


@requirement("S-04")
def test_a_card_about_a_host_says_what_leave_for_it_means_and_shows_the_whole_command() -> None:
    command = "npm install\u202e && " + "x" * 500
    drawn = card(connecting(command=command, says="It is only a registry."))
    assert drawn.consequence == "Whatever runs in the sandbox could send it what it can read."
    assert (drawn.level, drawn.primary, drawn.sandbox) == ("medium", "allow", None)
    assert text_of(drawn.title).endswith(" wants registry.example:443")
    (row,) = drawn.body.rows
    assert (text_of(row.name), "".join(span.text for span in row.value)) == ("command", command)
    assert (drawn.members, drawn.touches) == ([], [])
    assert text_of(drawn.says or []) == "It is only a registry."
    shown = drawn.model_copy(update={"says": None}).model_dump_json()
    assert "only a registry" not in shown
    assert "U+202E" in [span.shown for span in row.value]


@requirement("S-04")
@each_row(("said", "call"), TITLES.items(), ids=TITLES)
def test_the_title_is_a_verb_and_an_object(said: str, call: Any) -> None:
    assert title(call) == said


@requirement("T-13")
@each_row(
    ("command", "said"),
    [
        ("npm test", "Run npm test"),
        ("x" * 4000, f"Run {'x' * 80} … (4,000 characters)"),
        ("\na\nb\nc\n", "Run a … (3 lines)"),
    ],
)
def test_a_record_tells_how_a_long_command_begins(command: str, said: str) -> None:
    assert text_of(title_of(shell(command))) == said


@requirement("S-04")
@given(st.text(min_size=1, max_size=200))
def test_the_agents_words_are_in_one_place_and_change_nothing_else(words: str) -> None:
    silent, talking = card(shell("rm -rf build")), card(shell("rm -rf build", says=words))
    assert "".join(span.text for span in talking.says) == words
    assert silent == talking.model_copy(update={"says": None})


def test_a_command_is_drawn_whole_and_exact() -> None:
    command = "echo " + "x" * 5000 + " \u202e; tail"
    assert "".join(span.text for span in card(shell(command)).body.command) == command


def test_what_could_not_be_read_is_high_and_shows_all_its_arguments() -> None:
    drawn = card(a_call(unreadable="It has no input.", input={"a": {"b": [1]}, "c": "text"}))
    assert (drawn.level, drawn.primary, drawn.body.kind) == ("high", "deny", "other")
    assert [text_of(row.value) for row in drawn.body.rows] == ['{"b": [1]}', "text"]


@each_row(
    ("call", "level"),
    [
        (a_call(tool="read", effect=Effect.READ, targets=(a_target("a"),)), "low"),
        (shell("ls"), "medium"),
        (a_call(), "medium"),
        (
            a_call(tool="write", effect=Effect.WRITE, targets=(a_target("a", inside=False),)),
            "high",
        ),
        (
            a_call(tool="write", effect=Effect.WRITE, targets=(a_target(".vscode/x"),)),
            "high",
        ),
    ],
)
def test_the_level_comes_from_the_effects(call: Any, level: str) -> None:
    assert card(call).level == level


@each_row(("inside", "level"), [(True, "medium"), (False, "high")])
def test_a_change_that_a_card_cannot_show_whole_is_not_low_and_says_so(
    level: str, *, inside: bool
) -> None:
    def changing(count: int) -> Any:
        new = "".join(f"{at}\n" for at in range(count))
        target, made = a_target("a", inside=inside), Edit(path="/w/a", old="", new=new)
        return card(a_call(tool="write", effect=Effect.WRITE, targets=(target,), edits=(made,)))

    says = "Changes more than this card can show; open the diff to see all of it."
    drawn = changing(2_001)
    assert drawn.level == level
    assert drawn.consequence.endswith(says)
    assert text_of(drawn.body.files[0].hunks[-1].lines[-1].text).startswith("1 more line is put in")
    assert says not in (changing(2_000).consequence or "")
    assert changing(2_000).level == ("low" if inside else "high")


def test_a_file_in_another_encoding_than_utf_8_is_said_to_be_in_it() -> None:
    def touched(encoding: Encoding) -> str:
        edit = Edit(path="/w/a", old="y", new="x", encoding=encoding)
        change = a_call(tool="write", effect=Effect.WRITE, targets=(a_target("a"),), edits=(edit,))
        return text_of(card(change).touches[0].text)

    assert touched(Encoding.UTF_8) == "a · in the workspace"
    assert touched(Encoding.WINDOWS) == "a · in the workspace · in Windows-1252"


def test_the_agents_own_lasting_answers_are_named_as_its_own() -> None:
    drawn = card(shell("ls", offers=(Offer(id="x", label="Always allow"),)))
    own = [option for option in drawn.options if option.kind == "agentAlways"]
    assert [(option.id, option.label) for option in own] == [
        ("agent:x", "Let Eliza remember this itself: “Always allow”")
    ]


def test_a_wish_shows_the_exact_value_and_keeping_to_ask_is_primary() -> None:
    drawn = card(a_wish({"x": 1}))
    assert (drawn.level, drawn.primary, drawn.body.kind) == ("high", "deny", "trust")
    assert "".join(span.text for span in drawn.body.value) == '{\n  "x": 1\n}'
    assert [option.kind for option in drawn.options] == ["keepAsking", "grantWish"]


@each_row(
    "given",
    [
        {"url": "http://[broken"},
        {"url": "http://evil.example\\@docs.python.org/x"},
        {"url": "http://docs.python.org@evil.example/"},
        {"url": "http://docs.python.org /x"},
        {"url": "https://docs.python.org", "script": "rm -rf ~"},
        {"url": "file:///etc/passwd"},
    ],
)
def test_a_url_that_could_be_read_in_two_ways_names_no_host(given: dict[str, str]) -> None:
    assert title(a_call(input=given)) == "Use a tool"


@requirement("T-02")
@each_row(
    ("command", "texts", "in_title"),
    [
        ("npm test", ["vitest run"], True),
        ("npm test", ["node --test --experimental-test-coverage tests/"], False),
        ("npm test", ["a\u202eb"], False),
        ("npm test", ["one", "two"], False),
        ("cd x && npm test", ["vitest run"], False),
        ("npm test $(", ["vitest run"], False),
        ("npm test", ["npm test"], True),
        ("npm test", [""], False),
        ("npm test", ["x) in the sandbox (y"], False),
    ],
)
def test_each_text_that_a_command_runs_is_drawn_once_in_the_title_where_it_is_short(
    command: str, texts: list[str], in_title: bool
) -> None:
    scripts = tuple(Script(name=f"s{at}", text=it, folder="/w") for at, it in enumerate(texts))
    call = evolve(shell(command), scripts=scripts)
    ruling = decide(call, Policy(mode=Mode.ASK, trusted=True))
    drawn = draw(evolve(a_ticket(call), ruling=ruling), SETTING)
    assert text_of(drawn.title).endswith(f" ({texts[0]})") == in_title
    rows = [(text_of(row.name), "".join(it.text for it in row.value)) for row in drawn.members]
    assert rows == ([] if in_title else [(f"Runs {it.name}", it.text) for it in scripts])
