"""What cannot be undone in tools that talk to services, and tools known only for that.

The first stand in the rows of those tools; the others have a row here, which tells nothing else.
"""

from typing import Final

from assent.gate.programs.harm import Harm
from assent.gate.programs.rows import Row

__all__ = [
    "CLOUDS",
    "CONTAINERS",
    "FETCHERS",
    "FETCHING",
    "GIT_LOG_INS",
    "HUBS",
    "KEYS",
    "PACKAGES",
    "PUBLISHERS",
    "QUERIES",
    "REMOTES",
    "REMOVING",
    "SENDERS",
    "SERVERS",
    "SERVICES",
    "TALKERS",
    "TALKING",
]

_DRY: Final = "--dry-run --dryrun"
_PUBLISHES: Final = "Publishes a version for everybody; it cannot be published again."
_INFRASTRUCTURE: Final = "Changes the real infrastructure as these files say."
_DESTROYS: Final = "Destroys the infrastructure that these files describe."
_KEPT: Final = "Shows a secret that was put away."
_LOG_IN: Final = "Shows a log-in of yours, with which anybody can act in your name."
_OF_SECRETS: Final = ", ".join(
    f"get {way}"
    for kind in ("secret", "Secret")
    for way in (
        kind,
        f"{kind}s",
        f"{kind},*",
        f"{kind}s,*",
        f"*,{kind}*",
        f"** {kind}/*",
        f"** {kind}s/*",
    )
)
_NAMESPACED: Final = "-n= --namespace= -o= --output= -l= --selector= --template= --context= -A"
_OVERVIEWS: Final = "-o=name -o=wide --output=name --output=wide"
"""Forms of a list in which no values stand."""
_EMPTIES: Final = "Deletes the database with all that is in it."
_SECRETIVE: Final = (
    "*ecret* *oken* *assw* *redential* *pi*ey* *rivate*ey* *ccess*ey* *_auth*".split()
)
"""What the names of settings look like in which a secret stands."""
_READING_IT: Final = (
    "!ls|list|find|search|insert|add|edit|set|create|new|generate|rm|remove|delete|mv|move|rename"
    "|cp|copy|link|git|help|version|init|setup|sync|clone|config|recipients|mounts|templates"
    "|completion|update|audit|alias|env|age|fsck|reorg|unclip"
)
"""To show is what it does where its first word is no command of another kind."""

KEYS: Final = (
    Harm(
        flags="--export-secret-keys --export-secret-subkeys --export-ssh-key",
        spares="-o --output",
        says=_LOG_IN,
        shows=True,
    ),
    Harm(flags="-d --decrypt", spares="-o --output", says=_KEPT, shows=True),
)
GIT_LOG_INS: Final = (Harm(words="fill, get", says=_LOG_IN, shows=True),)
SENDERS: Final = (Harm(form="sent"),)
QUERIES: Final = (Harm(form="query"),)
REMOTES: Final = (Harm(form="copied", spares="-n --dry-run"),)
TALKERS: Final = (Harm(of="nc ncat netcat socat telnet", form="piped"),)

PUBLISHERS: Final = (
    Harm(words="publish, ** npm publish, workspace * publish", spares=_DRY, says=_PUBLISHES),
    Harm(
        words="token list, token ls, token create, config get *oken, config get *_auth*,"
        " config get *assword",
        says=_LOG_IN,
        shows=True,
    ),
)

PACKAGES: Final = (
    *PUBLISHERS,
    Harm(
        words="unpublish",
        spares=_DRY,
        says="Takes {rest|a version} away from everybody who uses it.",
    ),
    Harm(
        words="deprecate",
        spares=_DRY,
        says="Tells everybody who uses {rest|it} not to.",
    ),
)

FETCHERS: Final = (
    Harm(
        of="terraform tofu",
        words="destroy",
        says=_DESTROYS,
    ),
    Harm(of="terraform tofu", words="apply", flags="-destroy --destroy", says=_DESTROYS),
    Harm(of="terraform tofu", words="apply", says=_INFRASTRUCTURE),
    Harm(of="terraform tofu", words="state pull", says=_KEPT, shows=True),
    # Plainly told, an output that is marked as a secret is hidden; by its name it is not.
    Harm(
        of="terraform tofu",
        words=", ".join(f"output {it}" for it in _SECRETIVE),
        formats=True,
        says=_KEPT,
        shows=True,
    ),
    Harm(
        of="terraform tofu",
        words="output",
        flags="-json -raw --json --raw",
        formats=True,
        says=_KEPT,
        shows=True,
    ),
    Harm(
        of="terraform tofu",
        words="state rm, state push, state replace-provider, force-unlock, workspace delete",
        says="Changes what is known of the real infrastructure.",
    ),
    Harm(
        of="cargo",
        words="publish",
        spares=f"{_DRY} -n",
        says=_PUBLISHES,
    ),
    Harm(
        of="poetry uv pdm hatch",
        words="publish",
        spares=_DRY,
        says=_PUBLISHES,
    ),
    Harm(
        of="gem pod luarocks cabal mix dotnet nuget swift conda",
        words="push, trunk push, upload, hex.publish, nuget push",
        says=_PUBLISHES,
    ),
    Harm(
        of="cargo gem",
        words="yank",
        spares="--undo",
        says="Takes a version away from everybody who wants to use it.",
    ),
    Harm(
        of="mix",
        words="ecto.drop, ecto.reset",
        says=_EMPTIES,
    ),
    Harm(
        of="heroku",
        words="apps:destroy, pg:reset, addons:destroy, *:destroy",
        says="Deletes {rest|the app} with all its data.",
    ),
    Harm(of="heroku", words="auth:token", says=_LOG_IN, shows=True),
    Harm(
        of="heroku",
        words="config, config:get, pg:credentials:url, redis:credentials",
        says=_KEPT,
        shows=True,
    ),
    Harm(
        of="firebase",
        words="functions:config:get, functions:secrets:access",
        says=_KEPT,
        shows=True,
    ),
    Harm(of="dotnet", words="user-secrets list", says=_KEPT, shows=True),
    Harm(of="fly flyctl", words="auth token, tokens create", says=_LOG_IN, shows=True),
    Harm(of="netlify", words="env:get, env:list", says=_KEPT, shows=True),
    Harm(
        of="fly flyctl vercel netlify firebase wrangler",
        words="** destroy, ** delete, ** remove, ** rm, *:delete, *:disable, firestore:delete",
        says="Deletes {rest|the project} on the service, for good.",
    ),
    Harm(
        of="svn",
        words="delete, rm, remove",
        takes="-m= --message=",
        flags="-m --message",
        says="Deletes {rest} in the repository of all.",
    ),
)

CONTAINERS: Final = (
    Harm(words="secret inspect", flags="--showsecret", says=_KEPT, shows=True),
    Harm(words="run, create, container run, container create", form="container"),
    Harm(
        words="system prune, system reset",
        flags="--volumes",
        says="Deletes unused containers and images, and volumes with all that is in them.",
    ),
    Harm(
        words="system prune, system reset",
        says="Deletes all stopped containers, with what is in them, and unused images.",
    ),
    Harm(
        words="volume prune",
        says="Deletes all unused volumes, with all that is in them.",
    ),
    Harm(
        words="volume rm, volume remove",
        says="Deletes the volume {rest}, with all that is in it.",
    ),
    Harm(
        words="push, image push, manifest push, compose push",
        says="Sends images to where others get them.",
    ),
    Harm(
        words="compose ** down, compose ** rm",
        flags="-v --volumes",
        says="Deletes the volumes of this project, with all that is in them.",
    ),
    Harm(
        words="stack rm, service rm, stack down, swarm leave",
        says="Stops and removes {rest|this machine} in the swarm.",
    ),
)

HUBS: Final = (
    Harm(words="auth token, config get token, config get oauth_token", says=_LOG_IN, shows=True),
    Harm(words="auth status", flags="-t --show-token", says=_LOG_IN, shows=True),
    Harm(of="glab", words="variable get, variable export", says=_KEPT, shows=True),
    Harm(
        words="repo delete",
        says="Deletes the repository {rest}, with its issues and all else.",
    ),
    Harm(
        words="gist create",
        says="Publishes {rest|what it is given} outside this machine.",
    ),
    Harm(
        words="repo edit",
        flags="--visibility",
        takes="--visibility=",
        says="Changes who can see the repository.",
    ),
    Harm(
        words="repo create",
        flags="--public",
        says="Publishes a repository, for everybody to see.",
    ),
    Harm(words="api", takes="-X= --method=", form="gh"),
    Harm(
        words="* delete, * remove, * delete-asset",
        says="Deletes the {0} {rest} on the server, for good.",
    ),
)

SERVERS: Final = (
    Harm(of="kubectl", words="create token", says=_LOG_IN, shows=True),
    Harm(of="kubectl", words="config view", flags="--raw", says=_LOG_IN, shows=True),
    Harm(
        of="kubectl",
        words=_OF_SECRETS,
        flags="-o --output --template",
        takes=_NAMESPACED,
        spares=_OVERVIEWS,
        says=_KEPT,
        shows=True,
    ),
    Harm(of="kubectl", words="view-secret, modify-secret", says=_KEPT, shows=True),
    Harm(of="redis-cli mongo mongosh", form="query"),
    Harm(
        of="kubectl",
        words="delete",
        spares="--dry-run",
        takes="-f= -l= -k= --filename= --kustomize= --selector= --grace-period= --timeout= --all -A"
        " --all-namespaces",
        form="cluster",
    ),
    Harm(
        of="kubectl",
        words="drain",
        spares="--dry-run",
        says="Ends everything that runs on the node {rest}.",
    ),
    Harm(
        of="kubectl",
        words="scale",
        flags="--replicas",
        takes="--replicas=",
        form="scaled",
    ),
    Harm(
        of="kubectl",
        words="replace",
        flags="--force",
        says="Deletes what runs in the cluster, and makes it anew.",
    ),
    Harm(
        of="kubectl",
        words="apply",
        flags="--prune",
        spares="--dry-run",
        says="Deletes in the cluster what is not in the files.",
    ),
)

CLOUDS: Final = (
    Harm(
        of="aws",
        words="configure export-credentials, configure get *secret*, configure get *token*,"
        " sts assume-role*, sts get-session-token, sts get-federation-token,"
        " sso get-role-credentials, ecr get-login-password, ecr get-authorization-token,"
        " ecr-public get-login-password, codeartifact get-authorization-token, eks get-token,"
        " rds generate-db-auth-token, iam create-access-key,"
        " ec2 get-password-data, redshift get-cluster-credentials*,"
        " lightsail get-relational-database-master-user-password",
        says=_LOG_IN,
        shows=True,
    ),
    Harm(
        of="aws",
        words="secretsmanager get-secret-value, secretsmanager batch-get-secret-value, kms decrypt",
        says=_KEPT,
        shows=True,
    ),
    Harm(
        of="aws",
        words="ssm get-parameter*",
        flags="--with-decryption",
        says=_KEPT,
        shows=True,
    ),
    Harm(
        of="gcloud",
        words="** print-access-token, ** print-identity-token, ** print-refresh-token,"
        " config config-helper, sql generate-login-token",
        says=_LOG_IN,
        shows=True,
    ),
    Harm(of="gcloud", words="secrets versions access", says=_KEPT, shows=True),
    Harm(
        of="az",
        words="account get-access-token, ad sp create-for-rbac, acr credential show, ** keys list,"
        " ** list-keys, ** show-connection-string, ** generate-sas, ad app credential reset,"
        " ad sp credential reset, webapp deployment list-publishing-*",
        says=_LOG_IN,
        shows=True,
    ),
    Harm(
        of="az",
        words="keyvault secret show, keyvault secret download, keyvault key download,"
        " ** config appsettings list, ** config connection-string list",
        says=_KEPT,
        shows=True,
    ),
    Harm(
        of="helm",
        words="uninstall, delete, del, un",
        spares="--dry-run",
        says="Uninstalls {rest} from the cluster.",
    ),
    Harm(
        of="aws",
        words="s3 rm",
        flags="--recursive",
        spares=_DRY,
        says="Deletes everything below {rest}.",
    ),
    Harm(of="aws", words="s3 rm, s3 rb", spares=_DRY, says="Deletes {rest}."),
    Harm(
        of="aws",
        words="s3 cp, s3 mv, s3 sync",
        spares=_DRY,
        takes="--delete --exclude= --include= --acl= --profile= --region= --content-type="
        " --cache-control= --endpoint-url= --storage-class= --sse=",
        form="stored",
    ),
    Harm(
        of="aws",
        words="* delete-*, * terminate-*, * deregister-*, * purge-*, * destroy-*, * remove-*",
        spares=_DRY,
        says="Deletes something of the account, for good.",
    ),
    Harm(
        of="gcloud az",
        words="** delete, ** destroy, ** purge, ** delete-batch, storage rm",
        says="Deletes {rest|something} of the account, for good.",
    ),
    Harm(
        of="gcloud",
        words="storage cp, storage mv, storage rsync",
        form="stored",
    ),
)

SERVICES: Final = (
    Row(
        names="twine flit lerna changeset semantic-release vsce ovsx mvn mvnw gradle gradlew sbt",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(of="twine", words="upload", says=_PUBLISHES),
            Harm(of="flit lerna changeset vsce ovsx", words="publish", says=_PUBLISHES),
            Harm(of="semantic-release", spares="--dry-run -d --help", says=_PUBLISHES),
            Harm(of="mvn mvnw", words="** deploy, ** release:perform", says=_PUBLISHES),
            Harm(of="gradle gradlew sbt", words="** publish, ** *:publish", says=_PUBLISHES),
            Harm(of="gradle gradlew", words="** publishPlugins", says=_PUBLISHES),
        ),
    ),
    Row(
        names="hf huggingface-cli",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(words="upload, upload-large-folder", says="Publishes {rest} on the hub."),
            Harm(words="repo delete", says="Deletes {rest} on the hub, for good."),
            Harm(words="auth token", says=_LOG_IN, shows=True),
        ),
    ),
    Row(
        names="pulumi cdk cdktf sls serverless sam eb copilot terragrunt",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(of="pulumi", flags="--show-secrets", says=_KEPT, shows=True),
            Harm(
                of="pulumi",
                words=", ".join(f"config get {it}" for it in _SECRETIVE),
                formats=True,
                says=_KEPT,
                shows=True,
            ),
            Harm(
                words="destroy, down, remove, delete, terminate, run-all destroy, app delete",
                spares="--dry-run --preview-only",
                says=_DESTROYS,
            ),
            Harm(
                words="up, apply, update, deploy, run-all apply",
                spares="--dry-run --preview-only --no-execute-changeset",
                says=_INFRASTRUCTURE,
            ),
        ),
    ),
    Row(
        names="oc eksctl doctl linode-cli hcloud vagrant multipass",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(of="oc", words="whoami", flags="-t --show-token", says=_LOG_IN, shows=True),
            Harm(of="oc", words="create token, sa get-token", says=_LOG_IN, shows=True),
            Harm(of="oc", words="config view", flags="--raw", says=_LOG_IN, shows=True),
            Harm(
                of="oc",
                words=_OF_SECRETS,
                flags="-o --output --template",
                takes=_NAMESPACED,
                spares=_OVERVIEWS,
                says=_KEPT,
                shows=True,
            ),
            Harm(of="oc", words="extract", flags="--to", takes="--to= -n=", says=_KEPT, shows=True),
            Harm(
                of="doctl",
                words="auth token, registry docker-config, kubernetes cluster kubeconfig show,"
                " databases connection, databases user get",
                says=_LOG_IN,
                shows=True,
            ),
            Harm(
                words="** delete, ** destroy, ** rm",
                spares="--dry-run",
                says="Deletes {rest|the machine}, with all that is in it.",
            ),
        ),
    ),
    Row(
        names="gsutil rclone mc s3cmd s5cmd azcopy bq hdfs hadoop",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(
                of="gsutil rclone mc s3cmd s5cmd azcopy bq",
                words="rm, rb, del, delete, deletefile, purge, rmdirs, remove",
                spares="-n --dry-run",
                says="Deletes {rest}, for good.",
            ),
            Harm(
                of="gsutil rclone mc s3cmd s5cmd azcopy",
                words="cp, mv, sync, copy, move, rsync, mirror, put, copyto, moveto",
                spares="-n --dry-run",
                takes="--delete -d",
                form="stored",
            ),
            Harm(of="bq", words="query", form="query"),
            Harm(
                of="hdfs hadoop",
                words="dfs, fs",
                flags="-rm -rmr -expunge",
                says="Deletes {rest} in the shared store.",
            ),
        ),
    ),
    Row(
        names="docker-compose podman-compose",
        reads=False,
        operands=None,
        form="docker",
        harms=(
            Harm(
                words="** down, ** rm",
                flags="-v --volumes",
                says="Deletes the volumes of this project, with all that is in them.",
            ),
            Harm(words="exec, run", form="inner"),
        ),
    ),
    Row(
        names="clickhouse clickhouse-client cockroach sqlcmd snowsql cqlsh valkey-cli sqlite",
        reads=False,
        operands=None,
        form="untold",
        harms=QUERIES,
    ),
    Row(
        names="dropdb dropuser mysqladmin pg_restore mongorestore flyway liquibase sqlx diesel"
        " dbmate alembic prisma supabase sequelize sequelize-cli airflow flask",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(of="dropdb dropuser", says="Deletes {rest|it} with all that is in it."),
            Harm(of="mysqladmin", words="** drop", says=_EMPTIES),
            Harm(
                of="pg_restore mongorestore",
                flags="-c --clean --drop",
                says="Drops what is in the database before it restores.",
            ),
            Harm(of="flyway", words="** clean", says=_EMPTIES),
            Harm(of="liquibase", words="** drop-all, ** dropAll", says=_EMPTIES),
            Harm(
                of="sqlx diesel dbmate supabase airflow",
                words="database drop, database reset, drop, db reset, db clean",
                says=_EMPTIES,
            ),
            Harm(of="prisma", words="migrate reset", says=_EMPTIES),
            Harm(of="prisma", words="db push", flags="--force-reset", says=_EMPTIES),
            Harm(
                of="alembic flask",
                words="downgrade, db downgrade",
                spares="--sql",
                says="Takes the database back: what newer columns hold is lost.",
            ),
            Harm(of="sequelize sequelize-cli", words="db:drop", says=_EMPTIES),
        ),
    ),
    Row(
        names="rails rake artisan manage.py django-admin",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(
                of="rails rake",
                words="** db:drop, ** db:reset, ** db:migrate:reset, ** db:schema:load,"
                " ** db:drop:all, ** db:truncate_all, ** db:seed:replant, ** db:purge",
                says=_EMPTIES,
            ),
            Harm(
                of="rails rake",
                words="credentials:show, secrets:show, encrypted:show",
                says=_KEPT,
                shows=True,
            ),
            Harm(
                of="artisan",
                words="migrate:fresh, migrate:reset, migrate:refresh, db:wipe",
                says=_EMPTIES,
            ),
            Harm(
                of="manage.py django-admin",
                words="flush, reset_db, sqlflush",
                says="Deletes everything in the database.",
            ),
        ),
    ),
    Row(
        names="python python2 python3 pypy pypy3",
        reads=False,
        operands=None,
        form="untold",
        harms=(Harm(form="module"),),
    ),
    Row(
        names="mail mailx mutt neomutt sendmail msmtp swaks",
        reads=False,
        operands=None,
        form="untold",
        harms=(Harm(spares="-e -H --help --version", says="Sends a mail, which leaves for good."),),
    ),
    Row(
        names="ngrok cloudflared bore lt localtunnel",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(
                of="cloudflared",
                words="access token, tunnel token",
                says=_LOG_IN,
                shows=True,
            ),
            Harm(
                words="http, tcp, tls, tunnel, local, start",
                says="Lets everybody on the internet reach this machine.",
            ),
            Harm(
                of="lt localtunnel",
                says="Lets everybody on the internet reach this machine.",
            ),
        ),
    ),
    Row(
        names="kill pkill killall",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(of="kill", form="killed"),
            Harm(
                of="pkill killall",
                flags="-u -U --user --euid",
                takes="-u= -U= --user= --euid=",
                form="killed",
            ),
        ),
    ),
    Row(
        names="shutdown reboot halt poweroff init telinit systemctl",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(
                of="shutdown reboot halt poweroff",
                spares="-c --help -w --wtmp-only",
                says="Shuts this machine down, with all that runs on it.",
            ),
            Harm(
                of="init telinit",
                words="0, 6",
                says="Shuts this machine down, with all that runs on it.",
            ),
            Harm(
                of="systemctl",
                words="poweroff, reboot, halt, kexec, rescue, emergency",
                says="Shuts this machine down, with all that runs on it.",
            ),
        ),
    ),
    Row(
        names="op pass gopass passage security secret-tool keyring vault bao bw lpass keepassxc-cli"
        " doppler rbw dcli teller railway argocd scw ibmcloud stripe snyk kamal jf keyctl conjur"
        " akeyless berglas aws-vault saml2aws systemd-creds nmcli wg blackbox_cat buildkite-agent"
        " cf infisical chamber sops age rage ansible-vault kwallet-query databricks"
        " git-credential-store git-credential-cache git-credential-osxkeychain"
        " git-credential-manager git-credential-libsecret git-credential-wincred"
        " docker-credential-osxkeychain docker-credential-secretservice docker-credential-pass"
        " docker-credential-wincred docker-credential-desktop docker-credential-gcloud"
        " docker-credential-ecr-login docker-credential-gcr",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(
                of="git-credential-store git-credential-cache git-credential-osxkeychain"
                " git-credential-manager git-credential-libsecret git-credential-wincred"
                " docker-credential-osxkeychain docker-credential-secretservice"
                " docker-credential-pass docker-credential-wincred docker-credential-desktop"
                " docker-credential-gcloud docker-credential-ecr-login docker-credential-gcr",
                words="get",
                says=_LOG_IN,
                shows=True,
            ),
            Harm(
                of="op",
                words="read, item get, document get, inject",
                takes="--account= --vault= --session= --format= --config=",
                says=_KEPT,
                shows=True,
            ),
            Harm(
                of="pass gopass passage",
                words=f"show, otp, cat, grep, {_READING_IT}",
                spares="-c --clip",
                says=_KEPT,
                shows=True,
            ),
            Harm(of="rbw", words="get, code, totp, history", says=_KEPT, shows=True),
            Harm(of="dcli", words="password, p, note, n, read, r, otp, o", says=_KEPT, shows=True),
            Harm(of="teller", words="show, env, export, sh, yaml", says=_KEPT, shows=True),
            Harm(of="railway", words="variables", spares="--set", says=_KEPT, shows=True),
            Harm(
                of="argocd",
                words="admin initial-password, account generate-token",
                says=_LOG_IN,
                shows=True,
            ),
            Harm(of="scw", words="config dump, secret version access", says=_KEPT, shows=True),
            Harm(of="ibmcloud", words="iam oauth-tokens", says=_LOG_IN, shows=True),
            Harm(of="stripe", words="config", flags="--list", says=_LOG_IN, shows=True),
            Harm(of="snyk", words="config get api, config get *oken*", says=_LOG_IN, shows=True),
            Harm(of="kamal", words="secrets print, secrets fetch", says=_KEPT, shows=True),
            Harm(of="jf", words="config export, c export", says=_LOG_IN, shows=True),
            Harm(of="keyctl", words="print, pipe, read", says=_KEPT, shows=True),
            Harm(of="conjur", words="variable get", says=_KEPT, shows=True),
            Harm(of="akeyless", words="get-secret-value", says=_KEPT, shows=True),
            Harm(of="berglas", words="access", says=_KEPT, shows=True),
            Harm(of="aws-vault saml2aws", words="export, script", says=_LOG_IN, shows=True),
            Harm(of="systemd-creds", words="cat, decrypt * -", says=_KEPT, shows=True),
            Harm(of="nmcli", flags="-s --show-secrets", says=_KEPT, shows=True),
            Harm(of="nmcli", words="device wifi show-password", says=_KEPT, shows=True),
            Harm(of="wg", words="showconf, show * private-key", says=_KEPT, shows=True),
            Harm(of="blackbox_cat", says=_KEPT, shows=True),
            Harm(of="buildkite-agent", words="secret get", says=_KEPT, shows=True),
            Harm(of="cf", words="env, service-key, oauth-token", says=_LOG_IN, shows=True),
            Harm(
                of="security",
                words="find-generic-password, find-internet-password, dump-keychain, export",
                says=_KEPT,
                shows=True,
            ),
            Harm(of="secret-tool", words="lookup, search", says=_KEPT, shows=True),
            Harm(of="keyring", words="get", says=_KEPT, shows=True),
            Harm(of="vault bao", words="read, kv get, unwrap", says=_KEPT, shows=True),
            Harm(
                of="vault bao",
                words="print token, token create, token lookup",
                says=_LOG_IN,
                shows=True,
            ),
            Harm(
                of="bw",
                words="get password, get item, get totp, get notes, get attachment, list items,"
                " export, unlock",
                says=_KEPT,
                shows=True,
            ),
            Harm(
                of="lpass keepassxc-cli",
                words="show, export, attachment-export",
                says=_KEPT,
                shows=True,
            ),
            Harm(
                of="doppler infisical",
                words="secrets, export, configure get token",
                says=_KEPT,
                shows=True,
            ),
            Harm(of="chamber", words="read, export, env", says=_KEPT, shows=True),
            Harm(of="sops", words="decrypt", spares="-i --in-place", says=_KEPT, shows=True),
            Harm(
                of="sops",
                flags="-d --decrypt",
                spares="-i --in-place -o --output",
                says=_KEPT,
                shows=True,
            ),
            Harm(
                of="age rage",
                flags="-d --decrypt",
                spares="-o --output",
                takes="-i= --identity= -j=",
                says=_KEPT,
                shows=True,
            ),
            Harm(of="ansible-vault", words="view", says=_KEPT, shows=True),
            Harm(of="kwallet-query", flags="-r --read-password", says=_KEPT, shows=True),
            Harm(of="databricks", words="auth token, tokens create", says=_LOG_IN, shows=True),
            Harm(of="databricks", words="secrets get-secret", says=_KEPT, shows=True),
        ),
    ),
    Row(
        names="zfs zpool btrfs lvremove vgremove pvremove cryptsetup userdel deluser restic borg",
        reads=False,
        operands=None,
        form="untold",
        harms=(
            Harm(of="zfs zpool", words="destroy, rollback", says="Destroys {rest} with its data."),
            Harm(of="btrfs", words="subvolume delete", says="Destroys {rest} with its data."),
            Harm(of="lvremove vgremove pvremove", says="Destroys the volume {rest} with its data."),
            Harm(of="cryptsetup", words="luksFormat, erase, luksErase", says="Destroys {rest}."),
            Harm(of="userdel deluser", says="Removes the user {rest} of this machine."),
            Harm(
                of="restic borg",
                words="forget, prune, delete",
                spares="-n --dry-run",
                says="Removes copies that were kept for the case of need.",
            ),
        ),
    ),
)
"""Rows that know only losses: what else such a tool does, nobody has told."""

TALKING: Final = tuple(
    frozenset(it.split())
    for it in """ab, act, ansible, ansible-playbook, apprise, arping, autocannon, autossh, axel, b2
    bore, borg, carthage, clickhouse-client, deno cache, elm install, getent ahosts, getent hosts
    git cvsimport, git imap-send, git instaweb, git send-email, git svn, grype, guix pull
    kinit, logger -n, lpr -H, magic-wormhole, osv-scanner, packer build, rdate, rebar3 get-deps
    resolvectl query, rpcinfo, shards install, showmount, sls, snyk, supabase, syft, syncthing
    systemd-resolve, trivy, vault
    buf push, cdk deploy, chisel, cloudflared, conan install, cpan, cpanm, croc, dart pub
    docker compose, docker run, docker service, doggo, drill, dvc fetch, dvc pull, dvc push, eb
    ffsend, flutter pub, fping, git --remote, git lfs clone, git lfs fetch, git lfs pull
    git lfs push, git send-pack, go get, go install, gpg --keyserver, gpg --recv-keys
    gpg --search-keys, grpcurl, gsutil, heroku, hey, hf download, hping3, huggingface-cli, iperf
    iperf3, journalctl -H, k6, kaggle, kcat, ldapadd, ldapdelete, ldapmodify, ldapsearch, locust
    mc cp, mc mirror, mc share, meson subprojects, mosquitto_pub, mosquitto_sub, mount cifs
    mount nfs, mount nfs4, msmtp, mutt, nats, ncftp, neomutt, netlify, ngrok, nix build
    nix develop, nix run, nix shell, nping, ntpdate, ollama pull, ollama push, playwright install
    podman run, pub get, pulumi, rclone, s3cmd, s4cmd, s5cmd, sam deploy, serverless, siege
    skopeo, snmpget, snmpset, snmpwalk, speedtest, speedtest-cli, swaks, swift resolve
    swift update, systemctl -H, tailscale, transmission-cli, vagrant, vcpkg install, vegeta
    vercel, wandb, webtorrent, websocat, wormhole, wrangler, wrk, yt-dlp, youtube-dl
    zerotier-cli
    arp-scan, asdf install, avahi-browse, corepack, git daemon, git fetch-pack, go mod, guix install
    mise install, npm exec, nix-shell, nsupdate
    pre-commit install-hooks, pyenv install, python http.server, python3 http.server
    rbenv install, sdk install, stripe, tldr, uv tool
    volta install, busybox httpd, git annex, git maintenance, git request-pull, lp -h
    ansible-galaxy install, ansible-galaxy collection, ansible-galaxy role, ansible-galaxy search
    argocd, azcopy, circleci, consul, cosign, crictl pull, ctr pull, doctl, eksctl, flux, fly
    flyctl, hcloud, istioctl, kafka-console-consumer, kafka-console-consumer.sh
    kafka-console-producer, kafka-console-producer.sh, kafka-topics, kafka-topics.sh, nomad, oci
    regctl, sentry-cli, stern, tea
    bq, buildah pull, buildah push, buildah login, buildah from, crane, etcdctl, flit publish
    fossil clone, fossil pull, fossil push, fossil sync, fossil update, go list -u
    go list -versions, kafkacat, kopia, mc cat, mc diff, mc du, mc find, mc head, mc ls, mc mb
    mc mv, mc pipe, mc rb, mc rm, mc stat, mc tree, oras, packer init, restic
    lein :deploy, lein :deps, lein :search, lein :upgrade, lein :ancient
    sbt :dependencyUpdates, sbt :publish, sbt :publishSigned, sbt :sonatypeBundleRelease
    sbt :update, sbt :updateClassifiers""".replace("\n", ",").split(",")
) + tuple(
    frozenset((program, word))
    for programs, words in {
        "mvn mvnw mvnd": """:deploy :deploy-file :get :copy :copy-dependencies :go-offline :resolve
        :resolve-plugins :purge-local-repository :unpack :generate :perform :wrapper :sonar -U
        --update-snapshots :display-dependency-updates :display-plugin-updates
        :display-property-updates :display-parent-updates :use-latest-versions
        :use-latest-releases :use-next-releases :update-properties :update-parent""",
        "gradle gradlew": """:publish :publishPlugins :publishToSonatype :publishToMavenCentral
        :publishAndReleaseToMavenCentral :uploadArchives :closeAndReleaseSonatypeStagingRepository
        :dependencyUpdates :jib :sonar :sonarqube :wrapper --refresh-dependencies --scan""",
    }.items()
    for program in programs.split()
    for word in words.split()
)
"""Commands that hardly do anything but speak with other machines, where no host says so: the name
of each, and words that stand with it. Behind a colon stands what a word may end with: the task in
the name of a plugin, or of a part of the project."""

FETCHING: Final = (frozenset(("go", "list")), frozenset(("go", "doc")))
"""Commands that only read, and bring in what they lack for it, written in the same way."""

REMOVING: Final = tuple(
    frozenset(it.split())
    for it in """git branch -d, git branch -D, git branch --delete, git tag -d, git tag --delete
    git replace -d, git replace --delete, git notes remove, git notes prune, git lfs prune
    git submodule deinit, svn rm, svn remove, svn delete, svn del, hg rm, hg remove, hg purge
    hg strip, cvs remove, cvs rm, bzr rm, bzr remove, fossil rm, jj abandon, zip -d, zip --delete
    7z d, 7za d, 7zr d, 7zz d, ar d, dpkg -r, dpkg -P, dpkg --remove, dpkg --purge, rpm -e
    rpm --erase, pacman -R, pacman -Rs, pacman -Rn, pacman -Rns, pacman -Rsc, apk del
    zypper rm, brew cleanup, at -d, at -r, journalctl --vacuum-time, journalctl --vacuum-size
    journalctl --vacuum-files, bleachbit -c, bleachbit --clean, curl DELETE, xh DELETE
    http DELETE, gh api DELETE, rclone delete, rclone purge, rclone deletefile, rsync --delete
    tmutil delete, ipcrm, crontab -r, conda remove, mamba remove, aws mv, gsutil mv, gcloud mv
    rclone move, rclone moveto, rclone cleanup, rclone rmdirs, mc mv, mc rb, mc rm, s3cmd mv, rip
    vault destroy, vault delete, vault disable, consul delete, etcdctl del, virsh undefine
    virsh vol-delete, virsh vol-wipe, virsh snapshot-delete, virsh checkpoint-delete
    virsh pool-delete, virsh pool-undefine, virsh net-undefine""".replace("\n", ",").split(",")
)
"""Commands that remove something, be it no file: the name of each, and words that stand with it."""
