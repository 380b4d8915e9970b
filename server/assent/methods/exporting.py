"""Writes a chat down for somebody else to read, as Markdown or as JSON."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, Literal

from assent.chats.values import Loaded
from assent.lsp.wire import written
from assent.methods.cutting import cut_line
from assent.methods.entries import Item
from assent.methods.restoring import item_of, more_of
from assent.protocol import chats, earlier, records
from assent.protocol.agents import Picture
from assent.text.patterns import late

__all__ = ["as_json", "as_markdown", "exported", "file_name", "fitting"]

_WHO: Final = {"user": "You", "agent": "{agent}", "thought": "{agent}, thinking"}
_STATES: Final = {"refused": "not run", "succeeded": "done"}
_MOST: Final = 8 * 1024 * 1024
"""In bytes: so much of a chat is written down."""
_FENCES = late(r"`{3,}")
_NO_NAME = late(r"[^\w.-]+")


def exported(loaded: Loaded, agent: str, form: Literal["markdown", "json"]) -> earlier.ChatText:
    """What is kept of a chat, the last of it where that is too much."""
    bodies, head = fitting(loaded.items, _MOST), loaded.head
    title = cut_line(more_of(head.more).agent_title or head.title)
    write, ending = (as_json, "json") if form == "json" else (as_markdown, "md")
    text = write(title, agent, head.begun, map(item_of, bodies))
    is_cut = loaded.first > 0 or len(bodies) < len(loaded.items)
    return earlier.ChatText(name=file_name(title, ending), text=text, is_cut=is_cut)


def fitting(bodies: tuple[bytes, ...], most: int) -> list[bytes]:
    """The last of them that are no more bytes than that."""
    size = 0
    found: list[bytes] = []
    for body in reversed(bodies):
        size += len(body)
        if found and size > most:
            break
        found.append(body)
    return found[::-1]


def as_markdown(title: str, agent: str, begun: int, items: Iterable[Item]) -> str:
    """A chat as one page; what was said stands in it as it was said."""
    day = f"{datetime.fromtimestamp(begun / 1000, UTC):%Y-%m-%d}"
    parts = [f"# {_line(title)}", f"With {_line(agent)}, begun on {day}."]
    parts += [_part(it, agent) for it in items]
    return "\n\n".join(parts) + "\n"


def as_json(title: str, agent: str, begun: int, items: Iterable[Item]) -> str:
    """A chat with its entries as they are on the wire."""
    told = {
        "title": title,
        "agent": agent,
        "begun": begun,
        "items": [json.loads(written(it)) for it in items],
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def file_name(title: str, ending: str) -> str:
    """What the file may be called.

    >>> file_name("Fix the till: ../../x", "md")
    'Fix-the-till-..-..-x.md'
    """
    return f"{_NO_NAME.sub('-', title).strip('-.')[:60] or 'chat'}.{ending}"


def _part(item: Item, agent: str) -> str:
    match item:
        case chats.Said():
            return f"## {_WHO[item.kind].format(agent=_line(agent))}\n\n{item.text}"
        case records.CallRecord():
            return _call(item)
        case chats.Notice():
            return f"> {_line(item.text)}"
        case Picture():
            return f"*A picture, {item.width} × {item.height}.*"


def _call(record: records.CallRecord) -> str:
    title = "".join(span.text for span in record.title)
    state = _STATES.get(record.state, record.state)
    told = f"### Call: {_line(title)}\n\n*{state}. {_line(record.because)}*".rstrip(" *") + "*"
    if not record.output:
        return told
    longest = max((len(it) for it in _FENCES.findall(record.output)), default=2)
    fence = "`" * (longest + 1)
    return f"{told}\n\n{fence}\n{record.output.rstrip()}\n{fence}"


def _line(text: str) -> str:
    return " ".join(text.split())
