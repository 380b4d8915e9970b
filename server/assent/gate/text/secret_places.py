"""Where a home keeps keys, tokens and passwords."""

from typing import Final

__all__ = ["SECRETS"]

SECRETS: Final = tuple(
    (
        ".ssh .gnupg .aws .azure .config/gcloud .kube .docker/config.json .netrc .npmrc .pypirc"
        " .git-credentials .config/git/credentials .config/gh .config/hub .password-store"
        " .local/share/keyrings .local/share/kwalletd .config/op .cargo/credentials.toml"
        " .cargo/credentials .m2/settings.xml .gem/credentials .terraform.d/credentials.tfrc.json"
        " .mozilla .config/google-chrome .config/chromium .config/BraveSoftware"
        " .config/microsoft-edge .claude/.credentials.json .codex/auth.json"
        " .gemini/oauth_creds.json"
        " .bash_history .zsh_history .python_history .local/share/fish/fish_history"
    ).split()
)
"""Paths from the home: folders with all that lies in them, and files."""
