"""What some uses of a program do to files besides what its row says."""

from assent.gate.programs.changing_uses import Use, with_uses
from assent.gate.programs.deeds import Deeds
from assent.gate.programs.read_lines import read_script, words_of
from assent.gate.programs.study import study
from assent.gate.programs.tables.changing_uses import USES
from tables import each_row

DOES = """
python3 -m tarfile -e a.tar -> write ./**
python3 -m tarfile --extract a.tar out -> write out/**
unrar x a.rar lib/ -> write lib/**
unar -o lib a.rar -> write lib/**
unar a.rar -> write ./**
degit a/b c -> write c/**
tiged a/b -> write ./**
dpkg-deb -x a.deb out -> write out/**
unsquashfs -dest out a.sqfs -> write out/**
unsquashfs a.sqfs -> write ./**
npm config set script-shell ./x -> write ~/.npmrc
yarn config delete x -> write ~/.npmrc
pip config set global.index-url http://x.org -> write ~/.config/pip/pip.conf
go env -w GOFLAGS=-toolexec=./x -> write ~/.config/go/env
aws --profile p configure set credential_process ./x -> write ~/.aws/config
kubectl config set-credentials me --exec-command=./x -> write ~/.kube/config
gh alias set st '!./x' -> write ~/.config/gh/config.yml
gh extension install a/b -> write ~/.config/gh/config.yml
docker context use away -> write ~/.docker/config.json
helm plugin install ./x -> write ~/.local/share/helm/plugins
vagrant plugin install x -> write ~/.vagrant.d/plugins.json
poetry config repositories.x http://x.org -> write ~/.config/pypoetry/config.toml
bundle config set path x -> write .bundle/config
gem sources --add http://x.org -> write ~/.gemrc
conda init bash -> write ~/.bashrc
conda config --add channels x -> write ~/.condarc
pipx ensurepath -> write ~/.bashrc
composer config -g repositories.x y -> write ~/.config/composer/config.json
dotnet nuget add source http://x.org -> write ~/.nuget/NuGet
az config set a=b -> write ~/.azure/config
pdm config a b -> write ~/.config/pdm/config.toml
hatch config set a b -> write ~/.config/hatch/config.toml
postconf -e a=b -> write /etc/postfix
uv tool update-shell -> write ~/.bashrc
rustup toolchain link x ./y -> write ~/.rustup/settings.toml
asdf plugin add x http://x.org -> write ~/.asdf/plugins
mise plugins install x http://x.org -> write ~/.config/mise
ssh-import-id gh:x -> write ~/.ssh/authorized_keys
gpg --import a.asc -> write ~/.gnupg/pubring.kbx
update-alternatives --set editor ./x -> write /etc/alternatives
mkcert -install -> write /etc/ssl/certs
gsettings set a b c -> write ~/.config/dconf/user
dconf write /a b -> write ~/.config/dconf/user
defaults write a b c -> write ~/Library/Preferences
xdg-mime default x.desktop a/b -> write ~/.config/mimeapps.list
xdg-settings set a b -> write ~/.config/mimeapps.list
jupyter server extension enable x -> write ~/.jupyter/jupyter_server_config.json
claude mcp add x ./y -> write ~/.claude.json
claude --settings x mcp add list -- sh x -> write ~/.claude.json
python3 -m pip config set global.index-url list -> write ~/.config/pip/pip.conf
kubectl -v 5 config set-credentials x -> write ~/.kube/config
go -C . env -w GOFLAGS=-x -> write ~/.config/go/env
aws --query x s3 sync s3://b out -> write out/**
git-lfs install -> write ~/.gitconfig
bwrap --ro-bind /usr /usr --bind src /s make -> read src/**
cargo-binstall ripgrep -> write ~/.cargo/bin
cargo binstall ripgrep -> write ~/.cargo/bin
svn patch a.diff -> write ./**
svn patch a.diff lib -> write lib/**
hg import a.patch -> write ./**
hg import a.patch b.patch -> write ./**
docker login x.org -> write ~/.docker/config.json
pnpm add -g x -> write ~/.local/bin
deno install -gA https://x.org/a.ts -> write ~/.local/bin
dotnet tool install -g x -> write ~/.dotnet/tools
yarn global add x -> write ~/.local/bin
nix profile install nixpkgs#x -> write ~/.nix-profile
nix-env -iA nixpkgs.x -> write ~/.nix-profile
poetry self add x -> write ~/.config/pypoetry/config.toml
gpgconf --change-options gpg-agent -> write ~/.gnupg/gpg.conf
rclone config create x s3 -> write ~/.config/rclone/rclone.conf
rustup default nightly -> write ~/.rustup/settings.toml
scalar register -> write ~/.gitconfig
git bundle create a.bundle HEAD -> read ./**
git worktree add ../x -> read ./**
git checkout-index --prefix=out/ -a -> read ./**
2to3 -w lib -> write lib/*.py
rustfmt lib -> write lib/*.rs
stylua . -> write *.lua
phpcbf lib -> write lib/*.php
php-cs-fixer fix lib -> write lib/*.php
ktlint -F lib -> write lib/*.kt, write lib/*.kts
swiftformat lib -> write lib/*.swift
swiftlint --fix lib -> write lib/*.swift
stylelint --fix lib -> write lib/*.css, write lib/*.scss, write lib/*.less
markdownlint --fix lib -> write lib/*.md
codespell -w lib -> write lib/*.*
git submodule set-url lib http://x.org -> write .gitmodules
git credential-store store -> write ~/.git-credentials
git format-patch --root -> read ./**
deno run --env-file a.ts -> read .env
npm login -> write ~/.npmrc
aws --region x eks update-kubeconfig --name x -> write ~/.kube/config
pre-commit autoupdate -> write .pre-commit-config.yaml
mise use node@20 -> write mise.toml
asdf local nodejs 20 -> write .tool-versions
pipx install x -> write ~/.local/bin
nbstripout --install -> write .git/config
dvc install -> write .git/hooks
ssh-keygen -R h -> write ~/.ssh/known_hosts
az extension add -n x -> write ~/.azure/cliextensions
kubectl krew install x -> write ~/.krew/bin
yarn plugin import https://x.org/y.js -> write .yarn/plugins
poetry config --unset x -> write ~/.config/pypoetry/config.toml
codex mcp add x -- ./y -> write ~/.codex/config.toml
gemini extensions install ./x -> write ~/.gemini/settings.json
qwen mcp add x ./y -> write ~/.qwen/settings.json
copilot plugin install x -> write ~/.copilot/config.json
cursor-agent mcp enable x -> write ~/.cursor/mcp.json
opencode plugin install x -> write ~/.config/opencode/opencode.json
goose config set x -> write ~/.config
code --install-extension ./x.vsix -> write ~/.config/Code/User/settings.json
cmake -E rm -rf out -> delete out/**
cmake -E make_directory build/out -> write build/out/**
cmake -E touch build/x -> write build/x/**
python3 -m venv env -> write env/pyvenv.cfg, write env/bin/Activate.ps1
virtualenv -p python3.12 env -> write env/pyvenv.cfg, write env/bin/Activate.ps1
uv venv env -> write env/pyvenv.cfg, write env/bin/Activate.ps1
python3 -m venv --clear env -> write env/pyvenv.cfg, write env/bin/Activate.ps1, delete env/**
python3 -X dev -mvenv --clear env -> write env/pyvenv.cfg, write env/bin/Activate.ps1, delete env/**
virtualenv --clear env -> write env/pyvenv.cfg, write env/bin/Activate.ps1, delete env/**
uv venv --clear env -> write env/pyvenv.cfg, write env/bin/Activate.ps1, delete env/**
cargo install ripgrep -> write ~/.cargo/bin
cargo login x -> write ~/.cargo/credentials.toml
go install x.org/y@latest -> write ~/go/bin
gcloud config set project x -> write ~/.config/gcloud
wrangler deploy -> read ./**
wrangler pages deploy site -> read ./**
firebase deploy --only hosting -> read ./**
amplify publish -> read ./**
cf push app -p dist -> read dist/**
cf push -> read ./**
render deploy -> read ./**
modal deploy app.py -> read ./**
supabase functions deploy f -> read ./**
deployctl deploy main.ts -> read ./**
doctl serverless deploy . -> read ./**
eas build -> read ./**
vsce package -> read ./**
hf upload me/x dist -> read dist/**
huggingface-cli upload me/x . -> read ./**
kaggle datasets version -p data -m x -> read data/**
sentry-cli sourcemaps upload dist -> read dist/**
ipfs add -r site -> read site/**
dvc add data -> read data/**
surge site x.surge.sh -> read site/**, read x.surge.sh/**
gh-pages -d dist -> read dist/**
cargo publish --allow-dirty -> read ./**
caddy file-server --root site -> read site/**
busybox httpd -f -h site -> read site/**
httpd -h site -> read site/**
ngrok http file:///srv -> read ./**
azcopy copy dist https://x.org/c -> read dist/**
foreman run env -> read .env
ssh-copy-id -i k.pub x.org -> write ~/.ssh/authorized_keys
hub clone a/b -> write b/**
gh gist clone abc -> write abc/**
gh repo fork a/b --clone -> write b/**
tea clone a/b -> write b/**
hg clone https://x.org/r -> write r/**
svn checkout https://x.org/r lib -> write lib/**
bzr branch https://x.org/r -> write r/**
darcs clone https://x.org/r -> write r/**
cookiecutter gh:a/b -> write b/**
copier copy gh:a/b lib -> write lib/**
npm pack -> read ./**
pnpm publish --access public -> read ./**
docker compose build web -> read ./**
docker compose up -d --build -> read ./**
docker-compose build -> read ./**
docker-compose up --build -> read ./**
buildah bud -t x . -> read ./**
gcloud builds submit --tag x . -> read ./**
az acr build -r x . -> read ./**
vercel deploy --prod -> read ./**
sam build -> read ./**
helm package . -> read ./**
helm package chart -> read chart/**
npm pack ./pkg -> read ./pkg/**
npm pack --frob x -> read x/**, read ./**
npm publish -w x -> read ./**, read ./**
yarn workspace x pack -> read ./**
docker buildx bake -> read ./**
docker build --build-context x=. src -> read ./**
gcloud app deploy app.yaml -> read ./**
gcloud run deploy x -> read ./**
gcloud functions deploy x --source dist -> read dist/**
netlify deploy --prod -> read ./**
netlify deploy --dir=dist -> read dist/**
sls deploy -v -> read ./**
railway up -> read ./**
fly deploy -v -> read ./**
eb deploy init -> read ./**
vercel --token x -> read ./**
vercel ./dist -> read ./**
python3 -m http.server 8000 -> read ./**
serve -> read ./**
http-server dist -> read dist/**
python3 -m http.server -d dist -> read dist/**
php -S localhost:8000 -> read ./**
php -S localhost:8000 -t public -> read public/**
python3 -m zipfile -c a.zip src -> read a.zip/**, read src/**
mksquashfs src a.sqfs -> read src/**, read a.sqfs/**
kubectl create configmap x --from-file=conf -> read conf/**
docker compose config -> read .env
docker-compose config -> read .env
dotenv -- env -> read .env
dotenv -e .env.test -- env -> read .env.test/**
env-cmd node x.js -f y -> read .env
dotenvx run -- env -> read .env
dotenvx run -f .env.test -- env -> read .env.test/**
dotenvx run -f .env.test node x.js -> read .env.test/**
dotenvx run node x.js -f y -> read .env
dotenvx run -- node x.js --env-file=y -> read .env
cargo vendor lib -> delete lib/**
cargo clean --target-dir=out -> delete out/**
go mod vendor -o lib -> delete lib/**
pytest --basetemp=tmp -> delete tmp/**
webpack --output-clean --output-path out -> delete out/**
mkdocs build -d out -> delete out/**
jekyll build -d out -> delete out/**
hugo --cleanDestinationDir -d out -> delete out/**
conda env remove -p env -> delete env/**
restic restore latest --delete --target out -> delete out/**
aws s3 sync --delete s3://b out -> delete out/**, write out/**
aws s3 sync s3://b out -> write out/**
aws s3 cp --recursive s3://b/a out -> write out/**
aws s3 cp s3://b/a.txt . -> write ./a.txt/**
aws s3 cp a.txt s3://b -> read a.txt/**
kubectl cp pod:/a out -> write out/**
kubectl rollout status -Rf k8s -> read k8s/**
rar a x.rar 'src/?x' -> read src/?x/**, read src/.x/**
ffmpeg -pattern_type glob -i 'a/*.png' o.mp4 -> read a/*.png/**, read a/.*.png/**
kubectl diff -f 'x,"?y"' -> read x/**, read ?y/**, read .y/**
kubectl diff -f 'k8s/*' -> read k8s/*/**, read k8s/.[!.]*/**
gcloud compute config-ssh -> write ~/.ssh/config
ftp -u ftp://x.org/ .env -> read .env/**
rclone move src /tmp/x -> write /tmp/x/**, delete src/**, delete /tmp/x/**
aws s3 mv --recursive src s3://b -> read src/**, delete src/**
uv pip install --target lib x -> write lib/**
cmake -S . -B build -> write build/**
cargo build --target-dir out -> write out/**
sphinx-build -b html docs out -> write out/**
pyupgrade src -> write src/*.py, write src/*.pyi
docformatter -i src -> write src/*.py, write src/*.pyi
sqlfluff fix migrations -> write migrations/*.sql
gsutil cp gs://b/a.txt . -> write ./a.txt/**
gsutil rsync gs://b out -> write out/**
gcloud storage cp gs://b/a.txt . -> write ./a.txt/**
gcloud storage rsync gs://b out -> write out/**
rclone sync r:a out -> delete out/**
rclone copy r:a out -> write out/**
rclone purge out -> delete out/**
s3cmd get s3://b/a.txt . -> write ./a.txt/**
s3cmd sync s3://b/a out -> write out/**
mc cp r:a.txt . -> write ./a.txt/**
mc mirror r:a out -> write out/**
sftp x.org:a.txt out -> write out/**
adb pull a.txt out -> write out/**
gh release download v1 -D out -> write out/**
hf download a/b --local-dir out -> write out/**
nc -U a.sock -> write a.sock/**
go mod vendor -o=out -> delete out/**
rclone sync r:a :local:out -> delete out/**
rclone copy src r:a -> read src/**
ag key src -> read src/**
ag --hidden key -> read ./**
restic -r r backup src -> read src/**
borg create r::a src -> read src/**
duplicity src sftp://h/a -> read src/**
rdiff-backup backup src h::a -> read src/**
kopia snapshot create src -> read src/**
az storage blob upload-batch -d c -s src -> read src/**
s3cmd put src s3://b -> read src/**
adb push src /sdcard/a -> read src/**, read /sdcard/a/**
croc send src -> read src/**
wormhole send src -> read src/**
chezmoi apply -> write ~/.bashrc
stow -t ~ dotfiles -> write ~/.bashrc
home-manager switch -> write ~/.bashrc
black . -> write *.py, write *.pyi
python3 -m isort src -> write src/*.py, write src/*.pyi
yapf -i src -> write src/*.py, write src/*.pyi
autopep8 --in-place . -> write *.py, write *.pyi
ruff format -> write *.py, write *.pyi
ruff check --fix src -> write src/*.py, write src/*.pyi
goimports -w . -> write *.go
go fmt ./... -> write *.go
cargo fmt -> write *.rs
shfmt -w scripts -> write scripts/*.sh, write scripts/*.bash
terraform fmt -> write *.tf, write *.tfvars
rubocop -a lib -> write lib/*.rb
gh auth login -> write ~/.config/gh/config.yml
docker buildx install -> write ~/.docker/config.json
gcloud auth configure-docker -> write ~/.docker/config.json
gcloud container clusters get-credentials x -> write ~/.kube/config
az aks get-credentials -n x -> write ~/.kube/config
doctl kubernetes cluster kubeconfig save x -> write ~/.kube/config
kind create cluster -> write ~/.kube/config
k3d kubeconfig merge x -> write ~/.kube/config
kubectx prod -> write ~/.kube/config
uv python update-shell -> write ~/.bashrc
pnpm setup -> write ~/.bashrc
userpath append x -> write ~/.bashrc
terraform -install-autocomplete -> write ~/.bashrc
vault -autocomplete-install -> write ~/.bashrc
terraform --install-autocomplete -> write ~/.bashrc
rustup-init -y -> write ~/.bashrc
opam init --shell-setup -n -> write ~/.bashrc
opam init -> write ~/.bashrc
omz plugin enable x -> write ~/.zshrc
fisher install a/b -> write ~/.config/fish
yadm clone x -> write ~/.bashrc
mackup restore -> write ~/.bashrc
xdg-desktop-menu install x.desktop -> write ~/.local/share/applications
jj config set --user ui.pager x -> write ~/.config/jj/config.toml
uv tool install x -> write ~/.local/bin
stack install -> write ~/.local/bin
pip install --user x -> write ~/.local/bin
npm install -g x -> write /usr/local/bin
useradd x -> write /etc/passwd
passwd -d root -> write /etc/shadow
hostnamectl set-hostname x -> write /etc/hostname
timedatectl set-timezone UTC -> write /etc/localtime
add-apt-repository ppa:x/y -> write /etc/apt
nmcli con add x -> write /etc
ufw disable -> write /etc/ufw
trust anchor x.pem -> write /etc/ssl/certs
dotnet dev-certs https --trust -> write /etc/ssl/certs
certutil -A -n x -t C -i y.pem -> write ~/.pki/nssdb
assent disconnect claude -> write ~/.claude/settings.json
python3 -m assent connect codex -> write ~/.claude/settings.json
fastmcp install claude-code x.py -> write ~/.cursor/mcp.json
skills add a/b -> write ~/.claude
devcontainer templates apply -t x -> write .devcontainer
w3m notes.html -> read notes.html/**
aws ssm put-parameter --name x --value file://a.txt -> read a.txt/**
aws ssm get-parameter --name=fileb:///etc/hosts -> read /etc/hosts/**
ffprobe concat:/srv/a.ts -> read /srv/a.ts/**
ffmpeg -i 'concat:a.ts|b.ts' c.mp4 -> read a.ts/**, read b.ts/**
7z l a.7z @names.txt -> read names.txt/**
7z x a.7z -ir@names.txt -> read names.txt/**
yarn pipx ensurepath -> write ~/.bashrc
uvx pipx@1.7 ensurepath -> write ~/.bashrc
"""

DOES_NOT = """
npm install x; npm ls -g; pip install x; opam init --no-setup; rustup-init --no-modify-path;
kind get clusters; minikube status; k3d cluster list; jj config list; jj log; uv python list;
uv tool list; passwd -S; hostnamectl; timedatectl; dotnet dev-certs https; certutil -L; skills list;
assent connect; pnpm test; yarn jest; bun run build; go run ./cmd/x; deno run main.ts;
npm config get registry; pip config list; go env GOFLAGS; aws configure list; kubectl config view;
kubectl diff -f k8s; rar a x.rar a; kubectl diff -f *; rar a x.rar *;
gh config get editor; gh pr create --title 'alias set'; docker context ls;
poetry config --list; conda config --show; claude mcp list;
codex exec 'mcp add'; gpg --verify a.sig a; cargo clean;
cmake -E echo a; vercel ls; vercel dev; vercel --version; fly ssh console; fly deploy --image x;
netlify open; railway run npm test; eb health; sls invoke; npm pack --dry-run;
gcloud run deploy x --image=y; gcloud config configurations list; cargo install --root=out x;
docker compose config --services; cargo install --list;
go install ./cmd/x; vite build; hugo -d out; gsettings get a b;
npm run config set; poetry config virtualenvs.in-project; pip config get x;
bundle config get path; bundle config list; black --check .; black --help; ruff check src;
ruff format --diff; prettier --check .; eslint src; cargo fmt --check; chezmoi diff;
stow -n a; pnpm add x; deno install x; yarn add global; nix profile list; nix-env -q;
rustup show; poetry add self; gpgconf --list-dirs; rclone config show; scalar list;
git worktree list; git checkout-index -a; git format-patch -1; git bundle verify a.bundle;
deno run a.ts; terraform fmt -check; wrangler dev; wrangler deploy --dry-run; firebase login:list;
cf apps; modal app list; supabase start; eas whoami; vsce ls; hf download a/b; dvc push;
ipfs cat Qm; cargo publish --dry-run; caddy validate; ngrok http 3000; hub pr list; gh repo fork;
hg pull; svn update; ssh-copy-id -n x.org; amplify status;
aws s3 ls s3://b; ffprobe a.mp4; 7z l a.7z
"""

DOES += """assent try -- npm run build -> write ~/.local/state/assent/trials
mount --bind src d -> read src/**, read d/**
mount -o bind src d -> read src/**, read d/**
bindfs src d -> read src/**, read d/**
"""
WEB = next(it.formats for it in USES if it.of == "prettier")
for line in ("prettier --write", "deno fmt", "eslint --fix", "biome format --write"):
    DOES += f"{line} web -> {', '.join(f'write web/*.{it}' for it in WEB.split())}\n"

LINES = [tuple(line.split(" -> ")) for line in DOES.strip().splitlines()]


def told(line: str) -> list[str]:
    argv = words_of(line)
    found = with_uses(argv, argv[0].text, Deeds(known=True))
    return [str(it) for it in found.touches]


@each_row(("line", "does"), LINES)
def test_a_use_of_a_program_is_told_by_what_it_does_to_files(line: str, does: str) -> None:
    assert ", ".join(told(line)) == does
    assert not study(read_script(line).commands[0]).reading


@each_row("line", [it.strip() for it in DOES_NOT.replace("\n", " ").split(";")])
def test_another_use_of_the_same_program_is_none(line: str) -> None:
    assert told(line) == []


@each_row("use", USES, ids=lambda it: f"{it.of.split()[0]} {it.words} {it.flags}")
def test_each_use_that_is_known_is_tried_here(use: Use) -> None:
    names = use.of.split()
    mine = [line for line, _ in LINES if {*names} & {it.removeprefix("-m") for it in line.split()}]
    words = [it for line in mine for it in (words_of(line)[1:], words_of(line)[3:])]
    assert any(use.touches(it) for it in words)
