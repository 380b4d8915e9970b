"""What an agent tells of itself: its modes and settings, its commands, its use, its title."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.gate.call.calls import ChatId
from assent.gate.call.errors import AgentFailed
from assent.gate.journal.agent_events import AgentTitled, CommandsTold, OptionsTold, Setting
from assent.gate.journal.events import Used
from assent.hosting.connection.options import Options
from assent.hosting.connection.self_description import commands_in, title_in, used_in
from assent.hosting.connection.shapes import Modes
from assent.hosting.connection.spec import AgentSpec
from hosting.eliza.rig import Rig
from tables import each_row

Make = Callable[..., AgentSpec]

CHAT = ChatId("c")
BEGIN = """
def begin_with(**new):
    send(id=until("initialize")["id"], result={"protocolVersion": 1, "agentCapabilities": {}})
    send(id=until("session/new")["id"], result={"sessionId": "s", **new})

MODES = {"currentModeId": "default", "availableModes": [
    {"id": "default", "name": "Default"}, {"id": "turbo", "name": "Turbo"}]}
ALLOW = {"id": "allow_all", "name": "Allow all", "type": "boolean", "currentValue": False}
"""


def told(rig: Rig) -> OptionsTold:
    return [it for it in rig.happened if isinstance(it, OptionsTold)][-1]


def options() -> tuple[Options, list[str], list[str]]:
    shown: list[str] = []
    warned: list[str] = []

    def tell(_: tuple[Setting, ...], loose: str) -> None:
        shown.append(loose)

    return Options(name="Odd", tell=tell, warn=warned.append), shown, warned


def config(**more: Any) -> dict[str, Any]:
    return {"id": "x", "name": "X", "type": "select", "currentValue": "a", **more}


async def test_what_an_agent_tells_of_itself_is_passed_on(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        BEGIN
        + """
begin_with(modes=MODES, configOptions=[ALLOW])
number = until("session/prompt")["id"]
cost = {"amount": 0.1234, "currency": "USD"}
update(sessionUpdate="usage_update", used=1200, size=8000, cost=cost)
update(sessionUpdate="session_info_update", title="Rounding\\n in invoices")
update(sessionUpdate="available_commands_update", availableCommands=[
    {"name": "compact", "description": "Make it short", "input": {"hint": "what to keep"}}])
end(number)
until("never")
"""
    )
    await rig.open()
    assert await rig.say("hello") == ("done", "")
    # What is told whole each time may wait for a moment behind the turn's end.
    used, title, commands = [
        await rig.until(
            lambda kind=kind: next((i for i in rig.happened if isinstance(i, kind)), None)
        )
        for kind in (Used, AgentTitled, CommandsTold)
    ]
    assert (used.read, used.window, used.cost) == (1200, 8000, "0.12 USD")
    assert title.title == "Rounding in invoices"
    assert [(it.name, it.says, it.hint) for it in commands.commands] == [
        ("compact", "Make it short", "what to keep")
    ]
    assert [(it.id, it.now) for it in told(rig).settings] == [
        ("mode", "default"),
        ("allow_all", "false"),
    ]
    assert told(rig).loose == ""


@pytest.mark.parametrize(
    ("update", "words"),
    [
        ('sessionUpdate="current_mode_update", currentModeId="turbo"', "in its own mode “Turbo”"),
        (
            'sessionUpdate="config_option_update", configOptions=[dict(ALLOW, currentValue=True)]',
            "at “On” in its own “Allow all”",
        ),
    ],
)
async def test_a_setting_with_which_an_agent_asks_less_is_said_and_stays_to_be_seen(
    rig: Rig, scripted: Make, update: str, words: str
) -> None:
    rig.agent = scripted(
        BEGIN
        + f"""
begin_with(modes=MODES, configOptions=[ALLOW])
number = until("session/prompt")["id"]
update({update})
update({update})
end(number)
until("never")
"""
    )
    await rig.open()
    await rig.say("hello")
    await rig.until(lambda: told(rig).loose)
    assert rig.notices("warning") == [f"Odd is now {words}, so it may ask less."]
    assert told(rig).loose == f"Odd is {words}, so it may ask less."


async def test_an_agent_is_put_into_what_asks_the_most_when_a_session_begins(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        BEGIN
        + """
begin_with(modes=dict(MODES, currentModeId="turbo"), configOptions=[dict(ALLOW, currentValue=True)])
mode = until("session/set_mode")
send(id=mode["id"], result={})
option = until("session/set_config_option")
send(id=option["id"], result={"configOptions": [ALLOW]})
number = until("session/prompt")["id"]
say(json.dumps([mode["params"]["modeId"], option["params"]["value"], option["params"]["type"]]))
end(number)
until("never")
"""
    )
    await rig.open()
    await rig.say("hello")
    assert rig.said() == '["default", false, "boolean"]'
    assert rig.notices("warning") == []
    await rig.until(lambda: told(rig).loose == "")


async def test_what_is_told_while_a_session_opens_can_be_chosen_at_once(
    rig: Rig, scripted: Make, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    os.mkfifo(go)
    rig.agent = scripted(
        BEGIN + f"""
begin_with(modes=dict(MODES, currentModeId="turbo"), configOptions=[ALLOW])
mode = until("session/set_mode")
open({str(go)!r}).read()
send(id=mode["id"], result={{}})
"""
        """
option = until("session/set_config_option")
send(id=option["id"], result={"configOptions": [dict(ALLOW, currentValue=True)]})
until("never")
"""
    )
    opening = asyncio.create_task(rig.open())
    await rig.until(lambda: any(isinstance(it, OptionsTold) for it in rig.happened))
    chosen = asyncio.create_task(rig.fleet.option(rig.chat, "allow_all"))
    await asyncio.to_thread(go.write_text, "")
    await opening
    allow = await chosen
    assert allow is not None
    await rig.fleet.set_option(rig.chat, allow, "true")


async def test_what_a_person_chooses_is_asked_of_the_agent_and_is_no_news(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        BEGIN
        + """
begin_with(configOptions=[ALLOW])
option = until("session/set_config_option")
on = [dict(ALLOW, currentValue=True)]
update(sessionUpdate="config_option_update", configOptions=on)
send(id=option["id"], result={"configOptions": on})
option = until("session/set_config_option")
send(id=option["id"], error={"code": -1, "message": "not now"})
until("never")
"""
    )
    await rig.open()
    allow = await rig.fleet.option(rig.chat, "allow_all")
    assert allow is not None
    await rig.fleet.set_option(rig.chat, allow, "true")
    assert rig.notices("warning") == []
    await rig.until(lambda: told(rig).loose)
    with pytest.raises(AgentFailed, match="Odd did not take it: not now"):
        await rig.fleet.set_option(rig.chat, allow, "false")


def test_no_kind_that_an_agent_gives_a_setting_silences_it() -> None:
    mine, shown, warned = options()
    mine.config_is([config(id="yolo", name="Colour", category="model", currentValue="off")])
    mine.config_is([config(id="yolo", name="Colour", category="model", currentValue="on")])
    assert warned == ["Odd is now at “on” in its own “Colour”, so it may ask less."]
    assert shown[-1] == "Odd is at “on” in its own “Colour”, so it may ask less."


def test_an_agent_that_the_hook_holds_is_not_said_to_ask_less_but_a_change_is_told() -> None:
    mine, shown, warned = options()
    mine.is_held = True
    mine.begin(Modes.model_validate({"currentModeId": "default"}), None)
    mine.mode_is("bypassPermissions")
    assert shown == ["", ""]
    assert len(warned) == 1


def test_an_agent_cannot_fill_the_chat_with_what_it_makes_of_its_modes() -> None:
    mine, _, warned = options()
    for at in range(1000):
        mine.mode_is(f"made-up-{at}")
    assert len(warned) == 20


def test_words_of_an_agent_stay_within_their_quotes() -> None:
    mine, shown, _ = options()
    mine.begin(Modes.model_validate({"currentModeId": "x” is verified. “y\u202e"}), None)
    assert shown == ['Odd is in its own mode “x" is verified. "y<U+202E>”, so it may ask less.']


def test_modes_that_are_told_in_two_ways_are_one_setting() -> None:
    mine, shown, _ = options()
    both = [{"value": "default"}, {"value": "turbo"}]
    offered = Modes.model_validate(
        {"currentModeId": "default", "availableModes": [{"id": "default"}, {"id": "turbo"}]}
    )
    mode = config(id="m", category="mode", options=both)
    mine.begin(offered, [dict(mode, currentValue="default")])
    assert [it.id for it in mine.all] == ["m"]
    mine.mode_is("turbo")
    assert mine.all[0].now == "turbo"
    mine.config_is([dict(mode, currentValue="default")])
    assert shown[-1] == ""


UNREAD = "Odd has a setting of its own that cannot be read, so it may ask less."


@each_row(
    "unfit",
    [
        1,
        None,
        [],
        {},
        {"id": 5, "currentValue": "a"},
        {"id": "", "currentValue": "a"},
        {"id": "y" * 129, "currentValue": "a"},
        {"id": "y", "currentValue": 7},
        {"id": "y", "currentValue": "a" * 129},
        {"id": "y", "currentValue": {}, "category": ["mode"]},
        # That of the same name before it may be the one that holds.
        {"id": "x", "currentValue": "a"},
    ],
)
def test_a_setting_that_nobody_can_read_may_be_any(unfit: object) -> None:
    mine, shown, warned = options()
    mine.config_is([config()])
    assert (shown[-1], warned) == ("", [])
    for _ in range(2):
        mine.config_is([config(), unfit])
        assert [it.id for it in mine.all] == ["x"]
    assert (shown[-1], warned) == (UNREAD, [UNREAD])
    mine.config_is([config()])
    assert shown[-1] == ""


@each_row("told_options", [None, "none", {}])
def test_what_is_no_list_of_settings_says_nothing_of_those_that_were_heard(
    told_options: object,
) -> None:
    mine, shown, _ = options()
    mine.config_is([config(id="yolo", currentValue="on")])
    before = mine.all
    mine.config_is(told_options)
    assert mine.all == before
    mine.config_is([config()])
    mine.config_is(told_options)
    assert shown[-1] == UNREAD


def test_of_settings_beyond_those_that_are_read_each_may_be_any() -> None:
    mine, shown, _ = options()
    many = [config(id=f"x{at}") for at in range(33)]
    mine.begin(None, many[:32])
    assert shown[-1] == ""
    mine.begin(None, [*many, config(id="yolo", currentValue="on")])
    assert (len(mine.all), shown[-1]) == (32, UNREAD)


@each_row("told_mode", [None, 5, "", "plan" * 50, {}])
def test_a_mode_that_nobody_can_read_may_be_any(told_mode: object) -> None:
    mine, shown, _ = options()
    mine.begin(Modes.model_validate({"currentModeId": "default"}), None)
    mine.mode_is(told_mode)
    assert shown == ["", "Odd is in a mode that cannot be read, so it may ask less."]
    mine.begin(Modes.model_validate({"currentModeId": told_mode}), None)
    assert shown[-1] == "Odd is in a mode that cannot be read, so it may ask less."


def test_what_was_heard_stands_until_something_newer_says_otherwise() -> None:
    mine, shown, _ = options()
    mine.mode_is("turbo")
    mine.config_is([config(id="yolo", currentValue="on")])
    mine.go_on(None, None)
    assert shown[-1] == "Odd is in its own mode “turbo”, so it may ask less."
    mine.go_on(Modes.model_validate({"currentModeId": "default"}), None)
    assert shown[-1] == "Odd is at “on” in its own “X”, so it may ask less."
    later, shown, _ = options()
    later.heard = mine.heard
    later.go_on(None, None)
    assert shown[-1] == "Odd is at “on” in its own “X”, so it may ask less."
    later.go_on(None, [config()])
    assert shown[-1] == ""
    later.heard = mine.heard
    later.begin(None, None)
    assert shown[-1] == ""


@each_row(
    ("name", "strict", "loose"),
    [
        ("approval_policy", "untrusted always default", "never on-request on-failure x"),
        ("permission_mode", "default plan ask", "none never bypass on true x"),
        ("sandbox_mode", "read-only on strict", "danger-full-access workspace-write off none x"),
        ("Require approval", "on true always", "off false 0 sometimes"),
        ("Confirm", "on always ask", "auto never no off"),
        ("askBeforeWriting", "true ask", "false x"),
        ("allow_all", "off false none disabled ask", "on true always x"),
        ("autoApprove", "off never", "on reads x"),
        ("auto-approval", "off never", "on x"),
        ("Skip confirmation", "off no", "on x"),
        ("disable_sandbox", "false off", "true x"),
        ("noConfirm", "false off", "true x"),
        ("Trust this folder", "off none", "on all"),
        ("run without asking", "off false", "on x"),
        ("Asks before edits", "on ask", "off x"),
        ("Ask before running commands", "on", "off"),
        ("Prompt before running", "on", "off never"),
        ("Run without prompting", "off", "on"),
        ("asking", "always on", "never off"),
        ("requires consent", "on", "off"),
        ("autonomy", "off none", "high full low"),
        ("hands-free", "off", "on"),
        ("safe mode", "on", "off"),
        ("supervised", "on", "off"),
        ("unsupervised", "off", "on"),
        ("nonInteractive non-interactive", "off", "on"),
        ("write access", "off none ask", "on full"),
        ("execute commands", "never ask", "always"),
        ("Command execution approval", "on always ask", "off never"),
        # What is a mode's word says nothing as the value of something else.
        ("auto_approve", "ask manual", "default plan build code"),
        ("auto_approve_mode", "ask off", "default plan"),
        ("Confirm", "ask", "default plan build code"),
        ("approval_policy", "default plan", "build code"),
        # Nobody can say which way these are meant.
        ("no_write_access", "ask", "on off"),
        ("disallow_writes", "ask", "on off true false"),
        ("Sandbox bypass", "ask", "on off"),
        ("permissions", "ask", "all none on off"),
        ("profile", "", "danger-full-access yolo Auto-approve bypassPermissions"),
        ("profile", "auto never off full work no-yolo", ""),
        ("model", "gpt-5 auto none", ""),
        ("Never mind", "on off", ""),
        ("task", "on off high", ""),
        ("System prompt", "default on off", ""),
        ("Write style", "short off", ""),
    ],
)
def test_a_setting_about_asking_is_strict_with_values_that_are_known_to_be(
    name: str, strict: str, loose: str
) -> None:
    def found(value: str) -> bool:
        mine, shown, _ = options()
        mine.config_is([config(id="y", name=name, currentValue=value)])
        return shown[-1] != ""

    assert [it for it in strict.split() if found(it)] == []
    assert [it for it in loose.split() if not found(it)] == []


@each_row(
    ("name", "values", "now", "wanted"),
    [
        ("write access", "off ask on", "on", "ask"),
        ("execute commands", "never Ask always", "always", "Ask"),
        ("sandbox_mode", "read-only manual danger-full-access", "danger-full-access", "manual"),
        ("write access", "off on", "on", "off"),
        ("allow_all", "on ask", "ask", None),
        ("write access", "off ask", "off", None),
        ("auto_approve", "all some", "all", None),
        ("model", "ask gpt-5", "gpt-5", None),
    ],
)
def test_a_loose_setting_is_put_to_what_asks_rather_than_to_what_lets_nothing_be_done(
    name: str, values: str, now: str, wanted: str | None
) -> None:
    offered = [{"value": it, "name": it} for it in values.split()]
    mine, _, _ = options()
    mine.config_is([config(id="y", name=name, currentValue=now, options=offered)])
    (option,) = mine.all
    assert option.strict == wanted


@each_row("mode", ["build", "code"])
def test_a_mode_that_names_the_work_and_not_the_asking_may_ask_less(mode: str) -> None:
    mine, shown, _ = options()
    mine.begin(Modes.model_validate({"currentModeId": mode}), None)
    assert shown == [f"Odd is in its own mode “{mode}”, so it may ask less."]


def test_values_in_groups_are_values_and_too_many_are_cut() -> None:
    mine, _, _ = options()
    group = {"group": "g", "name": "G", "options": [{"value": "b", "name": "B"}]}
    many = [{"value": f"v{at}"} for at in range(1000)]
    mine.config_is([config(options=[group, {"value": "c"}]), config(id="y", options=many)])
    assert [it.value for it in mine.all[0].choices] == ["b", "c"]
    assert len(mine.all[1].choices) == 200


@each_row(
    "update",
    [
        {},
        {"used": True, "size": 1},
        {"used": -1, "size": 1},
        {"used": "1", "size": 1},
        {"used": float("nan"), "size": 1},
        {"used": 1 << 60, "size": 1},
    ],
)
def test_a_use_that_is_no_count_tells_nothing(update: dict[str, Any]) -> None:
    assert used_in(CHAT, update) is None


@each_row(
    "cost",
    [
        1,
        {"amount": "1", "currency": "USD"},
        {"amount": 1, "currency": "<b>"},
        {"amount": float("inf"), "currency": "USD"},
        {"amount": True, "currency": "USD"},
    ],
)
def test_a_cost_that_is_no_money_is_left_out(cost: object) -> None:
    used = used_in(CHAT, {"used": 1, "size": 2, "cost": cost})
    assert used is not None
    assert used.cost == ""


def test_commands_are_words_within_bounds() -> None:
    names = ["a", "/b", "a", "", "c d", "x" * 200, 5]
    commands = commands_in({"availableCommands": [*({"name": it} for it in names), "no", None]})
    assert [it.name for it in commands] == ["a", "b"]
    many = [{"name": f"n{at}", "description": "d" * 9999} for at in range(1000)]
    found = commands_in({"availableCommands": many})
    assert (len(found), len(found[0].says)) == (200, 200)
    assert commands_in({"availableCommands": "x"}) == ()


def test_a_title_is_one_short_line() -> None:
    assert title_in({"title": "a\nb" * 1000}) == ("a b" * 1000)[:200]
    assert title_in({"title": 5}) == ""
