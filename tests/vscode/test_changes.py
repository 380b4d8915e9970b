"""Files that a chat has changed, in a real editor: kept, undone, and brought back."""

import pytest
from playwright.sync_api import expect

from models.script import call, text
from vscode.person import Person
from vscode.test_own_agent import (
    AtWork,
    Models,
    Picture,
    at_work,
    edit,
    models,
    own_editor,
    picture,
    run,
)

__all__ = ["at_work", "models", "own_editor", "picture"]

BEFORE = "".join(f"line {at}\n" for at in range(1, 31))


@pytest.mark.requirement("N-12")
@pytest.mark.walk
def test_one_edit_is_undone_one_kept_and_a_rewind_brings_back_what_our_edits_changed(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    person = at_work()
    one, two = person.folder / "one.py", person.folder / "two.py"
    one.write_text(BEFORE)
    two.write_text(BEFORE)
    models.reply(edit("one.py", "line 3\n", "line three\n"), edit("two.py", "line 4\n", "four\n"))
    models.reply(text("Both are changed."))
    person.say("Change both.")
    for name in ("one.py", "two.py"):
        person.wait_for_card(name)
        person.allow()
    person.wait_for_turn()
    expect(person.see("changes-count")).to_contain_text("2 files")
    picture(person, "changes-1-one-row")
    person.see("changes-toggle").click()
    first = person.see("changed-file").first
    first.get_by_role("button", name="Show the changes").click()
    expect(person.see("hunk")).to_contain_text("line three")
    picture(person, "changes-2-open")
    person.see("all-diffs").click()
    both = person.window.page.locator(".multiDiffEditor")
    expect(both).to_contain_text("one.py")
    expect(both).to_contain_text("two.py")
    expect(both).to_contain_text("line three")
    picture(person, "changes-2-all-diffs")
    person.press("undo-file")
    expect(person.see("changes-count")).to_contain_text("1 file")
    assert one.read_text() == BEFORE
    brings_back(person, picture)
    assert one.read_text() == BEFORE
    person.press("keep-file")
    # What was kept is marked no more; what was undone can still be brought back.
    expect(person.see("changes-count")).to_have_count(0)
    assert two.read_text() == BEFORE.replace("line 4\n", "four\n")
    changes_more(person, models)
    two.write_text("mine\n")
    rewinds(person, picture)
    assert one.read_text() == BEFORE
    assert two.read_text() == "mine\n"
    assert not (person.folder / "new.py").exists()
    assert (person.folder / "made.txt").exists()
    (noted,) = person.noted("rewound")
    assert noted["by"] == "user"


def brings_back(person: Person, picture: Picture) -> None:
    """Bring back what was undone of one file, and undo it again."""
    expect(person.see("undone")).to_contain_text("Undone: one.py")
    picture(person, "changes-3-undone")
    person.press("redo")
    expect(person.see("changes-count")).to_contain_text("2 files")
    stands = (person.folder / "one.py").read_text()
    assert stands == BEFORE.replace("line 3\n", "line three\n")
    person.press("undo-file")
    expect(person.see("changes-count")).to_contain_text("1 file")


def changes_more(person: Person, models: Models) -> None:
    """Another turn, which edits, creates and runs something."""
    models.reply(edit("one.py", "line 9\n", "nine\n"))
    models.reply(call("write_file", {"path": "new.py", "content": "a = 1\n"}))
    models.reply(run("touch made.txt"))
    models.reply(text("More is changed."))
    person.say("And more.")
    for name in ("one.py", "new.py", "made.txt"):
        person.wait_for_card(name)
        person.allow()
    person.wait_for_turn()


def rewinds(person: Person, picture: Picture) -> None:
    """Take files and words back to before the first message."""
    person.see("rewind").first.click()
    panel = person.see("rewind-panel")
    expect(panel).to_contain_text("Brings back one.py")
    expect(panel).to_contain_text("Takes away new.py")
    expect(panel).to_contain_text("two.py was changed by somebody else since")
    expect(panel).to_contain_text("Not undone: touch made.txt")
    picture(person, "changes-4-rewind")
    person.press("rewind-both")
    expect(panel).to_have_count(0)
    expect(person.see("composer")).to_have_value("Change both.")
    expect(person.see("taken-back").first).to_be_visible()
    picture(person, "changes-5-rewound")
