"""Tools that only show files of one kind, or what a machine has."""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.irreversible_uses import IrreversibleUse
from assent.gate.programs.rows import ALWAYS, Row

__all__ = ["READERS"]

_BINARY: Final = " --help --version -h -H -V -v"

READERS: Final = (
    # Both programs of the name `yq`, with what means the same in both; `-s` splits into files in
    # the one, and takes all together in the other.
    Row(
        names="yq tomlq xq",
        form="yq",
        flags="-i!writes --inplace!writes --in-place!writes -s=!writes --split-exp=!writes"
        " --split-exp-file<!writes -P --prettyPrint -o= --output-format= -p= --input-format= -r"
        " --raw-output --unwrapScalar? -n --null-input -M --no-colors -C --colors -N --no-doc -j"
        " --tojson -I= --indent= -e --exit-status -0 --nul-output -S --sort-keys -y --yaml-output"
        " -Y -c --compact-output -h --help -V --version",
    ),
    Row(
        names="xmllint",
        form="addresses",
        flags="--noout --format --xpath= --pretty= --encode= --recover --huge --nonet --nowarning"
        " --noblanks --nocdata --html --push --memory --timing --debug --nsclean --quiet --maxmem="
        " --noenc --nowrap --dropdtd --sax --sax1 --oldxml10 --stream --version -o> --output>"
        " --shell!runs",
    ),
    Row(
        names="openssl",
        operands=None,
        form="openssl",
        flags="-in< -out> -inkey< -key< -cert< -CA< -CAfile< -CApath< -config<!runs -engine=!runs"
        " -provider=!runs -provider-path<!runs -keyout> -writerand> -rand< -certfile< -untrusted<"
        " -trusted< -CAkey< -CAcreateserial!writes -CAserial> -extfile< -signkey< -key< -noout"
        " -text -subject -issuer -dates -startdate -enddate -fingerprint -serial -email -modulus"
        " -pubkey -purpose -hash -subject_hash -issuer_hash -alias -ext= -nameopt= -certopt="
        " -dateopt= -checkend= -checkhost= -checkip= -checkemail= -inform= -outform= -nocrl -verify"
        " -verbose -show_chain -crl_check -partial_chain -x509_strict -purpose= -sha1 -sha224"
        " -sha256 -sha384 -sha512 -md5 -base64 -hex -r -a -d -e -b -v -s -V -f -p -o -connect="
        " -servername= -passin= -pass= -days= -nodes -x509 -new -newkey= -subj= -req -help",
    ),
    Row(
        names="printenv",
        operands=None,
        form="printenv",
        flags="-0 --null --help --version",
    ),
    Row(
        names="zipinfo",
        max_read_operands=None,
        form="zipinfo",
        flags="-1 -2 -s -m -l -v -h -t -T -z -x -C -W -O= -I=",
    ),
    Row(
        names="nm",
        form="strings",
        flags="-a -A -B -C? -D -e -f= -g -l -n -o -p -P -r -s -S -t= -u -U -W -X= -j --debug-syms"
        " --print-file-name --demangle? --no-demangle --dynamic --extern-only --defined-only"
        " --undefined-only --numeric-sort --no-sort --portability --print-size --reverse-sort"
        " --size-sort --special-syms --synthetic --with-symbol-versions --radix= --format="
        " --plugin=!runs --just-symbols --no-weak" + _BINARY,
    ),
    Row(
        names="objdump",
        form="strings",
        flags="-a -f -p -P= -d -D -j= -g -e -G -r -R -s -t -T -x -w -z -M= -m= -b= -C? -E= -EB -EL"
        " --archive-headers --file-headers --private-headers --disassemble? --disassemble-all"
        " --section= --full-contents --syms --dynamic-syms --all-headers --reloc --dynamic-reloc"
        " --demangle? --no-show-raw-insn --show-raw-insn --no-addresses --wide --start-address="
        " --stop-address= --section-headers --headers --prefix-addresses --disassembler-options="
        " --architecture=" + _BINARY,
    ),
    Row(
        names="readelf",
        form="strings",
        flags="-a -l -S -g -t -e -s -n -r -u -d -A -c -D -x= -p= -R= -z -I -W -C? --all"
        " --file-header --program-headers --segments --section-headers --sections --section-groups"
        " --section-details --headers --syms --symbols --dyn-syms --notes --relocs --unwind"
        " --dynamic --version-info --arch-specific --archive-index --use-dynamic --hex-dump="
        " --string-dump= --decompress --histogram --wide --demangle?" + _BINARY,
    ),
    Row(
        names="size",
        form="strings",
        flags="-A -B -G -d -o -x -t -f --format= --radix= --common --totals --target=" + _BINARY,
    ),
    Row(
        names="c++filt",
        operands=None,
        form="strings",
        flags="-_ -n -p -t -i -s= --strip-underscore --no-strip-underscore --no-params --types"
        " --no-verbose --format=" + _BINARY,
    ),
    Row(
        names="addr2line",
        operands=None,
        form="strings",
        flags="-a -b= -C -e< -f -i -j= -p -R -r -s --addresses --target= --exe< --functions"
        " --inlines --section= --pretty-print --basenames --demangle?" + _BINARY,
    ),
    Row(
        names="bash sh dash", form="checks", operand_ends_flags=True, flags="-n", dry_run_flags="-n"
    ),
    Row(
        names="node nodejs",
        form="checks",
        operand_ends_flags=True,
        flags="-c --check",
        dry_run_flags="-c --check",
    ),
    Row(
        names="php",
        form="checks",
        operand_ends_flags=True,
        flags="-l -n",
        dry_run_flags="-l",
        irreversible_uses=(IrreversibleUse(form="module"),),
    ),
    Row(
        names="gofmt",
        reads=False,
        recursive_flags=ALWAYS,
        form="formatter",
        flags="-l -d -e -s -r= -w -cpuprofile>",
    ),
    Row(
        names="clang-format",
        reads=False,
        form="formatter",
        flags="-i -n --dry-run -Werror --Werror --style= -style= --fallback-style="
        " -fallback-style= --assume-filename= -assume-filename= --sort-includes --lines= -lines="
        " --offset= --length= --cursor= --output-replacements-xml -output-replacements-xml"
        " --verbose --ferror-limit= --dump-config -dump-config --help --version",
    ),
    Row(
        names="shellcheck",
        flags="-a -C? -e= -f= -i= -o= -s= -S= -V -W= --check-sourced --color?"
        " --exclude= --format= --include= --enable= --shell= --severity= --version"
        " --wiki-link-count= --norc --extended-analysis="
        " --list-optional --help",
    ),
    Row(
        names="hadolint",
        flags="-f= --format= --ignore= -t= --failure-threshold= --no-fail --no-color -c< --config<"
        " -V --verbose -v --version --trusted-registry= --require-label= --strict-labels --error="
        " --warning= --info= --style= -h --help",
    ),
    Row(
        names="yamllint",
        form="lint",
        recursive_flags=ALWAYS,
        flags="-d= --config-data= -f= --format= -s --strict --no-warnings --list-files -h --help"
        " -v --version",
    ),
    Row(
        names="eza exa",
        operands=Kind.LOOK,
        default_folder_flags=ALWAYS,
        recursive_flags="-T --tree -R --recurse",
        flags="-1 -a -A -b -B -d -D -f -F -g -G -h -H -i -l -L= -m -n -o -r -R -s= -S -t= -T -u -U"
        " -x -X -I= --oneline --long --grid --across --recurse --tree --all --almost-all"
        " --list-dirs --level= --reverse --sort= --group-directories-first --only-dirs --only-files"
        " --git-ignore --ignore-glob= --binary --bytes --group --header --inode --links --modified"
        " --blocksize --time= --accessed --created --no-permissions --no-filesize --no-user"
        " --no-time --octal-permissions --time-style= --color? --colour? --icons? --classify?"
        " --total-size --width= --help --version",
    ),
    Row(
        names="csvcut csvstat csvlook csvgrep csvsort csvstack csvjson",
        flags="-d= -t -q= -u= -b -p= -z= -e= -L= -S -H -K= -v -l -V -c= -n -C= -x -m= -r= -f< -i -a"
        " -I -y= --delimiter= --tabs --quotechar= --quoting= --encoding= --skipinitialspace"
        " --no-header-row --skip-lines= --linenumbers --zero --columns= --names --not-columns="
        " --match= --regex= --invert-match --any-match --type --nulls --non-nulls --unique --min"
        " --max --sum --mean --median --stdev --len --freq --freq-count= --count --csv --json"
        " --max-rows= --max-columns= --max-column-width= --no-inference --reverse --stream"
        " --groups= --group-name= --filenames --indent= --key= --snifflimit= --help --version",
    ),
    Row(
        names="tokei",
        recursive_flags=ALWAYS,
        default_folder_flags=ALWAYS,
        hidden_flags="--hidden",
        flags="-f -C -V -v -o= -s= -t= -e= -c= --files --compact --no-ignore --hidden --output="
        " --sort= --types= --exclude= --columns= --languages --help --version",
    ),
    Row(
        names="cloc",
        recursive_flags=ALWAYS,
        hidden_flags="",
        form="counts",
        flags="--by-file --by-file-by-lang --by-percent= --csv --exclude-dir= --exclude-ext="
        " --exclude-lang= --hide-rate --include-ext= --include-lang= --json --md --quiet --sum-one"
        " --xml --yaml --help --version",
    ),
    Row(
        names="scc",
        recursive_flags=ALWAYS,
        default_folder_flags=ALWAYS,
        hidden_flags="",
        form="counts",
        flags="-c -d -f= -i= -l -M= -s= -w -x= --by-file --ci --exclude-dir= --exclude-ext="
        " --format= --include-ext= --languages --no-cocomo --no-complexity --no-duplicates --no-gen"
        " --no-large --no-min --not-match= --sort= --wide -h --help --version -o> --output>"
        " --format-multi=!writes",
    ),
    Row(names="envsubst", operands=None, form="envsubst", flags="-h --help -V --version"),
    Row(
        names="ifconfig",
        operands=None,
        max_read_operands=0,
        flags="-a -s --all --short --help --version",
    ),
    Row(
        names="pdfinfo",
        flags="-f= -l= -box -meta -js -struct -struct-text -url -isodates -rawdates -dests -enc="
        " -listenc -v -h -help --help",
    ),
    Row(
        names="pkg-config pkgconf",
        flags="--cflags --cflags-only-I --cflags-only-other --libs --libs-only-L --libs-only-l"
        " --libs-only-other --modversion --exists --atleast-version= --exact-version="
        " --max-version= --variable= --print-variables --print-requires --print-provides"
        " --print-errors --silence-errors --short-errors --static --list-all --list-package-names"
        " --version --help",
    ),
    Row(
        names="nvidia-smi",
        operands=None,
        max_read_operands=0,
        flags="-L -q -i= -d= -l= --list-gpus --query --id= --display= --query-gpu= --format="
        " --query-compute-apps= --help-query-gpu -h --help --version -f> --filename>",
    ),
    Row(names="mount", operands=None, max_read_operands=0, flags="-l -t= -V -h --version --help"),
    Row(
        names="findmnt",
        operands=Kind.LOOK,
        flags="-a -A -b -c -C -d= -D -e -f -h -i -J -k -l -m -M^ -n -N= -o= -O= -P -r -R -s -S= -t="
        " -T^ -u -U -v -V -x --all --ascii --bytes --df --json --list --noheadings --output="
        " --pairs --raw --submounts --source= --types= --target^ --notruncate --uniq --kernel"
        " --fstab --mtab --help --version",
    ),
    Row(
        names="dpkg-query",
        operands=None,
        flags="-l -L -s -S -W -p -c -f= --list --listfiles --status --search --show --print-avail"
        " --showformat= --no-pager --help --version",
    ),
    Row(
        names="dpkg",
        operands=None,
        form="dpkg",
        flags="-l -L -s -S -p -I -c --list --listfiles --status --search --print-avail"
        " --print-architecture --print-foreign-architectures --get-selections --compare-versions"
        " --no-pager --help --version",
    ),
    Row(
        names="apt-cache",
        operands=None,
        flags="-a -f -i -n -q --all-versions --full --important --names-only --no-all-versions"
        " --installed --recurse --help --version",
    ),
)
"""Flags that go on to read what a file names are left out: nobody knows where that is."""
