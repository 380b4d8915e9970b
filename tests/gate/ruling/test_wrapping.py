"""Rulings on several commands together follow from the rulings on each, in whatever they stand."""

import shlex
from collections.abc import Callable
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.cli.policy_of_files import book_of_case
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.explain import Question, explain
from assent.gate.ruling.policy import Policy
from tables import each_row

Wrapping = Callable[[str], str]

PLACES: Final = Places(roots=("/home/ada/till",), home="/home/ada")

DENIED: Final = (
    "evil",
    "evil --now",
    "'evil' x",
    r"e\vil x y",
    "evil 'a b' \"c d\"",
    "evil > /dev/null",
)
"""Spellings of what the rule `shell(evil:*)` denies, in every shell."""

IN_BASH: Final = ("$'\\x65vil' x", '$"evil" x', "ev\\\nil x", "ev''il x")
"""Spellings of it that are not the same in all shells, or not in all quotes."""


def _before(words: str) -> Wrapping:
    """A program that runs the program after it; what only a shell understands goes through one."""

    def wrap(inner: str) -> str:
        through = inner if _is_simple(inner, words) else f"bash -c {shlex.quote(inner)}"
        return f"{words} {through}"

    return wrap


def _is_simple(inner: str, words: str) -> bool:
    if "\n" in inner or inner.startswith(("(", "{", "!")):
        return False
    return "A=1" not in inner or words.startswith(("A=", ">", "2>"))


def _around(text: str) -> Wrapping:
    """A text with a script at `@`."""
    return lambda inner: text.replace("@", inner)


def _quoted(text: str) -> Wrapping:
    """A text with a script at `@`, as one word."""
    return lambda inner: text.replace("@", shlex.quote(inner))


def _in_document(text: str) -> Wrapping:
    """A text with a script at `@`, and a name of its own for where it ends."""
    return lambda inner: text.replace("@", inner).replace("END", f"END{len(inner)}")


def _in_backticks(inner: str) -> str:
    escaped = inner.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$")
    return f"echo `{escaped}`"


_BEFORE: Final = (
    "sudo|sudo -u root --|env|env -i A=1|timeout 5|timeout -k 1 5s|nice|nice -n 3|nohup|stdbuf -o0"
    "|setsid|command|command --|exec|exec -a x|ionice -c3|xargs|xargs -0 -n 1|builtin command"
    "|A=1|A=1 B=2|>/dev/null|2>/dev/null </dev/null|time|time -p"
).split("|")

_AROUND: Final = (
    "(\n@\n)",
    "{\n@\n}",
    "{\n@\n} &",
    "ls; @",
    "ls && @",
    "ls || @",
    "ls & @",
    "ls | @",
    "ls\n@",
    "@\nls",
    "# a note\n@",
    "! {\n@\n}",
    "if true; then\n@\nfi",
    "if\n@\nthen ls; fi",
    "if false; then ls; else\n@\nfi",
    "for i in 1 2; do\n@\ndone",
    "while true; do\n@\nbreak; done",
    "until\n@\ndo ls; done",
    "case a in b) ls;; *)\n@\nesac",
    "f() {\n@\n}; f",
    "function g {\n@\n}\ng",
    'echo "$(\n@\n)"',
    "echo $(\n@\n)",
    "x=$(\n@\n)",
    "export x=$(\n@\n)",
    "cat <(\n@\n)",
    "ls > >(\n@\n)",
    'echo "${x:-$(\n@\n)}"',
    'test -n "$(\n@\n)"',
    "for i in $(\n@\n); do ls; done",
    "[[ -n $(\n@\n) ]]",
    "coproc {\n@\n}",
)

WRAPPINGS: Final[dict[str, Wrapping]] = {
    **{words: _before(words) for words in _BEFORE},
    **{text: _around(text) for text in _AROUND},
    **{
        text: _quoted(text)
        for text in ("sh -c @", "bash -lc @ x", "bash -o errexit -c @", "eval @")
    },
    **{text: _quoted(text) for text in ("bash <<< @", "trap @ EXIT", "env -S 'bash -c' @")},
    **{
        text: _in_document(text)
        for text in (
            "cat <<END\n$(\n@\n)\nEND\n",
            "bash <<'END'\n@\nEND\n",
        )
    },
    "`@`": _in_backticks,
}
"""More than twenty things that a command may stand in, each of which runs it."""


def _policy(mode: str, **rules: list[str]) -> Policy:
    return Policy(mode=Mode(mode), book=book_of_case(rules, PLACES), trusted=True)


LOOSE: Final = _policy("auto", allow=["shell(*)"], deny=["shell(evil:*)"])

POLICIES: Final = (
    LOOSE,
    _policy("default"),
    _policy("plan"),
    _policy(
        "acceptEdits", allow=["shell(npm test:*)", "write(./src/**)"], ask=["shell(git push:*)"]
    ),
    _policy("default", allow=["shell(*)"], deny=["read(./.env)", "shell(rm:*)", "effect(network)"]),
)


def verdict(command: str, policy: Policy, **more: Any) -> Verdict:
    question = Question(tool="shell", input={"command": command, **more})
    return explain(question, policy, PLACES).verdict


@pytest.mark.requirement("S-08")
@each_row("spelled", DENIED + IN_BASH)
def test_a_denied_command_is_denied_however_it_is_spelled(spelled: str) -> None:
    assert verdict(spelled, LOOSE) is Verdict.DENY


@pytest.mark.requirement("S-08")
@each_row("name", WRAPPINGS)
def test_a_denied_command_is_denied_in_whatever_it_is_wrapped(name: str) -> None:
    wrap = WRAPPINGS[name]
    missed = [spelled for spelled in DENIED if verdict(wrap(spelled), LOOSE) is not Verdict.DENY]
    assert missed == []


@pytest.mark.requirement("S-08")
@pytest.mark.long
def test_a_denied_command_is_denied_in_two_wrappings() -> None:
    missed = [
        (outer, inner)
        for outer, inner in product(WRAPPINGS, repeat=2)
        if verdict(WRAPPINGS[outer](WRAPPINGS[inner]("evil x")), LOOSE) is not Verdict.DENY
    ]
    assert missed == []


@pytest.mark.requirement("S-08")
@given(
    st.sampled_from(DENIED), st.lists(st.sampled_from(sorted(WRAPPINGS)), min_size=3, max_size=3)
)
def test_a_denied_command_is_denied_in_three_wrappings(spelled: str, names: list[str]) -> None:
    for name in names:
        spelled = WRAPPINGS[name](spelled)
    assert verdict(spelled, LOOSE) is Verdict.DENY, spelled


ALONE: Final = (
    *"ls|ls -la src|git status|git log --oneline -5|cat README.md|cat .env|cat /etc/hosts".split(
        "|"
    ),
    *"npm test|npm test-evil|evil x|rm -rf build|git push|curl https://x.example|sudo ls".split(
        "|"
    ),
    *"echo hi > src/a|echo hi > b|echo $(evil)|echo `rm x`|x.sh|$X y|find . -delete".split("|"),
    *"rm -rf /|touch .vscode/settings.json|git log --output=x|sed -n 1,5p a|sed -i s/a/b/ c".split(
        "|"
    ),
    *"timeout 5 npm test|env evil|for i in 1 2; do echo $i; done|[ -f a ]|(ls)|{ evil; }".split(
        "|"
    ),
    *"! grep -q a b|grep 'a;b' c|python3 -c 'print(1)'|cp a src/b|wc -l < /etc/passwd".split("|"),
    *"eval ls|echo ${x@P}|ls 2>&1|ls >/dev/null|git commit -m 'a && b'|head -1 .e*".split("|"),
)
"""Commands that change nothing for what stands after them."""


@given(
    st.sampled_from(ALONE),
    st.sampled_from(ALONE),
    st.sampled_from(["; ", " && ", " || ", " & ", "\n", ";\n", " &&\n"]),
    st.sampled_from(POLICIES),
)
def test_what_follows_another_command_is_ruled_on_as_by_itself(
    one: str, other: str, joined: str, policy: Policy
) -> None:
    together = verdict(f"{one}{joined}{other}", policy)
    assert together is max(verdict(one, policy), verdict(other, policy)), f"{one}{joined}{other}"


@given(st.sampled_from(ALONE), st.sampled_from(ALONE), st.sampled_from(POLICIES))
def test_a_pipe_makes_nothing_freer(one: str, other: str, policy: Policy) -> None:
    together = verdict(f"{one} | {other}", policy)
    assert together >= max(verdict(one, policy), verdict(other, policy))


@given(st.lists(st.sampled_from(ALONE), min_size=1, max_size=6), st.sampled_from(POLICIES))
def test_a_list_of_commands_gets_its_strictest_part(parts: list[str], policy: Policy) -> None:
    assert verdict("; ".join(parts), policy) is max(verdict(part, policy) for part in parts)


RULES: Final = (
    *"shell(*)|shell(ls:*)|shell(git status:*)|shell(npm test)|read(./src/**)|read(./.env)".split(
        "|"
    ),
    *"write(./**)|read(/**)|effect(network)|effect(delete)|effect(write:outside)".split("|"),
)


@pytest.mark.requirement("S-08")
@given(
    st.sampled_from(ALONE),
    st.lists(st.sampled_from(RULES), max_size=3),
    st.lists(st.sampled_from(RULES), max_size=3),
    st.sampled_from(list(Mode)),
)
def test_a_rule_that_denies_or_asks_only_tightens(
    command: str, deny: list[str], ask: list[str], mode: Mode
) -> None:
    allow = ["shell(npm test:*)", "shell(echo:*)", "write(./src/**)"]
    before = verdict(command, _policy(mode.value, allow=allow))
    assert verdict(command, _policy(mode.value, allow=allow, ask=ask)) >= before
    after = verdict(command, _policy(mode.value, allow=allow, ask=ask, deny=deny))
    assert after >= verdict(command, _policy(mode.value, allow=allow, ask=ask))


@given(st.sampled_from(ALONE), st.sampled_from(POLICIES))
def test_nothing_runs_unasked_in_a_folder_outside_the_workspace(
    command: str, policy: Policy
) -> None:
    if policy.mode is not Mode.AUTO:
        assert verdict(command, policy, cwd="/etc") is not Verdict.ALLOW
