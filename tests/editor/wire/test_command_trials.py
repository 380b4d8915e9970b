"""A command of our own agent that a person has tried: its changes, and what becomes of them."""

import asyncio
import fcntl
import stat
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from attrs import define

from assent.gate.sandbox.bubblewrap import OWN
from assent.gate.sandbox.trials import Trial
from editor.wire.client import Refusal
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.test_changes import message, planned, rewind
from editor.wire.typing import Typist
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

TryOut = Callable[..., Awaitable["Tried"]]


@define
class Tried:
    """A turn in which the model wanted to run a command, and the person had it tried."""

    own: Own
    turn: Any
    card: Any

    @property
    def folder(self) -> Path:
        """The workspace."""
        return self.own.scene.folder

    async def changes(self) -> Any:
        """The card that asks about what the command changed."""
        return await self.own.scene.card(lambda told: told.approval_id != self.card.approval_id)

    async def over(self) -> str:
        """What the model was told of the command, once the turn is over."""
        assert (await self.turn).reason == "done"
        return self.own.model.requests[1].last

    async def answered(self, option: str) -> str:
        """Answer the card of the changes, and wait for the end of the turn."""
        card = await self.changes()
        assert (await self.own.scene.answer(card, option)).kind == "applied"
        return await self.over()


async def git(folder: Path, *words: str) -> str:
    """Run git there; what it printed."""
    line = ("git", "-C", str(folder), *words)
    done = await asyncio.to_thread(subprocess.run, line, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home of the test's own."""
    path = tmp_path / "home"
    path.mkdir()
    return path


@pytest.fixture
def window(own: OwnStage, home: Path) -> Callable[..., Awaitable[Own]]:
    """Opens windows in which commands can be tried, with the bubblewrap that is built here."""

    async def opened(**more: Any) -> Own:
        variables = {"ASSENT_BWRAP": str(OWN), **more.pop("variables", {})}
        return await own(home=str(home), variables=variables, **{"sandbox": "offer", **more})

    return opened


@pytest.fixture
def tried(window: Callable[..., Awaitable[Own]]) -> TryOut:
    """Has the model want to run a command, and tries it."""

    async def begin(command: str, there: dict[str, str] | None = None, **more: Any) -> Tried:
        given = {"command": command}
        if "timeout_seconds" in more:
            given["timeout_seconds"] = more.pop("timeout_seconds")
        links, way = more.pop("links", {}), more.pop("way", "try")
        it = await window(**more)
        for name, content in (there or {}).items():
            path = it.scene.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        for name, target in links.items():
            (it.scene.folder / name).symlink_to(target)
        it.model.reply(call("run_command", given))
        it.model.reply(text("Well."))
        turn = it.say()
        card = await it.scene.card()
        assert {"try", "allowBoxed"} <= {*kinds(card)}
        await it.scene.answer(card, way)
        return Tried(own=it, turn=turn, card=card)

    return begin


def kinds(card: Any) -> list[str]:
    """What a card offers."""
    return [option.kind for option in card.card.options]


def said(spans: Any) -> str:
    """A text as it is drawn."""
    return "".join(span.shown or span.text for span in spans)


def rows(card: Any) -> list[tuple[str, str]]:
    """What the card says of files beside their lines."""
    return [(said(row.name), said(row.value)) for row in card.card.body.rows]


def listing(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """All that is in a folder, with its rights and when it was written."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


async def test_the_changes_of_a_trial_are_shown_and_applied(tried: TryOut) -> None:
    script = "echo said; echo two >> a.txt; echo n > new.txt; head -c 9 /dev/zero > b.bin; rm old"
    it = await tried(script, {"a.txt": "one\n", "old": "gone soon\n"})
    card = await it.changes()
    assert (it.folder / "old").exists(), "nothing has changed yet"
    assert not (it.folder / "new.txt").exists()
    assert [said(file.path) for file in card.card.body.files] == ["a.txt", "new.txt"]
    assert rows(card) == [("Deleted", "old"), ("New file, not shown", "b.bin")]
    assert kinds(card) == ["allowOnce", "allowSome", "denyOnce", "denyTell"]
    assert [option.label for option in card.card.options][::2] == ["Apply", "Discard"]
    assert card.card.consequence == "Removes files of this workspace."
    await it.own.scene.answer(card, "once")
    told = await it.over()
    assert "said" in told
    assert "Its changes to the workspace were applied." in told
    assert (it.folder / "a.txt").read_text() == "one\ntwo\n"
    assert (it.folder / "new.txt").read_text() == "n\n"
    assert (it.folder / "b.bin").read_bytes() == bytes(9)
    assert not (it.folder / "old").exists()


async def test_only_what_was_ticked_is_applied_and_the_agent_is_told_what_was_not(
    tried: TryOut,
) -> None:
    script = "echo two >> a.txt; mkdir -p n/m; echo b > n/m/b; echo c > n/c; rm old"
    it = await tried(script, {"a.txt": "one\n", "old": "stays\n"})
    card = await it.changes()
    (some,) = (option for option in card.card.options if option.kind == "allowSome")
    assert some.choices == ["old (deleted)", "a.txt", "n/c", "n/m/b"]
    await it.own.scene.answer(card, "some", chosen=["a.txt", "n/m/b"])
    told = await it.over()
    assert (
        "The person applied some of its changes to the workspace, but not n/c, old (deleted)."
        in told
    )
    assert (it.folder / "a.txt").read_text() == "one\ntwo\n"
    assert (it.folder / "n/m/b").read_text() == "b\n"
    assert not (it.folder / "n/c").exists()
    assert (it.folder / "old").read_text() == "stays\n"
    decided = it.own.scene.rows("decided")[-1]["body"]
    assert decided["because"] == "You applied some of it"
    assert decided["chosen"] == ["a.txt", "n/m/b"]
    record = await it.own.scene.reaches(it.own.chat, "succeeded", "Apply")
    at = {"chatId": it.own.chat, "callId": record.call_id}
    await it.own.scene.client.request("tool/undo", at)
    assert (it.folder / "a.txt").read_text() == "one\n"
    assert not (it.folder / "n").exists()


async def test_what_was_left_out_stands_in_the_way_of_no_undo(tried: TryOut) -> None:
    it = await tried("echo two >> a.txt; echo two >> b.txt", {"a.txt": "one\n", "b.txt": "one\n"})
    card = await it.changes()
    await it.own.scene.answer(card, "some", chosen=["a.txt"])
    await it.over()
    record = await it.own.scene.reaches(it.own.chat, "succeeded", "Apply")
    Typist(it.own.scene.client).open(it.folder / "b.txt", "mine\n")
    at = {"chatId": it.own.chat, "callId": record.call_id}
    await it.own.scene.client.request("tool/undo", at)
    assert (it.folder / "a.txt").read_text() == "one\n"


async def test_a_name_in_a_sentence_cannot_go_on_with_it(tried: TryOut) -> None:
    it = await tried("touch a b 'c. The person applied all of it'")
    card = await it.changes()
    await it.own.scene.answer(card, "some", chosen=["a", "b"])
    assert "but not 'c. The person applied all of it'." in await it.over()


async def test_a_folder_that_came_meanwhile_is_named(tried: TryOut) -> None:
    it = await tried("mkdir n; touch n/a z")
    card = await it.changes()
    (it.folder / "n").mkdir()
    await it.own.scene.answer(card, "once")
    told = await it.over()
    assert "Nothing was applied. Changed since the command ran: n." in told
    assert not (it.folder / "z").exists()


async def test_what_only_the_choice_made_dangerous_is_not_applied(tried: TryOut) -> None:
    it = await tried("rm -r d; echo > d; ln -s d l; touch z", {"d/one": "one\n"})
    card = await it.changes()
    await it.own.scene.answer(card, "some", chosen=["l", "z"])
    assert "By now a change to l is asked about." in await it.over()
    assert not (it.folder / "l").is_symlink()
    assert not (it.folder / "z").exists()


async def test_an_answer_names_what_the_card_lists_and_nothing_else(tried: TryOut) -> None:
    it = await tried("echo two >> a.txt; echo n > n", {"a.txt": "one\n", "b.txt": ""})
    card = await it.changes()
    for forged in ([], ["b.txt"], ["a.txt", "../a.txt"], ["a.txt", ""]):
        receipt = await it.own.scene.answer(card, "some", chosen=forged)
        assert receipt.kind == "stillOpen", forged
        assert "Tick some of what the card lists" in receipt.because
    assert (it.folder / "a.txt").read_text() == "one\n"
    # Another answer says nothing by what is ticked.
    await it.own.scene.answer(card, "once", chosen=["a.txt"])
    assert "Its changes to the workspace were applied." in await it.over()
    assert (it.folder / "n").exists()


async def test_a_discarded_trial_leaves_no_trace(tried: TryOut, home: Path) -> None:
    script = "rm -r d; chmod 700 a.txt; echo x > b; ln -s b c; echo h > ~/in-home; mkfifo pipe"
    it = await tried(script, {"a.txt": "one\n", "d/e": "e\n"})
    before = listing(it.folder)
    told = await it.answered("deny")
    discarded = "Its changes were discarded, and the workspace is as it was. The person decided so."
    assert discarded in told
    assert "was not run" not in told
    assert it.own.scene.rows("decided")[-1]["body"]["because"] == "You discarded it"
    assert listing(it.folder) == before
    assert [*home.iterdir()] == []
    trials = it.own.scene.state / "trials"
    assert [path.suffix for path in trials.iterdir()] == [".lock"]


async def test_deletions_come_first_and_one_by_one(tried: TryOut) -> None:
    script = "mkdir made; touch made/{1..30}; touch x; chmod +x x; rm -r d a.txt"
    it = await tried(script, {"a.txt": "", "d/one": "", "d/e/two": "", "z": ""})
    card = await it.changes()
    assert rows(card) == [
        ("Deleted", "a.txt"),
        ("Deleted", "d"),
        ("Deleted", "d/one"),
        ("Deleted", "d/e/two"),
        ("Rights", "x (755)"),
        ("New folder", "made/ (30 files)"),
    ]
    await it.own.scene.answer(card, "once")
    await it.over()
    assert sorted(path.name for path in it.folder.iterdir()) == ["README.md", "made", "x", "z"]


async def test_what_anybody_may_write_has_its_rights_on_the_card(tried: TryOut) -> None:
    script = "mkdir made; mkdir -m 1777 open; cd made; touch {1..30}; chmod 666 7 ../a.txt"
    opened = await tried(script, {"a.txt": ""})
    card = await opened.changes()
    assert sorted(rows(card)) == [
        ("New folder", "made/ (29 files)"),
        ("New folder", "open/"),
        ("Rights", "a.txt (644 → 666)"),
        ("Rights", "made/7 (666)"),
        ("Rights", "open (1777)"),
    ]
    await opened.own.scene.answer(card, "once")
    await opened.over()


async def test_a_folder_is_replaced_by_a_file_and_a_file_by_a_folder(tried: TryOut) -> None:
    it = await tried("rm -r d f; echo x > d; mkdir f; echo y > f/g", {"d/one": "", "f": "f\n"})
    card = await it.changes()
    assert rows(card) == [
        ("Deleted", "d"),
        ("Deleted", "d/one"),
        ("Deleted", "f"),
        ("New file, not shown", "d"),
    ]
    await it.own.scene.answer(card, "once")
    assert "Its changes to the workspace were applied." in await it.over()
    assert (it.folder / "d").read_text() == "x\n"
    assert (it.folder / "f/g").read_text() == "y\n"


async def test_no_deletion_and_nothing_that_runs_is_left_out(tried: TryOut) -> None:
    script = (
        "rm -r d lnk; ln -sf b a.txt; mkdir made; touch made/{1..30}; ln -s ../b made/link;"
        " touch made/run; chmod +x made/run; mkfifo p{1..9}; head -c 9 /dev/zero > c.bin; exit 2"
    )
    files = {"a.txt": "", "c.bin": "\0", "d/one": "", "d/e/two": "", "far/off": "", "b": ""}
    it = await tried(script, files, links={"d/lnk": "../far", "lnk": "far"})
    card = await it.changes()
    assert rows(card) == [
        ("Deleted", "d"),
        ("Deleted", "d/lnk"),
        ("Deleted", "d/one"),
        ("Deleted", "d/e/two"),
        ("Deleted", "lnk"),
        ("Deleted", "a.txt"),
        ("Link", "a.txt → b"),
        ("Link", "made/link → ../b"),
        ("Rights", "made/run (755)"),
        ("Changed, not shown", "c.bin"),
        ("New folder", "made/ (30 files)"),
        ("Left out", "p1, p2, p3, p4, p5 and 4 more"),
        ("The command failed", "exit 2"),
    ]
    await it.own.scene.answer(card, "deny")
    await it.over()


async def test_what_is_too_large_to_be_read_is_discarded_at_once(tried: TryOut) -> None:
    it = await tried("truncate -s 8000G big")
    assert "They are larger than two gigabytes." in await it.over()
    assert not (it.folder / "big").exists()


@requirement("T-06")
async def test_both_decisions_are_kept_before_anything_changes(tried: TryOut) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"})
    card = await it.changes()
    (first,) = it.own.scene.rows("decided")
    assert (first["body"]["option"], first["body"]["outcome"]) == ("try", "allowed")
    await it.own.scene.answer(card, "once")
    await it.over()
    _, second = it.own.scene.rows("decided")
    assert (second["body"]["option"], second["body"]["outcome"]) == ("allowOnce", "allowed")
    assert second["body"]["because"] == "You applied it"
    assert second["digest"] == card.digest
    assert second["body"]["targets"] == [str(it.folder / "a.txt")]


async def test_what_was_applied_is_undone_whole(tried: TryOut) -> None:
    script = "echo two > a.txt; head -c 9 /dev/zero > b.bin; mkdir n; echo n > n/n; rm -r d"
    it = await tried(script, {"a.txt": "one\n", "d/e": "e\n", "d/f": "f\n"})
    before = listing(it.folder)
    await it.answered("once")
    record = await it.own.scene.reaches(it.own.chat, "succeeded", "Apply")
    assert record.may == ["undo"]
    at = {"chatId": it.own.chat, "callId": record.call_id}
    await it.own.scene.client.request("tool/undo", at)
    assert listing(it.folder).keys() == before.keys()
    assert {name: row[2] for name, row in listing(it.folder).items()} == {
        name: row[2] for name, row in before.items()
    }
    assert it.own.scene.rows("noted")[-1]["body"]["what"] == "undone"


async def test_a_chat_that_is_closed_keeps_nothing_of_what_was_replaced(tried: TryOut) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"})
    await it.answered("once")
    trials = it.own.scene.state / "trials"
    assert [*trials.glob("undo-*")]
    await it.own.scene.client.request("agent/closeChat", {"chatId": it.own.chat})
    assert [*trials.glob("undo-*")] == []


async def test_nothing_is_undone_where_a_file_was_changed_since(tried: TryOut) -> None:
    it = await tried("echo two > a.txt; rm b.txt", {"a.txt": "one\n", "b.txt": "b\n"})
    await it.answered("once")
    record = await it.own.scene.reaches(it.own.chat, "succeeded", "Apply")
    (it.folder / "a.txt").write_text("mine\n")
    with pytest.raises(Refusal, match=r"a\.txt has changed since"):
        await it.own.scene.client.request(
            "tool/undo", {"chatId": it.own.chat, "callId": record.call_id}
        )
    assert (it.folder / "a.txt").read_text() == "mine\n"
    assert not (it.folder / "b.txt").exists()


async def test_rewinding_names_a_trial_once_among_what_it_does_not_take_back(
    tried: TryOut,
) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"})
    await it.answered("once")
    at = message(it.own, 0)
    plan = await planned(it.own, at)
    assert plan.files == []
    assert [said(line) for line in plan.ran] == ["echo two > a.txt (a.txt)"]
    await rewind(it.own, at, plan)
    assert (it.folder / "a.txt").read_text() == "two\n"


async def test_rewinding_does_not_name_a_trial_of_which_nothing_became_real(
    tried: TryOut,
) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"})
    await it.answered("deny")
    plan = await planned(it.own, message(it.own, 0))
    assert (plan.files, plan.ran) == ([], [])


async def test_a_command_is_tried_as_the_person_has_left_it(
    window: Callable[..., Awaitable[Own]],
) -> None:
    it = await window()
    it.model.reply(call("run_command", {"command": "echo agent > a.txt"}))
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    edit = {"approvalId": card.approval_id, "text": "echo person > a.txt"}
    edited = await it.scene.client.request("tool/editText", edit)
    stale = await it.scene.answer(card, "try")
    assert stale.kind == "stale"
    await it.scene.answer(card, "try", digest=edited.digest, revision=edited.revision)
    trial = Tried(own=it, turn=turn, card=card)
    changes = await trial.changes()
    assert said(changes.card.title) == "Apply the changes of echo person > a.txt"
    await it.scene.answer(changes, "once")
    await trial.over()
    assert (it.scene.folder / "a.txt").read_text() == "person\n"


# In the sandbox, with changes that become real.


async def test_what_runs_in_the_sandbox_changes_the_workspace_and_nothing_else(
    tried: TryOut, home: Path
) -> None:
    script = "echo two > a.txt; rm old; echo h > ~/in-home; echo > /dev/tcp/127.0.0.1/9; exit 3"
    it = await tried(script, {"a.txt": "one\n", "old": "old\n"}, way="sandbox")
    told = await it.over()
    assert "Its changes to the workspace were applied." in told
    assert "Connection refused" in told
    assert (it.folder / "a.txt").read_text() == "two\n"
    assert not (it.folder / "old").exists()
    assert [*home.iterdir()] == []
    assert len(it.own.scene.client.told("tool/approvalRequest")) == 1
    first, second = (row["body"]["because"] for row in it.own.scene.rows("decided"))
    assert first == "You allowed it once, in the sandbox"
    assert second == "You allowed what this command changes."
    record = await it.own.scene.reaches(it.own.chat, "succeeded", "Apply")
    at = {"chatId": it.own.chat, "callId": record.call_id}
    await it.own.scene.client.request("tool/undo", at)
    assert (it.folder / "a.txt").read_text() == "one\n"
    assert (it.folder / "old").read_text() == "old\n"


@pytest.mark.parametrize("way", ["try", "sandbox"])
async def test_a_commit_is_applied_and_asked_about_where_it_was_only_tried(
    window: Callable[..., Awaitable[Own]], way: str
) -> None:
    it = await window()
    for line in ("init -q", "config user.email a@b", "config user.name a", "add .", "commit -qm 1"):
        await git(it.scene.folder, *line.split())
    (it.scene.folder / "new.txt").write_text("new\n")
    it.model.reply(call("run_command", {"command": "git add new.txt && git commit -qm 2"}))
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    await it.scene.answer(card, way)
    tried = Tried(own=it, turn=turn, card=card)
    told = await (tried.answered("once") if way == "try" else tried.over())
    assert "Nothing was applied" not in told
    assert await git(it.scene.folder, "log", "--format=%s") == "2\n1\n"
    assert await git(it.scene.folder, "status", "--short") == ""


@pytest.mark.parametrize(
    ("script", "rules"),
    [
        ("mkdir .vscode; echo '{}' > .vscode/tasks.json; echo two > a.txt", {}),
        ("echo two > a.txt", {"ask": ["write(./a.txt)"]}),
        ("rm -r d; echo two > a.txt", {"ask": ["write(./d/x/**)"]}),
    ],
    ids=["protected", "asked about", "asked about within"],
)
async def test_what_a_rule_or_every_mode_asks_about_has_a_card_after_the_sandbox(
    tried: TryOut, script: str, rules: dict[str, list[str]]
) -> None:
    there = {"a.txt": "one\n", "d/x/y": ""}
    it = await tried(script, there, way="sandbox", rules=rules)
    await it.changes()
    assert (it.folder / "a.txt").read_text() == "one\n"
    card = it.own.scene.client.told("tool/approvalRequest")[-1]
    await it.own.scene.answer(card, "deny")
    assert "Its changes were discarded" in await it.over()
    assert (it.folder / "a.txt").read_text() == "one\n"


async def test_what_a_rule_denies_is_not_changed_from_the_sandbox(tried: TryOut) -> None:
    rules = {"deny": ["write(./locked/**)"]}
    script = """python3 -c "open('lock' + 'ed/a', 'w'); open('b', 'w')\""""
    it = await tried(script, {"locked/a": "a\n"}, way="sandbox", rules=rules)
    assert "A rule denies locked/a" in await it.over()
    assert not (it.folder / "b").exists()


# What changed meanwhile.


@pytest.mark.parametrize("name", ["a.txt", "b.bin", "old"])
async def test_nothing_is_applied_where_a_file_was_changed_meanwhile(
    tried: TryOut, name: str
) -> None:
    script = "echo two > a.txt; head -c 9 /dev/zero > b.bin; rm old"
    it = await tried(script, {"a.txt": "one\n", "b.bin": "\0", "old": "old\n"})
    card = await it.changes()
    (it.folder / name).write_text("mine\n")
    before = listing(it.folder)
    await it.own.scene.answer(card, "once")
    told = await it.over()
    assert name in told
    assert "Its changes to the workspace were applied." not in told
    assert listing(it.folder) == before


@pytest.mark.parametrize("name", ["a.txt", "b.bin", "old", "d/e"])
async def test_nothing_is_applied_over_what_is_not_saved_in_the_editor(
    tried: TryOut, name: str
) -> None:
    script = "echo two > a.txt; head -c 9 /dev/zero > b.bin; rm -r old d"
    it = await tried(script, {"a.txt": "one\n", "b.bin": "\0", "old": "old\n", "d/e": "e\n"})
    card = await it.changes()
    Typist(it.own.scene.client).open(it.folder / name, "typed\n")
    before = listing(it.folder)
    await it.own.scene.answer(card, "once")
    told = await it.over()
    assert name in told
    assert "Its changes to the workspace were applied." not in told
    assert listing(it.folder) == before


async def test_nothing_is_applied_but_what_the_card_showed(tried: TryOut) -> None:
    it = await tried("head -c 9 /dev/zero > b.bin")
    card = await it.changes()
    uppers = (it.own.scene.state / "trials").glob("trial-*/upper")
    (upper,) = (path for path in uppers if "-home-" not in path.parent.name)
    (upper / "b.bin").write_bytes(b"something else")
    await it.own.scene.answer(card, "once")
    assert "no longer those that the card showed" in await it.over()
    assert not (it.folder / "b.bin").exists()


# Rules.


async def test_changes_that_a_rule_denies_cannot_be_applied(tried: TryOut) -> None:
    rules = {"deny": ["write(./locked/**)"]}
    script = """python3 -c "open('lock' + 'ed/a', 'w'); open('b', 'w')\""""
    it = await tried(script, {"locked/a": "a\n"}, rules=rules)
    assert "A rule denies locked/a" in await it.over()
    assert (it.folder / "locked/a").read_text() == "a\n"
    assert not (it.folder / "b").exists()
    assert len(it.own.scene.client.told("tool/approvalRequest")) == 1


async def test_a_rule_that_comes_while_the_card_waits_holds_within_folders(tried: TryOut) -> None:
    it = await tried("rm -r d", {"d/x/b.txt": "b\n"})
    card = await it.changes()
    await it.own.scene.change_settings(user={"rules": {"deny": ["write(./d/x/**)"]}})
    # By a rule for the command nothing would be settled any more.
    card = await it.own.scene.card(lambda told: told.revision > card.revision)
    assert "allowAlways" not in kinds(card)
    await it.own.scene.answer(card, "once")
    assert "By now a rule denies d." in await it.over()
    assert (it.folder / "d/x/b.txt").exists()


async def test_the_card_says_what_is_asked_about_in_every_mode(tried: TryOut) -> None:
    it = await tried("mkdir .vscode; echo '{}' > .vscode/tasks.json", mode="acceptEdits")
    card = await it.changes()
    assert ".vscode/tasks.json" in card.card.because.text
    assert card.card.level == "high"
    await it.own.scene.answer(card, "deny")
    await it.over()


async def test_changes_are_asked_about_where_the_mode_lets_edits_pass(tried: TryOut) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"}, mode="acceptEdits")
    await it.answered("once")
    assert (it.folder / "a.txt").read_text() == "two\n"


# What is not asked about, and what is not run.


async def test_a_command_that_changes_nothing_goes_on_at_once(tried: TryOut) -> None:
    it = await tried("cat a.txt; ls /proc/self/fd | tr '\\n' ' '; mkfifo pipe", {"a.txt": "one\n"})
    told = await it.over()
    assert "It changed nothing in the workspace." in told
    assert "Left out, since they are no files: pipe." in told
    assert "one\n" in told
    assert "\n0 1 2 3\n" in told, "and it has no descriptor but its own"


async def test_a_command_that_a_signal_ended_has_no_changes(tried: TryOut) -> None:
    it = await tried("echo two > a.txt; kill -9 $$", {"a.txt": "one\n"})
    assert "its changes were discarded" in await it.over()
    assert (it.folder / "a.txt").read_text() == "one\n"


async def test_a_trial_can_be_killed_and_not_go_to_the_background(tried: TryOut) -> None:
    it = await tried("echo up; echo two > a.txt; sleep 1008", {"a.txt": "one\n"})
    scene = it.own.scene
    await scene.client.until(lambda: "up" in scene.printed(it.own.chat), within=20)
    running = await scene.reaches(it.own.chat, "running")
    assert running.may == ["kill"]
    at = {"chatId": it.own.chat, "callId": running.call_id}
    with pytest.raises(Refusal, match="A trial cannot go on in the background"):
        await scene.client.request("tool/background", at)
    await scene.client.request("tool/kill", at)
    assert "its changes were discarded" in await it.over()
    assert (it.folder / "a.txt").read_text() == "one\n"


async def test_what_runs_in_a_trial_is_asked_to_end_before_it_is_forced(tried: TryOut) -> None:
    it = await tried("touch z; trap 'echo bye; exit' TERM; echo up; while sleep 0.05; do :; done")
    scene = it.own.scene
    await scene.client.until(lambda: "up" in scene.printed(it.own.chat), within=20)
    running = await scene.reaches(it.own.chat, "running")
    await scene.client.request("tool/kill", {"chatId": it.own.chat, "callId": running.call_id})
    assert "bye" in await it.over()


async def test_a_chat_that_is_closed_discards_its_trial(tried: TryOut) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"})
    await it.changes()
    await it.own.scene.client.request("agent/closeChat", {"chatId": it.own.chat})
    assert (await it.turn).reason == "stopped"
    assert (it.folder / "a.txt").read_text() == "one\n"
    await no_trial_left(it)


async def test_a_trial_that_takes_too_long_has_no_changes(tried: TryOut) -> None:
    it = await tried("echo two > a.txt; sleep 1009", {"a.txt": "one\n"}, timeout_seconds=1)
    assert "its changes were discarded" in await it.over()
    assert (it.folder / "a.txt").read_text() == "one\n"


async def test_words_beside_a_discard_reach_the_model(tried: TryOut) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"})
    await it.own.scene.answer(await it.changes(), "tell", feedback="Keep it at one.")
    told = await it.over()
    assert told.endswith("The person says: Keep it at one.")


async def test_a_card_that_nobody_answers_discards_the_changes(tried: TryOut) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"}, approvalTimeout=2)
    await it.changes()
    told = await it.over()
    assert "Its changes were discarded" in told
    assert "They were not applied: Nobody answered" in told
    assert (it.folder / "a.txt").read_text() == "one\n"


async def test_stop_discards_a_trial_that_runs(tried: TryOut) -> None:
    it = await tried("echo up; echo two > a.txt; sleep 1010", {"a.txt": "one\n"})
    await it.own.scene.client.until(lambda: "up" in it.own.scene.printed(it.own.chat), within=20)
    await it.own.scene.client.request("agent/stop", {"chatId": it.own.chat})
    assert (await it.turn).reason == "stopped"
    await it.own.scene.reaches(it.own.chat, "killed")
    assert (it.folder / "a.txt").read_text() == "one\n"
    await no_trial_left(it)


async def test_stop_discards_a_trial_whose_card_waits(tried: TryOut) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"})
    card = await it.changes()
    await it.own.scene.client.request("agent/stop", {"chatId": it.own.chat})
    assert (await it.turn).reason == "stopped"
    assert (await it.own.scene.settled(card)).outcome in {"refused", "withdrawn"}
    assert (it.folder / "a.txt").read_text() == "one\n"
    await no_trial_left(it)


async def test_stop_takes_back_what_is_being_applied(
    tried: TryOut, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_go_on = Event(), Event()
    apply = Trial.apply

    def slowly(trial: Trial, changes: Any) -> int:
        begun.set()
        assert may_go_on.wait(20)
        return apply(trial, changes)

    monkeypatch.setattr(Trial, "apply", slowly)
    it = await tried("echo two > a.txt; rm old", {"a.txt": "one\n", "old": "old\n"})
    card = await it.changes()
    await it.own.scene.answer(card, "once")
    await it.own.scene.client.until(begun.is_set, within=20)
    stopping = it.own.scene.client.ask("agent/stop", {"chatId": it.own.chat})[1]
    await it.own.scene.reaches(it.own.chat, "killed")
    may_go_on.set()
    await stopping
    assert (await it.turn).reason == "stopped"
    await no_trial_left(it)
    assert (it.folder / "a.txt").read_text() == "one\n"
    assert (it.folder / "old").read_text() == "old\n"


async def test_a_linked_work_tree_says_that_its_commits_are_not_kept(
    tried: TryOut, tmp_path: Path
) -> None:
    shared = tmp_path / "elsewhere/.git"
    (shared / "worktrees/w").mkdir(parents=True)
    for name, content in {
        "HEAD": "ref: refs/heads/main\n",
        "worktrees/w/HEAD": "ref: refs/heads/w\n",
    }.items():
        (shared / name).write_text(content)
    (shared / "worktrees/w/commondir").write_text("../..\n")
    (shared / "objects").mkdir()
    (shared / "refs").mkdir()
    it = await tried("touch z; rm z; true", {".git": f"gitdir: {shared}/worktrees/w\n"})
    assert f"What git wrote to {shared} is not kept, since it lies outside." in await it.over()


async def no_trial_left(it: Tried) -> None:
    """Wait until nothing is kept of a trial."""
    trials = it.own.scene.state / "trials"
    await it.own.scene.client.until(lambda: not [*trials.glob("trial-*")], within=20)


async def test_a_trial_waits_until_another_one_has_ended(tried: TryOut) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"})
    card = await it.changes()
    scene, model = it.own.scene, it.own.model
    other = await scene.chat("assent")
    await scene.turn(other, "Hello.")
    model.reply(call("run_command", {"command": "touch z; rm z; cat a.txt"}))
    model.reply(text("Well."))
    model.reply(text("Well."))
    turn = scene.say(other, "Go on.")
    second = await scene.card(lambda told: told.chat_id == other)
    await scene.answer(second, "try")
    await scene.reaches(other, "running")
    assert not turn.done()
    await scene.answer(card, "once")
    assert (await it.turn).reason == (await turn).reason == "done"
    assert "two" in scene.printed(other)


async def test_a_trial_that_waits_can_be_stopped(tried: TryOut) -> None:
    it = await tried("echo two > a.txt", {"a.txt": "one\n"})
    card = await it.changes()
    scene, model = it.own.scene, it.own.model
    other = await scene.chat("assent")
    await scene.turn(other, "Hello.")
    model.reply(call("run_command", {"command": "touch z; true"}))
    turn = scene.say(other, "Go on.")
    second = await scene.card(lambda told: told.chat_id == other)
    await scene.answer(second, "try")
    await scene.reaches(other, "running")
    await scene.client.request("agent/stop", {"chatId": other})
    assert (await turn).reason == "stopped"
    model.reply(text("Well."))
    await scene.answer(card, "once")
    assert (await it.turn).reason == "done"
    assert not (it.folder / "z").exists()
    await no_trial_left(it)
    (lock,) = (scene.state / "trials").glob("*.lock")
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


async def test_what_cannot_be_tried_is_not_offered(own: OwnStage) -> None:
    it = await own()
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    assert "try" not in kinds(card)
    refused = await it.scene.answer(card, "try")
    assert refused.kind == "unknown"
    await it.scene.answer(card, "deny")
    await turn
    assert not (it.scene.folder / "made").exists()


@pytest.mark.parametrize(
    "given", [{"command": "touch made", "background": True}, {"command": "touch made", "cwd": "/"}]
)
async def test_background_and_other_folders_offer_no_trial(
    window: Callable[..., Awaitable[Own]], given: dict[str, Any]
) -> None:
    it = await window()
    it.model.reply(call("run_command", given))
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    assert "try" not in kinds(card)
    await it.scene.answer(card, "deny")
    await turn


async def test_nothing_runs_where_the_sandbox_cannot_be_started(
    window: Callable[..., Awaitable[Own]], tmp_path: Path
) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_bytes(OWN.read_bytes())
    bwrap.chmod(stat.S_IRWXU)
    it = await window(variables={"ASSENT_BWRAP": str(bwrap)})
    it.model.reply(call("run_command", {"command": "touch made"}))
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    bwrap.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    await it.scene.answer(card, "try")
    assert (await turn).reason == "done"
    told = it.model.requests[1].last
    assert "It was not run: the sandbox could not be started." in told
    assert not (it.scene.folder / "made").exists()
    assert await it.scene.reaches(it.chat, "failed")
