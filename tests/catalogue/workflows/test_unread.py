"""What a reader of tasks cannot follow to its end it says, and never passes as read."""

import json
from pathlib import Path

from assent.gate.tasks.tasks import Task, task_named
from tables import each_row

PLAIN = "all:\n\techo all\n"
JUST = "all:\n  echo all\n"


def task(root: Path, name: str, file: str, text: str) -> Task:
    (root / file).parent.mkdir(exist_ok=True)
    (root / file).write_text(text)
    found = task_named(name, [str(root)], lambda _: True)
    assert found is not None
    return found


def scripts(**texts: str) -> str:
    return json.dumps({"scripts": texts})


def test_what_is_read_whole_leaves_nothing(tmp_path: Path) -> None:
    text = (
        "# Plain.\nOUT := dist\n\n.PHONY: all a\nall: a\n"
        "\trm -r $(OUT) $$HOME $@\n\tmake -s b\na:\nb c:\n\techo\n"
    )
    assert task(tmp_path, "make:all", "Makefile", text).unread == ""
    assert task(tmp_path, "just:all", "justfile", "v := '1'\nall:\n  echo {{v}}\n").unread == ""
    plain = scripts(all="npm t && npm run -s x", test="node test.js", x="tsc")
    assert task(tmp_path, "npm:all", "package.json", plain).unread == ""
    project = '[tool.poe.tasks]\nall = { cmd = "pytest", help = "Tests." }\n'
    assert task(tmp_path, "poe:all", "pyproject.toml", project).unread == ""


@each_row(
    ("more", "left"),
    [
        ("X := $(shell touch made)\n", "$(shell"),
        ("X = ${shell touch made}\n", "${shell"),
        ("X != touch made\n", "!="),
        ("other:\n\techo $(shell touch made)\n", "$(shell"),
        ("$(eval all: sly)\n", "$(eval"),
        ("include other.mk\n", "include"),
        ("-include other.mk\n", "-include"),
        ("sinclude other.mk\n", "sinclude"),
        ("define x\ntouch made\nendef\n", "define"),
        ("export PATH := .\n", "export"),
        ("export\n", "export"),
        ("ifdef X\nall: sly\nendif\n", "ifdef"),
        (".RECIPEPREFIX = >\n", ".RECIPEPREFIX"),
        ("SHELL := ./sly\n", "SHELL"),
        ("MAKEFLAGS += -f sly\n", "MAKEFLAGS"),
        ("%: %.sh\n\tsh $<\n", "%"),
        ("$(X): y\n\ttouch made\n", "$"),
        ("all: X = touch made\n", "="),
        (".ONESHELL:\n", ".ONESHELL"),
        ("all:\n\techo $(UNKNOWN)\n", "UNKNOWN"),
        ("all:\n\techo $(dir x)\n", "$(dir x)"),
        ("all:\n\techo $(@D)\n", "$(@D)"),
        ("all:\n\t$(MAKE) -C sub\n", "MAKE"),
        ("all:\n\tnpm run build\n", "npm"),
        ("all: foo.o\n\techo\n.c.o:\n\tsly\n", ".o"),
        ("other: foo\n\techo\n", "foo"),
        ("bare:\n", "bare"),
        ("Makefile:\n\tsly\n", "Makefile:"),
        ("A=sly\nB:=$(A)\nA=echo\n", "B:=$(A)"),
        ("A = a\nA = b\n", "A = b"),
        (".EXTRA_PREREQS = sly\n", ".EXTRA_PREREQS"),
        ("other: ./sly\n\techo\n", "./sly"),
        ("other: sl*\n\techo\n", "sl*"),
        ("A = b\n\tinclude other.mk\n", "include"),
        ("# c:\\\\\nB = x\n", "# c:"),
        ("other:\n\tto\\\n\tuch made\n", "to\\"),
        ("other: ; echo '#'; sly\n", "; echo"),
        ("PATH := ./bin:$(PATH)\n", "PATH"),
        ("PATH := ./bin\n", "PATH"),
        ("HOME ?= x\n", "HOME ?="),
        ("A += x\n", "A +="),
        ("CC = sly\n", "CC"),
        ("other::\n\techo\n", "other::"),
        ("export other: x\n", "export"),
        ("other:\n\techo\nother:\n\tsly\n", "other:"),
        ("all:\n\t/usr/bin/make -f e.mk\n", "/usr/bin/make"),
        ("all:\n\t$(MAKE) e'v'il\n", "MAKE"),
        ("all:\n\tmake sly\n", "sly"),
        ("all:\n\tm''ake -f x\n", "-f"),
        ("all:\n\ttimeout 9 make all\n", "make"),
        ("all:\n\techo \x0b sly\n", "x0b"),
        ("all: \u2028 sly\n", "u2028"),
        ("all:\r\n\techo\n", "\\r"),
        ("V := " + "x" * 30_000 + "\n", "its length"),
        (
            "all:\n"
            + "".join(f"\tmake t{at}\n" for at in range(60))
            + "".join(f"t{at}:\n\techo\n" for at in range(60)),
            "more than 50 others",
        ),
    ],
)
@each_row("first", [True, False])
def test_of_a_makefile_whatever_is_no_plain_line_is_told_wherever_it_stands(
    tmp_path: Path, more: str, left: str, *, first: bool
) -> None:
    plain = "" if more.startswith("all:\n") else PLAIN
    text = more + plain if first else plain + more
    assert left in (task(tmp_path, "make:all", "Makefile", text).unread or "nothing")
    assert not (tmp_path / "made").exists()


@each_row(
    ("more", "left"),
    [
        ("x := `touch made`\n", "`"),
        ("x := shell('touch made')\n", "shell("),
        ("set shell := ['./sly', '-c']\n", "set"),
        ("import 'other.just'\n", "import"),
        ("mod other\n", "mod"),
        ("export X := 'y'\n", "export"),
        ("all:\n  echo {{ uppercase('x') }}\n", "{{ uppercase"),
        ("all which:\n  {{which}}\n", "all which:"),
        ("all:\n  #!/usr/bin/env python\n  x\n", "#!/usr/bin/e"),
        ("all:\n  make x\n", "make"),
        ("all:\n  just -f other x\n", "-f"),
        ("all:\n  just _own\n", "_own"),
        ("v := 'r' + 'm'\n", "v := 'r' + 'm'"),
        ('v := "\\u{72}m"\n', 'v := "\\u{72}'),
        ("v := 'a'\nv := 'b'\n", "v := 'b'"),
        ("all:\n  r\\\n  m -rf x\n", "\\"),
        ("other a='#': sly\n  echo\n", "other a='#'"),
        ("all: && sly\n  echo\n", "all: && sly"),
        ("all: sly\n  echo\n", "sly"),
        ("all:\n  echo \x0b\n", "x0b"),
    ],
)
def test_of_a_justfile_whatever_is_evaluated_is_told(tmp_path: Path, more: str, left: str) -> None:
    text = more if more.startswith("all") else more + JUST
    assert left in (task(tmp_path, "just:all", "justfile", text).unread or "nothing")
    assert not (tmp_path / "made").exists()


@each_row(
    ("text", "left"),
    [
        ("cd packages/a && npm run x", "npm"),
        ("npm --prefix a run x", "npm --prefix a"),
        ("npm run x --workspaces", "npm run x"),
        ("pnpm -r run x", "pnpm -r run"),
        ("turbo run build", "turbo"),
        ("make build", "make"),
        ("$npm_execpath run x", "$npm_"),
        ("npm tes", "npm tes"),
        ("/usr/bin/npm run y", "/usr/bin/npm"),
        ("npm_config_workspace=a npm run all", "npm_config_workspace"),
        ('npm run "y z"', "npm run y z"),
        ("cp sly package.json && npm run all", "cp"),
        ("npx npm run all", "npm"),
        ("npx -c 'sly'", "-c"),
        ("node --run all", "--run"),
        ("npm run lost", "lost"),
        ("npm run all > package.json", ">package.json"),
    ],
)
def test_of_a_script_that_runs_those_of_another_package_that_is_told(
    tmp_path: Path, text: str, left: str
) -> None:
    assert task(tmp_path, "npm:all", "package.json", scripts(all=text)).unread == left
    before = scripts(all="tsc", preall=text)
    assert task(tmp_path, "npm:all", "package.json", before).unread == left


def test_scripts_are_followed_by_whatever_name_they_are_called(tmp_path: Path) -> None:
    texts = scripts(
        all="tsc && npm t; npm -s run own; yarn lint",
        pretest="a",
        test="b",
        own="d",
        other="e",
        lint="f",
    )
    found = task(tmp_path, "npm:all", "package.json", texts)
    names = {it.name for it in found.scripts}
    assert names == {"all", "pretest", "test", "own", "lint"}
    assert found.unread == ""


def test_more_scripts_than_are_followed_are_told(tmp_path: Path) -> None:
    texts = {f"s{at}": f"npm run s{at + 1}" for at in range(60)}
    found = task(tmp_path, "npm:s0", "package.json", scripts(**texts))
    assert found.unread == "more than 50 others"


@each_row(
    ("name", "text", "left"),
    [
        ("poe:all", '[tool.poe]\ninclude = "x.toml"\n[tool.poe.tasks]\nall = "x"\n', "include"),
        ("poe:all", '[tool.poe.tasks.all]\ncmd = "x"\nenvfile = ".env"\n', "envfile"),
        ("poe:all", "[tool.poe.tasks]\nall = { sequence = [{switch = []}] }\n", "switch"),
        ("pdm:all", '[tool.pdm.scripts]\n_.env_file = ".env"\nall = "x"\n', "_"),
        (
            "hatch:all",
            '[tool.hatch.envs.default]\nenv-vars.X = "y"\nscripts.all = "x"\n',
            "env-vars",
        ),
        ("hatch:all", '[tool.hatch.envs.default.scripts]\nall = "x {env:HOME}"\n', "{env:HOME}"),
        ("taskipy:all", '[tool.taskipy.tasks]\nall = "npm run x"\n', "npm"),
    ],
)
def test_of_a_project_whatever_changes_how_its_tasks_run_is_told(
    tmp_path: Path, name: str, text: str, left: str
) -> None:
    assert task(tmp_path, name, "pyproject.toml", text).unread == left


def editors(root: Path, *tasks: dict[str, object], **more: object) -> dict[str, str]:
    names = [str(it.get("label", f"npm: {it.get('script')}")) for it in tasks]
    found = {}
    for name in names:
        (root / ".vscode").mkdir(exist_ok=True)
        (root / ".vscode/tasks.json").write_text(json.dumps({"tasks": tasks, **more}))
        came = task_named(f"task:{name}", [str(root)], lambda _: True)
        if came is not None:
            found[name] = came.command
    return found


def test_a_task_of_the_editor_runs_what_the_editor_would_or_is_not_offered(
    tmp_path: Path,
) -> None:
    found = editors(
        tmp_path,
        {"type": "npm", "script": "x", "path": "sub/"},
        {"label": "deep", "command": "echo d"},
        {"label": "mid", "command": "echo m", "dependsOn": ["deep"]},
        {"label": "all", "command": "echo a", "dependsOn": ["deep", "mid", "npm: y"]},
        {"label": "named", "command": "a; b", "options": {"env": {"X": "1 2"}}},
        {"label": "lost", "command": "x", "dependsOn": ["nobody"]},
        {"label": "made", "command": "x", "dependsOn": {"type": "npm", "script": "y"}},
        {"label": "round", "command": "x", "dependsOn": "round"},
        {"label": "shell", "command": "x", "options": {"shell": {"executable": "sly"}}},
        {"label": "odd", "command": "x", "options": {"env": {"A;b": "1"}}},
        {"label": "here", "command": "x", "linux": {"command": "l"}, "osx": {"command": "l"}},
    )
    assert found == {
        "npm: x": "(cd sub/ && npm run x)",
        "deep": "echo d",
        "mid": "echo d && echo m",
        "all": "echo d && echo m && npm run y && echo a",
        "named": "(export X='1 2'; a; b)",
        "here": "l",
    }
    assert editors(tmp_path, {"label": "a", "command": "x"}, options={"shell": {}}) == {}


def test_of_several_files_of_one_runner_only_the_one_it_takes_is_told_though_it_may_not_be_read(
    tmp_path: Path,
) -> None:
    for name in ("GNUmakefile", "Makefile"):
        (tmp_path / name).write_text(PLAIN)
    assert task_named("make:all", [str(tmp_path)], lambda it: "GNU" not in it) is None


def test_a_task_is_found_however_many_stand_before_it(tmp_path: Path) -> None:
    texts = {f"s{at}": "x" for at in range(600)}
    assert task(tmp_path, "npm:s599", "package.json", scripts(**texts)).name == "npm:s599"
