"""What each part of a judgement adds to the ruling, seen through `decide` alone."""

from attrs import evolve

from assent.gate.call.calls import Call, Effect, Premise
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.rules.books import allow, ask, book, deny
from gate.ruling.samples import WORKSPACE, fetching, policy, reading, running, using, writing
from tables import each_row

_LONG = "x" * (5 * 1024 * 1024)


def _by(*rules: WrittenRule, suspended: frozenset[str] = frozenset()) -> Policy:
    """Everything is allowed but for what these rules say."""
    written = evolve(book(*rules), suspended=suspended)
    return evolve(policy(Mode.AUTO), book=written)


@each_row(
    ("call", "effect"),
    [
        (reading(), "read"),
        (writing(), "write"),
        (fetching(), "network"),
        (using(), "external"),
        (evolve(using(), effect=Effect.WRITE), "write"),
    ],
)
def test_a_rule_about_an_effect_is_about_every_call_that_has_it(call: Call, effect: str) -> None:
    assert decide(call, _by()).verdict is Verdict.ALLOW
    assert decide(call, _by(deny(f"effect({effect})"))).verdict is Verdict.DENY
    assert decide(call, _by(ask(f"effect({effect})"))).verdict is Verdict.ASK
    assert decide(call, _by(deny("effect(delete)"))).verdict is Verdict.ALLOW


@each_row(
    ("call", "tool"),
    [
        (reading(), "read"),
        (writing(), "write"),
        (fetching(), "fetch"),
        (using(), "other"),
        (using(served=("gh:get",)), "mcp"),
        (running("cat src/till.py"), "read"),
        (running("cat src/till.py"), "shell"),
    ],
)
def test_what_a_rule_that_could_not_be_read_may_be_about_is_asked(call: Call, tool: str) -> None:
    assert decide(call, _by()).verdict is Verdict.ALLOW
    for name in (tool, "*"):
        ruling = decide(call, _by(suspended=frozenset({name})))
        assert ruling.verdict is Verdict.ASK
        assert not ruling.lasting
        assert "could not be read" in ruling.because
    assert decide(call, _by(suspended=frozenset({"agent"}))).verdict is Verdict.ALLOW


def test_a_name_that_an_agent_gives_its_call_can_tighten_and_not_allow() -> None:
    call = using(served=("gh:get",))
    assert decide(call, _by(deny("mcp(gh:get)"))).verdict is Verdict.DENY
    careful = evolve(_by(allow("mcp(gh:get)")), mode=Mode.DEFAULT)
    assert decide(call, careful).verdict is Verdict.ASK


def test_what_was_written_for_the_chat_counts_beside_the_book() -> None:
    wishes = evolve(_by(allow("read(./src/**)")), more=book(deny("read(./src/till.py)")))
    assert decide(reading(), wishes).verdict is Verdict.DENY
    assert decide(reading("README.md"), wishes).verdict is Verdict.ALLOW


@each_row(
    "call",
    [
        reading(says=_LONG),
        using({"a": _LONG}),
        using({"a": {"b": [_LONG]}}),
        running(_LONG),
        evolve(reading(), input={"path": "src/till.py", "a": {"b": [_LONG]}}),
        writing(new=_LONG),
    ],
    ids=["said", "word", "nested word", "command", "nested beside a path", "edit"],
)
def test_what_no_card_has_room_for_is_refused_wherever_it_stands(call: Call) -> None:
    ruling = decide(call, _by())
    assert ruling.verdict is Verdict.DENY
    assert "too large" in ruling.because


def test_what_a_card_has_room_for_is_not_refused() -> None:
    nearly = "x" * (3 * 1024 * 1024)
    assert decide(using({"a": nearly}), _by()).verdict is Verdict.ALLOW
    # The same letters are counted once.
    assert decide(using({"a": {"b": nearly}}), _by()).verdict is Verdict.ALLOW
    assert decide(using({"a": "\u200b" * 150_000}), _by()).verdict is Verdict.DENY


_KEYS = Premise(path="/home/ada/kept/keys", name="the editor's secrets", keys=True)
_SETTINGS = Premise(path="/home/ada/fork/User", name="the editor's own settings")
_PLACES = Places(
    roots=(WORKSPACE,), home="/home/ada", premises=Premises.of([_KEYS, _SETTINGS], [WORKSPACE])
)


@each_row(
    ("named", "read", "changed"),
    [
        (f"{_KEYS.path}/one", Verdict.ASK, Verdict.ASK),
        (f"{_SETTINGS.path}/settings.json", Verdict.ALLOW, Verdict.ASK),
        ("src/till.py", Verdict.ALLOW, Verdict.ALLOW),
    ],
)
def test_a_place_of_the_gates_is_asked_about_that_only_the_words_of_a_call_name(
    named: str, read: Verdict, changed: Verdict
) -> None:
    given = {"how": ["of", {"where": named}]}
    for effect, expected in [(Effect.READ, read), (Effect.EXTERNAL, changed)]:
        call = evolve(using(given), effect=effect)
        assert decide(call, _by(), _PLACES).verdict is expected, effect


def test_keys_are_asked_about_that_a_call_reads_by_name() -> None:
    target = _PLACES.locate(f"{_KEYS.path}/one", WORKSPACE)
    call = evolve(reading(), targets=(target,))
    assert decide(call, _by(), _PLACES).verdict is Verdict.ASK
    assert decide(reading(), _by(), _PLACES).verdict is Verdict.ALLOW


def test_a_file_may_speak_of_the_gates_places_and_a_request_may_too() -> None:
    told = f"It is kept in {_SETTINGS.path}/settings.json"
    said = [writing(new=told), fetching(says=told), evolve(using({"to": told}), effect=Effect.CHAT)]
    for call in said:
        assert decide(call, _by(), _PLACES).verdict is Verdict.ALLOW, call.tool
