"""However a command is twisted, judging it takes little: work is counted, which no clock does.

How many functions are called is the same on every machine; what they cost on one is measured by
`make bench`. What is known of a word is bounded too, since a few doublings fill any memory.
"""

import sys
from typing import Final

from assent.cli.policy_of_files import book_of_case
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.explain import Question, explain
from assent.gate.programs.read_lines import read_script
from assent.gate.ruling.policy import Policy
from tables import each_row

PLACES: Final = Places(roots=("/home/ada/till",), home="/home/ada")

RULES: Final = {"allow": ["shell(*)"], "deny": ["shell(rm:*)", "read(./.env)", "write(./infra/**)"]}

MOST_CALLS: Final = 250_000
"""What an ordinary machine does within 50 ms, by and large."""

MOST_LETTERS: Final = 500_000

TWISTED: Final = {
    "brackets": "(" * 100_000,
    "substitutions": "$(" * 3_000 + "ls" + ")" * 3_000,
    "backticks": "`" * 9_999,
    "quotes": "\"'" * 4_999,
    "backslashes": "\\" * 9_999,
    "one long word": "a" * 120_000,
    "many commands": "true;" * 24_000,
    "commands just below the limit of letters": "true;" * 1_999,
    "braces": "echo " + "{a,b}" * 1_990,
    "a wide range": "echo {1..999999999}",
    "code that goes through a folder": "python3 -c 'os.walk(" + " " * 8_000 + "x'",
    "forms of a report": "pylint -f 'a:b" + "-a-a:b" * 1_500 + "!' x.py",
    "letters behind a slash": "curl -s x.org | perl -ne '/" + "e" * 9_000 + "!'",
    "settings of git": "tool 'git " + "-a," * 3_000 + "x config'",
    "signs before settings of git": "tool 'git config " + "---a," * 2_400 + "x'",
    "nested braces": "echo " + "{a," * 2_400 + "}" * 2_400,
    "stars": "ls " + "*/" * 4_900,
    "brackets of patterns": "ls " + "[a-z" * 2_400,
    "here-documents": "cat " + "<<A " * 2_400,
    "arithmetic": "echo $((" + "1+" * 4_900 + "1))",
    "defaults": "echo " + "${x:-" * 1_900 + "}" * 1_900,
    "ands": "ls" + " && ls" * 1_600,
    "pipes": "ls" + " | cat" * 1_600,
    "loops": "for i in 1 2 3; do " * 300 + "ls" + "; done" * 300,
    "operands": "ls " + "a " * 4_990,
    "other operands": "cat " + " ".join(f"f{number}" for number in range(1_600)),
    "flags": "git log " + "-p " * 3_300,
    "assignments": "A=1 " * 2_490 + "ls",
    "redirects": "ls " + "> a " * 2_490,
    "wrappers": "env " * 2_490 + "ls",
    "folders": "cd a || cd b; " * 45 + "ls",
    "choices": "".join(f"for {name} in 1 2 3 4 5 6 7 8 9; do " for name in "abcdef")
    + "cat $a$b$c$d$e$f"
    + "; done" * 6,
    "doublings": "x=a; " + "x=$x$x; " * 20 + "cat $x",
    "doublings in place": "x=a; " + "x+=$x; " * 20 + "cat $x",
    "a chain": "".join(f"a{n}=$a{n - 1}$a{n - 1}; " for n in range(1, 20)) + "cat $a19",
    "tests": "[[ " + "-f a && " * 1_200 + "-f b ]]",
    "process substitutions": "cat " + "<(cat " * 300 + "a" + ")" * 300,
    "a script for sed": "sed -n '" + "p;" * 4_900 + "'",
    "a script for awk": "awk '" + "(" * 9_900 + "'",
    "actions of find": "find . " + "-exec ls {} + " * 700,
}


@each_row("name", TWISTED)
def test_no_command_takes_long_to_be_judged(name: str) -> None:
    policy = Policy(mode=Mode.DEFAULT, book=book_of_case(RULES, PLACES), trusted=True)
    question = Question(tool="shell", input={"command": TWISTED[name]})
    explain(Question(tool="shell", input={"command": "ls | cat a"}), policy, PLACES)
    assert _calls_of(lambda: explain(question, policy, PLACES)) < MOST_CALLS


@each_row("name", TWISTED)
def test_what_is_known_of_a_command_is_not_much_more_than_the_command(name: str) -> None:
    script = read_script(TWISTED[name])
    words = [word for command in script.commands for word in command.argv]
    assert sum(len(it.text) + sum(map(len, it.choices)) for it in words) < MOST_LETTERS


def test_ten_million_letters_are_refused_at_once() -> None:
    policy = Policy(mode=Mode.AUTO, book=book_of_case(RULES, PLACES), trusted=True)
    question = Question(tool="shell", input={"command": "a" * 10_000_000})
    assert explain(question, policy, PLACES).verdict is Verdict.DENY
    assert _calls_of(lambda: explain(question, policy, PLACES)) < 1_000


HIDDEN: Final = {"controls": "a\x01", "marks": "a\u202e", "blanks": "a" + " " * 8}


@each_row("name", HIDDEN)
def test_what_would_be_drawn_as_a_million_boxes_is_refused(name: str) -> None:
    policy = Policy(mode=Mode.ASK, book=book_of_case(RULES, PLACES), trusted=True)

    def verdict_on(letters: int) -> Verdict:
        text = HIDDEN[name] * (letters // len(HIDDEN[name]))
        arguments = {"server": "s", "tool": "t", "arguments": {"text": text}}
        return explain(Question(tool="mcp", input=arguments), policy, PLACES).verdict

    assert verdict_on(4_000_000) is Verdict.DENY
    assert verdict_on(100_000) is Verdict.ASK


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
