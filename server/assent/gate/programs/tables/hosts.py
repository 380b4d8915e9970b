"""Tools that reach hosts: the hosts that their words name, and the files that they write."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import prod
from typing import Final
from urllib.parse import unquote

from assent.gate.programs.deeds import Deeds, Kind, Touch, touched
from assent.gate.programs.options import Sorted, literal_head, part_of
from assent.gate.programs.outcome import HERE, as_reading, deeds_of, operand_touches
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.addresses import host_of, hosts_of
from assent.gate.programs.tables.derived_names import below
from assent.gate.shell.word import Exact, Pattern, Unknown, Word, word_of
from assent.gate.text.addresses import hosts_named
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["use_aria", "use_hosts", "use_query", "use_sockets", "use_steps", "use_urls"]

_ORDER: Final = late(
    r"\\[!ogwicseTPR]|\\copy|(?:^|\n)\s*\.(?!(?:tables|schema|databases|indexes|indices|headers|mode"
    r"|show|help|width|timer|dbinfo|version|fullschema|quit|exit|nullvalue|separator)\b)"
    r"|(?:^|[\n;])\s*(?:(?:system|source|tee|pager|edit|notee|use_hook)\b|\\\.)"
    r"|(?i:writefile|readfile|\bedit[\"'`\]]?\s*\(|fsdir|zipfile|\battach\b|\bvacuum\s+(?:\w+\s+)?into\b"
    r"|load_extension|load_file|copy\b.*\bto\b|program|outfile|dumpfile|\binfile\b"
    r"|(?:^|;)\s*(?:install|load|import|export)\s"
    r"|getenv\s*\(|lo_(?:im|ex)port|dblink|pg_(?:read|ls|file)_|xp_cmdshell"
    r"|sys_(?:exec|eval)|\bhttp_(?:get|post)\s*\(|\balter\s+system\b|(?:^|;)\s*do\s+'|\bu&[\"']|(?:^|\n)!!"
    r"|(?:\bfrom|(?:read_\w+|glob|sniff_csv|parquet_\w+|\w+_scan)\s*\()"
    r"\s*['\"](?:/|~|\.\.|\w+://))",
    re.DOTALL,
)
_SHOWN: Final = late(r"\.(?:tables?|schema|index(?:es)?|indices)(?: +[\w%.]+)?")
"""Orders of `sqlite3` that only show what there is."""
_LOOKS: Final = frozenset(("mode=ro", "immutable=1", "cache=shared", "cache=private"))
"""What an address of a database may say that is only read."""
_TAKEN: Final = frozenset("up down goto force version".split())
_HEADERS: Final = frozenset("-H --header --proxy-header".split())
_QUERY: Final = late(r"\+[a-z]+(?:=\d+)?")
"""How `dig` is told what to ask for, and what to show."""
_FOR_HOST: Final = late(r"(?i)(?:^|[\r\n]|[\"'])\s*host\s*:\s*(\S+)")
"""A header by which what answers takes the request for another host's."""
_FILE: Final = late(r"(?i)^file:(?://[^/.~$\"']*)?")
_PROXIES: Final = frozenset(
    """-x --proxy --preproxy --socks4 --socks5 --socks5-hostname --connect-to --resolve
    --dns-servers --doh-url -J -W""".split()
)
"""Flags whose values are hosts that are reached as well."""
_INSTEAD: Final = frozenset(("--connect-to", "--resolve"))
"""Those of them that name a host in the place of another."""
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
_SAVING: Final = ("-o", "-O", "--output", "--output-document", "-D", "--dump-header")
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def use_urls(row: Row, sorted_: Sorted) -> Deeds:
    """Reaches the addresses that its operands are.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_urls(*row_and_sorted("curl -s https://x.org/a")))
    reach x.org
    >>> print(use_urls(*row_and_sorted("curl -O --proxy p.org:80 https://x.org/a.tgz")))
    write a.tgz, reach x.org, reach p.org, -O writes a file, --proxy changes where it connects to
    """
    addresses = [*sorted_.operands, *sorted_.of("--url")]
    local = [word for word in addresses if word.text.lstrip("\"'").casefold().startswith("file:")]
    hosts = hosts_of(word for word in addresses if word not in local)
    hosts += [] if addresses else ["?"]
    hosts += [host for flag, value in sorted_.values for host in _reached_by(flag, value)]
    headers = (value for flag, value in sorted_.values if flag in _HEADERS)
    hosts += [
        host_of(part_of(header, to)) for header in headers for to in _FOR_HOST.findall(header.text)
    ]
    touches = [
        Touch(kind=Kind.READ, word=part_of(word, unquote(_FILE.sub("", word.text.lstrip("\"'")))))
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
    # What it uploads may be a pattern of its own, too.
    schemes += [word.text for word in sorted_.of("-T --upload-file")]
    if row.names.startswith("curl") and any(set(scheme) & set("{[") for scheme in schemes):
        touches.append(Touch(kind=Kind.READ, word=Unknown(text="what it puts together")))
    _settle(sorted_)
    sent = [flag for flag, word in sorted_.values if flag in _HEADERS and word.text[:1] == "@"]
    saved_by = _saved_by_wget if row.names.startswith("wget") else _saved_by_curl
    touches += saved_by(sorted_, [word for word in addresses if word not in local])
    escapes = [f"{flag} sends data elsewhere" for flag in sent]
    return deeds_of(row, sorted_, touches, escapes=escapes, hosts=hosts)


def _reached_by(flag: str, value: Word) -> list[str]:
    """The hosts that the value of a flag has a request reach."""
    if flag in _INSTEAD and value.known and (named := hosts_named(value.text)):
        return named
    return [host_of(value)] if flag in _PROXIES else []


def _settle(sorted_: Sorted) -> None:
    """Drop the escapes of `-X GET` and `-O -`, and add one for a `-w` that writes a file."""
    methods = [value.text for flag, value in sorted_.values if flag in {"-X", "--request"}]
    if all(method in _SAFE_METHODS for method in methods):
        mild = ("-X ", "--request ")
        sorted_.escapes = [why for why in sorted_.escapes if not why.startswith(mild)]
    for name in _SAVING:
        given = [word for flag, word in sorted_.values if flag == name]
        if given and all(word.known and word.text == "-" for word in given):
            sorted_.escapes = [why for why in sorted_.escapes if not why.startswith(f"{name} ")]
    if any(flag in {"-w", "--write-out"} and "%output{" in v.text for flag, v in sorted_.values):
        sorted_.escapes.append("--write-out writes a file")


def use_aria(row: Row, sorted_: Sorted) -> Deeds:
    """Reaches the addresses that its operands are, and saves what they bring.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_aria(*row_and_sorted("aria2c -d out https://x.org/a.tgz")))
    write out, write out/what the server names it, reach x.org, -d writes a file
    """
    hosts = hosts_of(sorted_.operands) or ["?"]
    return deeds_of(row, sorted_, _saved_by_aria(sorted_), hosts=hosts)


_FILE_ADDRESS: Final = late(r"file:(?://[^/]*)?([^?#]*).*", re.DOTALL)
_ITEM: Final = late(r"[^=:@]*(?::?=|:)?@")
"""What stands before a file in an item of a request: `name@a.txt`, `name=@a.txt`."""


def use_hosts(row: Row, sorted_: Sorted) -> Deeds:
    """Reaches the first operand, or whichever looks like a host.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_hosts(*row_and_sorted("ping -c 1 x.org")))
    reach x.org
    >>> print(use_hosts(*row_and_sorted("http POST x.org/a file=@notes.txt")))
    read notes.txt, reach x.org
    """
    named = [value for flag, value in sorted_.values if flag in _PROXIES - {"-W"}]
    asks = "httpie" in row.names
    words = _address_in(sorted_.operands) if asks else [*_plugged(sorted_.operands)]
    kinds = _RECORDS if len(words) > 1 else frozenset[str]()
    named += [
        word
        for word in words
        if not (word.text.isdigit() or _PATH.match(word.text) or _QUERY.fullmatch(word.text))
        and word.text.upper() not in kinds
    ]
    hosts = hosts_of(named) or ["?"]
    items = (
        (operand, _ITEM.match(operand.text))
        for operand in sorted_.operands
        if asks and operand not in words
    )
    sent = [part_of(word, word.text[item.end() :]) for word, item in items if item]
    plugs = ((operand, _OPENED.fullmatch(operand.text)) for operand in sorted_.operands)
    opened = [part_of(word, match[1]) for word, match in plugs if match]
    # A path is no host: it is a socket, or a file that is opened as one.
    opened += [operand for operand in sorted_.operands if _PATH.match(operand.text)]
    touches = touched(Kind.READ, sent)
    touches += touched(Kind.WRITE, opened)
    runs = not asks and any(_RUNS.match(operand.text) for operand in sorted_.operands)
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

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_sockets(*row_and_sorted("ss -tn state established '( dport = :443 )'")))
    only reads
    >>> print(use_sockets(*row_and_sorted("ss -tn dst secret.example.com")))
    reach secret.example.com
    """
    chosen = sorted_.of("-i")
    # Where operands are files, one may still stand behind `-i`, which takes a value or none.
    files = row.operands is not None
    chosen += [operand for operand in sorted_.operands if not files or _SOCKET.match(operand.text)]
    named = [word for word in chosen if not (word.known and _is_numbered(word.text))]
    if not named and not _is_numbered(" ".join(word.text for word in chosen)):
        named = chosen
    touches = operand_touches(row, sorted_, sorted_.operands) if files else ()
    return deeds_of(row, sorted_, touches, hosts=[host_of(word) for word in named], safe=not named)


def _is_numbered(filter_: str) -> bool:
    """Whether it chooses by nothing that has a name elsewhere."""
    told = _APART.split(filter_)
    addressed = [two for one, two in pairwise(told) if one in _ADDRESSED]
    return all(it in _CHOOSING or _NUMBERED.fullmatch(it) for it in told) and not any(
        it.isalpha() or "-" in it for it in addressed
    )


def use_query(row: Row, sorted_: Sorted) -> Deeds:
    """Asks a database; a query may be an order to the program itself.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_query(*row_and_sorted("psql -h db.org -c 'select 1'")))
    perhaps more: reach db.org
    >>> print(use_query(*row_and_sorted("sqlite3 a.db '.shell make'")))
    write a.db, an order in it can write or run
    """
    asked = [value for flag, value in sorted_.values if flag in _QUERIES]
    asked += sorted_.operands[1:]
    unsure = [word for word in asked if not word.known or _ORDER.search(word.text)]
    escapes = ["an order in it can write or run"] if unsure else []
    kind = Kind.READ if not unsure and _only_looks(sorted_, asked) else Kind.WRITE
    touches = [Touch(kind=kind, word=_file_of(word)) for word in sorted_.operands[:1]]
    known = row.operands is not None
    if sorted_.has("-readonly") and asked == sorted_.operands[1:2]:
        shows = bool(asked) and asked[0].known and _SHOWN.fullmatch(asked[0].text) is not None
        touches = [evolve(touch, kind=Kind.READ) for touch in touches] if shows else touches
        return as_reading(deeds_of(row, sorted_, touches, escapes=escapes), reads=shows)
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


def _only_looks(sorted_: Sorted, asked: Sequence[Word]) -> bool:
    """Whether a database is opened to be read alone, or nothing but shown of what there is."""
    if not asked:
        return False
    options = sorted_.operands[0].text.partition("?")[2].split("&") if sorted_.operands else []
    by_address = "mode=ro" in options and _LOOKS.issuperset(options)
    shown = all(_SHOWN.fullmatch(word.text) for word in asked)
    return shown or by_address or sorted_.has("-readonly")


def use_steps(row: Row, sorted_: Sorted) -> Deeds:
    """Takes a database through the steps that lie in a folder; other uses make new ones.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_steps(*row_and_sorted("migrate -path migrations -database $DB up")))
    read migrations
    >>> print(use_steps(*row_and_sorted("migrate create -ext sql x")))
    perhaps more
    """
    taken = sorted_.operands[:1] and sorted_.operands[0].text in _TAKEN and sorted_.has("-path")
    return deeds_of(row, sorted_, ()) if taken else Deeds()


def _file_of(word: Word) -> Word:
    """A database's file, which may be named by an address."""
    address = _FILE_ADDRESS.fullmatch(word.text) if word.known else None
    return part_of(word, unquote(address[1])) if address else word


# The files that downloads are saved as, where their addresses or the flags say how.

_MAX_ADDRESSES: Final = 64
"""Of more addresses than these in one, the names are not told."""
_SERVERS: Final = Unknown(text="what the server names it")
_LISTED: Final = Unknown(text="what its list names")
_SETS: Final = late(r"\{([^{}]*)\}")
"""`{a,b}` in an address, for which curl fetches each."""
_RANGES: Final = late(r"\[[^\[\]/]*\]")
"""`[1-9]` in an address, for which curl fetches each."""
_NAMED_BY_PART: Final = late(r"#\d+")
_UNSURE: Final = late(r".*(?:\$\w+|[$`)}…\]])", re.DOTALL)
_DEEP: Final = "-r --recursive -m --mirror -p --page-requisites"
_DIRECTED: Final = f"-x --force-directories {_DEEP}"


def _saved_by_curl(sorted_: Sorted, addresses: Sequence[Word]) -> list[Touch]:
    """The files that `-O` names by address, and those whose names `#1` takes from it.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> row, words = row_and_words("curl -O --output-dir out https://x.org/b/a.tgz?c")
    >>> print(*_saved_by_curl(sort_words(row, words), words[-1:]))
    write out/a.tgz
    """
    folder = sorted_.found.get("--output-dir")
    names: list[Word] = []
    if sorted_.has("-O --remote-name --remote-name-all"):
        literal = sorted_.has("-g --globoff")
        spelled = addresses if literal else [it for word in addresses for it in _expanded(word)]
        names += [end for word in spelled for end in _ends(word)]
        names += [_SERVERS] if sorted_.has("-J --remote-header-name") else []
    outputs = sorted_.of("-o --output")
    names += [
        output.spelled(_NAMED_BY_PART.sub("*", output.text), glob=True)
        for output in outputs
        if _NAMED_BY_PART.search(output.text)
    ]
    names += outputs if folder is not None else ()
    return _written(names, folder)


def _saved_by_wget(sorted_: Sorted, addresses: Sequence[Word]) -> list[Touch]:
    """The files that wget names by address, in folders where flags ask for them.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> row, words = row_and_words("wget -x https://x.org/b/")
    >>> print(*_saved_by_wget(sort_words(row, words), words[-1:]), sep=", ")
    write index.html, write x.org/b/index.html
    """
    if sorted_.has("-O --output-document --spider"):
        return []
    page = sorted_.found.get("--default-page") or Exact(text="index.html")
    names = [end for word in addresses for end in _ends(word, page)]
    folders = [folder for word in addresses for folder in _folders(sorted_, word)]
    names += [below(folder, name) for folder in folders for name in names]
    names += [_SERVERS] if sorted_.has("--content-disposition --trust-server-names") else []
    names += [_LISTED] if sorted_.has("-i --input-file") else []
    prefix = sorted_.value("-P --directory-prefix")
    deep = [below(prefix or HERE, word) for word in folders or [HERE]] if sorted_.has(_DEEP) else []
    return [*_written(names, prefix), *touched(Kind.WRITE, deep, tree=True)]


def _saved_by_aria(sorted_: Sorted) -> list[Touch]:
    """The file that a flag names, else one that the server does.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> print(*_saved_by_aria(sort_words(*row_and_words("aria2c -o a.tgz https://x.org/b"))))
    write a.tgz
    >>> print(*_saved_by_aria(sort_words(*row_and_words("aria2c https://x.org/b"))))
    write what the server names it
    """
    named = sorted_.of("-o --out")
    folder = sorted_.value("-d --dir")
    return _written(named or [_SERVERS], folder)


def _written(names: Iterable[Word], folder: Word | None) -> list[Touch]:
    return touched(Kind.WRITE, [below(folder, word) for word in dict.fromkeys(names)])


def _ends(address: Word, page: Word | None = None) -> Iterator[Word]:
    """The names under which the end of an address may be saved, also unescaped."""
    path = re.split(r"[?#]", address.text.split("://")[-1])[0]
    if not address.known:
        tail = literal_head(Exact(text=_UNSURE.sub("", address.text).rpartition("/")[2]))
        yield from (Pattern(text=f"{before}{tail}") for before in ("*", ".*"))
        return
    name = path.rpartition("/")[2] if "/" in path else ""
    if name:
        yield from (
            word_of(text, glob=address.glob) for text in dict.fromkeys((name, unquote(name)))
        )
    elif page is not None:
        yield page


def _folders(sorted_: Sorted, address: Word) -> Iterator[Word]:
    """The folders that wget makes of an address, each as a path."""
    if sorted_.has("-nd --no-directories") or not sorted_.has(_DIRECTED):
        return
    host, *parts = re.split(r"[?#]", address.text.split("://")[-1])[0].split("/")[:-1] or [""]
    cut = sorted_.found.get("--cut-dirs") or Exact(text="0")
    sure = address.known and cut.known and cut.text.isdecimal()
    kept = [unquote(part) for part in parts[int(cut.text) if sure else 0 :]]
    bare = sorted_.has("-nH --no-host-directories")
    for whole in {"/".join(kept)} if bare else {"/".join([host, *kept])}:
        yield word_of(whole or ".", known=sure)


def _expanded(address: Word) -> Iterator[Word]:
    """The addresses that curl makes of one with braces and brackets."""
    if not (address.known and any(sign in address.text for sign in "{[")):
        yield address
        return
    plain = _RANGES.sub("*", address.text)
    pieces = _SETS.split(plain)
    ways = [it.split(",") if at % 2 else [it] for at, it in enumerate(pieces)]
    if prod(map(len, ways)) > _MAX_ADDRESSES:
        yield address.spelled("$").lost()
        return
    for way in product(*ways):
        yield address.spelled("".join(way), glob="*" in plain)
