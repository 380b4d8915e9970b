"""A line of plain words is read without the grammar, and as the grammar would have it read."""

import string
from functools import partial

import pytest
import tree_sitter_bash
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Language

from assent.gate.programs.nested_execution.unwrap import WRAPPERS
from assent.gate.programs.read_lines import KNOWN
from assent.gate.shell import read as reader
from assent.gate.shell.notes import Notes
from assent.gate.shell.read import noted, plain_command, read
from assent.gate.shell.script import DECLARES, Script
from assent.gate.shell.specials import LOSES, RESERVED
from tables import each_row

GRAMMAR = Language(tree_sitter_bash.language())
KEYWORDS = {
    name
    for kind in range(GRAMMAR.node_kind_count)
    if (name := GRAMMAR.node_kind_for_id(kind)) and not GRAMMAR.node_kind_is_named(kind)
    if set(name) <= {*string.ascii_letters}
}
"""The words of which the grammar makes something of its own."""

SIGNS = string.ascii_letters + string.digits + "_./:@%+,-="
WORDS = st.sampled_from(sorted({*KEYWORDS, *RESERVED, *DECLARES, *LOSES, *WRAPPERS}))
LINES = st.lists(WORDS | st.text(SIGNS, min_size=1, max_size=6), min_size=1, max_size=5)


def by_grammar(text: str, dialect: str) -> Script:
    """The same text, read by the tree alone."""

    def none(_: Notes) -> None:
        return None

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reader, "plain_command", none)
        return read(text, dialect, KNOWN)


@given(LINES, st.sampled_from(["bash", "sh", "zsh"]))
def test_a_line_of_plain_words_is_read_as_the_grammar_reads_it(
    words: list[str], dialect: str
) -> None:
    text = " ".join(words)
    assert read(text, dialect, KNOWN) == by_grammar(text, dialect)


@each_row("word", sorted({*KEYWORDS, *RESERVED, *DECLARES}))
@each_row("line", ["{}", "{} a", "{} a=b", "{} -p a", "a {}", "a {} b", "sh -c {}"])
def test_no_word_of_the_grammar_is_taken_for_a_plain_one(word: str, line: str) -> None:
    text = line.format(word)
    assert read(text, "bash", KNOWN) == by_grammar(text, "bash")


def test_most_lines_need_no_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "parse", partial(pytest.fail, "the grammar was asked"))
    read("npm run build -- --filter=web src/a.ts", "bash", KNOWN)


@each_row("text", ["a b=$c", "a 'b'", "a  b", "a b\n", "a ~/b", "a *", "a=b c", "#a"])
def test_whatever_else_stands_in_a_line_is_left_to_the_grammar(text: str) -> None:
    notes = noted(text, KNOWN)
    assert isinstance(notes, Notes)
    assert plain_command(notes) is None
