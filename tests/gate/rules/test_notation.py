"""The notation of rules: what is one, and what is said of what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.call.verdicts import Verdict
from assent.gate.rules.notation import EFFECTS, TOOLS, RuleRefused, tool_of, written
from gate.rules.books import allow, ask, deny
from tables import each_row


@each_row(
    ("text", "words", "exact"),
    [
        ("shell(git status:*)", ("git", "status"), False),
        ("shell(npm test)", ("npm", "test"), True),
        ("shell(*)", (), False),
        ('shell(git commit -m "x y")', ("git", "commit", "-m", "x y"), True),
        ("shell(git commit -m 'a*':*)", ("git", "commit", "-m", "a*"), False),
        (r"shell(echo \*)", ("echo", "*"), True),
        ("shell(echo '$(x); y')", ("echo", "$(x); y"), True),
    ],
)
def test_a_shell_rule_is_words_as_a_shell_would_part_them(
    text: str, words: tuple[str, ...], exact: bool
) -> None:
    rule = allow(text)
    assert (rule.tool, rule.words, rule.exact) == ("shell", words, exact)
    assert rule.text == text


@each_row(
    "text",
    [
        "read(./src/**)",
        "read(./src/)",
        "read(.)",
        "read(*)",
        "write(./docs/*.md)",
        "write(~/notes/**)",
        "write(/tmp/a?.txt)",
        "read(./app/[id]/page.tsx)",
        "fetch(domain:x.org)",
        "fetch(domain:*.x.org)",
        "fetch(domain:[::1])",
        "fetch(*)",
        "mcp(server:tool)",
        "mcp(server:*)",
        "mcp(server:get_*)",
        "mcp(ser*:get_*)",
        "run(node:NAME)",
        "run(workflow:NAME)",
        "agent(NAME)",
    ],
)
def test_each_form_of_the_notation_is_read_and_kept_to_the_letter(text: str) -> None:
    for verdict in Verdict:
        rule = written(text, verdict)
        assert rule.text == text
        assert rule.tool == tool_of(text) == text.partition("(")[0]
        assert f"{rule.tool}({rule.about})" == text


def test_a_pattern_anywhere_in_the_workspace_needs_no_dot() -> None:
    assert deny("read(**/.env)").text == "read(./**/.env)"


@each_row(
    ("text", "arguments"),
    [
        ("{owner=acme}", (("owner", "acme"),)),
        ('{owner=acme, repo="a, b"}', (("owner", "acme"), ("repo", "a, b"))),
        ('{q="", deep.key=x*}', (("q", ""), ("deep.key", "x*"))),
        ("{path=src/**}", (("path", "src/**"),)),
        ("{url=https://x.org/?a=b}", (("url", "https://x.org/?a=b"),)),
    ],
)
def test_a_tool_of_a_server_is_named_with_arguments(
    text: str, arguments: tuple[tuple[str, str], ...]
) -> None:
    for verdict in Verdict:
        rule = written(f"mcp(server:tool){text}", verdict)
        assert rule.arguments == arguments
        assert (rule.about, rule.text) == ("server:tool", f"mcp(server:tool){text}")


def test_what_allows_names_its_server() -> None:
    assert deny("mcp(*:delete_*)").about == "*:delete_*"
    with pytest.raises(RuleRefused, match="names its server"):
        allow("mcp(*:get_*)")


@each_row(
    ("text", "instead"),
    [
        ("shell(npm run test*)", "shell(npm run test:*)"),
        ("read(./**.py)", "`*.py`"),
    ],
)
def test_the_form_that_is_named_for_what_allows_is_no_wider(text: str, instead: str) -> None:
    with pytest.raises(RuleRefused) as refused:
        allow(text)
    assert instead in str(refused.value)
    assert "**/" not in str(refused.value).replace("`**/`", "")


def test_rules_about_effects_ask_or_deny_and_never_allow() -> None:
    for effect in EFFECTS:
        assert ask(f"effect({effect})").about == effect
        assert deny(f"effect({effect})").about == effect
        with pytest.raises(RuleRefused, match="names a tool"):
            allow(f"effect({effect})")


@each_row(
    ("text", "instead"),
    [
        ("Bash(git:*)", "Write `shell(git:*)`."),
        ("Bash(npm run *)", "Write `shell(npm run:*)`."),
        ("shell(npm run *)", "write `shell(npm run:*)`"),
        ("shell(git:* --force)", "at the end only"),
        ("shell(g*)", "named in full, as in `shell(git status:*)`"),
        ("shell(npm run test*)", "write `shell(npm run test:*)`"),
        ("shell(git * main)", "at the end only"),
        ("shell(make && make test)", "each command"),
        ("shell(echo x > y)", "redirects"),
        ("shell(echo 'x)", "never closed"),
        ("shell(:*)x", "never closed"),
        ("shell", "write `shell(git status:*)`"),
        ("shell()", "write `shell(git status:*)`"),
        ("Read(./x)", "Write `read(./x)`."),
        ("Edit(docs/**)", "Write `write(./docs/**)`."),
        ("read(.env)", "`./.env`"),
        ("read(../x)", "begins with"),
        ("read(./a/../b)", "`..`"),
        ("read(./**.py)", "`**/*.py`"),
        ("Read(**/.env)", "Write `read(**/.env)`."),
        ("read(./*.{ts,tsx})", "one rule for each"),
        ("fetch(https://x.org/)", "`fetch(domain:x.org)`"),
        ("fetch(https://x.org/a)", "about all of a host"),
        ("fetch(domain:x.org:80)", "without scheme, port or path"),
        ("fetch(domain:*.*.org)", "without scheme"),
        ("fetch(domain:münchen.de)", "`xn--"),
        ("WebFetch(domain:x.org)", "Write `fetch(domain:x.org)`."),
        ("mcp(server)", "`mcp(server:tool)`"),
        ("mcp(server:*_get)", "at the end of a name only"),
        ("mcp(server:a*b)", "at the end of a name only"),
        ("mcp(server:tool){}", "`{key=value, other=*}`"),
        ("mcp(server:tool){a}", "`{key=value, other=*}`"),
        ("mcp(server:tool){a=}", 'write `a=""`'),
        ("mcp(server:tool){a=1,a=2}", "stands twice"),
        ("mcp(server:tool){a=1,b=2,c=3,d=4,e=5}", "more than 4"),
        ("mcp(server:tool){a=b**}", "stands alone"),
        ("read(./x){a=1}", "never closed"),
        ("mcp__github__get", "`mcp(github:get)`"),
        ("run(x)", "`run(workflow:NAME)`"),
        ("effect(explode)", "`write:outside`"),
        ("tools(*)", "`shell`"),
        ("", "`shell(git status:*)`"),
        ("read(./a\u202eb)", "cannot be seen"),
        ("shell(" + "x" * 5_000 + ")", "longer than 4,096"),
        ("shell(" + "x " * 65 + ")", "64 words"),
    ],
)
def test_what_is_no_rule_is_refused_with_how_to_write_it(text: str, instead: str) -> None:
    with pytest.raises(RuleRefused) as refused:
        deny(text)
    assert instead in str(refused.value)
    assert str(refused.value).endswith(".")


@each_row("text", ["mcp(*)", "run(*)", "agent(*)"])
def test_everything_of_others_may_be_refused_at_once_and_not_allowed(text: str) -> None:
    assert deny(text).about == "*"
    with pytest.raises(RuleRefused, match="too much"):
        allow(text)


@each_row(
    ("text", "tool"),
    [
        ("shell(x", "shell"),
        ("Bash(x)", "shell"),
        ("WebFetch(x)", "fetch"),
        ("Edit(x)", "write"),
        ("what(x)", "*"),
        ("", "*"),
        (7, "*"),
    ],
)
def test_a_refused_rule_tells_what_tool_it_was_about_or_all(text: object, tool: str) -> None:
    assert tool_of(text) == tool


@given(text=st.text() | st.builds("{}({})".format, st.sampled_from(TOOLS), st.text()))
def test_any_text_is_a_rule_or_is_refused_in_one_sentence(text: str) -> None:
    for verdict in Verdict:
        said = refusal_of(text, verdict)
        if said is None:
            rule = written(text, verdict)
            assert written(rule.text, verdict) == rule
        else:
            assert said.isprintable()
            assert len(said) < 500


def refusal_of(text: str, verdict: Verdict) -> str | None:
    try:
        written(text, verdict)
    except RuleRefused as refused:
        return str(refused)
    return None
