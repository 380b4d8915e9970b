"""Writes a chat as Markdown or JSON, for somebody else to read."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, Literal

from assent.agent.chats.values import Loaded
from assent.editor.cards.spans import shown
from assent.editor.lsp.wire import written
from assent.editor.protocol import chats, earlier, records
from assent.editor.protocol.agents import Picture, Sound
from assent.editor.window.chats.cut_to_size import cut_line
from assent.editor.window.chats.entries import Item, entry_of
from assent.editor.window.chats.kept.decode_chat import item_of, more_of
from assent.gate.text.error_lines import marked
from assent.gate.text.lazy_patterns import late

__all__ = ["as_json", "as_markdown", "exported", "file_name", "fitting", "said_in", "title_of"]

_WHO: Final = {"user": "You", "agent": "{agent}", "thought": "{agent}, thinking"}
_STATES: Final = {"refused": "not run", "succeeded": "done"}
_MAX_BYTES: Final = 8 * 1024 * 1024
"""In bytes: so much of a chat is written down."""
_TICKS = late(r"`+")
_WORDS = late(r"(?:[^\W_]|[ ,?!'’-]|\.(?= |\Z))*")
"""What is nothing but words wherever it stands in Markdown, and no address either."""
_NO_NAME = late(r"[^\w.-]+")


def exported(
    loaded: Loaded, agent: str, form: Literal["markdown", "json"], *, living: int | None = None
) -> earlier.ChatText:
    """What is kept of a chat, the last of it where that is too much.

    It lives from this entry on: what waits or runs there does so still.
    """
    bodies, title = fitting(loaded.items, _MAX_BYTES), title_of(loaded)
    write, ending = (as_json, "json") if form == "json" else (as_markdown, "md")
    last = loaded.first + len(loaded.items)
    items = [
        item_of(body, lives=living is not None and number >= living)
        for number, body in enumerate(bodies, last - len(bodies))
    ]
    text = write(title, agent, loaded.head.begun, items)
    is_cut = loaded.first > 0 or len(bodies) < len(loaded.items)
    return earlier.ChatText(name=file_name(title, ending), text=text, is_cut=is_cut)


def title_of(loaded: Loaded) -> str:
    """What a chat is called, in one line."""
    return cut_line(more_of(loaded.head.more).agent_title or loaded.head.title)


def said_in(loaded: Loaded, agent: str, most: int) -> tuple[str, bool]:
    """The end of what was said, without thoughts and calls, and whether that is all of it."""
    parts = list[str]()
    for body in reversed(loaded.items):
        item = item_of(entry_of(body))
        if not isinstance(item, chats.Said) or item.kind == "thought":
            continue
        part = _part(item, agent)
        most -= len(part)
        if most < 0:
            return "\n\n".join(reversed(parts)), False
        parts.append(part)
    return "\n\n".join(reversed(parts)), loaded.first == 0


def fitting(bodies: tuple[bytes, ...], most: int) -> list[bytes]:
    """The last entries of these that are no more bytes than that, without what is beside them."""
    size = 0
    entries: list[bytes] = []
    for body in map(entry_of, reversed(bodies)):
        size += len(body)
        if entries and size > most:
            break
        entries.append(body)
    return entries[::-1]


def as_markdown(title: str, agent: str, begun: int, items: Iterable[Item]) -> str:
    """A chat as one page; what others said is text in it and nothing else.

    The headings are ours alone: no words of an agent, a call or a person can make one, close what
    they stand in, hide what follows or have anything fetched.
    """
    day = f"{datetime.fromtimestamp(begun / 1000, UTC):%Y-%m-%d}"
    parts = [f"# {_inline(title)}", f"With {_inline(agent)}, begun on {day}."]
    parts += [_part(item, agent) for item in items]
    return "\n\n".join(parts) + "\n"


def as_json(title: str, agent: str, begun: int, items: Iterable[Item]) -> str:
    """A chat with its entries as they are on the wire."""
    document = {
        "title": title,
        "agent": agent,
        "begun": begun,
        "items": [json.loads(written(item)) for item in items],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def file_name(title: str, ending: str) -> str:
    """What the file may be called.

    >>> file_name("Fix the till: ../../x", "md")
    'Fix-the-till-..-..-x.md'
    """
    return f"{_NO_NAME.sub('-', title).strip('-.')[:60] or 'chat'}.{ending}"


def _part(item: Item, agent: str) -> str:
    match item:
        case chats.Said():
            names = ", ".join(map(_inline, item.references))
            about = f"\n\n*About {names}.*" if names else ""
            who = _WHO[item.kind].format(agent=_inline(agent))
            return f"## {who}\n\n{_block(item.text)}{about}"
        case records.CallRecord():
            return _call(item)
        case chats.Notice():
            return f"> {_inline(item.text)}"
        case Picture():
            return f"*A picture, {item.width} × {item.height}.*"
        case Sound():
            return "*A sound.*"


def _call(record: records.CallRecord) -> str:
    title = "".join(span.text for span in record.title)
    code = f", exit {record.exit_code}" if record.exit_code else ""
    state = _STATES.get(record.state, record.state) + code
    because = _inline(record.because)
    heading = f"### Call: {_inline(title)}\n\n*{state}.{because and ' '}{because}*"
    output = marked(record.output, record.errors)
    return f"{heading}\n\n{_block(output)}" if output else heading


def _block(text: str) -> str:
    """Lines that stand as they are, between fences that none of them closes."""
    lines = shown(text.replace("\r\n", "\n")).rstrip()
    fence = "`" * max(3, _most_ticks(lines) + 1)
    return f"{fence}text\n{lines}\n{fence}"


def _inline(text: str) -> str:
    """One line: as it is where it is but words, else as code, of which nothing is made.

    >>> _inline("How much is it?"), _inline("<b>`x`</b>")
    ('How much is it?', '`` <b>`x`</b> ``')
    """
    line = shown(" ".join(text.split()))
    if _WORDS.fullmatch(line):
        return line
    ticks = "`" * (_most_ticks(line) + 1)
    blank = " " if len(ticks) > 1 else ""
    return f"{ticks}{blank}{line}{blank}{ticks}"


def _most_ticks(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)
