"""Tools that reach hosts, and the hosts that their words name."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from attrs import evolve

from assent.bash.word import Unknown, Word
from assent.programs.deeds import Deeds, Kind, Touch
from assent.programs.families.addresses import host_of
from assent.programs.families.saving import saved_by_aria, saved_by_curl, saved_by_wget
from assent.programs.options import Sorted, part_of
from assent.programs.outcome import deeds_of, operand_touches
from assent.programs.rows import Row
from assent.text.patterns import late

__all__ = [
    "use_aria",
    "use_hosts",
    "use_query",
    "use_sockets",
    "use_urls",
]

_ORDER: Final = late(
    r"\\[!ogwicseTPR]|\\copy|(?:^|\n)\s*\.(?!(?:tables|schema|databases|indexes|indices|headers|mode"
    r"|show|help|width|timer|dbinfo|version|fullschema|quit|exit|nullvalue|separator)\b)"
    r"|(?:^|[\n;])\s*(?:system|source|tee|pager|edit|notee|use_hook)\b"
    r"|(?i:writefile|readfile|\bedit\s*\(|fsdir\s*\(|zipfile\s*\(|\battach\b|\bvacuum\s+(?:\w+\s+)?into\b"
    r"|load_extension|load_file|copy\b.*\bto\b|program|outfile|dumpfile|\binfile\b"
    r"|(?:^|;)\s*(?:install|load|import|export)\s"
    r"|(?:\bfrom|read_\w+\s*\()\s*['\"](?:/|~|\.\.|\w+://))",
    re.DOTALL,
)
_HEADERS: Final = frozenset("-H --header --proxy-header".split())
_FILE: Final = late(r"(?i)^file:(?://[^/.~$\"']*)?")
_PROXIES: Final = frozenset(
    """-x --proxy --preproxy --socks4 --socks5 --socks5-hostname --connect-to --resolve
    --dns-servers --doh-url -J -W""".split()
)
"""Flags whose values are hosts that are reached as well."""
_PLUG: Final = late(
    r"(?i)(?:(?:tcp|udp|udplite|sctp|dccp|openssl|ssl|socks\w*|proxy)\d?(?:-connect|-sendto)?:"
    r"([^:,]+|\[[^]]+\])|[a-z][a-z0-9-]*(?:-listen|-recv\w*|-datagram):|(?:exec|system|shell|file"
    r"|open|create|unix\w*|pty|stdio|pipe|fd):)"
)
"""How `socat` writes what it connects: a host stands behind some of these words only."""
_OPENED: Final = late(
    r"(?i)(?:unix(?:-[a-z]+)?|g?open|file|create|pipe):([^,]+)(?:,.*)?", re.DOTALL
)
"""How it writes a socket, a pipe or a file of this machine."""
_RUNS: Final = late(r"(?i)(?:exec|system|shell):")
"""How it writes a program that it runs."""
_PATH: Final = late(r"(?:~|\.[^/]*)?/")
_RECORDS: Final = frozenset("A AAAA ANY CAA CNAME DNSKEY DS MX NS PTR SOA SRV TXT".split())
"""Kinds of DNS records, which look like names of hosts."""
_APART: Final = late(r"[\s()=!<>&|]+")
_ADDRESSED: Final = frozenset(("src", "dst"))
"""What stands behind one of these is an address, whatever else it is called."""
_SOCKET: Final = late(r"[^/]*@[^/]+\Z")
_CHOOSING: Final = frozenset(
    """state exclude all connected synchronized bucket big established syn-sent syn-recv fin-wait-1
    fin-wait-2 time-wait close closed close-wait last-ack listen listening closing src dst sport
    dport and or not eq ne neq gt ge geq lt le leq autobound""".split()
)
_NUMBERED: Final = late(
    r"(?:[46]?(?:tcp|udp)?@?)?(?:\d+(?:\.\d+){0,3}(?:/\d+)?|\[(?=[^\]]*:)[0-9a-f:]+\]|\*)?"
    r"(?::[\w*,-]+)?",
    re.IGNORECASE,
)
"""What chooses among sockets by their state, and by numbers: nobody is asked for those."""
_QUERIES: Final = frozenset("-c -s --command -cmd -e --execute".split())
_SAVING: Final = ("-o", "-O", "--output", "--output-document")
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def use_urls(row: Row, sorted_: Sorted) -> Deeds:
    """Reaches the addresses that its operands are.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_urls(*row_and_sorted("curl -s https://x.org/a")))
    reach x.org
    >>> print(use_urls(*row_and_sorted("curl -O --proxy p.org:80 https://x.org/a.tgz")))
    write a.tgz, reach x.org, reach p.org, -O writes a file, --proxy changes where it connects to
    """
    addresses = [*sorted_.operands, *sorted_.of("--url")]
    local = [word for word in addresses if word.text.lstrip("\"'").casefold().startswith("file:")]
    hosts = [host_of(word) for word in addresses if word not in local]
    hosts += [] if addresses else ["?"]
    hosts += [host_of(value) for flag, value in sorted_.values if flag in _PROXIES]
    touches = [
        Touch(kind=Kind.READ, word=part_of(word, _FILE.sub("", word.text.lstrip("\"'"))))
        for word in local
    ]
    # After a slash that is one too many stands the folder it works in, or a home.
    touches += [
        evolve(touch, word=touch.word.spelled(touch.word.text.lstrip("/")))
        for touch in touches
        if touch.word.text.lstrip("/") != touch.word.text
        and touch.word.text.lstrip("/").startswith("./")
    ]
    touches += [
        Touch(kind=Kind.READ, word=part_of(value, value.text))
        for flag, value in sorted_.values
        if flag in {"-b", "--cookie"} and value.known and "=" not in value.text
    ]
    schemes = [word.text.partition("://")[0] for word in addresses if "://" in word.text]
    schemes += [word.text for word in local]
    if row.names.startswith("curl") and any(set(scheme) & set("{[") for scheme in schemes):
        touches.append(Touch(kind=Kind.READ, word=Unknown(text="what it puts together")))
    _settle(sorted_)
    sent = [flag for flag, it in sorted_.values if flag in _HEADERS and it.text[:1] == "@"]
    saved_by = saved_by_wget if row.names.startswith("wget") else saved_by_curl
    touches += saved_by(sorted_, [word for word in addresses if word not in local])
    escapes = [f"{flag} sends data elsewhere" for flag in sent]
    return deeds_of(row, sorted_, touches, escapes=escapes, hosts=hosts)


def _settle(sorted_: Sorted) -> None:
    """Drop the escapes of `-X GET` and `-O -`, and add one for a `-w` that writes a file."""
    methods = [value.text for flag, value in sorted_.values if flag in {"-X", "--request"}]
    if all(method in _SAFE_METHODS for method in methods):
        mild = ("-X ", "--request ")
        sorted_.escapes = [why for why in sorted_.escapes if not why.startswith(mild)]
    for name in _SAVING:
        given = [it for flag, it in sorted_.values if flag == name]
        if given and all(it.known and it.text == "-" for it in given):
            sorted_.escapes = [why for why in sorted_.escapes if not why.startswith(f"{name} ")]
    if any(flag in {"-w", "--write-out"} and "%output{" in v.text for flag, v in sorted_.values):
        sorted_.escapes.append("--write-out writes a file")


def use_aria(row: Row, sorted_: Sorted) -> Deeds:
    """Reaches the addresses that its operands are, and saves what they bring.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_aria(*row_and_sorted("aria2c -d out https://x.org/a.tgz")))
    write out, write out/what the server names it, reach x.org, -d writes a file
    """
    hosts = [host_of(word) for word in sorted_.operands] or ["?"]
    return deeds_of(row, sorted_, saved_by_aria(sorted_), hosts=hosts)


def use_hosts(row: Row, sorted_: Sorted) -> Deeds:
    """Reaches the first operand, or whichever looks like a host.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_hosts(*row_and_sorted("ping -c 1 x.org")))
    reach x.org
    >>> print(use_hosts(*row_and_sorted("http POST x.org/a file=@notes.txt")))
    read notes.txt, reach x.org
    """
    named = [value for flag, value in sorted_.values if flag in _PROXIES - {"-W"}]
    asks = "httpie" in row.names
    told = _address_in(sorted_.operands) if asks else [*_plugged(sorted_.operands)]
    kinds = _RECORDS if len(told) > 1 else frozenset[str]()
    named += [
        it
        for it in told
        if not (it.text.isdigit() or _PATH.match(it.text)) and it.text.upper() not in kinds
    ]
    hosts = {host_of(word) for word in named} or {"?"}
    sent = [
        part_of(word, word.text.rpartition("@")[2])
        for word in sorted_.operands
        if asks and (word.text.startswith("@") or "=@" in word.text)
    ]
    plugs = ((it, _OPENED.fullmatch(it.text)) for it in sorted_.operands)
    opened = [part_of(it, found[1]) for it, found in plugs if found]
    # A path is no host: it is a socket, or a file that is opened as one.
    opened += [it for it in sorted_.operands if _PATH.match(it.text)]
    touches = [Touch(kind=Kind.READ, word=word) for word in sent]
    touches += [Touch(kind=Kind.WRITE, word=word) for word in opened]
    runs = not asks and any(_RUNS.match(it.text) for it in sorted_.operands)
    escapes = ["it runs a program that stands in its words"] if runs else []
    return deeds_of(row, sorted_, touches, escapes=escapes, hosts=sorted(hosts))


def _plugged(operands: list[Word]) -> Iterator[Word]:
    """The operands; of those of `socat` only the hosts in them."""
    for word in operands:
        plug = _PLUG.match(word.text)
        if plug is None and word.text != "-":
            yield word
        elif plug and plug[1]:
            yield part_of(word, plug[1])


def _address_in(operands: list[Word]) -> list[Word]:
    """The address among the operands of such a request: the first, or that behind a method."""
    is_method = len(operands) > 1 and operands[0].known and operands[0].text.isalpha()
    return operands[1:2] if is_method else operands[:1]


def use_sockets(row: Row, sorted_: Sorted) -> Deeds:
    """Lists sockets; what chooses among them may be a name, which a server of names is asked for.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_sockets(*row_and_sorted("ss -tn state established '( dport = :443 )'")))
    only reads
    >>> print(use_sockets(*row_and_sorted("ss -tn dst secret.example.com")))
    reach secret.example.com
    """
    chosen = sorted_.of("-i")
    # Where operands are files, one may still stand behind `-i`, which takes a value or none.
    files = row.operands is not None
    chosen += [it for it in sorted_.operands if not files or _SOCKET.match(it.text)]
    named = [it for it in chosen if not (it.known and _is_numbered(it.text))]
    if not named and not _is_numbered(" ".join(it.text for it in chosen)):
        named = chosen
    touches = operand_touches(row, sorted_, sorted_.operands) if files else ()
    return deeds_of(row, sorted_, touches, hosts=[host_of(it) for it in named], safe=not named)


def _is_numbered(filter_: str) -> bool:
    """Whether it chooses by nothing that has a name elsewhere."""
    told = _APART.split(filter_)
    addressed = [two for one, two in pairwise(told) if one in _ADDRESSED]
    return all(it in _CHOOSING or _NUMBERED.fullmatch(it) for it in told) and not any(
        it.isalpha() or "-" in it for it in addressed
    )


def use_query(row: Row, sorted_: Sorted) -> Deeds:
    """Asks a database; a query may be an order to the program itself.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_query(*row_and_sorted("psql -h db.org -c 'select 1'")))
    perhaps more: reach db.org
    >>> print(use_query(*row_and_sorted("sqlite3 a.db '.shell make'")))
    write a.db, an order in it can write or run
    """
    asked = [value for flag, value in sorted_.values if flag in _QUERIES]
    asked += sorted_.operands[1:]
    unsure = [word for word in asked if not word.known or _ORDER.search(word.text)]
    escapes = ["an order in it can write or run"] if unsure else []
    touches = [Touch(kind=Kind.WRITE, word=word) for word in sorted_.operands[:1]]
    known = row.operands is not None
    servers = sorted_.of("-h --host")
    servers += [word for word in sorted_.operands if "://" in word.text]
    return deeds_of(
        row,
        sorted_,
        touches if known else (),
        escapes=escapes,
        hosts=[host_of(word) for word in servers],
        known=known,
    )
