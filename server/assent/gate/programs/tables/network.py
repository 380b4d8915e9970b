"""Tools that reach other machines, or ask a database."""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.irreversible_uses import IrreversibleUse
from assent.gate.programs.rows import ALWAYS, Row
from assent.gate.programs.tables.services import (
    CLOUDS,
    CONTAINERS,
    FETCHERS,
    HUBS,
    PACKAGES,
    PUBLISHERS,
    QUERIES,
    REMOTES,
    SENDERS,
    SERVERS,
    TALKERS,
)

__all__ = ["NETWORK"]

_GH: Final = (
    "-a= -b= -B= -c= -d -e -f -F< -H= -l= -L= -m= -p= -q= -r= -R= -s= -S= -t= -T= -w --assignee="
    " --author= --base= --body= --body-file< --comments --draft --editor --fill --fill-first"
    " --fill-verbose --head= --jq= --json= --label= --limit= --milestone= --project= --repo="
    " --reviewer= --search= --state= --template= --title= --web --add-label= --remove-label="
    " --add-assignee= --add-reviewer= --comment= --reason= --approve --request-changes --squash"
    " --merge --rebase --auto --delete-branch --admin --watch --required --name-only --patch"
    " --no-maintainer-edit --edit-last --yes -i --include --paginate --slurp --silent --cache="
)

_NPM: Final = (
    "-g -v -D -E -O -S -P -f -h -C^ --version --help --prefix^ --global --json --depth= --long"
    " --parseable --all --omit= --include= --save-dev --save --save-exact --silent"
    " --node-options=!runs --script-shell=!runs --userconfig<!runs --globalconfig<!runs"
    " --registry=!connects_elsewhere --location= --ignore-scripts --production --force"
    " --legacy-peer-deps --no-audit --no-fund --prefer-offline --if-present --yes"
)

_FETCHERS: Final = (
    "uv uvx poetry pipenv pdm hatch conda mamba cargo go gem bundle composer apt apt-get dnf yum"
    " apk"
    " pacman zypper brew snap flatpak terraform tofu dotnet nuget pod swift mix cabal opam luarocks"
    " svn hg cpan cpanm rustup nvm deno wrangler vercel netlify fly flyctl firebase heroku"
)

NETWORK: Final = (
    Row(
        names="curl",
        reads=False,
        irreversible_uses=SENDERS,
        operands=None,
        form="urls",
        flags="-# -0 -1 -2 -3 -4 -6 -a -A= -b= -B -c> -C= -d@!sends -D> -e= -E< -f -F@!sends -g -G"
        " -h -H@ -i -I -j -J!writes -k -K<!may_change -l -L -m= -M -n!shows_secrets -N -o>"
        " -O!writes -p -P= -q -Q=!may_change -r= -R -s -S -t= -T<!sends -u= -U= -v -V -w@"
        " -x=!connects_elsewhere -X=!may_change -y= -Y= -z= -Z --anyauth --basic --compressed"
        " --config<!may_change --connect-timeout= --connect-to=!connects_elsewhere --cookie="
        " --cookie-jar> --create-dirs --data@!sends --data-ascii@!sends --data-binary@!sends"
        " --data-raw=!sends --data-urlencode@!sends --digest --dns-servers=!connects_elsewhere"
        " --doh-url=!connects_elsewhere --dump-header> --engine=!runs --etag-save> --fail"
        " --fail-with-body --fail-early --form@!sends --form-string=!sends --get --globoff --head"
        " --header@ --hsts> --http1.0 --http1.1 --http2 --http3 --include --insecure --ipv4 --ipv6"
        " --json@!sends --key< --cert< --cacert< --capath< --keepalive-time= --libcurl>"
        " --limit-rate= --location --location-trusted!sends --max-filesize= --max-redirs="
        " --max-time= --netrc!shows_secrets --netrc-file<!shows_secrets"
        " --netrc-optional!shows_secrets --next --no-buffer --no-progress-meter --noproxy="
        " --oauth2-bearer= --output> --output-dir> --parallel --path-as-is --post301"
        " --preproxy=!connects_elsewhere --progress-bar --proto= --proto-redir="
        " --proxy=!connects_elsewhere --quote=!may_change --range= --raw --referer="
        " --remote-name!writes --remote-name-all!writes --remote-header-name!writes --remote-time"
        " --request=!may_change --resolve=!connects_elsewhere --retry= --retry-delay="
        " --retry-all-errors --retry-connrefused --retry-max-time= --show-error --silent"
        " --socks4=!connects_elsewhere --socks5=!connects_elsewhere"
        " --socks5-hostname=!connects_elsewhere --ssl --stderr> --tlsv1.2 --tlsv1.3 --trace>"
        " --trace-ascii> --trace-time --unix-socket=!connects_elsewhere --upload-file<!sends --url="
        " --url-query@!sends --user= --user-agent= --variable@!shows_secrets --verbose --version"
        " --help? --write-out@ --alt-svc> --ssl-sessions>"
        " --abstract-unix-socket=!connects_elsewhere --proxy-header@",
    ),
    Row(
        names="wget wget2",
        reads=False,
        irreversible_uses=SENDERS,
        operands=None,
        form="urls",
        flags="-4 -6 -a> -A= -b -B= -c -d -D= -e=!may_change -E -F -h -H -i< -I= -k -K -l= -L -m -N"
        " -nc -nd -nH -nv -np -o> -O> -p -P> -q -Q= -r -R= -S -t= -T= -U= -v -V -w= -x -X="
        " --append-output> --body-data=!sends --body-file<!sends --ca-certificate<"
        " --config<!may_change --connect-timeout= --content-disposition!writes"
        " --trust-server-names!writes --continue --cut-dirs= --default-page= --force-directories"
        " --no-directories --no-host-directories --directory-prefix> --execute=!may_change"
        " --header= --input-file< --limit-rate= --load-cookies< --local-encoding="
        " --method=!may_change --mirror --no-check-certificate --no-clobber --no-verbose"
        " --no-parent --output-document> --output-file> --password= --post-data=!sends"
        " --post-file<!sends --progress= --quiet --recursive --rejected-log> --save-cookies>"
        " --server-response --show-progress --spider --timeout= --timestamping --tries="
        " --use-askpass=!runs --user= --user-agent= --verbose --version --wait= --warc-file>"
        " --help",
    ),
    Row(
        names="aria2c",
        reads=False,
        operands=None,
        form="aria",
        flags="-c -d> -h -i<!reads_listed -j= -k= -l> -o> -q -s= -t= -T<!reads_listed -U= -v -V -x="
        " -Z --continue --dir> --out> --input-file<!reads_listed --log> --quiet --split="
        " --max-connection-per-server= --header= --user-agent= --referer= --checksum="
        " --console-log-level= --file-allocation= --allow-overwrite= --auto-file-renaming="
        " --save-session> --load-cookies< --conf-path<!may_change --on-download-complete=!runs"
        " --on-download-start=!runs --on-download-error=!runs --on-download-stop=!runs"
        " --on-download-pause=!runs --on-bt-download-complete=!runs --help --version",
    ),
    Row(
        names="ssh slogin",
        reads=False,
        irreversible_uses=(
            IrreversibleUse(flags="-R", sentence="Lets the other machine reach this one."),
        ),
        operands=None,
        form="ssh",
        operand_ends_flags=True,
        flags="-4 -6 -a -A!sends -b= -B= -c= -C -D=!connects_elsewhere -e= -E> -f -F<!runs -g -G"
        " -i< -I=!runs -J=!connects_elsewhere -k -K -l= -L=!connects_elsewhere -m= -M -n -N"
        " -o=!runs -O= -P= -p= -q -Q= -R=!connects_elsewhere -s -S= -t -T -v -V"
        " -w=!connects_elsewhere -W=!connects_elsewhere -x -X!sends -y -Y!sends",
    ),
    Row(
        names="scp",
        reads=False,
        irreversible_uses=REMOTES,
        operands=Kind.READ,
        target=Kind.WRITE,
        form="rsync",
        recursive_flags="-r",
        read_links_flags=ALWAYS,
        flags="-3 -4 -6 -A -B -C -c= -D=!runs -F<!runs -i< -J=!connects_elsewhere -l= -o=!runs -O"
        " -P= -p -q -R -r -S=!runs -s -T -v -X=",
    ),
    Row(
        names="sftp",
        reads=False,
        operands=None,
        form="sftp",
        flags="-4 -6 -A -a -B= -b<!runs -C -c= -D=!runs -F<!runs -f -i< -J=!connects_elsewhere -l="
        " -N -o=!runs -P= -p -q -R= -r -S=!runs -s= -v -X=",
    ),
    Row(
        names="nc ncat netcat socat telnet mosh sshfs ssh-copy-id rsh rlogin lynx w3m links"
        " elinks smbclient nmap",
        reads=False,
        irreversible_uses=TALKERS,
        operands=None,
        form="hosts",
        flags="-4 -6 -c=!runs -d -e=!runs -g= -h -i= -k -l!connects_elsewhere -n -o> -p= -q= -s= -t"
        " -u -U -v -w= -x=!connects_elsewhere -X= -z --exec=!runs --sh-exec=!runs --lua-exec<!runs"
        " --ssl --listen!connects_elsewhere --send-only",
    ),
    Row(
        names="http https httpie xh curlie",
        reads=False,
        irreversible_uses=SENDERS,
        operands=None,
        form="hosts",
        flags="-4 -6 -c=!runs -d -e=!runs -g= -h -i= -k -l!connects_elsewhere -n -o> -p= -q= -s= -t"
        " -u -U -v -w= -x=!connects_elsewhere -X= -z --exec=!runs --sh-exec=!runs --lua-exec<!runs"
        " --ssl --listen!connects_elsewhere --send-only",
    ),
    Row(
        names="dig",
        reads=False,
        operands=None,
        form="hosts",
        flags="-4 -6 -b= -c= -f<!reads_listed -h -i -k<!shows_secrets -m -p= -q= -r -t= -u -v -x="
        " -y=",
    ),
    Row(
        names="ping ping6 host nslookup traceroute tracepath mtr whois",
        reads=False,
        operands=None,
        form="hosts",
        flags="-4 -6 -a -c= -f -i= -I= -n -q -s= -t= -v -w= -W= -x= -p= -m= -y= -b="
        " -k<!shows_secrets",
    ),
    Row(
        names="ftp lftp tftp",
        reads=False,
        operands=None,
        form="hosts",
        flags="-c=!runs -e=!runs -f<!runs -u= -p= -n -i -v",
    ),
    Row(
        names="psql usql",
        reads=False,
        irreversible_uses=QUERIES,
        operands=None,
        form="query",
        flags="-a -A -b -c= -d= -e -E -f<!runs -F= -h= -H -l -L> -n -o> -p= -P= -q -R= -s -S -t -T="
        " -U= -v= -V -w -W -x -X -z -0 -1 --command= --dbname= --file<!runs --output> --log-file>"
        " --host= --port= --username= --no-password --no-psqlrc --tuples-only --no-align --quiet"
        " --csv",
    ),
    Row(
        names="mysql mariadb mycli litecli pgcli iredis",
        reads=False,
        irreversible_uses=QUERIES,
        operands=None,
        form="query",
        flags="-h= --host= -e= --execute= -u= --user= -p? --password? -P= --port= -D= --database="
        " -S= --socket= -N -B -s -t -v -A -r -C -E -H -X --silent --batch --table --force -f"
        " --skip-column-names --raw --protocol= --default-character-set= --tee=!writes",
    ),
    Row(
        names="migrate",
        reads=False,
        operands=None,
        form="steps",
        flags="-path< -database= -prefetch= -lock-timeout= -verbose -all -f",
    ),
    Row(
        names="duckdb",
        reads=False,
        irreversible_uses=QUERIES,
        operands=None,
        form="query",
        flags="-c= -s= -cmd= -json -csv -box -line -markdown -readonly -init<!runs -list -column"
        " -ui!runs",
    ),
    Row(
        names="sqlite3",
        reads=False,
        irreversible_uses=QUERIES,
        form="query",
        flags="-ascii -bail -batch -box -column -cmd= -csv -echo -header -noheader -help -html"
        " -init<!runs -interactive -json -line -list -markdown -memory -newline= -nullvalue= -quote"
        " -readonly -safe -separator= -stats -table -tabs -version",
    ),
    Row(
        names="npm",
        reads=False,
        irreversible_uses=PACKAGES,
        operands=None,
        form="npm",
        flags=f"{_NPM} -w= --workspace= --workspaces",
    ),
    Row(
        names="pnpm",
        reads=False,
        irreversible_uses=PACKAGES,
        operands=None,
        form="npm",
        # Its hooks are loaded by whatever it is told to do.
        steering_files=".pnpmfile.cjs .pnpmfile.mjs .npmrc?pnpmfile pnpm-workspace.yaml?pnpmfile"
        " pnpm-workspace.yaml?configDependencies",
        flags=f"{_NPM} -w --workspace-root -r --recursive -F= --filter= --prod --dev",
    ),
    Row(names="yarn bun", reads=False, operands=None, form="npm", irreversible_uses=PUBLISHERS),
    Row(names="gh glab", reads=False, operands=None, form="gh", flags=_GH, irreversible_uses=HUBS),
    Row(
        names="actionlint",
        flags="-color -no-color -oneline -verbose -version -ignore= -shellcheck=!runs"
        " -pyflakes=!runs -init-config!writes",
    ),
    Row(
        names="mysqldump redis-cli mongo mongosh kubectl",
        reads=False,
        irreversible_uses=SERVERS,
        operands=None,
        form="servers",
        flags="-h= --host= -s= --server=",
    ),
    Row(
        names="helm aws gcloud az",
        reads=False,
        irreversible_uses=CLOUDS,
        operands=None,
        form="servers",
        flags="--host= --server=",
    ),
    Row(
        names="ssh-keygen",
        reads=False,
        operands=None,
        form="keygen",
        flags="-f~ -t= -b= -C= -N= -P= -q -l -y -p -e -i -m= -R= -F= -E= -v -c -a= -o -H -A!writes",
    ),
    Row(
        names="claude codex gemini code code-insiders codium cursor windsurf",
        reads=False,
        operands=None,
        form="untold",
    ),
    Row(names=_FETCHERS, reads=False, operands=None, form="fetchers", irreversible_uses=FETCHERS),
    Row(
        names="pip pip3",
        reads=False,
        operands=None,
        form="pip",
        flags="-V -h -q -v -l -o!connects_elsewhere -r< -c< -e= -f= -i=!connects_elsewhere -t> -U"
        " -y --version --help --format= --local --outdated!connects_elsewhere --user --editable="
        " --requirement< --constraint< --target> --prefix> --root> --src> --log> --cache-dir>"
        " --proxy=!connects_elsewhere --trusted-host=!connects_elsewhere --python=!runs --upgrade"
        " --pre --no-deps --no-cache-dir --quiet --verbose --yes --files --not-required --exclude="
        " --disable-pip-version-check --no-input --no-color --break-system-packages --report>"
        " --config-settings=!runs --global-option=!runs",
    ),
    Row(
        names="docker podman nerdctl",
        reads=False,
        operands=None,
        form="docker",
        irreversible_uses=CONTAINERS,
    ),
)
