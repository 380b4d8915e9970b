"""What was granted holds for exactly that, here, and only while it can be trusted."""

import json
import os
import pathlib
import stat
import threading
from typing import Any

import pytest

from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode
from assent.gate.settings.agents import ELIZA
from assent.gate.settings.attestation import Attestations, AttestationUnwritable
from assent.gate.settings.claims import bypass_wish, mode_wish
from assent.gate.settings.identity import identity_of, identity_of_all
from assent.gate.settings.reading import Reading, read
from assent.gate.settings.wishes import Standing, Wish

KEY = bytes(range(32))
BYPASS = bypass_wish(ELIZA)
AUTO = mode_wish(Mode.AUTO)
ON = {"bypassPermissions": {"workspace": {"eliza": True}}}
OFF = {"bypassPermissions": {"workspace": {"eliza": False}}}


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def state(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "state" / "attestations"


@pytest.fixture
def store(state: pathlib.Path, root: pathlib.Path) -> Attestations:
    return fresh(state, root)


def fresh(state: pathlib.Path, root: pathlib.Path, key: bytes = KEY) -> Attestations:
    """As a new server would see it."""
    return Attestations(state, identity_of(root), key)


def reading(store: Attestations, keys: dict[str, Any]) -> Reading:
    """As the server reads: what is not asked for any more is revoked."""
    found = read(keys, trusted=True, standing=store.standing)
    store.revoke_others({wish.digest for wish in found.claims})
    return found


def assert_bypassed(store: Attestations) -> None:
    assert reading(store, ON).bypassed == {"eliza"}


def assert_asked_anew(store: Attestations) -> None:
    found = read(ON, trusted=True, standing=store.standing)
    assert found.bypassed == frozenset()
    assert found.wishes == (BYPASS,)


class TestAnswers:
    def test_nothing_stands_before_an_answer(
        self, store: Attestations, state: pathlib.Path
    ) -> None:
        assert store.standing(BYPASS) is None
        assert store.problems == ()
        assert not state.exists()

    def test_a_grant_stands_for_the_next_server_too(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        store.grant(BYPASS)
        assert store.standing(BYPASS) == "granted"
        assert fresh(state, root).standing(BYPASS) is Standing.GRANTED

    def test_a_grant_stands_for_nothing_else(self, store: Attestations) -> None:
        store.grant(BYPASS)
        for key, name, value, fingerprint in (
            ("agents", "eliza", True, BYPASS.fingerprint),
            ("bypassPermissions", "claude", True, BYPASS.fingerprint),
            ("bypassPermissions", "eliza", 1, BYPASS.fingerprint),
            ("bypassPermissions", "eliza", "true", BYPASS.fingerprint),
            ("bypassPermissions", "eliza", True, "another command"),
        ):
            other = Wish(key=key, name=name, value=value, effect="", fingerprint=fingerprint)
            assert store.standing(other) is None

    def test_the_words_of_a_wish_are_no_part_of_what_was_granted(self, store: Attestations) -> None:
        store.grant(AUTO)
        assert store.standing(Wish(key="mode", name="", value="auto", effect="Other words.")) == (
            Standing.GRANTED
        )

    def test_the_last_answer_stands(self, store: Attestations) -> None:
        store.decline(BYPASS)
        assert store.standing(BYPASS) is Standing.DECLINED
        store.grant(BYPASS)
        assert store.standing(BYPASS) is Standing.GRANTED
        store.decline(BYPASS)
        assert store.standing(BYPASS) is Standing.DECLINED

    def test_one_wish_has_one_record_however_often_it_was_answered(
        self, store: Attestations
    ) -> None:
        for _ in range(3):
            store.grant(BYPASS)
            store.decline(BYPASS)
        assert len(json.loads(store.path.read_text())["contents"]["records"]) == 1

    def test_a_record_says_when_it_was_made(self, state: pathlib.Path, root: pathlib.Path) -> None:
        store = Attestations(state, identity_of(root), KEY, lambda: 1_700_000_000_000)
        store.grant(BYPASS)
        records = json.loads(store.path.read_text())["contents"]["records"]
        assert [record["time"] for record in records] == [1_700_000_000_000]


class TestOtherKeys:
    def test_what_another_key_sealed_is_told_of_and_allows_nothing(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        other = fresh(state, root, bytes(32))
        other.grant(BYPASS)
        other.decline(AUTO)
        assert [it.digest for it in store.granted_under_other_keys()] == [BYPASS.digest]
        assert store.standing(BYPASS) is None
        assert_asked_anew(store)

    def test_what_is_damaged_or_of_another_workspace_is_not_told_of(
        self, store: Attestations, state: pathlib.Path, tmp_path: pathlib.Path
    ) -> None:
        fresh(state, tmp_path, bytes(32)).grant(BYPASS)
        (state / "damaged.json").write_text("{")
        (state / "damaged.json").chmod(0o600)
        assert store.granted_under_other_keys() == ()

    def test_its_own_answers_are_not_of_another_key(self, store: Attestations) -> None:
        store.grant(BYPASS)
        assert store.granted_under_other_keys() == ()


class TestRevoking:
    def test_false_revokes_and_true_is_then_a_wish_again(self, store: Attestations) -> None:
        store.grant(BYPASS)
        assert_bypassed(store)
        assert reading(store, OFF).bypassed == frozenset()
        assert_asked_anew(store)

    def test_removal_revokes_and_a_value_that_comes_back_is_a_wish_again(
        self, store: Attestations
    ) -> None:
        store.grant(BYPASS)
        assert_bypassed(store)
        reading(store, {})
        assert_asked_anew(store)

    def test_what_was_declined_is_asked_again_once_it_had_gone(self, store: Attestations) -> None:
        reading(store, ON)
        store.decline(BYPASS)
        assert reading(store, ON).wishes == ()
        reading(store, {})
        assert_asked_anew(store)

    async def test_a_store_that_grants_more_is_old_before_another_is_written(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        foretold: list[tuple[int, object]] = []

        async def foretell(generation: int) -> None:
            # It is granted no longer by then, here; the store still grants it.
            other = Attestations(state, identity_of(root), KEY)
            foretold.append((generation, other.standing(BYPASS)))
            assert store.standing(BYPASS) is None

        store.foretell = foretell
        store.grant(BYPASS)
        store.grant(AUTO)
        reading(store, ON | {"mode": AUTO.value})
        await store.make_old({BYPASS.digest, AUTO.digest})
        assert foretold == []
        written = store.path.read_bytes()
        await store.make_old({AUTO.digest})
        assert foretold == [(3, Standing.GRANTED)]
        assert store.path.read_bytes() == written
        assert store.standing(AUTO) is Standing.GRANTED
        after_a_crash = Attestations(state, identity_of(root), KEY)
        after_a_crash.remember(3)
        assert after_a_crash.standing(BYPASS) is None
        assert "older state" in after_a_crash.problems[0]

    async def test_what_is_being_declined_is_not_asked_about_meanwhile(
        self, store: Attestations
    ) -> None:
        seen: list[Standing | None] = []

        async def foretell(_: int) -> None:
            # The settings may be read for another reason at this moment.
            await store.make_old({BYPASS.digest})
            seen.append(store.standing(BYPASS))

        store.foretell = foretell
        store.grant(BYPASS)
        await store.make_old({BYPASS.digest}, frozenset([BYPASS.digest]))
        store.decline(BYPASS)
        assert seen == [Standing.DECLINED]
        assert store.standing(BYPASS) is Standing.DECLINED

    @pytest.mark.parametrize("is_seen", [False, True])
    async def test_an_answer_that_is_forgotten_counts_no_more_after_a_crash(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path, *, is_seen: bool
    ) -> None:
        foretold: list[int] = []

        async def foretell(generation: int) -> None:
            foretold.append(generation)

        store.foretell = foretell
        store.grant(BYPASS)
        store.grant(AUTO)
        if is_seen:
            store.revoke_others({BYPASS.digest, AUTO.digest})
        await store.make_one_old(BYPASS)
        assert store.standing(BYPASS) is None
        assert store.standing(AUTO) is Standing.GRANTED
        after_a_crash = Attestations(state, identity_of(root), KEY)
        after_a_crash.remember(max(foretold))
        assert after_a_crash.standing(BYPASS) is None

    async def test_what_was_granted_before_its_setting_is_written_makes_nothing_old(
        self, store: Attestations
    ) -> None:
        store.grant(BYPASS)
        await store.make_old(set())
        assert store.standing(BYPASS) is Standing.GRANTED

    def test_what_goes_is_told(self, store: Attestations) -> None:
        store.grant(BYPASS)
        assert store.revoke_others({BYPASS.digest}) == ()
        gone = store.revoke_others(set())
        assert [(wish.key, wish.name) for wish in gone] == [("bypassPermissions", "eliza")]
        assert store.revoke_others(set()) == ()

    def test_one_wish_going_leaves_the_other(self, store: Attestations) -> None:
        store.grant(BYPASS)
        store.grant(AUTO)
        store.revoke_others({BYPASS.digest, AUTO.digest})
        store.revoke_others({AUTO.digest})
        assert store.standing(BYPASS) is None
        assert store.standing(AUTO) is Standing.GRANTED

    def test_a_grant_outlives_readings_until_the_setting_has_been_written(
        self, store: Attestations
    ) -> None:
        store.grant(BYPASS)
        reading(store, {})
        assert_bypassed(store)
        reading(store, {})
        assert_asked_anew(store)

    def test_a_grant_of_what_is_in_the_settings_goes_with_it(self, store: Attestations) -> None:
        reading(store, ON)
        store.grant(BYPASS)
        reading(store, {})
        assert_asked_anew(store)

    def test_a_setting_that_was_never_written_leaves_no_grant(self, store: Attestations) -> None:
        store.grant(BYPASS)
        store.revoke(BYPASS)
        assert_asked_anew(store)

    def test_a_grant_that_was_taken_back_spares_no_later_one(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        store.grant(BYPASS)
        store.revoke(BYPASS)
        fresh(state, root).grant(BYPASS)
        reading(store, {})
        assert_asked_anew(store)

    def test_a_crash_between_grant_and_setting_leaves_no_grant(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        store.grant(BYPASS)
        restarted = fresh(state, root)
        reading(restarted, {})
        assert_asked_anew(restarted)

    def test_a_revocation_that_the_disk_does_not_take_holds_all_the_same(
        self, store: Attestations, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store.grant(BYPASS)
        assert_bypassed(store)
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", failing)
            with pytest.raises(AttestationUnwritable):
                store.revoke_others(set())
        assert_asked_anew(store)
        store.grant(BYPASS)
        assert_bypassed(store)


class TestFaults:
    """Each ends with being asked."""

    @pytest.mark.parametrize(
        "keys",
        [
            {"bypassPermissions": {"workspace": value, "folder": {"eliza": True}}}
            for value in ("", "{", "\ufeff{}", [ON], 7, True, "x" * 50_000_000)
        ],
    )
    def test_29_settings_that_are_broken_never_bypass_and_are_told_of(
        self, store: Attestations, keys: Any
    ) -> None:
        store.grant(BYPASS)
        found = read(keys, trusted=True, standing=store.standing)
        assert found.bypassed == frozenset()
        assert len(found.problems) == 1

    def test_30_flipping_a_hundred_times_bypasses_only_what_was_granted_since(
        self, store: Attestations
    ) -> None:
        for turn in range(100):
            assert_asked_anew(store)
            reading(store, ON)
            if turn % 2:
                store.grant(BYPASS)
                assert_bypassed(store)
            assert reading(store, OFF).bypassed == frozenset()

    @pytest.mark.parametrize("layer", ["workspace", "folder"])
    def test_31_what_an_agent_writes_into_the_settings_is_a_wish(
        self, store: Attestations, layer: str
    ) -> None:
        store.grant(AUTO)
        written = {"bypassPermissions": {layer: {"eliza": True}}, "mode": {layer: "acceptEdits"}}
        found = reading(store, written)
        assert found.bypassed == frozenset()
        assert found.mode is Mode.DEFAULT
        assert [wish.key for wish in found.wishes] == ["mode", "bypassPermissions"]

    def test_32_what_a_repository_ships_is_asked_about_once_it_is_trusted(
        self, store: Attestations
    ) -> None:
        for trusted, wishes in ((False, ()), (True, (BYPASS,))):
            found = read(ON, trusted, store.standing)
            assert found.bypassed == frozenset()
            assert found.wishes == wishes

    def test_33_a_store_that_is_gone(self, store: Attestations) -> None:
        store.grant(BYPASS)
        store.path.unlink()
        assert_asked_anew(store)
        assert "gone" in store.problems[0]

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"{",
            b"[]",
            b"null",
            b"\xff\xfe",
            b"\0" * 100,
            b"[" * 100_000,
            b'{"contents":{"format":1,"workspace":"","generation":1,"records":[]},"seal":""}',
            b" " * 5_000_000,
        ],
    )
    def test_33_a_store_that_is_damaged_or_huge(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path, data: bytes
    ) -> None:
        store.grant(BYPASS)
        store.path.write_bytes(data)
        for server in (store, fresh(state, root)):
            assert_asked_anew(server)
            assert len(server.problems) == 1
            assert "asked again" in server.problems[0]
            assert any(
                why in server.problems[0] for why in ("damaged", "not written here", "too large")
            )

    def test_33_a_store_that_was_cut_anywhere(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        store.grant(BYPASS)
        whole = store.path.read_bytes()
        for length in range(len(whole)):
            store.path.write_bytes(whole[:length])
            assert_asked_anew(fresh(state, root))

    def test_33_a_store_with_any_bit_turned(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        store.grant(BYPASS)
        whole = store.path.read_bytes()
        for place in range(len(whole)):
            turned = bytearray(whole)
            turned[place] ^= 1
            store.path.write_bytes(turned)
            assert_asked_anew(fresh(state, root))

    def test_33_a_record_that_was_turned_round_or_put_in(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        store.decline(BYPASS)
        found = json.loads(store.path.read_text())
        found["contents"]["records"][0]["verdict"] = "granted"
        store.path.write_text(json.dumps(found))
        assert_asked_anew(fresh(state, root))

    def test_33_a_store_from_another_machine(self, state: pathlib.Path, root: pathlib.Path) -> None:
        other = fresh(state, root, key=bytes(32))
        other.grant(BYPASS)
        here = fresh(state, root)
        other.path.rename(here.path)
        assert_asked_anew(here)
        assert "not written here" in here.problems[0]

    def test_33_a_store_of_another_workspace(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path, tmp_path: pathlib.Path
    ) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        other = fresh(state, elsewhere)
        other.grant(BYPASS)
        assert_asked_anew(store)
        other.path.rename(store.path)
        assert_asked_anew(store)
        assert "another workspace" in store.problems[0]

    def test_33_a_store_put_back_to_an_older_state(self, store: Attestations) -> None:
        store.grant(BYPASS)
        older = store.path.read_bytes()
        assert_bypassed(store)
        reading(store, {})
        store.path.write_bytes(older)
        assert_asked_anew(store)
        assert "older state" in store.problems[0]

    def test_33_a_store_put_back_to_a_state_that_this_server_has_only_read(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        other = fresh(state, root)
        other.grant(BYPASS)
        older = store.path.read_bytes()
        other.grant(AUTO)
        assert_bypassed(store)
        store.path.write_bytes(older)
        assert_asked_anew(store)

    def test_33_a_store_put_back_while_no_server_ran(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        marks: list[int] = []
        store.raised = marks.append
        store.grant(BYPASS)
        older = store.path.read_bytes()
        store.revoke(BYPASS)
        assert marks == [1, 2], "granting raises it, and so does revoking"
        for put_back in (older, None):
            if put_back is None:
                store.path.unlink()
            else:
                store.path.write_bytes(put_back)
            later = fresh(state, root)
            later.remember(marks[-1])
            assert_asked_anew(later)
            assert len(later.problems) == 1
            assert "asked again" in later.problems[0]
        later.grant(BYPASS)
        assert later.problems == ()
        assert_bypassed(later)

    def test_33_a_refusal_that_the_disk_does_not_take_ends_a_grant_all_the_same(
        self, store: Attestations, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store.grant(BYPASS)
        assert_bypassed(store)
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", failing)
            with pytest.raises(AttestationUnwritable):
                store.decline(BYPASS)
        assert_asked_anew(store)

    def test_33_a_store_that_is_a_folder(
        self, store: Attestations, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        store.path.mkdir(parents=True)
        assert_asked_anew(store)
        assert len(store.problems) == 1
        with pytest.raises(AttestationUnwritable):
            store.grant(BYPASS)
        assert_asked_anew(fresh(state, root))

    def test_33_a_store_that_is_a_link(self, store: Attestations, tmp_path: pathlib.Path) -> None:
        store.grant(BYPASS)
        moved = tmp_path / "moved"
        store.path.rename(moved)
        store.path.symlink_to(moved)
        assert_asked_anew(store)
        assert "link" in store.problems[0]
        store.grant(BYPASS)
        assert not store.path.is_symlink()
        assert_bypassed(store)

    def test_33_a_store_that_is_a_pipe(self, store: Attestations) -> None:
        store.path.parent.mkdir(parents=True)
        os.mkfifo(store.path)
        assert_asked_anew(store)
        assert "no ordinary file" in store.problems[0]

    def test_33_a_store_that_others_may_open(self, store: Attestations) -> None:
        store.grant(BYPASS)
        store.path.chmod(0o644)
        assert_asked_anew(store)
        assert "others may open it" in store.problems[0]

    def test_33_a_store_that_cannot_be_read(
        self, store: Attestations, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store.grant(BYPASS)
        monkeypatch.setattr(os, "open", failing)
        assert_asked_anew(store)
        assert "permission denied" in store.problems[0]

    def test_33_a_store_of_somebody_else(
        self, store: Attestations, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store.grant(BYPASS)
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert_asked_anew(store)
        assert "somebody else" in store.problems[0]

    def test_after_damage_a_new_grant_holds_and_the_old_ones_do_not(
        self, store: Attestations
    ) -> None:
        store.grant(AUTO)
        store.path.write_bytes(b"{")
        store.grant(BYPASS)
        assert_bypassed(store)
        assert store.problems == ()
        assert store.standing(AUTO) is None


class TestWriting:
    def test_file_and_folder_are_for_their_owner_alone(
        self, store: Attestations, state: pathlib.Path
    ) -> None:
        before = os.umask(0)
        try:
            store.grant(BYPASS)
        finally:
            os.umask(before)
        assert mode_of(state) == 0o700
        assert {mode_of(file) for file in state.iterdir()} == {0o600}

    def test_a_folder_that_others_may_open_is_closed_to_them(
        self, store: Attestations, state: pathlib.Path
    ) -> None:
        state.mkdir(parents=True)
        state.chmod(0o777)
        store.grant(BYPASS)
        assert mode_of(state) == 0o700

    def test_a_folder_that_is_a_link_is_not_written_to(
        self, store: Attestations, state: pathlib.Path, tmp_path: pathlib.Path
    ) -> None:
        (tmp_path / "project" / "trap").mkdir()
        state.parent.mkdir()
        state.symlink_to(tmp_path / "project" / "trap")
        with pytest.raises(AttestationUnwritable, match="link"):
            store.grant(BYPASS)
        assert list((tmp_path / "project" / "trap").iterdir()) == []

    @pytest.mark.parametrize("call", ["fsync", "fdopen"])
    def test_an_answer_that_cannot_be_written_does_not_hold(
        self, store: Attestations, monkeypatch: pytest.MonkeyPatch, call: str
    ) -> None:
        store.grant(AUTO)
        with monkeypatch.context() as broken:
            broken.setattr(os, call, failing)
            with pytest.raises(AssentError, match="does not hold"):
                store.grant(BYPASS)
        assert_asked_anew(store)
        names = {file.name for file in store.path.parent.iterdir()}
        assert names == {".lock", store.path.name}

    def test_where_there_is_no_folder_nothing_can_be_granted(
        self, state: pathlib.Path, tmp_path: pathlib.Path
    ) -> None:
        for root in (None, tmp_path / "missing", "\0"):
            store = Attestations(state, identity_of(root), KEY)
            with pytest.raises(AttestationUnwritable, match="no folder"):
                store.grant(BYPASS)
            assert_asked_anew(store)
        assert not state.exists()

    def test_the_state_cannot_grow_without_end(self, store: Attestations) -> None:
        vast = Wish(key="agents", name="x", value="y" * 5_000_000, effect="")
        with pytest.raises(AttestationUnwritable):
            store.grant(vast)
        assert store.standing(vast) is None

    def test_two_windows_that_write_at_once_lose_nothing(
        self, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        wishes = [
            Wish(key="bypassPermissions", name=f"agent{number}", value=True, effect="")
            for number in range(40)
        ]
        start = threading.Barrier(2)

        def window(mine: list[Wish]) -> None:
            store = fresh(state, root)
            start.wait(5)
            for wish in mine:
                store.grant(wish)

        windows = [threading.Thread(target=window, args=(wishes[it::2],)) for it in range(2)]
        for thread in windows:
            thread.start()
        for thread in windows:
            thread.join(30)
        store = fresh(state, root)
        assert [store.standing(wish) for wish in wishes] == [Standing.GRANTED] * 40

    def test_what_one_window_revokes_the_other_does_not_hold(
        self, state: pathlib.Path, root: pathlib.Path
    ) -> None:
        one, other = fresh(state, root), fresh(state, root)
        one.grant(BYPASS)
        assert_bypassed(one)
        assert_bypassed(other)
        reading(other, {})
        assert_asked_anew(one)


class TestIdentity:
    def test_a_link_to_a_workspace_is_that_workspace(
        self, root: pathlib.Path, tmp_path: pathlib.Path
    ) -> None:
        (tmp_path / "link").symlink_to(root)
        assert identity_of(tmp_path / "link") == identity_of(root) != ""

    def test_another_folder_in_the_same_place_is_another_workspace(
        self, root: pathlib.Path
    ) -> None:
        before = identity_of(root)
        root.rename(root.with_name("aside"))
        root.mkdir()
        assert identity_of(root) != before

    def test_the_same_folder_in_another_place_is_another_workspace(
        self, root: pathlib.Path
    ) -> None:
        before = identity_of(root)
        moved = root.rename(root.with_name("moved"))
        assert identity_of(moved) != before

    def test_a_name_that_is_no_text_has_an_identity(self, tmp_path: pathlib.Path) -> None:
        odd = os.fsencode(tmp_path) + b"/\xff"
        os.mkdir(odd)  # noqa: PTH102 -- a name in bytes
        assert identity_of(os.fsdecode(odd)) != ""


def mode_of(path: pathlib.Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def failing(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_a_workspace_that_gained_a_folder_is_another(tmp_path: pathlib.Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    alone, together = identity_of_all([one]), identity_of_all([one, other])
    assert alone == identity_of(one)
    assert len({alone, together, identity_of_all([other, one])}) == 3
    assert identity_of_all([]) == identity_of_all([one, tmp_path / "none"]) == ""
