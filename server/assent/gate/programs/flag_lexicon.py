"""What the name of a flag means, whichever program has it.

A rule for a command's first words covers flags that choose, limit or format. A flag whose name says
that it runs something, sends the command elsewhere, changes files or asks for more rights is not
meant by it. What a program's own row or scope says of a flag counts before this.
"""

import re
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final

from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = [
    "COMMANDS",
    "LEXICON",
    "Meaning",
    "Names",
    "is_name",
    "is_setting_of_code",
    "meaning_of",
    "parts_of",
]


class Meaning(StrEnum):
    """What a flag does beyond choosing, each as the end of a sentence about it."""

    RUNS = "can run something else"
    STEERS = "sends it elsewhere than the rule says"
    WRITES = "changes more than the rule says"
    WIDENS = "gives it more rights than the rule says"


@frozen(kw_only=True)
class Names:
    """The names of one meaning, without dashes and in small letters."""

    whole: frozenset[str]
    last: frozenset[str] = frozenset()
    """Words that say it at the end of a name, as in `--docker-server`."""
    part: frozenset[str] = frozenset()
    """Words that say it anywhere in a name, as in `--post-exec-hook`."""


def _names(whole: str, last: str = "", part: str = "") -> Names:
    return Names(
        whole=frozenset(whole.split()), last=frozenset(last.split()), part=frozenset(part.split())
    )


LEXICON: Final = {
    Meaning.RUNS: _names(
        "require import load script run-under runner engine ext-diff textconv rsync-path"
        " upload-pack receive-pack node-options jvm-args jvmargs java-options vm-options"
        " module-path java-home init-script init-command checkpoint-action open-files-in-pager"
        " pre-invoke post-invoke on-error extld",
        last="hook shell cmd command program compiler linker executable interpreter renderer",
        part="exec execute eval plugin plugins preload loader pager wrapper launcher rsh hooks"
        " toolexec vettool javaagent agentpath agentlib preprocessor postprocessor askpass"
        " debugger",
    ),
    Meaning.STEERS: _names(
        "config conf config-file configfile config-dir rc rcfile settings host hosts method"
        " request gateway address addr http-addr default-index index-url extra-index-url"
        " find-links trusted-host allow-insecure-host connect-to resolve socket ca-bundle"
        " socks4 socks4a socks5 socks5h socks5-hostname proxy1-0 preproxy",
        last="server apiserver servers endpoint endpoints url uri registry proxy kubeconfig"
        " config rcfile userconfig globalconfig addr socket keyserver keyservice",
        part="endpoint kubeconfig apiserver proxy",
    ),
    Meaning.WRITES: _names(
        "in-place inplace write fix fix-only unsafe-fixes output out outfile out-file output-file"
        " output-dir outdir out-dir outputfile output-path export install-types log-file logfile"
        " add-noqa autocorrect auto-correct autofix overwrite delete prune purge"
        " remove-source-files",
        last="autofix",
    ),
    Meaning.WIDENS: _names(
        "as as-group as-uid as-user sudo become privileged mount volume volumes-from device"
        " devices cap-add security-opt pid ipc userns uts all-namespaces allow-root allow-all"
        " unrestricted no-sandbox disable-sandbox yolo skip-permissions",
        part="impersonate privileged dangerously unsafely",
    ),
}
"""The classes, the gravest first."""

COMMANDS: Final = frozenset("exec eval shell ssh console repl tinker".split())
"""Words at the end of a program's command by which it runs what it is told (`emulators:exec`)."""

_TAKES_BACK: Final = frozenset(
    "no skip ignore disable without list show print check validate dry help dump".split()
)
"""Words that begin the name of a flag which only leaves something out, or tells about it."""

_DEFINES: Final = frozenset(
    """exec command runner linker wrapper launcher compiler jvmargs shell pager editor hook hooks
    hookspath fsmonitor proxycommand localcommand sshcommand invoke agent javaagent classpath
    askpass helper addopts plugins pythonpath targets preload loader rustc rustflags
    buildevent jvm makeprogram levelincludes hostpath
    prependfile appendfile extensiondir""".split()
)
"""Words in the name of a setting whose value is run, or says what is."""

_CAMEL: Final = late(r"(?<=[a-z0-9])(?=[A-Z])|[-_.:]+")
_MIN_ABBREVIATION_LETTERS: Final = 4
"""Fewer letters are no abbreviation, and behind one dash no name."""


def parts_of(name: str) -> list[str]:
    """The words that a name is made of, in small letters.

    >>> parts_of("--postExec_hook")
    ['post', 'exec', 'hook']
    """
    return [it.casefold() for it in re.split(_CAMEL.pattern, name.strip("-")) if it]


def is_name(flag: str) -> bool:
    """Whether a flag is a name, and not a row of letters.

    >>> is_name("--as"), is_name("-rf"), is_name("-exec")
    (True, False, True)
    """
    return flag.startswith("--") or len(flag.strip("-")) >= _MIN_ABBREVIATION_LETTERS


@lru_cache(maxsize=4_096)
def meaning_of(name: str) -> Meaning | None:
    """What the name of a flag says that it does; None where it only chooses or limits.

    >>> meaning_of("--kubeconfig").name
    'STEERS'
    >>> meaning_of("--no-config") is None
    True
    """
    parts = parts_of(name)
    if not parts or (len(parts) > 1 and parts[0] in _TAKES_BACK):
        return _NAMED.get("-".join(parts))
    whole = "-".join(parts)
    for meaning, names in LEXICON.items():
        if whole in names.whole or parts[-1] in names.last or names.part & {*parts}:
            return meaning
    # Many programs take the beginning of a long name for it.
    long = name.startswith("--") and len(whole) >= _MIN_ABBREVIATION_LETTERS
    return next((it for full, it in _NAMED.items() if long and _shortens(whole, full)), None)


def is_setting_of_code(name: str) -> bool:
    """Whether the value of a setting of this name is run, or says what is.

    >>> is_setting_of_code("core.sshCommand"), is_setting_of_code("user.name")
    (True, False)
    """
    parts = parts_of(name)
    pairs = {f"{one}{other}" for one, other in pairwise(parts)}
    return bool(_DEFINES & {*parts, *pairs})


_NAMED: Final = {
    word: meaning
    for meaning, names in LEXICON.items()
    for word in sorted(names.whole | names.last | names.part)
}
"""Each word of the lexicon with its meaning."""

_OTHERS: Final = frozenset(
    "serve wrap load page comp link inter check debug compile prog comm inst over with user".split()
)
"""Beginnings of such words that are names of their own."""


def _shortens(name: str, full: str) -> bool:
    return full.startswith(name) and full[len(name) :][:1] not in {"", "-"} and name not in _OTHERS
