"""Commands that may end the gate's own programs, or take control of them.

That are the server, and what its agents' hooks run as.

An agent may run its tool when its hook is killed. Which programs a command ends is told by their
names, by the lines that started them, or by their numbers; where that may be one of the gate's it
is asked about. A number that stands there is looked up; one that is put together is judged by the
words with which the programs were looked for.
"""

import re
import signal
from collections.abc import Iterable, Sequence
from typing import Final

from assent.gate.call.verdicts import Ruling
from assent.gate.programs.code_inputs import is_interpreter
from assent.gate.programs.nested_execution.interpreters import CONTAINER, ELSEWHERE
from assent.gate.programs.options import Sorted, sort_words
from assent.gate.programs.read_lines import read_script
from assent.gate.programs.rows import Row
from assent.gate.programs.tables import by_name
from assent.gate.ruling.facts import Running
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.protected import CHANGES_WHAT_IS_ALLOWED
from assent.gate.ruling.ruling_context import RulingContext, asked
from assent.gate.shell.notes import MARKS
from assent.gate.shell.script import DECLARES, Command
from assent.gate.shell.state import LAST
from assent.gate.shell.word import Word
from assent.gate.shell.word_sets import Number
from assent.gate.text.lazy_patterns import late

__all__ = ["ends_gate", "ends_its_own"]

_QUESTION: Final = asked(
    "Ending what may be a program of Assent's own is asked about in every mode.",
    f"{CHANGES_WHAT_IS_ALLOWED}: may end what asks you before an agent acts.",
)

_TAKEN: Final = asked(
    "Taking hold of what may be a program of Assent's own is asked about in every mode.",
    f"{CHANGES_WHAT_IS_ALLOWED}: may change what asks you before an agent acts.",
)

_MATCHED: Final = (
    "-c -F= -g= -G= -i -n -o -O= -P= -r= -s= -t= -u= -U= -v -x -e -f -a -A -d= -h -H -l -q -V -w"
    " --count --delimiter= --list-name --list-full --inverse --lightweight --newest --oldest"
    " --older= --exact --full --pgroup= --group= --ignore-case --parent= --session= --terminal="
    " --euid= --uid= --pidfile= --logpidfile --runstates= --cgroup= --ns= --nslist= --signal="
    " --echo --queue= --require-handler --env= --help --version"
)
_BY_PATTERN: Final = Row(names="pkill pgrep", operands=None, flags=_MATCHED)
_BY_NAME: Final = Row(
    names="killall pidof",
    operands=None,
    flags="-e -I -g -i -l -q -r -s= -u= -v -V -w -n= -o= -y= -Z= -c -x -S= --exact --ignore-case"
    " --process-group --interactive --list --quiet --regexp --signal= --user= --verbose --wait"
    " --older-than= --younger-than= --ns= --context= --help --version",
)
_ROWS: Final = {"pkill": _BY_PATTERN, "pgrep": _BY_PATTERN, "killall": _BY_NAME, "pidof": _BY_NAME}
_BLIND: Final = frozenset({"killall5", "skill", "snice"})
"""Programs that end others by words that nobody uses any more."""
_ENDING: Final = frozenset({"kill", "pkill", "killall", "fuser"}) | _BLIND
_TAKING: Final = frozenset("gdb lldb strace ltrace dlv gcore reptyr py-spy prlimit".split())
"""Programs that look into others by their numbers, some of which change what these do."""
_WITH_ALL: Final = {
    **dict.fromkeys("reboot shutdown halt poweroff".split(), late(r".*", re.DOTALL)),
    **dict.fromkeys(("init", "telinit"), late(r"[0-6sS]")),
    "tmux": late(r"(?:.* )?kill-ser\w*"),
    "systemctl": late(
        r"(?:-\S+ )*(?:(?:poweroff|reboot|soft-reboot|halt|kexec|suspend|hibernate|isolate|rescue"
        r"|emergency|exit)(?: .*)?|start (?:poweroff|reboot|halt|rescue|emergency)\.target"
        r"|stop user@.*)"
    ),
    "loginctl": late(r"(?:-\S+ )*(?:terminate|kill)-\w+(?: .*)?"),
}
"""By what words a program ends all others of the machine, or of its person."""
_FAR: Final = frozenset((CONTAINER, ELSEWHERE["ssh"]))
_TELLING: Final = late(r"--(?:help|version|show|wtmp-only)|-c\Z")
"""Flags with which it ends none."""
_PARENT: Final = "PPID"
_PARENT_IN_CODE: Final = late(r"\b(?:get)?ppid\b|\bPPID\b")
"""How the number of who started a shell, or a program, is called."""
_ENDS_IN_CODE: Final = late(r"(?i)kill|signal|\bsig|terminate")
_GLUED: Final = late(r"--?[A-Za-z-]+=?(?=\d)")
"""What stands before a number in the same word, as in `-p12`."""
_LISTING: Final = frozenset({"ps", "ss", "netstat", "pstree", "top", "seq"})
"""Programs that tell the numbers of all that runs, or any."""
_BY_PORT: Final = late(r"-?-?[A-Za-z]*i(?:.*:.*)?|:?\d+(?:/(?:tcp|udp))?")
"""How `lsof` and `fuser` are told to look for who holds a port."""
_FINDING: Final = frozenset({"pgrep", "pidof"})
_SIFTING: Final = frozenset("grep egrep fgrep rg ag awk gawk mawk sed".split())

_FILLS: Final = "|".join(
    sorted(DECLARES | {"eval", "let", "mapfile", "read", "readarray", "source"})
)
_FILLING: Final = late(rf"\b(?:printf\s+-v|{_FILLS})\b|\(\(|(?:^|[;&|(\n])[ \t]*\.\s")
"""What may give a variable its value without naming it in one piece."""
_JOB: Final = late(r"%(?:[%+-]|\d+)?")
_HELD: Final = late(
    r"\"?\$\{?(?!GROUPS|HISTCMD|SRANDOM|EPOCH|FUNCNAME|DIRSTACK|PIPESTATUS|BASH)([A-Za-z_]\w*)\}?\"?"
)
"""A variable, but those that keep no value which they are given."""
_SIGNALS: Final = {it.name for it in signal.Signals}
_NO_SIGNAL: Final = frozenset({"-0", "-l", "-L", "--list", "--table"})
_KEEPS_OTHERS: Final = (
    "-v --invert-match -A -B -C --after-context --before-context --context -f --file -L"
    " --files-without-match --passthru"
)
"""Flags of `grep` with which it prints lines in which what it looks for does not stand."""
_BETWEEN: Final = late(r"/((?:[^/\\]|\\.)+)/")
"""What an `awk` or a `sed` looks for in a line."""
_NOT_EITHER: Final = late(r"(?<=/)\s?&&\s?!\s?/(?:[^/\\]|\\.)+/(?=\s?\{)")
_DIFFICULT: Final = late(r"\[[\[.=]|\\[^.\-/ ]|[)\]][*+?{]|\{|(?:[*+?].*){3}")
"""Beyond this nobody reads a pattern alike, or it takes too long to look for."""


def ends_gate(context: RulingContext, judged: Sequence[CommandFinding]) -> list[Ruling]:
    """The question about a text that may end one of the gate's programs."""
    commands = [finding.command for finding in judged]
    if any(_ends_all(command) and not _is_away(command, commands) for command in commands):
        return [_QUESTION]
    text = context.text
    coded = [command for command in commands if is_interpreter(command)] if "ppid" in text else []
    if _PARENT in text and _ENDS_IN_CODE.search(text):
        coded += [command for command in commands if command.code]
    if any(_PARENT_IN_CODE.search(_text_of(context, command)) for command in coded):
        return [_QUESTION]
    killing = [command for command in commands if command.program in _ENDING]
    taking = [command for command in commands if command.program in _TAKING and command.argv[1:]]
    if not (killing or taking):
        return []
    own = context.facts.running()
    if any(own is None or _may_take(context, command, commands, own) for command in taking):
        return [_TAKEN]
    if not killing:
        return []
    if own is None or any(_may_end(context, command, commands, own) for command in killing):
        return [_QUESTION]
    places = (place for finding in judged for place in finding.places)
    named = any(place.target and place.target.own and place.target.own.keys for place in places)
    return [_QUESTION] if named else []


def _text_of(context: RulingContext, command: Command) -> str:
    """How it is spelled, with all that another command may hand to it."""
    if command.fed or command.carried:
        return context.text
    return f"{context.text[command.start : command.end]} {command.code}"


def _is_away(command: Command, commands: Sequence[Command]) -> bool:
    """Whether it runs on another machine, or in a container."""
    around = (it for it in commands if it.holds(command))
    return any(ELSEWHERE.get(command.program) in _FAR for command in around)


def _ends_all(command: Command) -> bool:
    """Whether it ends all there is, Assent's programs among them."""
    ending = _WITH_ALL.get(command.program)
    if ending is None:
        return False
    words = [word.text for word in command.argv[1:]]
    told = any(map(_TELLING.match, words))
    return not told and ending.fullmatch(" ".join(words)) is not None


def _may_end(
    context: RulingContext, command: Command, commands: Sequence[Command], own: Sequence[Running]
) -> bool:
    words = command.argv[1:]
    if words and words[0].known and words[0].text in _NO_SIGNAL:
        return False
    if _PARENT in _text_of(context, command):
        return True
    if command.program in _BLIND or _counts(context, command):
        return True
    if command.program == "fuser":
        return _holds(words)
    if command.program != "kill":
        # What stands in a file of numbers, another command may have put there.
        is_listed = any(word.text.startswith(("-F", "--pidfile")) for word in words)
        return (is_listed and len(commands) > 1) or _finds(command.program, words, own)
    numbers = _numbers(words)
    if any(number.known and _is_of_gate(context, number.text) for number in numbers):
        return True
    found = not all(
        number.known or isinstance(number, Number) or _is_started(context, number.text)
        for number in numbers
    )
    return found and _are_found(context, commands, own)


def ends_its_own(context: RulingContext, command: Command) -> bool:
    """Whether a command ends nothing but what the same text has started in the background."""
    if command.name != "kill" or command.carried:
        return False
    read = read_script(context.text, context.shell).commands
    begun = any(it.operator == "&" and it.start < command.start for it in read)
    numbers = _numbers(command.argv[1:])
    return begun and numbers != [] and all(_is_started(context, number.text) for number in numbers)


def _is_started(context: RulingContext, text: str) -> bool:
    """Whether a word stands for a job of this shell, or for a variable that holds but such."""
    if text in LAST or _JOB.fullmatch(text):
        return True
    held = _HELD.fullmatch(text)
    # Quotes would hide a name, and what fills it.
    bare = MARKS.sub("", context.text)
    if held is None or _FILLING.search(bare):
        return False
    commands = read_script(context.text, context.shell).commands
    assignments = [
        assignment
        for command in commands
        if not command.argv
        for assignment in command.assignments
        if assignment.name == held[1]
    ]
    named = re.findall(rf"(?<![\w${{]){held[1]}\b", bare)
    # Whatever else names it may give it another value.
    return len(named) == len(assignments) > 0 and all(
        assignment.value.text in LAST for assignment in assignments
    )


def _may_take(
    context: RulingContext, command: Command, commands: Sequence[Command], own: Sequence[Running]
) -> bool:
    """Whether one of its words may be the number of a program of the gate."""
    words = command.argv[1:]
    numbers = [_GLUED.sub("", word.text) for word in words if word.known]
    if _counts(context, command) or _PARENT in context.text[command.start : command.end]:
        return True
    if any(_is_of_gate(context, number) for number in numbers if number != "-1"):
        return True
    return any(not word.known for word in words) and _are_found(context, commands, own)


def _counts(context: RulingContext, command: Command) -> bool:
    """Whether it is given a number that is put together, or that of who started the shell."""
    spelled = context.text[command.start : command.end]
    is_own = "$$" in spelled and "PPID" not in spelled and "((" not in spelled
    return any(isinstance(word, Number) for word in command.argv[1:]) and not is_own


def _numbers(words: Sequence[Word]) -> list[Word]:
    """What `kill` is to end, behind the signal."""
    at = 0
    if words and words[0].known and words[0].text.startswith("-") and words[0].text != "--":
        at = 2 if words[0].text in {"-s", "-n", "--signal"} else 1
    rest = list(words[at:])
    return rest[1:] if rest and rest[0].known and rest[0].text == "--" else rest


def _is_of_gate(context: RulingContext, text: str) -> bool:
    """Whether a number is that of one of the gate's programs, or of all that there are."""
    number = text.lstrip("-")
    if not (number.isascii() and number.isdecimal()):
        return False
    return text == "-1" or context.facts.is_of_gate(int(number))


def _are_found(context: RulingContext, commands: Sequence[Command], own: Sequence[Running]) -> bool:
    """Whether numbers that are put together may be those of the gate's programs."""
    if "/proc" in context.text:
        return True
    looking = [command for command in commands if command.program in _FINDING]
    if any(
        _counts(context, command) or _finds(command.program, command.argv[1:], own)
        for command in looking
    ):
        return True
    if not any(command.program in _LISTING or _tells_all(command) for command in commands):
        return False
    # What reads something else than the list says nothing of what is found.
    sifting = [command for command in commands if command.program in _SIFTING and command.fed]
    sought = [text for command in sifting for text in _sought_by(command)]
    lines = [it.line for it in own]
    return not sought or any(_matches(it, lines, exact=False, case=False) for it in sought)


def _holds(words: Sequence[Word]) -> bool:
    """Whether `fuser` ends whoever holds something else than a port."""
    ends = any(word.text.startswith("-") and "k" in word.text for word in words)
    held = [word for word in words if not word.text.startswith("-")]
    return ends and not all(word.known and _BY_PORT.fullmatch(word.text) for word in held)


def _tells_all(command: Command) -> bool:
    """Whether `lsof` is asked about more than who holds a port."""
    words = [word.text for word in command.argv[1:]]
    return command.program == "lsof" and not any(map(_BY_PORT.fullmatch, words))


def _sought_by(command: Command) -> list[str]:
    """What a command keeps the lines with; nothing where it may keep others."""
    words = tuple(command.argv[1:])
    if "grep" in command.program or command.program in {"rg", "ag"}:
        sorted_ = sort_words(by_name()["grep"], words)
        if sorted_.strange or sorted_.loose or sorted_.has(_KEEPS_OTHERS):
            return []
        named = sorted_.of("-e --regexp") or sorted_.operands[:1]
        return [word.text for word in named if word.known]
    # What a line must not hold leaves fewer of those that hold the other.
    texts = [_NOT_EITHER.sub("", word.text) for word in words if word.known]
    negates = any("!" in text for text in texts)
    sed = "sed" in command.program
    if negates or (sed and not ("-n" in texts and any(text.endswith("/p") for text in texts))):
        return []
    return [found for text in texts for found in _BETWEEN.findall(text)]


def _finds(name: str, words: Sequence[Word], own: Sequence[Running]) -> bool:
    """Whether a program that looks others up may find one of the gate's."""
    given = tuple(word for word in words if not (word.known and _is_signal(word.text)))
    sorted_ = sort_words(_ROWS[name], given)
    if sorted_.has("-F --pidfile"):
        return False
    if sorted_.strange or sorted_.has("-v --inverse") or not sorted_.operands:
        return not _is_below_itself(sorted_)
    if not all(operand.known for operand in sorted_.operands):
        return True
    named = _ROWS[name] is _BY_NAME
    exact = (named and not sorted_.has("-r --regexp")) or sorted_.has("-x --exact")
    case = not sorted_.has("-i -I --ignore-case")
    among = [it.line if sorted_.has("-f --full") else it.name for it in own]
    # A path stands for the program that lies there.
    texts = [
        operand.text.rpartition("/")[2] if named else operand.text for operand in sorted_.operands
    ]
    return any(_matches(text, among, exact=exact, case=case) for text in texts)


def _is_signal(text: str) -> bool:
    name = text[1:]
    return text.startswith("-") and (name.isdecimal() or {name, f"SIG{name}"} & _SIGNALS != set())


def _is_below_itself(sorted_: Sorted) -> bool:
    """Whether only what the shell itself started is looked for."""
    parents = sorted_.of("-P --parent")
    return bool(parents) and all(
        isinstance(parent, Number) or parent.text == "$!" for parent in parents
    )


def _matches(pattern: str, texts: Iterable[str], *, exact: bool, case: bool) -> bool:
    """Whether a pattern may find one of these; one that is hard to read may find any."""
    if _DIFFICULT.search(pattern):
        return True
    try:
        made = re.compile(pattern, 0 if case else re.IGNORECASE)
    except re.error:
        return True
    find = made.fullmatch if exact else made.search
    return any(find(text) for text in texts)
