"""Indexes are in a team's PostgreSQL where the person says so, and are ruled on all the same."""

from pathlib import Path
from typing import Any

import pytest
from pg8000.native import Connection

from catalogue.documents.teamplace import MEMBER, PASSWORD
from editor.wire.own import Own, OwnStage, model, own
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

DOCS = {"docs": {"paths": ["./docs/**/*.md"]}}
USER = "postgresql://postgres@/postgres?host="


def url(socket: str, user: str = USER) -> str:
    return f"{user}{socket}"


async def asked(it: Own, question: str) -> str:
    it.model.reply(call("query_collection", {"name": "docs", "question": question}))
    it.model.reply(text("So."))
    await it.turn()
    return str(it.model.requests[-1].last)


def put(root: Path, **files: str) -> None:
    (root / "docs").mkdir(exist_ok=True)
    for name, said in files.items():
        (root / "docs" / f"{name}.md").write_text(said, "utf-8")


def texts_in(socket: str, folder: Path) -> str:
    """All that the database has of a folder."""
    spoken = Connection("postgres", unix_sock=f"{socket}/.s.PGSQL.5432", database="postgres")
    try:
        if spoken.run("select to_regclass('assent_1.passages')")[0][0] is None:
            return ""
        rows = spoken.run(
            "select p.body from assent_1.passages p join assent_1.files f on f.id = p.file"
            " where f.path like :folder || '%'",
            folder=str(folder),
        )
    finally:
        spoken.close()
    return " ".join(row[0] for row in rows)


@requirement("N-09")
async def test_a_question_is_answered_from_a_teams_database_and_follows_files_and_rules(
    own: OwnStage, team: str
) -> None:
    it = await own(collections=DOCS, collectionsUrl=url(team))
    put(it.scene.folder, tea="# Tea\n\nThe kettle whistles.", plan="Our kettle plan.")
    told = await asked(it, "kettle")
    assert "docs/tea.md:1–3 (Tea)\nThe kettle whistles." in told
    assert "Our kettle plan." in told
    assert [*(it.scene.state / "collections").rglob("*.db")] == []
    await it.scene.change_settings(workspace={"rules": {"deny": ["read(./docs/plan.md)"]}})
    put(it.scene.folder, tea="The kettle trumpets.")
    told = await asked(it, "kettle now")
    assert "The kettle trumpets." in told
    assert "Our kettle plan." not in told
    assert texts_in(team, it.scene.folder) == "The kettle trumpets."


@requirement("N-09")
async def test_a_secret_that_the_editor_keeps_is_the_password_and_stands_nowhere_else(
    own: OwnStage, team: str
) -> None:
    named = url(team, f"postgresql://{MEMBER}:${{secret:TEAM}}@/postgres?host=")
    it = await own(collections=DOCS, collectionsUrl=named)
    it.scene.editor.types = "wrong"
    put(it.scene.folder, tea="The kettle whistles.")
    told = await asked(it, "kettle")
    assert "could not be reached: password authentication failed" in told
    # Another one that is kept since is taken without starting anything anew.
    it.scene.editor.secrets["agentSecret.TEAM"] = PASSWORD
    assert "The kettle whistles." in await asked(it, "the kettle")
    for path in it.scene.state.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()


@requirement("N-09")
@pytest.mark.parametrize("mode", ["plan", "auto"])
async def test_a_rule_against_the_host_lets_nothing_be_sent_to_a_database(
    own: OwnStage, team: str, mode: str
) -> None:
    deny = {"deny": ["fetch(domain:localhost)"]}
    it = await own(mode=mode, collections=DOCS, collectionsUrl=url(team), rules=deny)
    put(it.scene.folder, tea="The kettle whistles.")
    assert "A rule is against asking its database." in await asked(it, "kettle")
    assert texts_in(team, it.scene.folder) == ""


@requirement("N-09")
async def test_a_workspace_names_no_database_and_an_address_with_a_password_is_none(
    own: OwnStage, team: str
) -> None:
    it = await own(collections=DOCS)
    await it.scene.change_settings(workspace={"collectionsUrl": url(team)})
    put(it.scene.folder, tea="The kettle whistles.")
    assert "The kettle whistles." in await asked(it, "kettle")
    written: dict[str, Any] = {"collectionsUrl": f"postgresql://a:b@/postgres?host={team}"}
    await it.scene.change_settings(user=written)
    assert "The kettle whistles." in await asked(it, "the kettle")
    assert texts_in(team, it.scene.folder) == ""
    assert len([*(it.scene.state / "collections").rglob("*.db")]) == 1


@requirement("N-09")
async def test_a_database_that_is_not_there_fails_the_question_with_a_reason(
    own: OwnStage, tmp_path: Path
) -> None:
    it = await own(collections=DOCS, collectionsUrl=url(str(tmp_path)))
    put(it.scene.folder, tea="The kettle whistles.")
    told = await asked(it, "kettle")
    assert "docs could not be searched: Its database could not be reached" in told
