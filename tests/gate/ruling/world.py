"""A small workspace and a home on the disk, with the links that lead somebody astray."""

from pathlib import Path
from typing import Final

from attrs import frozen

__all__ = ["World", "build"]

_TEXT: Final = "one\ntwo\n"

_FILES: Final = (
    *"src/app.py src/util.py src/main.ts src/lib/sums.py tests/test_app.py".split(),
    *"docs/guide.md docs/api.md README.md Makefile pyproject.toml package.json".split(),
    *".env .env.local .env.example .gitignore .git/HEAD .git/config .git/hooks/sample".split(),
    *"infra/prod.tf infra/modules/db.tf secrets/key.pem config/app.yaml logs/app.log".split(),
    *"data.json data.csv data.txt a.txt b.txt x.sh scripts/build.sh scripts/test.sh".split(),
    *"launched/rust-toolchain.toml launched/global.json launched/composer.json".split(),
    *"launched/Gemfile launched/Pipfile launched/setup.cfg launched/deep/x".split(),
    *".vscode/settings.json .github/workflows/ci.yml build/out.txt packages/a/index.js".split(),
    "config/ide/workspace.xml",
)

_HOME_FILES: Final = (
    *".bashrc .gitconfig .ssh/id_ed25519 .aws/credentials notes/todo.txt".split(),
    *".config/app/settings.toml outside/secret.txt till-evil/secret.txt".split(),
    *"dotfiles/profile dotfiles/vimrc".split(),
)

_SETS: Final = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
_RUNS: Final = _SETS + "\tfsmonitor = ./x.sh\n"

_REPOSITORIES: Final = {
    "packages/app/.git": _SETS + '[remote "origin"]\n\turl = git@example.org:ada/app.git\n',
    "packages/lib/.git": _SETS + '[filter "lfs"]\n\tprocess = git-lfs filter-process\n',
    "packages/husky/.git": _SETS + "\thooksPath = .husky/_\n",
    "unpacked/watching/.git": _RUNS,
    "unpacked/filtered/.git": _SETS + '[filter "x"]\n\tclean = ./x.sh\n',
    "unpacked/drawn/.git": _SETS + "[diff]\n\texternal = ./x.sh\n",
    "unpacked/named/.git": _SETS + '[diff "x"]\n\ttextconv = ./x.sh\n',
    "unpacked/included/.git": _SETS + "[include]\n\tpath = ../more\n",
    "unpacked/fetching/.git": _SETS + '[remote "x"]\n\tpromisor = true\n',
    "unpacked/away/.git": _SETS + "\tworktree = ../../..\n",
    "unpacked/hooked/.git": _SETS,
    "planted": _SETS,
    "planted/in/docs": _RUNS + "\tworktree = .\n",
    "{home}/private/.git": _SETS,
}
"""Where git keeps something, with its settings."""

_FOUND_BY: Final = {
    "unpacked/hooked/.git/hooks/post-index-change": "#!/bin/sh\n",
    "unpacked/led/.git": "gitdir: {home}/private/.git\n",
    "packages/inner/.git": "gitdir: ../app/.git\n",
}

_LINKS: Final = {
    "link_out": "{home}/outside",
    "link_home": "{home}",
    "link_passwd": "/etc/passwd",
    "link_env": ".env",
    "link_env2": "link_env",
    "link_profile": "../.profile",
    "link_self": "/proc/self/cwd",
    ".idea": "config/ide",
    "link_infra": "infra",
    "link_secrets": "secrets",
    "link_vscode": ".vscode",
    "link_src": "src",
    "notes.txt": "docs/guide.md",
    "dangling": "{home}/.ssh/authorized_keys",
    "loop": "loop",
    "docs/up": "../..",
    "src/lib/guide.md": "../../docs/guide.md",
    "logs/env": "../.env",
    "config/link_up": "../docs",
    "{home}/.config/app/link_ssh": "{home}/.ssh",
    "{home}/.profile": "dotfiles/profile",
}


@frozen(kw_only=True)
class World:
    """Where it was built."""

    workspace: Path
    home: Path

    def place(self, text: str) -> str:
        """A text of a case with the real folders in it."""
        return text.replace("@W@", str(self.workspace)).replace("@H@", str(self.home))


def build(below: Path) -> World:
    """Write the files and the links; the workspace lies in the home, as most do."""
    home = below.resolve() / "home" / "ada"
    workspace = home / "till"
    for folder, names in ((workspace, _FILES), (home, _HOME_FILES)):
        for name in names:
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_TEXT)
    for name, settings in _REPOSITORIES.items():
        _keep(workspace / name.format(home=home), settings)
    for name, text in _FOUND_BY.items():
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(text.format(home=home))
    for name, leads_to in _LINKS.items():
        link = workspace / name.format(home=home)
        link.symlink_to(leads_to.format(home=home))
    return World(workspace=workspace, home=home)


def _keep(folder: Path, settings: str) -> None:
    """A repository without anything in it."""
    for name in ("objects", "refs", "hooks"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(settings)
