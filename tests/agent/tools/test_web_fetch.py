"""Reading from the web: what is sent and to whom, what is followed, what is read of it."""

import asyncio
import gzip
import ssl
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest
from attrs import evolve

from agent.tools.browsing import Asked, leading, use
from agent.tools.site import Site, answer
from assent.agent.tools.response_bodies import MAX_BODY_BYTES
from assent.agent.tools.tool import MAX_RESULT_LETTERS, ToolFailed
from assent.agent.tools.web_fetch import WEB_FETCH, fetching
from assent.gate.call.errors import CallUnreadable

PAGE = "<title>A page</title><h1>Hello</h1><p>See <a href='/b'>that</a>.<script>no()</script>"


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Site().open() as site:
        yield site


def moved(to: str, status: str = "302 Found") -> bytes:
    return answer(status=status, location=to, set_cookie="who=you")


@pytest.mark.requirement("N-07")
async def test_a_page_comes_as_text_that_is_said_to_be_of_others(site: Site) -> None:
    site.pages["/a"] = answer(PAGE, "text/html; charset=utf-8")
    done = await use(WEB_FETCH, url=site.url("/a"))
    assert done.text == (
        f"Text of {site.url('/a')}, written by others:\n\n"
        f"A page\n\n# Hello\n\nSee [that]({site.url('/b')})."
    )


async def test_a_request_tells_nothing_of_who_asks(site: Site) -> None:
    site.pages["/a"] = answer("x", set_cookie="who=you")
    for _ in range(2):
        await use(WEB_FETCH, url=site.url("/a#part"))
    for path, headers in site.asked:
        assert path == "/a"
        assert set(headers) == {"host", "accept", "accept-encoding", "user-agent", "connection"}
        assert headers["host"] == f"127.0.0.1:{site.port}"


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "text/markdown",
        "application/json",
        "application/problem+json",
        "application/xml",
        "application/rss+xml; charset=utf-8",
        "TEXT/CSV",
    ],
)
async def test_other_texts_come_as_they_are(site: Site, kind: str) -> None:
    site.pages["/a"] = answer("<b>1</b>\r\n{}\x1b\0", kind)
    done = await use(WEB_FETCH, url=site.url("/a"))
    assert done.text.endswith("written by others:\n\n<b>1</b>\n{}")


@pytest.mark.parametrize("kind", ["image/png", "application/pdf", "application/octet-stream", ""])
async def test_what_is_no_text_is_named_and_not_read(site: Site, kind: str) -> None:
    site.pages["/a"] = answer("x", kind)
    with pytest.raises(ToolFailed, match=f"is {kind or 'of no known kind'}, and only text can"):
        await use(WEB_FETCH, url=site.url("/a"))


async def test_what_a_server_refuses_is_told_in_the_usual_words(site: Site) -> None:
    with pytest.raises(ToolFailed, match=r"answered 404 Not Found\.$"):
        await use(WEB_FETCH, url=site.url("/nowhere"))


async def test_where_nobody_listens_is_told() -> None:
    async with Site().open() as gone:
        url = gone.url()
    with pytest.raises(ToolFailed, match=r"^127\.0\.0\.1 could not be reached: .+\.$"):
        await use(WEB_FETCH, url=url)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("für".encode("latin-1"), "text/plain; charset=ISO-8859-1"),
        ("für".encode("latin-1"), 'text/plain; x=y; charset="latin1"'),
        ('<meta charset="windows-1252">für'.encode("cp1252"), "text/html"),
        ("für".encode("utf-16"), "text/plain"),
        ("für".encode(), "text/plain; charset=punycode"),
        ("für".encode(), "text/plain; charset=iso-8859-99"),
        ("für".encode("utf-8-sig"), "text/plain; charset=latin-1"),
    ],
)
async def test_a_text_is_read_in_the_letters_it_was_written_in(
    site: Site, data: bytes, kind: str
) -> None:
    site.pages["/a"] = answer(data, kind)
    assert (await use(WEB_FETCH, url=site.url("/a"))).text.endswith("\n\nfür")


async def test_letters_that_are_none_do_not_hinder(site: Site) -> None:
    site.pages["/a"] = answer(b"a\xff\xfeb")
    assert (await use(WEB_FETCH, url=site.url("/a"))).text.endswith("\n\na��b")


@pytest.mark.parametrize("room", [MAX_RESULT_LETTERS, 8_192, 2_000])
async def test_a_long_text_is_read_page_by_page_and_each_is_passed_on_whole(
    site: Site, room: int
) -> None:
    text = "".join(f"{number} " for number in range(20_000)).strip()
    url = site.url(f"/a?{'x' * 2_000}")
    site.pages[f"/a?{'x' * 2_000}"] = answer(text)
    read = ""
    while len(read) < len(text):
        done = await use(WEB_FETCH, url=url, offset=len(read), room=room)
        assert len(done.text) <= room
        head, page = done.text.split("\n\n", 1)
        read += page
        goes_on = f"of {len(text):,}; go on with offset {len(read)}."
        assert head.endswith(goes_on if len(read) < len(text) else f"of {len(text):,}; the end.")
    assert read == text
    with pytest.raises(ToolFailed, match=f"has no more than {len(text):,} characters"):
        await use(WEB_FETCH, url=url, offset=len(text))


async def test_a_page_without_text_is_said_to_have_none(site: Site) -> None:
    site.pages["/a"] = answer("<script>1</script>", "text/html")
    assert (
        await use(WEB_FETCH, url=site.url("/a"))
    ).text == f"There is no text at {site.url('/a')}."


class TestSize:
    async def test_what_never_ends_is_read_so_far_and_no_further(self, site: Site) -> None:
        async def endless(writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n")
            while True:
                writer.write(b"a" * 65_536)
                await writer.drain()

        site.pages["/a"] = endless
        done = await use(WEB_FETCH, url=site.url("/a"))
        assert f"of {MAX_BODY_BYTES:,};" in done.text
        assert "It was cut, since it is too long to be read whole." in done.text

    async def test_what_is_packed_small_is_unpacked_so_far_and_no_further(self, site: Site) -> None:
        packed = gzip.compress(b"a" * 100_000_000, 9)
        assert len(packed) < MAX_BODY_BYTES / 10
        site.pages["/a"] = answer(packed, content_encoding="gzip")
        done = await use(WEB_FETCH, url=site.url("/a"))
        assert f"of {MAX_BODY_BYTES:,};" in done.text
        assert "It was cut" in done.text

    @pytest.mark.parametrize(
        ("packed", "packing"),
        [
            (gzip.compress(b"packed", mtime=0), "gzip"),
            (zlib.compress(b"packed"), "deflate"),
            (zlib.compress(b"packed", wbits=-15), "deflate"),
        ],
    )
    async def test_each_usual_way_of_packing_is_unpacked(
        self, site: Site, packed: bytes, packing: str
    ) -> None:
        site.pages["/a"] = answer(packed, content_encoding=packing)
        assert (await use(WEB_FETCH, url=site.url("/a"))).text.endswith("others:\n\npacked")

    @pytest.mark.parametrize("packing", ["gzip", "deflate", "br", "gzip, gzip"])
    async def test_what_cannot_be_unpacked_is_told(self, site: Site, packing: str) -> None:
        site.pages["/a"] = answer(b"\xff" * 9, content_encoding=packing)
        with pytest.raises(ToolFailed, match=r"unpacked|nobody asked for"):
            await use(WEB_FETCH, url=site.url("/a"))


class TestWhereANameLeads:
    @pytest.mark.parametrize(
        "number",
        [
            "127.0.0.1",
            "0.0.0.0",  # noqa: S104 -- nobody listens there
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "169.254.169.254",
            "168.63.129.16",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fe80::1%lo",
            "fd00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "2002:7f00:1::",
            "nonsense",
        ],
    )
    async def test_a_public_name_does_not_lead_near(self, site: Site, number: str) -> None:
        for numbers in ([number], ["93.184.216.34", number]):
            url, web = site.url(host="pages.example.org"), leading(pages_example_org=numbers)
            with pytest.raises(ToolFailed, match="Nothing was sent"):
                await use(fetching(web), url=url)
        assert site.asked == []

    async def test_a_near_name_that_was_judged_may(self, site: Site) -> None:
        site.pages["/"] = answer("near")
        done = await use(fetching(leading(pages_lan="127.0.0.1")), url=site.url(host="pages.lan"))
        assert done.text.endswith("near")
        assert site.asked[0][1]["host"] == f"pages.lan:{site.port}"

    async def test_a_name_is_looked_up_once_and_the_connection_made_to_what_was_looked_at(
        self, site: Site
    ) -> None:
        # A second look finds nothing, and no other resolver knows the name.
        site.pages["/"] = answer("here")
        tool = fetching(leading(nobody_knows_lan="127.0.0.1"))
        url = site.url(host="nobody.knows.lan")
        assert (await use(tool, url=url)).text.endswith("here")
        with pytest.raises(ToolFailed, match=r"^There is no host nobody\.knows\.lan\.$"):
            await use(tool, url=url)

    async def test_another_number_is_tried_where_the_first_does_not_answer(
        self, site: Site
    ) -> None:
        site.pages["/"] = answer("here")
        web = leading(pages_lan=["127.0.0.2", "::1", "127.0.0.1"])
        assert (await use(fetching(web), url=site.url(host="pages.lan"))).text.endswith("here")

    @pytest.mark.parametrize("host", ["0x7f.1", "2130706433", "127.1", "017700000001"])
    async def test_a_number_is_the_same_however_it_is_written(self, site: Site, host: str) -> None:
        site.pages["/"] = answer("here")
        assert (await use(WEB_FETCH, url=site.url(host=host))).text.endswith("here")
        assert site.asked[0][1]["host"] == f"127.0.0.1:{site.port}"

    async def test_no_proxy_of_the_environment_is_used(
        self, site: Site, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        site.pages["/"] = answer("here")
        assert (await use(WEB_FETCH, url=site.url())).text.endswith("here")

    @pytest.mark.parametrize(
        "url",
        [
            "ftp://example.org/",
            "file:///etc/passwd",
            "http://you:secret@example.org/",
            "http://example.org\\@127.0.0.1/",
            "example.org",
            "http://exa mple.org/",
            "http://[::1/",
        ],
    )
    async def test_what_is_no_plain_web_address_is_no_call(self, url: str) -> None:
        with pytest.raises(CallUnreadable, match="no plain web address"):
            await use(WEB_FETCH, url=url)


class TestSentOn:
    @pytest.mark.parametrize("to", ["/b", "b", "http://127.0.0.1:{port}/b#c", "//127.1:{port}/b"])
    async def test_to_the_same_host_goes_on_unasked_and_without_cookies(
        self, site: Site, to: str
    ) -> None:
        site.pages |= {"/a": moved(to.format(port=site.port)), "/b": answer("there")}
        asked = Asked()
        done = await use(WEB_FETCH, asked, url=site.url("/a"))
        assert done.text == f"Text of {done.text.split()[2][:-1]}, written by others:\n\nthere"
        assert asked.urls == []
        assert [path for path, _ in site.asked] == ["/a", "/b"]
        assert "cookie" not in site.asked[1][1]

    async def test_to_another_host_is_asked_about_and_goes_on_if_it_may(self, site: Site) -> None:
        web = leading(other_lan="127.0.0.1")
        there = site.url("/b", host="other.lan")
        site.pages |= {"/a": moved(there), "/b": answer("there")}
        asked = Asked()
        done = await use(fetching(web), asked, url=site.url("/a"))
        assert asked.urls == [there]
        assert done.text == f"Text of {there}, written by others:\n\nthere"

    async def test_to_another_host_is_not_followed_if_it_may_not(self, site: Site) -> None:
        there = site.url("/b", host="other.lan")
        site.pages |= {"/a": moved(there), "/b": answer("there")}
        with pytest.raises(ToolFailed) as told:
            await use(WEB_FETCH, Asked("You denied it."), url=site.url("/a"))
        because = f"{site.url('/a')} leads on to {there}, and that was not followed: You denied it."
        assert str(told.value) == because
        assert [path for path, _ in site.asked] == ["/a"]

    async def test_to_another_port_of_the_same_host_is_asked_about(self, site: Site) -> None:
        async with Site().open() as other:
            site.pages["/a"] = moved(other.url("/b"))
            asked = Asked("No.")
            with pytest.raises(ToolFailed, match="not followed: No"):
                await use(WEB_FETCH, asked, url=site.url("/a"))
            assert asked.urls == [other.url("/b")]
            assert other.asked == []

    async def test_a_step_that_may_be_is_checked_like_any_other(self, site: Site) -> None:
        site.pages["/a"] = moved(site.url("/b", host="pages.example.org"))
        web = leading(pages_example_org="127.0.0.1")
        done = await use(fetching(web), Asked(), url=site.url("/a"))
        assert done.failed
        assert "Nothing was sent" in done.text
        assert [path for path, _ in site.asked] == ["/a"]

    async def test_all_that_comes_after_is_the_step_s_own(self, site: Site) -> None:
        web = leading(other_lan="127.0.0.1", third_lan="127.0.0.1")
        site.pages |= {
            "/a": moved(site.url("/b", host="other.lan")),
            "/b": moved(site.url("/d", host="third.lan")),
            "/d": answer("there"),
        }
        asked = Asked()
        done = await use(fetching(web), asked, url=site.url("/a"))
        assert asked.urls == [site.url("/b", host="other.lan"), site.url("/d", host="third.lan")]
        assert asked.came == [done, done]
        assert done.text.endswith("there")

    async def test_a_step_that_fails_is_a_step_that_failed(self, site: Site) -> None:
        site.pages["/a"] = moved(site.url("/nowhere", host="other.lan"))
        asked = Asked()
        done = await use(fetching(leading(other_lan="127.0.0.1")), asked, url=site.url("/a"))
        assert done.failed
        assert done.text.endswith("answered 404 Not Found.")
        assert asked.came == [done]

    @pytest.mark.parametrize("to", ["ftp://a/b", "file:///etc/passwd", "javascript:1", "http://["])
    async def test_to_what_is_no_web_address_is_not_followed(self, site: Site, to: str) -> None:
        site.pages["/a"] = moved(to)
        asked = Asked()
        with pytest.raises(ToolFailed, match="no plain web address; it was not followed"):
            await use(WEB_FETCH, asked, url=site.url("/a"))
        assert asked.urls == []

    @pytest.mark.parametrize("status", ["301 M", "302 M", "303 M", "307 M", "308 M"])
    async def test_round_and_round_is_given_up(self, site: Site, status: str) -> None:
        site.pages["/a"] = moved("/a", status)
        with pytest.raises(ToolFailed, match="more than 5 times"):
            await use(WEB_FETCH, url=site.url("/a"))
        assert len(site.asked) == 6


class TestTime:
    async def test_that_a_server_takes_is_limited(self, site: Site) -> None:
        async def late(_: asyncio.StreamWriter) -> None:
            _jump_ahead()
            await asyncio.Event().wait()

        site.pages["/a"] = late
        with pytest.raises(ToolFailed, match=r"^127\.0\.0\.1 (took longer|could not)"):
            await use(WEB_FETCH, url=site.url("/a"))

    async def test_that_a_server_takes_after_a_step_is_limited_and_the_step_fails(
        self, site: Site
    ) -> None:
        async def late(_: asyncio.StreamWriter) -> None:
            _jump_ahead()
            await asyncio.Event().wait()

        site.pages |= {"/a": moved(site.url("/b", host="other.lan")), "/b": late}
        asked = Asked()
        done = await use(fetching(leading(other_lan="127.0.0.1")), asked, url=site.url("/a"))
        assert done.failed
        assert done.text.startswith("other.lan ")
        assert asked.came == [done]

    async def test_is_one_for_all_steps_together(self, site: Site) -> None:
        there = site.url("/b", host="other.lan")
        late = {"/a": moved(there), "/b": answer("there")}

        async def answers(path: str, writer: asyncio.StreamWriter) -> None:
            _jump_ahead(8)
            await asyncio.sleep(0)
            writer.write(late[path])

        site.pages |= {path: partial(answers, path) for path in late}
        for seconds, failed in ((12, True), (24, False)):
            web = evolve(leading(other_lan="127.0.0.1"), seconds=seconds)
            done = await use(fetching(web), Asked(), url=site.url("/a"))
            assert done.failed is failed
            assert done.text.startswith("other.lan took longer than 12 s") is failed

    async def test_that_a_person_takes_is_not(self, site: Site) -> None:
        there = site.url("/b", host="other.lan")
        site.pages |= {"/a": moved(there), "/b": answer("there")}
        tool = fetching(leading(other_lan="127.0.0.1"))
        done = await use(tool, Asked(meanwhile=_jump_ahead), url=site.url("/a"))
        assert done.text.endswith("there")


async def test_to_be_stopped_is_not_taken_for_an_answer(site: Site) -> None:
    reached = asyncio.Event()

    async def silent(_: asyncio.StreamWriter) -> None:
        reached.set()
        await asyncio.Event().wait()

    site.pages["/a"] = silent
    fetch = asyncio.ensure_future(use(WEB_FETCH, url=site.url("/a")))
    await asyncio.wait_for(reached.wait(), 5)
    fetch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(fetch, 5)


class TestCertificates:
    async def test_are_checked_against_the_name_that_was_judged(
        self, trusted: ssl.SSLContext
    ) -> None:
        names: list[str | None] = []
        trusted.sni_callback = lambda _, name, __: names.append(name)
        async with Site().open(trusted) as site:
            site.pages["/"] = answer("secret")
            web = leading(pages_lan="127.0.0.1")
            done = await use(fetching(web), url=site.url(host="pages.lan", scheme="https"))
            assert done.text.endswith("secret")
            assert names == ["pages.lan"]
            assert site.asked[0][1]["host"] == f"pages.lan:{site.port}"

    async def test_of_another_name_are_refused(self, trusted: ssl.SSLContext) -> None:
        async with Site().open(trusted) as site:
            web = leading(other_lan="127.0.0.1")
            with pytest.raises(ToolFailed, match=r"other\.lan could not be reached: .*certificate"):
                await use(fetching(web), url=site.url(host="other.lan", scheme="https"))
            assert site.asked == []

    async def test_are_not_given_up_for_a_step_back_to_http(self, trusted: ssl.SSLContext) -> None:
        async with Site().open(trusted) as site:
            site.pages["/"] = moved("http://pages.lan/")
            web = leading(pages_lan="127.0.0.1")
            asked = Asked()
            with pytest.raises(ToolFailed, match="anybody on the way could read"):
                await use(fetching(web), asked, url=site.url(host="pages.lan", scheme="https"))
            assert asked.urls == []

    async def test_that_cannot_be_read_are_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/at/all.pem")
        with pytest.raises(ToolFailed, match="certificates to check others by cannot be read"):
            await use(fetching(leading(pages_lan="127.0.0.1")), url="https://pages.lan/")


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A server's side of an encrypted connection, whose certificate is believed in this test."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        f"openssl req -x509 -newkey rsa:2048 -nodes -keyout {key} -out {certificate} -days 2"
        " -subj /CN=pages.lan -addext subjectAltName=DNS:pages.lan".split(),
        check=True,
        capture_output=True,
        timeout=60,
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def test_what_speaks_http_is_loaded_with_the_first_request() -> None:
    program = (
        "import sys, assent.agent.tools.web_fetch, assent.agent.tools.web_search;"
        "loaded = {'httpx2', 'httpcore2', 'anyio', 'html.parser'} & set(sys.modules);"
        "sys.exit(', '.join(loaded) or None)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def _jump_ahead(seconds: float = 1_000) -> None:
    """For whoever looks at the clock, time passes."""
    loop = asyncio.get_running_loop()
    now: Callable[[], float] = loop.time
    loop.time = lambda: now() + seconds  # type: ignore[method-assign]
