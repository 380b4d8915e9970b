"""Words of which not everything is known, and what holds of all words."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assent.policy.shell.deeds import Kind
from assent.policy.shell.script import Command, Word
from assent.policy.shell.study import study
from assent.policy.shell.tables import by_name, git_by_name
from policy.shell.effects import ESCAPING
from policy.shell.examples import READING
from policy.shell.words import command, of

UNKNOWN = Word(text='"$x"', known=False)
SPLIT = Word(text="$x", known=False, several=True)
LISTED = Word(text="…", known=False, listed=True)
STRICT = Word(text="./…", known=False, listed=True)


@pytest.mark.parametrize("program", ["sort", "rg", "sed -n 1p", "find", "tree", "git log"])
@pytest.mark.parametrize("word", [UNKNOWN, SPLIT, LISTED], ids=["one", "split", "listed"])
def test_a_word_that_may_be_a_harmful_flag_is_no_reading(program: str, word: Word) -> None:
    assert not study(of(*program.split(), word)).reading


@pytest.mark.parametrize("program", ["sort", "rg x", "sed -n 1p", "tree", "git log"])
@pytest.mark.parametrize("word", [UNKNOWN, LISTED], ids=["one", "listed"])
def test_after_two_dashes_no_word_is_a_flag(program: str, word: Word) -> None:
    assert study(of(*program.split(), "--", word)).reading


@pytest.mark.parametrize("program", ["sort", "rg x", "sed -n 1p", "find", "tree", "git log"])
def test_a_listed_name_that_begins_with_its_folder_is_no_flag(program: str) -> None:
    assert study(of(*program.split(), STRICT)).reading


@pytest.mark.parametrize("program", ["cat", "head -5", "wc -l", "grep x", "stat", "diff a", "ls"])
@pytest.mark.parametrize("word", [UNKNOWN, SPLIT, LISTED], ids=["one", "split", "listed"])
def test_a_tool_without_harmful_flags_reads_whatever_it_is_given(program: str, word: Word) -> None:
    deeds = study(of(*program.split(), word))
    assert deeds.reading
    assert any(touch.word == word for touch in deeds.touches)


@pytest.mark.parametrize("program", ["echo", "test -n", "[", "true", "basename", "sleep", "seq"])
@pytest.mark.parametrize("word", [UNKNOWN, SPLIT], ids=["one", "split"])
def test_words_that_are_only_text_may_be_anything(program: str, word: Word) -> None:
    assert study(of(*program.split(), word)).reading


def test_an_unknown_value_of_a_flag_is_its_value() -> None:
    assert study(of("git", "log", "-n", UNKNOWN)).reading
    assert study(of("git", "log", Word(text='--since="$x"', known=False))).reading
    assert study(of("sort", "-k", UNKNOWN, "f")).reading
    assert not study(of("git", "log", "-n", SPLIT)).reading
    assert not study(of("sort", Word(text='-"$x"', known=False))).reading
    assert not study(of("git", "log", Word(text='--"$x"', known=False))).reading


def test_an_unknown_path_of_a_harmful_flag_is_still_told() -> None:
    deeds = study(of("sort", Word(text='--output="$x"', known=False)))
    assert deeds.escapes == ("--output writes a file",)
    assert [touch.kind for touch in deeds.touches] == [Kind.WRITE]
    assert not deeds.touches[0].word.known


def test_a_script_that_is_not_known_is_an_escape() -> None:
    assert study(of("sed", UNKNOWN, "f")).escapes
    assert study(of("awk", UNKNOWN, "f")).escapes
    assert not study(of("jq", UNKNOWN, "f")).reading
    number = Word(text="./0p", known=False, listed=True)
    assert study(of("sed", "-n", number, "f")).reading
    assert not study(of("sed", "-n", Word(text="./0$x", known=False, listed=True), "f")).reading


def test_a_pattern_that_may_name_a_harmful_flag_is_no_reading() -> None:
    star = Word(text="*", glob=True)
    texts = Word(text="*.txt", glob=True)
    inner = Word(text="src/*", glob=True)
    for program in ("sort", "rg x", "git log", "find", "sed 1d"):
        assert not study(of(*program.split(), star)).reading, program
        assert study(of(*program.split(), inner)).reading, program
    assert study(of("sort", texts)).reading
    assert study(of("find", texts)).reading
    assert not study(of("sed", "1d", texts)).reading
    assert study(of("wc", star)).reading


def test_a_command_with_choices_does_what_all_of_them_do() -> None:
    fine = Word(text="$x", known=False, choices=("a", "b"))
    deeds = study(of("cat", fine))
    assert deeds.reading
    assert [touch.word.text for touch in deeds.touches] == ["a", "b"]
    worse = Word(text="$x", known=False, choices=("a", "--output=b"))
    assert not study(of("git", "log", worse)).reading
    assert study(of("git", "log", worse)).escapes
    assert not study(of(Word(text="$x", known=False, choices=("ls", "rm")), "a")).reading
    many = Word(text="$x", known=False, choices=tuple(map(str, range(100))))
    assert study(of("cat", many)).touches[0].word.known is False


@pytest.mark.parametrize(
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
    word = Word(text=text, known=False)
    assert not study(of("echo", word)).reading
    assert not study(of("printf", "%s", word)).reading
    assert study(of("test", "-n", word)).reading
    assert study(of("[", "-z", word, "]")).reading


def test_a_name_that_is_not_known_is_nothing_known() -> None:
    for name in (UNKNOWN, SPLIT, Word(text="l?", glob=True)):
        assert study(of(name, "x")) == study(Command(argv=()))


def test_a_home_stays_one_and_a_letter_stays_a_letter() -> None:
    home = study(of("cat", Word(text="~/a", home=True))).touches[0].word
    letter = study(of("sort", "--output=~/a")).touches[0].word
    assert home.path == "~/a"
    assert letter.path == "./~/a"


_TEXTS = st.sampled_from(
    sorted({word for line in (*READING, *(it for it, _ in ESCAPING)) for word in line.split()})
) | st.text(max_size=6)
_WORDS = st.builds(
    Word,
    text=_TEXTS,
    known=st.booleans(),
    glob=st.booleans(),
    home=st.booleans(),
    listed=st.booleans(),
    several=st.booleans(),
    choices=st.just(()) | st.lists(_TEXTS, max_size=3).map(tuple),
)
_NAMES = st.sampled_from(sorted({*by_name(), *(f"git {name}" for name in git_by_name())}))


@given(_NAMES, st.lists(_WORDS, max_size=6))
@example("sed", [Word(text="s/[")])
@example("awk", [Word(text='/[/"')])
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
    known = [Word(text=text) for text in texts]
    unknown = [
        Word(text='"$x"', known=False) if place == at else word for place, word in enumerate(known)
    ]
    if study(of(*name.split(), *unknown)).reading and at < len(texts):
        harmless = of(
            *name.split(), *(Word(text="./f") if i == at else w for i, w in enumerate(known))
        )
        assert study(harmless).known
