"""Tools that look at files and folders."""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.rows import ALWAYS, Row

__all__ = ["FILES"]

FILES: Final = (
    Row(
        names="ls dir vdir",
        follow_links_flags="-L --dereference",
        operands=Kind.LOOK,
        default_folder_flags=ALWAYS,
        recursive_flags="-R --recursive",
        hidden_flags="-a -A --all --almost-all -f",
        flags="-a -A -b -B -c -C -d -D -e -f -F -g -G -h -H -i -I= -k -l -L -m -n -N -o -O -p -P -q"
        " -Q -r -R -s -S -t -T= -u -U -v -w= -W -x -X -y -Z -1 -@ --all --almost-all --author"
        " --block-size= --classify? --color? --context --dereference --dereference-command-line"
        " --dereference-command-line-symlink-to-dir --directory --dired --escape --file-type"
        " --format= --full-time --group-directories-first --hide-control-chars --hide="
        " --human-readable --hyperlink? --ignore-backups --ignore= --indicator-style= --inode"
        " --kibibytes --literal --no-group --numeric-uid-gid --quote-name --quoting-style="
        " --recursive --reverse --show-control-chars --si --size --sort= --tabsize= --time-style="
        " --time= --width= --zero --help --version",
    ),
    Row(
        names="tree",
        follow_links_flags="-l",
        operands=Kind.LOOK,
        read_contents_flags="--fromfile --fromtabfile",
        default_folder_flags=ALWAYS,
        recursive_flags=ALWAYS,
        hidden_flags="-a",
        flags="-a -d -l -f -x -L= -R!writes -P= -I= -o> -q -N -Q -p -u -g -s -h -D -F -v -t -c -U"
        " -r -i -A -S -n -C -X -J -H= -T= --ignore-case --matchdirs --metafirst --prune"
        " --filelimit= --gitignore --gitfile< --info --infofile< --noreport --charset= --du --si"
        " --timefmt= --inodes --device --sort? --dirsfirst --filesfirst --nolinks --hintro<"
        " --houtro< --fromfile --fromtabfile --fflinks --hyperlink --scheme= --authority="
        " --compress= --opt-toggle --help --version",
    ),
    Row(
        names="find gfind",
        follow_links_flags="-L -follow",
        form="find",
        operands=Kind.LOOK,
        recursive_flags=ALWAYS,
        default_folder_flags=ALWAYS,
        flags="-H -L -P -D= -O? -X -d -s -x -E -a -and -o -or -not -daystart -depth -follow"
        " -ignore_readdir_race -noignore_readdir_race -maxdepth= -mindepth= -mount -noleaf -nowarn"
        " -warn -regextype= -xdev -amin= -anewer^ -atime= -cmin= -cnewer^ -context= -ctime= -empty"
        " -executable -false -fstype= -gid= -group= -ilname= -iname= -inum= -ipath= -iregex="
        " -iwholename= -links= -lname= -mmin= -mtime= -name= -newer^ -nogroup -nouser -path= -perm="
        " -readable -regex= -samefile^ -size= -true -type= -uid= -used= -user= -wholename="
        " -writable -xtype= -print -print0 -printf= -ls -prune -quit -newerat= -newerct= -newermt="
        " -neweram^ -newermm^ -newercm^ -newerBt= -newermm^ -newerma^ -newermc^ -neweraa^ -newerac^"
        " -newerca^ -newercc^ -flags= -nouser -mnewer^ -Btime= -Bmin= -Bnewer^ -depth"
        " -files0-from<!reads_listed -help --help -version --version -exec!runs -execdir!runs"
        " -ok!runs -okdir!runs -delete!deletes -fprint> -fprint0> -fls> -fprintf>",
    ),
    Row(
        names="rg ripgrep",
        follow_links_flags="-L --follow",
        recursive_flags=ALWAYS,
        default_folder_flags=ALWAYS,
        hidden_flags="-. --hidden -u -uu -uuu --unrestricted",
        patterns=1,
        no_pattern_flags="-e --regexp -f --file --files --type-list",
        form="rg",
        flags="-A= -B= -C= -E= -F -H -I -L -M= -N -P -S -T= -U -V -. -0 -a -b -c -d= -e= -f< -g= -h"
        " -i -j= -l -m= -n -o -p -q -r= -s -t= -u -uu -uuu -v -w -x -z!runs -$ --regexp= --file<"
        " --after-context= --before-context= --[no-]auto-hybrid-regex --[no-]binary"
        " --[no-]block-buffered --[no-]byte-offset --case-sensitive --color= --colors="
        " --[no-]column --context= --context-separator= --no-context-separator --count"
        " --count-matches --[no-]crlf --debug --trace --dfa-size-limit= --[no-]encoding= --engine="
        " --field-context-separator= --field-match-separator= --files --files-with-matches"
        " --files-without-match --[no-]fixed-strings --[no-]follow --generate= --glob="
        " --[no-]glob-case-insensitive --[no-]heading --help --[no-]hidden --hostname-bin=!runs"
        " --hyperlink-format= --iglob= --ignore-case --ignore-file<"
        " --[no-]ignore-file-case-insensitive --include-zero --[no-]invert-match --[no-]json"
        " --[no-]line-buffered --[no-]line-number --line-regexp --max-columns="
        " --[no-]max-columns-preview --max-count= --max-depth= --maxdepth= --max-filesize="
        " --[no-]mmap --[no-]multiline --[no-]multiline-dotall --no-config --[no-]ignore"
        " --[no-]ignore-dot --[no-]ignore-exclude --[no-]ignore-files --[no-]ignore-global"
        " --[no-]ignore-messages --[no-]ignore-parent --[no-]ignore-vcs --[no-]messages"
        " --[no-]require-git --[no-]unicode --null --null-data --[no-]one-file-system"
        " --only-matching --path-separator= --passthru --passthrough --[no-]pcre2 --pcre2-version"
        " --pre=!runs --no-pre --pre-glob= --pretty --quiet --regex-size-limit= --replace="
        " --search-zip!runs --no-search-zip --smart-case --sort= --sortr= --[no-]stats"
        " --stop-on-nonmatch --text --no-text --threads= --[no-]trim --type= --type-add="
        " --type-clear= --type-list --type-not= --unrestricted --version --vimgrep --with-filename"
        " --no-filename --word-regexp --no-line-number --auto-hybrid-regex",
    ),
    Row(
        names="fd fdfind",
        follow_links_flags="-L --follow",
        form="fd",
        operands=Kind.LOOK,
        patterns=1,
        recursive_flags=ALWAYS,
        default_folder_flags=ALWAYS,
        hidden_flags="-H --hidden -u -uu --unrestricted",
        flags="-H -I -u -uu -s -i -g -F -a -l -L -p -d= -E= -t= -e= -S= -o= -0 -q -1 -j= -c= -C^ -h"
        " -V --[no-]hidden --[no-]ignore --[no-]ignore-vcs --[no-]ignore-parent"
        " --no-global-ignore-file --unrestricted --case-sensitive --ignore-case --glob --regex"
        " --fixed-strings --and= --[no-]absolute-path --relative-path --list-details --[no-]follow"
        " --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --prune --type="
        " --extension= --size= --changed-within= --changed-before= --newer= --older="
        " --change-newer-than= --change-older-than= --owner= --format= --batch-size= --ignore-file<"
        " --color= --hyperlink? --threads= --max-buffer-time= --max-results= --quiet --show-errors"
        " --base-directory^ --path-separator= --search-path^ --strip-cwd-prefix?"
        " --[no-]one-file-system --[no-]require-git --gen-completions? --help --version -x=!runs"
        " -X=!runs --exec=!runs --exec-batch=!runs",
    ),
    Row(
        names="stat",
        operands=Kind.LOOK,
        flags="-L -f -c= -t -r -s -x -n -q -F -l --dereference --file-system --format= --printf="
        " --terse --cached= --help --version",
    ),
    Row(
        names="file",
        flags="-b -c -d -e= -E -f<!reads_listed -F= -h -i -I -k -l -L -m< -n -N -0 -P= -r -s -S -v"
        " -p!may_change -z!runs -Z!runs -C!writes --apple --brief --checking-printout"
        " --compile!writes --debug --dereference --exclude= --exclude-quiet= --extension"
        " --files-from<!reads_listed --keep-going --list --magic-file< --mime --mime-encoding"
        " --mime-type --no-buffer --no-dereference --no-pad --no-sandbox --parameter="
        " --preserve-date!may_change --print0 --raw --separator= --special-files --uncompress"
        " --uncompress-noreport!runs --help --version",
    ),
    Row(
        names="du",
        follow_links_flags="-L --dereference",
        operands=Kind.LOOK,
        default_folder_flags=ALWAYS,
        recursive_flags=ALWAYS,
        flags="-0 -a -A -b -B= -c -d= -D -g -h -H -I= -k -l -L -m -n -P -r -s -S -t= -x -X< --all"
        " --apparent-size --block-size= --bytes --count-links --dereference --dereference-args"
        " --exclude-from< --exclude= --files0-from<!reads_listed --human-readable --inodes"
        " --max-depth= --no-dereference --null --one-file-system --separate-dirs --si --summarize"
        " --threshold= --time-style= --time? --total --help --version",
    ),
    Row(
        names="df",
        operands=None,
        flags="-a -b -B= -c -g -h -H -i -I -k -l -m -n -P -t? -T -v -x= -Y --all --block-size="
        " --exclude-type= --human-readable --inodes --local --no-sync --output? --portability"
        " --print-type --si --sync --total --type= --help --version",
    ),
    Row(
        names="realpath",
        operands=Kind.LOOK,
        flags="-e -E -m -L -P -q -s -z --canonicalize --canonicalize-existing"
        " --canonicalize-missing --logical --no-symlinks --physical --quiet --relative-base^"
        " --relative-to^ --strip --zero --help --version",
    ),
    Row(
        names="readlink",
        operands=Kind.LOOK,
        flags="-e -f -m -n -q -s -v -z --canonicalize --canonicalize-existing"
        " --canonicalize-missing --no-newline --quiet --silent --verbose --zero --help --version",
    ),
    Row(names="basename", operands=None, flags="-a -s= -z --multiple --suffix= --zero --help"),
    Row(names="dirname", operands=None, flags="-z --zero --help --version"),
    Row(names="namei", operands=Kind.LOOK, flags="-l -m -n -o -v -x --long --modes --owners"),
    Row(
        names="lsattr getfacl",
        reads=False,
        operands=Kind.LOOK,
        flags="-a -d -l -p -v -c -e -E -t -n",
    ),
)
