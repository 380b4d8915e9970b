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
)

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
    ).split()
)

SYSTEM: Final = tuple(
    f"/{name}/"
    for name in """etc/bash.bashrc etc/bashrc etc/cron.d etc/crontab etc/csh.cshrc etc/environment
    etc/gitconfig etc/inputrc etc/ld.so.conf.d etc/ld.so.preload etc/profile etc/profile.d etc/ssh
    etc/sudoers etc/sudoers.d etc/systemd etc/zprofile etc/zsh etc/zshenv etc/zshrc
    var/spool/cron""".split()
)
"""What shells and services of the whole machine start with."""

GIT: Final = ".git"
"""As a path it is protected whole: a file of that name leads git to any other folder."""

IN_GIT: Final = (".git/config", ".git/hooks", ".git/info", ".git/modules", ".git/worktrees")
"""In a text, where the name alone stands at the end of many an address."""

BARE: Final = ".git"
"""How a folder's name ends that is a repository of its own."""

OF_GIT: Final = frozenset({"config", "config.worktree", "commondir", "hooks", "info"})
"""What in the folder of a repository says what git runs and reads."""

PARENTS: Final = frozenset(("", ".", "~", ".github", ".config", ".local", ".local/state", "/etc"))
"""Who replaces or removes one of these does the same to what is protected in it."""

SUFFIXES: Final = (".code-workspace",)
