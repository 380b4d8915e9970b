"""A picture or a PDF is shown to a model that takes it, as the read that was judged."""

import base64

import pytest

from agent.tools.workbench import Workbench
from assent.agent.models.attachments import PDF as PDF_KIND
from assent.agent.models.attachments import PICTURES
from assent.gate.call.calls import Effect
from pictures import GIF, PDF, png

ALL = PICTURES | {PDF_KIND}


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        ("a.png", png(40, 30), "a PNG image, 40 × 30"),
        ("a.gif", GIF, "a GIF image, 1 × 1"),
        ("a.pdf", PDF, "a PDF document"),
        ("photo", png(), "a PNG image, 30 × 20"),
    ],
)
async def test_it_is_shown_by_its_bytes_and_judged_as_reading(
    work: Workbench, name: str, raw: bytes, said: str
) -> None:
    work.takes = ALL
    work.file(name, raw)
    made = work.wants("read_file", path=name)
    assert (made.call.tool, made.call.effect) == ("read", Effect.READ)
    assert [it.shown for it in made.call.targets] == [name]
    done = await work.does(made)
    (shown,) = done.attached
    assert base64.b64decode(shown.data) == raw
    assert done.text == f"{name} is {said} ({len(raw)} bytes). It is shown to you."
    assert done.shown == f"{said} ({len(raw)} bytes)"
    assert shown.label == f"{name} ({said})"


@pytest.mark.parametrize(("name", "raw"), [("a.png", png()), ("a.pdf", PDF)])
async def test_a_model_that_takes_none_of_that_kind_is_told_what_it_is(
    work: Workbench, name: str, raw: bytes
) -> None:
    work.takes = ALL - {"image/png", PDF_KIND}
    work.file(name, raw)
    told = await work.fails("read_file", path=name)
    assert told.startswith(f"{name} is a P")
    assert told.endswith("which cannot be shown as text, and you take nothing of that kind.")


@pytest.mark.parametrize(
    ("raw", "most"),
    [(png() + b"\0" * 3_500_000, "3.5 MB"), (PDF + b"\0" * 8_000_000, "8.0 MB")],
)
async def test_what_is_too_large_for_any_host_is_not_read(
    work: Workbench, raw: bytes, most: str
) -> None:
    work.takes = ALL
    work.file("large", raw)
    told = await work.fails("read_file", path="large")
    assert told.endswith(f", and is larger than the {most} that are shown otherwise.")


@pytest.mark.parametrize("raw", [png(3_000, 1_000), PDF + b"/Type /Page\n" * 200])
async def test_what_takes_more_than_its_share_of_the_model_is_refused_in_a_sentence(
    work: Workbench, raw: bytes
) -> None:
    work.takes = ALL
    work.file("large", raw)
    (shown,) = (await work.does(work.wants("read_file", path="large"))).attached
    counted = work.exhibit = shown.tokens
    assert (await work.does(work.wants("read_file", path="large"))).attached == (shown,)
    work.exhibit = counted - 1
    told = await work.fails("read_file", path="large")
    assert f"it would take about {counted:,} of your tokens, where one file may take" in told


@pytest.mark.parametrize("raw", [png(9_000, 2), png()[:20], b"\x7fELF\0" * 9])
async def test_what_only_begins_like_a_picture_is_not_shown(work: Workbench, raw: bytes) -> None:
    work.takes = ALL
    work.file("odd", raw)
    assert (await work.fails("read_file", path="odd")).endswith("which cannot be shown as text.")
