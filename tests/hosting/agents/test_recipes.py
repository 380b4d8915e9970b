"""Which recipe an agent gets: by what lies on the disk, and never by what it is called."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.gate.call.errors import AgentFailed, CallUnreadable
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.hooks.hook_words import CLAUDE, CODEX, COPILOT, Hooked
from assent.hosting.permission.parts import Parts
from assent.hosting.recipes.recipe import GENERAL, Recipe
from assent.hosting.recipes.recipes import RECIPES, recipe_for
from assent.hosting.repositories.repository import found_in, unheld_in
from assent.hosting.terminals.launcher import words_of
from hosting.eliza.hooked import packaged
from hosting.eliza.rig import PATIENCE, Rig
from tables import each_row

Make = Callable[..., AgentSpec]

CLAUDES = "@agentclientprotocol/claude-agent-acp"
CODEXES = "@agentclientprotocol/codex-acp"
COPILOTS_OWN = "@github/copilot"
OPENCODES = "opencode-ai"


def package(
    folder: Path,
    name: str,
    file: str = "dist/index.js",
    within: str = "node_modules",
    **more: object,
) -> Path:
    """A program of an installed package of that name."""
    home = folder / within / name
    program = home / file
    program.parent.mkdir(parents=True)
    told = {"name": name, "bin": {"x": f"./{file}"}, **more}
    (home / "package.json").write_text(json.dumps(told), "utf-8")
    program.touch(mode=0o755)
    return program


def test_the_program_of_an_installed_package_is_known_by_its_manifest(tmp_path: Path) -> None:
    assert recipe_for(str(package(tmp_path, CLAUDES)), ()).id == "claude"
    program = package(tmp_path / "one", CLAUDES, bin="dist/index.js")
    assert recipe_for(str(program), ()).id == "claude"


def test_a_link_to_it_is_the_same_whatever_the_link_is_called(tmp_path: Path) -> None:
    link = tmp_path / "anything"
    link.symlink_to(package(tmp_path, CLAUDES))
    assert recipe_for(str(link), ()).id == "claude"


def test_a_program_of_that_name_in_another_package_is_another(tmp_path: Path) -> None:
    program = package(tmp_path, "evil", "claude-agent-acp")
    assert recipe_for(str(program), ()) is GENERAL
    assert recipe_for(str(tmp_path / "claude-agent-acp"), ()) is GENERAL


def test_a_manifest_in_a_home_makes_nothing_below_it_an_agent(tmp_path: Path) -> None:
    for name, file in ((CLAUDES, "bin/x"), ("home", "y")):
        told = {"name": CLAUDES, "bin": file}
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "package.json").write_text(json.dumps(told), "utf-8")
        program = tmp_path / name / file
        program.parent.mkdir(exist_ok=True)
        program.touch()
        assert recipe_for(str(program), ()) is GENERAL


@each_row("told", [{"bin": {"x": "other.js"}}, {"bin": 7}, {"bin": None}])
def test_a_file_that_its_package_does_not_name_as_a_program_is_none_of_its(
    tmp_path: Path, told: dict[str, object]
) -> None:
    assert recipe_for(str(package(tmp_path, CLAUDES, **told)), ()) is GENERAL


def test_a_manifest_without_a_name_is_passed_by(tmp_path: Path) -> None:
    program = package(tmp_path, CLAUDES)
    (program.parent / "package.json").write_text('{"type": "module"}', "utf-8")
    assert recipe_for(str(program), ()).id == "claude"


@each_row("text", ["", "{", "[]", "\0", '{"name": 7}', '{"name": ""}'])
def test_a_manifest_that_cannot_be_read_names_nothing(tmp_path: Path, text: str) -> None:
    program = package(tmp_path, CLAUDES)
    (program.parent.parent / "package.json").write_text(text, "utf-8")
    assert recipe_for(str(program), ()) is GENERAL


def test_a_pipe_in_the_place_of_a_manifest_keeps_nobody_waiting(tmp_path: Path) -> None:
    program = package(tmp_path, CLAUDES)
    (program.parent.parent / "package.json").unlink()
    os.mkfifo(program.parent.parent / "package.json")
    assert recipe_for(str(program), ()) is GENERAL


def test_a_script_that_node_is_to_run_is_known_as_the_package_of_that_script(
    tmp_path: Path,
) -> None:
    script = package(tmp_path, CLAUDES)
    node = package(tmp_path, "node", "bin/node")
    for words in (
        (str(script),),
        ("--no-warnings", str(script)),
        ("--title", "x", str(script), "--verbose"),
        ("--max-old-space-size=1", "--import", "x", str(script)),
    ):
        assert recipe_for(str(node), words).id == "claude"
    for words in (("dist/index.js",), (), ("-e", "1", str(script)), ("x.js", str(script))):
        assert recipe_for(str(node), words) is GENERAL


@each_row(
    ("words", "known"),
    [
        ((CLAUDES,), True),
        (("-y", f"{CLAUDES}@0.100.0"), True),
        (("--yes", CLAUDES, "--verbose"), True),
        (("-y", "--", CLAUDES), True),
        (("-p", CLAUDES, "claude-agent-acp"), True),
        (("-y", f"--package={CLAUDES}@1", "claude-agent-acp", "-x"), True),
        (("-p", "other", "--package", CLAUDES, "claude-agent-acp"), True),
        (("--registry", "https://a.example", CLAUDES), True),
        (("claude-agent-acp",), False),
        (("-p", CLAUDES, "other"), False),
        (("-p", CLAUDES, "-c", "other"), False),
        (("-p",), False),
        (("other", CLAUDES), False),
        ((), False),
    ],
)
def test_npx_is_known_by_the_package_that_is_named_to_it(
    tmp_path: Path, words: tuple[str, ...], known: bool
) -> None:
    npx, npm = tmp_path / "npx", tmp_path / "npm"
    npx.symlink_to(package(tmp_path, "npm", "bin/npx-cli.js"))
    npm.symlink_to(npx)
    assert (recipe_for(str(npx), words).id == "claude") is known
    assert (recipe_for(str(npm), ("exec", *words)).id == "claude") is known
    assert recipe_for(str(npm), ("install", *words)) is GENERAL


def test_something_else_that_is_called_npx_is_not_npx(tmp_path: Path) -> None:
    program = package(tmp_path, "other", "npx")
    assert recipe_for(str(program), (CLAUDES,)) is GENERAL


def _shim(at: Path, manager: str) -> Path:
    """What a version manager puts in a program's place."""
    at.parent.mkdir(parents=True, exist_ok=True)
    if manager == "script":
        at.write_text("#!/bin/sh\n", "utf-8")
        return at
    real = at.parent.parent / "own" / manager
    real.parent.mkdir()
    real.touch(mode=0o755)
    at.symlink_to(real)
    return at


SHIMS = {
    "asdf": ("shims", "script", "installs/nodejs/22.1.0/{}"),
    "mise": ("shims", "mise", "installs/node/22.1.0/{}"),
    "volta": ("bin", "volta-shim", f"tools/image/packages/{CLAUDES}/{{}}"),
}


@each_row(("folder", "manager", "kept"), SHIMS.values(), ids=SHIMS)
def test_what_a_version_manager_starts_is_known_by_what_it_keeps(
    tmp_path: Path, folder: str, manager: str, kept: str
) -> None:
    shim = _shim(tmp_path / folder / "claude-agent-acp", manager)
    assert recipe_for(str(shim), ()) is GENERAL
    script = package(tmp_path / kept.format("lib"), CLAUDES)
    link = tmp_path / kept.format("bin") / "claude-agent-acp"
    link.parent.mkdir(parents=True)
    link.symlink_to(script)
    assert recipe_for(str(shim), ()).id == "claude"
    for name in ("node", "npx"):
        (tmp_path / folder / name).symlink_to(shim)
    assert recipe_for(str(tmp_path / folder / "node"), (str(script),)).id == "claude"
    assert recipe_for(str(tmp_path / folder / "npx"), ("-y", CLAUDES)).id == "claude"


def test_no_package_has_two_recipes() -> None:
    packages = [name for recipe in RECIPES for name in recipe.packages]
    assert len(set(packages)) == len(packages)
    assert len({recipe.id for recipe in RECIPES}) == len(RECIPES)


def test_a_hook_gives_up_before_its_agent_gives_up_on_it() -> None:
    for recipe in RECIPES:
        if recipe.hooking is None or recipe.id == "opencode":
            continue  # The plugin that this one runs is ours, and waits as long as its hook does.
        told = json.dumps(
            [
                recipe.session_meta("LINE"),
                recipe.environment("LINE"),
                recipe.hooking.files("LINE"),
            ]
        )
        assert "LINE" in told
        assert "3600" in told
        assert recipe.hooking.seconds < 3600


def test_a_hook_of_qwen_gives_up_long_before_the_minute_after_which_a_call_goes_on() -> None:
    (recipe,) = (it for it in RECIPES if it.id == "qwen")
    assert recipe.hooking is not None
    assert recipe.hooking.seconds == 45
    assert words_of("qwen", Path("/state"))[1] == "45"
    assert words_of("claude", Path("/state"))[1] == "3540"


def test_only_an_agent_that_waits_for_its_hook_as_long_as_for_a_person_is_held_by_it() -> None:
    assert {it.id for it in RECIPES if it.hooking and not it.hook_holds} == {"qwen"}
    assert not GENERAL.hook_holds


def test_an_agent_without_a_recipe_is_started_as_it_was_written_down() -> None:
    assert GENERAL.session_meta("LINE") == {}
    assert GENERAL.environment("LINE") == {}


def test_claude_is_kept_from_the_repositorys_settings_also_where_it_has_no_hook() -> None:
    (claude,) = (it for it in RECIPES if it.id == "claude")
    for line in (None, "LINE"):
        options = claude.session_meta(line)["claudeCode"]["options"]
        assert options["settingSources"] == []
        assert options["strictMcpConfig"] is True
        assert options["allowDangerouslySkipPermissions"] is False


def test_opencode_takes_neither_configuration_nor_skills_of_a_repository() -> None:
    (recipe,) = (it for it in RECIPES if it.id == "opencode")
    for line in (None, "LINE"):
        told = recipe.environment(line)
        assert told["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"
        assert told["OPENCODE_DISABLE_EXTERNAL_SKILLS"] == "1"


@each_row(
    ("args", "is_read"),
    [("write to ada@example.org", True), ("", True), ("@.env", False), ("look at @/etc/x", False)],
)
def test_the_arguments_of_a_skill_name_no_file_that_nobody_is_asked_about(
    args: str, is_read: bool
) -> None:
    payload = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "tool_name": "Skill",
        "tool_input": {"skill": "own", "args": args},
        "tool_use_id": "t",
    }
    if is_read:
        assert CLAUDE.heard(json.dumps(payload)).input["args"] == args
    else:
        with pytest.raises(CallUnreadable, match="files that nobody is asked about"):
            CLAUDE.heard(json.dumps(payload))


def test_an_answer_says_the_ruled_input_again() -> None:
    hooked = Hooked(session="s", tool="Bash", input={"command": "ls"}, call="c")
    told = CLAUDE.allow(hooked, "why")["hookSpecificOutput"]
    assert told["permissionDecision"] == "allow"
    assert told["updatedInput"] == {"command": "ls"}
    denied = CLAUDE.deny("why")
    assert denied.keys() == {"hookSpecificOutput"}
    assert denied["hookSpecificOutput"]["permissionDecision"] == "deny"


@each_row("text", ["", "[]", "null", "{}", '{"hook_event_name": "PreToolUse"}'])
def test_what_is_no_call_is_not_taken_for_one(text: str) -> None:
    with pytest.raises(CallUnreadable):
        CLAUDE.heard(text)


COPILOTS = {"sessionId": "s", "toolName": "bash", "toolArgs": {"command": "ls"}}


def test_copilot_is_answered_flatly() -> None:
    hooked = COPILOT.heard(json.dumps(COPILOTS))
    assert COPILOT.allow(hooked, "why") == {
        "permissionDecision": "allow",
        "permissionDecisionReason": "why",
        "modifiedArgs": {"command": "ls"},
    }
    assert COPILOT.deny("why")["permissionDecision"] == "deny"


def test_codex_is_told_nothing_beside_what_it_knows() -> None:
    hooked = Hooked(session="s", tool="Bash", input={"command": "ls"}, call="c")
    assert CODEX.allow(hooked, "why") == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": {"command": "ls"},
        }
    }


@each_row(
    "odd",
    [
        {"sessionId": 7},
        {"toolName": ""},
        {"toolName": None},
        {"toolArgs": "ls"},
        {"toolArgs": None},
    ],
)
def test_what_copilot_hands_over_in_another_form_is_no_call(odd: dict[str, object]) -> None:
    with pytest.raises(CallUnreadable):
        COPILOT.heard(json.dumps({**COPILOTS, **odd}))


@pytest.mark.parametrize(
    ("package", "file"),
    [
        (CODEXES, (".codex/hooks.json", '{"hooks": {"PreToolUse": [{}]}}')),
        (CODEXES, (".codex/hooks.json", "what nobody can read")),
        (CODEXES, (".codex/config.toml", "[[hooks.PreToolUse]]\n")),
        (CODEXES, (".codex/config.toml", '[["h\\u006foks".PreToolUse]]\n')),
        (CODEXES, (".codex/config.toml", "what nobody can read")),
        (COPILOTS_OWN, (".github/hooks/a.json", '{"hooks": {"preToolUse": [{}]}}')),
        (COPILOTS_OWN, (".github/hooks/a.json", '{"h\\u006foks": {"x": [{}]}, "hooks": {}}')),
        (COPILOTS_OWN, (".github/copilot/settings.json", '{"disableAllHooks": true}')),
        (COPILOTS_OWN, (".github/copilot/settings.local.json", "// what nobody can read")),
        (COPILOTS_OWN, (".claude/settings.local.json", '{"disableAllHooks": 1}')),
        (COPILOTS_OWN, (".github/hooks/a/b/c.json", "{}")),
        (OPENCODES, ("opencode.json", '{"plugin": ["./a.js"]}')),
        (OPENCODES, ("opencode.jsonc", "// what nobody can read")),
        (OPENCODES, (".opencode/opencode.json", '{"pl\\u0075gin": ["./a.js"], "plugin": []}')),
        (OPENCODES, (".opencode/plugin/a.js", "")),
        (OPENCODES, (".opencode/plugins/a/b.ts", "")),
    ],
)
async def test_an_agent_that_would_run_a_repositorys_hooks_unasked_is_not_started_there(
    rig: Rig, scripted: Make, tmp_path: Path, package: str, file: tuple[str, str]
) -> None:
    name, text = file
    rig.sockets = tmp_path / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)
    (rig.root / name).parent.mkdir(parents=True, exist_ok=True)
    (rig.root / name).write_text(text, "utf-8")
    rig.agent = packaged(scripted, tmp_path, 'begin()\nuntil("never")\n', package)
    async with rig.fleet:
        with pytest.raises(AgentFailed, match=f"would go by what `{name}` of this workspace says"):
            await rig.open()


def test_the_name_of_a_tool_that_no_kind_is_known_of_is_a_part_of_its_call() -> None:
    (recipe,) = (it for it in RECIPES if it.id == "claude")
    calls = [
        recipe.whole(Hooked(session="s", call="t", tool=tool, input={"id": "prod-1"}))["rawInput"]
        for tool in ("GetRecord", "DestroyRecord", "mcp__db__get")
    ]
    assert calls[0] == {"tool": "GetRecord", "id": "prod-1"}
    assert calls[0] != calls[1]
    assert calls[2] == {"id": "prod-1"}, "this one's name is read with it"


def test_a_configuration_without_hooks_keeps_nobody_from_starting(tmp_path: Path) -> None:
    (recipe,) = (it for it in RECIPES if it.id == "codex")
    file = tmp_path / ".codex" / "config.toml"
    file.parent.mkdir()
    for text in ('model = "hooks of mine"\n', "[features]\nhooks = false\n"):
        file.write_text(text, "utf-8")
        assert unheld_in(recipe.sources, str(tmp_path)) is None
    file.write_text("[features]\nhooks = false\n[features.x.hooks]\n", "utf-8")
    assert unheld_in(recipe.sources, str(tmp_path)) is not None


def test_it_is_looked_for_from_the_top_of_the_repository_down(tmp_path: Path) -> None:
    (recipe,) = (it for it in RECIPES if it.id == "codex")
    (tmp_path / "above" / ".codex").mkdir(parents=True)
    (tmp_path / "above" / ".codex" / "hooks.json").write_text("{", "utf-8")
    inner = tmp_path / "above" / "work" / "inner"
    inner.mkdir(parents=True)
    above = tmp_path / "above"
    assert unheld_in(recipe.sources, str(inner)) is None, "above no repository it is the person's"
    (above / ".git").mkdir()
    assert unheld_in(recipe.sources, str(inner)) == ".codex/hooks.json"
    (above / ".codex" / "hooks.json").unlink()
    (above / ".codex" / "config.toml").write_text("model = 'x'\n", "utf-8")
    assert [it.path for it in found_in(recipe.sources, str(inner)).files] == [".codex/config.toml"]


@each_row("kind", [os.mkfifo, os.mkdir])
def test_what_lies_in_the_place_of_settings_and_is_no_file_may_say_anything(
    tmp_path: Path, kind: Callable[[Path], None]
) -> None:
    (recipe,) = (it for it in RECIPES if it.id == "copilot")
    (tmp_path / ".claude").mkdir()
    kind(tmp_path / ".claude" / "settings.json")
    assert unheld_in(recipe.sources, str(tmp_path)) == ".claude/settings.json"


@each_row("text", ["{}", '{"hooks": {}, "disableAllHooks": false, "model": "x"}'])
def test_settings_that_say_nothing_of_hooks_keep_nobody_from_starting(
    tmp_path: Path, text: str
) -> None:
    (recipe,) = (it for it in RECIPES if it.id == "copilot")
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text(text, "utf-8")
    assert unheld_in(recipe.sources, str(tmp_path)) is None


@each_row("recipe", RECIPES, ids=lambda it: it.id)
def test_what_a_hook_was_handed_is_told_in_members_that_a_call_may_have(recipe: Recipe) -> None:
    tools = [*recipe.kinds, "a tool that nobody knows"]
    given = {"path": "a", "file_path": "a", "file_text": "b", "content": "b", "new_str": "b"}
    given |= {"old_string": "a", "new_string": "b", "old_str": "a"}
    given |= {"filePath": "a", "oldString": "a", "newString": "b"}
    calls = [Hooked(call="1", tool=it, input=given, session="s") for it in tools]
    assert not [it for call in calls if (it := Parts.of(recipe.whole(call)).beside)]


def test_the_question_of_claude_code_is_left_to_its_form_and_not_answered_by_the_hook() -> None:
    asks = Hooked(session="s", tool="AskUserQuestion", input={"questions": []}, call="c")
    decision = CLAUDE.allow(asks, "It asks.")["hookSpecificOutput"]
    assert decision["permissionDecision"] == "ask"
    assert "updatedInput" not in decision
