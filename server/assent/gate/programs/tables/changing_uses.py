"""The uses of programs that change files beyond their rows."""

from typing import Final

from assent.gate.programs.changing_uses import Use

__all__ = ["USES"]

_SHELL: Final = "~/.bashrc"
_STORES: Final = "mcp, config, plugin, plugins, extension, extensions, hooks"
_SHOWS: Final = "list get ls show -h --help help"
_AWS: Final = "--profile= --region= --output= --endpoint-url= --color="
_KUBE: Final = "-n= -c= --namespace= --context= --kubeconfig= --container= --cluster="
_CHECKS: Final = "--check --diff -c --check-only -h --help -V --version"
_STYLE: Final = (
    "--config= --line-length= -l= -t= --target-version= --style= --select= --ignore= --exclude="
    " --extend-exclude= --force-exclude= --skip= --skip-glob= --extend-skip= --ignore-pattern="
    " --profile= --ext= --rule= --parser= --max-warnings= --format= -f= --cache-location="
)
_WEB: Final = "js jsx ts tsx mjs cjs vue css html"
_CLONE: Final = "--include= --exclude= --filter= --transfers= --checkers= --bwlimit= --config="
_HELP: Final = "-h --help -v --version"
_HERE: Final = "-"
"""No word says which folder it is: it is the one that the program works in."""
_NPM: Final = (
    "--access= --tag= --registry= --otp= -w= --workspace= --workspaces --pack-destination= --json"
    " --provenance --no-git-checks --ignore-scripts -s --silent --loglevel= --publish-branch= -r"
    " --recursive --filter= -F= --force -f"
)
_VERCEL: Final = (
    "-t= --token= -S= --scope= -e= --env= -b= --build-env= -m= --meta= -A="
    " --local-config= --target= --regions= --name= -n= --prod --prebuilt -y --yes -f --force"
    " --no-wait -d --debug --archive="
    " -Q= --global-config= --public -p --with-cache --skip-domain --confirm -c -l --logs"
)
_NETLIFY: Final = (
    "-p --prod -s= --site= -m= --message= --build --no-build -a= --auth= -f= --functions= --alias="
    " --context= --filter= --json -o --open --timeout= --trigger --prod-if-unlocked"
)
_FLY: Final = (
    "-a= --app= -c= --config= -i= --image= -r= --region= -e= --env= --dockerfile= --build-arg="
    " --access-token= --build-secret= --strategy= --remote-only --local-only --now --ha -y -t="
)
_GCLOUD: Final = (
    "--project= --region= --zone= --account= -t= --tag= --config= --substitutions= --timeout="
    " --machine-type= --gcs-source-staging-dir= --gcs-log-dir= --async --quiet -q --no-source"
    " --image= --platform= --runtime= --entry-point= --memory= --service-account= --trigger-http"
    " --trigger-topic= --allow-unauthenticated --no-allow-unauthenticated --gen2 --port= --cpu="
    " --set-env-vars= --update-env-vars= --concurrency= --max-instances= --min-instances="
)
_COMPOSE: Final = (
    "-f= --file= -p= --project-name= --profile= --env-file= --project-directory= --parallel="
    " --progress= --ansi= -H= --host= -c= --context= -l= --log-level= -d --detach --build"
)
_ENVIRONMENT: Final = "pyvenv.cfg bin/Activate.ps1"
_COMMANDS: Final = "-e= -f= --file= --env-file= -v= -p= -c -o --override --verbose --no-override"
_NAMES_ONLY: Final = "-q --quiet --services --volumes --images --profiles --hash"

USES: Final = (
    # What keeps settings that say what is run later, or where things come from.
    Use(
        of="npm pnpm yarn bun",
        words="set, config set, config delete, config edit, config rm, config del, c set, c delete,"
        " c rm, conf set, confi set, conf delete, confi delete",
        takes="--json -g --global",
        keeps="~/.npmrc",
    ),
    Use(
        of="pip",
        words="config set, config unset, config edit",
        keeps="~/.config/pip/pip.conf",
    ),
    Use(of="go", words="env", flags="-w -u --w --u", keeps="~/.config/go/env"),
    Use(
        of="aws",
        words="configure",
        takes=_AWS,
        spares="list get list-profiles export-credentials help",
        keeps="~/.aws/config",
    ),
    Use(of="gcloud", words="compute config-ssh", takes=_GCLOUD, keeps="~/.ssh/config"),
    Use(
        of="kubectl oc",
        words="config set, config set-*, config unset, config use*, config delete-*,"
        " config rename-*",
        takes=_KUBE,
        keeps="~/.kube/config",
    ),
    Use(
        of="gh glab",
        words="alias set, alias import, alias delete, config set, extension install,"
        " extension upgrade, extensions install, extensions upgrade, ext install, ext upgrade,"
        " extension create, auth setup-git, auth login",
        takes="-R= --repo= --hostname= -h= --host=",
        keeps="~/.config/gh/config.yml",
    ),
    Use(
        of="docker podman",
        words="context create, context use, context update, context import, context rm,"
        " plugin install",
        keeps="~/.docker/config.json",
    ),
    Use(of="docker podman", words="login, logout, buildx install", keeps="~/.docker/config.json"),
    Use(of="gcloud", words="auth configure-docker", keeps="~/.docker/config.json"),
    Use(of="npm pnpm yarn", words="login, logout, adduser", keeps="~/.npmrc"),
    Use(of="aws", words="eks update-kubeconfig", takes=_AWS, keeps="~/.kube/config"),
    Use(
        of="gcloud az",
        words="container clusters get-credentials, aks get-credentials",
        keeps="~/.kube/config",
    ),
    Use(
        of="doctl",
        words="kubernetes cluster kubeconfig save, k8s c cfg save",
        keeps="~/.kube/config",
    ),
    Use(
        of="kind minikube", words="create cluster, export kubeconfig, start", keeps="~/.kube/config"
    ),
    Use(
        of="k3d vcluster", words="cluster create, kubeconfig merge, connect", keeps="~/.kube/config"
    ),
    Use(of="kubectx kubens", words="*", keeps="~/.kube/config"),
    Use(of="pre-commit prek", words="autoupdate, auto-update", keeps=".pre-commit-config.yaml"),
    Use(of="mise", words="use, set, unset", keeps="mise.toml"),
    Use(of="asdf", words="set, local, global", keeps=".tool-versions"),
    Use(of="pipx", words="install, inject, upgrade", keeps="~/.local/bin"),
    Use(
        of="cargo",
        words="install, binstall",
        spares="--list --help -h --root --root= --dry-run",
        keeps="~/.cargo/bin",
    ),
    Use(of="cargo-binstall", spares="--dry-run --help -h -V", keeps="~/.cargo/bin"),
    Use(of="cargo", words="login, logout", spares="--help -h", keeps="~/.cargo/credentials.toml"),
    Use(of="go", words="install *@*", keeps="~/go/bin"),
    Use(
        of="gcloud",
        words="config set, config unset, config configurations create, config configurations"
        " activate, config configurations delete, config configurations rename",
        keeps="~/.config/gcloud",
    ),
    Use(of="git-lfs", words="install, uninstall", keeps="~/.gitconfig"),
    Use(of="nbstripout", flags="--install --uninstall", keeps=".git/config"),
    Use(of="dvc", words="install", keeps=".git/hooks"),
    Use(of="ssh-keygen", flags="-R=", keeps="~/.ssh/known_hosts"),
    Use(of="az", words="extension add, extension update", keeps="~/.azure/cliextensions"),
    Use(of="kubectl", words="krew install, krew upgrade", takes=_KUBE, keeps="~/.krew/bin"),
    Use(of="yarn", words="plugin import", keeps=".yarn/plugins"),
    Use(
        of="helm",
        words="plugin install, plugin update, plugin add",
        keeps="~/.local/share/helm/plugins",
    ),
    Use(of="vagrant", words="plugin install", keeps="~/.vagrant.d/plugins.json"),
    Use(
        of="poetry",
        words="config * *",
        spares="--list -h --help",
        keeps="~/.config/pypoetry/config.toml",
    ),
    Use(of="poetry", words="config *", flags="--unset", keeps="~/.config/pypoetry/config.toml"),
    Use(of="bundle bundler", words="config * *", spares="get list", keeps=".bundle/config"),
    Use(of="gem", words="sources, source", flags="-a= --add= -r= --remove= -c", keeps="~/.gemrc"),
    Use(of="conda mamba micromamba", words="init, shell init", keeps=_SHELL),
    Use(
        of="conda mamba micromamba",
        words="config",
        flags="--add= --append= --prepend= --set= --remove= --remove-key= --write-default",
        keeps="~/.condarc",
    ),
    Use(of="pipx", words="ensurepath", keeps=_SHELL),
    Use(of="composer", words="config", flags="-g --global", keeps="~/.config/composer/config.json"),
    Use(of="dotnet", words="nuget add, nuget update, nuget enable", keeps="~/.nuget/NuGet"),
    Use(of="az", words="config set, config unset", keeps="~/.azure/config"),
    Use(of="pdm", words="config", spares="--local", keeps="~/.config/pdm/config.toml"),
    Use(of="hatch", words="config set", keeps="~/.config/hatch/config.toml"),
    Use(of="postconf", flags="-e -M -P", keeps="/etc/postfix"),
    Use(of="uv", words="tool update-shell, python update-shell", keeps=_SHELL),
    Use(of="pnpm volta", words="setup", keeps=_SHELL),
    Use(
        of="terraform tofu packer vault consul nomad boundary waypoint",
        flags="-install-autocomplete -uninstall-autocomplete -autocomplete-install"
        " -autocomplete-uninstall --install-autocomplete --uninstall-autocomplete"
        " --autocomplete-install --autocomplete-uninstall",
        keeps=_SHELL,
    ),
    Use(of="userpath", words="append, prepend", keeps=_SHELL),
    Use(of="rustup-init", spares="--no-modify-path -V --version -h --help", keeps=_SHELL),
    Use(of="opam", words="init", flags="--shell-setup -a --auto-setup", keeps=_SHELL),
    Use(of="opam", words="init", spares="-n --no-setup", keeps=_SHELL),
    Use(of="omz", words="plugin enable, plugin disable, theme set", keeps="~/.zshrc"),
    Use(of="fisher", words="install, update, remove", keeps="~/.config/fish"),
    Use(of="yadm", words="clone, pull, checkout, reset, alt, bootstrap", keeps=_SHELL),
    Use(of="mackup", words="restore, link, uninstall", keeps=_SHELL),
    Use(of="xdg-desktop-menu", words="install", keeps="~/.local/share/applications"),
    Use(of="jj", words="config set, config edit, config unset", keeps="~/.config/jj/config.toml"),
    # What puts programs where they are found first.
    Use(of="uv", words="tool install, tool upgrade, python install", keeps="~/.local/bin"),
    Use(of="stack", words="install", keeps="~/.local/bin"),
    Use(of="pip", words="install", flags="--user", keeps="~/.local/bin"),
    Use(
        of="npm",
        words="install, i, add, update, up, uninstall, link, ln",
        flags="-g --global --location=",
        keeps="/usr/local/bin",
    ),
    # Left out are `apt-get`, `brew` and `gem`, which install what a project needs as well.
    Use(
        of="pnpm bun deno",
        words="install, i, add, remove, rm, update, up, uninstall, link",
        flags="-g --global",
        keeps="~/.local/bin",
    ),
    Use(
        of="dotnet", words="tool install, tool update", flags="-g --global", keeps="~/.dotnet/tools"
    ),
    Use(
        of="yarn composer",
        words="global add, global upgrade, global require, global update, global install",
        keeps="~/.local/bin",
    ),
    Use(of="nix", words="profile install, profile add, profile upgrade", keeps="~/.nix-profile"),
    Use(
        of="nix-env",
        flags="-i --install -u --upgrade --set --switch-profile=",
        takes="-A --attr -f= --file= -p= --profile= -b -P -r",
        keeps="~/.nix-profile",
    ),
    Use(of="poetry", words="self add, self update", keeps="~/.config/pypoetry/config.toml"),
    Use(of="gpgconf", flags="--change-options= --apply-defaults", keeps="~/.gnupg/gpg.conf"),
    Use(
        of="rclone",
        words="config create, config update, config delete, config password, config edit",
        keeps="~/.config/rclone/rclone.conf",
    ),
    Use(
        of="scalar",
        words="register, unregister, clone, reconfigure, delete",
        keeps="~/.gitconfig",
    ),
    # What keeps the users, the names or the trust of the whole machine.
    Use(
        of="useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup"
        " chpasswd gpasswd chage",
        spares=_HELP,
        keeps="/etc/passwd",
    ),
    # Without an operand it asks a terminal, and `cat /etc/passwd` may be read as this program.
    Use(of="passwd", words="*", spares="-S --status -h --help", keeps="/etc/shadow"),
    Use(of="hostnamectl", words="set-hostname *, hostname *", keeps="/etc/hostname"),
    Use(of="timedatectl localectl", words="set-*", keeps="/etc/localtime"),
    Use(of="add-apt-repository apt-key", words="*", keeps="/etc/apt"),
    Use(of="nmcli", words="con add, con modify, connection add, connection modify", keeps="/etc"),
    Use(of="ufw firewall-cmd", words="enable, disable, allow *, deny *, reset", keeps="/etc/ufw"),
    Use(of="trust caddy", words="anchor *, trust", keeps="/etc/ssl/certs"),
    Use(of="dotnet", words="dev-certs https", flags="--trust -t", keeps="/etc/ssl/certs"),
    Use(of="certutil", flags="-A -M -D", takes="-d= -n= -t= -i=", keeps="~/.pki/nssdb"),
    Use(
        of="rustup",
        words="toolchain link, default *, override set, override unset",
        keeps="~/.rustup/settings.toml",
    ),
    Use(of="asdf", words="plugin add, plugin update, plugin-add", keeps="~/.asdf/plugins"),
    Use(
        of="mise",
        words="plugin install, plugins install, plugin add, plugins add, plugin i,"
        " plugins i, settings set",
        keeps="~/.config/mise",
    ),
    # What puts the files of a folder into the person's home.
    Use(of="chezmoi", words="apply, update, init, import, edit", keeps=_SHELL),
    Use(of="stow rcup dotbot", spares="-n --no --simulate -V --version -h --help", keeps=_SHELL),
    Use(of="home-manager", words="switch", keeps=_SHELL),
    Use(of="ssh-import-id ssh-import-id-gh ssh-import-id-lp", keeps="~/.ssh/authorized_keys"),
    Use(
        of="gpg gpg2",
        flags="--import --import-ownertrust --edit-key --delete-keys --delete-secret-keys"
        " --delete-key --receive-keys --recv-keys --sign-key --lsign-key",
        keeps="~/.gnupg/pubring.kbx",
    ),
    Use(
        of="update-alternatives",
        flags="--set= --install= --config= --remove= --auto= --remove-all= --set-selections --all",
        keeps="/etc/alternatives",
    ),
    Use(of="update-ca-certificates mkcert", flags="-install --fresh -f", keeps="/etc/ssl/certs"),
    Use(of="gsettings", words="set, reset, reset-recursively", keeps="~/.config/dconf/user"),
    Use(of="dconf", words="write, load, reset, update", keeps="~/.config/dconf/user"),
    Use(of="defaults", words="write, delete, import", keeps="~/Library/Preferences"),
    Use(of="xdg-mime", words="default, install, uninstall", keeps="~/.config/mimeapps.list"),
    Use(of="xdg-settings", words="set", keeps="~/.config/mimeapps.list"),
    Use(
        of="jupyter",
        words="server extension, serverextension, labextension install, nbextension enable",
        spares="list",
        keeps="~/.jupyter/jupyter_server_config.json",
    ),
    # Agents and editors, and the gate that they have in front of them.
    Use(of="assent", words="connect *, disconnect *", keeps="~/.claude/settings.json"),
    # It makes real what a command did, and is the person's own to run.
    Use(of="assent", words="try *", keeps="~/.local/state/assent/trials"),
    Use(of="mcp fastmcp smithery add-mcp install-mcp", words="*", keeps="~/.cursor/mcp.json"),
    Use(of="skills", words="add *, install *, remove *", keeps="~/.claude"),
    Use(of="devcontainer", words="templates apply, features", keeps=".devcontainer"),
    Use(of="claude claude-code", words=_STORES, takes="-p=", spares=_SHOWS, keeps="~/.claude.json"),
    Use(of="codex", words=_STORES, spares=_SHOWS, keeps="~/.codex/config.toml"),
    Use(
        of="gemini gemini-cli",
        words=_STORES,
        takes="-p=",
        spares=_SHOWS,
        keeps="~/.gemini/settings.json",
    ),
    Use(
        of="qwen qwen-code",
        words=_STORES,
        takes="-p=",
        spares=_SHOWS,
        keeps="~/.qwen/settings.json",
    ),
    Use(of="copilot", words=_STORES, takes="-p=", spares=_SHOWS, keeps="~/.copilot/config.json"),
    Use(of="cursor-agent", words=_STORES, spares=_SHOWS, keeps="~/.cursor/mcp.json"),
    Use(of="opencode", words=_STORES, spares=_SHOWS, keeps="~/.config/opencode/opencode.json"),
    Use(
        of="goose crush amp auggie droid kiro kiro-cli q",
        words=_STORES,
        spares=_SHOWS,
        keeps="~/.config",
    ),
    Use(
        of="code code-insiders codium cursor windsurf kiro code-server",
        flags="--add-mcp= --install-extension= --uninstall-extension=",
        keeps="~/.config/Code/User/settings.json",
    ),
    # What clears a folder before it fills it.
    Use(of="cmake", words="rm, remove, remove_directory", flags="-E", empties="."),
    Use(of="cmake", words="make_directory, touch, touch_nocreate", flags="-E", writes="."),
    Use(of="venv virtualenv", takes="--prompt= -p= --python=", fills=_ENVIRONMENT),
    Use(of="uv", words="venv", takes="-p= --python= --prompt=", fills=_ENVIRONMENT),
    Use(of="venv", flags="--clear", takes="--prompt=", empties="."),
    Use(of="virtualenv", flags="--clear", takes="-p= --python= --prompt=", empties="."),
    Use(of="uv", words="venv", flags="--clear -c", takes="-p= --python= --prompt=", empties="."),
    Use(of="cargo", words="vendor", takes="--manifest-path= -s= --sync=", empties="."),
    Use(of="cargo", words="clean", takes="-p= --package= --profile=", empties="--target-dir"),
    Use(of="go", words="mod vendor, work vendor", empties="-o"),
    Use(of="pytest py.test", empties="--basetemp"),
    Use(
        of="webpack vite tsup",
        flags="--output-clean --emptyOutDir --clean",
        empties="--output-path -o --outDir -d --out-dir",
    ),
    Use(of="mkdocs", words="build", takes="-f= -t=", empties="-d --site-dir"),
    Use(of="jekyll", words="build, serve, b, s", empties="-d --destination"),
    Use(of="hugo", flags="--cleanDestinationDir", empties="-d --destination"),
    Use(of="conda mamba micromamba", words="env remove, remove", empties="-p --prefix"),
    Use(of="restic", words="restore", flags="--delete", empties="-t --target"),
    # What copies from other machines, under names that nobody here knows.
    Use(
        of="aws",
        words="s3 sync",
        flags="--delete",
        takes=f"{_AWS} --exclude= --include=",
        empties=".",
    ),
    Use(
        of="aws",
        words="s3 sync",
        takes=f"{_AWS} --exclude= --include= --acl= --sse= --storage-class=",
        pours=True,
    ),
    Use(
        of="aws",
        words="s3 cp, s3 mv",
        flags="--recursive",
        takes=f"{_AWS} --exclude= --include= --acl= --sse= --storage-class=",
        pours=True,
    ),
    Use(
        of="aws",
        words="s3 cp, s3 mv",
        takes=f"{_AWS} --acl= --sse= --storage-class=",
        spares="--recursive",
        copies=True,
    ),
    Use(of="kubectl oc", words="cp", takes=_KUBE, pours=True),
    Use(of="gsutil", words="cp, mv", takes="-o= -h=", copies=True),
    Use(of="gsutil", words="rsync", takes="-o= -h= -x=", pours=True),
    Use(of="gcloud", words="storage cp, storage mv, compute scp", copies=True),
    Use(of="gcloud", words="storage rsync", pours=True),
    Use(of="rclone", words="sync", takes=_CLONE, empties="."),
    Use(of="rclone", words="copy, copyto, move, moveto, bisync", takes=_CLONE, pours=True),
    Use(of="rclone", words="delete, purge, rmdirs", takes=_CLONE, empties="."),
    Use(of="s3cmd", words="get", copies=True),
    Use(of="s3cmd", words="sync", pours=True),
    Use(of="mc", words="cp, mv", copies=True),
    Use(of="mc", words="mirror", pours=True),
    Use(of="sftp", takes="-P= -i= -F= -o= -b= -c= -B= -R= -J= -l=", pours=True),
    Use(of="adb", words="pull", takes="-s=", pours=True),
    Use(of="gh", words="release download, run download", writes="-D --dir -O --output"),
    Use(of="huggingface-cli hf", words="download", writes="--local-dir --cache-dir"),
    # What reads all that it is given.
    Use(
        of="ag ack ugrep ug ugrep+ pt rga sift",
        words="*",
        reads=".",
        here=True,
    ),
    # What takes a file for a value, or for a list of what is meant, by a sign before its name.
    Use(of="aws", marks="fileb?://"),
    Use(of="ffmpeg ffprobe ffplay", marks="(?:concatf?|file|async|cache|crypto|subfile[^:]*):"),
    Use(of="7z 7za 7zr 7zz", marks="(?:-[aix][a-z-]*)?@"),
    # A browser in a terminal takes what lies here before it takes a word for a host.
    Use(of="w3m lynx links links2 elinks", takes="-T= -I= -o= -cols=", reads="."),
    # What is bound elsewhere can be read and changed there by another name.
    Use(of="mount", flags="-B -M -R --bind --move --rbind", takes="-o= -t= --options=", packs="."),
    Use(of="mount", flags="-o= --options=", packs="."),
    Use(of="bindfs", takes="-o= -u= -g= -p=", packs="."),
    Use(of="restic", words="backup", takes="-r= --repo= --tag= -p= -e=", reads="."),
    Use(of="borg borgbackup", words="create *", takes="-C= -e= --exclude=", reads="."),
    Use(of="duplicity", takes="--exclude= --include=", reads="."),
    Use(of="rdiff-backup", words="backup", reads="."),
    Use(of="kopia", words="snapshot create, snap create", reads="."),
    # What packs a folder, sends it away or serves it, leaving out what files of its own say.
    Use(
        of="npm pnpm yarn bun",
        words="pack, publish, npm publish",
        takes=_NPM,
        spares="--dry-run",
        packs=".",
    ),
    Use(of="npm pnpm yarn bun", words="pack, publish", flags="-w -r -F --workspace", packs=_HERE),
    Use(
        of="yarn",
        words="workspace * pack, workspace * publish, workspace * npm publish",
        packs=_HERE,
    ),
    # What hands on the whole tree of a state of the files, or of all that there were.
    Use(
        of="git",
        words="fast-export, bundle create, worktree add",
        takes="-b= -B= --reason=",
        packs=_HERE,
    ),
    Use(of="git", words="submodule set-url, submodule set-branch", keeps=".gitmodules"),
    Use(of="git", words="credential-store store", keeps="~/.git-credentials"),
    Use(of="git", words="checkout-index", flags="--prefix= --temp", packs=_HERE),
    Use(of="git", words="format-patch", flags="--root", takes="-o=", packs=_HERE),
    Use(of="deno", flags="--env-file?", tells=".env"),
    Use(of="docker podman nerdctl", words="compose build", takes=_COMPOSE, packs=_HERE),
    Use(
        of="docker podman nerdctl",
        words="compose up, compose create",
        flags="--build",
        takes=_COMPOSE,
        packs=_HERE,
    ),
    Use(of="docker-compose podman-compose", words="build", takes=_COMPOSE, packs=_HERE),
    Use(
        of="docker-compose podman-compose",
        words="up, create",
        flags="--build",
        takes=_COMPOSE,
        packs=_HERE,
    ),
    Use(of="docker podman nerdctl", words="buildx bake", packs=_HERE),
    Use(
        of="docker podman nerdctl",
        words="build, buildx build, image build, builder build",
        flags="--build-context=",
        packs=_HERE,
    ),
    Use(of="buildah", words="bud, build, build-using-dockerfile", packs=_HERE),
    Use(
        of="gcloud",
        words="builds submit",
        takes=_GCLOUD,
        spares="--no-source",
        packs=".",
    ),
    Use(of="gcloud", words="app deploy", packs=_HERE),
    Use(
        of="gcloud",
        words="run deploy, functions deploy",
        takes=_GCLOUD,
        spares="--image --image=",
        packs="--source",
    ),
    Use(of="az", words="acr build, webapp up", packs=_HERE),
    Use(
        of="vercel now",
        words="deploy, .*, */*",
        takes=_VERCEL,
        packs=". --cwd",
    ),
    Use(of="vercel now", words="-", bare=True, takes=_VERCEL, spares=_HELP, packs="--cwd"),
    Use(of="netlify ntl", words="deploy", takes=_NETLIFY, packs="-d --dir"),
    Use(of="serverless sls", words="deploy, package", packs=_HERE),
    Use(of="railway", words="up", takes="-s= --service= -e= --environment= -d", packs="."),
    Use(
        of="fly flyctl",
        words="deploy, launch",
        takes=_FLY,
        spares="-i --image --image=",
        packs=".",
    ),
    Use(of="eb", words="deploy, create", packs=_HERE),
    Use(of="sam", words="build, package, deploy", packs=_HERE),
    # What sends the folder of a project, or one that a file of it names.
    Use(
        of="wrangler",
        words="deploy, publish, pages deploy, pages publish, versions upload",
        spares="--dry-run",
        packs=_HERE,
    ),
    Use(
        of="firebase",
        words="deploy, hosting:channel:deploy, apphosting:backends:create",
        spares="--only=firestore --only=firestore:rules --only=storage",
        packs=_HERE,
    ),
    Use(of="amplify", words="publish, push", packs=_HERE),
    Use(of="cf", words="push", flags="-p=", packs="-p"),
    Use(of="cf", words="push", takes="-p=", spares="-p", packs=_HERE),
    Use(of="render", words="deploy, deploys create", packs=_HERE),
    Use(of="modal", words="deploy, run", packs=_HERE),
    Use(of="supabase", words="functions deploy", packs=_HERE),
    Use(of="deployctl", words="deploy", packs=_HERE),
    Use(of="doctl", words="serverless deploy", packs=_HERE),
    Use(of="expo eas eas-cli", words="publish, build, update, submit, export", packs=_HERE),
    Use(of="vsce ovsx", words="publish, package", packs=_HERE),
    Use(of="hf huggingface-cli", words="upload *, upload-large-folder *", packs="."),
    Use(
        of="kaggle",
        words="datasets create, datasets version, kernels push",
        takes="-m= -r=",
        packs="-p --path",
    ),
    Use(of="sentry-cli", words="** upload-sourcemaps, sourcemaps upload, upload-dif", packs="."),
    Use(of="ipfs", words="add", flags="-r --recursive", packs="."),
    Use(of="dvc", words="add", packs="."),
    Use(of="surge", takes="-p= --project= -d= --domain=", packs=". -p --project"),
    Use(of="gh-pages", packs="-d --dist"),
    Use(of="cargo", words="publish, package", spares="--dry-run -n --list", packs=_HERE),
    Use(of="caddy", words="file-server", packs="--root -r"),
    Use(of="busybox", words="httpd", takes="-f -v -p= -c= -u= -r=", packs="-h"),
    Use(of="httpd", flags="-h=", packs="-h"),
    Use(of="ngrok", words="http file:*", packs=_HERE),
    Use(of="azcopy", words="copy, cp, sync", reads="."),
    Use(of="foreman honcho", words="run, start, check", spares="-e --env", tells=".env"),
    Use(of="ssh-copy-id", spares="-n", keeps="~/.ssh/authorized_keys"),
    Use(
        of="helm",
        words="package",
        takes="-d= --destination= --version= --app-version= -u --dependency-update --sign --key="
        " --keyring=",
        packs=".",
    ),
    Use(of="serve http-server live-server simple-http-server miniserve", reads=".", here=True),
    Use(
        of="http.server",
        takes="-b= --bind= -p= --protocol= --cgi",
        packs="-d --directory",
    ),
    Use(of="php", flags="-S=", takes="-c= -d= -n -q", packs="-t"),
    Use(of="zipfile tarfile", flags="-c --create", reads="."),
    Use(of="mksquashfs genisoimage mkisofs xorrisofs", takes="-o=", reads="."),
    Use(
        of="kubectl oc",
        words="create configmap, create cm, create secret",
        takes=_KUBE,
        reads="--from-file --from-env-file",
    ),
    Use(of="kubectl oc", takes=_KUBE, globs="-f --filename"),
    Use(of="rar", words="a, u, f, m, mf, move", globs="."),
    Use(of="ffmpeg ffprobe ffplay", flags="-pattern_type=", globs="-i"),
    # Of one folder it reads the files of its own endings; with this flag of all below it.
    Use(
        of="kubectl oc",
        flags="-R --recursive?",
        takes=_KUBE,
        spares="--recursive=false",
        reads="-f --filename",
    ),
    Use(
        of="docker podman nerdctl",
        words="compose config, compose convert",
        takes=_COMPOSE,
        spares=_NAMES_ONLY,
        tells=".env",
    ),
    Use(
        of="docker-compose podman-compose",
        words="config, convert",
        takes=_COMPOSE,
        spares=_NAMES_ONLY,
        tells=".env",
    ),
    Use(
        of="dotenv dotenv-cli env-cmd",
        takes=_COMMANDS,
        stops=True,
        spares="-e -f --file --file=",
        tells=".env",
    ),
    Use(of="dotenv dotenv-cli env-cmd", takes=_COMMANDS, stops=True, reads="-e -f --file"),
    Use(
        of="dotenvx",
        takes=_COMMANDS,
        most=1,
        spares="-f --env-file --env-file=",
        tells=".env",
    ),
    Use(of="dotenvx", takes=_COMMANDS, most=1, reads="-f --env-file"),
    Use(of="az", words="storage", reads="-s --source -f --file --source-path"),
    Use(of="s3cmd", words="put", pours=True),
    Use(of="ftp", flags="-u=", reads="."),
    Use(of="rclone", words="move, moveto", takes=_CLONE, empties="."),
    Use(of="aws", words="s3 mv", flags="--recursive", takes=_AWS, empties="."),
    Use(of="uv", words="pip install, pip sync", takes="-r= --python= -p=", writes="-t --target"),
    Use(of="cmake", flags="-B=", takes="-S= -G= -D= -A= -T= --preset=", writes="-B"),
    Use(of="cargo", flags="--target-dir=", spares="clean", writes="--target-dir"),
    Use(of="sphinx-build", takes="-b= -M= -d= -c= -D= -A= -j= -t= -w=", pours=True),
    Use(of="adb", words="push", takes="-s=", reads="."),
    Use(of="croc", words="send", reads="."),
    Use(of="magic-wormhole wormhole", words="send", reads="."),
    # What writes files of its language anew, wherever they lie in a folder.
    Use(of="black isort", spares=_CHECKS, takes=_STYLE, formats="py pyi"),
    Use(
        of="yapf autopep8 autoflake docformatter",
        flags="-i --in-place",
        takes=_STYLE,
        formats="py pyi",
    ),
    Use(of="ruff", words="format", spares=_CHECKS, takes=_STYLE, formats="py pyi"),
    Use(of="ruff", words="check", flags="--fix --add-noqa", takes=_STYLE, formats="py pyi"),
    Use(of="pyupgrade", takes="--exit-zero-even-if-changed", formats="py pyi"),
    Use(of="sqlfluff", words="fix, format", takes=_STYLE + " --dialect= -d=", formats="sql"),
    Use(of="goimports gofumpt", flags="-w", formats="go"),
    Use(of="go", words="fmt, fix", formats="go"),
    Use(of="cargo", words="fmt", spares=_CHECKS, formats="rs"),
    Use(of="shfmt", flags="-w --write", takes="-i= -ln=", formats="sh bash"),
    Use(of="prettier", flags="-w --write", takes=_STYLE, formats=_WEB),
    Use(of="deno", words="fmt", spares=_CHECKS, takes=_STYLE, formats=_WEB),
    Use(of="eslint oxlint standard xo", flags="--fix", takes=_STYLE, formats=_WEB),
    Use(of="biome", words="*", flags="--write --fix --apply", takes=_STYLE, formats=_WEB),
    Use(of="rubocop", flags="-a -A --autocorrect --autocorrect-all", formats="rb"),
    Use(of="terraform tofu", words="fmt", spares="-check", formats="tf tfvars"),
    Use(of="2to3", flags="-w --write", takes="-f= -x= -o= -j=", formats="py"),
    Use(of="rustfmt", spares=_CHECKS, takes="--edition= --config= --config-path=", formats="rs"),
    Use(of="stylua", spares=_CHECKS, takes="-f= --config-path=", formats="lua"),
    Use(of="phpcbf", takes="--standard=", formats="php"),
    Use(of="php-cs-fixer", words="fix", spares="--dry-run", takes=_STYLE, formats="php"),
    Use(of="ktlint", flags="-F --format", formats="kt kts"),
    Use(of="swiftformat", spares="--lint --dryrun", takes=_STYLE, formats="swift"),
    Use(of="swiftlint", flags="--fix --autocorrect", takes=_STYLE, formats="swift"),
    Use(of="stylelint", flags="--fix", takes=_STYLE, formats="css scss less"),
    Use(of="markdownlint markdownlint-cli2", flags="-f --fix", takes=_STYLE, formats="md"),
    Use(of="codespell", flags="-w --write-changes", takes="-S= -L= -I= -i= -x=", formats="*"),
    # What brings a folder from elsewhere, which only git and the hubs' own tools have rows for.
    Use(of="hub", words="clone", brings="github.com"),
    Use(of="gh", words="gist clone", brings="github.com"),
    Use(of="gh", words="repo fork", flags="--clone", brings="github.com"),
    Use(of="tea", words="clone, repos clone", brings="gitea.com"),
    Use(of="hg sl jj fossil", words="clone, git clone", brings="."),
    Use(of="svn", words="checkout, co, export", brings="."),
    Use(of="bzr brz", words="branch, checkout, co", brings="."),
    Use(of="darcs", words="clone, get", brings="."),
    Use(of="cookiecutter", takes="-o= --checkout= -c=", brings="github.com"),
    Use(of="copier", words="copy", brings="github.com"),
    Use(
        of="bwrap",
        bare=True,
        reads="--bind --bind-try --dev-bind --dev-bind-try",
        takes="--ro-bind== --ro-bind-try== --tmpfs= --proc= --dev= --dir= --symlink== --chdir="
        " --setenv== --unsetenv= --uid= --gid= --hostname= --seccomp= --overlay-src=",
    ),
    # What opens a socket or a file by a word of its own.
    Use(of="nc ncat netcat", writes="-U"),
    # What takes an archive apart, with the links that lie in it.
    Use(of="degit tiged giget", takes="-m= --mode= --dir=", unpacks="."),
    Use(of="unrar rar", words="x, e", unpacks="."),
    Use(of="unar", flags="-o= -output-directory=", unpacks="-o -output-directory"),
    Use(of="unar", takes="-o=", spares="-o -output-directory", unpacks="."),
    Use(
        of="dpkg-deb dpkg",
        flags="-x -X -R --extract --vextract --raw-extract",
        unpacks=".",
    ),
    # What takes up a patch, which may be about any file.
    Use(of="svn", words="patch", takes="--strip= --changelist= --cl=", unpacks="."),
    Use(of="hg", words="import, patch", takes="-p= -m= -d= -u=", unpacks=_HERE),
    Use(of="unsquashfs", flags="-d= -dest=", unpacks="-d -dest"),
    Use(of="unsquashfs", takes="-d= -dest=", spares="-d -dest", unpacks="."),
    Use(of="tarfile zipfile", flags="-e --extract", unpacks="."),
)
