"""Reads nodetool's graphs into our form: nodes become steps, edges references.

What stands for a value in them (inputs, constants) is one here; what only shows one is left out.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import pydantic
from pydantic import Field

from assent.catalogue.workflows.graph import GraphUnfit
from assent.gate.values import define, field

__all__ = ["is_nodetools", "translated"]

_SOURCE: Final = "nodetool"
_INPUT, _CONSTANT = "nodetool.input.", "nodetool.constant."
_SHOWN: Final = ("nodetool.output.", "nodetool.workflows.base_node.")
"""Where a value is shown or told of; nobody computes with these."""
_HANDLE: Final = re.compile(r"[^.{}$]{1,200}")
_MAX_NODES, _MAX_EDGES = 500, 5_000
_MAX_NAME_LETTERS: Final = 50


class _Node(pydantic.BaseModel):
    id: str = Field(min_length=1, max_length=200)
    type: str = Field(min_length=1, max_length=300)
    parent_id: str | None = None
    data: dict[str, Any] = {}
    dynamic_properties: dict[str, Any] = {}


class _Edge(pydantic.BaseModel):
    source: str
    source_handle: str = Field(alias="sourceHandle")
    target: str
    target_handle: str = Field(alias="targetHandle")
    edge_type: str | None = None


class _Theirs(pydantic.BaseModel):
    nodes: list[_Node] = Field(max_length=_MAX_NODES)
    edges: list[_Edge] = Field(max_length=_MAX_EDGES)


def is_nodetools(value: object) -> bool:
    """Whether a file is one of theirs: ours has steps, theirs nodes and edges."""
    graph = _bare(value)
    return isinstance(graph, dict) and "nodes" in graph and "edges" in graph


def translated(value: object) -> dict[str, Any]:
    """Translate a graph of nodetool's into our form; raises `GraphUnfit`."""
    try:
        theirs = _Theirs.model_validate(_bare(value))
    except pydantic.ValidationError as error:
        place = ".".join(str(key) for key in error.errors()[0]["loc"])
        raise GraphUnfit(f"It is no graph of nodetool: look at {place}.") from error
    said = value.get("description") if isinstance(value, dict) else None
    return _Translation(theirs).made(said if isinstance(said, str) else "")


def _bare(value: object) -> Any:
    return value.get("graph", value) if isinstance(value, dict) else None


@define(eq=False)
class _Translation:
    """One graph, while it becomes ours."""

    _theirs: _Theirs
    _names: dict[str, str] = field(factory=dict)
    """Of its nodes, by their ids, what each is called here."""
    _inputs: dict[str, Any] = field(factory=dict)
    _steps: dict[str, Any] = field(factory=dict)
    _nodes: dict[str, _Node] = field(factory=dict)

    def made(self, description: str) -> dict[str, Any]:
        """All of it."""
        for node in self._theirs.nodes:
            self._take(node)
        given: set[tuple[str, str]] = set()
        for edge in self._theirs.edges:
            self._join(edge, given)
        if not self._steps:
            raise GraphUnfit("It has no node that could be run.")
        return {"description": description[:2_000], "inputs": self._inputs, "steps": self._steps}

    def _take(self, node: _Node) -> None:
        if node.id in self._nodes:
            raise GraphUnfit(f"Two of its nodes have the id `{node.id[:80]}`.")
        if node.parent_id:
            raise GraphUnfit(
                f"The node `{node.id[:80]}` stands within another one, which cannot be run here."
            )
        self._nodes[node.id] = node
        if node.type.startswith(_INPUT):
            name = self._named(node, str(node.data.get("name") or ""))
            self._inputs[name] = {"default": node.data.get("value")}
        elif _is_run(node):
            constants = {**node.data, **node.dynamic_properties}
            self._steps[self._named(node, "")] = {
                "run": f"{_SOURCE}:{node.type}",
                "with": {name: _literal(constant) for name, constant in constants.items()},
            }

    def _named(self, node: _Node, wanted: str) -> str:
        """A name of our form, which nothing else has."""
        plain = wanted or f"{node.type.rpartition('.')[2]}-{node.id}"
        name = re.sub(r"[^A-Za-z0-9_-]", "-", plain)[:_MAX_NAME_LETTERS]
        name = name if name[:1].isalpha() else f"n{name}"
        taken = {*self._names.values(), "inputs", "item"}
        more = (f"{name}-{number}" for number in range(2, _MAX_NODES + 2))
        self._names[node.id] = free_name = next(
            candidate for candidate in (name, *more) if candidate not in taken
        )
        return free_name

    def _join(self, edge: _Edge, given: set[tuple[str, str]]) -> None:
        for end in (edge.source, edge.target):
            if end not in self._nodes:
                raise GraphUnfit(f"An edge leads to `{end[:80]}`, and there is no such node.")
        if edge.edge_type not in {None, "data"}:
            raise GraphUnfit(
                "One of its edges has a node ruled by another, which is not done here."
            )
        if not _is_run(self._nodes[edge.target]):
            return
        at = (edge.target, edge.target_handle)
        if at in given:
            raise GraphUnfit(
                f"Two edges lead to `{edge.target_handle[:80]}` of `{edge.target[:80]}`."
            )
        given.add(at)
        step = self._steps[self._names[edge.target]]
        step["with"][edge.target_handle] = self._value(edge)

    def _value(self, edge: _Edge) -> Any:
        """What comes along an edge."""
        node = self._nodes[edge.source]
        if node.type.startswith(_CONSTANT):
            return _literal(node.data.get("value"))
        if node.type.startswith(_INPUT):
            return f"${{inputs.{self._names[node.id]}}}"
        if not _is_run(node) or _HANDLE.fullmatch(edge.source_handle) is None:
            raise GraphUnfit(
                f"Nothing comes out of `{edge.source_handle[:80]}` of `{edge.source[:80]}`."
            )
        return f"${{{self._names[node.id]}.{edge.source_handle}}}"


def _is_run(node: _Node) -> bool:
    return not node.type.startswith((_INPUT, _CONSTANT, *_SHOWN))


_STANDS: Final = re.compile(r"\$\{(?=[^{}]*\})")
"""What would stand for something else in a step of ours."""


def _literal(value: Any) -> Any:
    """A value of theirs, in which nothing stands for anything else."""
    if isinstance(value, str):
        return _STANDS.sub("$${", value)
    if isinstance(value, Mapping):
        return {name: _literal(item) for name, item in value.items()}
    return [_literal(item) for item in value] if isinstance(value, list) else value
