"""Code that comes from elsewhere while a call runs, so that nobody has read what is run here.

`curl … | python3`, `node -e "$(curl …)"`, `wget …/x.py; python3 x.py`, `deno run https://…`: a
shell that is given such a text cannot be read, and an interpreter of another language is no other
thing, nor is a program that does what a script in its own language says (`awk "$(curl …)"`).
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from assent.bash.dialects import SHELLS
from assent.bash.script import DECLARES, SOURCES, Command
from assent.bash.word import Word
from assent.policy.fetched_trees import builds_fetched, name_of, run_by
from assent.policy.findings import Judged
from assent.policy.matter import Matter, asked
from assent.programs.codes import CLIENTS, ELSEWHERE, SCRIPTED, TYPED
from assent.programs.deeds import Kind
from assent.programs.habits import RUNNER, kind_of
from assent.programs.inputs import is_interpreter, says_code, says_unknown, takes_code
from assent.programs.options import literal_head
from assent.programs.wrapping import WRAPPERS
from assent.text.patterns import late
from assent.values import evolve
from assent.verdicts import Ruling

__all__ = ["fetched_code", "with_its_code"]

_FETCHED: Final = evolve(
    asked("What this program runs is fetched, and nobody has read it."),
    grave="Runs what comes from another machine.",
)
_FETCHES: Final = late(
    r"urlopen\s*\(|urlretrieve|\bget\s*\(\s*['\"]https?:|(?:requests|httpx|https?)\.get\s*\("
    r"|\bfetch\s*\("
    r"|Net::HTTP|open-uri|URI\.open|LWP::|HTTP::Tiny|file_get_contents\s*\(\s*['\"]https?:"
    r"|include\s*\(?\s*['\"]https?:"
)
_EXECUTES: Final = late(
    r"(?<![.\w])(?:exec|eval|execfile|runpy\.run_path|Function|system|passthru|shell_exec)\s*\("
    r"|\beval\b|os\.(?:system|popen|exec)|subprocess|child_process|vm\.run|instance_eval"
    r"|include\s*\(?\s*['\"]https?:"
)
"""How code in the words of an interpreter gets something from elsewhere, and runs it."""
_UNKNOWN: Final = asked("What this program runs is only known when it runs.")

_ADDRESS: Final = late(
    r"(?:git\+)?(?:https?|ssh|git)://\S+|git@\S+|(?:github|gitlab|bitbucket|gist):\S+"
)
_BRINGS: Final = frozenset(
    "deno bun bunx k6 uv uvx pipx npx npm pnpm yarn jbang scala-cli nix-shell".split()
)
"""Programs that run what lies at an address which is the first that they are told."""
_SUBCOMMANDS: Final = frozenset("run x dlx serve test bench exec".split())
_SCRIPTS: Final = late(SCRIPTED)
_TOKENS: Final = late(r"[\w@+-][\w.@+-]*")
_MODULE: Final = late(r"\.(?:py|rb|pm|pl|[cm]?[jt]sx?)\Z")
"""The endings that a module's name does without."""
_LOADING: Final = late(r"(?:-[mrMI]|--(?:require|import|loader))(?:=?(\S+))?\Z")
_POURS: Final = frozenset(("tee", "sponge"))
_HOLDS: Final = DECLARES | {"read", "mapfile", "readarray", "printf"}
"""The builtins that put what they are given into variables."""
_NAMES: Final = late(r"\b[A-Za-z_]\w*(?==)|(?<=\s)[A-Za-z_]\w*(?=\s|$)")
_VALUES: Final = late(r"\$\{?[!#]?(\w+)")
_OF_SCRIPT: Final = late(r"-[A-Za-z]*[fSx]|-jar|--(?:file|script|makefile|command)")
"""The flags of such a program, and of an editor, whose value is the file with the script."""


def fetched_code(matter: Matter, judged: Sequence[Judged], text: str) -> Iterator[Ruling]:
    """What is asked about programs that run what another command of the text brings, or itself."""
    bringing = [it for it in judged if it.command is not None and it.deeds.hosts]
    sources = [it.command for it in bringing if it.command is not None]
    brought = _brought(bringing, judged, text) if bringing else set[str]()
    if bringing and builds_fetched(matter, judged, brought):
        yield _FETCHED
    for command in (it.command for it in judged):
        if command is None:
            continue
        runs = brought and not brought.isdisjoint(_programs_in(command))
        interprets = is_interpreter(command)
        if runs or _is_at_address(command) or (interprets and _fetches_itself(command, text)):
            yield _FETCHED
        elif not interprets:
            if any(_is_script(source, command) for source in sources):
                yield _FETCHED
        elif any(_is_run(source, command) for source in sources):
            yield _FETCHED
        elif says_unknown(command):
            yield _UNKNOWN


def _brought(bringing: Sequence[Judged], judged: Sequence[Judged], text: str) -> set[str]:
    """The names of the files that what is fetched comes to lie in."""
    kept = {it for one in bringing for it in _kept_by(one, judged)}
    return _handed_on(kept | {*_poured(bringing, judged, text)}, judged)


def _kept_by(one: Judged, judged: Sequence[Judged]) -> Iterator[str]:
    """The names of the files into which it puts what it fetches, or another that reads from it."""
    line = one.command.aside if one.command is not None else 0
    for it in judged:
        # What is redirected as a whole stands around it, and has no words of its own.
        command = it.command
        around = command is not None and not command.argv and it.start > one.start
        beside = command is not None and command.aside == line != 0
        for place in it.places if it is one or around or beside else ():
            if place.kind is Kind.WRITE and place.target is not None:
                yield name_of(place)


def _poured(bringing: Sequence[Judged], judged: Sequence[Judged], text: str) -> Iterator[str]:
    """The names of the files that are written out of words with what is fetched in them."""
    around = [it for one in bringing for it in _around(one, judged)]
    held = {
        name
        for it in around
        if it.command is not None and (not it.command.argv or it.command.name in _HOLDS)
        for name in _NAMES.findall(text[it.start : it.end])
    }
    for it in judged:
        words = text[it.start : it.end]
        if it in around or not held.isdisjoint(_VALUES.findall(words)):
            pours = it.command is not None and it.command.program in _POURS
            written = (at for at in it.places if at.kind is Kind.WRITE)
            yield from (name_of(at) for at in written if at.redirect or pours)


def _around(inner: Judged, judged: Sequence[Judged]) -> Iterator[Judged]:
    """The commands that have another in their words, or in the text that they are given."""
    depth = inner.command.depth if inner.command is not None else 0
    before = [
        it
        for it in judged
        if it.command is not None and it.command.depth < depth and it.start <= inner.start
    ]
    fed = [it for it in before[-1:] if it.command is not None and it.command.fed]
    yield from fed
    yield from (it for it in before if inner.start < it.end and it not in fed)


def _handed_on(brought: set[str], judged: Sequence[Judged]) -> set[str]:
    """The same with the files into which others put what they read from these."""
    for it in judged:
        read = {name_of(place) for place in it.places if place.kind is not Kind.WRITE}
        if not brought.isdisjoint(read):
            brought |= {name_of(place) for place in it.places if place.kind is Kind.WRITE}
    return brought - {""}


def _fetches_itself(command: Command, whole: str) -> bool:
    """Whether code in the words of an interpreter, or in its input, runs what it fetches."""
    texts = [*(it.text for it in command.argv[1:]), *([whole] if command.told_beside else [])]
    return any(_FETCHES.search(it) and _EXECUTES.search(it) for it in texts)


def with_its_code(command: Command, others: Sequence[Judged]) -> Command:
    """The command; where it runs a file that one of the others writes, the text tells its code."""
    names = {name_of(at) for it in others for at in it.places if at.kind is Kind.WRITE}
    run = {*_programs_in(command), *_told_in(command)} if names and command.argv else set[str]()
    written = any(it in run or _MODULE.sub("", it) in run for it in names)
    return evolve(command, written=True) if written else command


def _told_in(command: Command) -> Iterator[str]:
    """The same of those that it may come to run: by its code, by its options, or by itself."""
    words = [it.text for it in command.argv]
    yield from run_by(command.program)
    rest = " ".join(words[1:])
    if is_interpreter(command):
        first = next((it for it in words[1:] if it[:1] != "-"), "")
        if says_code(words) or first in _SUBCOMMANDS:
            yield from _TOKENS.findall(rest)
        for flag, value in pairwise((*words[1:], "")):
            if loading := _LOADING.match(flag):
                yield (loading[1] or value).rpartition("/")[2]
    elif kind_of(command.argv) == RUNNER or run_by(command.program):
        # The letter of an option may stand before the name of a file (`-fx.mk`).
        for it in _TOKENS.findall(rest):
            yield from (it, it[2:] if it[:1] == "-" else it) if "." in it else ()


def _programs_in(command: Command) -> Iterator[str]:
    """The names of the files that a command may run: its own, and those an interpreter may get."""
    words = [it.text for it in command.argv]
    if takes_code(words):
        fed = (it.target.text for it in command.redirects if it.operator in ("<", "<>"))
        yield from (it.rpartition("/")[2] for it in fed)
    if command.program == "java" or _has_language(command.program):
        pairs = pairwise(words)
        yield from (it.rpartition("/")[2] for flag, it in pairs if _OF_SCRIPT.fullmatch(flag))
    yield from (it.rpartition("/")[2] for it in words[:1] if "/" in it or command.carried)
    if not (is_interpreter(command) or command.program in SHELLS or command.name in SOURCES):
        return
    for flag, word in pairwise(words):
        if word[:1] in {"-", "+"}:
            continue
        yield word.rpartition("/")[2]
        # Behind a flag it may be the value of that; the next one is the file then.
        if flag[:1] not in {"-", "+"}:
            return


def _is_run(source: Command, command: Command) -> bool:
    """Whether a program may run what another command fetches: as its input, or out of its words."""
    within = command.depth < source.depth and command.start <= source.start < command.end
    if within and says_unknown(command):
        return True
    piped = command.fed and source.aside == command.aside != 0 and source.start < command.start
    return (piped or within) and takes_code([it.text for it in command.argv])


def _is_script(source: Command, command: Command) -> bool:
    """Whether a program with a language of its own does what another command fetches."""
    name = command.program
    scripted = _SCRIPTS.fullmatch(name) is not None
    if name in WRAPPERS or not _has_language(name):
        return False
    if _is_run(source, command):
        return True
    within = command.depth < source.depth and command.start <= source.start < command.end
    pairs = [*pairwise(command.argv)]
    said = any(_OF_SCRIPT.fullmatch(it.text) and "<(" in word.text for it, word in pairs)
    return within and (said or (scripted and any(_is_lost(word) for _, word in pairs[:1])))


def _has_language(program: str) -> bool:
    """Whether a program does what a text in a language of its own says."""
    return any(it.fullmatch(program) for it in (_SCRIPTS, TYPED, CLIENTS))


def _is_lost(word: Word) -> bool:
    return not word.known and not literal_head(word)


def _is_at_address(command: Command) -> bool:
    """Whether what it runs is named by where it lies on another machine."""
    if command.program in ELSEWHERE:
        # A container is built by what lies there.
        rest = [it.text for it in command.argv[1:]]
        return "build" in rest[:2] and any(map(_ADDRESS.fullmatch, rest))
    if command.program not in _BRINGS:
        return False
    words = (it.text.removeprefix("--from=") for it in command.argv)
    told = ((at, it) for at, it in pairwise(words) if it[:1] != "-" and it not in _SUBCOMMANDS)
    flag, first = next(told, ("", ""))
    # What `uv` is told behind a flag is where packages come from.
    valued = command.program == "uv" and flag[:1] == "-"
    return not valued and _ADDRESS.fullmatch(first) is not None
