"""Programs that make something run later, when nobody is asked.

What is started when a machine starts, at a time, when a folder opens or when git acts is kept by
such a program, in a place that none of its words names.
"""

from typing import Final

from assent.gate.programs.command_scopes import known_of
from assent.gate.programs.known_names import callings
from assent.gate.programs.options import part_of, sort_words
from assent.gate.programs.tables.mounts import is_here
from assent.gate.shell.script import Command
from assent.gate.shell.word import Exact, Word
from assent.gate.values import evolve, frozen

__all__ = ["ORDERS", "Orders", "keeps_for_later"]


@frozen
class Orders:
    """The words that make such a program keep something."""

    only: str = ""
    """Words with which it keeps something; where none stand here, it always does."""
    unless: str = "-V --version -h --help"
    """Words with which it does not, whatever the others are."""
    commands: str = ""
    """Its commands that can: where another one comes first, nothing is kept."""
    options: bool = False
    """Whether these words are options, and none of them what stands behind its first operand."""


_HERE: Final = Exact(text=".")
_UNITS: Final = (
    "enable reenable mask unmask link preset preset-all edit add-wants add-requires set-default"
    " set-environment import-environment set-property"
)
_HOOKS: Final = "install init-templatedir init-template-dir"

ORDERS: Final[dict[str, Orders]] = {
    "at": Orders(unless="-l -c -r -d -V"),
    "batch": Orders(unless="-V"),
    "fcrontab": Orders(unless="-l -V"),
    "incrontab": Orders(unless="-l -V"),
    "anacron": Orders(unless="-T -V"),
    "systemctl": Orders(only=_UNITS, commands=_UNITS),
    "systemd-run": Orders(),
    "loginctl": Orders(only="enable-linger"),
    "launchctl": Orders(only="load bootstrap submit enable setenv config"),
    "update-rc.d": Orders(),
    "rc-update": Orders(only="add"),
    "chkconfig": Orders(unless="--list"),
    "schtasks": Orders(only="/create /change /Create /Change /CREATE /CHANGE"),
    "brew": Orders(only="services", unless="list info stop kill cleanup"),
    "pm2": Orders(only="startup save --cron --cron-restart"),
    **dict.fromkeys(
        ("docker", "podman", "nerdctl"),
        Orders(
            only="--restart=always --restart=unless-stopped always unless-stopped",
            unless="",
            commands="run create update container service",
            options=True,
        ),
    ),
    "chsh": Orders(unless="-l --list-shells -h --help"),
    "usermod": Orders(only="-s --shell"),
    "visudo": Orders(unless="-c --check -V"),
    "direnv": Orders(only="allow permit grant edit"),
    "tmux": Orders(only="set-hook default-command default-shell"),
    "mise": Orders(only="trust"),
    "rtx": Orders(only="trust"),
    "reg": Orders(only="add import restore load ADD IMPORT RESTORE LOAD"),
    "sc": Orders(only="create config CREATE CONFIG"),
    "watchman": Orders(only="trigger", unless="-h --help"),
    "cloudflared": Orders(only="service"),
    "hk": Orders(only="install"),
    "husky-init": Orders(),
    "yorkie": Orders(only="install"),
    "pre-commit": Orders(only=_HOOKS, commands=_HOOKS),
    "prek": Orders(only=_HOOKS, commands=_HOOKS),
    "lefthook": Orders(only="install add"),
    "husky": Orders(),
    "simple-git-hooks": Orders(),
    "git-secrets": Orders(only="--install"),
    "git-annex": Orders(only="init reinit adjust enableremote"),
    "git-review": Orders(only="-s --setup"),
    "git-hooks": Orders(only="install --install"),
    "activate-global-python-argcomplete": Orders(),
    "talisman": Orders(only="--githook -g install"),
    "ggshield": Orders(only="install"),
    "trunk": Orders(only="git-hooks"),
    "a2enmod": Orders(),
    "a2ensite": Orders(),
    "overcommit": Orders(only="--install -i --sign -s"),
}


def keeps_for_later(command: Command) -> bool:
    """Whether a command makes something run later, when nobody is asked.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ("systemctl enable app", "systemctl status app", "at now", "docker build -t a:$V .")
    >>> [keeps_for_later(read_script(it).commands[0]) for it in lines]
    [True, False, True, False]
    """
    name, words = command.program.removesuffix(".exe"), command.argv[1:]
    called = callings(name, words)
    if name == "git" and words:
        # What git has no command for it runs as a program of that name.
        called = ((f"git-{words[0].text}", words[1:]),)
    return any(_keeps(name, ORDERS[name], words) for name, words in called if name in ORDERS)


def _keeps(name: str, orders: Orders, words: tuple[Word, ...]) -> bool:
    if orders.commands and words and _is_another(words[0], orders):
        return False
    words = _options(name, words) if orders.options else words
    texts = {text for word in words for text in word.choices or (word.text,)}
    said = texts | {text.partition("=")[0] for text in texts}
    sure = all(word.texts or is_here(word) for word in words)
    keeps = not orders.only or not sure or bool(said & {*orders.only.split()})
    return keeps and not said & {*orders.unless.split()}


def _options(name: str, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The options with their values, and none of what another program is given; else all words.

    A folder that is mounted by `$PWD` is one word, or the ruling asks.
    """
    plain = tuple(_HERE if is_here(word) else word for word in words)
    known = known_of((name, *(word.text for word in words[:2])))
    given = sort_words(
        evolve(known.row, operands=None, operand_ends_flags=True), plain[known.name_words - 1 :]
    )
    # What a value may be split into is no more than a value; the first operand may be an option.
    unsure = given.loose and not all(operand.known for operand in given.operands[:1])
    if given.strange or unsure or known.name_words == 1:
        return words
    named = {it.partition("=")[0] for it in ORDERS[name].only.split()}
    return tuple(
        part_of(word, f"{flag}={word.text}") for flag, word in given.values if flag in named
    )


def _is_another(first: Word, orders: Orders) -> bool:
    """Whether the first word is surely a command that keeps nothing, whatever follows it."""
    own = orders.commands.split()
    return bool(first.texts) and all(text[:1] != "-" and text not in own for text in first.texts)
