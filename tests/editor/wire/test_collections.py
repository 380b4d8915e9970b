"""Documents are searched by our own agent: what may be read is found, by its lines."""

from pathlib import Path
from typing import Any

import pytest

from editor.wire.own import OwnStage, model, own
from models.script import call, text
from models.server import ModelServer

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

DOCS = {"docs": {"paths": ["./docs/**/*.md"]}}
TEA = """# Drinks

## Tea

The kettle whistles when the water boils.

## Coffee

Grind the beans.
"""


def asks(question: str, name: str = "docs") -> Any:
    return call("query_collection", {"name": name, "question": question})


def put(root: Path, files: dict[str, str]) -> None:
    for name, said in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(said, "utf-8")


@requirement("N-09")
async def test_a_question_is_answered_with_passages_by_file_and_lines(own: OwnStage) -> None:
    it = await own(collections=DOCS)
    put(it.scene.folder, {"docs/drinks.md": TEA, "notes.md": "The kettle is elsewhere."})
    it.model.reply(call("list_collections", {}))
    it.model.reply(asks("what does the kettle do when the water boils?"))
    it.model.reply(call("search_collections", {"words": "beans"}))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    assert "docs (./docs/**/*.md): not read yet" in it.model.requests[1].last
    told = it.model.requests[2].last
    assert "docs/drinks.md:3–5 (Drinks › Tea)\nThe kettle whistles" in told
    assert "notes.md" not in told
    assert "docs: docs/drinks.md:7–9 (Drinks › Coffee)" in it.model.requests[3].last


@requirement("N-09")
@pytest.mark.parametrize(
    ("mode", "ends"),
    [("plan", "ran"), ("ask", "asked"), ("default", "ran"), ("auto", "ran")],
)
async def test_each_mode_says_of_a_collection_what_it_says_of_reading_the_workspace(
    own: OwnStage, mode: str, ends: str
) -> None:
    it = await own(mode=None if mode == "default" else mode, collections=DOCS)
    put(it.scene.folder, {"docs/drinks.md": TEA})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    turn = it.say()
    if ends == "asked":
        card = await it.scene.card()
        title = "".join(span.text for span in card.card.title)
        assert title == "Search the collection docs: kettle"
        await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert "docs/drinks.md:3–5" in it.model.requests[1].last
    decided = str([row["body"] for row in it.scene.rows("decided")])
    assert "queryCollection" in decided or "kettle" in decided


async def test_a_rule_that_denies_the_folder_denies_the_question_in_auto(own: OwnStage) -> None:
    it = await own(mode="auto", collections=DOCS, rules={"deny": ["read(./docs/**)"]})
    put(it.scene.folder, {"docs/drinks.md": TEA})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So not."))
    assert (await it.turn()).reason == "done"
    assert "whistles" not in it.model.requests[1].last


@requirement("N-09")
async def test_what_is_denied_secret_ignored_or_behind_a_link_is_in_no_index(
    own: OwnStage, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    put(outside, {"far.md": "The kettle is far."})
    it = await own(collections={"docs": {"paths": ["./**"]}}, rules={"deny": ["read(./secret/**)"]})
    put(
        it.scene.folder,
        {
            "docs/drinks.md": TEA,
            "secret/plan.md": "The kettle is secret.",
            ".env": "KETTLE=1 the kettle key",
            "deploy.pem": "kettle",
            "built/out.md": "The kettle was built.",
            ".gitignore": "built/",
        },
    )
    (it.scene.folder / "led").symlink_to(outside)
    (it.scene.folder / "led.md").symlink_to(outside / "far.md")
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    told = it.model.requests[1].last
    assert "1 passage for" in told
    assert "docs/drinks.md" in told
    assert "(3 left out, by a rule or as secrets)" in told
    for path in (it.scene.state / "collections").rglob("*.db*"):
        for word in (b"is secret", b"KETTLE", b"is far", b"was built"):
            assert word not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0


@requirement("N-09")
async def test_what_is_denied_after_it_was_indexed_is_in_no_answer_and_no_index(
    own: OwnStage,
) -> None:
    it = await own(collections=DOCS)
    put(it.scene.folder, {"docs/drinks.md": TEA, "docs/plan.md": "Our kettle plan."})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    await it.turn()
    assert "Our kettle plan." in it.model.requests[1].last
    await it.scene.change_settings(workspace={"rules": {"deny": ["read(./docs/plan.md)"]}})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    await it.turn()
    told = it.model.requests[3].last
    assert "docs/drinks.md" in told
    assert "Our kettle plan." not in told


@requirement("N-09")
async def test_what_is_denied_and_then_edited_is_not_read_again_by_a_question(
    own: OwnStage,
) -> None:
    it = await own(collections=DOCS)
    put(it.scene.folder, {"docs/drinks.md": TEA, "docs/plan.md": "Our kettle plan."})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    await it.turn()
    await it.scene.client.request("collection/stop", {"name": "docs"})
    await it.scene.change_settings(workspace={"rules": {"deny": ["read(./docs/plan.md)"]}})
    put(it.scene.folder, {"docs/plan.md": "Our kettle plan is denied by now."})
    it.model.reply(asks("kettle plan"))
    it.model.reply(text("So."))
    await it.turn()
    assert "docs/drinks.md" in it.model.requests[-1].last
    for path in (it.scene.state / "collections").rglob("*.db*"):
        assert b"denied by now" not in path.read_bytes()


@requirement("N-09")
async def test_a_rule_holds_by_the_name_of_a_link_that_leads_to_a_collection(
    own: OwnStage,
) -> None:
    deny = {"deny": ["read(./docs/private/**)"]}
    it = await own(collections=DOCS, rules=deny)
    files = {"real/drinks.md": TEA, "real/private/x.md": "The kettle is private."}
    put(it.scene.folder, files)
    (it.scene.folder / "docs").symlink_to("real")
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    await it.turn()
    assert "real/drinks.md" in it.model.requests[-1].last
    assert "is private" not in it.model.requests[-1].last
    for path in (it.scene.state / "collections").rglob("*.db*"):
        assert b"is private" not in path.read_bytes()
    # What is denied after it was indexed is judged by both of its names as well.
    await it.scene.change_settings(user={"rules": {"deny": [*deny["deny"], "read(./docs/d*)"]}})
    await it.scene.client.request("collection/stop", {"name": "docs"})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    await it.turn()
    assert "whistles" not in it.model.requests[-1].last


def kept(it: OwnStage | Any) -> set[str]:
    """The collections that have an index on the disk."""
    files = (it.scene.state / "collections").rglob("*.db*")
    return {path.name.rpartition("-")[0].partition("-")[0] for path in files}


@requirement("N-09")
@pytest.mark.parametrize("left", [DOCS, {}], ids=["some", "none"])
async def test_nothing_is_kept_of_a_collection_that_is_not_set_up_any_more(
    own: OwnStage, left: dict[str, Any]
) -> None:
    it = await own(collections={**DOCS, "old": {"paths": ["./old/**"]}})
    put(it.scene.folder, {"docs/drinks.md": TEA, "old/plan.md": "An old plan."})
    for name in ("docs", "old"):
        it.model.reply(asks("kettle plan", name))
    it.model.reply(text("So."))
    await it.turn()
    assert kept(it) == {"docs", "old"}
    await it.scene.change_settings(user={"collections": left})
    await it.scene.client.until(lambda: kept(it) == set(left))


@requirement("N-09")
async def test_a_collection_that_is_set_up_otherwise_reads_only_what_is_new(
    own: OwnStage,
) -> None:
    it = await own(collections=DOCS)
    put(it.scene.folder, {"docs/drinks.md": TEA, "more/plan.md": "A kettle plan."})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    await it.turn()
    (file,) = (it.scene.state / "collections").rglob("*.db")
    number = file.stat().st_ino
    both = {"docs": {"paths": ["./docs/**/*.md", "./more/**"]}}
    await it.scene.change_settings(user={"collections": both})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    await it.turn()
    told = it.model.requests[-1].last
    assert "docs/drinks.md:3–5" in told
    assert "more/plan.md:1" in told
    (again,) = (it.scene.state / "collections").rglob("*.db")
    assert (again == file, again.stat().st_ino) == (False, number)


@requirement("N-09")
async def test_an_edit_is_found_and_what_is_gone_is_not(own: OwnStage) -> None:
    it = await own(collections=DOCS)
    put(it.scene.folder, {"docs/drinks.md": TEA, "docs/old.md": "A zeppelin."})
    for question in ("zeppelin", "whistles", "trumpets"):
        it.model.reply(asks(question))
    it.model.reply(text("So."))
    await it.turn()
    assert "docs/old.md:1" in it.model.requests[1].last
    put(it.scene.folder, {"docs/drinks.md": TEA.replace("whistles", "trumpets")})
    (it.scene.folder / "docs/old.md").unlink()
    it.model.reply(asks("the kettle whistles"))
    it.model.reply(asks("zeppelin"))
    it.model.reply(text("So."))
    await it.turn()
    assert "trumpets when the water" in it.model.requests[-2].last
    assert "Nothing for “zeppelin”" in it.model.requests[-1].last


@requirement("N-09")
async def test_a_broken_index_is_made_anew_and_that_is_said(own: OwnStage) -> None:
    it = await own(collections=DOCS)
    put(it.scene.folder, {"docs/drinks.md": TEA})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    await it.turn()
    (file,) = (it.scene.state / "collections").rglob("docs-*.db")
    for each in file.parent.iterdir():
        each.unlink()
    file.write_bytes(b"no database" * 1000)
    file.chmod(0o600)
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    await it.turn()
    told = it.model.requests[-1].last
    assert "docs/drinks.md:3–5" in told
    assert "Its index was broken, so it is made anew." in told


async def test_without_collections_the_tools_that_search_them_are_not_offered(
    own: OwnStage,
) -> None:
    it = await own()
    it.model.reply(text("So."))
    await it.turn()
    assert "query_collection" not in str(it.model.requests[0].body["tools"])
    it = await own(collections=DOCS)
    it.model.reply(text("So."))
    await it.turn()
    assert "query_collection" in str(it.model.requests[-1].body["tools"])


@requirement("N-09")
async def test_what_means_the_same_is_found_where_no_word_is_the_same(own: OwnStage) -> None:
    embed = {"provider": "openai", "model": "played", "url": ""}
    it = await own()
    embed["url"] = it.model.url_for("openai")
    it.model.alike.update(automobile="car", fix="repair")
    docs = {"paths": ["./docs/**"], "embed": embed}
    await it.scene.change_settings(user={"collections": {"docs": docs}})
    put(it.scene.folder, {"docs/a.md": "Repair a car.", "docs/b.md": "Bake a cake."})
    it.model.reply(asks("fix automobile"))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    told = it.model.requests[1].last
    first, second = told.index("docs/a.md:1"), told.index("docs/b.md:1")
    assert first < second
    assert max(it.model.embedded) == "fix automobile"
    # What stays as it is is not sent again.
    before = len(it.model.embedded)
    it.model.reply(asks("fix automobile"))
    it.model.reply(text("So."))
    await it.turn()
    assert it.model.embedded[before:] == ["fix automobile"]


FAR = {"provider": "openai", "model": "m", "url": "https://embed.invalid/v1", "key": "K"}
SENT = {"docs": {"paths": ["./docs/**"], "embed": FAR}}


@requirement("N-09")
@pytest.mark.parametrize("mode", ["plan", "default", "auto"])
async def test_a_model_elsewhere_is_sent_nothing_and_nobody_is_asked(
    own: OwnStage, mode: str
) -> None:
    it = await own(mode=None if mode == "default" else mode, collections=SENT)
    put(it.scene.folder, {"docs/drinks.md": TEA})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    told = it.model.requests[-1].last
    assert "docs/drinks.md" in told
    assert "Assent compares by meaning only by a model on this machine." in told
    (state,) = (await it.scene.client.request("collection/list", {})).collections
    assert state.state == "ready"
    assert "embed.invalid" not in str([row["body"] for row in it.scene.rows("decided")])


@requirement("N-09")
@pytest.mark.parametrize("mode", ["plan", "auto"])
async def test_a_rule_that_denies_the_host_lets_nothing_be_sent_in_any_mode(
    own: OwnStage, model: ModelServer, mode: str
) -> None:
    near = {"provider": "ollama", "model": "played", "url": model.url}
    it = await own(
        mode=mode,
        collections={"docs": {"paths": ["./docs/**"], "embed": near}},
        rules={"deny": ["fetch(domain:127.0.0.1)"]},
    )
    put(it.scene.folder, {"docs/drinks.md": TEA})
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    told = it.model.requests[-1].last
    assert "docs/drinks.md" in told
    assert "by words alone" in told
    assert it.model.embedded == []


@requirement("N-09")
async def test_a_workspace_names_its_own_files_and_neither_others_nor_a_host(
    own: OwnStage,
) -> None:
    it = await own()
    claimed = {
        "own": {"paths": ["./docs/**"]},
        "home": {"paths": ["~/**"]},
        "up": {"paths": ["./../**"]},
        "sent": {"paths": ["./docs/**"], "embed": "openai:text-embedding-3-small"},
    }
    await it.scene.change_settings(workspace={"collections": claimed})
    put(it.scene.folder, {"docs/drinks.md": TEA})
    it.model.reply(call("list_collections", {}))
    it.model.reply(text("So."))
    await it.turn()
    told = it.model.requests[-1].last
    assert "own (./docs/**)" in told
    for name in ("home", "up", "sent"):
        assert name not in told


@requirement("N-09")
async def test_how_an_index_is_is_told_and_one_that_was_stopped_waits_for_the_person(
    own: OwnStage,
) -> None:
    it = await own(collections=DOCS)
    client = it.scene.client

    async def state() -> str:
        (told,) = (await client.request("collection/list", {})).collections
        return str(told.state)

    put(it.scene.folder, {"docs/drinks.md": TEA})
    assert await state() == "idle"
    it.model.reply(asks("kettle"))
    it.model.reply(text("So."))
    await it.turn()
    assert await state() == "ready"
    assert [told.state for told in client.told("collection/changed")] == ["reading", "ready"]
    stopped = await client.request("collection/stop", {"name": "docs"})
    assert stopped.state == "stopped"
    put(it.scene.folder, {"docs/new.md": "A zeppelin."})
    it.model.reply(asks("zeppelin"))
    it.model.reply(text("So."))
    await it.turn()
    assert "the person stopped reading it" in it.model.requests[-1].last
    assert "docs/new.md" not in it.model.requests[-1].last
    await client.request("collection/index", {"name": "docs"})
    it.model.reply(asks("zeppelin"))
    it.model.reply(text("So."))
    await it.turn()
    assert "docs/new.md:1" in it.model.requests[-1].last
