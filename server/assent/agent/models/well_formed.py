"""Repairs a conversation for every host: each call answered once and at once, nothing empty.

Ids are made anew, in the order of the calls: some hosts know only letters and digits, some only
nine of them. Arguments that are no object become an empty one, because hosts read them; as they
were they stand in the result, with what was wrong with them.
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import Final

from assent.agent.models.conversation import (
    Answered,
    Block,
    Replied,
    Result,
    Said,
    Turn,
    Wanted,
    Words,
)
from assent.agent.models.growing_json import object_of
from assent.gate.text.shortening import shortened
from assent.gate.values import evolve

__all__ = ["well_formed"]

_UNANSWERED: Final = "This call was broken off; nothing is known of it."
_WRITTEN: Final = "\n\nThe arguments of the call were, as you wrote them:\n"
_MAX_LETTERS_TOLD: Final = 4_000
"""In letters: so much of them is told."""
_NOTHING: Final = {False: "(nothing)", True: "It failed, and did not say why."}
"""What stands for no words; by whether the call failed."""


def well_formed(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Put the turns of a conversation in order."""
    return tuple(_in_order(turns))


def _in_order(turns: Iterable[Turn]) -> Iterator[Turn]:
    numbers = itertools.count(1)
    waiting: list[tuple[Wanted, Wanted]] = []
    for turn in turns:
        results = turn.results if isinstance(turn, Answered) else ()
        yield from _answers(waiting, list(results))
        waiting = []
        match turn:
            case Said() if turn.text.strip() or turn.attached:
                yield turn
            case Replied() if turn.calls or turn.text.strip():
                waiting = [(call, _renamed(call, next(numbers))) for call in turn.calls]
                renamed = iter([new for _, new in waiting])
                says = bool(turn.text.strip())
                blocks = (
                    next(renamed) if isinstance(block, Wanted) else block for block in turn.blocks
                )
                yield Replied(blocks=tuple(block for block in blocks if says or _counts(block)))
            case _:
                pass
    yield from _answers(waiting, [])


def _counts(block: Block) -> bool:
    """Whether there is anything to it."""
    return not isinstance(block, Words) or bool(block.text.strip()) or block.given is not None


def _renamed(call: Wanted, number: int) -> Wanted:
    arguments = call.arguments if object_of(call.arguments) is not None else "{}"
    return evolve(call, id=f"call{number:05}", arguments=arguments)


def _answers(waiting: list[tuple[Wanted, Wanted]], results: list[Result]) -> Iterator[Turn]:
    """The results of the calls that wait, and as words those of calls that nobody knows."""
    answered = []
    for old, new in waiting:
        answer = next((result for result in results if result.call == old.id), None)
        if answer is not None:
            results.remove(answer)
        answered.append(_result(new, answer, _as_written(old)))
    if answered:
        yield Answered(results=tuple(answered))
    for stray in results:
        words = f"{stray.name} answered: {stray.text or _NOTHING[stray.failed]}"
        yield Said(text=words, attached=stray.attached)


def _result(call: Wanted, result: Result | None, written: str) -> Result:
    if result is None:
        return Result(call=call.id, name=call.name, text=_UNANSWERED, failed=True)
    text = result.text if result.text.strip() else _NOTHING[result.failed]
    return evolve(result, call=call.id, text=text + written)


def _as_written(call: Wanted) -> str:
    """Arguments that no host would read, for the model to see what it wrote."""
    if not call.arguments.strip() or object_of(call.arguments) is not None:
        return ""
    return f"{_WRITTEN}{shortened(call.arguments, _MAX_LETTERS_TOLD)}"
