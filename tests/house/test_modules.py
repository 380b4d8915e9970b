"""How modules are made: named for what they are, honest about what they offer."""

import ast
import importlib
import re
from pathlib import Path

from house.sources import (
    ROOT,
    client_modules,
    committed,
    module_name,
    named,
    parsed,
    server_modules,
    suite_modules,
)

FORBIDDEN = {"core", "common", "util", "utils", "helper", "helpers", "manager", "service", "base"}

PRODUCT = [*server_modules(), *client_modules()]
SUITE = suite_modules()


def _words(name: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def test_a_module_offers_what_it_says_it_offers() -> None:
    for path in server_modules():
        if path.name == "__main__.py":
            continue
        name = module_name(path)
        module = importlib.import_module(name)
        if path.name == "__init__.py" and not hasattr(module, "__all__"):
            continue
        offered = list(module.__all__)
        assert [each for each in offered if not hasattr(module, each)] == [], name
        assert [each for each in offered if re.fullmatch(r"_[^_].*", each)] == [], name
        assert offered == sorted(offered, key=_place), name
        assert len(set(offered)) == len(offered), name


def _place(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest, as the formatter sorts them."""
    if name.isupper() and len(name) > 1:
        return 0, name
    return (1 if name[0].isupper() else 2), name


def test_a_module_says_what_it_is() -> None:
    heads = {path: (ast.get_docstring(parsed(path)) or "") for path in server_modules()}
    sentence = re.compile(r".+[.:`?]$", re.DOTALL)
    silent = [path for path, head in heads.items() if not sentence.match(head.split("\n\n")[0])]
    assert named(silent) == []


def test_things_have_names_of_their_own() -> None:
    names = [
        f"{named([path])[0]}: {node.name}"
        for path in server_modules()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and _words(node.name) & FORBIDDEN
    ]
    assert names == []


def test_files_have_names_of_their_own() -> None:
    files = [*PRODUCT, *SUITE]
    parts = {part for path in files for part in path.relative_to(ROOT).with_suffix("").parts}
    assert {part for part in parts if _words(part) & FORBIDDEN} == set()


GROUPS = re.compile(r"(^|[._])group$")


def test_tasks_are_started_in_groups_alone() -> None:
    loose = []
    for path in server_modules():
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.Call):
                continue
            owner, _, called = ast.unparse(node.func).rpartition(".")
            started = called in {"create_task", "ensure_future"}
            if started and not GROUPS.search(owner):
                loose.append(f"{named([path])[0]}:{node.lineno}")
    assert loose == []


MAY_SLEEP = {
    "tests/host/waiting.py": "it waits for other programs, which cannot say when they are ready",
    "tests/bench/run.py": "it measures what happens while nobody reads",
    "tests/bench/house.py": "it is kept busy on purpose while it is measured",
}


def test_tests_wait_for_things_and_never_for_time() -> None:
    slept = [
        f"{named([path])[0]}:{node.lineno}"
        for path in SUITE
        if named([path])[0] not in MAY_SLEEP
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] == "sleep"
        # To give up one turn of the loop is no waiting.
        and [ast.unparse(argument) for argument in node.args] != ["0"]
    ]
    assert slept == []


REGISTRIES = re.compile(
    r"registry\.npmjs|registry\.yarnpkg|pypi\.(org|io)|pythonhosted\.|npmmirror\."
    r"|--(extra-)?index-url|--find-links|\"resolved\":"
)
THIS_MACHINE = re.compile(r"/[r]oot/|/[w]ork/(main|shared)|/[o]pt/(pypi|wheels)|/[U]sers/\w")


def test_no_text_names_a_registry_or_a_place_of_one_machine() -> None:
    told = []
    for path in committed():
        if path == Path(__file__).resolve():
            continue
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            if REGISTRIES.search(line) or THIS_MACHINE.search(line):
                told.append(f"{named([path])[0]}:{number}: {line.strip()[:80]}")
    assert told == []
