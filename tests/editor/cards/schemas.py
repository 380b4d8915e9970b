"""Calls with every member that a schema or a reader knows, and what a card says of them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from attrs import evolve

from agent.tools.workbench import Workbench
from assent.agent.tools.media_maker import Maker
from assent.agent.tools.schema import schema_of
from assent.agent.tools.workflows import RunWorkflow
from assent.catalogue.documents.port import About, Answer, Documents
from assent.catalogue.nodes.catalogue import Catalogue, Seen
from assent.catalogue.nodes.node import Node
from assent.catalogue.workflows.runs import Kept, Run, Runs
from assent.editor.cards.draw import draw
from assent.editor.cards.spans import text_of
from assent.editor.protocol.card import Card, Span
from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.call.modes import Mode
from assent.gate.disk.freshness import code_at
from assent.gate.disk.places import Places
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.hosting.permission import arguments
from assent.hosting.permission.calls import Reader
from editor.cards.samples import SETTING, a_ticket

__all__ = [
    "BASES",
    "NAMES",
    "AnyDocuments",
    "AnyMaker",
    "AnyNode",
    "AnyRuns",
    "Where",
    "drawn",
    "equipped",
    "filled",
    "leaves",
    "seen",
    "texts_in",
    "theirs",
    "write_workflows",
]

Where = tuple[str | int, ...]
"""Where a value stands in arguments: `("edits", 0, "old")`."""

ODD: Final[dict[tuple[str, str], tuple[Any, Any]]] = {
    ("run_command", "cwd"): ("one", "two"),
    ("run_command", "env"): ({"ONE_ODD": "1"}, {"TWO_ODD": "2"}),
    ("run_node", "name"): ("files:one", "files:two"),
    ("generate_image", "path"): ("one.png", "two.png"),
    ("generate_image", "size"): ("256x256", "512x512"),
    ("speak", "path"): ("one.mp3", "two.mp3"),
    ("web_fetch", "url"): ("https://one.example/a", "https://two.example/b"),
}
"""Two values for members that take no others."""


def values(tool: str, schema: dict[str, Any], path: Where) -> tuple[Any, Any]:
    """Two values for a member that are unlike each other."""
    odd = ODD.get((tool, str(path[-1])))
    if odd is not None:
        return odd
    if "enum" in schema:
        return schema["enum"][0], schema["enum"][-1]
    match schema["type"]:
        case "string":
            mark = "".join(str(part)[:3] for part in path)
            return f"odd{mark}one"[-18:], f"odd{mark}two"[-18:]
        case "integer":
            least = schema.get("minimum", 0)
            return least + 1, schema.get("maximum", least + 1_000) - 1
        case "boolean":
            return False, True
        case "array":
            one, other = filled(tool, schema["items"], (*path, 0))
            return [one], [other]
        case "object" if "properties" not in schema:
            return {"odd": "one"}, {"odd": "two"}
        case _:
            return filled(tool, schema, path)


def filled(tool: str, schema: dict[str, Any], path: Where = ()) -> tuple[Any, Any]:
    """Two values for all of a schema."""
    if "properties" not in schema:
        return values(tool, schema, path)
    each = {name: values(tool, it, (*path, name)) for name, it in schema["properties"].items()}
    return {name: it[0] for name, it in each.items()}, {name: it[1] for name, it in each.items()}


def leaves(value: Any, path: Where = ()) -> Iterator[Where]:
    """Where the values stand that hold no others."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        if isinstance(item, dict | list):
            yield from leaves(item, (*path, key))
        else:
            yield (*path, key)


def drawn(call: Call, *places: Places) -> Card:
    """Its card; with places, by what is there."""
    ruling = decide(call, Policy(mode=Mode.ASK, trusted=True), *places)
    return draw(evolve(a_ticket(call), ruling=ruling), SETTING)


def texts_in(value: Any) -> Iterator[str]:
    """Every text that is made of spans, as a person reads it, wherever it stands in a card."""
    if isinstance(value, list):
        if value and all(isinstance(it, Span) for it in value):
            yield text_of(value)
        else:
            yield from (text for it in value for text in texts_in(it))
    else:
        for name in getattr(type(value), "model_fields", {}):
            yield from texts_in(getattr(value, name))


def seen(card: Card) -> str:
    """All that a card says in spans, with a break between two texts."""
    return "\n".join(texts_in(card))


NAMES: Final = sorted(
    arguments.PLACES
    | arguments.CHANGES
    | {*arguments.FOLDERS, "odd", "flags", "shell", "env", "command", "cmd", "args", "edits"}
    | {name for table in vars(arguments).values() if type(table) is frozenset for name in table}
)
"""Every name that the reader of other agents' calls knows, and some that it does not."""


def diff(root: Path) -> dict[str, Any]:
    return {"type": "diff", "path": str(root / "a.txt"), "oldText": "old", "newText": "new"}


BASES: Final[dict[str, tuple[dict[str, Any], dict[str, Any]]]] = {
    "a command": ({"command": "make"}, {"kind": "execute"}),
    "a reading": ({"file_path": "a.txt"}, {"kind": "read"}),
    "a search": ({"path": "src", "pattern": "x"}, {"kind": "search"}),
    "a change": (
        {"file_path": "a.txt", "old_string": "old", "new_string": "new"},
        {"kind": "edit", "content": [diff]},
    ),
    "a removal": ({"path": "a.txt"}, {"kind": "delete"}),
    "a tool": ({"query": "x"}, {"kind": "other"}),
    "nothing": ({}, {}),
}
"""What other agents ask for, to which one more member is added."""


def theirs(root: Path, raw: dict[str, Any], more: dict[str, Any]) -> Call:
    reader = Reader(
        chat=ChatId("c"),
        agent=AgentId("a"),
        cwd=str(root),
        places=Places(roots=(str(root),), home=str(root.parent / "home")),
    )
    content = [it(root) if callable(it) else it for it in more.get("content", ())]
    told = {**more, "content": content} if content else more
    return reader.read({"toolCallId": "t", "title": "x", "rawInput": raw, **told})


class AnyDocuments(Documents):
    """A collection of each name, in the workspace's own folder."""

    @property
    def names(self) -> tuple[str, ...]:
        return ("docs",)

    def bases(self, name: str) -> tuple[str, ...]:
        return (".",)

    async def about(self) -> tuple[About, ...]:
        raise NotImplementedError

    async def find(self, name: str, question: str, limit: int, **_: Any) -> Answer:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError


class AnyMaker(Maker):
    """A model makes whatever is wanted."""

    def whom(self, kind: str) -> tuple[str, str] | None:
        return kind, "https://models.example/v1"

    async def paint(self, *_: Any) -> bytes:
        raise NotImplementedError

    async def speak(self, *_: Any) -> bytes:
        raise NotImplementedError


class AnyNode(Catalogue):
    """A server has a tool of any name."""

    def seen(self, name: str) -> Seen | None:
        source, _, tool = name.partition(":")
        return Seen(node=Node(source=source, tool=tool, schema={}, fingerprint="f", text="t"))


class AnyRuns(Runs):
    """What is kept of runs, among which each workflow has one in which nothing was done."""

    def seen(self, file: str, run: str | None) -> tuple[Run, dict[str, Kept]] | None:
        digest = str(code_at(file, file).content)
        return Run(id=run or "1", file=file, name="any", digest=digest, inputs={}, chat=""), {}


def write_workflows(root: Path) -> None:
    """The workflows that the values for their members name."""
    one, other = filled("run_workflow", schema_of(RunWorkflow))
    steps = {it["from_step"]: {"run": "list_files"} for it in (one, other)}
    for it in (one, other):
        path = root / ".assent/workflows" / f"{it['name']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"inputs": {"odd": {}}, "steps": steps}))


def equipped(root: Path) -> Workbench:
    """A bench with whatever any of our tools needs to make a call."""
    bench = Workbench(root=root)
    bench.search_url = "https://search.example/"
    bench.skill = lambda name: f"How {name} is done."
    bench.nodes = AnyNode()
    bench.documents = AnyDocuments()
    bench.runs = AnyRuns(root / "runs.db")
    write_workflows(root)
    bench.maker = AnyMaker()
    return bench
