"""Code that a call downloads and runs, so that nobody has read it.

`curl … | python3`, `node -e "$(curl …)"`, `wget …/x.py; python3 x.py`, `deno run https://…`: a
shell that is given such a text cannot be read, and an interpreter of another language is no other
thing, nor is a program that does what a script in its own language says (`awk "$(curl …)"`).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from assent.gate.call.verdicts import Ruling
from assent.gate.programs.code_inputs import is_interpreter, says_unknown, takes_code
from assent.gate.programs.command_scopes import RUNNER, kind_of
from assent.gate.programs.deeds import Kind
from assent.gate.programs.nested_execution.interpreters import ELSEWHERE, SCRIPTED
from assent.gate.programs.nested_execution.passed_on import told_to_run
from assent.gate.programs.nested_execution.unwrap import WRAPPERS
from assent.gate.programs.options import literal_head
from assent.gate.programs.study import study
from assent.gate.ruling.downloaded_folders import builds_fetched
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.folders import folders_of
from assent.gate.ruling.refusals import talks
from assent.gate.ruling.ruling_context import RulingContext, asked
from assent.gate.ruling.written_code import OF_SCRIPT, SUBCOMMANDS, has_language, programs_in
from assent.gate.shell.dialects import SHELLS
from assent.gate.shell.script import DECLARES, Command
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late

__all__ = ["fetched_code"]

_FETCHED: Final = asked(
    "What this program runs is fetched, and nobody has read it.",
    "Runs what comes from another machine.",
)
_DECODED: Final = asked("What this program runs was decoded here, and nobody has read it.")
_DECODES: Final = {
    **dict.fromkeys(("base64", "base32", "basenc"), late(r"-\w*[dD]\w*|--d\w*")),
    "xxd": late(r"-\w*r\w*"),
    "openssl": late(r"-d"),
    "gpg": late(r"-\w*d\w*|--decrypt"),
    "jq": late(r".*@base(?:64|32)d\b.*", re.DOTALL),
}
"""What makes of letters that nobody reads a text that a shell does, and by which of its words."""
_FETCHES: Final = late(
    r"urlopen\s*\(|urlretrieve|\bget\s*\(\s*['\"]https?:|(?:requests|httpx|https?)\.get\s*\("
    r"|\bfetch\s*\("
    r"|Net::HTTP|open-uri|URI\.open|LWP::|HTTP::Tiny|file_get_contents\s*\(\s*['\"]https?:"
    r"|include\s*\(?\s*['\"]https?:",
    needs="urlopen urlretrieve get fetch Net::HTTP open-uri URI LWP HTTP::Tiny include",
)
_CURLS: Final = late(r"\b(?:curl|wget)\b['\",\s]", needs="curl wget")
_EXECUTES: Final = late(
    r"(?<![.\w])(?:exec|eval|execfile|runpy\.run_path|Function|system|passthru|shell_exec)\s*\("
    r"|\beval\b|\bexec(?:File)?(?:Sync)?\(|spawn(?:Sync)?\(|pickle\.loads?\(|os\.(?:system|popen|exec)|subprocess|child_process|vm\.run|instance_eval"
    r"|include\s*\(?\s*['\"]https?:"
)
"""How code in the words of an interpreter gets something from elsewhere, and runs it."""
_BRINGS_CODE: Final = late(
    r"(?:\bimport\b|\bsource|\brequire)\s{0,4}\(?\s{0,4}['\"]https?:"
    r"|\binclude\s{0,4}\(\s{0,4}download\("
    r"|\bload(?:string)?\s{0,4}\(\s{0,4}io\.popen\([^)\n]{0,80}\b(?:curl|wget)\b",
    needs="http: https: load",
)
"""How code brings in what lies at an address, and runs it in one go."""
_STARTS: Final = late(r"runs? (?:a|other) program")
"""Why a program is not only what its name says, where it runs another."""
_SOURCE: Final = late(r"\.(?:[ch](?:pp|xx)?|cc|go|rs|py|rb|pl|php|lua|java|kts?|[cm]?[jt]sx?)\Z")
_TASKS: Final = late(r"\.ya?ml\Z")
_BETWEEN: Final = late(r"[\s/='\":,;]+")
_BY_CODE: Final = late(
    r"(?<![\w'\"./\[])(?:exec|eval|system|popen|passthru|shell_exec|qx)\s?[({]"
    r"|(?<![\w'\"./\[])(?:exec|eval|system)\s(?:\$_|STDIN|join|<)|\bos\.(?:system|popen|exec\w{0,3})\("
    r"|\bsubprocess\.\w+\(|\bs?\.?run\(\s?sys\.stdin|(?:exec|spawn)(?:File)?Sync\(|\.exec\(\s?(?:d|data|String)"
    r"|(?:pickle|marshal)\.loads?\(|Marshal\.load|[rR]unIn\w{0,3}This|new\s+Function|%x[({]"
    r"|`[^`]{0,200}(?:\$|&|#\{)[^`]{0,200}`|/dev/stdin|php://stdin|load\(io\.read|\.unsafe_load\("
)
"""How code runs what it reads, beside what only has such a name."""
_AWK: Final = late(r"[mgn]?awk")
_BY_AWK: Final = late(
    r"system\s*+\(\s*+(?:\$|[a-z])|\|&?\s*+\"(?:/bin/)?(?:[bzkd]|da)?sh\b|\$\w+\s*+\|\s*+getline"
)
_COMMANDED: Final = frozenset(("parallel", "m4"))
"""Programs that take commands, or what may hold some, from their input."""
_PLAYING: Final = frozenset(("ansible-playbook", "just"))
"""Programs that run what stands in a file of tasks."""
_RUNNING: Final = frozenset(("uv", "bun", "deno"))
_CONNECTING: Final = frozenset("nc ncat netcat nc.traditional nc.openbsd socat".split())
_UNKNOWN: Final = asked("What this program runs is only known when it runs.")

_ADDRESS: Final = late(
    r"(?:git\+)?(?:https?|ssh|git)://\S+|git@\S+|(?:github|gitlab|bitbucket|gist):\S+"
)
_BRINGS: Final = frozenset(
    "deno bun bunx k6 uv uvx pipx npx npm pnpm yarn jbang scala-cli nix-shell".split()
)
"""Programs that run what lies at an address which is the first that they are told."""
_SCRIPTS: Final = late(SCRIPTED)
_POURS: Final = frozenset(("tee", "sponge"))
_HOLDS: Final = DECLARES | {"read", "mapfile", "readarray", "printf"}
"""The builtins that put what they are given into variables."""
_NAMES: Final = late(r"\b[A-Za-z_]\w*(?==)|(?<=\s)[A-Za-z_]\w*(?=\s|$)")
_VALUES: Final = late(r"\$\{?[!#]?(\w+)")


def fetched_code(
    context: RulingContext, judged: Sequence[CommandFinding], text: str
) -> Iterator[Ruling]:
    """What is asked about programs that run what another command of the text brings, or itself."""
    fetching = [it for it in judged if it.deeds.hosts]
    yield from _run_of(context, judged, text, fetching, _FETCHED)
    decoding = [it for it in judged if _decodes(it.command)]
    if decoding:
        yield from _run_of(context, judged, text, decoding, _DECODED)
    for command in (it.command for it in judged):
        interprets = is_interpreter(command)
        itself = _is_at_address(command) or (interprets and _fetches_itself(command, text))
        if itself or _hands_a_shell(command):
            yield _FETCHED
        elif interprets and says_unknown(command):
            yield _UNKNOWN


def _run_of(
    context: RulingContext,
    judged: Sequence[CommandFinding],
    text: str,
    bringing: Sequence[CommandFinding],
    because: Ruling,
) -> Iterator[Ruling]:
    """What is said of each program that runs what these bring."""
    sources = [it.command for it in bringing]
    brought = _brought(bringing, judged, text) if bringing else set[str]()
    if bringing and builds_fetched(context, judged, brought):
        yield because
    for command in (it.command for it in judged):
        named = {*programs_in(command), *_taken_up(command)} if brought else ()
        runs = not brought.isdisjoint(named)
        if because is _FETCHED:
            runs = runs or _is_only_named(context, command, judged)
        how = _is_run if is_interpreter(command) else _is_script
        ways = (how, _runs_lines, _is_told)
        if runs or any(way(source, command) for source in sources for way in ways):
            yield because


def _decodes(command: Command) -> bool:
    """Whether it makes of letters that nobody reads what they stand for."""
    told = _DECODES.get(command.program)
    return told is not None and any(told.fullmatch(word.text) for word in command.argv[1:])


def _taken_up(command: Command) -> set[str]:
    """The names of the files that a program is told to build, or to run the tests or tasks of."""
    form = _SOURCE if command.argv and kind_of(command.argv) == RUNNER else None
    form = _TASKS if command.program == "ansible-playbook" else form
    words = [word.text.rpartition("/")[2] for word in command.argv[1:]] if form else []
    return {word for word in words if form is not None and form.search(word)}


def _is_only_named(
    context: RulingContext, command: Command, judged: Sequence[CommandFinding]
) -> bool:
    """Whether an interpreter runs a file that lies nowhere yet, and that one before it may fetch.

    What that is called stands among the words of what speaks with another machine.
    """
    runs = len(judged) > 1 and (command.program in SHELLS or is_interpreter(command))
    file = (
        next((word.text for word in command.argv[1:] if word.text[:1] != "-"), "") if runs else ""
    )
    name = file.rpartition("/")[2]
    before = [it for it in judged if name and it.start < command.start]
    speak = [it.command for it in before if it.deeds.hosts or talks(it.command)]
    near = (it for it in speak if it.depth == command.depth and it.program not in ELSEWHERE)
    if not any(name in _names_in(command) for command in near):
        return False
    found = folders_of(context, command, (), whole=False)
    folders = [target.resolved for target in found if target is not None] or [context.call.cwd]
    return all(context.facts.names(file, folder) == () for folder in folders)


def _names_in(command: Command) -> set[str]:
    return {it for word in command.argv[1:] for it in _BETWEEN.split(word.text)}


def _hands_a_shell(command: Command) -> bool:
    """Whether whoever is at the other end of a connection is given a program to talk to."""
    if command.program not in _CONNECTING:
        return False
    return any(map(_STARTS.search, study(command).escapes))


def _brought(
    bringing: Sequence[CommandFinding], judged: Sequence[CommandFinding], text: str
) -> set[str]:
    """The names of the files that what is fetched comes to lie in."""
    kept = {it for one in bringing for it in _kept_by(one, judged)}
    return _handed_on(kept | {*_poured(bringing, judged, text)}, judged)


def _kept_by(command_finding: CommandFinding, judged: Sequence[CommandFinding]) -> Iterator[str]:
    """The names of the files into which it puts what it fetches, or another that reads from it."""
    for it in judged:
        # What is redirected as a whole stands around it, and has no words of its own.
        around = not it.command.argv and it.start > command_finding.start
        beside = it.command.aside == command_finding.command.aside != 0
        for place in it.places if it is command_finding or around or beside else ():
            if place.kind is Kind.WRITE and place.target is not None:
                yield place.name


def _poured(
    bringing: Sequence[CommandFinding], judged: Sequence[CommandFinding], text: str
) -> Iterator[str]:
    """The names of the files that are written out of words with what is fetched in them."""
    around = [it for one in bringing for it in _around(one, judged)]
    held = {
        name
        for it in around
        if not it.command.argv or it.command.name in _HOLDS
        for name in _NAMES.findall(text[it.start : it.end])
    }
    for it in judged:
        words = text[it.start : it.end]
        if it in around or not held.isdisjoint(_VALUES.findall(words)):
            pours = it.command.program in _POURS
            written = (at for at in it.places if at.kind is Kind.WRITE)
            yield from (at.name for at in written if at.redirect or pours)


def _around(inner: CommandFinding, judged: Sequence[CommandFinding]) -> Iterator[CommandFinding]:
    """The commands that have another in their words, or in the text that they are given."""
    depth = inner.command.depth
    before = [it for it in judged if it.command.depth < depth and it.start <= inner.start]
    fed = [it for it in before[-1:] if it.command.fed]
    yield from fed
    yield from (it for it in before if inner.start < it.end and it not in fed)


def _handed_on(brought: set[str], judged: Sequence[CommandFinding]) -> set[str]:
    """The same with the files into which others put what they read from these."""
    for it in judged:
        read = {place.name for place in it.places if place.kind is not Kind.WRITE}
        if not brought.isdisjoint(read):
            brought |= {place.name for place in it.places if place.kind is Kind.WRITE}
    return brought - {""}


def _fetches_itself(command: Command, whole: str) -> bool:
    """Whether code in the words of an interpreter, or in its input, runs what it fetches."""
    words, told = " ".join(word.text for word in command.argv[1:]), command.told_by(whole)
    # Around what it is fed stands what fetches that.
    if _BRINGS_CODE.search(words) or (told and _BRINGS_CODE.search(told)):
        return True
    calls = _CURLS.search(words) or _FETCHES.search(words)
    if calls and _EXECUTES.search(words):
        return True
    return bool(told and _FETCHES.search(told) and _EXECUTES.search(told))


def _is_run(source: Command, command: Command) -> bool:
    """Whether a program may run what another command fetches: as its input, or out of its words."""
    within = command.depth < source.depth and command.start <= source.start < command.end
    if within and says_unknown(command):
        return True
    return (_is_piped(source, command) or within) and takes_code(
        [word.text for word in command.argv]
    )


def _is_piped(source: Command, command: Command) -> bool:
    return command.fed and source.aside == command.aside != 0 and source.start < command.start


def _runs_lines(source: Command, command: Command) -> bool:
    """Whether a program with code in its words runs some of what it is fed, as that code says."""
    if not _is_piped(source, command):
        return False
    words = [word.text for word in command.argv[1:]]
    told = [word for word in words if word == "-" or word[:1] != "-"]
    if command.program in _COMMANDED:
        return not command.wraps
    if command.program in _PLAYING:
        return "/dev/stdin" in words or "-" in words
    if command.program in _RUNNING:
        return told[:2] == ["run", "-"]
    if "-" in words and any(word[:2] == "-x" for word in words):
        # A compiler is told the language of what has no name.
        return "-E" not in words
    if command.program in ELSEWHERE:
        return takes_code([word.text for word in command.argv])
    if command.program == "sed":
        return any(map(_STARTS.search, study(command).escapes))
    form = _BY_AWK if _AWK.fullmatch(command.program) else _BY_CODE
    codes = form is _BY_AWK or is_interpreter(command)
    return codes and any(map(form.search, words))


def _is_told(source: Command, command: Command) -> bool:
    """Whether a program is told by a flag to run what another command fetches, or to play it."""
    within = command.depth < source.depth and command.start <= source.start < command.end
    if not (within and command.argv):
        return False
    told = [*filter(None, told_to_run(command.argv))]
    unknown = [word for word in command.argv[1:] if not word.known]
    plays = any("<(" in word.text or _is_lost(word) for word in unknown)
    if plays and command.program in _PLAYING:
        return True
    return any(text in word.text for word in unknown for text in told)


def _is_script(source: Command, command: Command) -> bool:
    """Whether a program with a language of its own does what another command fetches."""
    name = command.program
    scripted = _SCRIPTS.fullmatch(name) is not None
    if name in WRAPPERS or not has_language(name):
        return False
    if _is_run(source, command):
        return True
    within = command.depth < source.depth and command.start <= source.start < command.end
    pairs = [*pairwise(command.argv)]
    said = any(OF_SCRIPT.fullmatch(it.text) and "<(" in word.text for it, word in pairs)
    return within and (said or (scripted and any(_is_lost(word) for _, word in pairs[:1])))


def _is_lost(word: Word) -> bool:
    return not word.known and not literal_head(word)


def _is_at_address(command: Command) -> bool:
    """Whether what it runs is named by where it lies on another machine."""
    if command.program in ELSEWHERE:
        # A container is built by what lies there.
        rest = [word.text for word in command.argv[1:]]
        return "build" in rest[:2] and any(map(_ADDRESS.fullmatch, rest))
    if command.program not in _BRINGS:
        return False
    words = (word.text.removeprefix("--from=") for word in command.argv)
    told = ((at, it) for at, it in pairwise(words) if it[:1] != "-" and it not in SUBCOMMANDS)
    flag, first = next(told, ("", ""))
    # What `uv` is told behind a flag is where packages come from.
    valued = command.program == "uv" and flag[:1] == "-" and flag != "--script"
    return not valued and _ADDRESS.fullmatch(first) is not None
