"""Tools that read text and write to their output."""

from typing import Final

from assent.gate.programs.rows import ALWAYS, Row

__all__ = ["TEXT"]

_GREP: Final = (
    "-A= -B= -C= -D= -E -F -G -H -I -L -P -R -S -T -U -V -Z -a -b -c -d= -e= -f< -h -i -l -m= -n -o"
    " -q -r -s -u -v -w -x -y -z -# -O -p --after-context= --basic-regexp --before-context="
    " --binary --binary-files= --byte-offset --color? --colour? --context? --count"
    " --dereference-recursive --devices= --directories= --exclude-dir= --exclude-from<"
    " --exclude= --extended-regexp --file< --files-with-matches --files-without-match"
    " --fixed-strings --group-separator= --ignore-case --include= --include-dir="
    " --initial-tab --invert-match --label= --line-buffered --line-number --line-regexp"
    " --max-count= --no-filename --no-group-separator --no-ignore-case --no-messages --null"
    " --null-data --only-matching --perl-regexp --quiet --recursive --regexp= --silent --text"
    " --unix-byte-offsets --version --with-filename --word-regexp --help"
)

_DIFF: Final = (
    "-a -b -B -c -C= -d -D= -e -E -F= -h -H -i -I= -l -L= -n -N -p -P -q -r -s -S= -t -T -u -U="
    " -v -w"
    " -W= -x= -X< -y -Z -# --brief --color? --context? --ed --exclude-from< --exclude="
    " --expand-tabs"
    " --from-file< --horizon-lines= --ifdef= --ignore-all-space --ignore-blank-lines --ignore-case"
    " --ignore-file-name-case --ignore-matching-lines= --ignore-space-change --ignore-tab-expansion"
    " --ignore-trailing-space --initial-tab --label= --left-column --line-format= --minimal"
    " --new-file --no-dereference --no-ignore-file-name-case --normal --palette= --rcs --recursive"
    " --report-identical-files --show-c-function --show-function-line= --side-by-side"
    " --speed-large-files --starting-file= --strip-trailing-cr --suppress-blank-empty"
    " --suppress-common-lines --tabsize= --text --to-file< --unidirectional-new-file --unified?"
    " --old-line-format= --new-line-format= --unchanged-line-format= --old-group-format="
    " --new-group-format= --unchanged-group-format= --changed-group-format= --width= --version"
    " --help"
)

_SUM: Final = (
    "-a= -b -c!reads_listed -l= -p -q -r -s -t -w -z --algorithm= --binary --check!reads_listed"
    " --debug --help --ignore-missing --length= --quiet --raw --base64 --status --strict --tag"
    " --untagged --text --version --warn --zero"
)

TEXT: Final = (
    Row(
        names="cat",
        flags="-A -b -e -E -n -s -t -T -u -v -l --number --number-nonblank --show-all --show-ends"
        " --show-nonprinting --show-tabs --squeeze-blank --help --version",
    ),
    Row(
        names="head",
        flags="-c= -n= -q -v -z -# --bytes= --lines= --quiet --silent --verbose --zero-terminated"
        " --help --version",
    ),
    Row(
        names="tail",
        flags="-c= -f -F -n= -q -r -s= -v -z -# --bytes= --follow? --lines= --max-unchanged-stats="
        " --pid= --quiet --retry --silent --sleep-interval= --verbose --zero-terminated --help"
        " --version",
    ),
    Row(
        names="wc",
        flags="-c -l -L -m -w --bytes --chars --files0-from<!reads_listed --lines --max-line-length"
        " --total= --words --help --version",
    ),
    Row(
        names="nl",
        flags="-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w= --body-numbering= --footer-numbering="
        " --header-numbering= --join-blank-lines= --line-increment= --no-renumber --number-format="
        " --number-separator= --number-width= --section-delimiter= --starting-line-number= --help"
        " --version",
    ),
    Row(names="tac", flags="-b -r -s= --before --regex --separator= --help --version"),
    Row(names="rev", flags="-0 --zero -h -V --help --version"),
    Row(
        names="cut",
        flags="-b= -c= -d= -f= -n -s -w -z -M --bytes= --characters= --complement --delimiter="
        " --fields= --only-delimited --output-delimiter= --zero-terminated --help --version",
    ),
    Row(
        names="tr",
        operands=None,
        flags="-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1 --help"
        " --version",
    ),
    Row(
        names="sort",
        flags="-b -c -C -d -f -g -h -i -k= -m -M -n -o> -r -R -s -S= -t= -T>!writes -u -V -z"
        " --batch-size= --buffer-size= --check? --compress-program=!runs --debug --dictionary-order"
        " --field-separator= --files0-from<!reads_listed --general-numeric-sort"
        " --human-numeric-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --key="
        " --merge --month-sort --numeric-sort --output> --parallel= --random-sort --random-source<"
        " --reverse --sort= --stable --temporary-directory> --unique --version-sort"
        " --zero-terminated --help --version",
    ),
    Row(
        names="uniq",
        max_read_operands=1,
        flags="-c -d -D -f= -i -s= -u -w= -z -# --all-repeated? --check-chars= --count --group?"
        " --ignore-case --repeated --skip-chars= --skip-fields= --unique --zero-terminated --help"
        " --version",
    ),
    Row(
        names="comm",
        flags="-1 -2 -3 -i -z --check-order --nocheck-order --output-delimiter= --total"
        " --zero-terminated --help --version",
    ),
    Row(
        names="cmp",
        flags="-b -i= -l -n= -s -v -h -x -z --bytes= --ignore-initial= --print-bytes --quiet"
        " --silent --verbose --help --version",
    ),
    Row(
        names="diff",
        flags=_DIFF,
        recursive_flags="-r --recursive",
        form="diff",
        read_links_flags=ALWAYS,
        skip_links_flags="--no-dereference",
    ),
    Row(names="diff3", flags="-3 -a -A -e -E -i -L= -m -T -x -X --text --merge --label= --help"),
    Row(names="paste", flags="-d= -s -z --delimiters= --serial --zero-terminated --help --version"),
    Row(
        names="rgrep",
        flags=_GREP,
        patterns=1,
        no_pattern_flags="-e --regexp -f --file",
        recursive_flags=ALWAYS,
        default_folder_flags=ALWAYS,
        read_links_flags="-R --dereference-recursive",
        form="grep",
    ),
    Row(
        names="grep egrep fgrep",
        flags=_GREP,
        patterns=1,
        no_pattern_flags="-e --regexp -f --file",
        recursive_flags="-r -R --recursive --dereference-recursive",
        default_folder_flags="-r -R --recursive --dereference-recursive",
        read_links_flags="-R --dereference-recursive",
        form="grep",
    ),
    Row(
        names="zgrep zegrep zfgrep bzgrep xzgrep",
        flags="-A= -B= -C= -E -F -H -R -c -e= -h -i -l -m= -n -o -q -r -s -v -w -x --help"
        " --version",
        patterns=1,
        no_pattern_flags="-e",
        recursive_flags="-r -R",
        default_folder_flags="-r -R",
        read_links_flags="-R",
    ),
    Row(names="zdiff zcmp", flags="-u -c -b -i -w -q -s --help --version"),
    Row(names="zcat gzcat bzcat xzcat zstdcat", flags="-f -v -q -h -L -V -l --help --version"),
    Row(
        names="sed gsed",
        changes_only_named=True,
        form="sed",
        flags="-n -E -r -e= -f<!runs -s -u -z -i?!writes -I?!writes -a -b --debug --expression="
        " --file<!runs --follow-symlinks --in-place?!writes --line-length= --null-data --posix"
        " --quiet --regexp-extended --sandbox --separate --silent --unbuffered --binary"
        " --zero-terminated --help --version",
        patterns=1,
        no_pattern_flags="-e --expression -f --file",
    ),
    Row(
        names="awk gawk mawk nawk",
        form="awk",
        operand_ends_flags=True,
        flags="-F= -v= -f<!runs --field-separator= --assign= --file<!runs -i=!runs --include=!runs"
        " -l=!runs --load=!runs -E<!runs --exec<!runs -e= --source= -o?!writes"
        " --pretty-print?!writes -p?!writes --profile?!writes -d?!writes --dump-variables?!writes"
        " -D?!runs --debug?!runs -b -c -C -g -h -k -L? -M -n -N -O -P -r -s -S -t -V"
        " --characters-as-bytes --csv --posix --re-interval --sandbox --traditional --version"
        " --help --lint? --optimize --use-lc-numeric --non-decimal-data --bignum -W=!runs",
        patterns=1,
        no_pattern_flags="-f --file -e --source -E --exec",
    ),
    Row(
        names="jq",
        form="jq",
        flags="-n --null-input -e --exit-status -c --compact-output -r --raw-output -j"
        " --join-output"
        " -a --ascii-output -s --slurp -S --sort-keys -R --raw-input -C --color-output -M"
        " --monochrome-output --tab --indent= --seq --stream --stream-errors --unbuffered --arg=="
        " --argjson== --slurpfile==< --rawfile==< --args --jsonargs -f< --from-file< -L< -h --help"
        " -V --version --raw-output0 --binary -b --debug-trace --build-configuration",
        patterns=1,
        no_pattern_flags="-f --from-file",
    ),
    Row(names="md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum", flags=_SUM),
    Row(names="sum", flags="-r -s --sysv --help --version"),
    Row(
        names="shasum",
        flags="-a= -b -c!reads_listed -t -q -s -w -0 -1 -p -U -h -v --algorithm="
        " --check!reads_listed --tag",
    ),
    Row(names="md5", flags="-q -r -n -p -s= -t -x"),
    Row(
        names="xxd",
        max_read_operands=1,
        operand_ends_flags=True,
        # Of an option only the first letter counts.
        flags="-a? -autoskip -b? -bits -c= -cols= -C? -capitalize -d? -e? -E? -EBCDIC -g="
        " -groupsize= -h? -i? -include -l= -len= -n= -name= -o= -p? -ps -plain -postscript -r?"
        " -revert -s= -seek= -u? -v? -R= --help",
    ),
    Row(
        names="od",
        flags="-A= -j= -N= -S? -t= -v -w? -a -b -B -c -d -D -e -f -F -h -H -i -I -l -L -o -O -s -X"
        " -x --address-radix= --endian= --format= --output-duplicates --read-bytes= --skip-bytes="
        " --strings? --traditional --width? --help --version",
    ),
    Row(
        names="hexdump hd",
        flags="-b -c -C -d -e= -f< -n= -o -s= -v -x -X -L? -h -V --canonical --color? --format="
        " --format-file< --length= --no-squeezing --one-byte-char --one-byte-hex --one-byte-octal"
        " --skip= --two-bytes-decimal --two-bytes-hex --two-bytes-octal --help --version",
    ),
    Row(
        names="strings",
        form="strings",
        flags="-a -d -f -n= -t= -o -e= -T= -w -s= -U= -h -v -V -# --all --bytes= --data --encoding="
        " --include-all-whitespace --output-separator= --print-file-name --radix= --target="
        " --unicode= --help --version",
    ),
    Row(
        names="base64 base32",
        flags="-d -D -i -o> -w= -b= --decode --ignore-garbage --wrap= --help --version",
    ),
    Row(
        names="column",
        flags="-c= -d -e -E= -h -H= -i= -J -l= -L -n= -N= -o= -O= -p= -r= -R= -s= -S= -t -T= -V -W="
        " -x --fillrows --json --keep-empty-lines --output-separator= --output-width= --separator="
        " --table --table-columns= --table-columns-limit= --table-header-repeat --table-hide="
        " --table-name= --table-noextreme= --table-noheadings --table-order= --table-right="
        " --table-truncate= --table-wrap= --tree= --tree-id= --tree-parent= --help --version",
    ),
    Row(
        names="pr",
        flags="-a -c -d -D= -e? -f -F -h= -i? -J -l= -m -n? -N= -o= -r -s? -S? -t -T -v -w= -W= -#"
        " --across --columns= --double-space --date-format= --expand-tabs? --form-feed --header="
        " --indent= --join-lines --length= --merge --no-file-warnings --number-lines? --omit-header"
        " --omit-pagination --pages= --page-width= --separator? --show-control-chars"
        " --show-nonprinting --width= --help --version",
    ),
    Row(names="fold", flags="-b -s -w= -# --bytes --spaces --width= --help --version"),
    Row(
        names="expand unexpand",
        flags="-i -a -t= -# --initial --all --first-only --tabs= --help --version",
    ),
    Row(
        names="fmt",
        flags="-c -g= -p= -s -t -u -w= -# --crown-margin --goal= --prefix= --split-only"
        " --tagged-paragraph --uniform-spacing --width= --help --version",
    ),
    Row(
        names="join",
        flags="-1= -2= -a= -e= -i -j= -o= -t= -v= -z --check-order --header --ignore-case"
        " --nocheck-order --zero-terminated --help --version",
    ),
    Row(names="tsort", flags="-w --help --version"),
    Row(
        names="shuf",
        flags="-e -i= -n= -o> -r -z --echo --head-count= --input-range= --output> --random-source<"
        " --repeat --zero-terminated --help --version",
    ),
    Row(names="bc", flags="-l -q -s -w -i -h -v --mathlib --quiet --standard --warn --help"),
    Row(
        names="iconv", flags="-f< -t< -l -c -s -o> --from-code< --to-code< --list --output> --help"
    ),
)
