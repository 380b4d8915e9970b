"""A graph of steps as its file describes it, and its faults, in sentences."""

import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, Final, Literal

import pydantic
from pydantic import Field, StringConstraints

from assent.catalogue.workflows.step_references import OWN, names_in
from assent.gate.call.errors import AssentError

__all__ = [
    "Condition",
    "Graph",
    "GraphStep",
    "GraphUnfit",
    "Standing",
    "When",
    "check",
    "graph_of",
    "schema",
]

_Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,59}$")]
_MAX_STEPS: Final = 100


class GraphUnfit(AssentError):
    """A graph cannot be run as it is written; the message says where and why."""


class _Shape(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(defer_build=True, strict=True, extra="forbid", frozen=True)


class GraphInput(_Shape):
    """Something that whoever runs it gives."""

    description: str = Field(default="", max_length=2_000, description="What it is, in a sentence.")
    default: Any = Field(default=None, description="What it is where nothing is given.")
    required: bool = Field(default=False, description="Whether it has to be given.")


class When(_Shape):
    """A condition on one value."""

    value: Any = Field(description="What is looked at: usually a reference, `${step}`.")
    is_: Any = Field(default=None, alias="is", description="It has to be this.")
    is_not: Any = Field(default=None, alias="isNot", description="It has to be something else.")
    contains: str | None = Field(default=None, description="This text has to stand in it.")


Condition = str | bool | When | None


class GraphStep(_Shape):
    """One step."""

    run: str = Field(
        min_length=1,
        max_length=400,
        description=(
            "What it runs: a tool of Assent's own agent, such as `run_command`, or a tool of a"
            " server, such as `github:create_issue`."
        ),
    )
    with_: dict[str, Any] = Field(
        default={},
        alias="with",
        description=(
            "Its arguments. `${inputs.NAME}`, `${STEP}` and `${STEP.FIELD}` stand for what was"
            " given and for what earlier steps gave; `$${` stands for `${`."
        ),
    )
    each: str | list[Any] | None = Field(
        default=None,
        description="Run it once for each of these; `${item}` stands for the one.",
    )
    when: Condition = Field(
        default=None, description="Run it only if this is so; else it is skipped."
    )
    after: list[_Name] = Field(
        default=[], description="The steps that come before it, beside those that it refers to."
    )


class Graph(_Shape):
    """Steps that are run in the order in which they need each other."""

    schema_: str | None = Field(default=None, alias="$schema")
    description: str = Field(
        default="", max_length=2_000, description="What it does and when to use it."
    )
    inputs: dict[_Name, GraphInput] = Field(default={}, description="What it is given.")
    steps: dict[_Name, GraphStep] = Field(
        min_length=1, max_length=_MAX_STEPS, description="Its steps, each by its name."
    )

    def needs(self, name: str) -> frozenset[str]:
        """The steps that one waits for."""
        step = self.steps[name]
        return frozenset({*step.after, *self.refers(name)})

    def refers(self, name: str) -> frozenset[str]:
        """The steps whose outputs one is given."""
        step = self.steps[name]
        when = step.when.model_dump() if isinstance(step.when, When) else step.when
        return frozenset({*names_in([step.with_, step.each, when])} - OWN)

    def levels(self) -> dict[str, int]:
        """How many steps lie one behind the other before each."""
        levels: dict[str, int] = {}
        for name in self.order():
            levels[name] = max((levels[need] + 1 for need in self.needs(name)), default=0)
        return levels

    def order(self) -> tuple[str, ...]:
        """The steps in an order in which they could run one by one."""
        return tuple(
            TopologicalSorter(
                {step: sorted(self.needs(step)) for step in self.steps}
            ).static_order()
        )

    def behind(self, first: str) -> frozenset[str]:
        """A step and all that wait for it, however far behind it."""
        behind = {first}
        for name in self.order():
            if self.needs(name) & behind:
                behind.add(name)
        return frozenset(behind)


def graph_of(value: object, tools: Iterable[str]) -> Graph:
    """The graph that a file says; raises `GraphUnfit`."""
    try:
        graph = Graph.model_validate(value)
    except pydantic.ValidationError as error:
        raise GraphUnfit(
            " ".join(_fault_in_words(fault) for fault in error.errors()[:3])
        ) from error
    wrong = next(check(graph, frozenset(tools)), None)
    if wrong is not None:
        raise GraphUnfit(wrong)
    return graph


def check(graph: Graph, tools: frozenset[str]) -> Iterator[str]:
    """What is wrong with a graph beyond its form, a sentence each."""
    for name in sorted(graph.steps.keys() & OWN):
        yield f"No step can be called {name}, since that stands for something else."
    for name, step in graph.steps.items():
        yield from _wrong_with(graph, name, step, tools)
    try:
        graph.order()
    except CycleError as error:
        # Each waits for the one before it in the list.
        round_ = " → ".join(reversed(error.args[1]))
        yield f"Its steps wait for each other in a circle: {round_}."
    except KeyError:
        return


def _wrong_with(graph: Graph, name: str, step: GraphStep, tools: frozenset[str]) -> Iterator[str]:
    if ":" not in step.run and step.run not in tools:
        known = ", ".join(sorted(tools))
        yield f"Step {name} runs `{step.run}`, which no step can run. There are: {known}."
    for other in sorted(graph.needs(name)):
        if other not in graph.steps:
            yield f"Step {name} refers to `{other}`, and there is no such step."
    given = {input_name for text in _texts(step) for input_name in _INPUT.findall(text)}
    for other in sorted(given - graph.inputs.keys()):
        yield f"Step {name} refers to the input `{other}`, which is not among its inputs."
    if step.each is None and "item" in names_in(step.with_):
        yield f"Step {name} refers to `item`, and it has no `each`."


_INPUT: Final = re.compile(r"(?<!\$)\$\{inputs\.([A-Za-z0-9_-]+)")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, pydantic.BaseModel):
        yield from _texts(value.model_dump())
    elif isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _fault_in_words(error: Any) -> str:
    place = ".".join(
        str(key) for key in error["loc"] if key not in {"str", "bool", "When", "[key]"}
    )
    said = _SAID.get(error["type"], error["msg"][:1].lower() + error["msg"][1:])
    return f"At {place}: {said}." if place else f"It is no workflow: {said}."


_SAID: Final[dict[str, str]] = {
    "extra_forbidden": "nothing of that name belongs there",
    "missing": "this has to be there",
    "string_pattern_mismatch": (
        "a name begins with a letter and holds letters, digits, `-` and `_`, at most 60"
    ),
}


def schema() -> dict[str, Any]:
    """The schema of the files, for an editor that completes them."""
    made = Graph.model_json_schema(by_alias=True)
    made["$schema"] = "http://json-schema.org/draft-07/schema#"
    made["title"] = "A workflow of Assent"
    return made


Standing = Literal[
    "pending", "waiting", "running", "done", "kept", "failed", "refused", "skipped", "unreached"
]
"""How a step stands in a run."""
