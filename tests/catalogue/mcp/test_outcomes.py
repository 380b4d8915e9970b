"""What came of a call: what the server said is told apart from what is said of what it gave."""

import base64
from typing import Any

from assent.agent.tools.nodes import _value_of
from assent.catalogue.mcp.outcome import outcome_of
from assent.catalogue.mcp.sdk import types
from assent.catalogue.nodes.source import Outcome
from assent.catalogue.workers.node_server import UNPASSED
from assent.gate.text.redactor import Redactor
from pictures import png
from tables import each_row


def sound(raw: bytes = b"fLaC") -> types.AudioContent:
    data = base64.b64encode(raw).decode()
    return types.AudioContent(type="audio", data=data, mime_type="audio/flac")


def picture() -> types.ImageContent:
    data = base64.b64encode(png()).decode()
    return types.ImageContent(type="image", data=data, mime_type="image/png")


def said(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


def came(*content: Any, **more: Any) -> dict[str, Any]:
    return outcome_of(types.CallToolResult(content=list(content), **more))


def test_a_sound_beyond_those_that_are_played_is_said_to_be_one_too_many() -> None:
    found = came(*(sound(b"fLaC" + bytes([it])) for it in range(6)))
    assert len(found["sounds"]) == 4
    assert found["text"].count("the person alone can hear") == 4
    assert found["text"].count("is one too many to be played") == 2


@each_row(
    ("content", "has_words"),
    [
        ([said("so")], True),
        ([said("so"), sound()], True),
        ([sound()], False),
        ([sound(b"none that is played")], False),
        ([picture()], False),
        ([], False),
    ],
)
def test_what_is_said_of_a_sound_is_none_of_the_servers_words(
    content: list[Any], *, has_words: bool
) -> None:
    assert came(*content)["has_words"] is has_words


def test_what_has_a_structure_is_told_beside_a_sound() -> None:
    found = came(sound(), structured_content={"a": 1})
    assert found["has_words"] is True
    assert '"a": 1' in found["text"]


@each_row(
    ("outcome", "value"),
    [
        (Outcome(text="so"), "so"),
        (Outcome(text="[a sound, …]", has_words=False), {UNPASSED: 1}),
        (Outcome(text="", has_words=False), ""),
    ],
)
def test_a_later_step_takes_what_was_said_and_never_what_is_said_of_bytes(
    outcome: Outcome, value: object
) -> None:
    assert _value_of(outcome) == value


def test_a_secret_on_a_cut_of_a_long_text_stays_readable_by_no_half() -> None:
    secret = "open-sesame-and-more"  # noqa: S105 -- played
    clean = Redactor.of([secret])
    for shift in range(-len(secret), len(secret)):
        long = "x" * (1_000_000 + shift) + secret + "y" * 2_000_000
        told = outcome_of(types.CallToolResult(content=[said(long)]), clean)["text"]
        assert "open-s" not in told
        assert "d-more" not in told
    link = types.ResourceLink(type="resource_link", name="n" * 190 + secret, uri="a://b")
    assert "open-s" not in outcome_of(types.CallToolResult(content=[link]), clean)["text"]
