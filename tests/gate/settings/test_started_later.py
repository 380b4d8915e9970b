"""Whatever settings and repositories have started later is known by the files of its programs."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.settings.model import Settings
from assent.gate.settings.own import NOTHING_OWN, Own
from assent.gate.settings.program_files import Started, files_of_programs
from assent.gate.settings.reading import BUILT_IN, read
from assent.gate.settings.started_later import started_later
from assent.gate.settings.tool_servers import ServerEntry
from assent.gate.settings.wishes import REPOSITORY, Wish


def plant(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def places_by(root: Path, *words: str, agreed: tuple[Wish, ...] = (), **env: str) -> Places:
    """Where paths lead in a workspace, where a server is started by these words."""
    server = ServerEntry(name="mine", command=words[0], args=words[1:], env=env) if words else None
    own = Own(servers=(server,)) if server else NOTHING_OWN
    found = [*started_later((), (), own, [str(root)], agreed)]
    premises = Premises.of(found, [str(root)])
    return Places(roots=(str(root),), home=str(root.parent), premises=premises)


def counted(places: Places, *paths: str) -> list[str]:
    """Those of some paths that are run later."""
    return [it for it in paths if places.locate(it, places.roots[0]).own is not None]


def programs_in(schema: Any, told: dict[str, Any]) -> bool:
    """Whether the shape of a setting has a command somewhere."""
    if isinstance(schema, list):
        return any(programs_in(it, told) for it in schema)
    if not isinstance(schema, dict):
        return False
    if "$ref" in schema and programs_in(told[schema["$ref"].rpartition("/")[2]], told):
        return True
    return "command" in schema.get("properties", {}) or any(
        programs_in(it, told) for name, it in schema.items() if name != "$ref"
    )


def test_the_program_of_each_setting_that_has_a_command_counts(tmp_path: Path) -> None:
    plant(tmp_path, {"tools/run.py": ""})
    file = f"{tmp_path}/tools/run.py"
    settings = {
        "agents": {"mine": {"name": "Mine", "command": sys.executable, "args": [file]}},
        "mcpServers": {"mine": {"command": sys.executable, "args": [file]}},
        "hooks": [{"event": "PreToolUse", "command": f"python3 '{file}' --all"}],
        "nodes": [file],
        "nodetool": file,
    }
    schema = Settings.model_json_schema()
    starting = {
        name for name, it in schema["properties"].items() if programs_in(it, schema["$defs"])
    }
    assert starting <= settings.keys(), "or a setting that starts something is not tried here"
    for key, value in settings.items():
        keys = {key: {"user": value}}
        reading = read(keys, True, lambda _: None, BUILT_IN, now=0.0)
        found = started_later(reading.hooks, reading.agents, reading.own, [str(tmp_path)])
        assert file in {it.path for it in found}, key


LAYOUTS: dict[str, tuple[dict[str, str], tuple[str, ...], str, str]] = {
    "a program at the top takes the files beside it, and of the folders those it speaks of": (
        {"srv.py": "import json, lib\n", "lib.py": "from app import x", "app/deep/x.py": ""},
        ("python3", "{root}/srv.py"),
        "srv.py lib.py new.py app/deep/x.py app/new.py json/__init__.py .venv/lib/x.py",
        "README.md build.js docs/a.py src/a.py app/data.txt app/style.css",
    ),
    "a program in a folder takes all that its interpreter loads there, and packages above": (
        {"tools/srv.ts": "import '../shared/db'", "shared/db.ts": "", "shared/other.ts": ""},
        ("npx", "tsx", "{root}/tools/srv.ts"),
        "tools/srv.ts tools/a.js tools/deep/b.mts shared/db.ts node_modules/x/index.js",
        "tools/README.md tools/a.py shared/other.ts src/a.ts a.js node_modules/x/package.json",
    ),
    "a folder that is named in a path is taken whole": (
        {"tools/srv.js": "require('../lib')", "lib/index.js": ""},
        ("node", "{root}/tools/srv.js"),
        "lib/index.js lib/a.js",
        "a.js other/a.js lib/a.md",
    ),
    "a program that is not there yet counts, once it is named in full": (
        {},
        ("node", "{root}/dist/index.js"),
        "dist/index.js dist/lib/a.js",
        "index.js src/a.js",
    ),
    "a folder that is said first is what is run": (
        {"server/index.js": "", "docs/index.js": ""},
        ("node", "{root}/server", "{root}/docs"),
        "server/index.js server/a.js",
        "docs/index.js",
    ),
    "a module is found in a folder that is named, and so is a script": (
        {"tools/pkg/__main__.py": "", "tools/run.py": ""},
        ("uv", "--directory={root}/tools", "run", "python", "-m", "pkg"),
        "tools/pkg/__main__.py tools/pkg/a.py",
        "tools/run.py src/a.py",
    ),
    "a folder that is only given to a server is none of it": (
        {"src/index.ts": ""},
        ("npx", "-y", "@modelcontextprotocol/server-filesystem", "{root}/src", "{root}"),
        "",
        "src/index.ts src/a.ts a.ts a.py",
    ),
    "a shell that is told a line runs what stands in it": (
        {"tools/run.sh": "", "tools/a.py": ""},
        ("sh", "-c", "cd {root} && exec ./tools/run.sh --all"),
        "",
        "tools/a.py src/a.sh",
    ),
    "a script without an ending may load anything": (
        {"bin/server": "#!/usr/bin/env python3\n"},
        ("{root}/bin/server",),
        "bin/server bin/lib.py bin/deep/a.rb",
        "bin/notes.md src/a.py",
    ),
    "a program that is no script is one file": (
        {"target/server": "\x7fELF", "target/a.py": ""},
        ("{root}/target/server",),
        "target/server",
        "target/a.py",
    ),
    "a script of a package is what its words run, and those that it runs": (
        {
            "package.json": '{"main": "src/main.js", "scripts": {"mcp": "npm run inner -- -q",'
            ' "inner": "node tools/srv.js", "loop": "npm run loop", "lint": "node lint.js"}}',
            "tools/srv.js": "require('./lib')",
            "tools/lib.js": "",
            "src/main.js": "",
            "lint.js": "",
        },
        ("npm", "--prefix={root}", "run", "mcp"),
        "package.json tools/srv.js tools/lib.js",
        "src/main.js lint.js package-lock.json",
    ),
    "a script that runs itself ends": (
        {"package.json": '{"scripts": {"loop": "npm run loop && node a.js"}}', "a.js": ""},
        ("npm", "run", "--prefix", "{root}", "loop"),
        "package.json a.js",
        "README.md",
    ),
    "a file of make is run, and the programs that it names": (
        {"Makefile": "serve:\n\tpython3 tools/srv.py\n", "tools/srv.py": "", "app/x.py": ""},
        ("make", "-C", "{root}", "serve"),
        "Makefile GNUmakefile tools/srv.py tools/lib.py",
        "app/x.py README.md",
    ),
    "a package of Go is compiled when it is run": (
        {"go.mod": "module x", "tools/main.go": "", "src/a.go": ""},
        ("go", "run", "-C", "{root}", "{root}/tools"),
        "go.mod tools/main.go tools/new.go",
        "src/a.go README.md",
    ),
    "an environment of Python is what its interpreter loads": (
        {"env/pyvenv.cfg": "", "env/bin/python": "\x7fELF"},
        ("{root}/env/bin/python", "-m", "server"),
        "env/bin/python env/lib/python3/site-packages/x.py",
        "src/a.py server.txt",
    ),
}


def test_of_a_program_those_files_count_that_its_interpreter_would_load(tmp_path: Path) -> None:
    for number, (why, (files, words, run, others)) in enumerate(LAYOUTS.items()):
        root = tmp_path / str(number) / "till"
        plant(root, {"src/a.py": "", "README.md": "", **files})
        places = places_by(root, *(it.format(root=root) for it in words))
        assert counted(places, *run.split()) == run.split(), why
        assert counted(places, *others.split()) == [], why


def test_a_link_to_a_program_counts_with_what_it_leads_to(tmp_path: Path) -> None:
    root = tmp_path / "till"
    plant(root, {"real/srv.py": "", "real/lib.py": "", "other/a.py": "", "bin/x.txt": ""})
    (root / "bin/srv.py").symlink_to("../real/srv.py")
    places = places_by(root, "python3", f"{root}/bin/srv.py")
    run = ["bin/srv.py", "real/srv.py", "real/lib.py"]
    assert counted(places, *run, "other/a.py") == run


def test_a_folder_in_a_variable_counts_as_one_that_is_loaded_from(tmp_path: Path) -> None:
    root = tmp_path / "till"
    plant(root, {"lib/a.py": "", "other/a.py": ""})
    places = places_by(root, "python3", "-m", "served", PYTHONPATH=f"{root}/lib:/nowhere")
    assert counted(places, "lib/a.py", "lib/new.py", "other/a.py") == ["lib/a.py", "lib/new.py"]


def agreed_to(root: Path, **files: str) -> Iterator[Wish]:
    for agent, file in files.items():
        value = {"agent": agent, "folder": str(root), "files": {file: "any"}}
        yield Wish(key=REPOSITORY, name=agent, value=value, effect="")


def test_what_a_repository_was_let_start_counts_in_each_form_that_it_has(tmp_path: Path) -> None:
    root = tmp_path / "till"
    served = {"command": "python3", "args": ["tools/srv.py"]}
    variable = {"command": "python3", "args": ["${workspaceFolder}/tools/srv.py"]}
    hook = {
        "matcher": "",
        "hooks": [{"type": "command", "command": "$CLAUDE_PROJECT_DIR/tools/srv.py -q"}],
    }
    texts = {
        ".mcp.json": json.dumps({"mcpServers": {"a": served}}),
        ".vscode/mcp.json": "{ // ours\n" + json.dumps({"servers": {"a": variable}})[1:],
        ".claude/settings.json": json.dumps({"hooks": {"Stop": [hook]}}),
        ".github/hooks/a.json": json.dumps({"hooks": {"x": [{"bash": "./tools/srv.py"}]}}),
        ".codex/config.toml": '[mcp_servers.a]\ncommand = "python3"\nargs = ["tools/srv.py"]\n',
        ".codex/notes.toml": 'notify = ["python3", "tools/srv.py"]\n',
        ".github/agents/a.md": "---\nmcp-servers:\n  a:\n    args: [tools/srv.py]\n---\nsrc/a.py",
    }
    plant(root, {"tools/srv.py": "", "tools/lib.py": "", "src/a.py": "", **texts})
    run = ["tools/srv.py", "tools/lib.py"]
    for file in texts:
        places = places_by(root, agreed=tuple(agreed_to(root, claude=file)))
        assert counted(places, *run, "src/a.py") == run, file
    assert counted(places_by(root), *run) == []


def test_what_a_file_only_speaks_of_is_not_started(tmp_path: Path) -> None:
    root = tmp_path / "till"
    told = {"permissions": {"allow": ["Edit(src/a.py)", "src/a.py"]}, "model": "src/a.py"}
    plant(root, {"src/a.py": "", ".claude/settings.json": json.dumps(told), ".x.json": "[{"})
    wishes = agreed_to(root, claude=".claude/settings.json", codex=".x.json", other="gone.json")
    assert counted(places_by(root, agreed=tuple(wishes)), "src/a.py") == []


def test_files_that_name_each_other_again_and_again_are_followed_once(tmp_path: Path) -> None:
    again = " make just npm" * 200
    scripts = json.dumps({"scripts": {"make": f"just{again}", "just": "npm make"}})
    plant(tmp_path, {"Makefile": f"x:\n\t{again}", "justfile": again, "package.json": scripts})
    command = Started(words=("make", "-C", str(tmp_path), "x"), folders=(str(tmp_path),))
    files = [premise.path for premise in files_of_programs(command, "x", [str(tmp_path)])]
    assert {f"{tmp_path}/{name}" for name in ("Makefile", "justfile", "package.json")} <= {*files}
    assert len(files) < 100
