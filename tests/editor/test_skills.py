"""The skills and commands of a repository are off until the person takes them, in a real editor."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from editor.test_own_agent import AtWork, Models, Picture, at_work, models, own_editor, picture
from models.script import text

__all__ = ["at_work", "models", "own_editor", "picture"]

SKILL = "---\nname: release\ndescription: How we release\n---\nTag it, then push the tag.\n"


@pytest.mark.requirement("S-08")
def test_a_skill_of_a_repository_reaches_the_model_once_its_card_was_answered(
    at_work: AtWork, models: Models, picture: Picture, workspace: Path
) -> None:
    folder = workspace / ".claude" / "skills" / "release"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL, encoding="utf-8")
    person = at_work()
    models.reply(text("Hello."))
    person.say("Hello")
    person.wait_for_turn()
    assert "How we release" not in str(models.asked(0)["body"])
    person.wait_for_card("SKILL.md")
    expect(person.card).to_contain_text("Tag it, then push the tag.")
    picture(person, "skills-1-the-card")
    # What it says is looked at whole before it can be taken, and the editor asks once more.
    take = person.see("option-grantWish")
    while take.get_attribute("aria-disabled") == "true":
        person.see("below").click()
        person.wait_for_card()
    take.click()
    person.window.dialog().get_by_role("button", name="Allow this").first.click()
    expect(person.card).to_have_count(0)
    models.reply(text("Good."))
    person.say("And now?")
    expect(person.answer).to_contain_text("Good.")
    assert "How we release" in str(models.asked(1)["body"])
    picture(person, "skills-2-taken")
