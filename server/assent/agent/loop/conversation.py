"""One conversation with a model, always in a state that can be sent.

It begins with the person. No reply stands beside another; each reply that made calls is followed
by one result for each, in order. What is empty is not kept.
"""

from collections.abc import Sequence
from typing import Final

from assent.agent.loop.attachments import joined, without
from assent.agent.models.attachments import Attachment
from assent.agent.models.conversation import (
    Answered,
    Block,
    Part,
    Replied,
    Request,
    Result,
    Said,
    Thought,
    Toolcard,
    Turn,
    Wanted,
    Words,
)
from assent.agent.models.events import Used
from assent.agent.models.shown_media import attached
from assent.gate.call.modes import Mode
from assent.gate.values import define, evolve, field, frozen

__all__ = ["LEFT_OUT", "Approved", "Conversation", "Place", "length_of", "letters_in"]

LEFT_OUT: Final = "[left out]"
"""Stands for a result that is no longer there."""

_LETTERS_A_TOKEN: Final = 4
"""About so many letters are a token."""


Place = tuple[int, int, int]
"""How many turns there are before it; of the last, where it is words, its letters and pictures."""


@frozen(kw_only=True)
class Approved:
    """A plan that the person approved, as they left it."""

    call: str
    """The call that presented it, whose result holds it."""
    plan: str
    mode: Mode
    """The mode that they chose for it."""


@define
class Conversation:
    """What was said, called and answered, in order."""

    asked: str = ""
    """What the person said last."""
    asked_with: tuple[Attachment, ...] = ()
    """What they showed with it."""
    plan: str = ""
    """The agent's plan, as it wrote it down last."""
    approved: Approved | None = None
    """The plan that the person approved last."""
    _informed: dict[str, str] = field(factory=dict)
    """What the model was last told of each thing, as long as that still stands here."""
    _turns: list[Turn] = field(factory=list)
    places: dict[str, Place] = field(factory=dict)
    """Where each message of the person begins, as long as that still stands here."""
    _measured: int = 0
    """How many tokens it took at the last reply, where the model's host said so."""
    _since: int = 0
    """How many letters came after that."""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All of it."""
        return tuple(self._turns)

    @property
    def last_words(self) -> str:
        """What the model said last."""
        return next((turn.text for turn in reversed(self._turns) if isinstance(turn, Replied)), "")

    def say(self, text: str, attached: tuple[Attachment, ...] = ()) -> None:
        """The person goes on, and shows this with it."""
        self.note(text, attached)
        self.asked, self.asked_with = text, attached

    def note(self, text: str, attached: tuple[Attachment, ...] = ()) -> None:
        """Tell the model something where else only the person speaks."""
        last = self._turns[-1] if self._turns else None
        more = Said(text=text, attached=attached)
        if isinstance(last, Said):
            self._turns[-1] = joined(last, more)
        else:
            self._turns.append(more)
        self._since += length_of(more)

    def mark(self, message: str) -> None:
        """What comes from here on is this message of the person, and what follows on it."""
        last = self._turns[-1] if self._turns else None
        letters, shown = (len(last.text), len(last.attached)) if isinstance(last, Said) else (0, 0)
        if message:
            self.places.setdefault(message, (len(self._turns), letters, shown))

    def take_back(self, message: str) -> bool:
        """Forget a message with all that came after it; False where its place is not known."""
        place = self.places.get(message)
        if place is None or place[0] > len(self._turns):
            return False
        turns, letters, shown = place
        kept = self._turns[:turns]
        if kept and isinstance(last := kept[-1], Said):
            kept[-1] = Said(text=last.text[:letters], attached=last.attached[:shown])
        self._turns, self._measured, self._since = kept, 0, 0
        self.places = {name: at for name, at in self.places.items() if at < place}
        self._informed.clear()
        calls = {call.id for turn in kept if isinstance(turn, Replied) for call in turn.calls}
        if self.approved is not None and self.approved.call not in calls:
            self.approved = None
        said = next((turn for turn in reversed(kept) if isinstance(turn, Said)), Said(text=""))
        self.asked, self.asked_with = said.text, said.attached
        return True

    def inform(self, about: str, text: str) -> None:
        """Tell how something stands, once until it stands otherwise."""
        if text and self._informed.get(about) != text:
            self.note(text)
            self._informed[about] = text

    def is_informed_of(self, about: str) -> bool:
        """Whether it was told how this stands, and that still stands here."""
        return about in self._informed

    def reply(self, replied: Replied, results: Sequence[Result], used: Used | None) -> None:
        """The model replied, and this came of its calls."""
        if not (replied.text or replied.calls):
            return
        self._turns.append(replied)
        if replied.calls:
            self._turns.append(Answered(results=tuple(results)))
        came = length_of(Answered(results=tuple(results)))
        if used is not None and used.read:
            self._measured, self._since = used.read + used.wrote, came
        else:
            self._since += came + length_of(replied)

    def tokens(self, system: str, tools: Sequence[Toolcard]) -> int:
        """About how many tokens it takes to send it all."""
        around = len(system) + sum(len(str(tool.schema)) + len(tool.says) for tool in tools)
        guessed = _tokens_in(around + sum(map(length_of, self._turns)))
        # Hosts that remember what they read before may tell of less than there is.
        return max(guessed, self._measured + _tokens_in(self._since)) if self._measured else guessed

    def request(self, system: str, tools: Sequence[Toolcard], most_tokens: int) -> Request:
        """All of it, to be sent."""
        return Request(system=system, turns=self.turns, tools=tuple(tools), most_tokens=most_tokens)

    def begin_with(self, words: Said, kept: Sequence[Turn]) -> None:
        """Let words of ours stand for all that was before what is kept."""
        first, *others = kept
        beginning = joined(words, first) if isinstance(first, Said) else words
        self._turns = [beginning, *(others if isinstance(first, Said) else kept)]
        self._measured = self._since = 0
        self._informed.clear()
        self.places.clear()

    def empty_results(self, spare: int, keep: int) -> int:
        """Leave the oldest results out until so many letters are spared; how many were.

        What was shown goes with them. The last so many turns are kept as they are, and so is the
        plan that the person approved: its call holds it only as the model had written it.
        """
        emptied = 0
        for place, turn in enumerate(self._turns[: len(self._turns) - keep]):
            if spare <= 0:
                break
            if isinstance(turn, Answered):
                results, spared, count = _emptied(turn.results, spare, self.approved)
                self._turns[place] = Answered(results=results)
                spare, emptied = spare - spared, emptied + count
        if emptied:
            self._measured = self._since = 0
        return emptied

    def put_away(self, keep: int) -> int:
        """Leave out what was shown, but for the last so many; how much was left out."""
        shown = list(attached(self._turns))
        old = frozenset(shown[: len(shown) - keep]) - frozenset(shown[len(shown) - keep :])
        if old:
            self._turns = [without(turn, old) for turn in self._turns]
            self._measured = self._since = 0
        return len(old)


def letters_in(tokens: int) -> int:
    """About how many letters so many tokens are."""
    return tokens * _LETTERS_A_TOKEN


def _tokens_in(letters: int) -> int:
    return letters // _LETTERS_A_TOKEN


def length_of(turn: Turn) -> int:
    """How many letters a turn has."""
    match turn:
        case Said():
            return _length_of_words(turn)
        case Replied():
            return sum(map(_length_of_block, turn.blocks))
        case Answered():
            return sum(map(_length_of_words, turn.results))


def _length_of_words(words: Said | Result) -> int:
    return len(words.text) + letters_in(sum(attachment.tokens for attachment in words.attached))


def _length_of_block(block: Block) -> int:
    """What a host gave holds most of a block once more, so the longer counts."""
    given = len(block.given.json) if block.given is not None else 0
    match block:
        case Words() | Thought():
            return max(len(block.text), given)
        case Wanted():
            return max(len(block.arguments), given)
        case Part():
            return given


def _emptied(
    results: tuple[Result, ...], spare: int, approved: Approved | None
) -> tuple[tuple[Result, ...], int, int]:
    """The results with the first of them left out; how many letters and results that spares."""
    kept, spared, count = list(results), 0, 0
    for place, result in enumerate(results):
        gain = _length_of_words(result) - len(LEFT_OUT)
        is_plan = approved is not None and result.call == approved.call
        if gain > 0 and spared < spare and not is_plan:
            kept[place] = evolve(result, text=LEFT_OUT, attached=())
            spared, count = spared + gain, count + 1
    return tuple(kept), spared, count
