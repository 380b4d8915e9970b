"""Options between a program and its command, and which of them only choose.

`kubectl -n prod get pods` is `kubectl get pods`: a rule for the one allows the other, as it does
where the option stands behind, and `git -C src add .` is `git add .`, since `cd src && git add .`
is. So is `cargo +stable test` for `cargo test`: it chooses a release. What chooses another machine
(`docker --context`) or repository (`git --git-dir`), a toolchain of another name, a configuration
or a setting (`--kubeconfig`, `git -c`) has a reason behind it in the table, and is left out only by
what denies or asks.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from assent.gate.programs.aliases import SECOND
from assent.gate.programs.options import Sorted, take_option
from assent.gate.programs.rows import Row
from assent.gate.shell.script import bare_name
from assent.gate.shell.word import Word, word_of
from assent.gate.text.lazy_patterns import late

__all__ = ["GLOBALS", "valued_before", "without_selection"]

GLOBALS: Final = (
    Row(
        names="git",
        flags="--no-pager -P --no-optional-locks --literal-pathspecs -C= -c=!runs"
        " --git-dir=!works_elsewhere --work-tree=!works_elsewhere --namespace=!works_elsewhere"
        " --exec-path?!runs --config-env=!runs --super-prefix=!works_elsewhere"
        " --attr-source=!works_elsewhere",
    ),
    Row(names="git push", flags="-u --set-upstream -q --quiet -v --verbose"),
    Row(
        names="docker",
        flags="-l= --log-level= -D --debug -H=!leads_elsewhere --host=!leads_elsewhere"
        " -c=!leads_elsewhere --context=!leads_elsewhere --config=!leads_elsewhere"
        " --tlscacert=!leads_elsewhere --tlscert=!leads_elsewhere --tlskey=!leads_elsewhere",
    ),
    Row(
        names="docker compose",
        flags="-f= --file= -p= --project-name= --profile= --env-file= --project-directory= --ansi="
        " --progress=",
    ),
    Row(
        names="docker compose exec",
        flags="-T --no-TTY -i --interactive --index= -w= --workdir=",
    ),
    Row(names="docker exec, podman exec", flags="-i -t --interactive --tty -w= --workdir="),
    Row(
        names="podman",
        flags="--log-level= -H=!leads_elsewhere --host=!leads_elsewhere -c=!leads_elsewhere"
        " --connection=!leads_elsewhere --url=!leads_elsewhere --identity=!leads_elsewhere"
        " --root=!works_elsewhere --runroot=!works_elsewhere",
    ),
    Row(
        names="kubectl",
        flags="-n= --namespace= -o= --output= --request-timeout= -v= --v= --context= --cluster="
        " --user=!widens_rights --kubeconfig=!leads_elsewhere -s=!leads_elsewhere"
        " --server=!leads_elsewhere --token=!widens_rights --as=!widens_rights"
        " --as-group=!widens_rights --cache-dir=!works_elsewhere",
    ),
    Row(
        names="helm", flags="-n= --namespace= --debug --kube-context= --kubeconfig=!leads_elsewhere"
    ),
    Row(
        names="aws",
        flags="--profile= --region= --output= --query= --color= --cli-read-timeout="
        " --cli-connect-timeout= --no-cli-pager --no-paginate --no-cli-auto-prompt",
    ),
    Row(names="gcloud", flags="--project= --format= --verbosity= --quiet -q"),
    Row(names="gh", flags="-R= --repo="),
    Row(
        names="npm",
        flags="-w= --workspace= --prefix= -C= --loglevel= -s --silent -ws --workspaces"
        " --registry=!leads_elsewhere --userconfig=!runs --cache=!works_elsewhere",
    ),
    Row(names="npm run, npm test", flags="-s --silent -w= --workspace= --if-present"),
    Row(names="pnpm run", flags="-s --silent --if-present"),
    Row(
        names="pnpm",
        flags="-F= --filter= -C= --dir= --reporter= --loglevel= -r --recursive -w --workspace-root"
        " -s",
    ),
    Row(names="yarn", flags="--cwd= --cache-folder=!works_elsewhere --registry=!leads_elsewhere"),
    Row(
        names="cargo",
        flags="--color= -q --quiet -v -vv --verbose --locked --offline --frozen -C= --config=!runs"
        " -Z=!widens_rights --manifest-path=",
    ),
    Row(names="go", flags="-C="),
    Row(names="terraform, tofu", flags="-chdir="),
    Row(
        names="systemctl",
        flags="-n= --lines= -o= --output= -t= --type= --no-pager -l --full --user --system -q"
        " -H=!leads_elsewhere --host=!leads_elsewhere -M=!leads_elsewhere"
        " --machine=!leads_elsewhere",
    ),
    Row(
        names="make",
        flags="-s -k -j? --jobs? --silent --keep-going --no-print-directory -C= --directory="
        " -f=!runs --file=!runs --makefile=!runs -I=!works_elsewhere"
        " --include-dir=!works_elsewhere",
    ),
    Row(
        names="mvn, mvnw",
        flags="-pl= --projects= -T= --threads= -q --quiet -B --batch-mode -o --offline -U"
        " --update-snapshots -e --errors -ntp -am -amd -fae --no-transfer-progress --also-make -ff"
        " -V",
    ),
    Row(
        names="gradle, gradlew",
        flags="--console= --max-workers= -q --quiet -i --info -w --warn -s --stacktrace"
        " --no-daemon --offline --parallel --build-cache --no-build-cache --continue --rerun-tasks",
    ),
    Row(
        names="uv",
        flags="--color= -q --quiet -v --verbose --offline --no-progress --directory= --project="
        " --config-file=!leads_elsewhere --cache-dir=!works_elsewhere --python=!runs",
    ),
    Row(
        names="uv run",
        flags="-q --quiet -v --verbose --frozen --locked --no-sync --offline --no-progress",
    ),
    Row(names="npx", flags="-q --quiet --no --no-install --offline --prefer-offline"),
    Row(names="python, python3", flags="-u -B -E -s -I -O -OO -v -q"),
    Row(names="golangci-lint", flags="-v --verbose --color="),
    Row(names="poetry", flags="-q --quiet -n --no-interaction --no-ansi -v"),
    Row(
        names="pip",
        flags="-q --quiet -v --verbose --retries= --timeout= --python=!runs --log=!writes"
        " --proxy=!leads_elsewhere --cert=!leads_elsewhere --cache-dir=!works_elsewhere",
    ),
)
"""Each program, or command of one, with the options that may stand before its next word."""
_AWAY: Final = late(r"(?:.*=|-[a-z])?(?:/|~|(?:.*/)?\.\.(?:/|\Z)).*", re.DOTALL)
"""A path that leads out of the folder, in a word of its own or behind its option."""
_GLUED: Final = late(r"-C.")
"""A folder in the same word as its option, in which nobody else looks for one."""
_FROM_FILE: Final = late(r"(?:-o=?|--output=)?[\w-]*-file=.*", re.DOTALL)
"""A form of what is printed that stands in a file."""
_CARGO: Final = "cargo"
_RELEASE: Final = late(r"\+(?:stable|beta|1\.\d{1,3}(?:\.\d{1,3})?)(?:-\d{4}-\d\d-\d\d)?")
"""How a toolchain is chosen among those that the makers of the language have signed."""
_MAX_ROW_WORDS: Final = 3
"""No row names more words."""


@cache
def _rows() -> dict[str, Row]:
    return {name: row for row in GLOBALS for name in row.names.split(", ")}


@cache
def _programs() -> frozenset[str]:
    """The programs of which there is a row, or one of a command of theirs."""
    return frozenset(name.partition(" ")[0] for name in _rows())


@lru_cache(maxsize=256)
def valued_before(name: str) -> frozenset[str]:
    """The options of a program before its command whose value is, or may be, the next word.

    >>> sorted(valued_before("pnpm"))
    ['--dir', '--filter', '--loglevel', '--reporter', '-C', '-F']
    """
    known = _rows()[name].known if name in _rows() else {}
    return frozenset(flag.name for flag in known.values() if flag.values or flag.attached)


def without_selection(argv: Sequence[Word], roots: Sequence[str] = ()) -> tuple[Word, ...] | None:
    """The command without options that only choose, and with its whole name; None where it has it.

    What is chosen lies in the folder, or below one of these roots.

    >>> from assent.gate.shell.word import Exact
    >>> argv = [Exact(text=it) for it in "kubectl -n prod get pods -o wide".split()]
    >>> " ".join(it.text for it in without_selection(argv))
    'kubectl get pods -o wide'
    >>> argv = [Exact(text=it) for it in "git -C . add src".split()]
    >>> " ".join(it.text for it in without_selection(argv))
    'git add src'
    >>> " ".join(it.text for it in without_selection([Exact(text="npm"), Exact(text="t")]))
    'npm test'
    """
    kept, name = argv, bare_name(argv[0].text)
    if name == _CARGO and argv[2:] and argv[1].known and _RELEASE.fullmatch(argv[1].text):
        kept = (argv[0], *argv[2:])
    if name in _programs() and any(word.text[:1] == "-" for word in argv[1 : _MAX_ROW_WORDS + 1]):
        for depth in range(1, _MAX_ROW_WORDS + 1):
            if kept[depth:] and kept[depth].text[:1] == "-":
                row = _rows().get(" ".join([name, *(word.text for word in kept[1:depth])]))
                kept = kept if row is None else _shortened(kept, depth, row, roots)
    kept = _by_its_name(name, kept)
    return None if kept is argv else tuple(kept)


def _by_its_name(name: str, argv: Sequence[Word]) -> Sequence[Word]:
    """The same with the whole name of the program's command, where it is a short one."""
    short = argv[1] if len(argv) > 1 else None
    whole = SECOND.get(name, {}).get(short.text) if short is not None and short.known else None
    return argv if whole is None else (argv[0], *map(word_of, whole.split()), *argv[2:])


def _shortened(argv: Sequence[Word], start: int, row: Row, roots: Sequence[str]) -> Sequence[Word]:
    at = start
    while at < len(argv) and argv[at].text[:1] == "-" != argv[at].text:
        sorted_ = Sorted()
        behind = take_option(row, sorted_, argv, at)
        if sorted_.strange or sorted_.strangers or sorted_.escapes or _GLUED.match(argv[at].text):
            break
        at = behind
    there = row.names.endswith(" exec")
    plain = (_is_plain(word, () if there else roots, there=there) for word in argv[start:at])
    whole = start < at < len(argv) and all(plain)
    return (*argv[:start], *argv[at:]) if whole else argv


def _is_plain(word: Word, roots: Sequence[str], *, there: bool) -> bool:
    """Whether a word chooses among what is here; a path of a container's is `there`."""
    plain = bool(word.texts) and not (word.glob or word.several or word.home)
    return plain and (there or all(_is_here(text, roots) for text in word.texts))


def _is_here(text: str, roots: Sequence[str]) -> bool:
    below = f"{text}/".startswith(tuple(f"{root}/" for root in roots)) and "/../" not in f"{text}/"
    return below or (_AWAY.fullmatch(text) is None and _FROM_FILE.fullmatch(text) is None)
