"""How modules are made: short, named for what they are, honest about what they offer."""

import ast
import doctest
import importlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from house.sources import (
    BANNER,
    ROOT,
    client_modules,
    committed,
    module_name,
    named,
    parsed,
    server_modules,
    suite_modules,
)

ORDINARY, MOST = 250, 400
LONGER = {
    "server/assent/calls.py": "each value that a call is made of, and its digest over all of them",
    "server/assent/settings/model.py": "each setting, once, in the order of the settings editor",
    "server/assent/methods/parts.py": "each part of a window, made once and handed to the others",
    "server/assent/acp/fleet.py": "a chat, its session and its turn end in one order, told here",
    "server/assent/disk/places.py": "all that the policy asks of the disk, as it is at one moment",
    "server/assent/methods/transcript.py": "one fold, from all that happens to what a chat is",
    "server/assent/gate.py": "the corridor, from a call to its end, in one place to be read",
    "server/assent/programs/families/archives.py": "each tool for archives, beside the others",
    "server/assent/policy/fetched.py": "what is fetched, by each way in which it may come to run",
    "server/assent/programs/answers.py": "each program that answers alike, beside the others",
    "server/assent/programs/options.py": "the one parser of options, with all it has to doubt",
    "server/assent/programs/finding.py": "the expression of find, read here for all who ask",
    "server/assent/agent/assistants.py": "all that a window asks of our own agent, chat by chat",
    "server/assent/methods/keeping.py": "one thread's work, from what happened to its deletion",
    "server/assent/acp/calls.py": "each way in which an agent's words are read into a call",
    "server/assent/acp/session.py": "what one session hears, and who in it is told of what",
    "server/assent/acp/questions.py": "each question of a session, from its coming to its answer",
    "server/assent/acp/peer.py": "one state machine: what we asked, what they asked, and the end",
    "server/assent/bash/commands.py": "a simple command, with all that a redirect of it may mean",
    "server/assent/bash/compounds.py": "each construct of the shell, declarations too",
    "server/assent/bash/joining.py": "what a word comes to: braces, then pieces side by side",
    "server/assent/bash/notes.py": "what is noted of a text, what is known, and where reading is",
    "server/assent/bash/read.py": "one text, from its here-documents to its script, in one order",
    "server/assent/bash/record.py": "a command written down, with what it hands on to run",
    "server/assent/policy/always.py": "every question that nothing lifts, and what is told of it",
    "server/assent/policy/decide.py": "the one way to a ruling, and what may still tighten it",
    "server/assent/policy/in_words.py": "what any word of a program may name, weighed in one place",
    "server/assent/policy/killing.py": "each way to name a program that is ended, in one place",
    "server/assent/policy/narrowed.py": "what a command looks into, of all that it could come upon",
    "server/assent/policy/needs.py": "what a command needs leave for, and which rule gives it",
    "server/assent/policy/planting.py": "what a command leaves to those after it: files, links",
    "server/assent/policy/refused_below.py": "what is refused below a path, whatever is done to it",
    "server/assent/policy/refusals.py": "what rules say against a command, by all it does",
    "server/assent/bash/listed.py": "each kind of a name out of a list, and what comes of it",
    "server/assent/programs/choosing.py": "which names a listing may hold, and what narrows it",
    "server/assent/programs/families/hosts.py": "what is fetched and saved, by the same flags",
    "server/assent/programs/inside.py": "what else is run by words that a rule lets pass",
    "server/assent/programs/shape.py": "all that a rule for first words does not mean",
    "server/assent/programs/wrapping.py": "each program that runs another, once or for each name",
    "server/assent/rules/argvs.py": "the rules for commands, to the letter and liberally",
    "server/assent/rules/globs.py": "every way in which two patterns of paths are compared",
    "server/assent/rules/suggest.py": "the rules that are offered for a call, and how each is made",
}
"""The modules beyond the ordinary length, each with what excuses it."""

JUDGING = ("bash", "programs", "rules", "policy")
"""The rooms that judge commands, in which many small modules would be as hard to read as few."""

ALONE = {
    "bash/compounds.py": "The walk over statements hands on to it, and each is a page by itself.",
    "bash/computed.py": "What is computed is for the shell to say, and one room asks for it.",
    "bash/joining.py": "Words are found in one and put together in the other, a page for each.",
    "bash/misread.py": "Each of its rules is about a fault of the grammar, and goes with that.",
    "bash/read.py": "It is the whole door of the room, and one module of the next room opens it.",
    "bash/statements.py": "Lists and pipes are a walk of their own, below what opens a text.",
    "bash/testing.py": "Tests have a grammar of their own, which no other construct shares.",
    "policy/fetched.py": "Code that was fetched is followed over a whole text by its own rules.",
    "policy/handed.py": "What a tool is handed may be commands, and takes the whole parser then.",
    "policy/in_words.py": "What a word may name is weighed apart from what is known to be done.",
    "policy/leaks.py": "It looks at all commands together, once each has been judged.",
    "policy/named_code.py": "Which code a call names is policy; binding it is the disk's.",
    "policy/needs.py": "What a command needs leave for is half of its ruling, at full length.",
    "policy/planned.py": "It is loaded late: only steps and texts of a shell take a parser.",
    "policy/unread.py": "What cannot be read is the rare case, with leave of its own kinds.",
    "policy/vouching.py": "What is run within another is judged apart from what is told of both.",
    "policy/sent.py": "What is sent away is followed over a whole text, apart from leave for it.",
    "policy/sparing.py": "What a list of names leaves out is asked of it alone, from a table.",
    "policy/shipped.py": "What a list for builds leaves out has patterns of its own.",
    "policy/registries.py": "What files say of hosts is read only beside a rule about these.",
    "policy/applied.py": "What a patch changes is a question by itself, beside those by name.",
    "programs/families/git_words.py": "It is loaded late: only commands of git need it.",
    "programs/families/sed.py": "It reads another language than awk, and is loaded without it.",
    "programs/forms.py": "Which function reads a row's words is one table, and loads them late.",
    "programs/git_given.py": "It reads the settings of git, and is the one program that has such.",
    "programs/later.py": "It is a table of programs, and the one function that reads it.",
    "programs/ordered.py": "Which words make a command of its own is asked before any row.",
    "programs/undone.py": "What takes a flag back is asked of a rule's words, from a table.",
    "programs/same.py": "Which words mean the same is about programs; a rule only asks it.",
    "rules/argvs.py": "The rules for commands are the largest part of the index.",
    "rules/operands.py": "Words are parted in one and looked up in the other, a page for each.",
    "rules/paths.py": "The rules for paths are the next largest part of the index.",
}
"""The modules of code that only one other imports, each with why it is not a part of that one."""

LONGEST_FUNCTION = 50

FORBIDDEN = {"core", "common", "util", "utils", "helper", "helpers", "manager", "service", "base"}

PRODUCT = [*server_modules(), *client_modules()]
SUITE = suite_modules()


def _written_by_hand(paths: list[Path]) -> list[Path]:
    return [path for path in paths if BANNER not in path.read_text("utf-8")[:300]]


def _is_data(path: Path) -> bool:
    """Whether it is a table and nothing else: data has no ceiling."""
    if path.suffix != ".py":
        return False
    code = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
    return not any(isinstance(node, code) for node in ast.walk(parsed(path)))


def _length(path: Path) -> int:
    """How many lines it has without its examples, of which a module cannot have too many."""
    text = path.read_text("utf-8")
    length = len(text.splitlines())
    if path.suffix == ".py" and ">>>" in text:
        length -= sum(map(_given_to_examples, ast.walk(parsed(path))))
    return length


def _given_to_examples(node: ast.AST) -> int:
    """How many lines a docstring has for its examples: all that are not its sentences."""
    if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
        return 0
    docstring = ast.get_docstring(node) or ""
    if ">>>" not in docstring:
        return 0
    parts = doctest.DocTestParser().parse(docstring)
    prose = "".join(it for it in parts if isinstance(it, str)).strip()
    place = node.body[0]
    # The quotes that end a docstring of several lines have a line of their own, examples or not.
    sentences = len(prose.splitlines()) + ("\n" in prose)
    return (place.end_lineno or place.lineno) - place.lineno + 1 - sentences


def _words(name: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


@pytest.mark.parametrize("path", _written_by_hand(PRODUCT), ids=lambda it: named([it])[0])
def test_a_module_of_code_is_of_ordinary_length(path: Path) -> None:
    if _is_data(path):
        return
    most = MOST if named([path])[0] in LONGER else ORDINARY
    assert _length(path) <= most


def test_a_module_of_the_tests_is_not_endless() -> None:
    assert named([path for path in SUITE if _length(path) > 2 * MOST]) == []


def test_a_module_is_excused_only_while_it_is_long() -> None:
    for name, reason in LONGER.items():
        assert _length(ROOT / name) > ORDINARY, f"{name} needs no excuse any more"
        assert reason


def test_a_module_of_the_judging_rooms_has_several_importers_or_a_reason() -> None:
    importers = _importers()
    alone = {
        path.relative_to(ROOT / "server" / "assent").as_posix()
        for path in server_modules()
        if path.parent.name in JUDGING or path.parent.parent.name in JUDGING
        if not _is_data(path) and len(importers[module_name(path)]) == 1
    }
    assert sorted(alone - ALONE.keys()) == [], "it may be a part of what imports it"
    assert sorted(ALONE.keys() - alone) == [], "it needs no excuse any more"
    assert [it for it in ALONE.values() if not it.endswith(".")] == []


def _importers() -> dict[str, set[str]]:
    """Which modules of ours import each, those that do so late counted."""
    names = {module_name(path): path for path in server_modules()}
    found: dict[str, set[str]] = {name: set() for name in names}
    for name, path in names.items():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom) and node.module:
                for it in node.names:
                    inner = f"{node.module}.{it.name}"
                    found.get(inner if inner in names else node.module, set()).add(name)
            elif isinstance(node, ast.Import):
                for it in node.names:
                    found.get(it.name, set()).add(name)
    return found


def test_a_function_can_be_seen_at_once() -> None:
    long = []
    for path in [*server_modules(), *SUITE]:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    long.append(f"{named([path])[0]}: {node.name} has {length} lines")
    assert long == []


_FUNCTIONS = """
const ts = require(process.argv[1]);
const found = [];
for (const file of process.argv.slice(2)) {
  const source = ts.createSourceFile(
    file, require("node:fs").readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const line = (at) => source.getLineAndCharacterOfPosition(at).line;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      found.push([file, node.name?.getText() ?? "", line(node.end) - line(node.getStart()) + 1]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
console.log(JSON.stringify(found));
"""


def test_a_function_of_the_client_can_be_seen_at_once() -> None:
    typescript = ROOT / "client-ts" / "node_modules" / "typescript"
    node = shutil.which("node")
    if node is None or not typescript.is_dir():
        pytest.skip("TypeScript is not installed: run `make install`.")
    files = [str(path) for path in _written_by_hand(client_modules())]
    done = subprocess.run(
        [node, "-e", _FUNCTIONS, str(typescript), *files],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    functions = json.loads(done.stdout)
    assert len(functions) > len(files) > 10
    assert [each for each in functions if each[2] > LONGEST_FUNCTION] == []


@pytest.mark.parametrize("path", server_modules(), ids=module_name)
def test_a_module_offers_what_it_says_it_offers(path: Path) -> None:
    if path.name == "__main__.py":
        return
    module = importlib.import_module(module_name(path))
    if path.name == "__init__.py" and not hasattr(module, "__all__"):
        return
    offered = list(module.__all__)
    assert [name for name in offered if not hasattr(module, name)] == []
    assert [name for name in offered if re.fullmatch(r"_[^_].*", name)] == []
    assert offered == sorted(offered, key=_place)
    assert len(set(offered)) == len(offered)


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
