"""The report files that a program writes, and the flags that name them.

A rule that lets tests run lets them write their report, time and again to the same file. Where the
name is that of something else, the report would take the place of what somebody wrote.
"""

from collections.abc import Sequence
from posixpath import basename, normpath, splitext
from typing import Final

from assent.gate.programs.deeds import NOWHERE
from assent.gate.programs.flag_lexicon import parts_of
from assent.gate.text.lazy_patterns import late

__all__ = ["by_hand_in", "is_made", "is_report", "may_write", "writes_report"]

_FLAG: Final = late(
    r"(?:.*-)?(?:output-?file|junit-?(?:xml|file|path|output)|xunit-?(?:file|output)|log-?file"
    r"|(?:report|reports|coverage|results?)-?(?:dir|directory|file|log|path|json)|(?:log|output)-junit"
    r"|coverage-(?:html|clover|xml|text|php|cobertura|crap4j)|testdox-(?:html|text|xml)"
    r"|(?:html|xml|json|csv|txt|any|xslt|linecount)-report|summary-export"
    r"|reporter-(?:outfile|destination|options?)|reporter-\w+-export"
    r"|(?:generate-)?(?:cover|cpu|mem|block|mutex)-?profile|benchmark-json|metafile)"
    r"(?:-(?:junit|json|html|xml|tap|text|lcov|sarif))?"
)
"""The names of such flags, whichever program has them."""
_PERHAPS: Final = late(
    r"(?:.*-)?(?:log|trace|profile|diag|history|stats|timing|graph|redirect-warnings|cache-location"
    r"|suppressions-location|reporter-file|output-\w+-path|test-?logfile|vstats_?file|logger-file"
    r"|status-file|keylog-?file)"
)
"""Those that only mean a file where their value looks like one: `--profile` is also a name."""
_OUT: Final = frozenset("out o output outputs emit dest destination".split())
"""Words of names that nothing is known of by which a flag says that it writes."""
_MADE_BY: Final = frozenset(
    """build sarif profile profiling metrics stats timing timings trace coverage result results
    report reports log logs junit graph record dump info duration durations""".split()
)
"""What a file or a place is of that such a flag writes to (`--cpu-profile-path`)."""
_PLACES: Final = frozenset("file path location format".split())
_READ: Final = frozenset(
    """base config exclude from ignore import in include input inputs like match pattern require
    schema source src stdin test tests types values var with""".split()
)
"""Words by which the name of such a flag says that a file is read or chosen."""
_FORMED: Final = frozenset("json html xml csv sarif junit".split())
"""Forms that a flag may be called after: without a value in the same word it only chooses one."""
_LIKE_FILE: Final = late(r"[\w@.~-]*/[\w@./~-]+|[\w@-]+\.[a-z]\w*")
_PROJECT: Final = (
    r"(?:readme|licen[cs]e|changelog|contributing|security)(?:\.\w+)?|codeowners|.*makefile"
    r"|dockerfile.*|justfile|package(?:-lock)?\.json|.*\.lock|go\.(?:mod|sum)|cargo\.toml"
    r"|pyproject\.toml|setup\.(?:py|cfg)|tsconfig.*\.json|(?:docker-)?compose.*\.ya?ml|pom\.xml"
    r"|main\.(?:go|rs|py|tf|[ch]|cpp|java)"
)
"""What files are called that a project has one of, and that nothing makes time and again."""
_OF_PROJECT: Final = late(rf"(?i){_PROJECT}")
_BY_HAND: Final = late(
    rf"(?i){_PROJECT}|[^/]+\.(?:mdx?|rst|[cm]?[jt]sx?|py|go|rs|toml|ya?ml|[ch]|cpp|cc|cs|java|kt|rb|php"
    r"|swift|sh|s?css|vue|svelte|cfg|ini|tf|hcl|sql|proto|ipynb)"
)
"""What files are called that people write."""
_UNENDING: Final = ("file", "license", "readme", "codeowners")
"""How those end that have no ending."""
_PARTS: Final = late(r"[;,]")
_SETTING: Final = late(r"([\w.-]+)([=:])(.*)")
"""A value may name a form before the file, or be a row of settings."""
_WHERE: Final = late(
    r"(?i)dist|build|out|output|target|te?mp|logs?|artifacts?|_?site|\.cache|\.nyc_output|junit"
    r"|htmlcov|(?:[a-z\d]+[-_])*(?:reports?|results?|coverage|profiles|traces|plans)|testresults"
)
"""Folders in which everything is made anew all the time."""
_OWN: Final = frozenset(
    "out log prof pprof trace lcov info tap trx cov coverprofile sarif test plan tfplan".split()
)
"""The endings of forms in which nobody writes anything by hand."""
_KINDS: Final = frozenset("unit e2e integration html xml".split())
"""What the reports of a kind are kept apart by, in such a folder."""
_TEXTS: Final = frozenset("xml html htm json jsonl txt csv tsv svg db gz zip".split())
"""Those of forms in which a report may be, and much else."""
_TOLD: Final = late(
    r"(?i)\.?[\w.-]*?(?:report|result|junit|xunit|coverage|lcov|clover|cobertura|profile|trace"
    r"|plan|bench|summary|timing|output|stats|metrics|cache|htmlcov|durations|perf|flame(?:graph)?"
    r"|(?<![a-z])(?:cov|cover|out|logs?|cpu|mem|heap|lint|audit|scan|s?bom))(?:[\W_\d][\w.-]*|s)?"
)
"""What the names of reports have in them."""
_OF_TESTS: Final = late(
    r"(?i)(?:[\w.-]*[\W_\d])?(?:[a-z]*tests?|unit|spec|e2e|integration|ci)(?:[\W_\d][\w.-]*)?"
    r"\.(?:xml|html?|txt|csv)"
)
_OF_TOOL: Final = late(
    r"(?:jest|vitest|mocha|cypress|playwright|eslint|stylelint|tslint|oxlint|flake8|pylint|ruff"
    r"|mypy|bandit|semgrep|trivy|checkov|pytest|rspec|rubocop|phpunit|phpstan|psalm|phpcs"
    r"|golangci-lint|shellcheck|hadolint)\.(?:json|xml|txt|html)|\.coverage\.\w+|perf\.data"
)
"""Named after the tool, where no tool reads its settings from a file of that name."""
_NEVER: Final = late(
    r"(?i)\.env.*|build\.xml|package.*\.json|(?:.*[\W_])?requirements.*|.*(?:config|settings).*"
    r"|log(?:4j|back).*"
)
"""Names that sound like reports, and are those of files which somebody writes."""
_MAX_NAME_LETTERS: Final = 255
"""No file has a longer name."""
_NO_FILE: Final = late(r"(?i)true|false|on|off|\d*")
_FORMS: Final = frozenset(
    "term term-missing annotate html xml json lcov trx skip-covered skip-empty console stdout"
    " stderr".split()
)
_MADE: Final = late(
    r"index\.html|(?!\w*file$|gradlew|mvnw|configure|deploy|artisan|tests?$)[a-z][\w-]*"
)
"""What a plan, a program of tests or a page of results is called at the top of a folder."""
_ABROAD: Final = ("/", "~", "$", "..")
"""What leads to the folder may pass some of any name before."""


def writes_report(flag: str, value: str = "") -> bool:
    """Whether a flag of this name, with this value, says where a report is written.

    >>> [writes_report(it) for it in ("--outputFile", "-test.coverprofile", "--outfile", "--fix")]
    [True, True, False, False]
    >>> [writes_report("--profile", it) for it in ("release", "src/a.py")]
    [False, True]
    """
    name = "-".join(parts_of(flag))
    if _FLAG.fullmatch(name) is not None:
        return True
    return _LIKE_FILE.fullmatch(value) is not None and _PERHAPS.fullmatch(name) is not None


def by_hand_in(value: str) -> list[str]:
    """The files in the value of a flag that people write, and that are no reports.

    >>> by_hand_in("link=README.md"), by_hand_in("link=a.o"), by_hand_in("dist/a.js")
    (['README.md'], [], [])
    """
    # Most values name no file.
    if "." not in value and not value.casefold().endswith(_UNENDING):
        return []
    parts = _PARTS.split(value)
    paths = (match[3] if (match := _SETTING.fullmatch(part)) else part for part in parts)
    return [path for path in paths if _is_by_hand(path) and not is_report(path)]


def may_write(flag: str, paths: Sequence[str], *, glued: bool, made: bool = False) -> bool:
    """Whether a flag that nothing is known of may write over files that people write.

    What stands in a word of its own may be no value of the flag. What is `made` by a program whose
    trade it is takes the place of what it made before.

    >>> may_write("--emit", ["README.md"], glued=True), may_write("--x", ["a.py"], glued=True)
    (True, False)
    >>> may_write("--json", ["a.py"], glued=True), may_write("--json", ["a.py"], glued=False)
    (True, False)
    >>> [may_write("--out", [it], glued=True, made=True) for it in ("src/api.ts", "package.json")]
    [False, True]
    """
    if not _is_output(parts_of(flag), glued=glued):
        return False
    return any(_OF_PROJECT.fullmatch(basename(path)) for path in paths) if made else bool(paths)


def _is_output(parts: Sequence[str], *, glued: bool) -> bool:
    last = parts[-1] if parts else ""
    if last in _OUT:
        return True
    if not _READ.isdisjoint(parts):
        return False
    named = not _OUT.isdisjoint(parts) or (last in _PLACES and not _MADE_BY.isdisjoint(parts))
    return named or (glued and last in _FORMED | _MADE_BY)


def is_report(value: str) -> bool:
    """Whether the value of such a flag names nothing but a report.

    >>> [is_report(it) for it in ("junit.xml", "html:build/cov", "trx;LogFileName=a.trx")]
    [True, True, True]
    >>> [is_report(it) for it in ("package.json", "html:src", "out/app.py", "output=Makefile")]
    [False, False, False, False]
    >>> [is_report(it) for it in ("/x/shop/out/a.xml", "../build/shop/a.xml", "out/../a.xml")]
    [True, False, False]
    """
    return all(map(_is_told, _PARTS.split(value)))


def is_made(value: str) -> bool:
    """Whether the value of a flag that names one file, and no folder, names nothing but that.

    >>> [is_made(it) for it in ("p", "index.html", "main.tf", "Makefile", "bin/deploy")]
    [True, True, False, False, False]
    """
    return _MADE.fullmatch(value) is not None or is_report(value)


def _is_by_hand(value: str) -> bool:
    """Whether a file is called as those are that people write.

    >>> _is_by_hand("cmd/main.go"), _is_by_hand("bin/app")
    (True, False)
    """
    *folders, name = value.split("/")
    made = any(map(_WHERE.fullmatch, folders))
    return not made and _BY_HAND.fullmatch(name) is not None


def _is_told(part: str) -> bool:
    setting = _SETTING.fullmatch(part)
    path = (setting[3] if setting else part).strip("\"'")
    # What stands behind the name of a setting may be no file at all.
    tame = path in _FORMS | NOWHERE or (setting and setting[2] == "=" and _NO_FILE.fullmatch(path))
    return bool(tame) or not path or _is_file(normpath(path))


def _is_file(path: str) -> bool:
    *folders, name = path.split("/")
    if (
        len(name) > _MAX_NAME_LETTERS
        or ".git" in path.casefold().split("/")
        or _NEVER.fullmatch(name)
    ):
        return False
    if _OF_TESTS.fullmatch(name) or _OF_TOOL.fullmatch(name):
        return True
    stem, end = splitext(name)
    told = _TOLD.fullmatch(stem) is not None
    near = folders[-1:] if path.startswith(_ABROAD) else folders
    made = any(map(_WHERE.fullmatch, near))
    match end[1:].casefold():
        case "":
            kept = name in _KINDS or ".cache" in folders
            return told or bool(_WHERE.fullmatch(name)) or (made and kept)
        case "md":
            return told
        case form if form in _TEXTS:
            return told or made
        case form:
            return form in _OWN
