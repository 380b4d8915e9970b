"""Which commands run code from their input, so that their words do not show it.

A rule that names such a command would let any code run that is put into it. Shells are not among
them where the text can be read: its commands are judged by themselves. Of a program that no table
knows, nobody can say that it does not: many start a shell where they are told nothing else.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from assent.gate.programs.deeds import Deeds
from assent.gate.programs.meaning import means_something
from assent.gate.programs.nested_execution.interpreters import (
    ASKING,
    ASKS,
    CLIENTS,
    COPIERS,
    DESCRIBED,
    ELSEWHERE,
    ENTERING,
    INTERPRETERS,
    SAYS,
    TYPED,
)
from assent.gate.programs.nested_execution.wrapper_rows import AFTER_WORD, ROWS
from assent.gate.programs.nested_execution.wrappers import after
from assent.gate.programs.options import literal_head
from assent.gate.shell.dialects import OTHERS, SHELLS
from assent.gate.shell.script import SOURCES, Command
from assent.gate.shell.word import Exact
from assent.gate.text.lazy_patterns import late

__all__ = [
    "is_given",
    "is_interpreter",
    "is_told_commands",
    "is_typed_into",
    "is_unsure",
    "is_written_here",
    "says_code",
    "says_unknown",
    "takes_code",
]

_DOCUMENT: Final = late(r"(?<!<)<<(?:-?[ \t]*(?=(['\"\\])|\w)|<[ \t]*('))")
_ENDED: Final = late(r"\n|[|;]|(?<![>\d])&")
_PUTS_IN: Final = late(r"[$`]")
_FILE: Final = late(r"[\w@+~.-]*(?:[./][\w@+~-]+)+")
_INPUT: Final = late(r"(?:-[A-Za-z]|--?[\w-]+=)?(?:-|/dev/stdin|/dev/fd/0|/proc/self/fd/0)")
_BATCH: Final = late(r"-[46AaCfNpqrv]*b|-f(?!ile)|--script")
"""`sftp -b FILE` and `lftp -f FILE`; whatever follows in the same word is the file."""
_ONCE: Final = frozenset(("-batch", "--batch", "--version", "--help"))
"""With these a program ends once it has done what its words say."""
_TOLD: Final = _ONCE | {"-V", "-h", "--test"}
_SHOWING: Final = {"kubectl": "get", "oc": "get"}
"""What such a program does that only shows what is described."""
_NOTHING: Final = "/dev/null"
_BY_HOST: Final = frozenset(("ssh", "slogin", "autossh", "mosh"))
_MAX_WORDS_TRIED: Final = 32
"""So many words are tried as the beginning of an inner command."""

_RUNNERS: Final = frozenset({"npx", "bunx", "uvx", *AFTER_WORD, *ROWS})


def is_unsure(command: Command, deeds: Deeds) -> bool:
    """Whether a command may do more to files than its words were read to say.

    >>> from assent.gate.programs.read_lines import read_script
    >>> from assent.gate.programs.study import study
    >>> lines = ("cp a.txt b.txt", "my-tool a.txt", "cat run.py | python3 -")
    >>> [is_unsure(it, study(it)) for it in (read_script(it).commands[-1] for it in lines)]
    [False, True, True]
    """
    if deeds.reading or command.wraps:
        return False
    told = command.fed and takes_code([word.text for word in command.argv])
    return told or not deeds.known or bool(deeds.escapes)


def is_given(command: Command) -> bool:
    """Whether the script itself gives a command its input: by a pipe, a file or a text.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ("python3 < run.py", "cat run.py | python3", "python3 run.py")
    >>> [is_given(read_script(it).commands[-1]) for it in lines]
    [True, True, False]
    """
    if command.fed or not command.redirects:
        return command.fed
    return any(
        redirect.operator in ("<", "<>") and redirect.target.text != _NOTHING
        for redirect in command.redirects
    )


def is_written_here(command: Command, text: str) -> bool:
    r"""Whether its input stands in the text as it is: a document that no shell puts anything into.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ("python3 <<'E'\n1\nE\n", "python3 <<E\n$X\nE\n", "cat x | python3 -")
    >>> [is_written_here(read_script(it).commands[-1], it) for it in lines]
    [True, False, False]
    """
    rest = text[command.start :]
    marker = _DOCUMENT.search(_ENDED.split(rest, maxsplit=1)[0])
    return marker is not None and (bool(marker[1] or marker[2]) or _PUTS_IN.search(rest) is None)


def takes_code(words: Sequence[str]) -> bool:
    """Whether a command of these words runs what it reads, as far as can be told.

    >>> takes_code(["python3", "-"]), takes_code(["python3", "manage.py"])
    (True, False)
    >>> takes_code(["ssh", "-p", "22", "host"]), takes_code(["ssh", "host", "make"])
    (True, False)
    >>> takes_code(["fakeroot"]), takes_code(["git", "commit", "-F", "-"])
    (True, False)
    """
    if not words:
        return False
    name, rest = words[0].rpartition("/")[2], words[1:]
    if " ".join((name, *rest[:1])) in ASKING:
        return True
    if name in ELSEWHERE:
        inner = _behind_host(rest) if name in _BY_HOST else rest
        return _goes_elsewhere(name, rest) and _runs_such(inner)
    if name in _RUNNERS:
        started = [it for it in _inner(rest) if _is_named(it[0])]
        # Told to run something and not what, `npm x` opens a shell.
        alone = rest[:1] and rest[0] in AFTER_WORD.get(name, ()) and not _operands(rest[1:])
        return bool(alone) or any(map(takes_code, started)) or (name in ROWS and not started)
    if TYPED.fullmatch(name):
        return _ONCE.isdisjoint(rest)
    if CLIENTS.fullmatch(name):
        return not _is_said(name, rest)
    if name in SHELLS or name in SOURCES or name in OTHERS or INTERPRETERS.fullmatch(name):
        at = next((at for at, it in enumerate(rest) if _is_script(it)), len(rest))
        named = at < len(rest) and not (_INPUT.fullmatch(rest[at]) or ASKS & {*rest[:at]})
        # What stands behind the script is the script's own.
        return not (named or _is_said(name, rest[:at]))
    if DESCRIBED.fullmatch(name):
        return _is_described(name, rest)
    return not _is_known(words[0])


def is_told_commands(command: Command) -> bool:
    """Whether a program that copies is told its commands by its input, or by a file of them.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ("sftp x.org < b", "echo '!id' | ftp x.org", "sftp -b b x.org", "sftp x.org:a")
    >>> [is_told_commands(read_script(it).commands[-1]) for it in lines]
    [True, True, True, False]
    """
    if not COPIERS.fullmatch(command.name.rpartition("/")[2]):
        return False
    batch = any(_BATCH.match(word.text) for word in command.argv[1:])
    return batch or is_given(command)


def is_typed_into(command: Command) -> bool:
    """Whether a program that is known runs what somebody types into it while it runs.

    What a wrapper starts is a command of its own.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ("python3", "python3 -V", "python3 run.py", "psql db", "env X=1 bash", "my-tool")
    >>> [any(map(is_typed_into, read_script(it).commands)) for it in lines]
    [True, False, False, True, True, False]
    >>> lines = ("cat run.py | python3", "python3 < /dev/null", "ssh host", "ssh host make")
    >>> [any(map(is_typed_into, read_script(it).commands)) for it in lines]
    [False, False, True, False]
    """
    if command.fed or any(redirect.operator in ("<", "<>") for redirect in command.redirects):
        return False
    words = [word.text for word in command.argv]
    if not words or not _TOLD.isdisjoint(words[1:]):
        return False
    name = words[0].rpartition("/")[2]
    kinds = (TYPED, CLIENTS, INTERPRETERS)
    is_known = name in SHELLS or name in OTHERS or name in ELSEWHERE
    return (is_known or any(kind.fullmatch(name) for kind in kinds)) and takes_code(words)


def is_interpreter(command: Command) -> bool:
    """Whether a program runs code of a language other than the shell's.

    >>> from assent.gate.programs.read_lines import read_script
    >>> [any(map(is_interpreter, read_script(it).commands)) for it in ("python3 x.py", "sh x.sh")]
    [True, False]
    """
    return INTERPRETERS.fullmatch(command.program) is not None


def says_code(words: Sequence[str]) -> bool:
    """Whether words of a program that runs code are code.

    >>> says_code(["python3", "-c", "print(1)"]), says_code(["python3", "a.py", "-c", "x"])
    (True, False)
    """
    rest = words[1:]
    at = next((at for at, it in enumerate(rest) if _is_script(it)), len(rest))
    return _is_said(words[0].rpartition("/")[2], rest[:at])


def says_unknown(command: Command) -> bool:
    """Whether its words say what it runs, and that is only known when it runs.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ('node -e "$(date)"', 'python3 -c "print(1)"', 'python3 x.py "$a"', "perl -e $x")
    >>> [any(map(says_unknown, read_script(it).commands)) for it in lines]
    [True, False, False, True]
    """
    name = command.program
    return not command.literal and any(
        not word.known and not literal_head(word) and _is_said(name, [flag.text])
        for flag, word in pairwise(command.argv[1:])
    )


def _is_script(word: str) -> bool:
    return bool(_FILE.fullmatch(word) or _INPUT.fullmatch(word))


def _operands(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word.startswith("-")]


def _goes_elsewhere(name: str, words: Sequence[str]) -> bool:
    entering = ENTERING.get(name)
    reads = DESCRIBED.fullmatch(name) is not None and _is_described(name, words)
    return entering is None or reads or not entering.isdisjoint(words)


def _behind_host(words: Sequence[str]) -> Sequence[str]:
    """What stands behind the name of a host, which may be called like a program."""
    argv = tuple(Exact(text=it) for it in ("ssh", *words))
    return words[after(argv, ROWS["ssh"]).at - 1 :]


def _is_said(name: str, words: Sequence[str]) -> bool:
    """Whether a flag such as `-c` says in the words what runs."""
    flag = next(flag for names, flag in SAYS if names.fullmatch(name))
    return not ASKS & {*words} and any(map(flag.fullmatch, words))


def _runs_such(words: Sequence[str]) -> bool:
    """The same of a program that runs another: the first that is known of its words is that one.

    One that is told of none runs whatever it reads.
    """
    started = next((it for it in _inner(words) if _is_named(it[0])), None)
    return started is None or takes_code(started)


def _inner(words: Sequence[str]) -> list[list[str]]:
    """Each tail of the words: any word may begin the inner command."""
    inner = [it for word in words for it in word.split()][:_MAX_WORDS_TRIED]
    return [inner[at:] for at in range(len(inner))]


def _is_named(name: str) -> bool:
    """Whether that is a program, and no place, no flag and no value."""
    name = name.rpartition("/")[2]
    return name in SHELLS or _is_known(name) or _is_special(name)


def _is_special(name: str) -> bool:
    asked = (CLIENTS, INTERPRETERS, DESCRIBED)
    return name in ELSEWHERE or name in _RUNNERS or any(it.fullmatch(name) for it in asked)


def _is_described(name: str, words: Sequence[str]) -> bool:
    """Whether such a program does what its input describes."""
    return any(map(_INPUT.fullmatch, words)) and _SHOWING.get(name) not in words[:1]


def _is_known(name: str) -> bool:
    """Whether a table knows it, or it is named by a path, as scripts of a project are."""
    # The tables are loaded with the reader of commands, and not before.
    from assent.gate.programs.tables import by_name  # noqa: PLC0415

    return "/" in name or name in by_name() or means_something(name)
