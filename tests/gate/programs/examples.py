"""Commands that read, and commands that are left to rules; each row of a table has one here."""

from typing import Final

__all__ = ["LEFT", "READING"]

_READING: Final = r"""
git log --oneline -20 --graph
git -c diff.renames=copies diff
git -c log.date=iso log -3
git -c color.pager=false log -3
git diff --stat HEAD~1 -- src
git branch -a
git -C sub status
git --no-pager log -3
git status --porcelain
git status -sb
git diff
git diff --cached
git diff --name-only main...HEAD
git diff HEAD^ HEAD -- package.json
git log --since="2 weeks ago" --author=me --pretty=format:"%h %s"
git log -p -S foo -- src/a.ts
git log -n 5 --stat
git log --all --decorate --oneline --graph
git log main..feature --no-merges
git log -L10,20:src/a.py
git show HEAD
git show HEAD~3:src/app.py
git show --stat abc123
git show --name-status HEAD
git blame -L 10,20 src/a.py
git blame src/a.py
git shortlog -sn
git branch --show-current
git branch -vv
git branch --list 'feature/*'
git branch --contains abc123
git branch -r --merged main
git tag
git tag -l 'v1.*'
git tag --sort=-creatordate
git remote -v
git remote get-url origin
git stash list
git stash show -p stash@{0}
git config --get user.name
git config --list
git config user.email
git config get user.name
git rev-parse HEAD
git rev-parse --show-toplevel
git rev-parse --abbrev-ref HEAD
git rev-list --count HEAD
git ls-files
git ls-files --others --exclude-standard
git ls-files -m
git ls-tree -r HEAD --name-only
git describe --tags --always --dirty
git reflog -10
git reflog show main
git cat-file -p HEAD
git cat-file -t abc123
git merge-base main HEAD
git grep -n "foo" -- '*.py'
git grep foo
git version
git --version
git check-ignore -v node_modules
git for-each-ref --format='%(refname:short)' refs/heads
git show-ref --heads
git -c color.ui=always diff
git -c core.quotepath=false status
git worktree list
git submodule status
git diff --no-index a b
git diff -U10 -w --word-diff
git diff --check
git log -1 --format=%H
git log --follow -- README.md
git whatchanged -3
ls
ls -la
ls -lah src
ls -1t
ls -d */
ls --color=never -R src
ls -lh dist/*.js
cat package.json
cat -n src/a.ts
cat a b c
head -20 f
head -n20 f
head -c 100 f
tail -n 50 log.txt
tail -f log.txt
tail -20 f
tail +5 f
tail -n +5 f
wc -l src/a.py
wc -l *.py
nl -ba f
tac f
rev f
cut -d: -f1 f
cut -d ',' -f 2-3 f.csv
tr -d '\n'
tr a-z A-Z
sort f
sort -u f
sort -k2,2n -t, f
sort -rn
sort *.txt
uniq -c
uniq -d f
comm -12 a b
cmp a b
diff -u a b
diff -r src dist
diff -qr a b
paste -sd, f
grep -rn "TODO" src --include=*.ts
grep -n foo f
grep -i foo -A 3 -B2 f
grep -E 'a|b' f
grep -v '^#' f
grep -c foo f
grep -l foo src/*.py
grep -rnI --exclude-dir=node_modules foo .
grep -oP '\d+' f
grep -w -e foo -e bar f
egrep 'a|b' f
fgrep a f
rg foo
rg -n foo src
rg --files
rg --files -g '*.ts'
rg -l "import React" --type ts
rg -i -C 3 foo src/
rg foo -t py --no-heading
rg -uu foo
rg -e foo -e bar
find . -name '*.py' -not -path './node_modules/*'
find . -type f -name "*.ts"
find src -type d -maxdepth 2
find . -name '*.log' -mtime -1
find . -size +1M -print
find . -newer package.json
find . -type f ( -name a -o -name b )
find . -name "*.py" -print0
find . -maxdepth 1 -type f -printf '%f\n'
find . -path ./node_modules -prune -o -name '*.js' -print
fd foo
fd -e py
fd -t f foo src
tree
tree -L 2
tree -L 2 -I 'node_modules|dist'
tree -a src
stat f
stat -c %s f
stat -f %z f
file f
file -b --mime-type f
du -sh .
du -sh *
du -h --max-depth=1
df -h
pwd
popd
hash rg
pushd src
cd src
cd ..
echo hello
echo -e "a\nb"
echo -n x
printf '%s\n' a b
true
false
:
test -f package.json
[ -d node_modules ]
[ -z "" ]
[ a = b ]
[[ -f a && -d b ]]
which node
which -a python3
type node
command -v node
basename /a/b.c .c
dirname a/b
realpath src
readlink -f a
date
date +%s
umask
git help -a
journalctl --version
date -u +%Y-%m-%dT%H:%M:%SZ
date -d yesterday +%F
date -d @1234
whoami
id
id -u
uname -a
nproc
seq 1 10
sleep 1
md5sum f
sha256sum f
sha1sum f
cksum f
xxd f
xxd -l 64 f
od -c f
od -An -tx1 f
hexdump -C f
strings -n 8 f
base64 f
base64 -d
base64 -w0 f
jq . package.json
jq '.scripts' package.json
jq -r '.version' package.json
jq -c '.[] | select(.a > 1)' f
jq --arg n x '.[$n]' f
jq '.dependencies | keys' package.json
jq -s 'map(.a)' a.json
jq -n '{a:1}'
sed -n '1,20p' f
sed -n 10,30p f
sed 's/a/b/g' f
sed -n '/foo/,/bar/p' f
sed -e 's/a/b/' -e 's/c/d/' f
sed '/^#/d' f
sed -E 's/(a+)b/\1/' f
sed '$d' f
sed -n '$=' f
sed 's|/a|/b|g' f
sed -n '/start/{p;q}' f
sed '5q' f
sed 10q f
sed -n '5p;10p' f
sed 's/^[ \t]*//' f
sed 's/,$//' f
awk '{print $1}' f
awk -F: 'NR>1 {s+=$2} END {print s}' f
awk -F, '{print $1","$3}' f
awk '/foo/' f
awk 'NR==5' f
awk 'NR>=10 && NR<=20' f
awk '$3 > 100 {print $1, $3}' f
awk 'BEGIN{FS=":"} {printf "%s\n", $1}' f
awk '!seen[$0]++' f
awk '/filesystem/ {filesystem=$1; print filesystem / 2, $NF/.5e5}' f
awk '$1>1e6 {x["a"]/=2; print x["a"] /1024}' f
awk '{a[$1]+=$2} END {for (k in a) print k, a[k]}' f
awk -v x=1 '$1==x' f
awk '{ if ($1 > 5) print $2; else print "no" }' f
awk 'length > 80' f
awk '{sum+=$1} END {print sum/NR}' f
awk '{gsub(/a/,"b"); print}' f
awk '{print > "/dev/stderr"}' f
node --version
node -v
python --version
python3 -V
npm --version
npm -v
pip --version
go version
gcc --version
docker --version
make --version
java -version
npm ls
npm ls --depth=0
pip list
pip show requests
ps aux
ps -ef
uptime
hostname
lscpu
free -h
column -t f
column -t -s, f
fold -w 80 f
pr -t -n3 f
shopt -s nullglob
expand -t 4 f
set -e
set -euo pipefail
export FOO=bar
local x=1
read -r line
exit 1
yes
expr 1 + 2
shuf -n 5 f
join a b
locale
pgrep -fl node
git status -uno
git annotate f
git diff-tree --stat HEAD
git diff-index HEAD
git diff-files
git range-diff a b c
git reflog
git reflog exists refs/heads/main
git check-attr -a f
git name-rev --name-only HEAD
git show-branch -a
git cherry -v main
git count-objects -vH
git symbolic-ref --short HEAD
git notes show HEAD
git remote
git stash list --stat
dir
vdir -l
diff3 a b c
rgrep foo src
gsed -n 1p f
gawk '{print NF}' f
sha224sum f
sha384sum f
sha512sum f
b2sum f
sum f
shasum -a 256 f
md5 f
hd f
base32 f
unexpand -a f
fmt -w 72 f
tsort f
bc -l
iconv -f latin1 -t utf8 f
zcat f.gz
zgrep -in x f.gz
zgrep -r x src
zdiff a.gz b.gz
gfind . -name a
fdfind foo
namei -l a/b
return 0
break
continue
shift
wait
whereis ls
whatis ls
readonly A=b
declare -a list
typeset x=1
mapfile -t lines
readarray lines
factor 12
clear
jobs -l
disown -h
times
cal
numfmt --to=iec 1024
tput cols
gdate +%s
logname
tty
arch
users
groups
pidof node
pstree -p
blkid /dev/sda1
lsblk -f
who
w
vmstat -s
getconf PAGE_SIZE
sw_vers
lsb_release -a
ulimit -n
mawk '{print}' f
nawk 1 f
ripgrep foo
hexdump f
chdir src
yes y
apropos git
local y
iostat
yq '.services' docker-compose.yml
yq eval '.image.tag' values.yaml
yq -r '.spec.template.spec.containers[].env' k8s/deploy.yaml
yq -o json values.yaml
tomlq .project pyproject.toml
xmllint --noout pom.xml
xmllint --xpath '//version/text()' pom.xml
openssl x509 -in cert.pem -noout -text
openssl x509 -noout -enddate -in cert.pem
openssl req -in a.csr -noout -subject
openssl verify -CAfile ca.pem cert.pem
openssl dgst -sha256 f
openssl rand -hex 16
openssl version -a
printenv PATH
printenv NODE_ENV CI
zipinfo -1 a.zip
tar -tzf a.tgz
tar tvf a.tar
tar -xOf a.tar src/x
unzip -l a.zip
unzip -p a.zip META-INF/MANIFEST.MF
unzip -t a.zip
gzip -dc a.gz
gzip -l a.gz
gunzip -c a.gz
xz -dc a.xz
zstd -dc a.zst
tee
tee /dev/null
ss -tulpn
lsof -i :3000
lsof -nP -iTCP -sTCP:LISTEN
netstat -tlnp
nm -C a.out
objdump -d a.out
readelf -h a.out
size a.out
c++filt _ZN3fooEv
gofmt -l .
bash -n a.sh
node --check a.js
php -l a.php
php -n -l a.php
jar tf a.jar
jar -tvf a.jar
crontab -u app -l
clang-format --dry-run -Werror a.cpp
shellcheck a.sh
hadolint Dockerfile
yamllint k8s
eza -la
tokei -o json src
ifconfig
ifconfig -a
csvcut -n a.csv
csvstat a.csv
pdfinfo a.pdf
pkg-config --cflags openssl
nvidia-smi
nvidia-smi --query-gpu=name --format=csv
mount
findmnt
dpkg-query -W
dpkg -l
dpkg -S /bin/ls
apt-cache policy gcc
bat -p a.py
lspci -nnk
lspci -s 00:02.0 -v
glxinfo -B
actionlint f
actionlint -oneline
addr2line -Cfe a 0x1
addr2line --exe=a -i 0x12 0x34
cloc src
cloc --by-file --json src lib
scc
scc --format=json --no-cocomo src
scc -wf json
envsubst '$REGION'
envsubst '$REGION,${STAGE}'
yamllint -d relaxed a
yamllint -d '{extends: default, rules: {line-length: disable}}' a
stty size
stty -a
go list ./...
go list -f '{{.ImportPath}}' ./...
go list -deps ./cmd/x
go list -m
go list -m -json all
go list -json=Dir,Name -e
go doc net/http.Handler
go doc -all ./internal/queue
go version -m bin/x
terraform fmt -check
terraform fmt -check -recursive -diff
tofu fmt -check infra
helm lint helm/shop --strict --set a=b
conda list -n base --json
mamba list
pip cache dir
pip3 cache dir
systemctl status nginx
systemctl --user --no-pager status x.service
systemctl is-active nginx
systemctl is-enabled nginx
systemctl is-failed nginx
systemctl list-units --type=service --state=running
systemctl list-unit-files
systemctl list-timers --all
systemctl list-sockets
systemctl list-dependencies nginx
cargo nextest --version
ar t a
ar tv a b.o
ar vt a
ar tvO a
ar -t a
ar -tv a
cmake --list-presets
ctest --list-presets
cmake --help-command add_library
cmake --help-module CTest
cmake --help-policy CMP0077
cmake --help-property CXX_STANDARD
cmake --help-variable PROJECT_NAME
cmake --help-manual cmake-policies
cmake --build --help
cmake -E cat a b
cmake -E echo a
cmake -E echo_append a
cmake -E compare_files --ignore-eol a b
cmake -E md5sum a
cmake -E sha1sum a
cmake -E sha224sum a
cmake -E sha256sum a
cmake -E sha384sum a
cmake -E sha512sum a
cmake -E capabilities
clang-tidy --list-checks
clang-tidy -list-checks --checks='*'
ninja -C build -t targets all
ninja -t commands a
ninja -f x.ninja -t compdb
gcc -dumpmachine
g++ -print-search-dirs
dot -V
istioctl version --remote=false
argocd version --client
pnpm -r list --depth -1
pnpm ls -r --depth 0 --json
pnpm --filter web list
pnpm list -w
sqlite3 -readonly a .tables
sqlite3 -readonly a '.schema users'
"""

_LEFT: Final = r"""
git
git foo
git branch new
git branch -v new
git branch -D x
git branch -m a b
git branch -u origin/x
git branch --edit-description
git tag v1
git tag -d v1
git tag -a v1 -m x
git config user.name x
git config --global user.name x
git config --unset a.b
git config set a.b c
git config --add a.b c
git remote add x y
git remote set-url x y
git remote show origin
git remote prune origin
git stash
git stash push
git stash pop
git stash drop
git stash clear
git reflog expire --all
git reflog delete HEAD@{1}
git reflog write refs/heads/x a b m
git bisect view
find . -name *
find . -name -d*
gh pr view 3
kubectl get pods
cargo build
yarn install
ftp host
git log --format=%G?
git log --pretty=format:%GK
git log --show-signature
git log --unknown-flag
git symbolic-ref HEAD refs/heads/x
git rev-parse --parseopt
git worktree add x
git submodule update
git notes add
git fsck --lost-found
git commit -m x
git checkout main
git push
git pull
git fetch
git help log
git log --help
jq env f
jq -n env.X
jq '$ENV.X' f
jq -f x f
jq -L x . f
jq 'include "x"; 1' f
ls --unknown
cat --unknown f
find . -unknown
find . -name x -unknown
grep --unknown a f
sort -Q f
env
printenv
printenv GH_TOKEN
printenv PATH AWS_SECRET_ACCESS_KEY
printenv $x
printf -v x y
set
export
export -p
declare -p
declare -x
read PATH
read -r IFS
read http_proxy
mapfile -C x y
ps auxe
ps eww
ps -o environ
ps axo environ
ps a U root e
command ls
python -v
python x.py
python
bash -v
bash
sh --version
yarn --version
node -e 1
./ls
../ls
src/ls
/tmp/ls
/usr/local/bin/ls
/bin/../tmp/ls
npm test
npm config set x y
pip install x
pip config set x y
test -v a[0]
tput reset x
npm
nothing-known
eval x
tee f
less f
man ls
lsattr f
ping host
make -n
yq -i '.a = 1' f.yaml
yq -s '.name' f.yaml
yq '. * load("x.yaml")' f.yaml
yq 'strload("x")' f.yaml
yq 'eval(.x)' f.yaml
yq 'env(PATH)' f.yaml
yq '$ENV.HOME' f.yaml
xmllint --shell a.xml
xmllint --noent a.xml
xmllint --c14n a.xml
xmllint --exc-c14n a.xml
xmllint https://x.org/a.xml
openssl x509 -req -in a.csr -CA ca.pem -CAkey ca.key
openssl req -new -newkey rsa:2048 -nodes
openssl x509 -in store:x -noout
openssl s_client -connect x.org:443
openssl genrsa 2048
openssl enc -d -in f
tar -tf host:a.tar
php -n a.php
jar tf @more
jar xf a.jar
jar -tf a.jar -J-Dx=y
crontab -l -r
crontab -l -e
crontab -u app jobs
tar -xf a.tar
tar -tf a.tar -I ./x
tar -t --rsh-command=x -f a.tar
tar -xOf a.tar -U
unzip a.zip
gzip a
lz4 -dc a b
zstd -dc a.zst -o b
tee a
tee /dev/null a
gofmt -w a.go
dpkg -i a.deb
dpkg --configure -a
objdump -S a.out
nm @words
nvidia-smi dmon
ifconfig eth0 down
mount /dev/sda1 /mnt
shellcheck -x a.sh
top -b -n 1
go list *
systemctl status *
ar t *
actionlint -config-file f
addr2line @words
cloc a.tar.gz
cloc HEAD~1
cloc --out=f src
envsubst
envsubst '$API_TOKEN'
go list -export ./...
go list -compiled ./...
go list -toolexec=./x ./...
go list -overlay o.json
go list -modfile=x.mod
go list -mod=mod
go list -C .. ./...
go -C .. list ./...
go list -m -u all
go list -m -versions x.org/a
go list -m x.org/a@latest
go doc -http
go tool cover
go tool cover -html=f
go tool cover -func=f -o g
go tool nm f
go version -m -x f
terraform fmt
terraform fmt -check=false
terraform fmt -check -write=true
terraform fmt -recursive
terraform -chdir=x fmt -check
helm lint https://x.org/a.tgz
helm lint a -f https://x.org/b.yaml
conda list -p x
pip cache purge
pip3 cache remove x
systemctl -H x.org status a
systemctl --ho x.org status a
cargo nextest run
ar ts a
ar tx a
ar t --plugin ./x.so a
ar t @words
cmake -N -C x.cmake a
cmake -NL a
cmake -LA -N -P x.cmake
cmake --help-policy CMP0077 --trace-redirect=f
cmake -E env cat f
cmake -E chdir a cat f
cmake -E touch f
clang-tidy --list-checks --load=./x.so
ninja -t query a
ninja -t clean
ninja -t clean -t targets
ninja -C build -d keeprsp -t targets
pnpm explain
pnpm -w exec ls
pnpm -r exec ls
pnpm --filter list exec x
pnpm list --find-by=x
sqlite3 a .tables
sqlite3 -readonly a .tables .schema
sqlite3 -readonly -cmd .tables a .tables
sqlite3 -readonly a 'select 1'
bat cache --build
"""

READING: Final = tuple(_READING.strip().splitlines())
"""What reads and nothing else."""

LEFT: Final = tuple(_LEFT.strip().splitlines())
"""What is no reading, whatever else it is."""
