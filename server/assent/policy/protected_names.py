"""The names of places whose change would change what is allowed later, in small letters."""

from typing import Final

__all__ = [
    "BARE",
    "FILES",
    "FOLDERS",
    "GIT",
    "IN_GIT",
    "OF_GIT",
    "PARENTS",
    "PROGRAMS",
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
    ".github/mcp.json",
    ".githooks",
    ".local/share/systemd",
    ".config/pre-commit",
    ".config/lefthook",
    ".config/direnv",
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
)

PROGRAMS: Final = (".local/bin",)
"""Folders in which programs are found by their names. To name one in a text is to run it."""

WORDS: Final = tuple(".agent .agents .antigravity .cline .forge .grok .kimi".split())
"""Folders of agents that are called as much else is, so that a text has to name them as folders."""

# The last of them say what the names of programs stand for, such as `node`, wherever asdf or mise
# is used. What only a build tool reads is left out: it asks by itself, or a rule allows it whole.
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
        " lefthook.yml lefthook.yaml lefthook.toml lefthook.json lefthook-local.yml .lefthook.yml"
        " .yarnrc .yarnrc.yml .pnpmfile.cjs .cargo/config .cargo/config.toml"
        " .gradle/init.gradle .gradle/init.gradle.kts .m2/settings.xml .pip/pip.conf"
        " .vimrc .gvimrc .exrc .nvimrc .emacs .gdbinit .lldbinit .tmux.conf .screenrc .direnvrc"
        " .hgrc .hg/hgrc .curlrc .wgetrc .psqlrc .sqliterc .irbrc .pryrc .rprofile .pythonrc.py"
        " .docker/config.json .kube/config .aws/config"
    ).split()
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

SUFFIXES: Final = (".code-workspace",)
