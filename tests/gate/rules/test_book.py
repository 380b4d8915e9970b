"""Which rules are about what: what allows to the letter, what denies in any spelling."""

import functools
from collections.abc import Sequence

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from assent.gate.call.calls import AgentId, Target
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.rules.book import EMPTY, Asker, Book
from assent.gate.rules.lookups import Lookups
from assent.gate.rules.notation import written
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.shell.anchored_paths import InHome
from assent.gate.shell.word import Below, Exact, OneOf, Pattern, Phrase, Word
from gate.rules.books import (
    ASKER,
    HOME,
    ROOT,
    allow,
    argv,
    ask,
    book,
    deny,
    fits,
    place,
    said,
    unknown,
)
from steps import steps_of


def shell(line: str | Sequence[Word], *rules: WrittenRule) -> str:
    words = argv(line) if isinstance(line, str) else tuple(line)
    return said(book(*rules).shell(words, ASKER))


class TestAllowingCommands:
    @pytest.mark.parametrize(
        ("rule", "line", "covered"),
        [
            ("shell(git status:*)", "git status", True),
            ("shell(git status:*)", "git status -s src", True),
            ("shell(git status:*)", "git status $x", True),
            ("shell(git status:*)", "git statusx", False),
            ("shell(git status:*)", "git -C x status", True),
            ("shell(git status:*)", "git -C ../x status", False),
            ("shell(git status:*)", "git", False),
            ("shell(git status:*)", "git $x", False),
            ("shell(git status:*)", "$x status", False),
            ("shell(git:*)", "./git status", False),
            ("shell(git:*)", "/tmp/git status", False),
            ("shell(git:*)", "GIT status", False),
            ("shell(ls:*)", "/bin/ls", True),
            ("shell(ls:*)", "/usr/bin/ls -l", True),
            ("shell(ls:*)", "/usr/bin/../../tmp/ls", False),
            ("shell(ls:*)", "/usr/local/bin/ls", False),
            ("shell(./go.sh:*)", "./go.sh now", True),
            ("shell(./go.sh:*)", "go.sh now", False),
            ("shell(npm test)", "npm test", True),
            ("shell(npm test)", "npm test x", False),
            ("shell(npm test)", "npm test $x", False),
            ("shell(npm test)", "npm", False),
            ("shell(ls '*.py')", "ls *.py", False),
            ("shell(*)", "anything at all", True),
        ],
    )
    def test_a_rule_covers_its_words_to_the_letter(
        self, rule: str, line: str, *, covered: bool
    ) -> None:
        assert shell(line, allow(rule)) == ("allow" if covered else "")

    def test_a_quoted_pattern_is_a_word_like_any_other(self) -> None:
        words = (Exact(text="find"), Exact(text="-name"), Exact(text="*.py"))
        assert shell(words, allow("shell(find -name '*.py')")) == "allow"

    def test_a_word_that_may_be_several_or_one_of_some_covers_nothing(self) -> None:
        rule = allow("shell(git status:*)")
        git = Exact(text="git")
        assert shell((git, Phrase(text="status")), rule) == ""
        assert shell((git, OneOf(text="status", choices=("status",))), rule) == ""

    def test_a_tilde_is_the_home_only_where_the_shell_says_so(self) -> None:
        rule = allow("shell(ls ~/x)")
        assert shell((Exact(text="ls"), InHome(text="~/x")), rule) == "allow"
        assert shell((Exact(text="ls"), Exact(text="~/x")), rule) == ""

    def test_the_rule_that_says_most_is_told_of(self) -> None:
        rules = [
            allow("shell(*)"),
            allow("shell(git:*)"),
            allow("shell(git log:*)"),
            allow("shell(git log -p)"),
        ]
        for order in (rules, rules[::-1]):
            found = Book.of(order, (ROOT,), HOME)
            for line, text in [
                ("git log -p", "shell(git log -p)"),
                ("git log -p x", "shell(git log:*)"),
                ("git push", "shell(git:*)"),
                ("ls", "shell(*)"),
            ]:
                told = found.shell(argv(line), ASKER).allow
                assert told is not None
                assert told.text == text

    def test_among_equals_the_first_that_was_written_is_told_of(self) -> None:
        one, other = allow("shell(ls:*)", why="one"), allow("shell(ls:*)", why="other")
        assert book(one, other).shell(argv("ls"), ASKER).allow is one
        assert book(other, one).shell(argv("ls"), ASKER).allow is other


class TestRefusingCommands:
    @pytest.mark.parametrize(
        ("rule", "line", "what"),
        [
            ("shell(rm -rf:*)", "rm -rf x", "deny"),
            ("shell(rm -rf:*)", "rm -fr x", "deny"),
            ("shell(rm -rf:*)", "rm -r -f x", "deny"),
            ("shell(rm -rf:*)", "rm x -rf", "deny"),
            ("shell(rm -rf:*)", "rm -Rfv x", "deny"),
            ("shell(rm -rf:*)", "rm --recursive --force x", "deny"),
            ("shell(rm -rf:*)", "rm --recur --forc x", "deny"),
            ("shell(rm -rf:*)", "rm -r x", ""),
            ("shell(rm -rf:*)", "rm x -- -rf", ""),
            ("shell(rm --recursive --force:*)", "rm -rf x", "deny"),
            ("shell(rm -rf:*)", "/bin/rm -rf x", "deny"),
            ("shell(rm -rf:*)", "./rm -rf x", "deny"),
            ("shell(rm -rf:*)", "RM -rf x", "deny"),
            ("shell(rm -rf:*)", "rm $x", "perhaps"),
            ("shell(rm -rf:*)", "$x y", "perhaps"),
            ("shell(rm -rf:*)", "r* y", "perhaps"),
            ("shell(rm -rf /)", "rm -rf /", "deny"),
            ("shell(rm -rf /)", "rm -rf build", ""),
            ("shell(rm -rf /)", "rm -rf $x", "perhaps"),
            ("shell(git push --force:*)", "git push origin main --force", "deny"),
            ("shell(git push --force)", "git push origin main --force", "deny"),
            ("shell(git push --force:*)", "git push -f", "deny"),
            ("shell(git push --force:*)", "git -c a=b push -qf", "deny"),
            ("shell(git push --force:*)", "git push origin +main", "deny"),
            ("shell(git push --force:*)", "git push --force-with-lease", ""),
            ("shell(git push --force:*)", "git push origin main", ""),
            ("shell(git push:*)", "git push", "deny"),
            ("shell(git push:*)", "git --git-dir x push", "deny"),
            ("shell(git push:*)", "git --git-dir=x push", "deny"),
            ("shell(git push:*)", "git $x", "perhaps"),
            ("shell(git push:*)", "git -C $x push", "deny"),
            ("shell(git push:*)", "git pu*", "perhaps"),
            ("shell(git push:*)", "git a*", ""),
            ("shell(git push:*)", "git commit -m push", ""),
            ("shell(git push:*)", "git stash push", ""),
            ("shell(git push)", "git push", "deny"),
            ("shell(git push)", "git push -v", "deny"),
            ("shell(git push)", "git push origin", ""),
            ("shell(git push)", "git push $x", "perhaps"),
            ("shell(git branch -D:*)", "git branch -d -f x", "deny"),
            ("shell(git branch -D:*)", "git branch -d x", ""),
            ("shell(kubectl delete:*)", "kubectl -n prod delete pod", "deny"),
            ("shell(tool delete:*)", "tool --profile prod delete x", "deny"),
            ("shell(tool delete:*)", "tool prod delete x", ""),
            ("shell(npm install --global:*)", "npm install -g x", "deny"),
            ("shell(curl -o:*)", "curl -ofile x", "deny"),
            ("shell(find -delete:*)", "find . -name x -delete", "deny"),
            ("shell(find -delete:*)", "find . -depth", ""),
            ("shell(dd of=/dev/sda:*)", "dd if=/dev/zero of=/dev/sda", "deny"),
            ("shell(./deploy.sh:*)", "/srv/deploy.sh", "deny"),
            ("shell(./test:*)", "test -f x", ""),
            ("shell(/usr/bin/rm:*)", "rm x", "deny"),
            ("shell(*)", "anything", "deny"),
            ("shell(evil:*)", "ls evil", ""),
        ],
    )
    def test_a_rule_refuses_however_it_is_spelled(self, rule: str, line: str, what: str) -> None:
        assert shell(line, deny(rule)) == what
        assert shell(line, ask(rule)) == what.replace("deny", "ask")

    def test_no_command_takes_long(self) -> None:
        rules = book(
            *(deny(f"shell(git x{number})") for number in range(1_000)),
            *(
                deny(f"shell(git {'a ' * number} -{letter})")
                for number, letter in enumerate("abcd")
            ),
            deny("shell(git)"),
        )
        lines = ["git " + "-a a " * 2_500, "git " + "a " * 5_000, "git " + "$x " * 3_000]
        lines += ["git " + "* " * 5_000, "git " + "--x=y " * 2_000]
        for line in lines:
            words = argv(line)
            assert steps_of(functools.partial(rules.shell, words, ASKER)) < 1_500_000, line[:9]
            several = frozenset(line.split())
            assert steps_of(functools.partial(rules.roughly, several, ASKER)) < 200_000

    def test_any_choice_that_is_refused_refuses(self) -> None:
        def one_of(*texts: str) -> Word:
            return OneOf(text="$i", choices=texts)

        rule = deny("shell(git push --force:*)")
        git, push, force = (Exact(text=text) for text in ("git", "push", "--force"))
        assert shell((one_of("ls", "git"), push, force), rule) == "deny"
        assert shell((git, one_of("pull", "push"), force), rule) == "deny"
        assert shell((git, push, one_of("-v", "-f")), rule) == "deny"
        assert shell((git, one_of("pull", "fetch"), force), rule) == ""

    def test_names_of_files_are_no_options(self) -> None:
        listed = Below(text="{}", several=True)
        assert shell((Exact(text="rm"), listed), deny("shell(rm -rf:*)")) == ""
        assert shell((Exact(text="rm"), listed), deny("shell(rm x:*)")) == "perhaps"

    def test_a_name_that_is_not_known_is_asked_about_only_where_something_is_refused(self) -> None:
        assert shell("$x y", allow("shell(git:*)")) == ""
        assert shell("$x y", allow("shell(git:*)"), deny("shell(rm:*)")) == "perhaps"

    def test_a_text_that_is_too_long_is_refused_by_its_words(self) -> None:
        rules = book(deny("shell(git push --force:*)"), allow("shell(git:*)"), ask("shell(rm:*)"))

        def roughly(*words: str) -> str:
            return said(rules.roughly(frozenset(words), ASKER))

        assert roughly("push", "a", "-f", "/usr/bin/git") == "deny"
        assert roughly("push", "a", "git") == ""
        assert roughly("x", "rm") == "ask"


class TestPaths:
    @pytest.mark.parametrize(
        ("rule", "path", "covered"),
        [
            ("read(./src/**)", "src/a/b.py", True),
            ("read(./src/**)", "src", True),
            ("read(./src/)", "src/a", True),
            ("read(./src/**)", "srcx/a", False),
            ("read(./src/**)", "Src/a", False),
            ("read(./src)", "src/a", False),
            ("read(./**)", ".env", True),
            ("read(./**)", "/home/ada/other", False),
            ("read(./docs/*.md)", "docs/a.md", True),
            ("read(./docs/*.md)", "docs/x/a.md", False),
            ("read(./docs/*.md)", "docs/a.mdx", False),
            ("read(./**/*.test.ts)", "a.test.ts", True),
            ("read(./**/*.test.ts)", "a/b/c.test.ts", True),
            ("read(./a/**/b/*.py)", "a/x/y/b/z.py", True),
            ("read(./a/**/b/*.py)", "a/b/z.py", True),
            ("read(./a/**/b/*.py)", "a/x/z.py", False),
            ("read(./data?.csv)", "data1.csv", True),
            ("read(~/notes/**)", "~/notes/x", True),
            ("read(~/notes/**)", "/home/adam/notes/x", False),
            ("read(/etc/hosts)", "/etc/hosts", True),
            ("read(/**)", "/anything/at/all", True),
            ("read(*)", "/anything/at/all", True),
            ("read(.)", ROOT, True),
            ("read(.)", "a", False),
        ],
    )
    def test_a_rule_allows_what_fits_its_pattern(
        self, rule: str, path: str, *, covered: bool
    ) -> None:
        target = place(path)
        assert said(book(allow(rule)).path("read", target, ASKER)) == ("allow" if covered else "")

    def test_changing_a_folder_itself_is_not_changing_what_is_in_it(self) -> None:
        rules = book(allow("write(./dist/**)"))
        assert said(rules.path("write", place("dist/a"), ASKER)) == "allow"
        assert said(rules.path("write", place("dist"), ASKER)) == ""

    def test_reading_and_changing_are_ruled_apart(self) -> None:
        rules = book(allow("read(./a)"), deny("write(./a)"))
        assert said(rules.path("read", place("a"), ASKER)) == "allow"
        assert said(rules.path("write", place("a"), ASKER)) == "deny"

    @pytest.mark.parametrize(
        ("rule", "path"),
        [
            ("read(./.env)", ".env"),
            ("read(./.env)", ".ENV"),
            ("read(./secrets/**)", "secrets"),
            ("read(./secrets/**)", "SECRETS/a"),
            ("read(./secrets)", "secrets/a/b"),
            ("read(~/.ssh)", "~/.ssh/id_rsa"),
            ("read(./**/.env)", "a/b/.env"),
            ("read(./caf\u00e9)", "cafe\u0301"),
            ("read(./.git)", ".g\u200cit"),
            ("read(./**/*.PEM)", "a/x.pem"),
        ],
    )
    def test_a_rule_refuses_in_any_case_and_all_that_is_below(self, rule: str, path: str) -> None:
        assert said(book(deny(rule)).path("read", place(path), ASKER)) == "deny"
        assert said(book(deny(rule), allow("read(*)")).path("read", place(path), ASKER)) == "deny"

    def test_a_pattern_of_names_refuses_no_folder_of_that_name_with_all_that_is_in_it(self) -> None:
        rules = book(deny("read(./*)"))
        assert said(rules.path("read", place("a"), ASKER)) == "deny"
        assert said(rules.path("read", place("a/b"), ASKER)) == ""

    def test_a_refusal_counts_for_the_spelled_path_and_for_where_it_leads(self) -> None:
        rules = book(deny("read(./secret)"))
        for target in (
            place("secret", resolved="/elsewhere"),
            place("harmless", resolved=f"{ROOT}/secret"),
        ):
            assert said(rules.path("read", target, ASKER)) == "deny"

    def test_leave_counts_for_where_a_path_leads_alone(self) -> None:
        rules = book(allow("read(./a)"))
        leads_out = place("a", resolved="/etc/passwd")
        assert said(rules.path("read", leads_out, ASKER)) == ""
        assert said(rules.path("read", place("b", resolved=f"{ROOT}/a"), ASKER)) == "allow"

    def test_the_workspace_is_each_of_its_folders(self) -> None:
        roots = (ROOT, "/srv/other", f"{ROOT}/inner")
        rules = book(allow("read(./src/**)"), deny("read(./.env)"), roots=roots)
        for root in roots:
            assert said(rules.path("read", place(f"{root}/src/x"), ASKER)) == "allow"
            assert said(rules.path("read", place(f"{root}/.env"), ASKER)) == "deny"
        assert said(rules.path("read", place("/srv/src/x"), ASKER)) == ""

    @pytest.mark.parametrize(
        ("rule", "folder", "hidden", "what"),
        [
            ("read(./.env)", ".", True, "perhaps"),
            ("read(./.env)", ".", False, ""),
            ("read(./a/.env)", ".", False, ""),
            ("read(./a/key)", ".", False, "perhaps"),
            ("read(./a/key)", "a", True, "perhaps"),
            ("read(./a/key)", "b", True, ""),
            ("read(./**/.env)", "b", True, "perhaps"),
            ("read(./**/.env)", "b", False, ""),
            ("read(./**/*.pem)", "b", False, "perhaps"),
            ("read(./.*)", ".", False, ""),
            ("read(./a/**)", "a/b/c", True, "perhaps"),
            ("read(~/.ssh)", "/", True, "perhaps"),
            ("read(/etc/shadow)", ".", True, ""),
            ("read(*)", ".", True, "perhaps"),
        ],
    )
    def test_what_is_below_a_folder_may_be_refused(
        self, rule: str, folder: str, what: str, *, hidden: bool
    ) -> None:
        target = place(ROOT if folder == "." else folder)
        assert said(book(deny(rule)).below("read", target, ASKER, hidden=hidden)) == what
        assert said(book(allow(rule)).below("read", target, ASKER, hidden=hidden)) == ""

    @pytest.mark.parametrize(
        ("rule", "glob", "what"),
        [
            ("read(./.env)", ".e*", "perhaps"),
            ("read(./.env)", ".E*", "perhaps"),
            ("read(./.env)", "*", ""),
            ("read(./.env)", "*.md", ""),
            ("read(./.env)", "src/.e*", ""),
            ("read(./**/.env)", "src/.e*", "perhaps"),
            ("read(./secrets/**)", "s*/a", "perhaps"),
            ("read(./secrets)", "*/a", "perhaps"),
            ("read(./*.pem)", "*.key", ""),
            ("read(./*.pem)", "k*", "perhaps"),
            ("read(./src/*.pem)", "**/x*", "perhaps"),
            ("read(~/.ssh)", "/home/*/.ssh/id", "perhaps"),
            ("read(./a/key)", "*", ""),
        ],
    )
    def test_what_a_shells_pattern_stands_for_may_be_refused(
        self, rule: str, glob: str, what: str
    ) -> None:
        assert said(book(deny(rule)).pattern("read", place(glob), ASKER)) == what
        assert said(book(allow(rule)).pattern("read", place(glob), ASKER)) == ""

    def test_below_what_a_pattern_stands_for_something_may_be_refused(self) -> None:
        rules = book(deny("read(./a/key)"), deny("read(./a/.env)"))
        assert said(rules.pattern("read", place("*"), ASKER, tree=True)) == "perhaps"
        hidden = book(deny("read(./a/.env)"))
        assert said(hidden.pattern("read", place("*"), ASKER, tree=True, hidden=False)) == ""


class TestNames:
    @pytest.mark.parametrize(
        ("rule", "host", "verdicts"),
        [
            ("fetch(domain:x.org)", "x.org", ("allow", "deny")),
            ("fetch(domain:x.org)", "X.ORG", ("allow", "deny")),
            ("fetch(domain:x.org)", "x.org.", ("", "deny")),
            ("fetch(domain:x.org)", "www.x.org", ("", "")),
            ("fetch(domain:x.org)", "evilx.org", ("", "")),
            ("fetch(domain:*.x.org)", "a.b.x.org", ("allow", "deny")),
            ("fetch(domain:*.x.org)", "x.org", ("", "deny")),
            ("fetch(domain:*.x.org)", "evilx.org", ("", "")),
            ("fetch(domain:x.org)", "?", ("", "perhaps")),
            ("fetch(*)", "y.org", ("allow", "deny")),
        ],
    )
    def test_hosts(self, rule: str, host: str, verdicts: tuple[str, str]) -> None:
        found = [said(book(make(rule)).host(host, ASKER)) for make in (allow, deny)]
        assert found == list(verdicts)

    def test_tools_are_named_in_full_or_by_their_server(self) -> None:
        rules = book(allow("mcp(gh:get)"), deny("mcp(db:*)"), ask("mcp(gh:push)"))
        for name, what in [
            ("gh:get", "allow"),
            ("gh:GET", ""),
            ("gh:Push", "ask"),
            ("db:drop", "deny"),
            ("DB:drop", "deny"),
            ("other:get", ""),
        ]:
            assert said(rules.tool("mcp", name, ASKER)) == what

    @pytest.mark.parametrize(
        ("rule", "name", "verdicts"),
        [
            ("mcp(gh:get_*)", "gh:get_issue", ("allow", "deny")),
            ("mcp(gh:get_*)", "gh:get_", ("allow", "deny")),
            ("mcp(gh:get_*)", "gh:get", ("", "")),
            ("mcp(gh:get_*)", "gh:GET-issue", ("", "deny")),
            ("mcp(gh:get_*)", "other:get_issue", ("", "")),
            ("mcp(db*:get_*)", "db-test:get_all", ("allow", "deny")),
            ("mcp(db*:*)", "db:drop", ("allow", "deny")),
            ("mcp(db*:*)", "xdb:drop", ("", "")),
        ],
    )
    def test_tools_are_named_by_how_they_begin(
        self, rule: str, name: str, verdicts: tuple[str, str]
    ) -> None:
        found = [said(book(make(rule)).tool("mcp", name, ASKER)) for make in (allow, deny)]
        assert found == list(verdicts)

    @pytest.mark.parametrize(
        ("braces", "given", "verdicts"),
        [
            ("{owner=acme}", {"owner": "acme", "more": 1}, ("allow", "deny")),
            ("{owner=acme}", {"owner": "evil"}, ("", "")),
            ("{owner=acme}", {}, ("", "")),
            ("{owner=acme}", {"Owner": "Acme"}, ("", "deny")),
            ("{owner=acme}", {"owner": ["acme"]}, ("", "deny")),
            ("{owner=acme}", {"owner": "acme\n"}, ("", "")),
            ("{n=3, dry=true}", {"n": 3, "dry": True}, ("allow", "deny")),
            ("{n=3, dry=true}", {"n": 3, "dry": False}, ("", "")),
            ("{path=docs/*}", {"path": "docs/a.md"}, ("allow", "deny")),
            ("{path=docs/*}", {"path": "docs/a/b.md"}, ("", "deny")),
            ("{path=docs/**}", {"path": "docs/a/b.md"}, ("allow", "deny")),
            ("{path=docs/**}", {"path": "docs/../.env"}, ("", "deny")),
            ("{path=docs/**}", {"path": "docs/%2e%2e/.env"}, ("", "deny")),
            ("{path=docs/**}", {"path": "docs/..\\.env"}, ("", "deny")),
            ("{path=/etc/*}", {"path": "/tmp/../etc/passwd"}, ("", "deny")),
            ("{path=**/.env}", {"path": ".env"}, ("allow", "deny")),
            ("{path=**}", {"path": {"deep": 1}}, ("", "deny")),
        ],
    )
    def test_tools_are_named_with_their_arguments(
        self, braces: str, given: dict[str, object], verdicts: tuple[str, str]
    ) -> None:
        rule = f"mcp(files:read){braces}"
        found = [
            said(book(make(rule)).tool("mcp", "files:read", ASKER, given)) for make in (allow, deny)
        ]
        assert found == list(verdicts)

    def test_what_runs_and_agents_have_rules_of_their_own(self) -> None:
        rules = book(allow("run(node:build)"), deny("run(workflow:*)"), allow("agent(scout)"))
        assert said(rules.tool("run", "node:build", ASKER)) == "allow"
        assert said(rules.tool("run", "workflow:x", ASKER)) == "deny"
        assert said(rules.tool("agent", "scout", ASKER)) == "allow"
        assert said(rules.tool("agent", "build", ASKER)) == ""

    def test_an_effect_is_ruled_by_itself_or_by_its_kind(self) -> None:
        rules = book(ask("effect(write)"), deny("effect(write:outside)"), deny("effect(network)"))
        for name, what in [
            ("write:inside", "ask"),
            ("write:outside", "deny"),
            ("network", "deny"),
            ("delete", ""),
        ]:
            assert said(rules.effect(name, ASKER)) == what


class TestLimits:
    def test_a_rule_counts_for_its_agent_in_its_mode_and_until_its_time(self) -> None:
        rules = book(
            deny("shell(a)", agent=AgentId("eliza")),
            deny("shell(b)", mode=Mode.AUTO),
            deny("shell(c)", until=2_000.0),
        )
        other = Asker(agent=AgentId("other"), mode=Mode.AUTO, now=2_000.5)
        assert [said(rules.shell(argv(it), ASKER)) for it in "abc"] == ["deny", "", "deny"]
        assert [said(rules.shell(argv(it), other)) for it in "abc"] == ["", "deny", ""]

    def test_one_that_does_not_count_hides_none_that_does(self) -> None:
        late = Asker(agent=AgentId("eliza"), mode=Mode.DEFAULT, now=9_999.0)
        rules = book(
            deny("read(./a/x)", until=2_000.0),
            ask("read(./a/y)", agent=AgentId("other")),
            ask("read(./a/z)"),
        )
        folder = place("a")
        first = rules.below("read", folder, ASKER).perhaps
        second = rules.below("read", folder, late).perhaps
        assert first is not None
        assert second is not None
        assert (first.text, second.text) == ("read(./a/x)", "read(./a/z)")

    def test_an_empty_book_says_nothing(self) -> None:
        assert said(EMPTY.shell(argv("ls"), ASKER)) == ""
        assert said(EMPTY.shell((), ASKER)) == ""
        assert said(EMPTY.path("read", place("/"), ASKER)) == ""
        assert said(EMPTY.below("read", place("/"), ASKER)) == ""
        assert said(EMPTY.roughly(frozenset({"rm"}), ASKER)) == ""


words = st.sampled_from(["git", "rm", "push", "-f", "-rf", "--force", "main", "a", "--", "/bin/rm"])
rule_words = st.lists(words, min_size=1, max_size=4).map(" ".join)
shell_rules = st.builds("shell({}{})".format, rule_words, st.sampled_from(["", ":*"]))
argvs = st.lists(
    st.builds(Exact, text=words)
    | st.builds(unknown)
    | st.builds(Pattern, text=st.just("*"))
    | st.builds(OneOf, text=st.just("$i"), choices=st.tuples(words, words))
    | st.builds(Phrase, text=words),
    max_size=5,
).map(tuple)
segment = st.sampled_from(["a", "b", "A", ".c", "*", "?", "a*", "**"])
path_rules = st.builds(
    "read({}{})".format,
    st.sampled_from(["./", "~/", "/"]),
    st.lists(segment, min_size=1).map("/".join),
)
names = st.sampled_from(["a", "b", "A", ".c", "ab"])
places = st.builds(
    lambda top, inner: place("/".join([top, *inner]) or "/"),
    st.sampled_from([ROOT, HOME, ""]),
    st.lists(names, max_size=4),
)
STRICTNESS = ["", "allow", "perhaps", "ask", "deny"]


@given(rule=shell_rules, command=argvs)
def test_what_a_rule_would_allow_the_same_rule_would_refuse(
    rule: str, command: tuple[Word, ...]
) -> None:
    if said(book(allow(rule)).shell(command, ASKER)) == "allow":
        assert said(book(deny(rule)).shell(command, ASKER)) == "deny"


@given(rule=path_rules, target=places)
def test_what_a_rule_would_allow_of_paths_the_same_rule_would_refuse(
    rule: str, target: Target
) -> None:
    if said(book(allow(rule)).path("read", target, ASKER)) == "allow":
        assert said(book(deny(rule)).path("read", target, ASKER)) == "deny"


@given(
    rules=st.lists(
        st.builds(written, shell_rules | path_rules, st.sampled_from(Verdict)), max_size=6
    ),
    command=argvs,
    target=places,
    data=st.data(),
)
def test_the_order_of_rules_changes_nothing_and_a_refusal_never_loosens(
    rules: list[WrittenRule], command: tuple[Word, ...], target: Target, data: st.DataObject
) -> None:
    def strictness(some: Sequence[WrittenRule]) -> list[int]:
        found = book(*some)
        return [
            STRICTNESS.index(said(it))
            for it in (
                found.shell(command, ASKER),
                found.path("read", target, ASKER),
                found.below("read", target, ASKER),
                found.pattern("read", target, ASKER),
            )
        ]

    before = strictness(rules)
    assert strictness(data.draw(st.permutations(rules))) == before
    refusals = st.builds(deny, shell_rules | path_rules)
    after = strictness([*rules, data.draw(refusals)])
    assert all(more >= less for more, less in zip(after, before, strict=True))


def slowly(rule: WrittenRule, path: str, *, liberal: bool) -> bool:
    """Whether a rule is about a path, told by trying everything."""
    first, *rest = rule.about.split("/")
    anchor = {".": ROOT, "~": HOME, "": ""}[first].split("/")
    pattern = [it for it in [*anchor, *rest] if it]
    names = [it for it in path.split("/") if it]
    if not liberal:
        return fits(pattern, names)
    pattern, names = [it.lower() for it in pattern], [it.lower() for it in names]
    whole = not pattern or pattern[-1] == "**" or not set(pattern[-1]) & set("*?")
    return fits(pattern, names) or (whole and fits([*pattern, "**"], names))


@given(texts=st.lists(path_rules, min_size=1, max_size=8), target=places)
@example(texts=["read(/*)"], target=place("/"))
def test_paths_are_found_as_if_each_rule_had_been_tried(texts: list[str], target: Target) -> None:
    assume(target.resolved)
    allows, denies = [allow(it) for it in texts], [deny(it) for it in texts]
    permitted = any(slowly(it, target.resolved, liberal=False) for it in allows)
    refused = any(slowly(it, target.resolved, liberal=True) for it in denies)
    assert said(book(*allows).path("read", target, ASKER)) == ("allow" if permitted else "")
    assert said(book(*denies).path("read", target, ASKER)) == ("deny" if refused else "")


@given(rule=path_rules, folder=places, inner=st.lists(names, min_size=1, max_size=3))
def test_what_is_refused_below_a_folder_is_known_beforehand(
    rule: str, folder: Target, inner: list[str]
) -> None:
    refuses = book(deny(rule))
    leaf = place("/".join([folder.resolved.rstrip("/"), *inner]))
    if said(refuses.path("read", leaf, ASKER)) == "deny":
        assert said(refuses.below("read", folder, ASKER)) == "perhaps"
        if not any(name.startswith(".") for name in inner):
            assert said(refuses.below("read", folder, ASKER, hidden=False)) == "perhaps"


@given(
    rule=path_rules,
    glob=st.lists(st.sampled_from(["a", "*", "a*", ".*", "?", "[ab]"]), min_size=1, max_size=3),
    inner=st.lists(names, min_size=1, max_size=3),
)
def test_what_a_pattern_may_become_and_is_refused_is_known_beforehand(
    rule: str, glob: list[str], inner: list[str]
) -> None:
    refuses = book(deny(rule))
    becomes = len(glob) == len(inner) and all(
        _becomes(one, name) for one, name in zip(glob, inner, strict=True)
    )
    if becomes and said(refuses.path("read", place("/".join(inner)), ASKER)) == "deny":
        assert said(refuses.pattern("read", place("/".join(glob)), ASKER)) == "perhaps"


def _becomes(glob: str, name: str) -> bool:
    if name.startswith(".") != glob.startswith("."):
        return False
    simple = {"a": {"a"}, "*": {"a", "b", "A", "ab"}, "a*": {"a", "ab"}, "?": {"a", "b", "A"}}
    return name in {**simple, ".*": {".c"}, "[ab]": {"a", "b"}}[glob]


RULES = [
    allow("read(./src/**)"), deny("read(**/.env)"), ask("write(./a.txt)"), allow("mcp(s:get_*)"),
    deny("mcp(s:*)"), ask("run(node:make)"), allow("agent(scout)"), deny("mcp(s:put){k=v*}"),
]  # fmt: skip


@given(
    st.lists(st.sampled_from(RULES), unique=True),
    st.sampled_from(["src/a", ".env", "a.txt", "b", "s:get_x", "s:put", "node:make", "scout"]),
)
def test_what_a_book_looks_up_by_itself_is_what_any_keeper_of_rules_would(
    rules: list[WrittenRule], name: str
) -> None:
    one = book(*rules)
    for what in ("read", "write"):
        target = place(name)
        assert one.path(what, target, ASKER) == Lookups.path(one, what, target, ASKER)  # type: ignore[arg-type]
    for kind in ("mcp", "run", "agent"):
        given_ = (kind, name, ASKER, {"k": "v1"})
        assert one.tool(*given_) == Lookups.tool(one, *given_)  # type: ignore[arg-type]


class TestForOneFolder:
    @pytest.mark.requirement("S-03")
    @pytest.mark.parametrize(
        ("folder", "real_roots", "counts"),
        [
            ("/code/app", ("/code/app",), True),
            ("~/app", ("/home/you/app",), True),
            ("~/app", ("/mnt/you/app",), True),
            ("~", ("/home/you",), True),
            ("/code/app", ("/code/app", "/code/lib"), False),
            ("/code/app", ("/code/application",), False),
            ("/code/app", ("/code",), False),
            ("/code", ("/code/app",), False),
            ("/code/app", (), False),
        ],
    )
    def test_a_rule_for_a_folder_counts_where_that_is_the_whole_workspace(
        self, folder: str, real_roots: tuple[str, ...], *, counts: bool
    ) -> None:
        rule = written("shell(make:*)", Verdict.ALLOW, folder=folder)
        made = Book.of(
            *([rule], real_roots, "/home/you"), real_home="/mnt/you", real_roots=real_roots
        )
        assert bool(made.rules) is counts

    def test_where_nobody_says_where_the_workspace_lies_it_allows_nothing(self) -> None:
        rule = written("shell(make:*)", Verdict.ALLOW, folder=ROOT)
        assert Book.of([rule], (ROOT,), HOME).rules == ()
