"""The gate's own premises as they are really reported, and every way to name and to change them.

The files come from the running process and from an answer of the protocol: what is reported in
addition is tried in addition.
"""

import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from agent.tools.typing_nothing import nothing_typed
from assent.agent.models.conversation import Wanted
from assent.agent.tools.registry import BELT, ArgumentsWrong, made
from assent.agent.tools.tool import Bench
from assent.editor.protocol.editor import Inspected
from assent.editor.window.settings.premises_survey import premises_of_editor
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Premise
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.policy import Policy
from assent.gate.settings.agents import AgentEntry
from assent.gate.settings.hook_entries import HookEntry, HookEvent
from assent.gate.settings.own import Own
from assent.gate.settings.premises import premises_of_machine
from assent.gate.settings.started_later import started_later
from assent.hosting.permission.calls import Reader
from editor.cards.schemas import AnyMaker

__all__ = [
    "SHELL",
    "UNKNOWN",
    "Ground",
    "build",
    "commands",
    "policies",
    "run",
    "spellings",
    "writes",
]

AGENT: Final = AgentId("eliza")
_GOLDEN: Final = Path(__file__).parents[2] / "editor" / "golden" / "settings_inspect.json"
_ALL: Final = ("shell(*)", "read(/**)", "write(/**)")

SHELL: Final = tuple(
    r"""
echo x > @
echo x >> @
cat a.txt >| @
exec 3> @
: > @
cp a.txt @
cp -r src @
mv a.txt @
mv @ b.txt
ln -sf a.txt @
ln -f a.txt @
ln @ b.txt
tee @ < a.txt
env tee @
sudo tee @
xargs -I% tee @
sed -i s/a/b/ @
perl -pi -e s/a/b/ @
tar -cf @ src
tar -C @ -xf a.tar
dd if=a.txt of=@
rsync -a a.txt @
install a.txt @
truncate -s 0 @
touch @
rm -f @
rm -rf @
rmdir @
unlink @
shred -u @
sort -o @ a.txt
curl -o @ https://x.org
wget -O @ https://x.org
patch @ a.txt
unzip a.zip -d @
chmod 777 @
mkdir -p @
find @ -delete
find @ -exec rm {} \;
printf %s @ | xargs rm
git clone https://x.org/y @
awk 'BEGIN{print 1 > "@"}'
split a.txt @
cd @ && git checkout -f
git -C @ reset --hard
git --work-tree @ checkout -f
tar -C @ -xf a.tar
""".strip().splitlines()
)
"""Ways to change a file by a command; `@` is the file."""

UNKNOWN: Final = tuple(
    """
unknown-tool @
unknown-tool --output=@
unknown-tool -o@
sh -c 'unknown-tool @'
cd @ && make
env -C @ make
make -C @
""".strip().splitlines()
)
"""Programs of which nothing is known but that the file is among their words."""

_PLAIN: Final = re.compile(r"[\w./+-]+")
"""A path that is spelled the same with quotes and without."""

_KINDS: Final = ("edit", "delete", "move", "other")
"""What another agent may call its own changes of files."""


@frozen(kw_only=True)
class Ground:
    """A workspace, a home, and what makes the gate beside them."""

    root: Path
    home: Path
    premises: tuple[Premise, ...]
    places: Places
    ordinary: Places
    """The same, where nothing is the gate's."""

    def file(self, premise: Premise) -> str:
        """The file of a premise, or one in it where it is a folder."""
        if premise.loads:
            return f"{premise.path}/inside{premise.loads[0]}"
        return f"{premise.path}/inside.txt" if os.path.isdir(premise.path) else premise.path  # noqa: PTH112 -- a string in


def build(folder: Path, more: Iterable[Premise] = ()) -> Ground:
    """What this very process reports, and what an editor does whose home is below a folder."""
    root, home = folder / "home" / "ada" / "till", folder / "home" / "ada"
    for path in ("src/app.py", "a.txt", "a.tar", "a.zip"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("one\n", encoding="utf-8")
    told = json.loads(_GOLDEN.read_text("utf-8"))["examples"][0]["result"]
    # Under names that no list has: what is protected is what was reported.
    whole = json.dumps(told).replace("file:///", f"file://{folder}/")
    whole = whole.replace("/.config/Code", "/.var/app/fork/config/Fork")
    whole = whole.replace("/.vscode/extensions", "/.var/extensions")
    editor = list(premises_of_editor(Inspected.model_validate_json(whole)))
    machine = premises_of_machine(home / "kept" / "state", home, [str(root)])
    for premise in editor:
        path = Path(premise.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in {".json", ".vscdb"}:
            path.write_text("{}", encoding="utf-8")
        else:
            path.mkdir(parents=True, exist_ok=True)
    (home / "kept" / "state").mkdir(parents=True)
    script, program = home / "own" / "hook.sh", home / "own" / "agent"
    script.parent.mkdir()
    for path in (script, program):
        path.write_text("#!/bin/sh\n", encoding="utf-8")
    hook = HookEntry(event=HookEvent.PRE_TOOL_USE, command=f"sh '{script}' --all", name="h")
    agent = AgentEntry(id=AGENT, name="A", command=str(program))
    premises = (
        *machine,
        *started_later([hook], [agent], Own(), [str(root)]),
        *editor,
        *more,
    )
    ordinary = Places(roots=(str(root),), home=str(home))
    whole_of = Premises.of(premises, [str(root)])
    places = Places(roots=(str(root),), home=str(home), premises=whole_of)
    return Ground(root=root, home=home, premises=premises, places=places, ordinary=ordinary)


def spellings(ground: Ground, path: str, number: int) -> Iterator[str]:
    """The ways to spell a path: plain, roundabout, by links, in other letters."""
    folder, name = os.path.split(path)
    to_file, to_folder = f"to_file_{number}", f"to_folder_{number}"
    for link, led in ((to_file, path), (to_folder, folder)):
        if not os.path.lexists(ground.root / link):
            (ground.root / link).symlink_to(led)
    yield path
    if path.startswith(f"{ground.home}/"):
        yield f"~{path[len(str(ground.home)) :]}"
    yield f"{folder}/none/../{name}"
    yield f"{folder}/./{name}"
    yield path.replace("/", "//")
    yield os.path.relpath(path, ground.root)
    yield to_file
    yield f"./{to_folder}/{name}"
    yield Path(path).as_uri()
    yield f"{folder}/{name.swapcase()}"
    yield path.upper()
    yield f"{path}."
    yield f"{path}/"
    yield f"/proc/self/root{path}"


def spelled_for_shell(text: str) -> Iterator[str]:
    """The same by what only a shell undoes."""
    # A shell knows its home only where that is not quoted.
    tilde, text = ("~/", text[2:]) if text.startswith("~/") else ("", text)
    yield tilde + shlex.quote(text)
    front, _, name = text.rpartition("/")
    folder = f"{tilde}{shlex.quote(front)}/" if front else tilde
    if len(name) > 1:
        yield f"{folder}'{name[0]}'\"{name[1]}\"{shlex.quote(name[2:])}"
    if len(name) > 1 and not name.endswith("."):
        yield f"{folder}{shlex.quote(name[:-1])}?"
    yield f"$(echo {tilde}{shlex.quote(text)})"


def writes(ground: Ground, text: str) -> Iterator[tuple[str, Call | None]]:
    """Every call that changes a file spelled so, by its tool; None where it is none at all."""
    yield from _of_our_tools(ground, text)
    for kind in _KINDS:
        raw = {"path": text, "content": "x"}
        yield f"acp {kind}", _of_agent(ground, {"kind": kind, "rawInput": raw})
        where = {"kind": kind, "locations": [{"path": text}]}
        yield f"acp {kind} at", _of_agent(ground, where)
        changes = [{"type": "diff", "path": text, "oldText": None, "newText": "x"}]
        yield f"acp {kind} diff", _of_agent(ground, {"kind": kind, "content": changes})


def commands(ground: Ground, text: str, templates: Iterable[str]) -> Iterator[tuple[str, Call]]:
    """Every command that changes a file spelled so."""
    for template, word in product(templates, list(spelled_for_shell(text))):
        # What stands in quotes is a name to the letter, to awk as well.
        if '"@"' in template and not _PLAIN.fullmatch(word):
            continue
        command = template.replace("@", word)
        yield command, run(ground, command)
    word = next(spelled_for_shell(text))
    yield "variable", run(ground, f"f={word}; echo x > $f")
    folder, _, name = word.rpartition("/")
    if folder and name and "'" not in word:
        yield "folder", run(ground, f"cd {folder} && echo x > {name}")


def _of_our_tools(ground: Ground, text: str) -> Iterator[tuple[str, Call | None]]:
    """What each of our own tools would make of it that takes a path and changes something."""
    given: dict[str, Any] = {
        "path": text,
        "content": "x",
        "edits": [{"old": "one", "new": "two"}],
        "prompt": "x",
        "text": "x",
        "command": f"echo x > {next(spelled_for_shell(text))}",
    }
    bench = Bench(
        cwd=str(ground.root),
        places=lambda: ground.places,
        buffers=nothing_typed(),
        may_read=lambda _: True,
        shell_registry=None,  # type: ignore[arg-type]  # nothing is carried out
        printed=lambda _, **__: None,
        planned=None,  # type: ignore[arg-type]
        ask=None,  # type: ignore[arg-type]
        subtask=None,  # type: ignore[arg-type]
        most=1_000,
        maker=AnyMaker(),
    )
    for tool in BELT:
        needed = {name for name, it in tool.arguments.model_fields.items() if it.is_required()}
        if not needed or not needed <= given.keys():
            continue
        wanted = json.dumps({name: given[name] for name in needed})
        try:
            found = made(
                Wanted(id="1", name=tool.name, arguments=wanted),
                bench,
                chat=ChatId("c"),
                agent=AGENT,
                id=CallId("1"),
            )
        except ArgumentsWrong:
            yield tool.name, None
            continue
        yield tool.name, found.call


def _of_agent(ground: Ground, whole: dict[str, Any]) -> Call:
    reader = Reader(chat=ChatId("c"), agent=AGENT, cwd=str(ground.root), places=ground.places)
    return reader.read({"toolCallId": "t", **whole})


def run(ground: Ground, command: str) -> Call:
    """The call of another agent that runs a command."""
    return _of_agent(ground, {"kind": "execute", "rawInput": {"command": command}})


def policies(ground: Ground, *, every: bool = False) -> Iterator[tuple[str, Policy]]:
    """Each mode with everything that lifts a question, or with every part of that."""
    roots, home = (str(ground.root),), str(ground.home)
    book = Book.of([written(text, Verdict.ALLOW) for text in _ALL], roots, home)
    hook = Ruling(verdict=Verdict.ALLOW, because="A hook says so.", by=Actor.RULE)
    given = (False, True) if every else (True,)
    for mode, ruled, bypassed, hooked in product(Mode, given, given, given):
        yield (
            f"{mode.value}{' rules' * ruled}{' bypass' * bypassed}{' hook' * hooked}",
            Policy(
                mode=mode,
                book=book if ruled else Book.of([], roots, home),
                bypassed=frozenset({AGENT}) if bypassed else frozenset(),
                hook=hook if hooked else None,
                trusted=True,
            ),
        )
