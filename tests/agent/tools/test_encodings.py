"""A file in another encoding than UTF-8 is read, edited and put back in its own, or refused."""

import pytest

from agent.tools.workbench import Workbench
from assent.agent.tools.registry import Made
from assent.agent.tools.tool import ToolFailed
from assent.agent.tools.undo import undo
from assent.gate.call.calls import Call
from assent.gate.disk.freshness import changed_since
from assent.gate.text.encodings import Encoding

MARK = "\ufeff"
TEXT = "Grüße\nsind für alle\n"
OTHERS = {
    Encoding.UTF_16_LE: (MARK + TEXT).encode("utf-16-le"),
    Encoding.UTF_16_BE: (MARK + TEXT).encode("utf-16-be"),
    Encoding.WINDOWS: TEXT.encode("latin-1"),
}
every = pytest.mark.parametrize(("encoding", "raw"), OTHERS.items(), ids=list(OTHERS))


def edit(work: Workbench, old: str, new: str) -> Made:
    return work.wants("edit_file", path="a", edits=[{"old": old, "new": new}])


async def refused(work: Workbench, old: str, new: str) -> str:
    """Why an edit is not made, whoever may make it."""
    made = edit(work, old, new)
    assert made.call.edits == ()
    with pytest.raises(ToolFailed) as told:
        await work.does(made)
    return str(told.value)


@every
async def test_it_is_read_as_what_it_says_and_its_encoding_is_told(
    work: Workbench, encoding: Encoding, raw: bytes
) -> None:
    work.file("a", raw)
    told = await work.use("read_file", path="a")
    assert "     1\tGrüße\n     2\tsind für alle\n" in told
    assert told.endswith(f"the file is in {encoding.words}, and stays in that when it is edited)")


@every
async def test_an_edit_leaves_all_other_bytes_and_is_undone_to_the_byte(
    work: Workbench, encoding: Encoding, raw: bytes
) -> None:
    file = work.file("a", raw)
    made = edit(work, "sind", "are")
    assert [it.encoding for it in made.call.edits] == [encoding]
    await work.does(made)
    assert file.read_bytes() == raw.replace("sind".encode(encoding), "are".encode(encoding))
    await undo(made.call, work.buffers)
    assert file.read_bytes() == raw


async def test_a_change_that_leaves_nothing_but_ascii_is_undone_in_the_encoding_before(
    work: Workbench,
) -> None:
    file = work.file("a", b"f\xfcr\n")
    made = edit(work, "für", "for")
    await work.does(made)
    assert file.read_bytes() == b"for\n"
    await undo(made.call, work.buffers)
    assert file.read_bytes() == b"f\xfcr\n"


@every
async def test_a_file_that_is_written_anew_stays_in_its_encoding(
    work: Workbench, encoding: Encoding, raw: bytes
) -> None:
    file = work.file("a", raw)
    await work.use("write_file", path="a", content="für alle\n")
    mark = MARK if encoding is not Encoding.WINDOWS else ""
    assert file.read_bytes() == f"{mark}für alle\n".encode(encoding)


async def test_what_a_guessed_encoding_may_not_hold_is_refused_before_anybody_is_asked(
    work: Workbench,
) -> None:
    raw = OTHERS[Encoding.WINDOWS]
    file = work.file("a", raw)
    told = await refused(work, "alle", "5 €")
    assert "only plain ASCII and letters that stand in it already" in told
    assert "not “€”" in told
    assert file.read_bytes() == raw
    assert work.asked == []
    # What stands in it already may.
    await work.does(edit(work, "alle", "früh"))
    assert file.read_bytes() == raw.replace(b"alle", b"fr\xfch")


@pytest.mark.parametrize(
    "raw",
    [
        "Привет\n".encode("cp1251"),
        "日本語です\n".encode("shift-jis"),
        "中文中文\n".encode("gbk"),
        b"caf\x81\n",
        b"\xef\xbb\xbfcaf\xe9\n",
        b"\xff\xfea\0b",
        b"\xff\xfe\0\xd8a\0",
        (MARK + "a").encode("utf-32-le"),
    ],
)
async def test_what_is_in_no_known_encoding_is_not_changed(work: Workbench, raw: bytes) -> None:
    file = work.file("a", raw)
    assert "encoding that is not known" in await refused(work, "a", "b")
    assert file.read_bytes() == raw


async def test_that_letters_could_not_be_read_is_said(work: Workbench) -> None:
    work.file("a", "Привет\n".encode("cp1251"))
    told = await work.use("read_file", path="a")
    assert told.endswith("the file is not in UTF-8, so what is \ufffd here could not be read)")


@pytest.mark.parametrize("raw", [TEXT.encode(), (MARK + TEXT).encode(), b"plain\n"])
async def test_of_utf_8_nothing_is_said(work: Workbench, raw: bytes) -> None:
    work.file("a", raw)
    assert (await work.use("read_file", path="a")).endswith("the end)")


async def test_a_file_that_changed_its_encoding_alone_is_not_what_was_judged(
    work: Workbench,
) -> None:
    file = work.file("a", OTHERS[Encoding.UTF_16_LE])
    made = edit(work, "sind", "are")
    file.write_bytes(OTHERS[Encoding.UTF_16_BE])
    assert changed_since(made.call, work.places(), work.buffers) is not None
    with pytest.raises(ToolFailed, match="has changed since this was judged"):
        await work.does(made)
    assert file.read_bytes() == OTHERS[Encoding.UTF_16_BE]


async def test_what_an_editor_has_opened_in_the_wrong_encoding_is_not_edited(
    work: Workbench,
) -> None:
    work.file("a", OTHERS[Encoding.WINDOWS])
    work.types("a", "Gr\ufffd\ufffde, typed\n")
    assert "in which letters of it are lost" in await refused(work, "typed", "seen")
    # A text that has that letter itself is none of these.
    work.file("a", "\ufffd\n")
    work.types("a", "\ufffd, typed\n")
    await work.does(edit(work, "typed", "seen"))
    assert work.buffers.standing(str(work.root / "a"), "a").text == "\ufffd, seen\n"


async def test_a_search_shows_it_as_what_it_says(work: Workbench) -> None:
    work.file("a", OTHERS[Encoding.WINDOWS])
    assert "sind für alle" in await work.use("search_text", pattern="sind")


def test_two_encodings_of_one_change_are_two_calls(work: Workbench) -> None:
    def call(raw: bytes) -> Call:
        work.file("a", raw)
        return work.wants("write_file", path="a", content=f"{MARK}x\n").call

    marked = {call(f"{MARK}a\n".encode(it)).likeness for it in ("utf-8", "utf-16-le", "utf-16-be")}
    assert len(marked) == 3
