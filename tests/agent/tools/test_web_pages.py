"""Pages as text: nothing that is seen is lost, and no page is too odd or takes too long."""

from hypothesis import given
from hypothesis import strategies as st

from assent.agent.tools.html_text import readable
from steps import steps_of
from tables import each_row

URL = "https://pages.example/folder/page"


def text_of(page: str) -> str:
    return readable(page, URL)


@each_row(
    ("page", "text"),
    [
        ("a  b\n c", "a b c"),
        ("a&amp;b &lt;i&gt; &#x41; &nosuch;", "a&b <i> A &nosuch;"),
        ("1 < 2 <3", "1 < 2 <3"),
        ("<p>a<p>b", "a\n\nb"),
        ("<p>a<br>b</p>", "a\nb"),
        ("<h1>a</h1><h3>b</h3>c", "# a\n\n### b\n\nc"),
        ("<ul><li>a<li>b</ul>c", "- a\n- b\n\nc"),
        ("<ol><li>a</li><li>b<ul><li>c</ul></ol>", "1. a\n2. b\n  - c"),
        ("<ul><li><p>a</p><p>b</p></ul>", "- a\n\n  b"),
        ("<a href='/x?a=1&amp;b=2'>a</a>", "[a](https://pages.example/x?a=1&b=2)"),
        ("<a href=other>a</a>", "[a](https://pages.example/folder/other)"),
        ("<base href=https://o.example/p/><a href=x>a</a>", "[a](https://o.example/p/x)"),
        ("<a href=/x><h2>a</h2></a>b", "## [a](https://pages.example/x)\n\nb"),
        ("<a href=/x>a<a href=/y>b", "[a](https://pages.example/x)[b](https://pages.example/y)"),
        ("<a href='#a'>a</a><a href='javascript:x'>b</a><a href='http://['>c</a><a>d</a>", "abcd"),
        ("<a href=/x></a>a<a href=/x> </a>", "a"),
        ("<pre>\na\n\n  b &lt;\n</pre>c", "```\na\n\n  b <\n```\n\nc"),
        ("<pre><code>a\nb</code></pre>", "```\na\nb\n```"),
        ("use <code>a  b</code>.", "use `a b`."),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "a | b\nc | d"),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\nb\nc\nd"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<img src=x alt='a  cat'><img src=y>", "![a cat]"),
        ("<title>a <b> &amp; c</title><body>d", "a <b> & c\n\nd"),
        ("<textarea><p>a</textarea>b", "<p>ab"),
        ("a<script>if (1<2) '</p>'</script><style>x</style>b", "ab"),
        ("a<SCRIPT>x</ScRiPt >b", "ab"),
        ("a<!-- x > y --><!--><!---><!doctype html><?xml?></ x>b", "ab"),
        ("a<template>x<p>y</template><svg><text>z</text></svg>b", "ab"),
        ("<div hidden>a<div>b</div></div>c", "c"),
        ("<p style='color: red; Display : none'>a<p>b", "b"),
        ("<img hidden alt=a>b", "b"),
        ("<p title='a > b' hidden>c</p><p title=\"it's\">d", "d"),
        ("<b><i>a</b>b</i>c</span>d", "abcd"),
        ("</div></div>a<div/>b<br/>c", "a\n\nb\nc"),
        ("a<p", "a"),
        ("a<p title='b", "a"),
        ("a<!-- b", "a"),
        ("a<script> b", "a"),
        ("&#" + "9" * 5_000 + ";&#x" + "F" * 5_000 + ";&#xD800;", "\N{REPLACEMENT CHARACTER}" * 3),
        ("", ""),
    ],
)
def test_a_page_becomes_this_text(page: str, text: str) -> None:
    assert text_of(page) == text


def test_a_page_of_more_parts_than_anybody_reads_is_cut_and_says_so() -> None:
    text = text_of("<b>x" * 250_001)
    assert text == "x" * 250_000 + " (The rest of this page is left out.)"


@each_row("link", ["<a href=b>x<br></a>", "<a href=b>x<br><i>"])
def test_addresses_that_are_written_out_in_full_are_counted(link: str) -> None:
    text = text_of(f"<base href='http://e.example/{'u' * 900}/'>{link * 7_000}")
    assert 4_900_000 < len(text) < 5_100_000


PIECES = st.sampled_from(
    [
        *"""< > / = " ' & ; ! - -- # [ ] <!-- --> <p> </p> <p <a <a href= <a href=x> </a> <ul> <ol>
        <li> </ul> <pre> </pre> <code> </code> <script> </script <script </script> <title> </title>
        <td> <tr> </div> <![CDATA[ ]]> <? <h1> </h1> <base href=http://a/> &#1 &#x1F600; &lt &amp;
        <b </ </b <svg> </svg> <img alt=x> <hr> <br/> \0 \ud800 x y &#99999999999;""".split(),
        *(" ", "\n", "\t", "<div hidden>", "style='display:none'"),
    ]
)


@given(st.lists(PIECES | st.text(max_size=5), max_size=60).map("".join))
def test_no_page_is_too_odd(page: str) -> None:
    text = text_of(page)
    assert not text.startswith("\n")


@given(st.lists(PIECES, min_size=1, max_size=4).map("".join))
def test_a_page_twice_as_long_takes_about_twice_as_long(piece: str) -> None:
    short, long = (steps_of(lambda many=many: text_of(piece * many)) for many in (100, 200))
    assert long <= 2 * short + 2_000


WORDS = st.text("abcxyzäß&<", min_size=1, max_size=6)
INNER = st.sampled_from("b i em span code a div section blockquote p h2 li td ul".split())


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A page whose every element is closed, and the words that are seen in it."""
    words: list[str] = []

    def element(depth: int) -> str:
        if depth == 0 or draw(st.booleans()):
            words.append(draw(WORDS))
            return words[-1].replace("&", "&amp;").replace("<", "&lt;")
        name = draw(INNER)
        inner = " ".join(element(depth - 1) for _ in range(draw(st.integers(1, 3))))
        return f"<{name} class='x' href=/y>{inner}</{name}>"

    body = " ".join(element(4) for _ in range(draw(st.integers(1, 4))))
    return f"<!doctype html><html><head><style>p</style></head><body>{body}</body></html>", words


@given(documents())
def test_no_word_that_is_seen_is_lost(document: tuple[str, list[str]]) -> None:
    page, words = document
    text, at = text_of(page), 0
    for word in words:
        at = text.index(word, at) + len(word)
