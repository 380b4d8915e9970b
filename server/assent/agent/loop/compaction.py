"""Summarizes a conversation that fills its model's window, or that the person wants shorter.

The model itself sums the older turns up, of which it sees what is long shortened; the last ones
stay as they are. Where no notes come, the oldest results are left out instead, and at the worst
the last as well. No call is torn from its result. Whatever was shortened, the person is told, and
it stands in the journal.
"""

from contextlib import aclosing
from typing import Final

from assent.agent.loop.attachments import MAX_ATTACHMENTS, are_too_many, labels
from assent.agent.loop.conversation import Conversation, length_of
from assent.agent.loop.model_in_use import Mind
from assent.agent.loop.model_retry import waited
from assent.agent.loop.ports import Work
from assent.agent.models.attachments import Attachment
from assent.agent.models.conversation import Answered, Replied, Request, Said, Turn
from assent.agent.models.events import Stopped, Text, Used
from assent.agent.models.provider import ModelFailed
from assent.agent.models.shown_media import attached
from assent.gate.call.modes import NAMES
from assent.gate.journal.events import Noticed
from assent.gate.journal.journal import Entry
from assent.gate.text.lazy_patterns import late
from assent.gate.text.shortening import shortened
from assent.gate.values import evolve

__all__ = ["COMPACT", "asked_to_compact", "compact", "make_room", "squeeze"]

COMPACT: Final = "compact"
"""What a person says with a slash to have the conversation summed up."""

_ASKED: Final = late(rf"/{COMPACT}(?:[ \t]+(.*))?")

_MIN_LETTERS: Final = 2_000
"""Fewer letters are not worth it: then it is the tools that fill the model."""

_MAX_NOTES_LETTERS: Final = 12_000
_MAX_NOTES_TOKENS: Final = 8_000
"""Most of it is for what the model thinks before it writes; the notes are at most 600 words."""
_RESULT, _CALL, _REQUEST = 1_500, 500, 4_000
"""How many letters of each thing go into what is to be summed up, or stay beside it."""

_SYSTEM: Final = """\
You write notes for an agent that goes on with the work of the conversation you are given, and \
will see nothing of it but your notes. Write down: what the person wants, in their words where \
they matter; what was decided, and what the person refused; which files were read, made or \
changed and what is worth knowing of them; what worked and what failed; what is left to do. Only \
what stands there; no advice, no greeting; at most 600 words."""

_PREFACE: Final = """\
[The beginning of this conversation was left out, because it was too long. These are your own \
notes of it; no instruction stands in them.]

{notes}

[The person's last request was:]

{request}"""

_WISH: Final = "\n\n[What the person wants the notes to keep above all: {}]"
_TOO_LITTLE: Final = "There is too little before the last reply to be summed up."
_DONE: Final = "All before the last reply was summed up."
_NO_NOTES: Final = "The model wrote no notes, so the conversation stays as it is."

_PLAN: Final = "{preface}\n\n[Your plan, as you wrote it down last:]\n\n{plan}"
_APPROVED: Final = """\
{preface}

[The plan that the person approved, as they left it, to be carried out in {mode} mode. It stands \
for every other text of it; what the person said after it goes before it:]

{plan}"""


def asked_to_compact(text: str) -> str | None:
    """What the notes are to keep above all, if a person's words ask for them.

    >>> asked_to_compact("/compact the names of the tables"), asked_to_compact("/compact")
    ('the names of the tables', '')
    """
    asked = _ASKED.fullmatch(text.strip())
    return (asked[1] or "") if asked else None


async def compact(work: Work, mind: Mind, wish: str) -> bool:
    """Let notes stand for all but the last reply, as the person asked; raises `ModelFailed`.

    False where there is too little to be summed up.
    """
    turns = work.turn.conversation.turns
    cut = max((at for at, turn in enumerate(turns) if isinstance(turn, Replied)), default=0)
    older, kept = turns[:cut], turns[cut:]
    if not _is_worth_it(older):
        _notice(work, _TOO_LITTLE, retry=work.chat.has_failed)
        return False
    if not await _replace(work, mind, older, kept, shortened(wish, _REQUEST)):
        raise ModelFailed(_NO_NOTES)
    _note(work, _DONE, {"turns": len(older)}, retry=work.chat.has_failed)
    return True


async def make_room(work: Work, mind: Mind, tokens: int) -> None:
    """Shorten the conversation if it takes so many tokens that the model is nearly full."""
    conversation = work.turn.conversation
    if are_too_many(conversation.turns):
        _put_away(work, MAX_ATTACHMENTS // 2)
        tokens = min(tokens, conversation.tokens("", ()))
    turns = conversation.turns
    if tokens <= mind.room or sum(map(length_of, turns)) < _MIN_LETTERS:
        return
    if not mind.is_window_known:
        # Nothing is left out for a guess: where it is too long, the host will say so.
        return
    if not await _sum_up(work, mind, tokens):
        # What just came is not left out: the model would only ask for it again.
        _leave_out(work, _beyond_half(work, mind, tokens), keep=1)


async def squeeze(work: Work, mind: Mind, tokens: int) -> bool:
    """Shorten a conversation that its model would not read; False where that is impossible."""
    tokens = max(tokens, mind.window)
    if await _sum_up(work, mind, tokens):
        return True
    # First what was read; what the person showed where that is not enough.
    return _leave_out(work, _beyond_half(work, mind, tokens), keep=0) or _put_away(work, 0)


async def _sum_up(work: Work, mind: Mind, tokens: int) -> bool:
    """Let notes stand for the older turns; False where there are none, or no notes came."""
    room = _letters(work, tokens, mind.window // 4)
    older, kept = _parted(work.turn.conversation.turns, room)
    try:
        if not _is_worth_it(older) or not await _replace(work, mind, older, kept):
            return False
    except ModelFailed:
        return False
    _tell(work, f"its first {len(older)} turns were summed up", turns=len(older))
    return True


def _is_worth_it(older: tuple[Turn, ...]) -> bool:
    is_answered = any(isinstance(turn, Replied) for turn in older)
    return is_answered and sum(map(length_of, older)) >= _MIN_LETTERS


async def _replace(
    work: Work, mind: Mind, older: tuple[Turn, ...], kept: tuple[Turn, ...], wish: str = ""
) -> bool:
    """Let notes stand for the older turns; False where the model wrote none."""
    conversation = work.turn.conversation
    notes = await _notes(work, mind, older, wish)
    if not notes:
        return False
    request = shortened(conversation.asked, _REQUEST)
    preface = _PREFACE.format(notes=notes, request=request)
    if conversation.plan:
        preface = _PLAN.format(preface=preface, plan=shortened(conversation.plan, _REQUEST))
    preface = _with_approved(preface, conversation, kept)
    words = Said(text=preface, attached=_shown_again(conversation, mind, kept))
    conversation.begin_with(words, kept)
    return True


def _with_approved(preface: str, conversation: Conversation, kept: tuple[Turn, ...]) -> str:
    """The words with the plan that the person approved, all of it, where it is not kept."""
    approved = conversation.approved
    if approved is None or any(approved.call in _calls(turn) for turn in kept):
        return preface
    return _APPROVED.format(preface=preface, mode=NAMES[approved.mode], plan=approved.plan)


def _calls(turn: Turn) -> tuple[str, ...]:
    return tuple(result.call for result in turn.results) if isinstance(turn, Answered) else ()


def _shown_again(
    conversation: Conversation, mind: Mind, kept: tuple[Turn, ...]
) -> tuple[Attachment, ...]:
    """What the person showed with their last request, where it is not kept and leaves room."""
    shown = conversation.asked_with
    if sum(attachment.tokens for attachment in shown) > mind.window // 8 or set(shown) & set(
        attached(kept)
    ):
        return ()
    return shown


def _put_away(work: Work, keep: int) -> bool:
    """Leave out pictures and documents, but for the last so many."""
    count = work.turn.conversation.put_away(keep)
    if count:
        what = f"its {count} oldest pictures or documents were left out"
        _tell(work, what, attachments=count)
    return count > 0


def _leave_out(work: Work, letters: int, keep: int) -> bool:
    """Empty the oldest results, but for those of the last so many turns."""
    emptied = work.turn.conversation.empty_results(letters, keep)
    if emptied:
        _tell(work, f"its {emptied} oldest results were left out", results=emptied)
    return emptied > 0


def _beyond_half(work: Work, mind: Mind, tokens: int) -> int:
    """How many letters there are beyond half of what the model can read."""
    return _letters(work, tokens, tokens - mind.window // 2)


def _letters(work: Work, tokens: int, part: int) -> int:
    """How many letters a part of the conversation's tokens are, as this one is written."""
    return sum(map(length_of, work.turn.conversation.turns)) * part // max(tokens, 1)


def _notice(work: Work, text: str, *, retry: bool = False) -> None:
    work.ports.speech.tell(Noticed(chat=work.chat.id, level="info", text=text, retry=retry))


def _tell(work: Work, what: str, **counts: int) -> None:
    about = f" on {work.turn.part}" if work.turn.part else ""
    text = f"The conversation{about} was shortened: {what}, since the model can read no more."
    _note(work, text, counts)


def _note(work: Work, text: str, counts: dict[str, int], *, retry: bool = False) -> None:
    _notice(work, text, retry=retry)
    work.ports.gate.journal.note(
        Entry(
            kind="noted",
            chat=work.chat.id,
            agent=work.chat.agent,
            body={"what": "shortened", "because": text, **counts},
        )
    )


def _parted(turns: tuple[Turn, ...], letters: int) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
    """The older turns, and the last ones of so many letters; results stay with their calls."""
    length, cut = 0, len(turns)
    for place in range(len(turns) - 1, -1, -1):
        length += length_of(turns[place])
        if length > letters and cut < len(turns):
            break
        if not isinstance(turns[place], Answered):
            cut = place
    return turns[:cut], turns[cut:]


async def _notes(work: Work, mind: Mind, turns: tuple[Turn, ...], wish: str) -> str:
    """The model's own notes of these turns; raises `ModelFailed` where it fails for good."""
    text = shortened("\n\n".join(map(_turn_in_words, turns)), 2 * mind.quarter)
    text += _WISH.format(wish) if wish else ""
    request = Request(
        system=_SYSTEM,
        turns=(Said(text=text),),
        most_tokens=min(_MAX_NOTES_TOKENS, mind.reply),
        effort=next(iter(mind.provider.efforts), None),
    )
    # Whoever thinks all of that through has written nothing yet.
    larger = evolve(request, most_tokens=mind.reply)
    return await _said(work, mind, request) or await _said(work, mind, larger)


async def _said(work: Work, mind: Mind, request: Request) -> str:
    """What the model says to a request of ours; nothing where it refuses."""
    while True:
        try:
            async with aclosing(mind.provider.stream(request)) as events:
                heard = [event async for event in events]
        except ModelFailed as error:
            if not await waited(work, error):
                raise
        else:
            used = [event for event in heard if isinstance(event, Used)]
            if used:
                # A host may tell it of a part first, and then of all.
                most = max(event.read for event in used), max(event.wrote for event in used)
                work.chat.spent.add(Used(read=most[0], wrote=most[1]), mind.provider.price)
            if any(isinstance(event, Stopped) and event.reason == "refused" for event in heard):
                return ""
            text = "".join(event.text for event in heard if isinstance(event, Text))
            return shortened(text.strip(), _MAX_NOTES_LETTERS)


def _turn_in_words(turn: Turn) -> str:
    """A turn, as it is told to whoever sums it up."""
    match turn:
        case Said():
            return f"The person: {turn.text}{labels(turn)}"
        case Replied():
            calls = [
                f"It called {call.name} {shortened(call.arguments, _CALL)}" for call in turn.calls
            ]
            return "\n".join(filter(None, (f"The agent: {turn.text}", *calls)))
        case Answered():
            return "\n".join(
                f"{result.name} {'failed' if result.failed else 'came to'}:"
                f" {shortened(result.text, _RESULT)}{labels(result)}"
                for result in turn.results
            )
