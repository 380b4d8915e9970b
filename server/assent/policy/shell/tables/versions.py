"""Programs that only tell their version or how they are used, when they are asked for that.

A program that first looks in the folder for which of itself to run, or for what to load, does not
stand here: launchers of toolchains (cargo, rustc, dotnet), package managers that a file replaces by
another version (yarn, pnpm, bundle), tools that prefer the one of the project (jest, nx, turbo,
webpack), and those whose plugins lie there (composer, elixir, flake8, luarocks, pdm, pipenv,
poetry). Nor does a word that makes a shell read its input. What a file can only choose among the
releases that its makers have signed, such as the toolchain of go, does.
"""

from typing import Final

__all__ = ["ASKING"]

_LONG: Final = (
    "node nodejs deno bun ruby php java javac clang clang++ gcc g++ cc c++ cpp swift kotlinc"
    " scala tsc ruff cmake make gmake ninja meson uv uvx pipx npx corepack fnm volta kubectl"
    " helm terraform tofu gh aws az gcloud psql redis-server mongod nginx pandoc shellcheck"
    " shfmt hadolint docker docker-compose podman code codium bash zsh fish ld as nm objdump"
    " readelf gdb lldb valgrind strace vim nvim emacs nano openssl gpg protoc buf perl R"
    " Rscript julia ghc stack cabal zig nim crystal ocaml opam npm pip pip3 curl wget ssh rsync"
    " tar zip git python python3 python2 pypy pypy3 python3.8 python3.9 python3.10 python3.11"
    " python3.12 python3.13 python3.14 black mypy pre-commit sqlite3 tmux jq rg fd tree busybox"
    " make patch gzip xz zstd bzip2 conda mamba gem rake hugo eslint prettier vitest biome"
    " esbuild vite playwright hatch rye"
)

_SHORT: Final = {
    "-v": "node nodejs npm npx ruby php perl deno bun docker podman gcc g++ cc clang nginx tsc"
    " luajit lua code gem eslint",
    "-V": "python python3 python2 pypy pypy3 python3.8 python3.9 python3.10 python3.11 python3.12"
    " python3.13 python3.14 pip pip3 perl ssh curl wget make zip tmux psql ruff mypy",
    "-version": "java javac ffmpeg ffprobe scala sqlite3",
    "version": "go openssl git hugo",
    "-h": "node npm pip pip3 go ffmpeg",
    "help": "npm go",
}

ASKING: Final[frozenset[tuple[str, str]]] = frozenset(
    {(name, word) for name in _LONG.split() for word in ("--version", "--help")}
    | {(name, word) for word, names in _SHORT.items() for name in names.split()}
)
"""The programs, each with the only word that makes them tell."""
