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
        " .vault-token .pgpass .my.cnf .config/containers/auth.json .config/rclone .config/glab-cli"
        " .config/github-copilot .config/doctl .config/sops .config/fly .fly .config/heroku"
        " .config/netlify .config/vercel .local/share/com.vercel.cli"
        " .local/share/opencode/auth.json .s3cfg .boto .databrickscfg .snowsql"
        " .pulumi/credentials.json .kaggle/kaggle.json"
        " .m2/settings-security.xml .composer/auth.json .config/composer/auth.json .subversion/auth"
        " .config/solana .ethereum/keystore .bitcoin .electrum .config/Bitwarden .config/Slack"
        " .thunderbird .putty .config/filezilla .config/Code/User/globalStorage"
        " .bash_history .zsh_history .python_history .local/share/fish/fish_history"
        " .cache/huggingface/token .huggingface/token .cloudflared .config/pypoetry/auth.toml"
        " .config/ngrok .config/stripe .config/.wrangler .config/configstore/firebase-tools.json"
        " .config/helm/registry .age .oci .dockercfg .smbcredentials"
        " .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history"
    ).split()
)
"""Paths from the home: folders with all that lies in them, and files."""
