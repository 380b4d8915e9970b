"""Files in which a program tells what came of its work, and the flags that say where these lie.

A rule that lets tests run lets them write their report, time and again to the same file. Where the
name is that of something else, the report would take the place of what somebody wrote.
"""

from collections.abc import Sequence
from posixpath import basename, normpath, splitext
from typing import Final

from assent.programs.deeds import NOWHERE
from assent.programs.lexicon import parts_of
from assent.text.patterns import late

__all__ = ["by_hand_in", "is_by_hand", "is_made", "is_report", "may_write", "writes_report"]

_FLAG: Final = late(
    r"(?:.*-)?(?:output-?file|cache-?dir(?:ectory)?|junit-?(?:xml|file|path|output)|xunit-?(?:file|output)|log-?file"
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
_ENDS: Final = frozenset(
    """file path location output out o save record dump dest destination cache format formats json
    html xml pdf csv sarif""".split()
)
"""The last words of names that nothing is known of, and whose flags may write to their value."""
_READ: Final = frozenset(
    """allow base baseline config constraint contract data entry env exclude filter
    fixture from grep ignore import imports in include input inputs like lint main manifest map
    match mock module modules mount pattern project query ref related reporter reporters require
    requirement requirements root rule rules run schema scope script secret seed setup since skip
    source sources spec specs src story suite target targets template templates test tests tsconfig
    types value values var vars watch with workspace""".split()
)
"""Words by which the name of such a flag says that a file is read or chosen."""
_LIKE_FILE: Final = late(r"[\w@.~-]*/[\w@./~-]+|[\w@-]+\.[a-z]\w*")
_BY_HAND: Final = late(
    r"(?:[\w@.~-]*/)*(?:[\w.@-]+\.(?:md|mdx|rst|jsonc?|[cm]?[jt]sx?|py|go|rs|toml|ya?ml|lock|mod|sum"
    r"|[ch]|cpp|java|kt|rb|php|swift|sh|s?css|html|vue|cfg|ini|tf|hcl|sql|proto)"
    r"|Makefile|Dockerfile|Justfile|LICENSE|README|CODEOWNERS)"
)
"""What the files are called that people write."""
_UNENDING: Final = ("file", "LICENSE", "README", "CODEOWNERS")
"""How those end that have no ending."""
_OF_PROJECT: Final = late(
    r"(?i)readme.*|licen[cs]e.*|changelog.*|contributing.*|codeowners|security\.md|makefile"
    r"|dockerfile|justfile|package\.json|package-lock\.json|.*\.lock|go\.(?:mod|sum)|cargo\.toml"
    r"|pyproject\.toml|setup\.(?:py|cfg)|tsconfig.*\.json|(?:docker-)?compose.*\.ya?ml|pom\.xml"
    r"|main\.(?:go|rs|py|tf|[ch]|cpp|java)"
)
"""Those that a project has one of, and that nothing makes which is run again and again."""
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
    r"|(?<![a-z])(?:cov|cover|out|logs?|cpu|mem|heap|lint|audit|scan))(?:[\W_\d][\w.-]*|s)?"
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
_LONGEST: Final = 255
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

    >>> by_hand_in("link=README.md"), by_hand_in("link=a.o"), by_hand_in("report.json")
    (['README.md'], [], [])
    """
    # Most values name no file.
    if "." not in value and not value.endswith(_UNENDING):
        return []
    paths = (_SETTING.sub(r"\3", it) for it in _PARTS.split(value))
    return [it for it in paths if is_by_hand(it) and not is_report(it)]


def may_write(flag: str, paths: Sequence[str], *, glued: bool, made: bool = False) -> bool:
    """Whether a flag that nothing is known of may write over files that people write.

    What stands in a word of its own may be no value of the flag. What is `made` by a program whose
    trade it is takes the place of what it made before.

    >>> may_write("--emit", ["README.md"], glued=True), may_write("--x", ["a.py"], glued=False)
    (True, False)
    >>> may_write("--schema", ["a.json"], glued=True)
    False
    >>> [may_write("--out", [it], glued=True, made=True) for it in ("src/api.ts", "package.json")]
    [False, True]
    """
    parts = parts_of(flag)
    if not _READ.isdisjoint(parts) or not (glued or _ENDS & {*parts[-1:]}):
        return False
    return any(_OF_PROJECT.fullmatch(basename(it)) for it in paths) if made else bool(paths)


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


def is_by_hand(value: str) -> bool:
    """Whether a file is called as those are that people write.

    >>> is_by_hand("cmd/main.go"), is_by_hand("bin/app")
    (True, False)
    """
    return _BY_HAND.fullmatch(value) is not None


def _is_told(part: str) -> bool:
    setting = _SETTING.fullmatch(part)
    path = (setting[3] if setting else part).strip("\"'")
    # What stands behind the name of a setting may be no file at all.
    tame = path in _FORMS | NOWHERE or (setting and setting[2] == "=" and _NO_FILE.fullmatch(path))
    return bool(tame) or not path or _is_file(normpath(path))


def _is_file(path: str) -> bool:
    *folders, name = path.split("/")
    if len(name) > _LONGEST or ".git" in path.casefold().split("/") or _NEVER.fullmatch(name):
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
