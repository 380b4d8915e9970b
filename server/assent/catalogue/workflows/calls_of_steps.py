"""The calls that a graph's steps make, as far as they are known beforehand.

A piece is a step, or one round of a step that is run for each of several.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from assent.catalogue.workflows.graph import Condition, Graph, GraphStep
from assent.catalogue.workflows.step_references import Lacks, filled, items_of
from assent.gate.values import field, frozen

__all__ = ["Piece", "holds", "pieces_known"]

_NOT_KNOWN: Final = object()


@frozen(kw_only=True)
class Piece:
    """What is brought to the gate as one call."""

    step: str
    place: int | None
    """Which of several it is, where it is run for each of them."""
    run: str
    arguments: dict[str, Any] = field(hash=False)
    waiting: Callable[[], None] = field(default=lambda: None, eq=False)
    begun: Callable[[], None] = field(default=lambda: None, eq=False)

    @property
    def key(self) -> str:
        """Its name within a run."""
        return self.step if self.place is None else f"{self.step}[{self.place}]"


def holds(when: Condition, known: Mapping[str, Any]) -> bool:
    """Whether a condition is so; one that is not there is. Raises `Lacks`."""
    if when is None or isinstance(when, bool):
        return when is not False
    if isinstance(when, str):
        return _is_true(filled(when, known))
    value = filled(when.value, known)
    said = when.model_fields_set - {"value"}
    if not said:
        return _is_true(value)
    bare = value.strip() if isinstance(value, str) else value
    return (
        ("is_" not in said or bare == filled(when.is_, known))
        and ("is_not" not in said or bare != filled(when.is_not, known))
        and (when.contains is None or str(filled(when.contains, known)) in str(value))
    )


def _is_true(value: Any) -> bool:
    """A text says no by being empty, or by `false`, `no` or `0`."""
    if isinstance(value, str):
        return value.strip().casefold() not in {"", "false", "no", "0"}
    return bool(value)


def pieces_known(
    graph: Graph, inputs: Mapping[str, Any], kept: Callable[[Piece], Any]
) -> Iterator[tuple[str, list[Piece] | None, bool]]:
    """The steps that are to run, each with its pieces, and whether it is sure to run.

    None stands for pieces that hang on what earlier steps give. What an earlier run has kept is
    known, and runs no more.
    """
    known: dict[str, Any] = {"inputs": inputs}
    for name in graph.order():
        step = graph.steps[name]
        try:
            is_sure = holds(step.when, known)
        except Lacks:
            is_sure = None
        if is_sure is False:
            continue
        try:
            pieces = list(_pieces(name, step, known))
        except Lacks:
            yield name, None, bool(is_sure)
            continue
        given = [_kept(piece, kept) for piece in pieces]
        left = [piece for piece, came in zip(pieces, given, strict=True) if came is _NOT_KNOWN]
        if left:
            yield name, left, bool(is_sure)
        else:
            known[name] = given if step.each is not None else given[0]


def _kept(piece: Piece, kept: Callable[[Piece], Any]) -> Any:
    try:
        return kept(piece)
    except KeyError:
        return _NOT_KNOWN


def _pieces(name: str, step: GraphStep, known: Mapping[str, Any]) -> Iterator[Piece]:
    items = [_NOT_KNOWN] if step.each is None else items_of(filled(step.each, known))
    for place, item in enumerate(items):
        more = {} if item is _NOT_KNOWN else {"item": item}
        yield Piece(
            step=name,
            place=None if item is _NOT_KNOWN else place,
            run=step.run,
            arguments=filled(step.with_, {**known, **more}),
        )
