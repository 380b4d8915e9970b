"""The tasks of a project, by the files that say so: nothing is run to tell them."""

import json
from pathlib import Path

from assent.gate.tasks.tasks import Task, tasks_in
from tables import each_row


def listed(root: Path) -> dict[str, Task]:
    listing = tasks_in([str(root)], lambda _: True)
    assert listing.notes == ()
    return {it.name: it for it in listing.tasks}


def texts(task: Task) -> dict[str, str]:
    return {it.name: it.text for it in task.scripts}


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text)


def test_a_script_of_a_package_comes_with_what_runs_around_it_and_what_it_calls(
    tmp_path: Path,
) -> None:
    scripts = {
        "prebuild": "rm -rf dist",
        "build": "tsc && npm run lint",
        "postbuild": "echo done",
        "lint": "eslint .",
        "other": "curl x",
    }
    write(tmp_path, "package.json", json.dumps({"scripts": scripts}))
    found = listed(tmp_path)
    assert found["npm:build"].command == "npm run build"
    assert set(texts(found["npm:build"])) == {"prebuild", "build", "postbuild", "lint"}
    assert texts(found["npm:other"]) == {"other": "curl x"}


@each_row(
    ("lock", "manager"), [("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun")]
)
def test_a_package_is_run_by_the_manager_that_it_is_kept_with(
    tmp_path: Path, lock: str, manager: str
) -> None:
    write(tmp_path, lock, "")
    write(tmp_path, "package.json", json.dumps({"scripts": {"a b": "x"}}))
    assert listed(tmp_path)["npm:a b"].command == f"{manager} run 'a b'"


def test_a_target_of_a_makefile_comes_with_what_it_needs_and_with_what_its_variables_say(
    tmp_path: Path,
) -> None:
    makefile = (
        "WIPE := rm -rf\n"
        "DEEP = $(WIPE) -v\n"
        ".PHONY: all\n"
        "all: build | clean\n"
        "build: a.c\n"
        "\tcc -o $@ $< \\\n"
        "\t  -O2\n"
        "clean:\n"
        "\t@-$(DEEP) out\n"
        "\techo $$HOME $(shell touch made)\n"
        "%.o: %.c\n"
        "\tcc $<\n"
    )
    write(tmp_path, "Makefile", makefile)
    found = listed(tmp_path)
    assert set(found) == {"make:all", "make:build", "make:clean"}
    assert texts(found["make:clean"]) == {"clean": "rm -rf -v out\necho $HOME $(touch made)"}
    assert set(texts(found["make:all"])) == {"build", "clean"}
    assert texts(found["make:build"])["build"].split() == "cc -o build a.c -O2".split()
    assert not (tmp_path / "made").exists(), "nothing was run to find that out"


def test_a_variable_of_a_makefile_that_stands_for_itself_ends(tmp_path: Path) -> None:
    write(tmp_path, "Makefile", "A = $(B) x\nB = $(A) y\nall:\n\t$(A)\n")
    assert "$(" in texts(listed(tmp_path)["make:all"])["all"]


def test_a_recipe_of_a_justfile_comes_with_what_it_needs(tmp_path: Path) -> None:
    justfile = (
        "version := '2'\n"
        "default:\n  just --list\n"
        "test which='all': build\n  @pytest {{version}}\n"
        "build:\n  cargo build\n"
        "_own:\n  rm x\n"
    )
    write(tmp_path, "justfile", justfile)
    found = listed(tmp_path)
    assert set(found) == {"just:default", "just:test", "just:build"}
    assert texts(found["just:test"]) == {"build": "cargo build", "test": "pytest 2"}


def test_each_runner_of_pyproject_has_its_tasks(tmp_path: Path) -> None:
    project = (
        '[tool.poe.tasks]\ntest = "pytest"\n'
        'all = { sequence = ["test", { cmd = "ruff check" }] }\n'
        '[tool.hatch.envs.default.scripts]\ncheck = ["a", "b"]\n'
        '[tool.pdm.scripts]\npre_go = "rm x"\ngo = { shell = "y" }\n'
        '[tool.taskipy.tasks]\nrun = "z"\npost_run = "w"\n'
    )
    write(tmp_path, "pyproject.toml", project)
    found = listed(tmp_path)
    assert found["poe:all"].command == "poe all"
    assert [it.text for it in found["poe:all"].scripts] == ["ruff check", "pytest"]
    assert found["hatch:check"].command == "hatch run check"
    assert texts(found["pdm:go"]) == {"go": "y", "pre_go": "rm x"}
    assert texts(found["taskipy:run"]) == {"run": "z", "post_run": "w"}


def test_a_word_of_a_text_that_is_also_a_tasks_name_runs_no_task(tmp_path: Path) -> None:
    project = '[tool.poe.tasks]\nlint = "ruff check src"\ncheck = "rm -rf build"\n'
    write(tmp_path, "pyproject.toml", project)
    assert texts(listed(tmp_path)["poe:lint"]) == {"lint": "ruff check src"}


def test_a_task_that_is_code_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", '[tool.poe.tasks]\ngo = { script = "pkg.mod:main" }\n')
    found = listed(tmp_path)["poe:go"]
    assert found.unread == "script"
    assert texts(found) == {}


def test_a_task_of_the_editor_is_its_commands_in_order_and_none_that_only_it_can_fill_in(
    tmp_path: Path,
) -> None:
    tasks = """{ // of this project
      "tasks": [
        {"label": "all", "command": "make", "args": ["all"], "dependsOn": ["one", "two"]},
        {"label": "one", "command": "echo", "args": ["1 2"]},
        {"label": "two", "type": "npm", "script": "x", "options": {"cwd": "${workspaceFolder}/w"}},
        {"label": "open", "command": "less ${file}"},
        {"label": "after open", "command": "x", "dependsOn": "open"},
      ]
    }"""
    write(tmp_path, ".vscode/tasks.json", tasks)
    found = listed(tmp_path)
    assert set(found) == {"task:all", "task:one", "task:two"}
    folder = f"{tmp_path}/w"
    assert found["task:all"].command == f"echo '1 2' && (cd {folder} && npm run x) && make all"


@each_row(
    ("name", "text"),
    [
        ("package.json", "{"),
        ("package.json", "\0"),
        ("pyproject.toml", "[tool"),
        ("pyproject.toml", "[tool.poe.tasks]\na = { sequence = 1 }"),
        (".vscode/tasks.json", '{"tasks": [{"label": "a", "dependsOn": 3}]}'),
        (".vscode/tasks.json", '{"tasks": [{"label": "a", "args": 3, "command": "x"}]}'),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_the_others_are_listed(
    tmp_path: Path, name: str, text: str
) -> None:
    write(tmp_path, name, text)
    write(tmp_path, "Makefile", "all:\n\techo\n")
    listing = tasks_in([str(tmp_path)], lambda _: True)
    assert [it.name for it in listing.tasks] == ["make:all"]
    (note,) = listing.notes
    assert note.startswith(f"{name} could not be read: ")


def test_a_file_that_may_not_be_read_is_not_told_of(tmp_path: Path) -> None:
    write(tmp_path, "package.json", json.dumps({"scripts": {"a": "x"}}))
    assert tasks_in([str(tmp_path)], lambda path: "package" not in path).tasks == ()


def test_of_several_folders_each_task_says_of_which_it_is(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path, f"{name}/package.json", json.dumps({"scripts": {"a": "x"}}))
    roots = [str(tmp_path / "one"), str(tmp_path / "two")]
    listing = tasks_in(roots, lambda _: True)
    assert [it.name for it in listing.tasks] == ["one/npm:a", "two/npm:a"]
    assert [it.folder for it in listing.tasks] == roots


@each_row(
    ("name", "text"),
    [
        ("Makefile", "a" + " " * 100_000 + "\n"),
        ("Makefile", "a" + " " * 100_000 + "b\n\tx\n"),
        (
            "Makefile",
            "".join(f"V{at} = $(V{at + 1})$(V{at + 1})\n" for at in range(60)) + "a:\n\t$(V0)\n",
        ),
        ("Makefile", "V = " + "x" * 50_000 + "\na:\n\t" + "$(V)" * 20_000 + "\n"),
        ("Makefile", " ".join(f"t{at}" for at in range(10_000)) + ":\n" + "\tx\n" * 20_000),
        ("justfile", "a" + " " * 100_000 + "\n"),
        ("justfile", "a " * 50_000 + "\n  x\n"),
        (
            "package.json",
            json.dumps({"scripts": {f"s{at}": f"npm run s{at + 1} " * 20 for at in range(500)}}),
        ),
    ],
    ids=range(8),
)
def test_a_file_that_was_made_to_hold_us_up_is_listed_or_left_at_once(
    tmp_path: Path, name: str, text: str
) -> None:
    write(tmp_path, name, text)
    listing = tasks_in([str(tmp_path)], lambda _: True)
    assert sum(len(it.text) for task in listing.tasks for it in task.scripts) < 50_000_000


def test_a_file_that_is_too_long_is_named(tmp_path: Path) -> None:
    write(tmp_path, "Makefile", "# " + "x" * 300_000)
    assert tasks_in([str(tmp_path)], lambda _: True).notes == (
        "Makefile could not be read: it is too long.",
    )
