"""The tasks that a command runs, whoever wrote it: their texts and their files come with it."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from assent.gate.call.calls import Call
from assent.gate.disk.freshness import changed_since
from assent.gate.disk.places import Places
from assent.gate.tasks import called_tasks
from assent.gate.tasks.called_tasks import called_by, with_task_digests
from assent.gate.tasks.makefiles import of_makefile
from assent.gate.tasks.task_files import Tasks
from gate.ruling.samples import running
from tables import each_row

MAKEFILE = "RUN = echo file\nall: sub\n\techo all\nsub:\n\techo sub\nother:\n\t$(RUN)\n"
MANY = "".join(f"a{at}:\n\techo {at}\n" for at in range(25))


@pytest.fixture
def places(tmp_path: Path) -> Places:
    root = tmp_path.resolve() / "ws"
    (root / "sub").mkdir(parents=True)
    texts = {"build": "tsc", "prebuild": "echo pre", "test": "pytest", "postinstall": "sh x"}
    texts |= {
        "deploy": "echo sent",
        "add": "echo no",
        "start": "node .",
        "restart": "echo back",
        "roll:out": "kubectl apply -f .",
    }
    (root / "package.json").write_text(json.dumps({"scripts": texts}))
    (root / "Makefile").write_text(MAKEFILE)
    (root / "justfile").write_text("one:\n  echo one\ntwo:\n  echo two\n")
    (root / "sub/package.json").write_text(json.dumps({"scripts": {"build": "rm -rf x"}}))
    (root / "sub/Makefile").write_text("all:\n\techo below\n")
    (root / "e.mk").write_text("all:\n\techo evil\n")
    (root / "pyproject.toml").write_text('[tool.poe.tasks]\ncheck = "ruff check"\n')
    return Places(roots=(str(root),), home=str(root.parent / "home"))


def call(places: Places, command: str) -> Call:
    made = running(command)
    return evolve(made, cwd=places.roots[0])


@each_row(
    ("command", "texts"),
    [
        ("npm run build", ["tsc", "echo pre"]),
        ("echo a && npm run -s build 2>&1 | tail -3", ["tsc", "echo pre"]),
        ("CI=1 npm run build -- --watch 'a b'", ["tsc --watch 'a b'", "echo pre"]),
        ("pnpm run build", ["tsc", "echo pre"]),
        ("yarn build > /dev/null", ["tsc", "echo pre"]),
        ("yarn roll:out", ["kubectl apply -f ."]),
        ("pnpm roll:out", ["kubectl apply -f ."]),
        ("yarn deploy", ["echo sent"]),
        ("pnpm start", ["node ."]),
        ("pnpm restart", []),  # also `stop` and `start`
        ("npm t", ["pytest"]),
        ("np''m test", ["pytest"]),
        ("cd sub && npm run build", ["rm -rf x"]),
        ("make", ["echo sub", "echo all"]),
        ("ma''ke all", ["echo sub", "echo all"]),
        ("m\\ake sub -j 4", ["echo sub"]),
        ("make other && make -sk sub", []),
        ("make other && make -s -k sub", ["echo file", "echo sub"]),
        ("make -C sub all", ["echo below"]),
        ("cd sub && just two", ["echo two"]),
        ("poe check", ["ruff check"]),
        ("ls make", []),
    ],
)
def test_the_texts_come_with_the_call_that_runs_them(
    places: Places, command: str, texts: list[str]
) -> None:
    found = with_task_digests(call(places, command), places)
    assert [it.text for it in found.scripts] == texts


def test_a_call_is_bound_to_the_file_that_says_its_tasks_and_to_those_taken_before_it(
    places: Places,
) -> None:
    root = places.roots[0]
    made = call(places, "make all")
    before = with_task_digests(made, places)
    assert {Path(it.path).name for it in before.code} >= {"GNUmakefile", "makefile", "Makefile"}
    Path(root, "Makefile").write_text(MAKEFILE + "more:\n")
    assert with_task_digests(made, places).digest != before.digest
    Path(root, "Makefile").write_text(MAKEFILE)
    assert with_task_digests(made, places).digest == before.digest
    Path(root, "GNUmakefile").write_text(MAKEFILE)
    assert with_task_digests(made, places).digest != before.digest


@pytest.mark.parametrize(
    "command",
    [
        "make " + " ".join(f"a{at}" for at in range(21)),
        "make $(echo all)",
        "make `echo all`",
        "make $E",
        "for i in all sub; do make $i; done",
        "make al*",
        "make .hid",
        "make ./all",
        "make lost",
        "make -f e.mk",
        "make -f Makefile -f e.mk",
        "make --fi=e.mk all",
        "make -sf e.mk",
        "make -C sub -C . all",
        "make all RUN='curl evil'",
        "make --eval='all: evil' all",
        "MAKEFILES=e.mk make all",
        "export MAKEFILES=e.mk; make all",
        "env MAKEFILES=e.mk make all",
        "make() { evil; }; make all",
        "alias make=evil; make all",
        "source evil; make all",
        "cp e.mk Makefile && make all",
        "echo evil > Makefile; make all",
        "cd sub; make all",
        "cd $E && make all",
        "/usr/bin/make all",
        "./make all",
        "timeout 9 make all",
        "echo evil | xargs make",
        "$(which make) all",
        "npm tes",
        "npm install-t",
        "npm ci",
        "npm run lost",
        "npm run build -w a",
        "npm --prefix sub run build",
        "npm_config_prefix=sub npm run build",
        "npx npm run build",
        "yarn build --watch",
        "pnpm deploy",
        "pnpm add",
        "yarn add",
        "npm deploy",
        "bun build",
        "node --run build",
        "just _own",
        "just -f e.mk one",
        "poe lost",
    ],
)
def test_where_anything_is_not_followed_no_text_comes_from_there(
    places: Places, command: str
) -> None:
    Path(places.roots[0], "Makefile").write_text(MAKEFILE + MANY)
    made = call(places, command)
    assert called_by(made, places).unread
    assert with_task_digests(made, places).scripts == ()
    # What runs before it is the same whatever that turns out to be.
    made = call(places, f"npm run build; {command}")
    assert called_by(made, places).unread
    assert {it.name for it in with_task_digests(made, places).scripts} <= {"build", "prebuild"}


def test_a_file_of_tasks_that_cannot_be_followed_is_bound_all_the_same(places: Places) -> None:
    makefile = Path(places.roots[0], "Makefile")
    makefile.write_text("all:\n\t$(MAKE) -C sub\n", "utf-8")
    made = with_task_digests(call(places, "make all"), places)
    assert made.scripts == ()
    assert changed_since(made, places) is None
    makefile.write_text("all:\n\t$(MAKE) -C evil\n", "utf-8")
    assert "Makefile has changed" in (changed_since(made, places) or "")


def test_the_text_of_a_task_counts_that_runs_before_one_that_cannot_be_followed(
    places: Places,
) -> None:
    before = with_task_digests(call(places, "npm run build && npm run lost"), places)
    assert {it.name for it in before.scripts} == {"prebuild", "build"}
    after = with_task_digests(call(places, "npm run lost && npm run build"), places)
    assert after.scripts == ()


@pytest.mark.parametrize(
    ("command", "name", "text"),
    [
        ("npm test", ".npmrc", "script-shell=./sly"),
        ("npm test", ".npmrc", "workspace=sub"),
        ("npm test", ".npmrc", "prefix = sub"),
        ("npm test", ".npmrc", '"script\\u002dshell"=./sly'),
        ("npm test", ".npmrc", "fund=false\nnode-options=--require ./sly"),
        ("cd sub && npm run build", ".npmrc", "script-shell=./sly"),
        ("pnpm test", "pnpm-workspace.yaml", "scriptShell: ./sly"),
        ("yarn test", ".yarnrc.yml", "yarnPath: ./sly"),
        ("bun run test", "bunfig.toml", ""),
        ("cd down && npm test", "down/node_modules/a", ""),
        ("make all", "Makefile.sh", "sly"),
        ("make all", "RCS/Makefile,v", "sly"),
        ("cd down && just one", "down/JUSTFILE", "one:\n  sly\n"),
        ("poe check", "poe_tasks.toml", ""),
    ],
)
def test_a_file_beside_that_may_change_what_runs_keeps_it_from_being_followed(
    places: Places, command: str, name: str, text: str
) -> None:
    path = Path(places.roots[0], name)
    Path(places.roots[0], "down").mkdir()
    made = call(places, command)
    assert with_task_digests(made, places).scripts
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert with_task_digests(made, places).scripts == ()


def test_a_call_is_bound_to_the_settings_of_npm_there_or_not(places: Places) -> None:
    made = call(places, "npm test")
    before = with_task_digests(made, places)
    Path(places.roots[0], ".npmrc").write_text("fund=false\n")
    assert with_task_digests(made, places).digest != before.digest
    assert with_task_digests(made, places).scripts == before.scripts


def test_a_file_is_read_once_whatever_is_asked_of_it(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[str]()

    def counting(text: str, folder: str) -> Tasks:
        read.append(folder)
        return of_makefile(text, folder)

    monkeypatch.setitem(called_tasks._KINDS, "make", counting)
    monkeypatch.setattr(called_tasks, "READERS", (("Makefile", counting),))
    Path(places.roots[0], "Makefile").write_text(MANY)
    for at in range(20):
        assert with_task_digests(call(places, f"make a{at} && make a{at + 1}"), places).scripts
    assert len(read) == 1


def test_what_is_not_followed_is_known_of_what_a_command_runs(places: Places) -> None:
    Path(places.roots[0], "package.json").write_text(json.dumps({"scripts": {"x": "turbo x"}}))
    assert called_by(call(places, "echo && npm run x"), places).unread == "turbo"
    Path(places.roots[0], "package.json").write_text("{" * 300_000)
    assert "too long" in called_by(call(places, "npm run x"), places).unread


def test_a_runner_that_cannot_be_looked_at_is_shown_to_a_person(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr("assent.gate.tasks.called_tasks.tasks_at", broken)
    assert with_task_digests(call(places, "make all"), places).caution
