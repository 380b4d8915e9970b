"""Which host a URL leads to, and what is too odd to be read."""

from hypothesis import given
from hypothesis import strategies as st

from assent.gate.text import addresses
from assent.gate.text.addresses import address_of
from tables import each_row


@each_row(
    ("url", "host"),
    [
        ("https://docs.python.org/3/library", "docs.python.org"),
        ("HTTPS://Docs.Python.ORG./x", "docs.python.org"),
        ("http://example.com:8080?q=1#top", "example.com"),
        ("https://bücher.example/x", "xn--bcher-kva.example"),
        ("https://93.184.216.34/", "93.184.216.34"),
        ("https://example.com/a@b:c", "example.com"),
    ],
)
def test_a_plain_address_leads_to_its_host(url: str, host: str) -> None:
    address = address_of(url)
    assert address is not None
    assert (address.host, address.near) == (host, False)


@each_row(
    "url",
    [
        "http://localhost:3000/",
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://0/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/",
        "http://metadata.google.internal/",
        "http://10.0.0.7/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:a9fe:a9fe::]/",
        "http://[::ffff:0:127.0.0.1]/",
        "http://168.63.129.16/",
        "http://metadata.goog/",
        "http://kubernetes.default.svc/",
        "http://printer/",
        "http://printer.local/",
    ],
)
def test_this_machine_and_its_network_are_near(url: str) -> None:
    address = address_of(url)
    assert address is not None
    assert address.near


@each_row(
    "url",
    [
        "",
        "docs.python.org",
        "file:///etc/passwd",
        "data:text/plain,x",
        "javascript:alert(1)",
        "ftp://example.com/",
        "https://docs.python.org@evil.example/",
        "https://user:word@example.com/",
        "https://evil.example\\@docs.python.org/",
        "https://evil.example\x00.docs.python.org/",
        "https://docs.python.org\n.evil.example/",
        "https://exa mple.com/",
        "https://exam%70le.com/",
        "https://example.com:99999/",
        "https:///example.com",
        "https://256.256.256.256/",
        "https://1.2.3.4.5/",
        "https://-evil.example/",
        "https://.example.com/",
        "https://a..b/",
        "https://[::1/",
        "https://e\u202excom/",
        "https://example.com/" + "a" * 9000,
    ],
)
def test_what_two_readers_may_read_in_two_ways_is_no_address(url: str) -> None:
    assert address_of(url) is None


@given(st.text(max_size=80))
def test_no_text_is_too_odd_to_be_looked_at(text: str) -> None:
    address_of(text)
    address_of(f"https://{text}")


_LABEL = st.from_regex(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", fullmatch=True)
_NAME = st.sampled_from(
    ["localhost", "local", "internal", "example", "org", "x0", "e9", "0x7f", "9"]
)
_HOST = st.lists(_LABEL | _NAME, min_size=1, max_size=4).map(".".join)
_REST = st.text(alphabet=st.characters(min_codepoint=0x20, max_codepoint=0x80), max_size=12)


@given(host=_HOST, scheme=st.sampled_from(["http", "https"]), rest=_REST)
def test_the_short_way_through_usual_addresses_reads_them_as_the_long_way_does(
    host: str, scheme: str, rest: str
) -> None:
    for url in (f"{scheme}://{host}/{rest}", f"{scheme}://{host}{rest}"):
        if addresses._USUAL.fullmatch(url):
            assert address_of(url) == addresses._read_closely(url) is not None


def test_usual_addresses_take_the_short_way() -> None:
    for url in ("https://docs.python.org/3/library/os.html#os.open", "http://a-b.example"):
        assert addresses._USUAL.fullmatch(url)
