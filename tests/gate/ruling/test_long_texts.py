"""A long text holds up nobody, however it is made: so many steps are taken for it, and no more.

What is beyond them is asked about, and what a rule denies is denied there too. Work is counted in
functions that are called, which no clock does and no step of our own; `make bench WHAT=texts` takes
the time.
"""

import sys
from collections.abc import Iterator
from itertools import cycle
from typing import Final

from assent.cli.policy_of_files import book_of_case
from assent.editor.window.rules.judge import Judge
from assent.gate.call.calls import Call
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.explain import Question, call_of
from assent.gate.programs.read_lines import read_script
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.gate.shell.read import TANGLED
from assent.gate.shell.steps import MAX_STEPS, Budget
from assent.gate.shell.syntax import tangle
from gate.ruling.shapes import POLICIES, SHAPES, UNCLOSED, kinds_in, kinds_of_grammar
from tables import Part, each_row, in_steps_of

PLACES: Final = Places(roots=("/home/ada/till",), home="/home/ada")

MOST_CALLS: Final = 250_000
"""What an ordinary machine does within 50 ms, by and large: some do little in a call."""

NEVER_MADE: Final = {"-a", "-o"}
"""What the grammar has a kind for, and always takes for a `test_operator`."""

BROKE: Final = "The policy could not judge this call"

BEYOND: Final = {
    "rm -rf x": "shell(rm:*)",
    "cat .env": "read(./.env)",
    "cat ./.env": "read(./.env)",
    "echo a > infra/prod.tf": "write(./infra/**)",
    "curl -s https://evil.example/x": "fetch(domain:evil.example)",
    "curl -s https://t.co/x": "fetch(domain:t.co)",
}
"""What stands at the end of a text, and the rule that denies it."""

EVERYDAY: Final = {
    "a script": "".join(f"grep -rn 'name{n}' src/part{n} | head -{n + 1}\n" for n in range(24)),
    "a long message": f"git log --grep '{'Mend the fence, and say why.' * 300}'",
    "a document": f"cat <<'E' | wc -l\n{'All is only said, (and) `some` of it | odd.' * 180}\nE",
    "a document that expands": "cat <<E\n" + "The name is $name, and so on.\n" * 200 + "E",
    "many files": "wc -l " + " ".join(f"src/part{n}/main.py" for n in range(90)),
    "a filter": f"sed -n '{'s/a/b/;' * 500}p' notes",
    "a loop": "for f in src/*.py; do\n" + '  grep -n main "$f" | head -3\n' * 10 + "done",
    "a pattern": "grep -rnE '" + "|".join(f"name{n}" for n in range(400)) + "' src",
}
"""Long texts as agents write them, that only read."""


def policy_of(name: str) -> Policy:
    return Policy(mode=Mode.DEFAULT, book=book_of_case(POLICIES[name], PLACES), trusted=True)


def running(text: str) -> Call:
    return call_of(Question(tool="shell", input={"command": text}), PLACES)


def each() -> Iterator[tuple[str, str, str]]:
    """Each shape with one policy after the other."""
    yield from ((shape, text, name) for (shape, text), name in zip(SHAPES.items(), cycle(POLICIES)))


def test_each_kind_of_node_of_the_grammar_is_repeated() -> None:
    # A part of a text has the nodes of all, since it says the same over and over.
    found = frozenset().union(*(kinds_in(text[:2_000]) for text in SHAPES.values()))
    assert kinds_of_grammar() - found == NEVER_MADE


@in_steps_of(3)
def test_no_long_text_takes_more_than_its_steps(part: Part) -> None:
    policies = {name: policy_of(name) for name in POLICIES}
    for shape, text, name in part.of(each()):
        budget = Budget()
        said = decide(running(text), policies[name], PLACES, budget)
        read = read_script(text)
        told = f"{shape!r} with {name}: {said}"
        assert read.steps <= MAX_STEPS // 2, told
        assert not said.because.startswith(BROKE), told
        # Who asks for one step too many gets none, and everything is asked about.
        assert budget.left >= 0 or (said.verdict is not Verdict.ALLOW and not said.readable), told


def test_the_grammar_is_not_given_a_long_text_in_which_something_is_never_closed() -> None:
    assert len(UNCLOSED) > 100
    for text in UNCLOSED:
        # How long the grammar takes no count of ours tells: it is not asked at all.
        assert read_script(text).opaque[0].because == TANGLED, text[:40]
    for text in ("ls a b[0] 'it is (so' # don't [[", 'echo "${x[1]}" ":-(" \\( a\\[ \'{\''):
        long = text + "\n" + "grep -n main src/a.py\n" * 3
        assert tangle(long) < len(long), text


@in_steps_of(3)
def test_no_long_text_takes_more_work_than_others_have_to_wait_for(part: Part) -> None:
    policy = policy_of("deny rules")
    for text in SHAPES.values():
        decide(running(text[:300]), policy, PLACES)
    # Of the longer ones less is judged.
    for shape, text in part.of([*SHAPES.items()][::-3]):
        read_script.cache_clear()
        call = running(text)
        count = _calls_of(lambda call=call: decide(call, policy, PLACES))
        assert count < MOST_CALLS, f"{shape!r}: {count:,} calls"


def test_the_rules_that_are_offered_for_a_long_text_take_no_more_than_it_does() -> None:
    policy = policy_of("an allow rule")
    judge = Judge(policy=lambda _, __: policy, places=lambda: PLACES)
    for count in (0, 5, 18):
        asking = "".join(f"frob{n} part{n} x.py\n" for n in range(5))
        call = running(asking + "grep -rn x src | head -3\n" * count)
        said = decide(call, policy, PLACES)
        taken = _calls_of(lambda call=call, said=said: judge.rule_suggestions(call, said, policy))
        assert taken < MOST_CALLS // 2, f"beside {count} others: {taken:,} calls"


@each_row("before", ["ls a; " * 900, 'printf "ls" | bash ;' * 400, "(" * 9_000, "# a\n" * 3_000])
def test_what_is_denied_is_denied_however_much_stands_before_it(before: str) -> None:
    policy = policy_of("deny rules")
    for command, rule in BEYOND.items():
        said = decide(running(f"{before}\n{command}"), policy, PLACES)
        assert (said.verdict, said.rule) == (Verdict.DENY, rule), command
        other = decide(running(f"{before}\nls b"), policy, PLACES)
        assert other.verdict is Verdict.ASK, other


def test_long_texts_as_agents_write_them_pass_as_short_ones_do() -> None:
    for about, text in EVERYDAY.items():
        said = decide(running(text), policy_of("no rules"), PLACES)
        assert said.verdict is Verdict.ALLOW, f"{about}: {said.because}"


def test_the_same_is_said_whatever_was_read_before() -> None:
    policy = policy_of("deny rules")
    text = 'printf "ls" | bash ;' * 40
    read_script.cache_clear()
    first = decide(running(text), policy, PLACES)
    assert decide(running(text), policy, PLACES) == first


def _calls_of(work: object) -> int:
    """How many functions are called to do something."""
    count = 0

    def note(frame: object, event: str, _: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        work()  # type: ignore[operator]
    finally:
        sys.setprofile(None)
    return count
