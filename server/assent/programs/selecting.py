"""Options between a program and its command that only choose what that is about, or what it prints.

`kubectl -n prod get pods` is `kubectl get pods`. What chooses another machine, cluster or account
(`docker --context`, `kubectl --context`, `aws --profile`), another repository or toolchain
(`git -C`, `cargo +nightly`), a configuration or a setting (`--kubeconfig`, `git -c`) is none.
"""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from assent.bash.script import Word
from assent.text.patterns import late

__all__ = ["without_selection"]


@frozen
class _Options:
    """Those of one program."""

    valued: frozenset[str]
    """Each takes a word, behind it or after `=`."""
    bare: frozenset[str]


def _options(valued: str, bare: str = "") -> _Options:
    return _Options(frozenset(valued.split()), frozenset(bare.split()))


_MAVEN: Final = _options(
    "-pl --projects -T --threads",
    "-q --quiet -B --batch-mode -o --offline -U --update-snapshots -e --errors -ntp -am -amd -fae"
    " --no-transfer-progress --also-make -ff -V",
)
_GRADLE: Final = _options(
    "--console --max-workers",
    "-q --quiet -i --info -w --warn -s --stacktrace --no-daemon --offline --parallel --build-cache"
    " --no-build-cache --continue --rerun-tasks",
)
_TERRAFORM: Final = _options("-chdir")

OPTIONS: Final = {
    "kubectl": _options("-n --namespace --request-timeout -v --v"),
    "helm": _options("-n --namespace", "--debug"),
    "docker": _options("-l --log-level", "-D --debug"),
    "docker compose": _options(
        "-f --file -p --project-name --profile --env-file --project-directory --ansi --progress"
    ),
    "aws": _options(
        "--region --output --query --color --cli-read-timeout --cli-connect-timeout",
        "--no-cli-pager --no-paginate --no-cli-auto-prompt",
    ),
    "gcloud": _options("--project --format --verbosity", "--quiet -q"),
    "gh": _options("-R --repo"),
    "git": _options("", "--no-pager -P --no-optional-locks --literal-pathspecs"),
    "npm": _options("-w --workspace --prefix -C --loglevel", "-s --silent -ws --workspaces"),
    "pnpm": _options("-F --filter -C --dir --reporter", "-r --recursive -w --workspace-root -s"),
    "cargo": _options("--color", "-q --quiet -v -vv --verbose --locked --offline --frozen"),
    "go": _options("-C"),
    "terraform": _TERRAFORM,
    "tofu": _TERRAFORM,
    "systemctl": _options("-n --lines -o --output", "--no-pager -l --full --user --system -q"),
    "make": _options("", "-s -k -j --silent --keep-going --no-print-directory"),
    "mvn": _MAVEN,
    "mvnw": _MAVEN,
    "gradle": _GRADLE,
    "gradlew": _GRADLE,
    "uv": _options("--color", "-q --quiet -v --verbose --offline --no-progress"),
    "poetry": _options("", "-q --quiet -n --no-interaction --no-ansi -v"),
    "pip": _options("", "-q --quiet -v --verbose"),
}

_JOBS: Final = late(r"-j[0-9]+")


def without_selection(argv: Sequence[Word]) -> tuple[Word, ...] | None:
    """The command without such options before its second word; None where there are none.

    >>> argv = [Word(text=it) for it in "kubectl -n prod get pods -o wide".split()]
    >>> " ".join(it.text for it in without_selection(argv))
    'kubectl get pods -o wide'
    """
    kept = _shortened(argv, 1, argv[0].text.rpartition("/")[2]) if len(argv) > 1 else argv
    if len(kept) > 2 and kept[0].text == "docker" and kept[1].text == "compose":  # noqa: PLR2004
        kept = _shortened(kept, 2, "docker compose")
    return tuple(kept) if len(kept) < len(argv) else None


def _shortened(argv: Sequence[Word], start: int, name: str) -> Sequence[Word]:
    options, at = OPTIONS.get(name), start
    if options is None:
        return argv
    while at < len(argv) and _is_plain(argv[at]):
        flag, equals, _ = argv[at].text.partition("=")
        if flag in options.valued:
            at += 1 if equals else 2
        elif argv[at].text in options.bare or _is_other(name, argv[at].text):
            at += 1
        else:
            break
    whole = at < len(argv) and all(map(_is_plain, argv[start:at]))
    return (*argv[:start], *argv[at:]) if whole else argv


def _is_other(name: str, text: str) -> bool:
    return name == "make" and _JOBS.fullmatch(text) is not None


def _is_plain(word: Word) -> bool:
    return word.known and not word.glob and not word.several and not word.home
