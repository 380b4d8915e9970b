"""What cannot be undone in tools that talk to services, and tools known only for that.

The first stand in the rows of those tools; the others have a row here, which tells nothing else.
"""

from typing import Final

from assent.gate.programs.irreversible_uses import IrreversibleUse
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
    IrreversibleUse(
        flags="--export-secret-keys --export-secret-subkeys --export-ssh-key",
        sparing_flags="-o --output",
        sentence=_LOG_IN,
        shows_secret=True,
    ),
    IrreversibleUse(
        flags="-d --decrypt", sparing_flags="-o --output", sentence=_KEPT, shows_secret=True
    ),
)
GIT_LOG_INS: Final = (IrreversibleUse(words="fill, get", sentence=_LOG_IN, shows_secret=True),)
SENDERS: Final = (IrreversibleUse(form="sent"),)
QUERIES: Final = (IrreversibleUse(form="query"),)
REMOTES: Final = (IrreversibleUse(form="copied", sparing_flags="-n --dry-run"),)
TALKERS: Final = (IrreversibleUse(tools="nc ncat netcat socat telnet", form="piped"),)

PUBLISHERS: Final = (
    IrreversibleUse(
        words="publish, ** npm publish, workspace * publish",
        sparing_flags=_DRY,
        sentence=_PUBLISHES,
    ),
    IrreversibleUse(
        words="token list, token ls, token create, config get *oken, config get *_auth*,"
        " config get *assword",
        sentence=_LOG_IN,
        shows_secret=True,
    ),
)

PACKAGES: Final = (
    *PUBLISHERS,
    IrreversibleUse(
        words="unpublish",
        sparing_flags=_DRY,
        sentence="Takes {rest|a version} away from everybody who uses it.",
    ),
    IrreversibleUse(
        words="deprecate",
        sparing_flags=_DRY,
        sentence="Tells everybody who uses {rest|it} not to.",
    ),
)

FETCHERS: Final = (
    IrreversibleUse(
        tools="terraform tofu",
        words="destroy",
        sentence=_DESTROYS,
    ),
    IrreversibleUse(
        tools="terraform tofu", words="apply", flags="-destroy --destroy", sentence=_DESTROYS
    ),
    IrreversibleUse(tools="terraform tofu", words="apply", sentence=_INFRASTRUCTURE),
    IrreversibleUse(tools="terraform tofu", words="state pull", sentence=_KEPT, shows_secret=True),
    # Plainly told, an output that is marked as a secret is hidden; by its name it is not.
    IrreversibleUse(
        tools="terraform tofu",
        words=", ".join(f"output {it}" for it in _SECRETIVE),
        flags_only_format=True,
        sentence=_KEPT,
        shows_secret=True,
    ),
    IrreversibleUse(
        tools="terraform tofu",
        words="output",
        flags="-json -raw --json --raw",
        flags_only_format=True,
        sentence=_KEPT,
        shows_secret=True,
    ),
    IrreversibleUse(
        tools="terraform tofu",
        words="state rm, state push, state replace-provider, force-unlock, workspace delete",
        sentence="Changes what is known of the real infrastructure.",
    ),
    IrreversibleUse(
        tools="cargo",
        words="publish",
        sparing_flags=f"{_DRY} -n",
        sentence=_PUBLISHES,
    ),
    IrreversibleUse(
        tools="poetry uv pdm hatch",
        words="publish",
        sparing_flags=_DRY,
        sentence=_PUBLISHES,
    ),
    IrreversibleUse(
        tools="gem pod luarocks cabal mix dotnet nuget swift conda",
        words="push, trunk push, upload, hex.publish, nuget push",
        sentence=_PUBLISHES,
    ),
    IrreversibleUse(
        tools="cargo gem",
        words="yank",
        sparing_flags="--undo",
        sentence="Takes a version away from everybody who wants to use it.",
    ),
    IrreversibleUse(
        tools="mix",
        words="ecto.drop, ecto.reset",
        sentence=_EMPTIES,
    ),
    IrreversibleUse(
        tools="heroku",
        words="apps:destroy, pg:reset, addons:destroy, *:destroy",
        sentence="Deletes {rest|the app} with all its data.",
    ),
    IrreversibleUse(tools="heroku", words="auth:token", sentence=_LOG_IN, shows_secret=True),
    IrreversibleUse(
        tools="heroku",
        words="config, config:get, pg:credentials:url, redis:credentials",
        sentence=_KEPT,
        shows_secret=True,
    ),
    IrreversibleUse(
        tools="firebase",
        words="functions:config:get, functions:secrets:access",
        sentence=_KEPT,
        shows_secret=True,
    ),
    IrreversibleUse(tools="dotnet", words="user-secrets list", sentence=_KEPT, shows_secret=True),
    IrreversibleUse(
        tools="fly flyctl", words="auth token, tokens create", sentence=_LOG_IN, shows_secret=True
    ),
    IrreversibleUse(tools="netlify", words="env:get, env:list", sentence=_KEPT, shows_secret=True),
    IrreversibleUse(
        tools="fly flyctl vercel netlify firebase wrangler",
        words="** destroy, ** delete, ** remove, ** rm, *:delete, *:disable, firestore:delete",
        sentence="Deletes {rest|the project} on the service, for good.",
    ),
    IrreversibleUse(
        tools="svn",
        words="delete, rm, remove",
        valued_flags="-m= --message=",
        flags="-m --message",
        sentence="Deletes {rest} in the repository of all.",
    ),
)

CONTAINERS: Final = (
    IrreversibleUse(
        words="secret inspect", flags="--showsecret", sentence=_KEPT, shows_secret=True
    ),
    IrreversibleUse(words="run, create, container run, container create", form="container"),
    IrreversibleUse(
        words="system prune, system reset",
        flags="--volumes",
        sentence="Deletes unused containers and images, and volumes with all that is in them.",
    ),
    IrreversibleUse(
        words="system prune, system reset",
        sentence="Deletes all stopped containers, with what is in them, and unused images.",
    ),
    IrreversibleUse(
        words="volume prune",
        sentence="Deletes all unused volumes, with all that is in them.",
    ),
    IrreversibleUse(
        words="volume rm, volume remove",
        sentence="Deletes the volume {rest}, with all that is in it.",
    ),
    IrreversibleUse(
        words="push, image push, manifest push, compose push",
        sentence="Sends images to where others get them.",
    ),
    IrreversibleUse(
        words="compose ** down, compose ** rm",
        flags="-v --volumes",
        sentence="Deletes the volumes of this project, with all that is in them.",
    ),
    IrreversibleUse(
        words="stack rm, service rm, stack down, swarm leave",
        sentence="Stops and removes {rest|this machine} in the swarm.",
    ),
)

HUBS: Final = (
    IrreversibleUse(
        words="auth token, config get token, config get oauth_token",
        sentence=_LOG_IN,
        shows_secret=True,
    ),
    IrreversibleUse(
        words="auth status", flags="-t --show-token", sentence=_LOG_IN, shows_secret=True
    ),
    IrreversibleUse(
        tools="glab", words="variable get, variable export", sentence=_KEPT, shows_secret=True
    ),
    IrreversibleUse(
        words="repo delete",
        sentence="Deletes the repository {rest}, with its issues and all else.",
    ),
    IrreversibleUse(
        words="gist create",
        sentence="Publishes {rest|what it is given} outside this machine.",
    ),
    IrreversibleUse(
        words="repo edit",
        flags="--visibility",
        valued_flags="--visibility=",
        sentence="Changes who can see the repository.",
    ),
    IrreversibleUse(
        words="repo create",
        flags="--public",
        sentence="Publishes a repository, for everybody to see.",
    ),
    IrreversibleUse(words="api", valued_flags="-X= --method=", form="gh"),
    IrreversibleUse(
        words="* delete, * remove, * delete-asset",
        sentence="Deletes the {0} {rest} on the server, for good.",
    ),
)

SERVERS: Final = (
    IrreversibleUse(tools="kubectl", words="create token", sentence=_LOG_IN, shows_secret=True),
    IrreversibleUse(
        tools="kubectl", words="config view", flags="--raw", sentence=_LOG_IN, shows_secret=True
    ),
    IrreversibleUse(
        tools="kubectl",
        words=_OF_SECRETS,
        flags="-o --output --template",
        valued_flags=_NAMESPACED,
        sparing_flags=_OVERVIEWS,
        sentence=_KEPT,
        shows_secret=True,
    ),
    IrreversibleUse(
        tools="kubectl", words="view-secret, modify-secret", sentence=_KEPT, shows_secret=True
    ),
    IrreversibleUse(tools="redis-cli mongo mongosh", form="query"),
    IrreversibleUse(
        tools="kubectl",
        words="delete",
        sparing_flags="--dry-run",
        valued_flags="-f= -l= -k= --filename= --kustomize= --selector= --grace-period= --timeout="
        " --all -A --all-namespaces",
        form="cluster",
    ),
    IrreversibleUse(
        tools="kubectl",
        words="drain",
        sparing_flags="--dry-run",
        sentence="Ends everything that runs on the node {rest}.",
    ),
    IrreversibleUse(
        tools="kubectl",
        words="scale",
        flags="--replicas",
        valued_flags="--replicas=",
        form="scaled",
    ),
    IrreversibleUse(
        tools="kubectl",
        words="replace",
        flags="--force",
        sentence="Deletes what runs in the cluster, and makes it anew.",
    ),
    IrreversibleUse(
        tools="kubectl",
        words="apply",
        flags="--prune",
        sparing_flags="--dry-run",
        sentence="Deletes in the cluster what is not in the files.",
    ),
)

CLOUDS: Final = (
    IrreversibleUse(
        tools="aws",
        words="configure export-credentials, configure get *secret*, configure get *token*,"
        " sts assume-role*, sts get-session-token, sts get-federation-token,"
        " sso get-role-credentials, ecr get-login-password, ecr get-authorization-token,"
        " ecr-public get-login-password, codeartifact get-authorization-token, eks get-token,"
        " rds generate-db-auth-token, iam create-access-key,"
        " ec2 get-password-data, redshift get-cluster-credentials*,"
        " lightsail get-relational-database-master-user-password",
        sentence=_LOG_IN,
        shows_secret=True,
    ),
    IrreversibleUse(
        tools="aws",
        words="secretsmanager get-secret-value, secretsmanager batch-get-secret-value, kms decrypt",
        sentence=_KEPT,
        shows_secret=True,
    ),
    IrreversibleUse(
        tools="aws",
        words="ssm get-parameter*",
        flags="--with-decryption",
        sentence=_KEPT,
        shows_secret=True,
    ),
    IrreversibleUse(
        tools="gcloud",
        words="** print-access-token, ** print-identity-token, ** print-refresh-token,"
        " config config-helper, sql generate-login-token",
        sentence=_LOG_IN,
        shows_secret=True,
    ),
    IrreversibleUse(
        tools="gcloud", words="secrets versions access", sentence=_KEPT, shows_secret=True
    ),
    IrreversibleUse(
        tools="az",
        words="account get-access-token, ad sp create-for-rbac, acr credential show, ** keys list,"
        " ** list-keys, ** show-connection-string, ** generate-sas, ad app credential reset,"
        " ad sp credential reset, webapp deployment list-publishing-*",
        sentence=_LOG_IN,
        shows_secret=True,
    ),
    IrreversibleUse(
        tools="az",
        words="keyvault secret show, keyvault secret download, keyvault key download,"
        " ** config appsettings list, ** config connection-string list",
        sentence=_KEPT,
        shows_secret=True,
    ),
    IrreversibleUse(
        tools="helm",
        words="uninstall, delete, del, un",
        sparing_flags="--dry-run",
        sentence="Uninstalls {rest} from the cluster.",
    ),
    IrreversibleUse(
        tools="aws",
        words="s3 rm",
        flags="--recursive",
        sparing_flags=_DRY,
        sentence="Deletes everything below {rest}.",
    ),
    IrreversibleUse(
        tools="aws", words="s3 rm, s3 rb", sparing_flags=_DRY, sentence="Deletes {rest}."
    ),
    IrreversibleUse(
        tools="aws",
        words="s3 cp, s3 mv, s3 sync",
        sparing_flags=_DRY,
        valued_flags="--delete --exclude= --include= --acl= --profile= --region= --content-type="
        " --cache-control= --endpoint-url= --storage-class= --sse=",
        form="stored",
    ),
    IrreversibleUse(
        tools="aws",
        words="* delete-*, * terminate-*, * deregister-*, * purge-*, * destroy-*, * remove-*",
        sparing_flags=_DRY,
        sentence="Deletes something of the account, for good.",
    ),
    IrreversibleUse(
        tools="gcloud az",
        words="** delete, ** destroy, ** purge, ** delete-batch, storage rm",
        sentence="Deletes {rest|something} of the account, for good.",
    ),
    IrreversibleUse(
        tools="gcloud",
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
        irreversible_uses=(
            IrreversibleUse(tools="twine", words="upload", sentence=_PUBLISHES),
            IrreversibleUse(
                tools="flit lerna changeset vsce ovsx", words="publish", sentence=_PUBLISHES
            ),
            IrreversibleUse(
                tools="semantic-release", sparing_flags="--dry-run -d --help", sentence=_PUBLISHES
            ),
            IrreversibleUse(
                tools="mvn mvnw", words="** deploy, ** release:perform", sentence=_PUBLISHES
            ),
            IrreversibleUse(
                tools="gradle gradlew sbt", words="** publish, ** *:publish", sentence=_PUBLISHES
            ),
            IrreversibleUse(tools="gradle gradlew", words="** publishPlugins", sentence=_PUBLISHES),
        ),
    ),
    Row(
        names="hf huggingface-cli",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                words="upload, upload-large-folder", sentence="Publishes {rest} on the hub."
            ),
            IrreversibleUse(words="repo delete", sentence="Deletes {rest} on the hub, for good."),
            IrreversibleUse(words="auth token", sentence=_LOG_IN, shows_secret=True),
        ),
    ),
    Row(
        names="pulumi cdk cdktf sls serverless sam eb copilot terragrunt",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                tools="pulumi", flags="--show-secrets", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="pulumi",
                words=", ".join(f"config get {it}" for it in _SECRETIVE),
                flags_only_format=True,
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                words="destroy, down, remove, delete, terminate, run-all destroy, app delete",
                sparing_flags="--dry-run --preview-only",
                sentence=_DESTROYS,
            ),
            IrreversibleUse(
                words="up, apply, update, deploy, run-all apply",
                sparing_flags="--dry-run --preview-only --no-execute-changeset",
                sentence=_INFRASTRUCTURE,
            ),
        ),
    ),
    Row(
        names="oc eksctl doctl linode-cli hcloud vagrant multipass",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                tools="oc",
                words="whoami",
                flags="-t --show-token",
                sentence=_LOG_IN,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="oc", words="create token, sa get-token", sentence=_LOG_IN, shows_secret=True
            ),
            IrreversibleUse(
                tools="oc", words="config view", flags="--raw", sentence=_LOG_IN, shows_secret=True
            ),
            IrreversibleUse(
                tools="oc",
                words=_OF_SECRETS,
                flags="-o --output --template",
                valued_flags=_NAMESPACED,
                sparing_flags=_OVERVIEWS,
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="oc",
                words="extract",
                flags="--to",
                valued_flags="--to= -n=",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="doctl",
                words="auth token, registry docker-config, kubernetes cluster kubeconfig show,"
                " databases connection, databases user get",
                sentence=_LOG_IN,
                shows_secret=True,
            ),
            IrreversibleUse(
                words="** delete, ** destroy, ** rm",
                sparing_flags="--dry-run",
                sentence="Deletes {rest|the machine}, with all that is in it.",
            ),
        ),
    ),
    Row(
        names="gsutil rclone mc s3cmd s5cmd azcopy bq hdfs hadoop",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                tools="gsutil rclone mc s3cmd s5cmd azcopy bq",
                words="rm, rb, del, delete, deletefile, purge, rmdirs, remove",
                sparing_flags="-n --dry-run",
                sentence="Deletes {rest}, for good.",
            ),
            IrreversibleUse(
                tools="gsutil rclone mc s3cmd s5cmd azcopy",
                words="cp, mv, sync, copy, move, rsync, mirror, put, copyto, moveto",
                sparing_flags="-n --dry-run",
                valued_flags="--delete -d",
                form="stored",
            ),
            IrreversibleUse(tools="bq", words="query", form="query"),
            IrreversibleUse(
                tools="hdfs hadoop",
                words="dfs, fs",
                flags="-rm -rmr -expunge",
                sentence="Deletes {rest} in the shared store.",
            ),
        ),
    ),
    Row(
        names="docker-compose podman-compose",
        reads=False,
        operands=None,
        form="docker",
        irreversible_uses=(
            IrreversibleUse(
                words="** down, ** rm",
                flags="-v --volumes",
                sentence="Deletes the volumes of this project, with all that is in them.",
            ),
            IrreversibleUse(words="exec, run", form="inner"),
        ),
    ),
    Row(
        names="clickhouse clickhouse-client cockroach sqlcmd snowsql cqlsh valkey-cli sqlite",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=QUERIES,
    ),
    Row(
        names="dropdb dropuser mysqladmin pg_restore mongorestore flyway liquibase sqlx diesel"
        " dbmate alembic prisma supabase sequelize sequelize-cli airflow flask",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                tools="dropdb dropuser", sentence="Deletes {rest|it} with all that is in it."
            ),
            IrreversibleUse(tools="mysqladmin", words="** drop", sentence=_EMPTIES),
            IrreversibleUse(
                tools="pg_restore mongorestore",
                flags="-c --clean --drop",
                sentence="Drops what is in the database before it restores.",
            ),
            IrreversibleUse(tools="flyway", words="** clean", sentence=_EMPTIES),
            IrreversibleUse(tools="liquibase", words="** drop-all, ** dropAll", sentence=_EMPTIES),
            IrreversibleUse(
                tools="sqlx diesel dbmate supabase airflow",
                words="database drop, database reset, drop, db reset, db clean",
                sentence=_EMPTIES,
            ),
            IrreversibleUse(tools="prisma", words="migrate reset", sentence=_EMPTIES),
            IrreversibleUse(
                tools="prisma", words="db push", flags="--force-reset", sentence=_EMPTIES
            ),
            IrreversibleUse(
                tools="alembic flask",
                words="downgrade, db downgrade",
                sparing_flags="--sql",
                sentence="Takes the database back: what newer columns hold is lost.",
            ),
            IrreversibleUse(tools="sequelize sequelize-cli", words="db:drop", sentence=_EMPTIES),
        ),
    ),
    Row(
        names="rails rake artisan manage.py django-admin",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                tools="rails rake",
                words="** db:drop, ** db:reset, ** db:migrate:reset, ** db:schema:load,"
                " ** db:drop:all, ** db:truncate_all, ** db:seed:replant, ** db:purge",
                sentence=_EMPTIES,
            ),
            IrreversibleUse(
                tools="rails rake",
                words="credentials:show, secrets:show, encrypted:show",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="artisan",
                words="migrate:fresh, migrate:reset, migrate:refresh, db:wipe",
                sentence=_EMPTIES,
            ),
            IrreversibleUse(
                tools="manage.py django-admin",
                words="flush, reset_db, sqlflush",
                sentence="Deletes everything in the database.",
            ),
        ),
    ),
    Row(
        names="python python2 python3 pypy pypy3",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(IrreversibleUse(form="module"),),
    ),
    Row(
        names="mail mailx mutt neomutt sendmail msmtp swaks",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                sparing_flags="-e -H --help --version",
                sentence="Sends a mail, which leaves for good.",
            ),
        ),
    ),
    Row(
        names="ngrok cloudflared bore lt localtunnel",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                tools="cloudflared",
                words="access token, tunnel token",
                sentence=_LOG_IN,
                shows_secret=True,
            ),
            IrreversibleUse(
                words="http, tcp, tls, tunnel, local, start",
                sentence="Lets everybody on the internet reach this machine.",
            ),
            IrreversibleUse(
                tools="lt localtunnel",
                sentence="Lets everybody on the internet reach this machine.",
            ),
        ),
    ),
    Row(
        names="kill pkill killall",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(tools="kill", form="killed"),
            IrreversibleUse(
                tools="pkill killall",
                flags="-u -U --user --euid",
                valued_flags="-u= -U= --user= --euid=",
                form="killed",
            ),
        ),
    ),
    Row(
        names="shutdown reboot halt poweroff init telinit systemctl",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                tools="shutdown reboot halt poweroff",
                sparing_flags="-c --help -w --wtmp-only",
                sentence="Shuts this machine down, with all that runs on it.",
            ),
            IrreversibleUse(
                tools="init telinit",
                words="0, 6",
                sentence="Shuts this machine down, with all that runs on it.",
            ),
            IrreversibleUse(
                tools="systemctl",
                words="poweroff, reboot, halt, kexec, rescue, emergency",
                sentence="Shuts this machine down, with all that runs on it.",
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
        irreversible_uses=(
            IrreversibleUse(
                tools="git-credential-store git-credential-cache git-credential-osxkeychain"
                " git-credential-manager git-credential-libsecret git-credential-wincred"
                " docker-credential-osxkeychain docker-credential-secretservice"
                " docker-credential-pass docker-credential-wincred docker-credential-desktop"
                " docker-credential-gcloud docker-credential-ecr-login docker-credential-gcr",
                words="get",
                sentence=_LOG_IN,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="op",
                words="read, item get, document get, inject",
                valued_flags="--account= --vault= --session= --format= --config=",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="pass gopass passage",
                words=f"show, otp, cat, grep, {_READING_IT}",
                sparing_flags="-c --clip",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="rbw", words="get, code, totp, history", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="dcli",
                words="password, p, note, n, read, r, otp, o",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="teller",
                words="show, env, export, sh, yaml",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="railway",
                words="variables",
                sparing_flags="--set",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="argocd",
                words="admin initial-password, account generate-token",
                sentence=_LOG_IN,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="scw",
                words="config dump, secret version access",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="ibmcloud", words="iam oauth-tokens", sentence=_LOG_IN, shows_secret=True
            ),
            IrreversibleUse(
                tools="stripe", words="config", flags="--list", sentence=_LOG_IN, shows_secret=True
            ),
            IrreversibleUse(
                tools="snyk",
                words="config get api, config get *oken*",
                sentence=_LOG_IN,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="kamal",
                words="secrets print, secrets fetch",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="jf", words="config export, c export", sentence=_LOG_IN, shows_secret=True
            ),
            IrreversibleUse(
                tools="keyctl", words="print, pipe, read", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="conjur", words="variable get", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="akeyless", words="get-secret-value", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(tools="berglas", words="access", sentence=_KEPT, shows_secret=True),
            IrreversibleUse(
                tools="aws-vault saml2aws",
                words="export, script",
                sentence=_LOG_IN,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="systemd-creds", words="cat, decrypt * -", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="nmcli", flags="-s --show-secrets", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="nmcli", words="device wifi show-password", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="wg", words="showconf, show * private-key", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(tools="blackbox_cat", sentence=_KEPT, shows_secret=True),
            IrreversibleUse(
                tools="buildkite-agent", words="secret get", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="cf",
                words="env, service-key, oauth-token",
                sentence=_LOG_IN,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="security",
                words="find-generic-password, find-internet-password, dump-keychain, export",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="secret-tool", words="lookup, search", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(tools="keyring", words="get", sentence=_KEPT, shows_secret=True),
            IrreversibleUse(
                tools="vault bao", words="read, kv get, unwrap", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="vault bao",
                words="print token, token create, token lookup",
                sentence=_LOG_IN,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="bw",
                words="get password, get item, get totp, get notes, get attachment, list items,"
                " export, unlock",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="lpass keepassxc-cli",
                words="show, export, attachment-export",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="doppler infisical",
                words="secrets, export, configure get token",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="chamber", words="read, export, env", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="sops",
                words="decrypt",
                sparing_flags="-i --in-place",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="sops",
                flags="-d --decrypt",
                sparing_flags="-i --in-place -o --output",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="age rage",
                flags="-d --decrypt",
                sparing_flags="-o --output",
                valued_flags="-i= --identity= -j=",
                sentence=_KEPT,
                shows_secret=True,
            ),
            IrreversibleUse(tools="ansible-vault", words="view", sentence=_KEPT, shows_secret=True),
            IrreversibleUse(
                tools="kwallet-query", flags="-r --read-password", sentence=_KEPT, shows_secret=True
            ),
            IrreversibleUse(
                tools="databricks",
                words="auth token, tokens create",
                sentence=_LOG_IN,
                shows_secret=True,
            ),
            IrreversibleUse(
                tools="databricks", words="secrets get-secret", sentence=_KEPT, shows_secret=True
            ),
        ),
    ),
    Row(
        names="zfs zpool btrfs lvremove vgremove pvremove cryptsetup userdel deluser restic borg",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                tools="zfs zpool",
                words="destroy, rollback",
                sentence="Destroys {rest} with its data.",
            ),
            IrreversibleUse(
                tools="btrfs", words="subvolume delete", sentence="Destroys {rest} with its data."
            ),
            IrreversibleUse(
                tools="lvremove vgremove pvremove",
                sentence="Destroys the volume {rest} with its data.",
            ),
            IrreversibleUse(
                tools="cryptsetup",
                words="luksFormat, erase, luksErase",
                sentence="Destroys {rest}.",
            ),
            IrreversibleUse(
                tools="userdel deluser", sentence="Removes the user {rest} of this machine."
            ),
            IrreversibleUse(
                tools="restic borg",
                words="forget, prune, delete",
                sparing_flags="-n --dry-run",
                sentence="Removes copies that were kept for the case of need.",
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
