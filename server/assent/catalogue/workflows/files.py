"""Finds the files of graphs: those in the workspace's folders, and the person's own."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from assent.catalogue.workflows.graph import Graph, GraphUnfit, graph_of
from assent.catalogue.workflows.nodetool_graphs import is_nodetools, translated
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import text_of
from assent.gate.settings.positions import value_of
from assent.gate.tasks.task_files import MAX_FILE_BYTES
from assent.gate.values import frozen

__all__ = ["GraphFile", "graphs_in"]

_FOLDER: Final = ".assent/workflows"
_MAX_FILES: Final = 200
_MAX_NAME_LETTERS: Final = 60


@frozen(kw_only=True)
class GraphFile:
    """One of them; it may be wrong."""

    name: str
    path: str
    shown: str
    text: str
    wrong: str = ""
    """What is wrong with it, in a sentence."""
    graph: Graph | None = None
    is_nodetools: bool = False
    """Whether nodetool wrote it: the nodes that it runs may be nobody's here."""

    @property
    def says(self) -> str:
        """What it does, in one line."""
        said = self.graph.description if self.graph else f"It cannot be run: {self.wrong}"
        return " ".join(said.split())


def graphs_in(
    roots: Iterable[str],
    home: str,
    may_read: Callable[[str], bool],
    tools: Iterable[str],
    only: str | None = None,
) -> tuple[GraphFile, ...]:
    """All of them, or those of one name; of one name the person's own counts."""
    known = frozenset(tools)
    places = [(home, "~/"), *((root, "") for root in roots)]
    graphs: dict[str, GraphFile] = {}
    for folder, before in places:
        for path in _paths(folder):
            if only in {None, Path(path).stem} and may_read(path):
                file = _read(path, f"{before}{_FOLDER}/{Path(path).name}", known)
                graphs.setdefault(file.name, file)
    return tuple(graphs.values())


def _paths(folder: str) -> Iterator[str]:
    try:
        paths = sorted(Path(folder, _FOLDER).glob("*.json"))[:_MAX_FILES]
    except OSError:
        return
    yield from (
        str(path)
        for path in paths
        if path.stem.isprintable() and len(path.stem) <= _MAX_NAME_LETTERS
    )


def _read(path: str, shown: str, tools: frozenset[str]) -> GraphFile:
    name, text, wrong, graph = Path(path).stem, "", "", None
    is_theirs = False
    try:
        text = text_of(path, shown) or ""
        value = _value(text)
        is_theirs = is_nodetools(value)
        graph = graph_of(translated(value) if is_theirs else value, tools)
    except (CallUnreadable, GraphUnfit) as error:
        wrong = str(error)
    except (json.JSONDecodeError, ValueError, RecursionError) as error:
        wrong = f"It is no JSON: {error}."
    return GraphFile(
        name=name,
        path=path,
        shown=shown,
        text=text,
        wrong=wrong,
        graph=graph,
        is_nodetools=is_theirs,
    )


def _value(text: str) -> Any:
    if len(text) > MAX_FILE_BYTES:
        raise GraphUnfit("It is too long.")
    return value_of(text)
