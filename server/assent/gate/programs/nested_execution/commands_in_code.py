"""Commands that code starts in a program's words: `python3 -c "os.system('ls')"`.

Only what stands there as a text, or as a list of texts, is read: so what runs is known as well as
behind `sh -c`. What code computes is not told here, and is looked for in its words.
"""

import re
import shlex
from collections.abc import Iterator
from typing import Final

from assent.gate.programs.code_inputs import takes_code
from assent.gate.programs.nested_execution.interpreters import INTERPRETERS, TYPED
from assent.gate.programs.nested_execution.wrappers import NOWHERE
from assent.gate.shell.port import Inside
from assent.gate.shell.script import bare_name
from assent.gate.shell.word import Word
from assent.gate.text.decoded_names import with_own_names
from assent.gate.text.lazy_patterns import late

__all__ = ["commands_in_code"]

_TO_SHELL: Final = late(
    r"(?<![\w$-])(?:(?:subprocess|child_process[\"']?\)?|sp|cp)\.(?:run|call|exec)"
    r"|(?:\w{1,16}(?:\.|::))?(?:system|popen|posix_spawnp?|spawn(?:[lv]p?e?|Sync)?|exec[lv]p?e?"
    r"|getoutput|getstatusoutput|check_output|check_call|Popen|exec(?:File)?Sync|execFile"
    r"|create_subprocess_(?:exec|shell)|passthru|shell_exec|proc_open)"
    r"|os\.execute|io\.popen|Deno\.Command|Bun\.spawn(?:Sync)?|Open3\.\w{1,12})"
    r"(?:\s{0,4}\(|[ ](?=[\"']))\s{0,4}(?:args\s?=\s?|os\.P_\w{1,12},\s?)?",
    needs="run call shell exec system open spawn output passthru Deno Open3",
)
"""How code begins to start something, up to the first text that it gives to that."""
_SIGNS: Final = late(
    r"(?:%x|qx)\s?(?:\{([^{}\n]{1,400}+)\}|\(([^()\n]{1,400}+)\)|\[([^\[\]\n]{1,400}+)\])"
    r"|(?<![\w$`])`([^`\n]{1,400}+)`"
    r"|\bopen\b[^\n\"']{1,40}[\"'](?:\+?>)?\|\s?([^\"'\n-][^\"'\n]{0,400}+)[\"']"
    r"|\bopen\b[^\n\"']{1,40}[\"']([^\"'\n|]{1,400}+)\|[\"']"
)
"""The same where a sign says it."""
_EXEC: Final = late(
    r"(?<![\w$.>-])exec\s{0,4}\(?\s{0,4}(?:\"([^\"\\\n]{1,400}+)\"|'([^'\\\n]{1,400}+)')"
)
"""A name that Python and patterns have for something else."""
_OF: Final = (
    (late(r"(?:perl|ruby|irb|php)[\d.]*"), _SIGNS),
    (late(r"(?:perl|ruby|irb|php|node|nodejs|bun|deno|tsx|ts-node)[\d.]*"), _EXEC),
    (
        late(r"r?vi|[gr]?vim|nvim|r?view|g?vimdiff|ex"),
        late(
            r"(?:\A|\n)\+?:?[%\d,.$' ]{0,12}(?:(?:r|re|rea|read)\s?|(?:w|wr|wri|write)\s)?!"
            r"\s*([^\n]+)"
        ),
    ),
    (
        late(r"sqlite3?|duckdb"),
        late(r"(?:\A|\n)\s{0,8}\.(?:(?:shell|system)\s+([^\n]+)|\w+[ \t\"']+\|([^\n\"']+))"),
    ),
    (late(r"psql|pgcli|mysql|mariadb"), late(r"\\!\s*([^\n]+)")),
    (
        late(r"gdb"),
        late(r"(?:\A|\n)\s{0,8}(?:(?:shell\s|!)([^\n]+)|(?:pipe|\|)\s[^|\n]*\|\s*([^\n]+))"),
    ),
    (late(r"lldb"), late(r"(?:\A|\n)\s{0,8}(?:platform\s+)?shell\s+([^\n]+)")),
    (
        late(r"[gmn]?make"),
        late(r"\$\(shell\s([^()\n]{1,400}+)\)|(?:\A[\w .-]+:[^\n;=]*;|\n\t)[@+-]*([^\n]+)"),
    ),
)
"""How the languages of some programs mark what a shell is to run."""
_AWK: Final = late(r"[gmn]?awk")
_TOKENS: Final = late(r"\"((?:[^\"\\\n]|\\.)*+)\"|(\|\|)|(\|&?)|(getline\b)|\s++|.", re.DOTALL)
"""A script of awk in its parts: texts, what is no pipe, pipes, what reads from one, all else."""
_TEXT: Final = late(r"[\s,]{0,8}(\[?)\s{0,8}[rbu]?([\"'`])((?:(?!\2)[^\\\n]|\\.){0,400}+)\2")
_ENDS: Final = late(r"\s{0,8},?\s{0,8}(?:[\]);\n]|\Z|(?<=,)\s{0,8}(?:\w{1,20}\s?=|\{))")
"""What stands behind the last text: an end, or what is given by a name."""
_NEXT: Final = late(r"\s{0,8},")
_ODD: Final = late(r"\\[^nt\"'`\\$/]|[$#]\{")
"""What a text has that is no text of itself."""
_ESCAPED: Final = late(r"\\([\"'`\\$/])")
_GOES: Final = late(r"\bchdir\b|\bcwd\b|\.l?cd\b|\bcd\s", needs="chdir cwd cd")
"""How code goes to another folder, or starts something there."""
_MAX_CODE_LETTERS: Final = 20_000
_MAX_COMMANDS: Final = 16


def commands_in_code(argv: tuple[Word, ...], fed: str = "") -> Inside | None:
    """What code starts in the words of a program, or in the text that it is fed, if any is known.

    >>> from assent.gate.programs.read_lines import words_of
    >>> code = "import subprocess as s; s.run(['git', 'push'])"
    >>> commands_in_code(words_of(f'python3 -c "{code}"')).texts
    ('git push',)
    >>> commands_in_code(words_of("gdb -ex 'shell ls -l'")).texts
    ('ls -l',)
    >>> commands_in_code(words_of("ls -l")) is None
    True
    >>> commands_in_code(words_of("perl"), "system 'ls -l';").texts
    ('ls -l',)
    """
    name = bare_name(argv[0].text)
    marks = [form for names, form in _OF if names.fullmatch(name)]
    calls = any(it.fullmatch(name) for it in (INTERPRETERS, TYPED, _AWK))
    if not (marks or calls):
        return None
    codes = [word.text for word in argv[1:] if word.known]
    codes += [fed] if fed and takes_code([word.text for word in argv]) else []
    codes = [code[:_MAX_CODE_LETTERS] for code in codes]
    told = (match for form in marks for code in codes for match in form.finditer(code))
    found = [next(filter(None, match.groups()), "") for match in told]
    found += [text for code in codes for text in _called(code)] if calls else []
    found += [text for code in codes for text in _piped(code)] if _AWK.fullmatch(name) else []
    texts = tuple(dict.fromkeys(it.strip() for it in found if it.strip()))[:_MAX_COMMANDS]
    goes = any(map(_GOES.search, codes))
    folder = NOWHERE if goes else None
    return Inside(texts=texts, folder=folder, perhaps=True) if texts else None


def _piped(code: str) -> Iterator[str]:
    """What a script of awk writes to by a pipe, or reads from by one."""
    parts = [match for match in _TOKENS.finditer(code) if not match[0].isspace()]
    for at, pipe in enumerate(parts):
        before, after = parts[at - 1] if at else pipe, parts[at + 1 : at + 2]
        if pipe[3] and after and (after[0][1] or (after[0][4] and before[1])):
            yield _ESCAPED.sub(r"\1", after[0][1] or before[1])


def _called(code: str) -> Iterator[str]:
    """What calls in code are given to start."""
    code = with_own_names(code)
    for call in _TO_SHELL.finditer(code):
        texts = _told(code, call.end())
        # Some are told the program, and then its name again.
        texts = texts[1:] if texts[:1] == texts[1:2] else texts
        if texts:
            yield texts[0] if len(texts) == 1 else shlex.join(texts)


def _told(code: str, at: int) -> list[str]:
    """The texts that stand there side by side; none where one of them is computed."""
    texts: list[str] = []
    while match := _TEXT.match(code, at):
        if _ODD.search(match[3]):
            return []
        text = match[3].replace("\\n", "\n").replace("\\t", "\t")
        texts.append(_ESCAPED.sub(r"\1", text))
        at = match.end()
        if " " in texts[0] and _NEXT.match(code, at):
            # What is a line for a shell has its words in itself.
            return texts
    return texts if _ENDS.match(code, at) else []
