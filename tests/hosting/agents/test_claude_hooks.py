"""Whether a hook of a person's own may answer Claude Code's questions."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from assent.gate.journal.agent_events import OptionsTold
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.recipes.claude_hooks import own_settings
from assent.hosting.recipes.recipe import OwnSettings
from hosting.eliza.hooked import packaged
from hosting.eliza.rig import PATIENCE, Rig
from tables import each_row

SETTINGS: Final = "settings.json"


def hooks(happening: str) -> str:
    """Settings with one hook."""
    hook = {"type": "command", "command": "true"}
    return json.dumps({"hooks": {happening: [{"hooks": [hook]}]}})


def front(happening: str, words: str = "") -> str:
    """A text for an agent with one hook in front."""
    return f"---\nname: a\nhooks:\n  {happening}:\n    - x\n---\n{words}\n"


def put(home: Path, files: Mapping[str, str]) -> OwnSettings:
    """What of such files an agent may go by."""
    for name, text in files.items():
        path = home / ".claude" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("HOME", f"{home}/.claude"), "utf-8")
    return own_settings({"HOME": str(home)})


PLUGIN: Final = {
    SETTINGS: json.dumps({"enabledPlugins": {"a@b": True, "off@b": False}}),
    "plugins/installed_plugins.json": json.dumps(
        {
            "plugins": {
                "a@b": [{"installPath": "HOME/plugins/cache/a"}],
                "off@b": [{"installPath": "HOME/plugins/cache/off"}],
            }
        }
    ),
    "plugins/cache/off/hooks/hooks.json": hooks("PermissionRequest"),
}

READ: Final[Mapping[str, Mapping[str, str]]] = {
    "nothing": {},
    "a model": {SETTINGS: '{"model": "opus"}'},
    "rules and no hooks at all": {
        SETTINGS: '{"permissions": {"allow": ["Bash"]}, "disableAllHooks": true}'
    },
    "hooks before and after calls": {SETTINGS: hooks("PreToolUse")},
    "none of that kind": {SETTINGS: '{"hooks": {"PermissionRequest": []}}'},
    "a skill about hooks": {"skills/a/SKILL.md": front("Stop", "PermissionRequest: a hook.")},
    "a skill that says it in front": {
        "skills/a/SKILL.md": "---\ndescription: PermissionRequest\n---\n"
    },
    "a package of a skill": {"skills/a/hooks.json": hooks("PermissionRequest")},
    "a plugin that is switched off": PLUGIN,
}

LEFT_OUT: Final[Mapping[str, tuple[Mapping[str, str], str]]] = {
    "a hook that answers": ({SETTINGS: hooks("PermissionRequest")}, "may answer in your place"),
    "a skill with one": ({"skills/a/SKILL.md": front("PermissionRequest")}, "skills/a/SKILL.md"),
    "a plugin with one": (
        {**PLUGIN, "plugins/cache/a/hooks/hooks.json": hooks("PermissionRequest")},
        "plugins/cache/a/hooks/hooks.json",
    ),
    "a sub-agent behind a mark of its encoding": (
        {"agents/a.md": "\ufeff" + front("PermissionRequest")},
        "agents/a.md",
    ),
    "a command, in braces": (
        {"commands/a/b.md": "---\nhooks: {PermissionRequest: [x]}\n---\n"},
        "commands/a/b.md",
    ),
    "where a plugin comes from": (
        {
            **PLUGIN,
            "plugins/known_marketplaces.json": '{"b": {"installLocation": "HOME/market"}}',
            "market/.claude-plugin/marketplace.json": hooks("PermissionRequest"),
        },
        "market/.claude-plugin/marketplace.json",
    ),
    "settings that are no JSON": ({SETTINGS: "{"}, "not sure"),
}


@each_row("case", READ)
def test_a_persons_own_settings_are_read(tmp_path: Path, case: str) -> None:
    assert put(tmp_path / case, READ[case]) == OwnSettings(are_read=True)


@each_row("case", LEFT_OUT)
def test_they_are_left_out_where_a_hook_would_answer_or_nobody_knows(
    tmp_path: Path, case: str
) -> None:
    files, why = LEFT_OUT[case]
    own = put(tmp_path / case, files)
    assert not own.are_read
    assert why in own.left_out
    assert own.lost == "all"


def test_they_lie_where_the_agent_is_told_that_they_lie(tmp_path: Path) -> None:
    put(tmp_path, {SETTINGS: hooks("PermissionRequest")})
    elsewhere = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / "other")}
    assert own_settings(elsewhere) == OwnSettings(are_read=True)


FORGETS = """
is_first = not os.path.exists("STARTED")
open("STARTED", "a").close()
send(id=until("initialize")["id"],
     result={"protocolVersion": 1, "agentCapabilities": {"loadSession": True}})
if not is_first:
    send(id=until("session/load")["id"], error={"code": -1, "message": "It is forgotten."})
send(id=until("session/new")["id"], result={"sessionId": "s"})
number = until("session/prompt")["id"]
say("here")
end(number)
if not is_first:
    until("never")
"""


async def test_a_person_is_told_once_for_each_session_what_the_agent_runs_without(
    rig: Rig, scripted: Callable[..., AgentSpec], tmp_path: Path
) -> None:
    settings = tmp_path / "config" / SETTINGS
    settings.parent.mkdir()
    settings.write_text(hooks("PermissionRequest"), "utf-8")
    rig.sockets = tmp_path / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)
    rig.agent = packaged(scripted, tmp_path, FORGETS.replace("STARTED", f"{tmp_path}/started"))
    async with rig.fleet:
        await rig.open()
        for times in (1, 2):
            await rig.say("hello")
            told = [text for text in rig.notices("warning") if "may answer in your place" in text]
            assert len(told) == times
            shown = [it.left_out for it in rig.happened if isinstance(it, OptionsTold)]
            assert {*shown} == {
                "Odd runs here without your own settings, instructions, skills, servers and hooks."
            }
            await rig.until(lambda: rig.fleet._hosts._newest["odd"].is_gone or rig.said() != "here")
