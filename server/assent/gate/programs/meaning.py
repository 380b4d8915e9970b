"""How many words of a command say what it does: the least that a broad rule must name.

A broad rule is offered only for what this table knows. None is offered for what runs any program
or script that it is given, what becomes somebody else, what fetches, and what destroys.
"""

from typing import Final

from assent.gate.programs.nested_execution.interpreters import ASKING
from assent.gate.programs.nested_execution.wrapper_rows import AFTER_WORD
from assent.gate.text.lazy_patterns import late

__all__ = ["meaning", "means_something"]

_PLAIN: Final = late(r"[A-Za-z0-9._+][A-Za-z0-9._+-]*")
_SUBWORD: Final = late(r"[A-Za-z0-9._+@:][A-Za-z0-9._+@:/-]*")

_ONE: Final = (
    "ls cat head tail wc nl tac rev cut tr sort uniq comm cmp diff paste grep egrep fgrep rg fd"
    " tree"
    " stat file du df pwd cd echo printf true false test which type basename dirname realpath"
    " readlink date whoami id uname nproc seq sleep md5sum sha1sum sha256sum cksum xxd od hexdump"
    " strings base64 jq yq sed awk column fold expand join shuf find mkdir touch cp tee"
    " pytest tox nox mypy pyright black isort flake8 pylint tsc eslint prettier jest vitest"
    " mocha rspec phpunit ctest rustfmt clippy-driver gofmt golangci-lint shellcheck shfmt hadolint"
    " stylelint biome webpack esbuild rollup cmake ninja ps pgrep lsof free uptime hostname man"
    " gcc g++ cc clang rustc javac protoc sqlfluff markdownlint vale terraform-docs actionlint"
).split()

_TWO: Final = (
    "git cargo go ruff pip pip3 npm pnpm yarn docker podman kubectl make gmake rustup uv poetry"
    " pipenv hatch pdm rye conda brew apt apt-get dnf systemctl journalctl terraform tofu helm"
    " dotnet"
    " mvn gradle bazel swift mix composer bundle gem rake rails django-admin alembic flask nx turbo"
    " vite next ng just task gh glab pre-commit deno bun zig stack cabal dune flutter dart svn"
    " hg jj docker-compose heroku vercel netlify fly wrangler firebase supabase prisma changeset"
).split()

_THREE: Final = (
    "npm run, npm run-script, pnpm run, yarn run, bun run, deno task, composer run-script, uv run,"
    " poetry run, pipenv run, hatch run, pdm run, rye run, docker compose, docker image,"
    " docker container, docker volume, docker network, docker system, docker buildx, podman image,"
    " podman container, gh pr, gh issue, gh run, gh repo, gh release, gh workflow, gh label, git"
    " stash,"
    " git remote, git worktree, git submodule, git bisect, git config, git notes, git reflog, git"
    " lfs,"
    " go mod, go tool, go work, cargo nextest, uv pip, uv tool, kubectl config, kubectl rollout,"
    " helm repo, terraform workspace, terraform state, bundle exec, rustup component, rustup"
    " target,"
    " dotnet tool, dotnet ef, conda env, glab mr, glab issue, npm config, pnpm config, pip config"
).split(", ")

_EXACTLY: Final = frozenset(
    {
        *ASKING,
        *(f"{name} {word}" for name, words in AFTER_WORD.items() for word in words),
        "git config",
        "git submodule foreach",
        "git bisect run",
        "git filter-branch",
        *(f"{name} {use}" for name in ("bun", "npm", "pnpm", "yarn") for use in ("create", "init")),
        "npm explore",
        "npm publish",
        "npm config",
        "npm set",
        "pnpm config",
        "yarn node",
        "bun x",
        "bun run",
        "bun -e",
        "deno run",
        "deno eval",
        "go run",
        "go tool",
        "go generate",
        "cargo run",
        "cargo install",
        "docker system",
        "kubectl delete",
        "kubectl apply",
        "kubectl run",
        "gh api",
        "gh alias",
        "gh extension",
        "gh auth",
        "gh secret",
        "dotnet run",
        "dotnet tool",
        "conda env",
        "pip config",
        "uv tool",
        "terraform destroy",
        "terraform apply",
        "rails runner",
        "mix run",
        "swift run",
        "docker compose exec",
        "docker compose run",
        "docker container exec",
        "docker container run",
        "podman container exec",
        "podman container run",
        "docker-compose exec",
        "docker-compose run",
        "kubectl debug",
        "fly ssh",
        "gh codespace",
        "heroku run",
    }
)
"""Commands that run what they are given, or that cannot be undone: to the letter only."""

_COUNTS: Final = {
    **dict.fromkeys(_ONE, 1),
    **dict.fromkeys(_TWO, 2),
    **{" ".join(words.split()): 3 for words in _THREE},
}

_NAMES: Final = frozenset(words.split()[0] for words in _COUNTS)

_MODULES: Final = frozenset(
    "pytest unittest mypy pip ruff black isort flake8 pylint tox nox build venv coverage doctest"
    " compileall json.tool".split()
)
"""Modules that `python -m` may be offered a broad rule for."""

_PYTHONS: Final = late(r"python[23]?(?:\.\d+)?")


def means_something(name: str) -> bool:
    """Whether it is known how many words carry the meaning of a program.

    >>> means_something("git"), means_something("fakeroot")
    (True, False)
    """
    return name in _NAMES


def meaning(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """The first words of a command that a broad rule must name, or None where none is offered.

    >>> meaning(("git", "push", "origin")), meaning(("npm", "run", "build", "--watch"))
    (('git', 'push'), ('npm', 'run', 'build'))
    >>> meaning(("my-tool", "x")), meaning(("npm", "publish"))
    (None, None)
    """
    if not argv or not _PLAIN.fullmatch(argv[0]):
        return None
    if _PYTHONS.fullmatch(argv[0]):
        known = argv[1:2] == ("-m",) and argv[2:3] != () and argv[2] in _MODULES
        return argv[:3] if known else None
    count = _COUNTS.get(" ".join(argv[:2]), _COUNTS.get(argv[0], 0))
    words = argv[:count]
    if not words or len(words) < count or not all(map(_SUBWORD.fullmatch, words[1:])):
        return None
    if any(" ".join(argv[:length]) in _EXACTLY for length in (2, 3)):
        return None
    return words
