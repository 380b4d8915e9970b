"""Which commands take code from what they are given to read, so that their words do not tell it.

A rule that names such a command to the letter would let any code run that is put into it. Shells
are not among them where the text can be read: its commands are judged by themselves.
"""

from collections.abc import Sequence
from typing import Final

from assent.bash.dialects import OTHERS, SHELLS
from assent.bash.script import Command
from assent.programs.runners import AFTER_WORD, ROWS
from assent.text.patterns import late

__all__ = ["ASKING", "ELSEWHERE", "is_given", "takes_code"]

ELSEWHERE: Final = frozenset(
    """ssh slogin mosh autossh sshpass docker podman nerdctl kubectl oc lxc lxc-attach incus
    machinectl nsenter chroot flatpak-spawn flatpak wsl toolbox distrobox vagrant adb heroku fly
    gcloud aws az systemd-nspawn unshare""".split()
)
"""Programs whose inner command runs on another machine, or among other files."""

_INTERPRETERS: Final = late(
    r"(?:python|pypy|node|nodejs|deno|bun|ruby|irb|perl|php|lua|luajit|Rscript|R|julia|tclsh|wish"
    r"|expect|guile|racket|sbcl|clisp|ecl|ghci|runghc|scala|groovy|jshell|osascript|gdb|lldb|octave"
    r"|gnuplot|maxima|swift|iex|elixir|erl|ocaml|utop|sml|gosh|chibi|raku|ex|ed|vi|vim|nvim|emacs"
    r"|ts-node|tsx|ipython|bpython|crystal|nim|dart|kotlin|kotlinc|clojure|clj|bb|nu|dash"
    r"|at|batch)(?:-?[\d.]+)?"
)
_CLIENTS: Final = late(
    r"psql|pgcli|mysql|mariadb|mycli|sqlite3?|duckdb|mongo|mongosh|redis-cli|valkey-cli|cqlsh|sqlcmd"
    r"|sqlplus|isql|clickhouse(?:-client)?|cockroach|snowsql|bq|influx|ftp|sftp|lftp|telnet|nc|ncat"
    r"|netcat|socat|xargs|parallel|crontab|fdisk|sfdisk|parted|debugfs|nsupdate|ldapmodify"
)
ASKING: Final = frozenset(
    """rails console,rails c,rails dbconsole,flask shell,django-admin shell,django-admin dbshell
    terraform console,prisma db,supabase db,heroku pg:psql,firebase functions:shell""".replace(
        "\n    ", ","
    ).split(",")
)
"""Commands of programs that wait to be told what to do."""
_SAYS: Final = tuple(
    (late(names), late(rf"(?:{flags}|--(?:eval|print|command|execute|query|expression)(?:=.*)?)"))
    for names, flags in (
        (r"(?:i?python|pypy)[\d.]*", "-[A-Za-z]*[cm]"),
        (r"node(?:js)?|tsx|ts-node|bun", "-p?e|-p"),
        (r"php[\d.]*", "-[rBR]"),
        (r"psql|pgcli|cockroach|duckdb", "-[cf]"),
        (r"mysql|mariadb|mycli", "-e"),
        (r"redis-cli|valkey-cli|crontab", "--"),
        (r"\w*sh|nu", "-[A-Za-z]*c[A-Za-z]*"),
        (r".*", "-[A-Za-z]*[eE]"),
    )
)
"""The flags of programs after which the words themselves say what runs."""
_ASKS: Final = frozenset("code pdb asyncio IPython sqlite3 bpython ptpython idlelib".split())
"""Modules of Python that wait to be told what to do."""
_FILE: Final = late(r"[\w@+~.-]*(?:[./][\w@+~-]+)+")
_INPUT: Final = frozenset(("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
_NOTHING: Final = "/dev/null"
_PLACE_AND_WHAT: Final = 2
_MOST: Final = 32

_RUNNERS: Final = frozenset({"npx", "bunx", "uvx", *AFTER_WORD, *ROWS})


def is_given(command: Command) -> bool:
    """Whether a command is given something to read by the script that it stands in."""
    opened = any(
        it.operator in ("<", "<>") and it.target.text != _NOTHING for it in command.redirects
    )
    return command.fed or opened


def takes_code(words: Sequence[str]) -> bool:
    """Whether a command of these words runs what it reads, as far as can be told."""
    if not words:
        return False
    name, rest = words[0].rpartition("/")[2], words[1:]
    if _INPUT & {*rest, *(it.partition("=")[2] for it in rest)}:
        return True
    if name in ELSEWHERE or name in _RUNNERS:
        return _runs_such(name, rest)
    if " ".join((name, *rest[:1])) in ASKING:
        return True
    if _CLIENTS.fullmatch(name):
        return not _is_said(name, rest)
    if not (name in SHELLS or name in OTHERS or _INTERPRETERS.fullmatch(name)):
        return False
    return not (_is_said(name, rest) or any(map(_FILE.fullmatch, rest)))


def _is_said(name: str, words: Sequence[str]) -> bool:
    """Whether the words themselves say what runs."""
    flag = next(flag for names, flag in _SAYS if names.fullmatch(name))
    return not _ASKS & {*words} and any(map(flag.fullmatch, words))


def _runs_such(name: str, words: Sequence[str]) -> bool:
    """The same of a program that runs another: any of its words may begin that one.

    One that is only told where to go runs whatever is said there.
    """
    inner = [it for word in words for it in word.split()]
    alone = name in ELSEWHERE and len(inner) < _PLACE_AND_WHAT
    return alone or any(takes_code(inner[at:]) for at in range(min(len(inner), _MOST)))
