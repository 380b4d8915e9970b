"""Programs that only print their version or help when asked for it.

Those that first look in the folder for which of themselves to run, or for what to load, stand with
the names of the files that they look for: launchers of toolchains, package managers that a file
replaces by another version, tools that prefer the one of the project or load its plugins. What a
file can only choose among the releases that its makers have signed, such as the toolchain of go,
needs none. A word that makes a shell read its input does not stand here.
"""

from typing import Final

__all__ = ["ASKING", "STEERED", "TELLING"]

_LONG: Final = (
    "node nodejs deno bun ruby php java javac clang clang++ gcc g++ cc c++ cpp swift kotlinc"
    " scala tsc ruff cmake make gmake ninja meson uv uvx pipx npx corepack fnm volta kubectl"
    " helm tofu gh aws gcloud psql redis-server mongod nginx pandoc shellcheck"
    " shfmt hadolint docker docker-compose podman code codium bash zsh fish ld as nm objdump"
    " readelf gdb lldb valgrind strace vim nvim emacs nano openssl gpg protoc buf perl R"
    " Rscript julia ghc stack cabal zig nim crystal ocaml opam npm pip pip3 curl wget ssh rsync"
    " tar zip git python python3 python2 pypy pypy3 python3.8 python3.9 python3.10 python3.11"
    " python3.12 python3.13 python3.14 black mypy pre-commit sqlite3 tmux jq rg fd tree busybox"
    " make patch gzip xz zstd bzip2 conda mamba gem rake hugo eslint prettier vitest biome"
    " esbuild vite playwright hatch rye mkdocs hyperfine delta split redis-cli terraform tfsec"
    " terragrunt wasm-pack helmfile vault consul nomad k9s kustomize journalctl systemctl"
    " golangci-lint staticcheck gofumpt trivy grype syft kubeconform skaffold tilt argocd ctest"
    " ccache perf doxygen goreleaser conftest promtool jsonnet isort pyenv mysql mariadb convert"
    " magick vcpkg clang-tidy just"
)

_SHORT: Final = {
    "-v": "node nodejs npm npx ruby php perl deno bun docker podman gcc g++ cc clang nginx tsc"
    " luajit lua code gem eslint",
    "-V": "python python3 python2 pypy pypy3 python3.8 python3.9 python3.10 python3.11 python3.12"
    " python3.13 python3.14 pip pip3 perl ssh curl wget make zip tmux psql ruff mypy"
    " mysql mariadb dot just isort",
    "-version": "java javac ffmpeg ffprobe scala sqlite3 terraform tofu convert magick identify",
    "version": "go openssl git hugo helm tofu terraform vault consul nomad docker-compose"
    " buf protoc zig k9s kustomize minikube kind opa golangci-lint goreleaser vcpkg",
    "-h": "node npm pip pip3 go ffmpeg",
    "-m": "php",
    **dict.fromkeys(
        ("-dumpversion", "-dumpmachine", "-dumpfullversion", "-print-search-dirs"),
        "gcc g++ cc c++ clang clang++",
    ),
    **dict.fromkeys(("size", "speed", "-a", "--all"), "stty"),
    **dict.fromkeys(
        ("--help-command-list", "--help-module-list", "--help-policy-list", "--help-variable-list"),
        "cmake",
    ),
    "--list-presets": "cmake ctest",
    "help": "npm go",
}

_TOOLCHAIN: Final = ("rust-toolchain", "rust-toolchain.toml")
_PACKAGE: Final = ("package.json", "node_modules", ".npmrc")

STEERED: Final[dict[str, tuple[str, ...]]] = {
    "cargo": _TOOLCHAIN,
    "rustc": _TOOLCHAIN,
    "rustup": _TOOLCHAIN,
    "rustfmt": _TOOLCHAIN,
    "dotnet": ("global.json",),
    "pnpm": (*_PACKAGE, "pnpm-workspace.yaml", ".pnpmfile.cjs"),
    "pnpx": (*_PACKAGE, "pnpm-workspace.yaml", ".pnpmfile.cjs"),
    "jest": _PACKAGE,
    "nx": (*_PACKAGE, "nx.json"),
    "turbo": (*_PACKAGE, "turbo.json"),
    "webpack": _PACKAGE,
    "composer": ("composer.json", "vendor"),
    "bundle": ("Gemfile", "gems.rb", ".bundle"),
    "poetry": ("pyproject.toml", "poetry.toml", ".env"),
    "pdm": ("pyproject.toml", "pdm.toml", ".pdm-python", ".pdm-plugins"),
    "pipenv": ("Pipfile", ".env"),
    "flake8": ("setup.cfg", "tox.ini", ".flake8"),
    "luarocks": (".luarocks", "lua_modules"),
    "ansible": ("ansible.cfg",),
    "checkov": (".checkov.yaml", ".checkov.yml"),
    "tox": ("toxfile.py", "☣.py"),
    "conan": (".conanrc",),
    "ansible-playbook": ("ansible.cfg",),
}
"""Programs that become another one, or load code, if such a file lies here or above."""

_SHORT_STEERED: Final = {
    "-v": "pnpm",
    "-V": "cargo rustc rustup composer",
    "-h": "cargo rustc",
    "help": "cargo",
    **dict.fromkeys(("--info", "--list-sdks", "--list-runtimes"), "dotnet"),
}

_OF_GO: Final = "GOPATH GOROOT GOOS GOARCH GOBIN GOMODCACHE GOCACHE GOMOD GOVERSION".split()

TELLING: Final = frozenset(
    (
        "umask",
        *(f"git help {it}" for it in ("-a", "-g", "-c", "--all", "--guides", "--config")),
        "argocd version --client",
        "argocd version --client --short",
        "istioctl version --remote=false",
        "cmake --build --help",
        "cmake --build --list-presets",
        "docker compose version",
        "gcloud version",
        "helm version --short",
        "rustc -vV",
        "rustc --version --verbose",
        "go env",
        *(f"go env {one} {other}" for one in _OF_GO for other in _OF_GO),
        *(f"go help {it}" for it in "build test run env mod get install vet list tool".split()),
        "docker compose version --short",
        "docker buildx version",
        "docker context ls",
        *(f"docker ps{it}" for it in ("", " -a", " --all", " -q", " -aq")),
        *(f"docker {it}" for it in ("images", "image ls", "volume ls", "network ls", "compose ls")),
        *(f"conda {it}" for it in ("env list", "env list --json", "info --envs", "info -e")),
        "helm plugin list",
        "rustup toolchain list",
        *(f"rustup {it} list --installed" for it in ("target", "component")),
        "kubectl config current-context",
        "kubectl config get-contexts",
        *(f"ip {it}" for it in ("a", "addr", "address", "r", "route", "l", "link", "-br a")),
        "apt list --installed",
        "brew list",
        "gem list",
        "kubectl version --client",
        *(f"kubectl version --client -o {it}" for it in ("json", "yaml")),
        *(f"kubectl version --client --output={it}" for it in ("json", "yaml")),
        *(f"go env {it}" for it in _OF_GO),
    )
)
"""The same, where it takes more words."""

ASKING: Final[frozenset[tuple[str, str]]] = frozenset(
    {(name, word) for name in (*_LONG.split(), *STEERED) for word in ("--version", "--help")}
    | {(name, word) for word, names in _SHORT.items() for name in names.split()}
    | {(name, word) for word, names in _SHORT_STEERED.items() for name in names.split()}
)
"""The programs, each with the only word that makes them tell."""
