"""Patterns of names and paths, compared with slow ones that try everything."""

import itertools

from hypothesis import assume, given
from hypothesis import strategies as st

from assent.gate.rules.globs import SegmentGlob, expands_to, is_wild, may_meet, path_fits
from gate.rules.books import fits, letters
from steps import steps_of
from tables import each_row

names = st.text("ab.", min_size=1, max_size=6)
patterns = st.text("ab.*?", min_size=1, max_size=6)
paths = st.lists(st.text("ab", min_size=1, max_size=2), max_size=5)
path_patterns = st.lists(st.sampled_from(["a", "b", "ab", "*", "a*", "?", "**"]), max_size=5)


@given(pattern=patterns.filter(is_wild), name=names)
def test_a_name_fits_as_if_everything_had_been_tried(pattern: str, name: str) -> None:
    assert SegmentGlob.of(pattern).fits(name) is letters(pattern, name)


@given(pattern=path_patterns, path=paths)
def test_a_path_fits_as_if_everything_had_been_tried(pattern: list[str], path: list[str]) -> None:
    assert path_fits(pattern, path) is fits(pattern, path)


@given(pattern=patterns, other=patterns)
def test_two_patterns_meet_wherever_some_name_fits_both(pattern: str, other: str) -> None:
    assume(not pattern.startswith(("*", "?")) or not other.startswith(("*", "?")))
    shared = [
        name
        for length in range(1, 5)
        for name in map("".join, itertools.product("ab.", repeat=length))
        if letters(other, name) and letters(pattern, name) and (name[0] != "." or pattern[0] == ".")
    ]
    if shared:
        assert may_meet(pattern, other)
        assert expands_to(pattern, shared[0])


@each_row(
    ("pattern", "name", "meets"),
    [
        (".e*", ".env", True),
        ("*.md", ".env", False),
        ("*", ".env", False),
        ("?env", ".env", False),
        ("[a.]env", ".env", False),
        (".[de]nv", ".env", True),
        (".[xy]nv", ".env", False),
        (".[a-f]nv", ".env", True),
        (".[!x]nv", ".env", True),
        (".[[:alpha:]]nv", ".env", True),
        ("@(a|.env)", ".env", True),
        ("[", "[", True),
        ("a[", "a[", True),
        (r"\*", "*", True),
        (r"\*", "a", False),
        ("*.key", "prod.key", True),
        ("*.key", "prod.keys", False),
    ],
)
def test_a_shells_pattern_spares_names_with_a_dot_unless_it_has_one(
    pattern: str, name: str, *, meets: bool
) -> None:
    assert expands_to(pattern, name) is meets
    if not is_wild(name):
        assert may_meet(pattern, name) is meets


@each_row(
    ("pattern", "other", "meets"),
    [
        ("*.md", ".env*", False),
        (".e*", ".*", True),
        ("*.pem", "*.key", False),
        ("id_*", "*_rsa", True),
        ("a*", "b*", False),
        ("?", "??", False),
    ],
)
def test_a_shells_pattern_and_a_rules_may_meet(pattern: str, other: str, *, meets: bool) -> None:
    assert may_meet(pattern, other) is meets


def test_no_pattern_takes_long() -> None:
    def search() -> None:
        assert not SegmentGlob.of("*a" * 100 + "b").fits("a" * 255)
        assert may_meet("*a" * 1_000, "*b" * 1_000)
        assert not may_meet("*a" * 100 + "c", "*b" * 100 + "d")
        assert not path_fits(["**", "a"] * 60 + ["b"], ["a"] * 120)

    assert steps_of(search) < 2_000_000
