"""Whatever goes wrong while settings are read, nothing is wider, and a banner says so."""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from pydantic import BaseModel

import assent
from assent.editor.window.settings.diagnostics import Diagnostics
from assent.editor.window.settings.workspace import Workspace
from assent.gate.admit import Gate
from assent.gate.approvals.tickets import Outcome, Ticket
from assent.gate.call.calls import AgentId, Call
from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor
from assent.gate.passage import Ended
from assent.gate.settings.managed import read_managed
from assent.gate.settings.model import Settings
from editor.wire.editor import Editor
from gate.approvals.samples import answer_to
from gate.ruling.samples import running
from gate.settings.near import Near, near
from tables import Part, in_steps_of

PACKAGE = str(Path(assent.__file__).parent)

SAID: dict[str, dict[str, Any]] = {
    "user": {
        "mode": "acceptEdits",
        "rules": {
            "allow": [{"rule": "shell(make:*)", "matches": ["make x"], "until": "2099-01-01"}],
            "ask": ["effect(network)", "shell(git push:*)"],
            "deny": ["shell(rm:*)", "read(./secret/**)", {"rule": "fetch(domain:*.x.org)"}],
        },
        "agents": {"other": {"command": "other", "args": ["--acp"], "env": {"A": "b"}}},
        "additionalDirectories": ["~/beside"],
        "models": [{"provider": "ollama", "model": "tiny"}],
        "searchUrl": "https://s.example.org/search",
        "mcpServers": {"files": {"command": "files-server", "env": {"A": "${secret:A}"}}},
        "nodetool": "~/nodetool/bin/python",
        "nodes": ["~/nodes/*.py"],
        "collectionsUrl": "postgresql://me@db.example.org/docs",
        "collections": {"docs": {"paths": ["./docs/**"], "embed": "ollama:m"}},
        "shell": "fish",
        "keepChats": {"days": 7},
        "telemetry": {"endpoint": "http://127.0.0.1:4318"},
        "hooks": [{"event": "PostToolUse", "command": "true"}],
        "requestsPerTurn": 7,
        "tokensPerTurn": 7,
        "tokensPerPart": 7,
        "writesPerTurn": 7,
        "approvalTimeout": 7,
        "sandbox": "off",
        "bypassPermissions": {},
        "hookWithoutEditor": "deny",
        "notifications": False,
        "interpreter": "/usr/bin/python3",
        "serverCommand": ["assent", "serve"],
    },
    "workspace": {
        "rules": {"allow": ["shell(ls:*)"], "deny": ["shell(dd:*)"]},
        "mode": "auto",
        "bypassPermissions": {"eliza": True},
        "hooks": [{"event": "PostToolUse", "command": "false"}],
        "additionalDirectories": ["/srv"],
    },
}
"""Every setting, and each is well."""


def test_every_setting_is_among_those_that_are_tried() -> None:
    assert set(SAID["user"]) == {it.alias or name for name, it in Settings.model_fields.items()}


class _Fault(Exception):
    """What nobody thought of."""


FAULTS = (_Fault, TypeError, RecursionError, ValueError, OSError)
"""What a function may raise; each function raises one of them, in turn."""


def _editor(tmp_path: Path) -> Editor:
    layers = {layer: dict(keys) for layer, keys in SAID.items()}
    files = {it: tmp_path / f"{it}.json" for it in layers}
    editor = Editor(layers=layers, files=files)
    editor.save()
    return editor


def _holds_without_settings(scene: Near, fault: type[Exception]) -> list[str]:
    """What is wrong with a house whose settings could not be read for that fault."""
    wrong = []
    says = f"Your settings could not be read ({fault.__name__}), so every call is asked about."
    if sum(banner.startswith(says) for banner in scene.banners) != 1:
        wrong.append(f"no banner says so: {scene.banners}")
    if "eliza" not in {agent.id for agent in scene.built.chats.chats.agents()}:
        wrong.append("the agents are gone")
    verdicts = {it: scene.verdict(it) for it in ("make", "ls", "echo x")}
    if set(verdicts.values()) != {"ask"}:
        wrong.append(f"not everything asks: {verdicts}")
    reading = scene.built.settings.workspace.reading
    if reading.bypassed or reading.mode not in {Mode.ASK, Mode.PLAN}:
        wrong.append("it is wider than without settings")
    return wrong


@contextmanager
def _broken(function: FunctionType, fault: type[Exception]) -> Iterator[None]:
    """A function that fails wherever it is called from, and under whatever name."""
    whole = function.__code__

    def fails(*_: object, **__: object) -> None:
        raise "FAULT"  # type: ignore[misc]  # noqa: B016 -- the constant is replaced below

    constants = tuple(fault if it == "FAULT" else it for it in fails.__code__.co_consts)
    function.__code__ = fails.__code__.replace(
        co_consts=constants, co_freevars=whole.co_freevars, co_name=whole.co_name
    )
    try:
        yield
    finally:
        function.__code__ = whole


async def _reading_functions(read: Callable[[], Any]) -> list[FunctionType]:
    """Every function of the product that runs while settings are read, by watching it happen."""
    seen: set[CodeType] = set()
    main = threading.get_ident()

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(PACKAGE):
            return
        if threading.get_ident() != main or _is_below(frame, Workspace._take.__code__):
            seen.add(frame.f_code)

    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        await read()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # as its documentation says
    found = [it for it in gc.get_objects() if isinstance(it, FunctionType) and it.__code__ in seen]
    return sorted(found, key=lambda it: (it.__module__, it.__qualname__))


def _is_below(frame: FrameType, code: CodeType) -> bool:
    at: FrameType | None = frame
    while at is not None and at.f_code is not code:
        at = at.f_back
    return at is not None


async def _watched(scene: Near) -> list[FunctionType]:
    async def read() -> None:
        # Threads that are there already are not watched.
        scene.built.settings.workspace._aside = type(scene.built.settings.workspace._aside)(1)
        await scene.built.settings.workspace.reload()

    found = await _reading_functions(read)
    modules = {it.__module__ for it in found}
    assert {
        "assent.gate.settings.own",
        "assent.gate.settings.rules",
        "assent.editor.window.settings.layer_files",
    } <= modules
    assert len(found) > 100, "or this test looks elsewhere"
    return found


def test_every_setting_is_among_those_that_are_read() -> None:
    assert {key for layer in SAID.values() for key in layer} == set(_keys())


@pytest.mark.requirement("S-02")
@pytest.mark.timeout(600)
@in_steps_of(10, long=3)
async def test_a_fault_in_any_function_that_reads_settings_leaves_nothing_wider(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: Part
) -> None:
    wrong, faults = [], cycle(FAULTS)
    async with near(tmp_path, _editor(tmp_path), monkeypatch) as scene:
        await scene.begin()
        workspace = scene.built.settings.workspace
        before = workspace.reading.agents
        assert scene.verdict("rm x") == scene.verdict("dd x") == "deny"
        for function in part.of(await _watched(scene)):
            fault = next(faults)
            with _broken(function, fault):
                known = await workspace.reload()
            what = [] if known else _holds_without_settings(scene, fault)
            if scene.verdict("rm x") != "deny" or scene.verdict("dd x") != "deny":
                what.append("what was denied is denied no longer")
            if workspace.reading.agents != before and not workspace.reading.problems:
                # A validator that raises `ValueError` refuses what it looks at, which is told.
                what.append("other agents, and nobody says why")
            await workspace.reload()
            if workspace.reading.problems or scene.verdict("make") != "allow":
                what.append("it did not recover")
            wrong += [f"{function.__module__}.{function.__qualname__}: {it}" for it in what]
    assert wrong == []


@pytest.mark.requirement("S-02")
@pytest.mark.timeout(600)
@in_steps_of(10, long=3)
async def test_a_fault_at_the_first_reading_leaves_agents_and_asks_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: Part
) -> None:
    wrong, faults = [], cycle(reversed(FAULTS))
    async with near(tmp_path, _editor(tmp_path), monkeypatch) as scene:
        workspace = scene.built.settings.workspace
        nothing, empty = workspace.reading, workspace.book
        await scene.begin()
        for function in part.of(await _watched(scene)):
            workspace.reading, workspace.book, workspace.keys = nothing, empty, {}
            fault = next(faults)
            with _broken(function, fault):
                known = await workspace.reload()
            what = [] if known else _holds_without_settings(scene, fault)
            wrong += [f"{function.__module__}.{function.__qualname__}: {it}" for it in what]
    assert wrong == []


WRONG: list[Any] = [None, True, 7, -1.5, "", "x", "\ud800", [], [[]], {}, {"": []}, [None], [{}]]


def _sample(schema: dict[str, Any], whole: dict[str, Any]) -> Any:
    """Something that is of the shape that a schema describes."""
    if "$ref" in schema:
        return _sample(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    for many in ("anyOf", "oneOf", "allOf"):
        if many in schema:
            # The richest, since it has most in it that can be wrong.
            return _sample(max(schema[many], key=lambda it: "$ref" in it), whole)
    if "enum" in schema:
        return schema["enum"][0]
    if "properties" in schema:
        return {key: _sample(it, whole) for key, it in schema["properties"].items()}
    match schema.get("type"):
        case "object":
            others = schema.get("additionalProperties")
            return {"eliza": _sample(others if isinstance(others, dict) else {}, whole)}
        case "array":
            return [_sample(schema.get("items", {}), whole)]
        case kind:
            return {"string": "shell(ls:*)", "boolean": True, "null": None}.get(kind, 5)


def _spoiled(value: Any) -> Iterator[Any]:
    """A value with something wrong in its place, or in any place within it."""
    yield from WRONG
    if isinstance(value, dict):
        for key, inner in value.items():
            for worse in _spoiled(inner):
                yield {**value, key: worse}
        yield {**value, "unknown": 1}
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            for worse in _spoiled(inner):
                yield [*value[:index], worse, *value[index + 1 :]]
        yield value * 300


def _deep() -> Any:
    value: Any = []
    for _ in range(5_000):
        value = [value]
    return value


def _keys() -> list[str]:
    fields: dict[str, Any] = Settings.model_fields
    assert issubclass(Settings, BaseModel)
    return [it.alias for it in fields.values()]


@pytest.mark.requirement("S-02")
@pytest.mark.parametrize("layer", ["user", "workspace", "folder"])
@pytest.mark.parametrize("key", _keys())
async def test_a_value_of_any_wrong_type_widens_nothing_and_takes_no_agent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, layer: str
) -> None:
    whole = Settings.model_json_schema()
    values = [*_spoiled(_sample(whole["properties"][key], whole)), _deep()]
    assert len(values) >= len(WRONG)
    editor = Editor(layers={"user": {"rules": {"deny": ["shell(rm:*)"]}}})
    async with near(tmp_path, editor, monkeypatch) as scene:
        await scene.begin()
        for value in values:
            before = dict(editor.layers.get(layer, {}))
            editor.layers.setdefault(layer, {})[key] = value
            assert await scene.built.settings.workspace.reload() is True, value
            assert "eliza" in {it.id for it in scene.built.chats.chats.agents()}, value
            if (layer, key) != ("user", "rules"):
                assert scene.verdict("rm x") == "deny", value
            assert scene.verdict("touch x", Mode.DEFAULT) != "allow", value
            assert scene.built.settings.workspace.reading.bypassed == frozenset()
            editor.layers[layer] = before
        await scene.built.settings.workspace.reload()
        assert scene.built.settings.workspace.reading.problems == ()
        assert scene.verdict("rm x") == "deny"


class TestWhatRestoresASafeState:
    """Each place is made to fail by what nobody thought of."""

    async def test_a_card_whose_ruling_fails_is_refused_and_the_others_are_ruled_on(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with near(tmp_path, Editor(), monkeypatch) as scene:
            await scene.begin()
            gate = scene.built.rules.gate

            async def carry_out(*_: object) -> Ended:
                raise AssertionError("nothing is to run")

            calls = [running("touch a"), running("touch b")]
            asked = [asyncio.ensure_future(gate.admit(it, carry_out)) for it in calls]
            await until(lambda: len(gate.room.tickets) == 2)
            scene.editor.layers["user"] = {"rules": {"deny": ["shell(touch:*)"]}}
            real, left = Gate._rule_again, [_Fault("the first one breaks")]

            def breaks(self: Gate, ticket: Ticket, call: Call) -> None:
                if left:
                    raise left.pop()
                real(self, ticket, call)

            monkeypatch.setattr(Gate, "_rule_again", breaks)
            await scene.built.settings.workspace.reload()
            ended = await asyncio.wait_for(asyncio.gather(*asked), 5)
            assert [it.settlement.by for it in ended] == [Actor.ERROR, Actor.RULE]

    async def test_a_wish_that_could_not_be_kept_is_told_as_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        editor = Editor(layers={"workspace": {"bypassPermissions": {"eliza": True}}})
        async with near(tmp_path, editor, monkeypatch) as scene:
            await scene.begin()
            room = scene.built.run.room
            await until(lambda: len(room.tickets) == 1)
            monkeypatch.setattr(Workspace, "attest", _fails)
            receipt = await asyncio.wait_for(room.answer(answer_to(room.tickets[0], "grant")), 5)
            assert receipt.settlement is not None
            assert receipt.settlement.outcome is Outcome.REFUSED
            assert scene.built.settings.workspace.reading.bypassed == frozenset()

    @pytest.mark.parametrize("what", ["no room", "nobody thought of it"])
    async def test_a_bypass_ends_where_its_end_cannot_be_kept(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
    ) -> None:
        editor = Editor(choose=lambda asked: asked.actions[0])
        async with near(tmp_path, editor, monkeypatch) as scene:
            await scene.begin()
            widening_consent = scene.built.consent.widening_consent
            assert await widening_consent.bypass(AgentId("eliza")) is None
            assert scene.built.settings.workspace.reading.bypassed == {"eliza"}
            with monkeypatch.context() as patch:
                if what == "no room":
                    patch.setattr(os, "fsync", _full)
                else:
                    patch.setattr(Workspace, "attest", _fails)
                with pytest.raises((AssentError, _Fault)):
                    await widening_consent.ask_again(AgentId("eliza"))
            assert scene.built.settings.workspace.reading.bypassed == frozenset()
            assert "bypassPermissions" not in editor.layers["workspace"]

    @pytest.mark.parametrize("where", [(Workspace, "tell"), (Diagnostics, "show")])
    async def test_what_follows_a_reading_is_done_though_one_part_of_it_fails(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: tuple[type, str]
    ) -> None:
        async with near(tmp_path, _editor(tmp_path), monkeypatch) as scene:
            await scene.begin()
            told = []
            scene.built.settings.workspace.followers = (lambda: told.append("ruled again"),)
            monkeypatch.setattr(*where, _fails)
            assert await scene.built.settings.workspace.reload() is True
            assert told == ["ruled again"]

    async def test_an_organisations_file_that_breaks_the_reader_makes_every_call_ask(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "managed.json"
        file.write_text('{"rules": {"deny": ["shell(rm:*)"]}}')
        monkeypatch.setattr("assent.gate.settings.managed.layer_rules", _fails)
        found = read_managed(file)
        assert found.suspended == {"*"}
        assert not found.may_bypass
        assert len(found.problems) == 1


def _fails(*_: object, **__: object) -> None:
    raise _Fault("nobody thought of this")


def _full(_: int) -> None:
    raise OSError(28, "No space left on device")


async def until(there: Callable[[], bool]) -> None:
    """Wait until it is so."""
    async with asyncio.timeout(5):
        while not there():  # noqa: ASYNC110 -- nothing tells of it
            await asyncio.sleep(0)
