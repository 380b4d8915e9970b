"""The names of protected places, in small letters."""

from typing import Final

from assent.gate.text.lazy_patterns import late

__all__ = [
    "BARE",
    "FILES",
    "FOLDERS",
    "GIT",
    "IN_GIT",
    "LOADED",
    "OF_GIT",
    "PACKAGES",
    "PARENTS",
    "PROGRAMS",
    "STEERING",
    "SUFFIXES",
    "SYSTEM",
    "WORDS",
]

FOLDERS: Final = (
    ".vscode",
    ".vscode-server",
    ".idea",
    ".theia",
    ".husky",
    ".devcontainer",
    ".github/workflows",
    ".claude",
    ".cursor",
    ".gemini",
    ".codex",
    ".roo",
    ".amazonq",
    ".kiro",
    ".zed",
    ".qwen",
    ".opencode",
    ".windsurf",
    ".continue",
    ".ssh",
    ".gnupg",
    ".aider.conf.yml",
    ".amp",
    ".aws/amazonq",
    ".clinerules",
    ".cursor-server",
    ".openhands",
    ".roomodes",
    ".vscode-insiders",
    ".vscode-oss",
    ".config/amp",
    ".config/gemini",
    ".config/github-copilot",
    ".config/nushell",
    ".config/powershell",
    ".config/trae",
    "library/application support/cursor",
    "library/application support/vscodium",
    ".augment",
    ".codeium",
    ".copilot",
    ".crush",
    ".factory",
    ".goose",
    ".junie",
    ".kilocode",
    ".trae",
    ".vibe",
    ".assent",
    ".config/assent",
    ".config/code - insiders",
    ".config/crush",
    ".config/goose",
    ".config/windsurf",
    ".config/code",
    ".config/code - oss",
    ".config/cursor",
    ".config/fish",
    ".config/git",
    ".config/opencode",
    ".config/vscodium",
    ".config/zed",
    ".config/autostart",
    ".config/environment.d",
    ".config/systemd",
    ".local/state/assent",
    "library/application support/assent",
    "library/application support/code",
    ".config/mise",
    ".mise",
    "mise/conf.d",
    "mise/config.toml",
    "mise/config.local.toml",
    ".codebuddy",
    ".iflow",
    ".kilo",
    ".qoder",
    ".rooignore",
    ".rovodev",
    ".tabnine",
    ".config/kilo",
    ".github/agents",
    ".github/copilot",
    ".github/hooks",
    ".github/lsp.json",
    ".github/mcp.json",
    ".githooks",
    ".local/share/systemd",
    ".config/pre-commit",
    ".config/lefthook",
    ".config/direnv",
    ".config/jj",
    ".config/nvim",
    ".config/emacs",
    ".config/pip",
    ".config/user-tmpfiles.d",
    ".emacs.d",
    ".vim",
    ".gradle/init.d",
    ".ipython/profile_default/startup",
    "library/launchagents",
    "library/launchdaemons",
    # What git and its kin run, or where they send things.
    ".git-hooks",
    ".lefthook",
    ".lefthook-local",
    ".captainhook",
    ".trunk",
    ".jj/repo",
    # Code that a package manager loads before it does what it is told.
    ".yarn/releases",
    ".yarn/plugins",
    # What runs elsewhere once something is pushed.
    ".github/actions",
    ".gitea/workflows",
    ".forgejo/workflows",
    ".gitlab/ci",
    ".circleci",
    ".buildkite",
    ".builds",
    ".tekton",
    ".woodpecker",
    ".semaphore",
    ".teamcity",
    ".azure-pipelines",
    ".azuredevops",
    ".harness",
    ".depot/workflows",
    # What an editor or a hosted workspace runs or reads when a folder is opened.
    ".vs",
    ".fleet",
    ".nova",
    ".helix",
    ".run",
    ".gitpod",
    ".codesandbox",
    ".idx",
    ".direnv",
    # What is there for others in the folders of a home that are else only data.
    ".local/share/applications",
    ".local/share/bash-completion",
    ".local/share/dbus-1",
    ".local/share/fish",
    ".local/share/gh/extensions",
    ".local/share/helm/plugins",
    ".local/share/fnm",
    ".local/share/gnome-shell/extensions",
    ".local/share/jupyter/kernels",
    ".local/share/mise/shims",
    ".local/share/nvim/lazy",
    ".local/share/pipx",
    ".local/share/pnpm",
    ".local/share/uv/tools",
    ".local/share/zinit",
    ".pub-cache/bin",
    ".local/share/nvim/site",
    ".local/share/zsh",
)

PROGRAMS: Final = (".local/bin", "bin/activate", "bin/python", "bin/python3")
"""Where programs are found by their names, and what a terminal or an editor starts with that is
opened in an environment of Python. To name one in a text is to run it."""

WORDS: Final = tuple(".agent .agents .antigravity .cline .forge .grok .kimi".split())
"""Folders of agents that are called as much else is, so that a text has to name them as folders."""

# Some of them say what the names of programs stand for, such as `node`, wherever asdf or mise is
# used. Left out is what only chooses among releases (`.nvmrc`, `.python-version`), what only a
# program of the project reads, which asks by itself or is allowed whole (`.mvn/`, `.bazelrc`,
# `gradle.properties`, `bunfig.toml`, `ansible.cfg`, `.rspec`), and what only names what is
# configured elsewhere (`.gitattributes`, `CODEOWNERS`).
FILES: Final = tuple(
    (
        ".gitmodules .gitconfig .mcp.json .envrc .bashrc .bash_profile .bash_login .bash_logout"
        " .bash_aliases .bash_completion .profile .shrc .zshrc .zshenv .zprofile .zlogin .zlogout"
        " .cshrc .tcshrc .login .logout .kshrc .mkshrc .xonshrc .inputrc .xinitrc .xprofile"
        " .xsessionrc .pam_environment .npmrc .pypirc .netrc .devcontainer.json .claude.json"
        " opencode.json opencode.jsonc crush.json .crush.json .continuerc.json .kilocodemodes"
        " .aider.model.settings.yml .tool-versions"
        " mise.toml .mise.toml mise.local.toml .mise.local.toml"
        " .pre-commit-config.yaml .pre-commit-config.yml .overcommit.yml .simple-git-hooks.json"
        " .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs"
        " .cargo/config .cargo/config.toml"
        " .gradle/init.gradle .gradle/init.gradle.kts .m2/settings.xml .pip/pip.conf"
        " .vimrc .gvimrc .exrc .nvimrc .emacs .gdbinit .lldbinit .tmux.conf .screenrc .direnvrc"
        " .hgrc .hg/hgrc .curlrc .wgetrc .psqlrc .sqliterc .irbrc .pryrc .rprofile .pythonrc.py"
        " .docker/config.json .kube/config .aws/config"
        " .envrc.local .envrc.private .autoenv .autoenv.zsh .rvmrc .rtx.toml .config/mise.toml"
        " .lfsconfig .huskyrc .huskyrc.js .huskyrc.json .simple-git-hooks.cjs .simple-git-hooks.js"
        " simple-git-hooks.cjs simple-git-hooks.js simple-git-hooks.json captainhook.json"
        " grumphp.yml prek.toml .sl/config"
        " hk.pkl .jjconfig.toml .prototools .lintstagedrc .lintstagedrc.json .lintstagedrc.yaml"
        " .lintstagedrc.yml .lintstagedrc.js .lintstagedrc.cjs .lintstagedrc.mjs"
        " lint-staged.config.js lint-staged.config.cjs lint-staged.config.mjs"
        " .pnpmfile.mjs .bundle/config .renviron .pdbrc .ocamlinit .ghci .iex.exs .octaverc"
        " .lldbinit-xcode .nvim.lua .lvimrc .dir-locals.el .dir-locals-2.el"
        " sitecustomize.py usercustomize.py jupyter_server_config.py jupyter_notebook_config.py"
        " jupyter_lab_config.py .cursorrules .windsurfrules"
        " .gitpod.yml .stackblitzrc .replit"
        " .gitlab-ci.yml .travis.yml jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml"
        " .drone.yml .woodpecker.yml .appveyor.yml appveyor.yml .cirrus.yml"
        " .drone.yaml .drone.jsonnet .woodpecker.yaml .cirrus.star azure-pipelines.yaml"
        " buildspec.yml buildspec.yaml cloudbuild.yaml cloudbuild.yml codefresh.yml .zuul.yaml"
    ).split()
) + tuple(
    f"{at}{name}{form}"
    for at in ("", ".", ".config/")
    for name in ("lefthook", "lefthook-local")
    for form in (".yml", ".yaml", ".toml", ".json", ".jsonc")
)

SYSTEM: Final = tuple(
    f"/{name}/"
    for name in """etc private/etc var/spool/cron var/spool/at usr/local/bin usr/local/sbin
    usr/local/etc lib/systemd usr/lib/systemd usr/local/lib/systemd library/launchagents
    library/launchdaemons""".split()
)
"""What shells and services of the whole machine start with, and where it finds programs first."""

GIT: Final = ".git"
"""As a path it is protected whole: a file of that name leads git to any other folder."""

IN_GIT: Final = (".git/config", ".git/hooks", ".git/info", ".git/modules", ".git/worktrees")
"""In a text, where the name alone stands at the end of many an address."""

BARE: Final = ".git"
"""How a folder's name ends that is a repository of its own."""

OF_GIT: Final = frozenset({"config", "config.worktree", "commondir", "hooks", "info"})
"""What in the folder of a repository says what git runs and reads."""

PARENTS: Final = frozenset({"", ".", "~"}).union(
    "/".join(parts[:length])
    for name in (*FOLDERS, *PROGRAMS, *FILES, *(name.rstrip("/") for name in SYSTEM))
    if name.startswith((".", "/"))
    for parts in [name.split("/")]
    for length in range(1, len(parts))
)
"""Who replaces or removes one of these does the same to what is protected in it."""

PACKAGES, LOADED = "site-packages", ".pth"
"""Where Python reads files with such an ending, and runs what they say, whatever it is to run."""

SUFFIXES: Final = (".code-workspace", ".sublime-project")

STEERING: Final = late(
    r"\bgit[\s,(\[]+(?:-[^\s,]+[\s,]+)*config[\s,]+(?:-[\w-]+[\s,]+)*(?:core\.(?:hookspath|fsmonitor|sshcommand"
    r"|editor|pager|askpass|gitproxy|worktree)|alias\.|filter\.|(?:diff|merge)\.\w+\.|credential\."
    r"|gpg\.|url\.|include|protocol\.)"
)
"""How code sets what git runs, quotes apart and in small letters."""
