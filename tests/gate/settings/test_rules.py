"""Rules and folders in settings: what holds, what is a wish, and what is said of the rest."""

from typing import Any, Final

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.call.calls import AgentId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.settings.claims import asked_again, folders_wish, rules_wish
from assent.gate.settings.complaints import Complaint
from assent.gate.settings.completion import FORMS
from assent.gate.settings.managed import Managed
from assent.gate.settings.reading import Reading, read, read_unattributed, unread
from assent.gate.settings.rules import MAX_WISHES, together
from assent.gate.settings.unreadable_settings import illegible, tightened
from assent.gate.settings.wishes import Standing, Wish
from steps import steps_of

NOON = 1_900_000_000.0
"""In 2030."""


def reading(
    rules: dict[str, Any] | None = None, *granted: Wish, trusted: bool = True, **keys: Any
) -> Reading:
    digests = {it.digest for it in granted}

    def standing(wish: Wish) -> Standing | None:
        return Standing.GRANTED if wish.digest in digests else None

    return read({"rules": rules, **keys}, trusted, standing, now=NOON)


def texts(found: Reading, verdict: Verdict) -> list[str]:
    return [it.text for it in found.rules if it.verdict is verdict]


def user(**lists: object) -> dict[str, Any]:
    return {"user": lists}


def workspace(**lists: object) -> dict[str, Any]:
    return {"workspace": lists}


def only_complaint(found: Reading) -> Complaint:
    (complaint,) = found.complaints
    return complaint


class TestWhatHolds:
    @pytest.mark.requirement("T-04")
    def test_a_persons_rules_hold_with_where_they_stand(self) -> None:
        found = reading(user(allow=["shell(ls:*)", "shell(npm test)"], deny=["read(./.env)"]))
        assert [(it.text, it.layer, it.at) for it in found.rules] == [
            ("shell(ls:*)", "user", ("allow", 0)),
            ("shell(npm test)", "user", ("allow", 1)),
            ("read(./.env)", "user", ("deny", 0)),
        ]
        assert {it.source.scope for it in found.rules} == {"your user settings"}
        assert (found.suspended, found.complaints, found.problems) == (frozenset(), (), ())

    @pytest.mark.requirement("T-04")
    def test_a_rule_that_is_switched_off_counts_for_nothing_and_is_told_of(self) -> None:
        off = {"rule": "shell(npm test)", "why": "It is slow.", "off": True}
        found = reading(user(allow=[off], deny=[off, {"rule": "shell(ls:*)", "off": False}]))
        assert texts(found, Verdict.ALLOW) == []
        assert texts(found, Verdict.DENY) == ["shell(ls:*)"]
        assert [(it.text, it.why, it.at) for it in found.off] == [
            ("shell(npm test)", "It is slow.", ("allow", 0)),
            ("shell(npm test)", "It is slow.", ("deny", 0)),
        ]
        assert (found.suspended, found.complaints) == (frozenset(), ())

    @pytest.mark.requirement("S-03")
    @pytest.mark.parametrize("off", ["true", 1, None, {}])
    def test_only_true_itself_switches_a_rule_off_and_all_else_refuses_it(self, off: Any) -> None:
        found = reading(user(deny=[{"rule": "shell(rm:*)", "off": off}]))
        assert found.suspended == {"shell"}
        assert found.off == ()

    @pytest.mark.requirement("S-03")
    def test_a_layer_switches_off_its_own_rules_alone(self) -> None:
        off = {"rule": "shell(rm:*)", "off": True}
        said = {"user": {"deny": ["shell(rm:*)"]}, "workspace": {"deny": [off], "allow": [off]}}
        found = reading({**said, "folder": {"deny": [off]}})
        assert texts(found, Verdict.DENY) == ["shell(rm:*)"]
        assert found.wishes == ()

    def test_an_entry_may_say_why_for_whom_when_and_until_when(self) -> None:
        entry = {
            "rule": "shell(make:*)",
            "why": "It is slow.",
            "agent": "eliza",
            "mode": "auto",
            "until": "2031-12-31",
        }
        (rule,) = reading(user(ask=[entry])).rules
        assert (rule.why, rule.agent, rule.mode) == ("It is slow.", AgentId("eliza"), Mode.AUTO)
        assert rule.until is not None
        assert rule.until > NOON

    def test_the_last_day_counts_whole_and_a_time_to_its_second(self) -> None:
        def ends(until: str) -> float:
            (rule,) = reading(user(ask=[{"rule": "shell(a)", "until": until}])).rules
            assert rule.until is not None
            return rule.until

        assert ends("2030-12-31T18:00:00Z") == 1_924_970_400
        day = ends("2030-12-31T00:00:00")
        assert 24 * 3600 - 1 <= ends("2030-12-31") - day < 24 * 3600

    def test_nothing_said_and_null_are_no_rules(self) -> None:
        for rules in (None, {"user": None}, user(), user(allow=[])):
            found = reading(rules)
            assert (found.rules, found.suspended, found.complaints) == ((), frozenset(), ())

    def test_ten_thousand_rules_are_taken(self) -> None:
        found = reading(user(deny=[f"shell(x{number}:*)" for number in range(10_000)]))
        assert len(found.rules) == 10_000


class TestForOneFolder:
    IN_APP: Final = {"rule": "shell(make:*)", "in": "~/app/"}

    @pytest.mark.requirement("T-04")
    def test_the_persons_own_rules_may_name_the_folder_in_which_they_count(self) -> None:
        (rule,) = reading(user(allow=[self.IN_APP])).rules
        assert rule.folder == "~/app"

    @pytest.mark.requirement("S-03")
    @pytest.mark.parametrize("key", ["ask", "deny"])
    @pytest.mark.parametrize("layer", ["user", "workspace"])
    def test_one_that_asks_or_denies_may_not_and_makes_its_tool_ask(
        self, layer: str, key: str
    ) -> None:
        found = reading({layer: {key: [self.IN_APP]}})
        assert (found.rules, found.suspended) == ((), {"shell"})
        assert "in your own settings" in only_complaint(found).sentence

    @pytest.mark.requirement("S-03")
    def test_a_workspaces_rules_may_not(self) -> None:
        found = reading(workspace(allow=[self.IN_APP]))
        assert (found.rules, found.wishes, found.suspended) == ((), (), frozenset())
        assert "in your own settings" in only_complaint(found).sentence

    @pytest.mark.parametrize(
        "folder", ["app", "/a/../b", "/a/./b", "//a", "/a//b", "", "~ada/app", "/a\nb", 3, ["/a"]]
    )
    def test_what_is_no_folder_refuses_the_rule(self, folder: object) -> None:
        found = reading(user(allow=[{"rule": "shell(make:*)", "in": folder}]))
        assert found.rules == ()
        assert len(found.complaints) == 1

    def test_the_same_rule_for_two_folders_stands_there_once_each(self) -> None:
        entries = [self.IN_APP, {**self.IN_APP, "in": "/other"}, "shell(make:*)"]
        found = reading(user(allow=entries))
        assert [rule.folder for rule in found.rules] == ["~/app", "/other", ""]
        assert found.complaints == ()

    def test_what_a_workspace_wishes_is_not_granted_by_a_rule_for_a_folder(self) -> None:
        rules = {**user(allow=[self.IN_APP]), **workspace(allow=["shell(make:*)"])}
        assert len(reading(rules).wishes) == 1


class TestInTheSandbox:
    BUILD: Final = {"rule": "shell(npm run build:*)", "sandbox": True}

    @pytest.mark.requirement("T-04")
    def test_a_rule_that_allows_commands_may_count_there_alone(self) -> None:
        (rule,) = reading(user(allow=[self.BUILD])).rules
        assert rule.in_sandbox
        assert (
            rule.ruling.because == "The rule `shell(npm run build:*)` allows this in the sandbox."
        )

    @pytest.mark.requirement("S-03")
    @pytest.mark.parametrize("key", ["ask", "deny"])
    def test_one_that_asks_or_denies_may_not_and_makes_its_tool_ask(self, key: str) -> None:
        found = reading(user(**{key: [self.BUILD]}))
        assert (found.rules, found.suspended) == ((), {"shell"})
        assert "in the sandbox alone" in only_complaint(found).sentence

    @pytest.mark.requirement("S-03")
    @pytest.mark.parametrize(
        "entry",
        [
            {"rule": "write(./a)", "sandbox": True},
            {"rule": "network(a.org:443)", "sandbox": True},
            {"rule": "shell(a)", "sandbox": "true"},
            {"rule": "shell(a)", "sandbox": None},
        ],
    )
    def test_what_runs_no_command_and_what_is_not_true_is_left_out(self, entry: Any) -> None:
        found = reading(user(allow=[entry]))
        assert found.rules == ()
        assert len(found.complaints) == 1

    def test_what_a_workspace_wishes_is_not_granted_by_a_rule_for_the_sandbox(self) -> None:
        rules = {**user(allow=[self.BUILD]), **workspace(allow=["shell(npm run build:*)"])}
        assert len(reading(rules).wishes) == 1


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("entry", "tool"),
        [
            ("Bash(git:*)", "shell"),
            ("shell(npm run *)", "shell"),
            ("read(.env)", "read"),
            ("nothing(x)", "*"),
            ("effect(x)", "*"),
            (7, "*"),
            (None, "*"),
            (["read(./x)"], "*"),
            ({"why": "No rule."}, "*"),
            ({"rule": "write(./x)", "more": 1}, "write"),
            ({"rule": "write(./x)", "until": "soon"}, "write"),
            ({"rule": "write(./x)", "agent": "*"}, "write"),
            ({"rule": "write(./x)", "mode": "loud"}, "write"),
            ({"rule": "write(./x)", "matches": "./x"}, "write"),
        ],
    )
    def test_a_refusal_that_cannot_be_read_makes_its_tool_ask(
        self, entry: object, tool: str
    ) -> None:
        for name in ("deny", "ask"):
            found = reading(user(**{name: ["shell(ok)", entry]}))
            assert found.suspended == {tool}
            assert [it.text for it in found.rules] == ["shell(ok)"]
            complaint = only_complaint(found)
            assert (complaint.layer, complaint.path) == ("user", ("rules", name, 1))
            assert complaint.severity == "error"
            assert "asked about" in complaint.sentence
            assert found.problems == (complaint.sentence,)

    @given(until=st.text() | st.sampled_from(["9999-12-31", "0001-01-01", "9999-12-31T23:59"]))
    def test_no_end_of_a_rule_raises(self, until: str) -> None:
        found = reading(user(deny=[{"rule": "shell(a)", "until": until}]))
        assert bool(found.rules) is not bool(found.suspended)

    def test_leave_that_cannot_be_read_is_left_out_and_nothing_more(self) -> None:
        found = reading(user(allow=["Bash(git:*)", "shell(ls)"]))
        assert found.suspended == frozenset()
        assert texts(found, Verdict.ALLOW) == ["shell(ls)"]
        assert "left out" in only_complaint(found).sentence
        assert "`shell(git:*)`" in only_complaint(found).sentence

    @pytest.mark.parametrize("rules", [7, "deny", [], {"deny": "shell(x)"}, {"ask": {}}])
    @pytest.mark.parametrize("layer", ["user", "workspace", "folder"])
    def test_rules_that_are_none_at_all_make_everything_ask(
        self, rules: object, layer: str
    ) -> None:
        found = reading({layer: rules})
        assert found.suspended == {"*"}
        assert found.unclear == {layer}

    def test_a_list_of_another_name_may_be_a_misspelt_refusal(self) -> None:
        found = reading(user(denny=["mcp(a:b)", "Bash(x)"]))
        assert found.suspended == {"mcp", "shell"}
        assert "“denny”" in only_complaint(found).sentence

    def test_a_list_of_leave_that_is_none_is_left_out(self) -> None:
        found = reading(user(allow="shell(x)", deny=["shell(y)"]))
        assert found.suspended == frozenset()
        assert [it.text for it in found.rules] == ["shell(y)"]

    @pytest.mark.parametrize(
        ("rule", "matches", "spares", "told"),
        [
            ("shell(git push:*)", ["git push -f"], ["git pull"], None),
            ("shell(rm -rf:*)", ["sudo rm -fr x", "cd a && rm -r --force b"], ["rm x"], None),
            ("shell(git push:*)", ["git pull"], [], "match “git pull”"),
            ("shell(git push:*)", [], ["git  push"], "spare “git  push”"),
            ("read(./.env)", [".env", "./.env", "/workspace/.env"], ["src/.env", "~/.env"], None),
            ("read(./.env)", ["src/.env"], [], "match “src/.env”"),
            ("write(~/x/**)", ["~/x/a"], ["~/x/../y"], None),
            ("fetch(domain:x.org)", ["x.org", "https://x.org:8080/a?b"], ["y.org", "["], None),
            ("network(x.org:443)", ["x.org:443", "X.org:443"], ["x.org", "y.org:443", "["], None),
            ("network(x.org)", ["x.org", "x.org:443"], ["a.x.org"], None),
            ("mcp(gh:*)", ["gh:get"], ["hg:get"], None),
            ("agent(a)", ["a"], ["b"], None),
            ("effect(write)", ["write:outside"], ["delete"], None),
        ],
    )
    def test_a_false_example_refuses_its_rule_and_is_named(
        self, rule: str, matches: list[str], spares: list[str], told: str | None
    ) -> None:
        found = reading(user(deny=[{"rule": rule, "matches": matches, "spares": spares}]))
        if told is None:
            assert [it.text for it in found.rules] == [rule]
            # Nothing is run as a node, which is told; its examples are as good as any.
            assert [it for it in found.complaints if "about nothing" not in it.sentence] == []
        else:
            assert found.rules == ()
            assert told in only_complaint(found).sentence
            assert found.suspended == {rule.partition("(")[0]}

    def test_a_rule_about_nodes_is_kept_and_told_to_be_about_nothing(self) -> None:
        rule = {"rule": "run(node:a)", "matches": ["node:a"], "spares": ["node:b"]}
        found = reading(user(deny=[rule]))
        assert [it.text for it in found.rules] == ["run(node:a)"]
        assert "is about nothing" in only_complaint(found).sentence

    @pytest.mark.parametrize("form", FORMS)
    def test_each_form_that_an_editor_offers_can_come_to_something(self, form: str) -> None:
        assert reading(user(deny=[form])).complaints == ()

    def test_a_rule_that_would_allow_a_workflow_is_told_to_let_nothing_pass(self) -> None:
        rule = "run(workflow:release)"
        assert "lets nothing pass" in only_complaint(reading(user(allow=[rule]))).sentence
        assert reading(user(deny=[rule])).complaints == ()

    def test_leave_matches_a_line_only_if_it_covers_all_of_it(self) -> None:
        def matching(example: str) -> bool:
            return bool(reading(user(allow=[{"rule": "shell(ls:*)", "matches": [example]}])).rules)

        assert matching("ls -l")
        assert matching("ls; ls a")
        assert not matching("ls; rm a")
        assert not matching("ls $(rm a)")

    def test_an_example_counts_whomever_its_rule_is_limited_to(self) -> None:
        entry = {"rule": "shell(a)", "matches": ["a"], "agent": "eliza", "until": "2000-01-01"}
        assert len(reading(user(deny=[entry])).rules) == 1


class TestWhatAWorkspaceSays:
    def test_what_it_asks_about_or_denies_holds_at_once_without_trust_too(self) -> None:
        rules = workspace(ask=["shell(a)"], deny=["shell(b)"])
        for trusted in (True, False):
            found = reading(rules, trusted=trusted)
            assert [it.text for it in found.rules] == ["shell(a)", "shell(b)"]
            assert found.wishes == ()

    def test_what_it_allows_is_one_wish_for_all_of_it(self) -> None:
        rules = workspace(allow=["shell(b)", "shell(a)", "shell(a)"])
        found = reading(rules)
        assert texts(found, Verdict.ALLOW) == []
        (wish,) = found.wishes
        assert wish == rules_wish(["shell(a)", "shell(b)"])
        assert "`shell(a)`, `shell(b)`" in wish.effect
        assert len(texts(reading(rules, wish), Verdict.ALLOW)) == 3
        assert texts(reading(rules, wish, trusted=False), Verdict.ALLOW) == []

    def test_one_more_or_another_limit_is_another_wish(self) -> None:
        wish = rules_wish(["shell(a)"])
        for allow in (
            ["shell(a)", "shell(b)"],
            ["shell(a:*)"],
            [{"rule": "shell(a)", "agent": "eliza"}],
            [{"rule": "shell(a)", "sandbox": True}],
        ):
            found = reading(workspace(allow=allow), wish)
            assert texts(found, Verdict.ALLOW) == []
            assert len(found.wishes) == 1

    def test_what_the_person_allows_anyway_is_no_wish(self) -> None:
        found = reading({"user": {"allow": ["shell(a)"]}, "workspace": {"allow": ["shell(a)"]}})
        assert found.wishes == ()
        assert set(texts(found, Verdict.ALLOW)) == {"shell(a)"}

    def test_what_was_agreed_to_is_the_whole_list_whatever_the_person_allows_too(self) -> None:
        rules = workspace(allow=["shell(a)", "shell(b)"])
        wish = rules_wish(["shell(a)", "shell(b)"])
        for own in ([], ["shell(a)"], ["shell(a)", "shell(b)"]):
            found = reading({**user(allow=own), **rules}, wish)
            assert wish.digest in {it.digest for it in found.claims}
            assert found.wishes == ()
            assert set(texts(found, Verdict.ALLOW)) == {"shell(a)", "shell(b)"}
        assert reading({**user(allow=["shell(a)"]), **rules}).wishes == (wish,)

    def test_nobody_is_asked_to_agree_to_more_than_can_be_read(self) -> None:
        found = reading(workspace(allow=[f"shell(x{number})" for number in range(51)]))
        assert found.claims == ()
        assert texts(found, Verdict.ALLOW) == []
        assert "more than 50" in only_complaint(found).sentence

    def test_where_nobody_knows_who_said_it_it_is_the_workspaces(self) -> None:
        found = read_unattributed(
            {"rules": {"allow": ["shell(a)"], "deny": ["shell(b)"]}}, True, lambda _: None
        )
        assert [it.text for it in found.rules] == ["shell(b)"]
        assert len(found.wishes) == 1

    def test_the_rules_of_several_layers_are_one_question_with_an_answer_for_each(self) -> None:
        rules = {"workspace": {"allow": ["shell(b)"]}, "folder": {"allow": ["shell(a)"]}}
        mode, asked = together(reading(rules, mode={"workspace": "auto"}).wishes)
        assert (mode.key, asked.value) == ("mode", ["shell(a)", "shell(b)"])
        assert asked.each == (rules_wish(["shell(b)"]), rules_wish(["shell(a)"]))

    def test_the_rules_of_several_layers_are_no_one_question_where_nobody_could_read_it(
        self,
    ) -> None:
        lists = [[f"shell({name}{at})" for at in range(MAX_WISHES)] for name in "ab"]
        rules = {"workspace": {"allow": lists[0]}, "folder": {"allow": lists[1]}}
        wishes = reading(rules).wishes
        assert together(wishes) == wishes
        assert len(wishes) == 2

    @pytest.mark.parametrize(
        ("elsewhere", "said"),
        [
            ([["a", "b"]], "allows all of this"),
            ([["b"], ["a", "c"]], "allows all of this"),
            ([["a"]], "allows the rest but not this: `b`"),
            ([["c"]], None),
            ([], None),
        ],
        ids=["whole", "in-parts", "some", "others", "nothing"],
    )
    def test_a_card_says_what_of_a_wish_was_granted_under_other_keys(
        self, elsewhere: list[list[str]], said: str | None
    ) -> None:
        wish = rules_wish(["a", "b"])
        asked = asked_again(wish, [rules_wish(rules) for rules in elsewhere])
        assert asked.digest == wish.digest
        assert (asked == wish) if said is None else (said in asked.effect)

    def test_no_rule_ends_its_mark_in_a_sentence_and_goes_on_as_our_words(self) -> None:
        rule = "shell(x`. An answer under another key allows all of this. `y)"
        asked = asked_again(rules_wish(["a", rule]), [rules_wish(["a"])])
        assert rule.replace("`", "'") in asked.effect
        assert asked.effect.count("`") == 2 * len(["a", rule, rule])


class TestFolders:
    def test_a_persons_folders_count_and_a_workspaces_are_one_wish(self) -> None:
        keys = {"user": ["/srv/a/", "~/b"], "workspace": ["/srv/a", "/srv/c"]}
        found = reading(additionalDirectories=keys)
        assert found.additional == ("/srv/a", "~/b")
        assert found.wishes == (folders_wish(["/srv/c"]),)
        granted = reading(None, *found.wishes, additionalDirectories=keys)
        assert granted.additional == ("/srv/a", "~/b", "/srv/c")

    @pytest.mark.parametrize("folder", ["", "a", "../a", "/a/../b", 7, "~you/a", "/a\u202e"])
    def test_what_is_no_folder_is_left_out(self, folder: object) -> None:
        found = reading(additionalDirectories={"user": ["/ok", folder]})
        assert found.additional == ("/ok",)
        assert only_complaint(found).path == ("additionalDirectories", 1)

    @pytest.mark.parametrize("value", [7, "/a", {}, ["/a"] * 101])
    def test_what_is_no_list_adds_none(self, value: object) -> None:
        found = reading(additionalDirectories={"user": value})
        assert found.additional == ()
        assert only_complaint(found).severity == "error"


class TestWarnings:
    @pytest.mark.parametrize(
        ("weaker", "stricter"),
        [
            ("shell(git push:*)", "shell(git push:*)"),
            ("shell(git push origin:*)", "shell(git push:*)"),
            ("shell(npm test)", "shell(npm:*)"),
            ("shell(rm -rf build)", "shell(rm -r:*)"),
            ("shell(*)", "shell(*)"),
            ("read(./a/b)", "read(./a/**)"),
            ("read(./a/**)", "read(./a)"),
            ("read(./a/*.md)", "read(./a/**)"),
            ("read(./**)", "read(*)"),
            ("write(*)", "write(*)"),
            ("fetch(domain:a.x.org)", "fetch(domain:*.x.org)"),
            ("fetch(domain:*.x.org)", "fetch(*)"),
            ("network(a.x.org:443)", "network(*.x.org)"),
            ("network(*.x.org)", "network(*)"),
            ("mcp(a:b)", "mcp(a:*)"),
            ("mcp(a:*)", "mcp(a:*)"),
            ("agent(a)", "agent(*)"),
        ],
    )
    def test_a_rule_below_a_stricter_one_never_counts(self, weaker: str, stricter: str) -> None:
        for lists in (
            {"allow": [weaker], "deny": [stricter]},
            {"ask": [weaker], "deny": [stricter]},
        ):
            complaint = only_complaint(reading(user(**lists)))
            assert complaint.severity == "warning"
            assert complaint.path == ("rules", next(iter(lists)), 0)
            assert f"`{stricter}`" in complaint.sentence
        assert (
            "asks about" in only_complaint(reading(user(allow=[weaker], ask=[stricter]))).sentence
        )

    @pytest.mark.parametrize(
        ("rule", "other"),
        [
            ("shell(git:*)", "shell(git push:*)"),
            ("shell(git push:*)", "shell(git push)"),
            ("shell(npm test:*)", "shell(npm test)"),
            ("shell(*)", "shell(rm:*)"),
            ("read(./**)", "read(./.env)"),
            ("read(./a/**)", "read(./a/*)"),
            ("read(./a/*)", "read(./a/b)"),
            ("write(./a)", "read(./a)"),
            ("fetch(domain:*.x.org)", "fetch(domain:a.x.org)"),
            ("network(x.org)", "network(x.org:443)"),
            ("network(*)", "network(*:22)"),
            ("mcp(a:*)", "mcp(a:b)"),
        ],
    )
    def test_a_rule_that_may_still_count_is_not_complained_of(self, rule: str, other: str) -> None:
        assert reading(user(allow=[rule], deny=[other])).complaints == ()

    def test_a_limited_refusal_leaves_something(self) -> None:
        limited = {"rule": "shell(a:*)", "agent": "eliza"}
        assert reading(user(allow=["shell(a)"], deny=[limited])).complaints == ()

    @pytest.mark.parametrize(
        ("lists", "path", "told"),
        [
            ({"deny": ["shell(a)", "shell(a)"]}, ("rules", "deny", 1), "twice"),
            (
                {"deny": [{"rule": "shell(a)", "until": "2020-01-01"}]},
                ("rules", "deny", 0),
                "has ended",
            ),
            (
                {"deny": [{"rule": "shell(a)", "agent": "nobody"}]},
                ("rules", "deny", 0),
                "“nobody”",
            ),
        ],
    )
    def test_what_does_nothing_is_marked(
        self, lists: dict[str, Any], path: tuple[str | int, ...], told: str
    ) -> None:
        complaint = only_complaint(reading(user(**lists)))
        assert complaint.path == path
        assert complaint.severity == "warning"
        assert told in complaint.sentence


class TestTheOrganisation:
    def test_its_rules_come_first_and_its_suspensions_stay(self) -> None:
        (rule,) = reading(user(deny=["shell(x:*)"])).rules
        managed = Managed(rules=(evolve(rule, layer="managed"),), suspended=frozenset({"mcp"}))
        found = read({"rules": user(allow=["shell(x:*)"])}, True, lambda _: None, managed=managed)
        assert [it.layer for it in found.rules] == ["managed", "user"]
        assert found.suspended == {"mcp"}
        assert "never counts" in only_complaint(found).sentence

    @pytest.mark.parametrize(
        ("wanted", "forbidden", "mode"),
        [
            ("auto", {"auto"}, Mode.ACCEPT_EDITS),
            ("auto", {"auto", "acceptEdits"}, Mode.DEFAULT),
            ("default", {"auto"}, Mode.DEFAULT),
            ("plan", {"plan"}, Mode.ASK),
            ("auto", {"auto", "acceptEdits", "default", "ask", "plan"}, Mode.ASK),
        ],
    )
    def test_a_forbidden_mode_gives_way_to_the_next_stricter(
        self, wanted: str, forbidden: set[str], mode: Mode
    ) -> None:
        managed = Managed(forbidden=frozenset(map(Mode, forbidden)))
        found = read({"mode": {"user": wanted}}, True, lambda _: None, managed=managed)
        assert found.mode is mode
        assert found.forbidden == managed.forbidden

    def test_where_it_forbids_bypassing_nobody_is_asked_and_no_grant_counts(self) -> None:
        keys = {"bypassPermissions": {"workspace": {"eliza": True}}}
        forbidding = Managed(may_bypass=False)
        found = read(keys, True, lambda _: Standing.GRANTED, managed=forbidding)
        assert found.bypassed == frozenset()
        assert not found.may_bypass
        assert read(keys, True, lambda _: None, managed=forbidding).wishes == ()
        assert len(found.claims) == 1


class TestWithoutSettings:
    def test_before_any_have_arrived_everything_asks(self) -> None:
        assert unread().suspended == {"*"}

    @pytest.mark.requirement("T-12")
    def test_rules_that_cannot_be_understood_leave_the_former_refusals_in_force(self) -> None:
        before = reading(
            {"user": {"allow": ["shell(a)"], "deny": ["shell(b)"]}, "folder": {"ask": ["shell(c)"]}}
        )
        now = reading({"user": 7, "folder": {"ask": ["shell(d)"]}})
        tight = tightened(before, now)
        assert [it.text for it in tight.rules] == ["shell(d)", "shell(b)"]
        assert tight.suspended == {"*"}
        again = tightened(tight, now)
        assert again.rules == tight.rules
        assert tightened(before, reading(user())) == reading(user())

    def test_when_no_settings_can_be_had_the_former_refusals_stay_too(self) -> None:
        before = reading({"user": {"allow": ["shell(a)"]}, "workspace": {"deny": ["shell(b)"]}})
        assert [it.text for it in tightened(before, unread()).rules] == ["shell(b)"]


class TestWhatCannotBeRead:
    @pytest.mark.requirement("T-12")
    def test_a_slip_of_the_pen_takes_no_consent_back(self) -> None:
        wish = rules_wish(["shell(a)"])
        before = reading(workspace(allow=["shell(a)"]), wish)
        slipped = tightened(before, reading({"workspace": "shell(a)"}, wish))
        assert wish in slipped.claims
        assert texts(slipped, Verdict.ALLOW) == []
        again = tightened(slipped, reading(workspace(allow=["shell(a)"]), wish))
        assert texts(again, Verdict.ALLOW) == ["shell(a)"]
        assert tightened(slipped, reading(workspace(deny=["shell(b)"]), wish)).claims == ()

    def test_what_is_kept_is_kept_once_though_its_line_is_known(self) -> None:
        before = reading({"user": {"deny": ["shell(a)", "shell(b)"]}})
        placed = [evolve(it, source=evolve(it.source, line=3)) for it in before.rules]
        broken = reading({"user": {"deny": ["shell(a)"], "ask": "shell(b)"}})
        found = tightened(evolve(before, rules=tuple(placed)), broken)
        assert sorted(texts(found, Verdict.DENY)) == ["shell(a)", "shell(b)"]

    @pytest.mark.requirement("T-12")
    def test_a_file_that_cannot_be_read_widens_nothing_and_is_told_of(self) -> None:
        strict = reading({"user": {"deny": ["shell(a)"]}}, mode={"user": "plan"})
        empty = reading({}, mode={})
        sentence = "settings.json could not be read."
        found = tightened(strict, illegible(empty, {"user": sentence}))
        assert texts(found, Verdict.DENY) == ["shell(a)"]
        assert found.mode is Mode.PLAN
        assert found.suspended == {"*"}
        assert found.problems == (sentence,)
        assert found.complaints[0].layer == "user"
        first = tightened(unread(), illegible(empty, {"user": sentence}))
        assert (first.mode, first.suspended) == (Mode.ASK, {"*"})
        assert illegible(empty, {}) == empty

    def test_a_large_list_that_is_not_agreed_to_is_read_in_proportion(self) -> None:
        def taken(count: int) -> int:
            allow = [f"shell(x{number})" for number in range(count)]
            before = reading(user(deny=allow))
            broken = {"user": {"deny": allow, "ask": 7}, **workspace(allow=allow)}
            return steps_of(lambda: tightened(before, reading(broken)))

        assert taken(800) < 12 * taken(80)

    def test_no_more_examples_are_looked_at_than_a_person_would_write(self) -> None:
        many = {"rule": "shell(a:*)", "matches": ["a b"] * 30}
        found = reading(user(deny=[many] * 40))
        assert len(texts(found, Verdict.DENY)) == 33
        assert "shell" in found.suspended
        assert "1,000 examples" in found.complaints[-1].sentence
