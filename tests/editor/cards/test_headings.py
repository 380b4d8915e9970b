"""What a hunk is headed by: the function, key or section that it stands in, or nothing."""

from assent.editor.cards.headings import heading_of
from assent.editor.cards.hunks import Room, changes_of
from assent.editor.cards.spans import text_of
from assent.gate.call.calls import Edit
from tables import each_row

PYTHON = """import os

class Till:
    \"\"\"Sums.\"\"\"

    async def sum(self, prices):
        total = 0
        for price in prices:

            total += price
        return total

def other():
    return 1
"""
GO = "package a\n\nfunc (t *Till) Sum() int {\n\tx := 1\n\treturn x\n}\n"
TYPES = """export class Till {
  private total = 0;
}
export function sum(): number {
  return 1;
}
"""
JSON = '{\n  "scripts": {\n    "test": "x",\n    "lint": "y"\n  },\n  "a": [\n    1\n  ]\n}\n'
YAML = "on:\n  push:\n    branches:\n      - main\njobs: {}\n"
TOML = "[project]\nname = 'a'\n\n[tool.x]\ny = 1\n"
TEXT = "# A\n\nwords\n\n## Second part\n\nmore\n"


@each_row(
    ("path", "text", "changed", "heading"),
    [
        ("a.py", PYTHON, "            total += price", "Till.sum"),
        ("a.py", PYTHON, "    return 1", "other"),
        ("a.py", PYTHON, "import os", ""),
        ("a.go", GO, "\tx := 1", "Sum"),
        ("a.ts", TYPES, "  return 1;", "sum"),
        ("a.ts", TYPES, "  private total = 0;", "Till"),
        ("a.json", JSON, '    "lint": "y"', "scripts.lint"),
        ("a.json", JSON, "    1", "a"),
        ("a.yaml", YAML, "      - main", "on.push.branches"),
        ("a.toml", TOML, "y = 1", "tool.x"),
        ("a.md", TEXT, "more", "Second part"),
        ("a.txt", "one\ntwo\n", "two", ""),
    ],
)
def test_a_hunk_is_headed_by_what_it_stands_in(
    path: str, text: str, changed: str, heading: str
) -> None:
    assert changed in text
    edit = Edit(path=f"/till/{path}", old=text, new=text.replace(changed, f"{changed} + 1", 1))
    [hunk] = changes_of(edit, Room()).hunks
    assert text_of(hunk.heading) == heading


def test_what_is_taken_out_and_put_in_has_the_heading_of_its_place() -> None:
    shorter = PYTHON.replace("            total += price\n", "")
    for old, new in [(PYTHON, shorter), (shorter, PYTHON)]:
        [hunk] = changes_of(Edit(path="/a.py", old=old, new=new), Room()).hunks
        assert text_of(hunk.heading) == "Till.sum"


def test_a_new_file_and_a_file_of_one_endless_line_have_no_heading() -> None:
    for old, new in [("", PYTHON), ("x" * 10_000, "y" * 10_000)]:
        hunks = changes_of(Edit(path="/a.py", old=old, new=new), Room()).hunks
        assert [it.heading for it in hunks] == [[]]


def test_what_hides_in_a_heading_is_shown() -> None:
    old = '{\n  "a\u202eb": {\n    "c": 1\n  }\n}\n'
    edit = Edit(path="/a.json", old=old, new=old.replace("1", "2"))
    [hunk] = changes_of(edit, Room()).hunks
    assert text_of(hunk.heading) == "aU+202Eb.c"


def test_lines_that_look_like_nothing_cost_nothing() -> None:
    assert heading_of("a.py", [" " * n for n in range(3_000)], " " * 9) == ""
    assert heading_of("a.py", [f"{' ' * (9_000 - n)}x" for n in range(9_000)], " " * 9_001) == ""
