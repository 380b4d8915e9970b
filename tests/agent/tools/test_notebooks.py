"""A notebook is read as its cells, and one cell is edited where it stands in the file."""

import json
from typing import Any

import pytest

from agent.tools.workbench import Workbench
from assent.agent.tools.registry import Made
from assent.agent.tools.tool import ToolFailed
from assent.agent.tools.undo import undo
from assent.editor.cards.hunks import Room, changes_of

CELLS: list[dict[str, Any]] = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# Tills\n", "All für one."]},
    {
        "cell_type": "code",
        "execution_count": 3,
        "metadata": {"tags": ["x"]},
        "outputs": [
            {"output_type": "stream", "name": "stdout", "text": ["3\n", "4\n"]},
            {"output_type": "display_data", "data": {"text/plain": "<Plot>", "image/png": "aGk="}},
            {
                "output_type": "error",
                "ename": "KeyError",
                "evalue": "'a'",
                "traceback": ["\x1b[0m"],
            },
        ],
        "source": ["total = 1\n", "total += 2\n", "print(total)"],
    },
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": "one = 1"},
    {"cell_type": "raw", "metadata": {}, "source": []},
]


def notebook(**form: Any) -> str:
    whole = {"cells": CELLS, "metadata": {"kernelspec": {"name": "x"}}, "nbformat": 4}
    return json.dumps(whole, **{"indent": 1, "ensure_ascii": False, **form}) + "\n"


FORMS = {
    "as Jupyter writes": notebook(),
    "in one line": notebook(indent=None),
    "minified": notebook(indent=None, separators=(",", ":")).rstrip(),
    "in ASCII": notebook(ensure_ascii=True),
    "with a mark": "\ufeff" + notebook(),
    "with tabs and other line ends": notebook(indent="\t").replace("\n", "\r\n"),
}
every = pytest.mark.parametrize("text", FORMS.values(), ids=list(FORMS))


def edit(work: Workbench, cell: int, old: str, new: str) -> Made:
    return work.wants("edit_file", path="a.ipynb", cell=cell, edits=[{"old": old, "new": new}])


async def test_its_cells_are_read_with_their_outputs_as_text(work: Workbench) -> None:
    work.file("a.ipynb", notebook())
    told = await work.use("read_file", path="a.ipynb")
    lines = [line.partition("\t")[2] for line in told.splitlines()[:-1]]
    assert lines == [
        "── cell 1 (markdown) ──", "# Tills", "All für one.",
        "── cell 2 (code) ──", "total = 1", "total += 2", "print(total)",
        "── output of cell 2 ──", "3", "4", "",
        "── output of cell 2 ──", "<Plot>", "[image/png]",
        "── output of cell 2 ──", "KeyError: 'a'",
        "── cell 3 (code) ──", "one = 1",
        "── cell 4 (raw) ──",
    ]  # fmt: skip
    assert "a notebook, shown as its cells" in told.splitlines()[-1]


async def test_a_long_output_is_cut_and_many_are_counted(work: Workbench) -> None:
    long = {"output_type": "stream", "text": "x" * 50_000}
    cells = [{"cell_type": "code", "source": "a", "outputs": [long] * 7}]
    work.file("a.ipynb", json.dumps({"cells": cells}))
    told = await work.use("read_file", path="a.ipynb")
    assert len(told) < 7_000
    assert "── 2 more outputs of cell 1 ──" in told


@every
async def test_an_edit_of_a_cell_changes_that_line_of_the_file_alone(
    work: Workbench, text: str
) -> None:
    file = work.file("a.ipynb", text)
    made = edit(work, 2, "total += 2", "total += 3")
    done = await work.does(made)
    assert done.text == "Changed a.ipynb: now line 2 of cell 2."
    assert file.read_bytes().decode() == text.replace("total += 2", "total += 3")
    await undo(made.call, work.buffers)
    assert file.read_bytes().decode() == text


@every
@pytest.mark.parametrize(
    ("cell", "old", "new"),
    [
        (2, "total = 1\n", "total = 1\ntotal *= 'é'\n\n"),
        (2, "total = 1\ntotal += 2\n", ""),
        (2, "total = 1\ntotal += 2\nprint(total)", ""),
        (1, "für", '"für"\\n'),
        (3, "one = 1", "one = 1\ntwo = 'é'"),
    ],
)
async def test_whatever_becomes_of_a_cell_all_else_is_the_same(
    work: Workbench, text: str, cell: int, old: str, new: str
) -> None:
    file = work.file("a.ipynb", text)
    await work.does(edit(work, cell, old, new))
    now = file.read_bytes().decode()
    before, after = (json.loads(it.removeprefix("\ufeff")) for it in (text, now))
    joined = "".join(after["cells"][cell - 1].pop("source"))
    assert joined == "".join(before["cells"][cell - 1].pop("source")).replace(old, new)
    assert after == before
    assert now.isascii() == text.isascii() or "é" in new
    # What stands before and behind the cell is there to the letter.
    at = text.index('"source"')
    assert now[:at] == text[:at]
    tail = text[text.index('"kernelspec"') :]
    assert now.endswith(tail)


async def test_an_empty_cell_cannot_be_edited_by_a_text_and_says_so(work: Workbench) -> None:
    work.file("a.ipynb", notebook())
    assert "Read the file again to see the cell" in await refused(work, edit(work, 4, "a", "b"))


async def refused(work: Workbench, made: Made) -> str:
    assert made.call.edits == ()
    with pytest.raises(ToolFailed) as told:
        await work.does(made)
    return str(told.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (notebook(), "has no cell 9: it has 4"),
        ("{", "is no notebook whose cells can be told"),
        ('{"cells": {}}', "it has no list of cells"),
        ('{"cells": [{"cell_type": "code"}]}', "one of its cells has no source"),
        ('{"cells": [{"cell_type": "video", "source": ""}]}', "of no known kind"),
        ('{"cells": [], "cells": []}', "a name stands in it twice"),
        ('{"cells": ' + "[" * 700 + "]" * 700 + "}", "cells can be told"),
        ("[" * 100_000, "is no notebook whose cells can be told"),
    ],
)
async def test_what_has_no_such_cell_is_refused_in_a_sentence(
    work: Workbench, text: str, why: str
) -> None:
    work.file("a.ipynb", text)
    assert why in await refused(work, edit(work, 9, "a", "b"))


async def test_who_names_no_cell_is_told_to(work: Workbench) -> None:
    work.file("a.ipynb", notebook())
    made = work.wants("edit_file", path="a.ipynb", edits=[{"old": "a\nb", "new": "c"}])
    assert "It is a notebook: name the cell to change" in await refused(work, made)


async def test_what_only_calls_itself_a_notebook_is_read_as_it_stands(work: Workbench) -> None:
    work.file("a.ipynb", "no notebook\n")
    assert "     1\tno notebook\n" in await work.use("read_file", path="a.ipynb")


async def test_a_cell_of_what_is_no_notebook_by_its_name_is_one_by_its_content(
    work: Workbench,
) -> None:
    file = work.file("a.json", notebook())
    edits = [{"old": "one = 1", "new": "one = 2"}]
    await work.does(work.wants("edit_file", path="a.json", cell=3, edits=edits))
    assert "one = 2" in file.read_text()


async def test_the_card_of_a_cell_in_one_long_line_shows_what_changes_there(
    work: Workbench,
) -> None:
    picture = {"output_type": "display_data", "data": {"image/png": "aGk=" * 50_000}}
    cells = [{**CELLS[1], "outputs": [picture]}, CELLS[2], {**CELLS[1], "outputs": [picture]}]
    whole = {"cells": cells, "metadata": {}, "nbformat": 4}
    work.file("a.ipynb", json.dumps(whole, separators=(",", ":")))
    made = edit(work, 2, "one = 1", "one = 2")
    room = Room()
    (hunk,) = changes_of(made.call.edits[0], room).hunks
    old, new = ("".join(span.text for span in line.text) for line in hunk.lines)
    assert ("one = 1" in old, "one = 2" in new, room.whole) == (True, True, True)
    assert old.replace("one = 1", "one = 2") == new
    notes = [span.shown or "" for span in hunk.lines[1].text if span.kind == "hidden"]
    assert [note.split(" ", 1)[1] for note in notes[:2]] == [
        "characters before this stay",
        "characters after this stay",
    ]
    hidden = sum(int(note.split()[0].replace(",", "")) for note in notes[:2])
    assert hidden + len(new) == len(made.call.edits[0].new)
    await work.does(made)
    told = json.loads((work.root / "a.ipynb").read_text("utf-8"))
    assert told == {**whole, "cells": [cells[0], {**CELLS[2], "source": "one = 2"}, cells[2]]}
