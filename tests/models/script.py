"""What a fake model says, as plain JSON: a reply is a list of steps, whatever the dialect.

    server.reply(think("Hm."), text("I read it.", pieces=3), call("read_file", {"path": "a"}))

Without more ado a reply ends as its dialect ends one that is whole. The steps are dictionaries, so
the same script can stand in a file:

    [[{"text": "So."}, {"call": "read_file", "arguments": {"path": "a"}}], [{"text": "Done."}]]

and a reply that waits for its request is `{"when": "words of the last turn", "steps": […]}`.
"""

import json
from collections.abc import Mapping
from typing import Any

__all__ = [
    "Step",
    "begin",
    "call",
    "cut",
    "error",
    "frame",
    "hold",
    "leave",
    "more",
    "pieces_of",
    "raw",
    "status",
    "stop",
    "text",
    "think",
    "usage",
    "whole",
    "written",
]

Step = dict[str, Any]


def text(said: str, *, pieces: int = 1) -> Step:
    """Words, in so many pieces."""
    return {"text": said, "pieces": pieces}


def think(said: str = "", *, seal: str = "", hidden: str = "") -> Step:
    """A thought; the seal and what is hidden only where the dialect knows them."""
    return {"think": said, "seal": seal, "hidden": hidden}


def call(
    name: str,
    arguments: Mapping[str, Any] | str | None = None,
    *,
    id: str | None = None,  # noqa: A002 -- as the dialects call it
    pieces: int = 1,
) -> Step:
    """A whole call; the arguments as text are sent as they are, valid or not."""
    return {"call": name, "arguments": arguments, "id": id, "pieces": pieces}


def begin(number: int, name: str, *, id: str | None = None) -> Step:  # noqa: A002 -- as above
    """A call begins; with `more` and `whole`, for calls that are interleaved or held."""
    return {"begin": number, "name": name, "id": id}


def more(number: int, piece: str) -> Step:
    """A piece of that call's arguments."""
    return {"more": number, "piece": piece}


def whole(number: int) -> Step:
    """That call is whole, where the dialect says so."""
    return {"whole": number}


def hold(name: str) -> Step:
    """Nothing more until `server.release(name)`; `await server.held(name)` waits for this."""
    return {"hold": name}


def cut() -> Step:
    """The connection breaks here."""
    return {"cut": True}


def leave() -> Step:
    """The answer ends here in good order, although the reply is not whole."""
    return {"leave": True}


def usage(read: int, wrote: int) -> Step:
    """How many tokens are counted; told where the dialect tells it."""
    return {"usage": [read, wrote]}


def stop(reason: str) -> Step:
    """Ends the reply for a reason of `events.Stopped`: `done`, `calls`, `length`, `refused`."""
    return {"stop": reason}


def error(message: str, *, kind: str = "api_error") -> Step:
    """An error in mid-stream, as the dialect tells one; the answer ends with it."""
    return {"error": message, "kind": kind}


def status(
    code: int,
    message: str = "",
    *,
    kind: str = "",
    headers: Mapping[str, str] | None = None,
    body: str | None = None,
) -> Step:
    """The answer has this status; an error as the dialect tells one, or just this body."""
    head = dict(headers or {})
    return {"status": code, "message": message, "kind": kind, "headers": head, "body": body}


def frame(sent: object) -> Step:
    """Any JSON as one message of the stream, for what only some hosts do."""
    return {"frame": sent}


def raw(sent: str) -> Step:
    """Anything at all."""
    return {"raw": sent}


def pieces_of(whole_text: str, count: int) -> list[str]:
    """A text in at most so many pieces of about the same length."""
    size = max(1, -(-len(whole_text) // max(1, count)))
    return [whole_text[at : at + size] for at in range(0, len(whole_text), size)]


def written(arguments: Mapping[str, Any] | str | None) -> str:
    """The arguments as their text."""
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False) if arguments is not None else ""
