"""Words of which not everything is known, and what holds of all words."""

from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from assent.gate.programs.deeds import Kind
from assent.gate.programs.study import study
from assent.gate.programs.tables import by_name, git_by_name
from assent.gate.programs.tables.reading_commands import ORDERS
from assent.gate.shell.anchored_paths import InFolder, InHome, InTop
from assent.gate.shell.script import Command, Way
from assent.gate.shell.word import Below, Exact, OneOf, Pattern, Unknown, Word, one_of, word_of
from assent.gate.shell.word_sets import LISTED, STRICT, Branch, Day, Hash, Number, Ref
from gate.programs.effects import ESCAPING
from gate.programs.examples import READING
from gate.programs.words import command, of
from tables import each_row

UNKNOWN = Unknown(text='"$x"')
SPLIT = Unknown(text="$x", several=True)


@each_row("program", ["sort", "rg", "sed -n 1p", "find", "tree", "git log"])
@each_row("word", [UNKNOWN, SPLIT, LISTED], ids=["one", "split", "listed"])
def test_a_word_that_may_be_a_harmful_flag_is_no_reading(program: str, word: Word) -> None:
    assert not study(of(*program.split(), word)).reading


@each_row("program", ["sort", "rg x", "sed -n 1p", "tree", "git log"])
@each_row("word", [UNKNOWN, LISTED], ids=["one", "listed"])
def test_after_two_dashes_no_word_is_a_flag(program: str, word: Word) -> None:
    assert study(of(*program.split(), "--", word)).reading


@each_row("program", ["sort", "rg x", "sed -n 1p", "find", "tree", "git log"])
def test_a_listed_name_that_begins_with_its_folder_is_no_flag(program: str) -> None:
    assert study(of(*program.split(), STRICT)).reading


@each_row("program", ["cat", "head -5", "wc -l", "grep x", "stat", "diff a", "ls"])
@each_row("word", [UNKNOWN, SPLIT, LISTED], ids=["one", "split", "listed"])
def test_a_tool_without_harmful_flags_reads_whatever_it_is_given(program: str, word: Word) -> None:
    deeds = study(of(*program.split(), word))
    assert deeds.reading
    assert any(touch.word == word for touch in deeds.touches)


@each_row("program", ["echo", "test -n", "[", "true", "basename", "sleep", "seq"])
@each_row("word", [UNKNOWN, SPLIT], ids=["one", "split"])
def test_words_that_are_only_text_may_be_anything(program: str, word: Word) -> None:
    assert study(of(*program.split(), word)).reading


def test_an_unknown_value_of_a_flag_is_its_value() -> None:
    assert study(of("git", "log", "-n", UNKNOWN)).reading
    assert study(of("git", "log", Unknown(text='--since="$x"'))).reading
    assert study(of("sort", "-k", UNKNOWN, "f")).reading
    assert not study(of("git", "log", "-n", SPLIT)).reading
    assert not study(of("sort", Unknown(text='-"$x"'))).reading
    assert not study(of("git", "log", Unknown(text='--"$x"'))).reading


def test_an_unknown_path_of_a_harmful_flag_is_still_told() -> None:
    deeds = study(of("sort", Unknown(text='--output="$x"')))
    assert deeds.escapes == ("--output writes a file",)
    assert [touch.kind for touch in deeds.touches] == [Kind.WRITE]
    assert not deeds.touches[0].word.known


def test_a_flag_that_is_not_wholly_known_goes_as_far_as_any() -> None:
    for name, text in (("git log", "--$x"), ("sort", "-$x"), ("find", "-d…"), ("rg", "--p$x")):
        deeds = study(of(*name.split(), Unknown(text=text)))
        assert "may become" in " ".join(deeds.escapes)
    assert not study(of("grep", "-$x")).escapes


def test_of_names_that_may_be_several_the_second_is_written() -> None:
    deeds = study(of("uniq", SPLIT))
    assert [touch.kind for touch in deeds.touches] == [Kind.READ, Kind.WRITE]
    assert study(of("uniq", Unknown(text='"$x"'))).reading


def test_a_script_that_is_not_known_is_an_escape() -> None:
    assert study(of("sed", UNKNOWN, "f")).escapes
    assert study(of("awk", UNKNOWN, "f")).escapes
    assert not study(of("jq", UNKNOWN, "f")).reading
    assert study(of("awk", 'print x ?\n 1 : 2 > "f"')).escapes
    number = Below(text="./0p")
    assert study(of("sed", "-n", number, "f")).reading
    assert not study(of("sed", "-n", Below(text="./0$x"), "f")).reading


def test_a_pattern_that_may_name_a_harmful_flag_is_no_reading() -> None:
    star = Pattern(text="*")
    texts = Pattern(text="*.txt")
    inner = Pattern(text="src/*")
    for program in ("sort", "rg x", "git log", "find", "sed 1d"):
        assert not study(of(*program.split(), star)).reading, program
        assert study(of(*program.split(), inner)).reading, program
    assert study(of("sort", texts)).reading
    assert study(of("find", texts)).reading
    assert not study(of("sed", "1d", texts)).reading
    assert study(of("wc", star)).reading


def test_a_name_that_such_a_pattern_gave_is_no_reading_either() -> None:
    star = Below(text="*")
    texts = Below(text="*.txt")
    inner = Below(text="src/*")
    for program in ("sort", "rg x", "git log", "find", "tree", "sed 1d"):
        assert not study(of(*program.split(), star)).reading, program
        assert study(of(*program.split(), inner)).reading, program
    assert study(of("find", texts)).reading
    assert study(of("find", Below(text="*/*"))).reading
    assert study(of("find", "-name", star)).reading
    assert study(of("wc", star)).reading


def test_a_path_in_a_state_that_git_has_named_is_that_path() -> None:
    for state in ("./0…", "./0…~1", "origin/…0"):
        named = Below(text=f"{state}:src/a")
        touches = study(of("git", "show", named)).touches
        assert [it.word for it in touches] == [Exact(text="src/a")], state
    for odd in ("…:src/a", "./0…:…", "./0…:0:a", "./0…:*.py"):
        named = Below(text=odd)
        touches = study(of("git", "show", named)).touches
        assert not any(it.word.known for it in touches), odd


def test_however_many_states_there_are_none_is_a_flag() -> None:
    states = evolve(Hash(), several=True)
    names = Below(text="src/…", several=True)
    assert study(of("git", "log", states)).reading
    assert not study(of("git", "log", names)).reading


def test_git_may_take_a_listed_name_for_a_pattern_that_goes_deeper() -> None:
    name = Below(text="src/*.py")
    (touch,) = study(of("git", "log", "--", name)).touches
    assert touch.word == name.spelled("src/…")


def test_a_command_with_choices_does_what_all_of_them_do() -> None:
    fine = OneOf(text="$x", choices=("a", "b"))
    deeds = study(of("cat", fine))
    assert deeds.reading
    assert [touch.word.text for touch in deeds.touches] == ["a", "b"]
    worse = OneOf(text="$x", choices=("a", "--output=b"))
    assert not study(of("git", "log", worse)).reading
    assert study(of("git", "log", worse)).escapes
    assert not study(of(OneOf(text="$x", choices=("ls", "rm")), "a")).reading
    many = OneOf(text="$x", choices=tuple(map(str, range(100))))
    assert study(of("cat", many)).touches[0].word.known is False


@each_row(
    "text",
    [
        "$GITHUB_TOKEN",
        '"${AWS_SECRET_ACCESS_KEY}"',
        "${npm_token:-x}",
        "${#API_KEY}",
        "a$DB_PASSWORD",
    ],
)
def test_a_variable_that_sounds_secret_is_not_shown(text: str) -> None:
    word = Unknown(text=text)
    assert not study(of("echo", word)).reading
    assert not study(of("printf", "%s", word)).reading
    assert study(of("test", "-n", word)).reading
    assert study(of("[", "-z", word, "]")).reading


def test_a_name_that_is_not_known_is_nothing_known() -> None:
    for name in (UNKNOWN, SPLIT, Pattern(text="l?")):
        assert study(of(name, "x")) == study(Command(argv=()))


def test_a_home_stays_one_and_a_letter_stays_a_letter() -> None:
    home = study(of("cat", InHome(text="~/a"))).touches[0].word
    letter = study(of("sort", "--output=~/a")).touches[0].word
    assert home.path == "~/a"
    assert letter.path == "./~/a"


_TEXTS = st.sampled_from(
    sorted({word for line in (*READING, *(it for it, _ in ESCAPING)) for word in line.split()})
) | st.text(max_size=6)
_FLAG = st.booleans()
_WORDS = st.one_of(
    st.builds(Exact, text=_TEXTS),
    st.builds(Pattern, text=_TEXTS),
    st.lists(_TEXTS, min_size=1, max_size=3).map(one_of),
    st.builds(word_of, _TEXTS, known=st.just(False), glob=_FLAG, several=_FLAG),
    st.builds(Below, text=_TEXTS, glob=_FLAG, several=_FLAG, empty=_FLAG),
    st.sampled_from([Number(), Number(empty=True), Day(), Hash(), Branch(), Ref()]),
    st.builds(InHome, text=_TEXTS.map("~/{}".format), glob=_FLAG, splits=_FLAG),
    st.builds(InFolder, text=_TEXTS.map("~+/{}".format), glob=_FLAG, splits=_FLAG),
    st.builds(InTop, text=_TEXTS.map(f"{InTop.root}/{{}}".format), glob=_FLAG, splits=_FLAG),
)
_ORDERS = (name for row in ORDERS for name in row.names.split(", "))
_NAMES = st.sampled_from(sorted({*by_name(), *(f"git {name}" for name in git_by_name()), *_ORDERS}))


@given(_NAMES, st.lists(_WORDS, max_size=6))
@example("sed", [Exact(text="s/[")])
@example("awk", [Exact(text='/[/"')])
def test_no_words_raise(name: str, words: list[Word]) -> None:
    deeds = study(of(*name.split(), *words))
    assert not (deeds.reading and not deeds.known)
    runs = all("can run a program" in why for why in deeds.escapes)
    assert not (deeds.reading and deeds.escapes) or (name in _FINDERS and runs)


_FINDERS = {"find", "gfind", "fd", "fdfind"}


@given(st.sampled_from([line for line, _ in ESCAPING]), st.lists(_TEXTS, max_size=3))
def test_words_that_follow_take_no_escape_away(line: str, more: list[str]) -> None:
    before = command(line)
    escapes = study(before).escapes
    after = study(of(*before.argv, *more)).escapes
    assert len(after) >= len(escapes) or "its script" in " ".join(escapes) or _asks(line)


def _asks(line: str) -> bool:
    """Whether further words may make them another command: a date that is only shown."""
    return line.startswith(("date ", "sed ", "awk ", "gawk "))


@given(_NAMES, st.lists(_TEXTS, max_size=4), st.integers(0, 4))
def test_a_word_that_is_less_known_makes_no_reading(name: str, texts: list[str], at: int) -> None:
    known = [Exact(text=text) for text in texts]
    unknown = [Unknown(text='"$x"') if place == at else word for place, word in enumerate(known)]
    if study(of(*name.split(), *unknown)).reading and at < len(texts):
        harmless = of(
            *name.split(), *(Exact(text="./f") if i == at else w for i, w in enumerate(known))
        )
        assert study(harmless).known


PATTERN = Below(text="src/*.md")
NUMBERED = Below(text="./0,./0p")


def test_a_name_that_a_pattern_stands_for_is_one_in_another_folder_too() -> None:
    deeds = study(of("mv", PATTERN, "docs/"))
    assert [it.word for it in deeds.touches][-1] == PATTERN.spelled("docs/*.md")
    ended = Below(text="src/….js")
    assert all(it.word.listed for it in study(of("mv", PATTERN, ended)).touches)
    dotted = study(of("mv", Below(text="src/.*"), "docs/"))
    assert not dotted.touches[-1].word.listed
    assert study(of("mv", STRICT, "docs/")).touches[-1].word == STRICT.spelled("docs/…")


def test_a_script_of_sed_may_have_numbers_in_it() -> None:
    assert study(of("sed", "-n", NUMBERED, "f")).reading
    assert not study(of("sed", "-n", NUMBERED.spelled("./0w f"), "f")).reading
    assert not study(of("sed", "-n", NUMBERED.spelled("./0$x"), "f")).reading


@each_row(
    ("text", "host"),
    [
        ("https://x.org/$i", "x.org"),
        ('"https://x.org:8080/$i"', "x.org"),
        ("https://x.org$i", "?"),
        ("https://x.org:$i/", "?"),
        ("https://me:$x@y.org/", "?"),
        ("https://$x/", "?"),
        ("$x", "?"),
    ],
)
def test_a_host_is_known_once_it_is_over(text: str, host: str) -> None:
    assert study(of("curl", Unknown(text=text))).hosts == (host,)


def test_what_begins_with_text_is_no_file_for_a_header() -> None:
    bearer = Unknown(text='"Authorization: Bearer $x"')
    assert study(of("curl", "-H", bearer, "http://x.org")).touches == ()
    for text in ('"$x"', '"@$x"'):
        assert study(of("curl", "-H", Unknown(text=text), "http://x.org")).touches
    assert study(of("curl", "-F", Unknown(text='"a=$x"'), "http://x.org")).touches


@each_row(
    ("chain", "paths"),
    [
        (("sub",), ["a", "../a"]),
        (("./sub", "x"), ["a", "../a", "../../a"]),
        (("/elsewhere",), ["a"]),
        (("..",), ["a"]),
    ],
)
def test_git_may_name_a_path_from_above_where_it_runs(
    chain: tuple[str, ...], paths: list[str]
) -> None:
    argv = command("git show HEAD:a").argv
    deeds = study(Command(argv=argv, ways=(Way(steps=chain),)))
    assert [it.word.text for it in deeds.touches] == paths
    argv = command("git show HEAD:./a").argv
    assert [it.word.text for it in study(Command(argv=argv, ways=(Way(steps=chain),))).touches] == [
        "./a"
    ]


@each_row(
    "line",
    """npm install x|npm ci|pnpm add x|yarn|bun add x|pip install x|uv add x|uv pip install x
    |cargo publish|go get x|gem install x|docker push x|docker pull x|gh pr list|git fetch
    |git submodule update|terraform apply|apt-get install x""".split("|"),
)
def test_what_brings_in_packages_reaches_hosts(line: str) -> None:
    assert study(command(line)).hosts


@each_row("line", ["npm test", "npm run build", "pip list", "cargo build", "go test", "uv run x"])
def test_what_works_with_what_is_there_reaches_none(line: str) -> None:
    assert study(command(line)).hosts == ()


@each_row(
    ("line", "host"),
    [
        ("npm install https://x.org/a.tgz", "x.org"),
        ("pip install -i https://x.org/s a", "x.org"),
        ("docker pull x.org/a", "x.org"),
        ("docker -H tcp://x.org ps", "x.org"),
        ("curl -x x.org http://y.org", "x.org"),
        ("ssh -J x.org y.org", "x.org"),
        ("ssh -o ProxyJump=x.org y.org", "x.org"),
        ("psql -h x.org", "x.org"),
        ("mysql --host=x.org", "x.org"),
        ("openssl s_client -connect x.org:443", "x.org"),
        ("kubectl --server=https://x.org get a", "x.org"),
    ],
)
def test_hosts_are_found_where_they_stand(line: str, host: str) -> None:
    assert host in study(command(line)).hosts


@each_row(
    "line",
    [
        "gh pr create --title a --body 'see .vscode/settings.json'",
        "gh issue create --body .git/config",
        "actionlint .github/workflows/ci.yml",
        "docker build -f .devcontainer/Dockerfile .",
    ],
)
def test_what_only_names_a_place_is_known_to_change_nothing(line: str) -> None:
    deeds = study(command(line))
    assert deeds.known
    assert deeds.escapes == ()
    assert all(touch.kind in {Kind.LOOK, Kind.READ} for touch in deeds.touches)
