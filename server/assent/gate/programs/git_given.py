"""What a git command is told to run: in values of settings, aliases, and addresses.

Which settings may be run is told in one place (`git_settings.may_run`), by what is known to be
harmless. Of the others a value is spared only where it is, as a whole, on a short list.
"""

import shlex
from typing import Final

from assent.gate.programs.git_settings import may_run
from assent.gate.programs.selecting_options import valued_before
from assent.gate.shell.word import Exact, Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["Given", "given_to_git", "runs_value"]

_NAME: Final = late(r"[A-Za-z][\w.:/@-]*")
_ALIAS: Final = late(r"(?i)alias\.(.+?)(?:\.command)?")
_COMMAND: Final = late(r"[a-z][a-z-]*")
_LEADS: Final = late(
    r"(?i)core\.(?:hookspath|worktree)|init\.templatedir|include(?:if\..+)?\.path"
    r"|protocol\.(?:ext\.)?allow"
)
"""Settings that say where something lies that is run, or that an address may be such a thing."""
_NOWHERE: Final = frozenset(("", "/dev/null", "never"))
_OTHER_PROTOCOLS: Final = late(r"(?i)protocol\.(?:version|[^.]+\.allow)")
_TAME: Final = late(r"true|false|:|cat|/dev/null|on|off|no|never|[0-9]{1,9}|")
"""Values that are no program, or one that does nothing by any words that it is given."""
_OF_SSH: Final = "IdentitiesOnly=yes|StrictHostKeyChecking=accept-new|BatchMode=yes"
_TAME_OF: Final = tuple(
    (late(f"(?i){names}"), late(values))
    for names, values in (
        (r"(?:core|sequence)\.editor", r"vim|vi|nano|code --wait"),
        (r"core\.pager|pager\.[\w-]+", r"less(?: -[FRXSKNiMr]+)*|delta"),
        (
            r"core\.sshcommand",
            rf"ssh(?: -i [\w./~][\w./~@+-]*)?(?: -o (?:{_OF_SSH}))*",
        ),
        (r"credential\.(?:.+\.)?helper", r"store|cache|osxkeychain|manager|libsecret"),
        (r"gpg\.(?:openpgp\.)?program", r"gpg2?"),
        (r"(?:diff|merge)\.(?:gui)?tool", r"[a-z]\w*"),
    )
)
"""Programs that are known to run nothing by what git gives them where such a setting names them.

An editor and a pager take words that begin with `+` for commands, so they are spared nowhere else.
"""
_RUN_ADDRESS: Final = late(r"(?is)(?:[^=]*=)?(?:url\.)?ext:(?::|//)(.*)")
_ANYTHING: Final = "!%G"
"""Stands for a value that is only known when git is run."""


@frozen(kw_only=True)
class Given:
    """What git runs of the words that it is given."""

    texts: tuple[str, ...] = ()
    """Each for a shell, or as good as that."""
    argvs: tuple[tuple[Word, ...], ...] = ()
    """Commands of git that an alias stands for."""


def given_to_git(argv: tuple[Word, ...]) -> Given:
    """What git runs by its settings, and by the addresses among its words.

    >>> from assent.gate.programs.read_lines import words_of
    >>> given_to_git(words_of("git -c core.pager=sh log")).texts
    ('sh',)
    >>> given_to_git(words_of("git fetch 'ext::sh -c id'")).texts
    ('sh -c id',)
    >>> [it.text for it in given_to_git(words_of("git -c alias.s='status -s' s .")).argvs[0]]
    ['git', 'status', '-s', '.']
    """
    texts = [match[1] for word in argv[1:] if (match := _RUN_ADDRESS.fullmatch(word.text))]
    argvs: list[tuple[Word, ...]] = []
    settings, rest = _parted(argv)
    if rest and rest[0].text == "remote-ext":
        texts += [word.text for word in rest[2:]]
    for setting in settings:
        name, equals, value = setting.text.partition("=")
        value = value if setting.known else _ANYTHING
        alias = _ALIAS.fullmatch(name)
        command = _command_of(value) if alias and not argvs else ()
        if alias and command and all(word.known for word in argv[: len(argv) - len(rest) + 1]):
            given = rest[1:] if rest and rest[0].text.lower() == alias[1].lower() else ()
            argvs.append((argv[0], *command, *given))
        elif not (setting.known or _NAME.fullmatch(name)) or (equals and runs_value(name, value)):
            texts.append(setting.text.partition("=")[2].removeprefix("!"))
    return Given(texts=tuple(texts), argvs=tuple(argvs))


def runs_value(name: str, value: str) -> bool:
    """Whether git may run the value of a setting, and that is none that is spared.

    >>> runs_value("Filter.x.Smudge", "sh"), runs_value("core.editor", "vim +!id")
    (True, True)
    >>> runs_value("core.editor", "true"), runs_value("core.sshCommand", "ssh -i key")
    (False, False)
    """
    if _LEADS.fullmatch(name):
        return value not in _NOWHERE
    if _OTHER_PROTOCOLS.fullmatch(name) or _TAME.fullmatch(value) or not may_run(name, value):
        return False
    return not any(of.fullmatch(name) and tame.fullmatch(value) for of, tame in _TAME_OF)


def _parted(argv: tuple[Word, ...]) -> tuple[list[Word], tuple[Word, ...]]:
    """The values of `-c` before the command, and the command with what stands behind it.

    A word that is not known may be none at all, so that it is not taken for the command.
    """
    settings: list[Word] = []
    at, valued = 1, valued_before("git")
    while at < len(argv) and (argv[at].text.startswith("-") or not argv[at].known):
        if argv[at].text == "-c":
            settings += argv[at + 1 : at + 2]
        at += 2 if argv[at].text in valued else 1
    return settings, argv[at:]


def _command_of(value: str) -> tuple[Word, ...]:
    """The command of git that an alias stands for; none where it may be anything else.

    Options may come first in one, and git reads a backslash otherwise than a shell does.
    """
    try:
        words = [] if "\\" in value else shlex.split(value)
    except ValueError:
        return ()
    named = words and _COMMAND.fullmatch(words[0])
    return tuple(Exact(text=word) for word in words) if named else ()
