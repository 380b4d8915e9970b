"""Where values stand in a settings file, however it is written."""

import json

from hypothesis import given
from hypothesis import strategies as st

from assent.gate.settings.positions import Span, plain_json, spans_of
from steps import steps_of
from tables import each_row

TEXT = """{
  // "assent.rules": {"deny": ["not here"]}
  "editor.tabSize": 2,
  "assent.mode": "plan", /* and
  more */ "assent.rules": {
    "deny": [
      "shell(a)", "shell(\\"b\\", // no comment)",
      // one between
      { "rule": "read(./.env)", "why": "[{" },
      "😀é", "shell(c)",
    ],
  },
}
"""


def standing(text: str, span: Span) -> str:
    """What stands there, as an editor that counts in UTF-16 would select it."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    if span.line == span.end_line:
        return lines[span.line][2 * span.column : 2 * span.end_column].decode("utf-16-le")
    first = lines[span.line][2 * span.column :].decode("utf-16-le")
    last = lines[span.end_line][: 2 * span.end_column].decode("utf-16-le")
    between = [line.decode("utf-16-le") for line in lines[span.line + 1 : span.end_line]]
    return "\n".join([first, *between, last])


def test_each_value_of_the_section_is_found_where_it_stands() -> None:
    spans = spans_of(TEXT)
    deny = ("assent.rules", "deny")
    assert standing(TEXT, spans["assent.mode",]) == '"plan"'
    assert standing(TEXT, spans[*deny, 0]) == '"shell(a)"'
    assert standing(TEXT, spans[*deny, 1]) == r'"shell(\"b\", // no comment)"'
    assert standing(TEXT, spans[*deny, 2]).startswith('{ "rule"')
    assert standing(TEXT, spans[*deny, 2, "rule"]) == '"read(./.env)"'
    assert standing(TEXT, spans[*deny, 3]) == '"😀é"'
    assert standing(TEXT, spans[*deny, 4]) == '"shell(c)"'
    assert standing(TEXT, spans[deny]).startswith('[\n      "shell(a)"')
    assert spans[*deny, 4].column == 13
    assert ("editor.tabSize",) not in spans


def test_in_a_workspaces_file_the_settings_stand_below_settings() -> None:
    text = '{"folders": [], "settings": {"assent.rules": {"ask": ["shell(a)"]}}}'
    assert standing(text, spans_of(text)["assent.rules", "ask", 0]) == '"shell(a)"'


def test_of_a_key_that_stands_twice_the_last_counts() -> None:
    text = '{"assent.mode": "a",\n"assent.mode": "b"}'
    assert standing(text, spans_of(text)["assent.mode",]) == '"b"'


def test_without_a_section_everything_is_found() -> None:
    text = '{"rules": {"deny": ["shell(a)"]}}'
    assert standing(text, spans_of(text, "")["rules", "deny", 0]) == '"shell(a)"'


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(value=values, indent=st.sampled_from([None, 0, 2]), ascii_only=st.booleans())
def test_what_stands_there_is_the_value(value: object, indent: int, *, ascii_only: bool) -> None:
    text = json.dumps({"x": 1, "assent.a": value}, indent=indent, ensure_ascii=ascii_only)
    text = text.replace("\r", "")
    found = spans_of(text)["assent.a",]
    if "\\u" not in text:
        assert json.loads(standing(text, found)) == json.loads(text)["assent.a"]


@given(text=st.text(st.sampled_from('{}[]",:/*\\\n a😀')) | st.text())
def test_no_text_raises_and_nothing_moves(text: str) -> None:
    assert all(span.line <= text.count("\n") for span in spans_of(text, "").values())
    assert len(plain_json(text)) == len(text)
    assert plain_json(text).count("\n") == text.count("\n")


@each_row(
    ("text", "plain"),
    [
        ('{"a": [1, 2,], }', {"a": [1, 2]}),
        ('{"a": "x,]", /* , */ }', {"a": "x,]"}),
        ('// first\n{"a": "//",\n// last\n}', {"a": "//"}),
        ('{"a": "\\",}"}', {"a": '",}'}),
    ],
)
def test_comments_and_trailing_commas_are_taken_out(text: str, plain: object) -> None:
    assert json.loads(plain_json(text)) == plain


@given(value=values)
def test_plain_json_stays_as_it_is(value: object) -> None:
    text = json.dumps(value, indent=1)
    assert plain_json(text) == text


def test_a_large_file_takes_work_in_proportion() -> None:
    def taken(count: int) -> int:
        text = '{"assent.rules":{"deny":[' + ",".join(['"shell(aé)"'] * count) + "]}}"
        assert len(spans_of(text)) == count + 2
        assert len(plain_json(text)) == len(text)
        return steps_of(lambda: (spans_of(text), plain_json(text)))

    assert taken(4_000) < 12 * taken(400)
    assert spans_of("[" * 100_000) == {}
    assert spans_of('"' + "x" * 5_000_000) == {}
