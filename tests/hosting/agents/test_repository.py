"""What a repository says to an agent: where it is looked for, and what of it is handed on."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from assent.gate.ruling.protected import is_protected
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.recipes.recipes import RECIPES
from assent.hosting.repositories.configuration import (
    as_it_stands,
    claudes_servers,
    claudes_settings,
    servers_of,
)
from assent.hosting.repositories.consent_answers import wish_of
from assent.hosting.repositories.repository import (
    found_in,
    left_out_in,
    read_before_asking,
    unheld_in,
)
from assent.hosting.terminals.terminals import TERMINALS
from tables import each_row

KNOWN = {it.id: it for it in RECIPES}
HOOK = {"type": "command", "command": "make"}
READ_BY_NOBODY = {"gemini": [".gemini/settings.json"]}
"""What these read in a folder that they trust; where we start them, they trust none."""
GROUPS = [{"hooks": [HOOK]}]


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@each_row("recipe", RECIPES, ids=lambda it: it.id)
def test_each_file_that_configures_an_agent_is_a_protected_place(recipe: Any) -> None:
    patterns = [it.pattern for it in recipe.sources] or READ_BY_NOBODY[recipe.id]
    for pattern in patterns:
        assert is_protected(f"/somewhere/{pattern.replace('*', 'x')}"), pattern


def test_claude_codes_settings_are_those_of_its_folder_and_its_servers_of_the_whole_way(
    tmp_path: Path,
) -> None:
    (tmp_path / ".git").mkdir()
    inner = tmp_path / "inner"
    for folder, name in ((tmp_path, "top"), (inner, "inner")):
        settings = {"hooks": {"SessionStart": [{"hooks": [{**HOOK, "command": name}]}]}}
        server = {"mcpServers": {"one": {"command": name}}}
        for file, told in ((".claude/settings.json", settings), (".mcp.json", server)):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(json.dumps(told), "utf-8")
    found = found_in(KNOWN["claude"].sources, str(inner))
    paths = ["inner/.claude/settings.json", ".mcp.json", "inner/.mcp.json"]
    assert [it.path for it in found.files] == paths
    (server,) = servers_of([it.taken for it in found.files])
    assert server["command"] == "inner", "of one name the nearest counts"


def test_what_lies_in_the_persons_home_is_the_persons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text("model = 'x'\n", "utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / "work").mkdir()
    sources = KNOWN["codex"].sources
    assert len(found_in(sources, str(tmp_path / "work")).files) == 1
    monkeypatch.setenv("HOME", str(tmp_path))
    assert found_in(sources, str(tmp_path / "work")).files == ()
    assert found_in(sources, str(tmp_path)).files == ()


@each_row("is_repository", [False, True])
def test_a_plugin_of_opencode_is_found_in_every_folder_above_but_the_persons_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_repository: bool
) -> None:
    plugin = tmp_path / "above" / ".opencode" / "plugins" / "evil.js"
    plugin.parent.mkdir(parents=True)
    plugin.touch()
    work = tmp_path / "above" / "ws" / "sub"
    work.mkdir(parents=True)
    if is_repository:
        (work.parent / ".git").mkdir()
    sources = KNOWN["opencode"].sources
    assert unheld_in(sources, str(work)) == str(plugin)
    monkeypatch.setenv("HOME", str(tmp_path / "above"))
    assert unheld_in(sources, str(work)) is None


@each_row(
    "name",
    [
        "commands/a/evil.md",
        "commands/evil.toml",
        "skills/mine/SKILL.md",
        "output-language.md",
        "agents/evil.md",
        "agents/a/evil",
        "../.agents/skills/mine/skill.md",
    ],
)
def test_what_qwen_reads_of_a_repository_is_shown_before_it_starts(
    tmp_path: Path, name: str
) -> None:
    file = tmp_path / ".qwen" / name
    file.parent.mkdir(parents=True)
    file.write_text("prompt = 'State: @{secret.txt}'\n", "utf-8")
    (found,) = found_in(KNOWN["qwen"].sources, str(tmp_path)).files
    path = file.resolve().relative_to(tmp_path).as_posix()
    assert (found.path, found.text) == (path, file.read_text("utf-8"))
    assert found.taken.rows


def test_what_lies_beside_a_skill_is_no_part_of_what_is_asked_however_much_it_is(
    tmp_path: Path,
) -> None:
    sources = KNOWN["qwen"].sources
    folder = tmp_path / ".agents" / "skills" / "mine"
    for number in range(99):
        put(folder / "a" / f"{number}.py", "x")
    assert found_in(sources, str(tmp_path)).files == ()
    put(folder / "z" / "SKILL.md", "x")
    (found,) = found_in(sources, str(tmp_path)).files
    assert found.path == ".agents/skills/mine/z/SKILL.md"
    (folder / "elsewhere").symlink_to(folder / "z")
    assert "elsewhere" in found_in(sources, str(tmp_path)).unfit


def test_an_answer_is_about_each_letter_of_each_file_and_about_the_agent(tmp_path: Path) -> None:
    spec = AgentSpec(id="a", name="A", command="a")
    folder = tmp_path / ".github" / "copilot"
    folder.mkdir(parents=True)

    def digest(agent: AgentSpec = spec) -> str:
        recipe = KNOWN["copilot"]
        files = found_in(recipe.sources, str(tmp_path))
        return wish_of(agent, recipe, files, is_handed=recipe.is_handed).digest

    (folder / "settings.json").write_text('{"a": 1}', "utf-8")
    seen = [digest(), digest(AgentSpec(id="b", name="A", command="a"))]
    (folder / "settings.json").write_text('{"a":  1}', "utf-8")
    seen.append(digest())
    (folder / "settings.local.json").write_text('{"a": 1}', "utf-8")
    seen.append(digest())
    (folder / "settings.json").rename(folder / "settings.other.json")
    seen.append(digest())
    assert len(set(seen)) == len(seen)
    (folder / "settings.other.json").rename(folder / "settings.json")
    assert digest() == seen[3]


@each_row(
    "event", ["PreToolUse", "PermissionRequest", "PermissionDenied", "Unheard", "sessionstart"]
)
def test_no_hook_is_handed_that_could_have_a_say_in_a_call(event: str) -> None:
    taken = claudes_settings({"hooks": {event: GROUPS, "Stop": GROUPS}})
    assert list(taken.hooks) == ["Stop"]
    assert taken.rows == (("Runs at Stop", "make"), ("Left out", f"hooks at {event}"))
    assert claudes_settings({"hooks": {event: GROUPS}}).rows == ()


@each_row(
    "group",
    [
        {"hooks": [{**HOOK, "onFailure": "block"}]},
        {"hooks": [{**HOOK, "type": "prompt"}]},
        {"hooks": [{"type": "command"}]},
        {"hooks": []},
        {"hooks": [HOOK], "matcher": 7},
        {"hooks": [HOOK], "more": 1},
        7,
    ],
)
def test_a_hook_that_is_not_wholly_known_is_left_out(group: Any) -> None:
    assert claudes_settings({"hooks": {"Stop": [group]}}).rows == ()
    assert claudes_settings({"hooks": group}).rows == ()


def test_the_hook_of_the_gate_stands_whatever_a_repository_is_let() -> None:
    recipe = KNOWN["claude"]
    taken = claudes_settings({"hooks": {"SessionStart": GROUPS, "PreToolUse": GROUPS}})
    before = recipe.session_meta("LINE")["claudeCode"]["options"]
    after = recipe.session_meta("LINE", [taken])["claudeCode"]["options"]
    hooks, own = after["settings"]["hooks"], before["settings"]["hooks"]
    assert hooks["PreToolUse"] == own["PreToolUse"]
    assert hooks["SessionStart"] == [*own["SessionStart"], *GROUPS]
    assert {**after, "settings": None} == {**before, "settings": None}
    assert {**after["settings"], "hooks": None} == {**before["settings"], "hooks": None}


SERVERS = {
    "stdio": (
        {"command": "npx", "args": ["x"], "env": {"A": "b"}},
        {"name": "it", "command": "npx", "args": ["x"], "env": [{"name": "A", "value": "b"}]},
    ),
    "http": (
        {"type": "http", "url": "https://x.example", "headers": {"A": "b"}},
        {
            "type": "http",
            "name": "it",
            "url": "https://x.example",
            "headers": [{"name": "A", "value": "b"}],
        },
    ),
}


@each_row(("given", "handed"), SERVERS.values(), ids=SERVERS)
def test_a_server_is_handed_in_the_protocols_words(given: Any, handed: Any) -> None:
    taken = claudes_servers({"mcpServers": {"it": given}})
    assert taken.servers == (handed,)
    assert [name for name, _ in taken.rows] == ["Starts the MCP server it"]


@each_row(
    "given",
    [
        {"command": "x", "args": ["${HOME}/y"]},
        {"command": "x", "env": {"KEY": "${OPENAI_API_KEY}"}},
        {"type": "http", "url": "https://${HOST}"},
        {"type": "ws", "url": "wss://x"},
        {"command": ["x"]},
        {"command": "x", "args": "y"},
        {"command": "x", "alwaysLoad": True},
        {},
        7,
    ],
)
def test_a_server_that_names_a_variable_or_is_not_wholly_known_is_left_out(given: Any) -> None:
    taken = claudes_servers({"mcpServers": {"odd": given, "it": {"command": "x"}}})
    assert [it["name"] for it in taken.servers] == ["it"]
    assert taken.rows[-1] == ("Left out", "the server odd")


def test_what_an_agent_reads_itself_is_told_member_by_member() -> None:
    told = {
        "mcp_servers": {"one": {"command": "sh", "args": ["-c", "a b"], "env": {"A": "b"}}},
        "approval_policy": "never",
    }
    assert as_it_stands(told).rows == (
        ("Starts the MCP server one", 'sh -c \'a b\' {"env": {"A": "b"}}'),
        ("Sets approval_policy", '"never"'),
    )


def test_hooks_of_copilot_count_however_deep_they_lie(tmp_path: Path) -> None:
    put(tmp_path / ".github" / "hooks" / "x" / "y" / "h.json", "{}")
    told = unheld_in(KNOWN["copilot"].sources, str(tmp_path))
    assert told == ".github/hooks/x/y/h.json"


def test_a_folder_that_leads_out_of_the_repository_is_let_by_nobody(tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / ".git").mkdir(parents=True)
    put(tmp_path / "outside" / "config.toml", "model = 'x'\n")
    (top / ".codex").symlink_to(tmp_path / "outside")
    found = found_in(KNOWN["codex"].sources, str(top))
    assert (found.files, found.unfit) == ((), "`.codex/config.toml` leads out of this repository")


def test_a_folder_that_nobody_may_look_into_is_let_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / ".qwen" / "agents" / "shut" / "a.md", "x")
    looked = os.scandir

    def scandir(path: Any) -> Any:
        if Path(path).name == "shut":
            raise PermissionError
        return looked(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert found_in(KNOWN["qwen"].sources, str(tmp_path)).unfit.startswith("`.qwen/agents`")


def test_a_folder_of_hooks_that_is_a_link_counts_as_hooks(tmp_path: Path) -> None:
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "hooks").symlink_to(tmp_path / "nowhere")
    assert unheld_in(KNOWN["copilot"].sources, str(tmp_path)) == ".github/hooks"


SPELLED = '"mcp\\x2dservers"'
BINARY = "!!binary bWNwLXNlcnZlcnM="
SERVER = "---\nmcp-servers:\n  evil: {command: touch}\n---\nDo.\n"


@each_row(
    ("agent", "file", "text"),
    [
        ("copilot", ".mcp.json", '{"mcpServers": {"evil": {"command": "touch"}}}'),
        ("copilot", ".github/mcp.json", '{"mcpServers": {"evil": {"command": "touch"}}}'),
        ("copilot", ".github/agents/evil.agent.md", SERVER),
        ("copilot", ".claude/agents/evil.md", SERVER),
        ("copilot", ".github/agents/a/b/evil.md", SERVER),
        ("copilot", ".github/agents/spelled.md", SERVER.replace("mcp-servers", SPELLED)),
        ("copilot", ".github/agents/spelled.md", SERVER.replace("mcp-servers", BINARY)),
        ("copilot", ".github/lsp.json", '{"lspServers": {"evil": {"command": "touch"}}}'),
        ("codex", ".codex/agents/a/evil.toml", '[mcp_servers.evil]\ncommand = "touch"\n'),
        ("codex", ".codex/rules/a.rules", 'prefix_rule(pattern=["touch"], decision="allow")'),
    ],
)
def test_what_starts_servers_or_lets_things_run_is_shown(
    tmp_path: Path, agent: str, file: str, text: str
) -> None:
    put(tmp_path / file, text)
    (found,) = found_in(KNOWN[agent].sources, str(tmp_path)).files
    assert (found.path, found.text) == (file, text)
    assert found.taken.rows


def test_an_agent_of_words_alone_is_nothing_to_ask_about(tmp_path: Path) -> None:
    put(tmp_path / ".claude" / "agents" / "a.md", "---\nname: a\n---\nDo `a\\b`.\n")
    assert found_in(KNOWN["copilot"].sources, str(tmp_path)).files == ()


@each_row("text", ["[hooks]\n", "[features]\nhooks = false\n", "="])
def test_a_sub_agent_of_codex_that_says_anything_of_hooks_keeps_it_off(
    tmp_path: Path, text: str
) -> None:
    put(tmp_path / ".codex" / "agents" / "a.toml", text)
    assert unheld_in(KNOWN["codex"].sources, str(tmp_path)) == ".codex/agents/a.toml"


LEFT_OUT = [
    "opencode.json",
    ".opencode/opencode.jsonc",
    *(
        f".opencode/{it}{s}/a/b"
        for it in ("tool", "command", "agent", "mode", "skill")
        for s in ("", "s")
    ),
    ".agents/skills/a/SKILL.md",
    ".claude/skills/a/SKILL.md",
]


@each_row("name", LEFT_OUT)
def test_what_opencode_is_kept_from_where_we_start_it_is_named_and_nobody_is_asked(
    tmp_path: Path, name: str
) -> None:
    put(tmp_path / name, "{}")
    recipe = KNOWN["opencode"]
    assert left_out_in(recipe.sources, str(tmp_path)) == (name,)
    assert unheld_in(recipe.read_here, str(tmp_path)) is None
    assert found_in(recipe.read_here, str(tmp_path)).files == ()


@each_row("folder", ["tool", "tools", "plugin", "plugins"])
def test_nothing_is_run_in_a_terminal_where_a_program_is_loaded_into_opencode(
    tmp_path: Path, folder: str
) -> None:
    terminal = TERMINALS["opencode"]
    put(tmp_path / ".opencode" / "command" / "a.md", "Do.")
    assert terminal.rewritten_in(str(tmp_path)) is None
    put(tmp_path / ".opencode" / folder / "a.ts", "")
    assert terminal.rewritten_in(str(tmp_path)) == f".opencode/{folder}/a.ts"


def test_a_repository_has_claude_code_do_nothing_by_the_clock() -> None:
    assert KNOWN["claude"].environment(None)["CLAUDE_CODE_DISABLE_CRON"] == "1"


@each_row("common", ["../..", None])
def test_hooks_of_the_first_working_tree_count_in_another(
    tmp_path: Path, common: str | None
) -> None:
    tree, main = tmp_path / "tree", tmp_path / "main"
    own = main / ".git" / "worktrees" / "w" if common else main / ".git"
    put(own / "HEAD", "ref: refs/heads/x\n")
    if common:
        put(own / "commondir", f"{common}\n")
    put(main / ".codex" / "hooks.json", "{}")
    put(tree / ".git", f"gitdir: {own}\n")
    assert unheld_in(KNOWN["codex"].sources, str(tree)) == str(main / ".codex" / "hooks.json")


def repository(folder: Path, config: str) -> None:
    put(folder / ".git" / "config", config)
    put(folder / ".git" / "HEAD", "ref: refs/heads/main\n")
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir()


@each_row(
    ("config", "run"),
    [
        ('[user]\nname = Ada\n[branch "main"]\nremote = origin\n', []),
        ('[filter "lfs"]\nclean = git-lfs clean -- %f\nrequired = true\n', []),
        ("[core]\nfsmonitor = true\n", []),
        ("[core]\npager = less\n[alias]\nst = !./x\n", []),
        ("[core]\nfsmonitor = ./x\n", ["core.fsmonitor"]),
        ('[filter "x"]\nclean = ./x\nsmudge = ./y\n', ["filter.x.clean", "filter.x.smudge"]),
        ('[FILTER "a.b"]\n\tProcess = ./x # us\n', ["filter.a.b.process"]),
        ('[filter "lfs"]\nclean = ./x\n', ["filter.lfs.clean"]),
        ("[include]\npath = ../more\n", ["filter.z.clean"]),
    ],
)
def test_of_gits_settings_only_those_are_asked_about_that_a_look_at_the_state_runs(
    tmp_path: Path, config: str, run: list[str]
) -> None:
    repository(tmp_path, config)
    put(tmp_path / "more", '[filter "z"]\nclean = ./z\n')
    inner = tmp_path / "inner"
    inner.mkdir()
    for folder in (tmp_path, inner):
        files = read_before_asking((), str(folder))
        names = [name.removeprefix("Sets ") for it in files.files for name, _ in it.taken.rows]
        assert (names, files.unfit) == (run, "")


def test_where_gits_settings_cannot_be_read_an_agent_does_not_start(tmp_path: Path) -> None:
    repository(tmp_path, '[filter "x]\nclean = ./x\n')
    assert ".git/config" in read_before_asking((), str(tmp_path)).unfit


def test_the_settings_of_a_repository_within_count_too(tmp_path: Path) -> None:
    sub = tmp_path / "sub"
    sub.mkdir()

    def git(at: Path, *words: str) -> None:
        named = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *named, *words], cwd=at, check=True, capture_output=True)

    for folder in (sub, tmp_path):
        git(folder, "init")
    git(sub, "commit", "--allow-empty", "-m", "x")
    git(tmp_path, "add", "sub")
    assert read_before_asking((), str(tmp_path)).files == ()
    git(sub, "config", "filter.x.clean", "./x")
    (file,) = read_before_asking((), str(tmp_path)).files
    assert file.taken.rows == (("Sets filter.x.clean", "./x"),)
