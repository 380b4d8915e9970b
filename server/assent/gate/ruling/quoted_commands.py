"""Commands inside a quoted argument of an unknown program.

`python3 -c "os.system('rm -rf ~')"`, `tmux new 'rm -rf ~'`: whether they are run nobody can tell,
so they are held against what is asked about in every mode, and allow nothing.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from shlex import quote
from typing import Final

from assent.gate.programs.nested_execution.interpreters import ELSEWHERE
from assent.gate.programs.read_lines import read_script
from assent.gate.programs.study import study
from assent.gate.programs.tables import by_name
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.script import Command, bare_name
from assent.gate.shell.steps import Budget
from assent.gate.text.concatenated_texts import pieces_in, put_together
from assent.gate.text.decoded_names import HERE, HOME, with_own_names
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["removals_in", "takes_all", "written_in"]

_VERBS: Final = (
    r"rmtree|rm(?:dir)?Sync|rm_rf|rm_r|remove_tree|removeSync|remove_dir_all|RemoveAll|rimraf"
    r"|deleteRecursively|move|os\.(?:renames?|replace)|renameSync|FileUtils\.mv"
    r"|promises[\"')]{0,3}\.rm"
)
_WHOLE: Final = (
    r"(?:str\(|[\"'`](?:[$#]\{)?|[\"']%s[\"']\s{0,8}%\s{0,8})?"
    rf"(?:(?P<home>{HOME})|(?P<here>{HERE}))[)\"'`}}]{{0,3}}"
)
"""A home, or the folder that it works in, as code asks for it."""
_REMOVES: Final = late(
    rf"\b(?:{_VERBS})\s{{0,8}}\(?\s{{0,8}}(?:src\s?=\s?)?"
    rf"(?:{_WHOLE}|[\"'](?P<path>[^\"'\n]{{1,200}})[\"'])\s*(?=[,)]|$)",
    re.MULTILINE,
)
"""What removes a folder with all in it in code, by a path that stands there."""
_WALKS: Final = late(
    r"\b(?:listdir|scandir|walk|(?:read|open)dir(?:Sync)?)\(\s*+(?:(?:path=|top=|b)?[\"']\.?/?[\"']\s*+"
    r"|__dirname\s*+|os\.curdir\s*+)?[,)]"
    rf"|\b(?:listdir|scandir|walk|readdir(?:Sync)?)\(\s*+(?:{HERE}|(?P<home>{HOME}))"
    r"|\bPath(?:\.cwd\(\)|\(\s*+(?:[\"']\./?[\"']\s*+)?\))\.(?:iterdir\(|r?glob\(\s*[\"']\*+(?:/\*)?[\"'])"
    r"|(?P<near>Path\.home\(\))\.(?:iterdir\(|r?glob\(\s*[\"']\*+(?:/\*)?[\"'])"
    r"|\bopendir\W{1,3}\w{1,9}\s*,\s*[\"']\.[\"']"
    r"|\bfind(?:depth)?\([^\n]{0,200},\s*[\"']\.[\"']\)"
    r"|\bDir\.(?:entries|children|each_child|foreach)\W{1,2}[\"']\.[\"']",
    needs="listdir scandir walk readdir opendir iterdir glob find Dir",
)
"""How code goes through all of the folder that it works in, or of a home."""
_TAKES: Final = late(
    r"\bopen\(|\bopen\s+\w+,|read_(?:text|bytes)|[rR]ead_?[fF]ile|(?:IO|File)\.read|copytree|cpSync"
    r"|make_archive|unlink|remove|rm(?:Sync|tree|dir)|write_(?:text|bytes)|fileinput|\.rm\("
)
_COPIED: Final = late(
    r"\b(?:copytree|cpSync)\(\s*+[\"']\.[\"']|make_archive\([^\n)]{1,200},\s*+[\"']\.[\"']"
)
_REMOVING: Final = late(
    r"write_(?:text|bytes)\(b?(?:''|\"\")|unlink|\bremove\(|rm(?:Sync|tree|dir)|\.rm\(|\bremovedirs"
)
_OF_KIND: Final = late(r"\bif\s+[\w.()]{0,40}\.?is_?(?:file|dir)\([\w.]{0,40}\)", re.IGNORECASE)
"""A condition that chooses by nothing but what kind of thing it is."""
_CHOOSES: Final = late(r"\bif\b|\bunless\b|filter|match|with\(|=~|&&|\?")
"""How code chooses among what it finds."""
_PATH: Final = r"(?P<path>(?:/|~/)[^\"'\n]{1,200})[\"']"
_AT: Final = rf"(?:[\w.]{{1,40}}\()?[\"']{_PATH}"
_CHANGING: Final = r"\)?\s*,\s*[\"'][rbt]*[wax+]"
_WRITES: Final = (
    late(rf"\b(?:open|fopen|openSync|File\.new)\s*\(\s*{_AT}{_CHANGING}"),
    late(rf"\bopen\b[^\n]{{0,40}}?,\s*[\"']\+?>{{1,2}}\s*(?:[\"']\s*,\s*[\"'])?{_PATH}"),
    late(
        r"\b(?:write_?File(?:Sync)?|append_?File(?:Sync)?|file_put_contents|writeTextFile(?:Sync)?"
        r"|createWriteStream|(?:File|IO)\.\w{0,5}write|Bun\.write|spew|unlink(?:Sync)?|os\.remove"
        r"|File\.(?:delete|unlink)|chmod(?:Sync)?|FileUtils\.(?:touch|rm|rm_f))"
        rf"\s*\(?\s*{_AT}"
    ),
    late(
        rf"\bPath\(\s*{_AT}\s*\)(?:\.expanduser\(\))?"
        r"\.(?:write_\w{1,9}|touch|unlink|rename|replace|symlink_to|hardlink_to|chmod"
        r"|open\(\s*[\"'][rbt]*[wax+])"
    ),
    late(
        r"\b(?:copy\w{0,9}|move|rename\w{0,9}|symlink\w{0,9}|link(?:Sync)?|cp(?:Sync)?|mv|ln_sf?"
        rf"|os\.replace)\s*\(?[^\n]{{0,200}}?,\s*{_AT}"
    ),
)
"""What changes a file in code, by a path from the root or the home that stands there."""
_NAMES: Final = late(r"(?<![\w./~-])[a-z][\w-]+(?=[ ])")
_ENDS: Final = late(r"(?:^|[;&|]|\\(?:n|0?12|x0[aA]))+")
_MAX_STARTS: Final = 16
_MAX_COMMAND_LETTERS: Final = 200
_MAX_TAILS: Final = 12
"""So many words are taken for the beginning of a command, in a text or in a row."""
_MAX_TEXTS: Final = 48
_MAX_CODE_LETTERS: Final = 10_000
"""So many texts are read, with so many letters in all."""


def removals_in(context: RulingContext, command: Command) -> Iterator[Command]:
    """The commands in the words of another, or in what it reads, that may leave nothing there."""
    yield from filter(_ruins, _tails(command))
    texts = [word.text for word in command.argv[1:] if " " in word.text or "(" in word.text]
    for text in filter(None, (*texts, command.told_by(context.text))):
        if text not in context.removals:
            context.removals[text] = [*_removals(text, context.budget)]
        yield from context.removals[text]


def _removals(code: str, budget: Budget) -> Iterator[Command]:
    left = _MAX_CODE_LETTERS
    for text in list(dict.fromkeys(_in_code(code)))[:_MAX_TEXTS]:
        left -= len(text)
        if left < 0:
            return
        script = read_script(text)
        budget.spend(script.steps // 2 + 20 * len(script.commands))
        yield from filter(_ruins, script.commands)


def written_in(command: Command, whole: str) -> Iterator[str]:
    r"""The paths from the root or the home that code changes, in a program's words or its input.

    >>> from assent.gate.programs.read_lines import read_script
    >>> line = 'ruby -e "File.write(\'/etc/hosts\', File.read(\'/etc/motd\'))"'
    >>> [*written_in(read_script(line).commands[0], line)]
    ['/etc/hosts']
    """
    texts = [word.text for word in command.argv[1:] if "(" in word.text or "," in word.text]
    for text in [*texts, *filter(None, [command.told_by(whole)])]:
        for form in _WRITES:
            yield from (match["path"] for match in form.finditer(text[:_MAX_CODE_LETTERS]))


def _ruins(command: Command) -> bool:
    return study(command).catastrophic


def _tails(command: Command) -> Iterator[Command]:
    """What is run, if one of its words names the program: `screen -dm rm -rf ~`."""
    if command.program in ELSEWHERE:
        return
    programs = by_name()
    for at, word in enumerate(command.argv[1:_MAX_TAILS], 1):
        if word.known and bare_name(word.text) in programs:
            yield evolve(command, argv=command.argv[at:])


@lru_cache(maxsize=64)
def takes_all(code: str) -> bool:
    """Whether code goes through the folder that it works in, and reads or changes what it finds.

    >>> takes_all("for f in os.listdir('.'): print(open(f).read())"), takes_all("os.listdir('.')")
    (True, False)
    """
    copied = _COPIED.search(code) is not None
    return copied or (_walks(code) is not None and _TAKES.search(code) is not None)


@lru_cache(maxsize=16)
def _walks(code: str) -> re.Match[str] | None:
    return _WALKS.search(code)


def _in_code(text: str) -> Iterator[str]:
    yield text.lstrip("!")
    text = with_own_names(text)
    walks = _walks(text)
    if walks is not None and _REMOVING.search(text) and not _CHOOSES.search(_OF_KIND.sub("", text)):
        yield f"rm -rf {'~' if walks['home'] or walks['near'] else '.'}"
    yield from (f"rm -rf {_path(match)}" for match in _REMOVES.finditer(text))
    pieces = pieces_in(text)
    # A line that is written so is one of its own once it is a file.
    lines = (line for piece in pieces if "\\" in piece for line in _ENDS.split(piece)[1:])
    yield from (it for it in (line.replace("\\t", " ").strip() for line in lines) if " " in it)
    # Code that is quoted for the shell has quotes of its own.
    yield from (inner for piece in pieces for inner in pieces_in(piece) if " " in inner)
    yield from (it for it in (*pieces, *put_together(text).splitlines()) if " " in it)
    if len(pieces) > 1:
        yield " ".join(pieces)
    # A program's own language may stand before a command: `1e rm -rf ~`, `:!rm -rf ~`.
    starts = (match.start() for match in _NAMES.finditer(text) if match.start())
    yield from (text[at : at + _MAX_COMMAND_LETTERS] for at in islice(starts, _MAX_STARTS))


def _path(call: re.Match[str]) -> str:
    """The path that a call names, as a shell would: what stands for the home is `~`."""
    if call["here"]:
        return "."
    return "~" if call["home"] else quote(call["path"])
