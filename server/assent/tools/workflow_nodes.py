"""Whether what a graph runs is there: its nodes are looked at, and what they take is compared."""

from collections.abc import Iterator

from attrs import evolve

from assent.catalogue.catalogue import Catalogue
from assent.catalogue.node import Node
from assent.catalogue.source import NodeFailed
from assent.errors import CallUnreadable
from assent.workflows.files import GraphFile
from assent.workflows.graph import Graph, GraphStep

__all__ = ["checked", "insist_on"]


async def checked(file: GraphFile, nodes: Catalogue) -> GraphFile:
    """The same; one of nodetool's that runs what nobody offers is wrong, and says so."""
    if file.graph is None or not file.is_nodetools:
        return file
    wrong = await _lacking(file.graph, nodes)
    return evolve(file, graph=None, wrong=wrong) if wrong else file


async def insist_on(file: GraphFile, nodes: Catalogue) -> None:
    """Raise `CallUnreadable` where it is so wrong."""
    found = await checked(file, nodes)
    if found.wrong:
        raise CallUnreadable(f"{found.shown} cannot be run: {found.wrong}")


async def _lacking(graph: Graph, nodes: Catalogue) -> str:
    """Why it cannot be run: the nodes that no source has, or what one of them does not take."""
    found: dict[str, Node] = {}
    missing: list[str] = []
    for name in dict.fromkeys(it.run for it in graph.steps.values()):
        try:
            found[name] = (await nodes.look(name)).node
        except NodeFailed:
            missing.append(name)
    if missing:
        return f"No source has {', '.join(missing)}."
    wrong = (it for name, step in graph.steps.items() for it in _odd(name, step, found[step.run]))
    return next(wrong, "")


def _odd(name: str, step: GraphStep, node: Node) -> Iterator[str]:
    known = node.schema.get("properties")
    if not isinstance(known, dict) or node.schema.get("additionalProperties") is not False:
        return
    for it in sorted(step.with_.keys() - known.keys()):
        there = ", ".join(known) or "none"
        yield f"{node.name} of the step {name} has no `{it}`. There are: {there}."
