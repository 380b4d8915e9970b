"""Checks that the nodes of a graph exist and accept what its steps give them."""

import asyncio
from collections.abc import Iterator
from typing import Final

from assent.catalogue.nodes.catalogue import Catalogue
from assent.catalogue.nodes.node import Node
from assent.catalogue.nodes.source import NodeFailed
from assent.catalogue.workflows.files import GraphFile
from assent.catalogue.workflows.graph import Graph, GraphStep
from assent.gate.call.errors import CallUnreadable
from assent.gate.values import evolve

__all__ = ["checked", "insist_on"]

_NOT_THERE: Final = " is not there: "
"""Stands in what is said of a server that could not be started, or that does not answer."""


async def checked(file: GraphFile, nodes: Catalogue) -> GraphFile:
    """The file; a graph of nodetool's that runs nodes which nobody offers is marked as wrong."""
    if file.graph is None or not file.is_nodetools:
        return file
    wrong = await _lacking(file.graph, nodes)
    return evolve(file, graph=None, wrong=wrong) if wrong else file


async def insist_on(file: GraphFile, nodes: Catalogue) -> None:
    """Raise `CallUnreadable` where it is so wrong."""
    graph_file = await checked(file, nodes)
    if graph_file.wrong:
        raise CallUnreadable(f"{graph_file.shown} cannot be run: {graph_file.wrong}")


async def _lacking(graph: Graph, nodes: Catalogue) -> str:
    """Why it cannot be run: the nodes that no source has, or what one of them does not take."""
    names = list(dict.fromkeys(step.run for step in graph.steps.values()))
    # A source that does not answer is waited for once, and not once for each of its nodes.
    looked = await asyncio.gather(*(_look(name, nodes) for name in names))
    nodes_by_name = dict(zip(names, looked, strict=True))
    lost = {name: node for name, node in nodes_by_name.items() if isinstance(node, str)}
    if lost:
        silent = next((reason for reason in lost.values() if _NOT_THERE in reason), None)
        return silent or f"No source has {', '.join(lost)}."
    wrong = (
        fault
        for name, step in graph.steps.items()
        for fault in _odd(name, step, nodes_by_name[step.run])
    )
    return next(wrong, "")


async def _look(name: str, nodes: Catalogue) -> Node | str:
    """A node, or why it is not to be had."""
    try:
        return (await nodes.look(name)).node
    except NodeFailed as error:
        return str(error)


def _odd(name: str, step: GraphStep, node: Node | str) -> Iterator[str]:
    if isinstance(node, str):
        return
    known = node.schema.get("properties")
    if not isinstance(known, dict) or node.schema.get("additionalProperties") is not False:
        return
    for argument in sorted(step.with_.keys() - known.keys()):
        there = ", ".join(known) or "none"
        yield f"{node.name} of the step {name} has no `{argument}`. There are: {there}."
