"""What is put together of words is known only as far as it is for all that they may be."""

import posixpath
import re
from collections.abc import Iterator
from itertools import product

from assent.gate.shell.anchored_paths import InFolder, InHome, InTop
from assent.gate.shell.word import Below, Exact, OneOf, Unknown, Word, one_of
from assent.gate.shell.word_joining import join
from assent.gate.shell.word_sets import LISTED, STRICT, Day, Hash, Number
from tables import each_row

_MAY_BE: dict[Word, tuple[str, ...]] = {
    LISTED: (".", "...", "-r", ".a", "a", "a/b"),
    STRICT: (".", "...", ".a", "a", "a/b"),
    Below(text="*.py"): (".py", "a.py"),
    Number(): ("0", "12"),
    Number(empty=True): ("", "12"),
    Day(): ("2024-01-02",),
    Hash(empty=True): ("", "f00d"),
    Exact(text="."): (".",),
    Exact(text=".."): ("..",),
    Exact(text="a/"): ("a/",),
    one_of([".", "b"]): (".", "b"),
    Unknown(text="$x"): ("", "..", "/"),
}
"""Words, each with some of what a program may be given for it."""

_TEXTS = ("", ".", "..", "/", "./", "/.", "../", "a", "a/", "-", "~/", "x=")
_FEW = ("", ".", "/", "../", "a/")


def _ways(count: int, texts: tuple[str, ...]) -> Iterator[tuple[Word, str]]:
    """What is put together of so many words and the texts around them, and what that may be."""
    for between in product(texts, repeat=count + 1):
        for inside in product(_MAY_BE, repeat=count):
            found = join(between, inside, "?", at_home=False, glob=False)
            for parts in product(*map(_MAY_BE.__getitem__, inside)):
                pieces = zip(parts, between[1:], strict=True)
                yield found, between[0] + "".join(part + after for part, after in pieces)


@each_row(("count", "texts"), [(1, _TEXTS), (2, _FEW)])
def test_a_name_put_together_leads_below_the_folder_whatever_comes_of_it(
    count: int, texts: tuple[str, ...]
) -> None:
    for found, text in _ways(count, texts):
        if isinstance(found, Below):
            assert text.startswith("/") == found.text.startswith("/"), (found, text)
            assert posixpath.normpath(text).split("/")[0] != "..", (found, text)
        else:
            assert text in found.texts or isinstance(found, Unknown), (found, text)


def _covers(word: Word, given: str) -> bool:
    """Whether a word's text stands for what a program is given."""
    if word.text.startswith("/") != given.startswith("/") or ".." in given.split("/"):
        return False
    if given.startswith(("~", "-")) and not word.text.startswith("…"):
        return False
    pattern = re.escape(word.text.removeprefix("./"))
    pattern = pattern.replace("…", ".*").replace(re.escape("*"), "[^/]*")
    return re.fullmatch(pattern, given.removeprefix("./")) is not None


@each_row("text", [LISTED.text, STRICT.text, "*.py", "src/*.py"])
@each_row(("before", "behind"), [*product(_TEXTS, repeat=2)])
def test_a_list_that_the_shell_splits_stands_for_each_of_its_words_where_it_really_lies(
    text: str, before: str, behind: str
) -> None:
    found = join([before, behind], [Below(text=text, several=True)], "?", at_home=False, glob=False)
    one = text.replace("…", "one.py").replace("*", "one")
    for given in f"{before}{one} {one} {one}{behind}".split():
        assert isinstance(found, Unknown) or _covers(found, given), (found, given)


@each_row("root", [InHome(), InFolder(), InTop()])
def test_a_path_from_a_home_or_folder_stays_one_only_at_the_beginning_and_before_a_slash(
    root: Word,
) -> None:
    for before, behind in product(_TEXTS, repeat=2):
        found = join([before, behind], [root], "?", at_home=False, glob=False)
        if not before and (not behind or behind.startswith("/")):
            assert (type(found), found.text) == (type(root), root.text + behind)
        else:
            assert isinstance(found, Unknown)


def test_too_many_texts_are_no_choice() -> None:
    few, many = one_of("abcd"), one_of("abcdefgh")
    assert isinstance(join(["", "", ""], [few, few], "?", at_home=False, glob=False), OneOf)
    assert join(["", "", ""], [few, many], "?", at_home=False, glob=False) == Unknown(text="?")
