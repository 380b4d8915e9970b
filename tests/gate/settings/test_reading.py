"""Who said what, and what holds: one line per case."""

from typing import Any, Self

import pytest
from attrs import evolve, field, frozen

from assent.gate.call.calls import AgentId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.settings.agents import ASSENT, ELIZA, AgentEntry
from assent.gate.settings.claims import agent_wish, bypass_wish, mode_wish
from assent.gate.settings.managed import Managed
from assent.gate.settings.reading import Reading, read, read_unattributed, unread
from assent.gate.settings.wishes import Standing, Wish

CLAUDE = {"name": "Claude Code", "command": "npx", "args": ["-y", "claude-agent-acp"]}
CLAUDE_ENTRY = AgentEntry(
    id=AgentId("claude"), name="Claude Code", command="npx", args=("-y", "claude-agent-acp")
)
OTHER = {"command": "sh", "args": ["-c", "anything"], "env": {"A": "b"}}
OTHER_ENTRY = AgentEntry(
    id=AgentId("other"), name="other", command="sh", args=("-c", "anything"), env={"A": "b"}
)
BYPASS = bypass_wish(ELIZA)


@frozen
class case:  # noqa: N801 -- reads as the verb of each line below
    """Settings and answers in; claims about what holds out."""

    keys: dict[str, Any]
    trusted: bool = True
    answers: dict[str, Standing] = field(factory=dict)

    def granted(self, *wishes: Wish) -> Self:
        return self._answered(Standing.GRANTED, *wishes)

    def declined(self, *wishes: Wish) -> Self:
        return self._answered(Standing.DECLINED, *wishes)

    def untrusted(self) -> Self:
        return evolve(self, trusted=False)

    def _answered(self, standing: Standing, *wishes: Wish) -> Self:
        return evolve(self, answers={**self.answers, **{it.digest: standing for it in wishes}})

    @property
    def reading(self) -> Reading:
        return read(self.keys, self.trusted, lambda wish: self.answers.get(wish.digest))

    def holds(self, **expected: object) -> Self:
        reading = self.reading
        assert {name: getattr(reading, name) for name in expected} == expected
        return self

    def runs(self, *agents: str) -> Self:
        assert [it.id for it in self.reading.agents if not it.waits] == ["eliza", "assent", *agents]
        return self

    def waits(self, *agents: str) -> Self:
        assert [it.id for it in self.reading.agents if it.waits] == list(agents)
        return self

    def wishes(self, *keys: str) -> Self:
        assert [it.key for it in self.reading.wishes] == list(keys)
        return self

    def complains(self, *words: str) -> Self:
        problems = self.reading.problems
        assert len(problems) == (1 if words else 0), problems
        assert all(word in problems[0] for word in words), problems
        return self


def agent(reading: Reading, name: str) -> AgentEntry:
    return next(it for it in reading.agents if it.id == name)


class TestMode:
    def test_without_a_word_new_chats_start_in_default(self) -> None:
        case({}).holds(mode=Mode.DEFAULT, patience=300, problems=()).wishes()

    def test_the_person_may_choose_any_mode(self) -> None:
        for mode in Mode:
            case({"mode": {"user": mode.value}}).holds(mode=mode).wishes().complains()

    def test_the_default_layer_is_not_asked(self) -> None:
        case({"mode": {"default": "auto"}}).holds(mode=Mode.DEFAULT).wishes()

    @pytest.mark.parametrize("layer", ["workspace", "folder"])
    def test_a_looser_mode_of_the_workspace_is_a_wish(self, layer: str) -> None:
        case({"mode": {layer: "auto"}}).holds(mode=Mode.DEFAULT).wishes("mode").complains()

    @pytest.mark.parametrize("layer", ["workspace", "folder"])
    def test_a_stricter_mode_of_the_workspace_holds_at_once(self, layer: str) -> None:
        case({"mode": {"user": "auto", layer: "plan"}}).holds(mode=Mode.PLAN).wishes()

    def test_a_stricter_mode_holds_in_an_untrusted_workspace_too(self) -> None:
        case({"mode": {"workspace": "ask"}}).untrusted().holds(mode=Mode.ASK).wishes()

    def test_a_granted_mode_holds(self) -> None:
        keys = {"mode": {"user": "plan", "workspace": "acceptEdits"}}
        wish = mode_wish(Mode.ACCEPT_EDITS)
        case(keys).granted(wish).holds(mode=Mode.ACCEPT_EDITS).wishes()

    def test_a_grant_is_for_one_mode_only(self) -> None:
        wish = mode_wish(Mode.ACCEPT_EDITS)
        case({"mode": {"workspace": "auto"}}).granted(wish).holds(mode=Mode.DEFAULT).wishes("mode")

    def test_a_declined_mode_is_not_asked_about_again(self) -> None:
        wish = mode_wish(Mode.AUTO)
        case({"mode": {"workspace": "auto"}}).declined(wish).holds(mode=Mode.DEFAULT).wishes()

    def test_a_granted_mode_does_not_hold_in_an_untrusted_workspace(self) -> None:
        wish = mode_wish(Mode.AUTO)
        case({"mode": {"workspace": "auto"}}).granted(wish).untrusted().holds(mode=Mode.DEFAULT)

    def test_the_strictest_layer_holds_where_nothing_was_granted(self) -> None:
        case({"mode": {"user": "auto", "workspace": "plan", "folder": "ask"}}).holds(mode=Mode.PLAN)

    @pytest.mark.parametrize("layer", ["user", "workspace", "folder"])
    @pytest.mark.parametrize("value", ["Auto", "", "auto ", 1, True, ["auto"], {"a": 1}, 0.5])
    def test_a_mode_that_is_none_asks_before_every_call_and_is_named(
        self, layer: str, value: Any
    ) -> None:
        case({"mode": {layer: value}}).holds(mode=Mode.ASK).wishes().complains("assent.mode", layer)

    def test_a_mode_that_is_none_does_not_loosen_a_stricter_one(self) -> None:
        case({"mode": {"user": "plan", "workspace": 5}}).holds(mode=Mode.PLAN)

    def test_null_says_nothing(self) -> None:
        case({"mode": {"user": None, "workspace": None}}).holds(mode=Mode.DEFAULT).complains()


@pytest.mark.requirement("M-05")
@pytest.mark.requirement("S-03")
class TestBypass:
    @pytest.mark.parametrize("layer", ["workspace", "folder"])
    def test_true_alone_is_a_wish(self, layer: str) -> None:
        keys = {"bypassPermissions": {layer: {"eliza": True}}}
        case(keys).holds(bypassed=frozenset()).wishes("bypassPermissions").complains()

    @pytest.mark.parametrize("layer", ["workspace", "folder"])
    def test_true_and_granted_holds(self, layer: str) -> None:
        keys = {"bypassPermissions": {layer: {"eliza": True}}}
        case(keys).granted(BYPASS).holds(bypassed=frozenset({"eliza"})).wishes()

    def test_a_grant_without_the_setting_is_nothing(self) -> None:
        case({}).granted(BYPASS).holds(bypassed=frozenset())

    def test_a_declined_bypass_is_not_asked_about_again(self) -> None:
        keys = {"bypassPermissions": {"workspace": {"eliza": True}}}
        case(keys).declined(BYPASS).holds(bypassed=frozenset()).wishes()

    def test_in_an_untrusted_workspace_nothing_is_bypassed_or_asked(self) -> None:
        keys = {"bypassPermissions": {"workspace": {"eliza": True}}}
        case(keys).granted(BYPASS).untrusted().holds(bypassed=frozenset()).wishes()
        case(keys).untrusted().wishes()

    @pytest.mark.parametrize("value", ["true", 1, 1.0, None, "", [], {}, [True], {"on": True}])
    def test_only_true_itself_counts(self, value: Any) -> None:
        keys = {"bypassPermissions": {"workspace": {"eliza": value}}}
        case(keys).granted(BYPASS).holds(bypassed=frozenset()).wishes().complains(
            "assent.bypassPermissions", "“eliza”", "workspace"
        )

    @pytest.mark.parametrize("value", [True, "eliza", 1, [], ["eliza"], [["eliza", True]], ""])
    def test_a_map_that_is_none_bypasses_nothing(self, value: Any) -> None:
        keys = {"bypassPermissions": {"workspace": {"eliza": True}, "folder": value}}
        case(keys).granted(BYPASS).holds(bypassed=frozenset()).wishes().complains("folder")

    def test_false_in_one_layer_beats_true_in_another(self) -> None:
        for one, other in (("workspace", "folder"), ("folder", "workspace")):
            keys = {"bypassPermissions": {one: {"eliza": True}, other: {"eliza": False}}}
            case(keys).granted(BYPASS).holds(bypassed=frozenset(), claims=()).wishes()

    @pytest.mark.parametrize(
        "name", ["*", "", "Eliza", "ELIZA", "eliza ", "eliza\n", "nobody", "**"]
    )
    def test_a_name_that_is_no_agent_is_nothing(self, name: str) -> None:
        keys = {"bypassPermissions": {"workspace": {name: True}}}
        case(keys).holds(bypassed=frozenset()).wishes().complains("no agent here")

    def test_true_in_the_user_settings_is_nothing_but_a_complaint(self) -> None:
        keys = {"bypassPermissions": {"user": {"eliza": True}}}
        case(keys).granted(BYPASS).holds(bypassed=frozenset(), claims=()).wishes().complains(
            "assent.bypassPermissions belongs to a workspace; the value in your user settings does"
            " nothing."
        )

    def test_false_in_the_user_settings_holds_in_every_workspace(self) -> None:
        keys = {"bypassPermissions": {"user": {"eliza": False}, "workspace": {"eliza": True}}}
        case(keys).granted(BYPASS).holds(bypassed=frozenset()).complains("your user settings")

    def test_a_changed_command_asks_again(self) -> None:
        def keys(command: str) -> dict[str, Any]:
            return {
                "agents": {"user": {"claude": {**CLAUDE, "command": command}}},
                "bypassPermissions": {"workspace": {"claude": True}},
            }

        wish = bypass_wish(CLAUDE_ENTRY)
        case(keys("npx")).granted(wish).holds(bypassed=frozenset({"claude"}))
        case(keys("other")).granted(wish).holds(bypassed=frozenset()).wishes("bypassPermissions")

    def test_a_changed_argument_or_variable_asks_again(self) -> None:
        wish = bypass_wish(CLAUDE_ENTRY)
        for changed in ({"args": ["-y"]}, {"env": {"PATH": "/elsewhere"}}):
            keys = {
                "agents": {"user": {"claude": {**CLAUDE, **changed}}},
                "bypassPermissions": {"workspace": {"claude": True}},
            }
            case(keys).granted(wish).holds(bypassed=frozenset()).wishes("bypassPermissions")

    def test_an_agent_that_waits_is_not_bypassed_and_not_yet_asked_about(self) -> None:
        keys = {
            "agents": {"workspace": {"other": OTHER}},
            "bypassPermissions": {"workspace": {"other": True}},
        }
        case(keys).granted(bypass_wish(OTHER_ENTRY)).holds(bypassed=frozenset()).wishes("agents")
        case(keys).granted(agent_wish(OTHER_ENTRY)).wishes("bypassPermissions")

    def test_what_is_agreed_to_names_the_whole_command_and_each_variable(self) -> None:
        told = agent_wish(OTHER_ENTRY).effect
        assert told.endswith("with all your rights: “sh” “-c” “anything” (with “A” set)")
        told = agent_wish(evolve(OTHER_ENTRY, env={})).effect
        assert told.endswith("with all your rights: “sh” “-c” “anything”")

    def test_one_agents_bypass_is_no_other_agents(self) -> None:
        keys = {
            "agents": {"user": {"claude": CLAUDE}},
            "bypassPermissions": {"workspace": {"eliza": True, "claude": True}},
        }
        case(keys).granted(BYPASS).holds(bypassed=frozenset({"eliza"})).wishes("bypassPermissions")


@pytest.mark.requirement("S-02")
class TestAgents:
    def test_eliza_is_always_there(self) -> None:
        case({}).runs()
        case({"agents": {"user": None, "workspace": "junk"}}).runs()

    def test_the_person_adds_agents_by_name(self) -> None:
        reading = case({"agents": {"user": {"claude": CLAUDE}}}).runs("claude").wishes().reading
        assert agent(reading, "claude") == CLAUDE_ENTRY

    def test_an_agent_without_a_name_is_called_by_its_id(self) -> None:
        reading = case({"agents": {"user": {"mine": {"command": "mine"}}}}).runs("mine").reading
        assert agent(reading, "mine").name == "mine"

    @pytest.mark.parametrize(
        ("name", "found"),
        [
            ("Claude Code", "claude-code"),
            ("ElizACP", "elizacp"),
            ("a/b (c)", "a-b-c"),
            ("a-", "a-"),
        ],
    )
    def test_a_name_as_people_write_it_makes_an_id_and_is_shown(
        self, name: str, found: str
    ) -> None:
        keys = {
            "agents": {"user": {name: {"command": "mine"}}},
            "bypassPermissions": {"workspace": {found: True}},
        }
        reading = case(keys).runs(found).wishes("bypassPermissions").reading
        assert agent(reading, found).name == name

    def test_of_two_of_one_id_the_first_counts(self) -> None:
        agents = {"Claude Code": CLAUDE, "claude-code": OTHER}
        reading = case({"agents": {"user": agents}}).complains("the name of another").reading
        assert agent(reading, "claude-code").command == "npx"

    def test_a_bypass_within_an_agent_does_nothing_and_that_is_said(self) -> None:
        entry = {**CLAUDE, "bypassPermissions": True}
        made = case({"agents": {"user": {"claude": entry}}}).runs("claude").wishes()
        made.complains("`bypassPermissions`", "does nothing there", "a setting of its own")
        assert agent(made.reading, "claude") == CLAUDE_ENTRY
        assert made.reading.bypassed == frozenset()

    @pytest.mark.parametrize("layer", ["user", "workspace", "folder"])
    @pytest.mark.parametrize("name", ["eliza", "Eliza", "ELIZA!"])
    def test_nobody_takes_elizas_place(self, layer: str, name: str) -> None:
        made = case({"agents": {layer: {name: OTHER}}}).runs().wishes().complains("built in")
        assert agent(made.reading, "eliza") == ELIZA

    @pytest.mark.parametrize("layer", ["workspace", "folder"])
    def test_a_workspaces_agent_waits(self, layer: str) -> None:
        case({"agents": {layer: {"other": OTHER}}}).runs().waits("other").wishes("agents")

    def test_a_workspaces_agent_runs_when_granted(self) -> None:
        keys = {"agents": {"workspace": {"other": OTHER}}}
        case(keys).granted(agent_wish(OTHER_ENTRY)).runs("other").waits().wishes()

    def test_a_workspaces_agent_waits_when_declined_or_untrusted(self) -> None:
        keys = {"agents": {"workspace": {"other": OTHER}}}
        case(keys).declined(agent_wish(OTHER_ENTRY)).runs().waits("other").wishes()
        case(keys).granted(agent_wish(OTHER_ENTRY)).untrusted().runs().waits("other").wishes()

    @pytest.mark.parametrize(
        "change", [{"command": "bash"}, {"args": []}, {"env": {}}, {"name": "Another"}]
    )
    def test_a_changed_agent_of_the_workspace_waits_again(self, change: dict[str, Any]) -> None:
        keys = {"agents": {"workspace": {"other": {**OTHER, **change}}}}
        case(keys).granted(agent_wish(OTHER_ENTRY)).runs().waits("other").wishes("agents")

    def test_a_workspace_does_not_replace_a_persons_agent(self) -> None:
        keys = {"agents": {"user": {"claude": CLAUDE}, "workspace": {"claude": OTHER}}}
        made = case(keys).runs("claude").waits().wishes("agents")
        assert agent(made.reading, "claude") == CLAUDE_ENTRY
        assert "replaces “Claude Code”" in made.reading.wishes[0].effect

    def test_a_granted_replacement_takes_the_place(self) -> None:
        keys = {"agents": {"user": {"claude": CLAUDE}, "workspace": {"claude": OTHER}}}
        made = case(keys).granted(agent_wish(evolve(OTHER_ENTRY, id="claude", name="claude")))
        assert agent(made.wishes().reading, "claude").command == "sh"

    def test_a_workspace_that_says_the_same_as_the_person_asks_for_nothing(self) -> None:
        case({"agents": {"user": {"claude": CLAUDE}, "workspace": {"claude": CLAUDE}}}).wishes()

    def test_what_two_layers_ask_for_alike_is_asked_once(self) -> None:
        case({"agents": {"workspace": {"o": OTHER}, "folder": {"o": OTHER}}}).wishes("agents")

    def test_the_nearest_of_two_that_wait_is_shown_and_replaces_nobody(self) -> None:
        keys = {"agents": {"workspace": {"o": OTHER}, "folder": {"o": {"command": "near"}}}}
        reading = case(keys).runs().waits("o").wishes("agents", "agents").reading
        assert agent(reading, "o").command == "near"
        assert all(" adds " in wish.effect for wish in reading.wishes)

    def test_a_wish_shows_all_that_would_be_started(self) -> None:
        (wish,) = case({"agents": {"workspace": {"other": OTHER}}}).reading.wishes
        assert wish.value == {"name": "other", **OTHER}

    @pytest.mark.parametrize(
        "entry",
        [
            "npx",
            ["npx"],
            True,
            7,
            {},
            {"command": ""},
            {"command": ["npx"]},
            {"command": "npx", "args": "-y"},
            {"command": "npx", "args": [1]},
            {"command": "npx", "env": {"A": 1}},
            {"command": "npx", "env": {"A=B": "c"}},
            {"command": "npx", "args": ["\0"]},
            {"command": "\ud800"},
            {"command": "npx", "name": "Claude\u202eedoC"},
            {"command": "npx", "name": " "},
            {"command": "npx", "waits": False},
            {"command": "x" * 5_000},
        ],
    )
    @pytest.mark.parametrize("layer", ["user", "workspace"])
    def test_an_agent_that_could_not_be_started_is_left_out_and_named(
        self, layer: str, entry: Any
    ) -> None:
        keys = {"agents": {layer: {"broken": entry, "claude": CLAUDE}}}
        made = case(keys).complains("“broken”", "assent.agents", layer)
        assert [it.id for it in made.reading.agents] == ["eliza", "assent", "claude"]

    @pytest.mark.parametrize("name", ["", "*", "\u0421laude", "-a", "a" * 65, "a\n", "é", 7])
    def test_what_is_no_name_is_left_out(self, name: object) -> None:
        case({"agents": {"user": {name: CLAUDE}}}).runs().complains("left out")

    def test_a_complaint_is_short_and_shows_what_would_not_be_seen(self) -> None:
        reading = case({"agents": {"user": {"\u202e" + "x" * 50_000_000: CLAUDE}}}).reading
        assert "<U+202E>" in reading.problems[0]
        assert len(reading.problems[0]) < 200

    def test_a_map_that_no_person_wrote_is_none(self) -> None:
        many = {f"agent{number}": CLAUDE for number in range(201)}
        case({"agents": {"user": many}}).runs().complains("could not be understood")
        wishes = {**dict.fromkeys(many, False), "eliza": True}
        case({"bypassPermissions": {"workspace": wishes}}).granted(BYPASS).holds(
            bypassed=frozenset()
        ).complains("could not be understood")

    def test_a_thousand_complaints_are_a_screenful(self) -> None:
        names = {f"nobody{number}": True for number in range(150)}
        reading = case({"bypassPermissions": {"workspace": names}}).reading
        assert len(reading.problems) == 20


class TestPatience:
    @pytest.mark.parametrize(("value", "expected"), [(0, None), (1, 1), (0.5, 0.5), (600, 600)])
    def test_the_person_says_how_long_a_question_waits(
        self, value: Any, expected: float | None
    ) -> None:
        case({"approvalTimeout": {"user": value}}).holds(patience=expected, problems=())

    @pytest.mark.parametrize("value", [0, 301, 100_000])
    def test_a_workspace_cannot_make_a_question_wait_longer(self, value: Any) -> None:
        case({"approvalTimeout": {"workspace": value}}).holds(patience=300)

    def test_a_workspace_can_make_it_wait_less(self) -> None:
        case({"approvalTimeout": {"user": 0, "workspace": 20}}).holds(patience=20)

    @pytest.mark.parametrize("value", [-1, True, "300", [], {}, 1e300, float("nan"), float("inf")])
    @pytest.mark.parametrize("layer", ["user", "workspace"])
    def test_a_timeout_that_is_none_counts_as_the_default(self, layer: str, value: Any) -> None:
        case({"approvalTimeout": {layer: value}}).holds(patience=300).complains(
            "assent.approvalTimeout", layer
        )


class TestSandbox:
    @pytest.mark.parametrize(
        ("said", "expected"),
        [
            ({}, "auto"),
            ({"user": "auto", "workspace": "offer"}, "offer"),
            ({"user": "offer", "workspace": "auto", "folder": "auto"}, "offer"),
            ({"user": "off", "workspace": "auto"}, "off"),
            ({"workspace": "offer", "folder": "off"}, "off"),
        ],
    )
    def test_it_is_used_for_the_least_that_anybody_says(
        self, said: dict[str, str], expected: str
    ) -> None:
        case({"sandbox": said}).holds(sandbox=expected, problems=())

    def test_an_organisation_can_only_make_it_less(self) -> None:
        for said, fixed, expected in (
            ("auto", "off", "off"),
            ("offer", "auto", "offer"),
            ("off", "offer", "off"),
        ):
            managed = Managed(sandbox=fixed)
            reading = read({"sandbox": {"user": said}}, True, lambda _: None, managed=managed)
            assert reading.sandbox == expected
            assert unread(managed=managed).sandbox != "auto"

    @pytest.mark.parametrize("value", ["on", True, 1, [], {}, "AUTO"])
    @pytest.mark.parametrize("layer", ["user", "workspace"])
    def test_what_nobody_understands_lets_nothing_run_unasked(self, layer: str, value: Any) -> None:
        case({"sandbox": {layer: value}}).holds(sandbox="offer").complains("assent.sandbox", layer)


@pytest.mark.requirement("T-12")
class TestNothingToGoBy:
    def test_before_the_settings_have_arrived_everything_is_asked(self) -> None:
        reading = unread()
        assert reading.mode is Mode.ASK
        assert not reading.bypassed
        assert not reading.trusted
        assert reading.agents == (ELIZA, ASSENT)

    @pytest.mark.parametrize("keys", [None, [], "auto", 7, True])
    def test_settings_that_are_none_ask_before_every_call(self, keys: Any) -> None:
        reading = read(keys, trusted=True, standing=lambda _: Standing.GRANTED)
        assert reading.mode is Mode.ASK
        assert not reading.bypassed
        assert reading.agents == (ELIZA, ASSENT)
        assert reading.problems

    @pytest.mark.parametrize("layers", [[], "auto", 7, True])
    def test_a_key_without_layers_is_nobodys_word(self, layers: Any) -> None:
        case({"mode": layers}).holds(mode=Mode.ASK).wishes()
        case({"bypassPermissions": layers}).granted(BYPASS).holds(bypassed=frozenset())

    @pytest.mark.parametrize("trusted", [None, 1, "true", [True]])
    def test_only_true_itself_is_trust(self, trusted: Any) -> None:
        keys = {"mode": {"workspace": "auto"}}
        reading = read(keys, trusted, lambda _: Standing.GRANTED)
        assert (reading.mode, reading.trusted, reading.wishes) == (Mode.DEFAULT, False, ())


def test_where_nobody_knows_who_said_it_it_is_the_workspaces_word() -> None:
    values = {
        "mode": "auto",
        "agents": {"other": OTHER},
        "bypassPermissions": {"eliza": True},
        "approvalTimeout": 0,
    }
    reading = read_unattributed(values, trusted=True, standing=lambda _: None)
    assert reading.mode is Mode.DEFAULT
    assert not reading.bypassed
    assert reading.patience == 300
    assert [it.waits for it in reading.agents] == [False, False, True]
    assert [it.key for it in reading.wishes] == ["mode", "agents", "bypassPermissions"]


def test_settings_of_nobody_that_are_none_ask_before_every_call() -> None:
    reading = read_unattributed(None, trusted=True, standing=lambda _: Standing.GRANTED)
    assert reading.mode is Mode.ASK


@pytest.mark.requirement("C-02")
def test_what_holds_is_a_mode_folders_rules_of_three_kinds_and_whether_a_bypass_may_be() -> None:
    says = {
        "mode": "plan",
        "additionalDirectories": ["/srv"],
        "rules": {"allow": ["shell(ls)"], "ask": ["shell(git push)"], "deny": ["read(./.env)"]},
    }
    reading = read({key: {"user": value} for key, value in says.items()}, True, lambda _: None)
    assert reading.mode is Mode.PLAN
    assert reading.additional == ("/srv",)
    assert [(it.verdict, it.text) for it in reading.rules] == [
        (Verdict.ALLOW, "shell(ls)"),
        (Verdict.ASK, "shell(git push)"),
        (Verdict.DENY, "read(./.env)"),
    ]
    assert reading.may_bypass


def test_a_rule_that_is_no_text_is_named_where_it_is_short() -> None:
    for entry, name in ((5, "“5”"), (True, "“true”"), ([], "“…”")):
        reading = read({"rules": {"user": {"deny": [entry]}}}, True, lambda _: None)
        (problem,) = reading.problems
        assert problem.startswith(f"The rule {name} in your user settings cannot be used, so")
