"""Tools that pack files, unpack them, or copy them in bulk."""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.rows import ALWAYS, Row
from assent.gate.programs.tables.services import REMOTES

__all__ = ["PACKING"]

_PACKER: Final = (
    "-# -a -c -C= -d -e -f -F= -h -k -l -L -m -M= -n -N -o> -q -Q -r -S= -t -T= -v -V -z --stdout"
    " --to-stdout --decompress --uncompress --force --keep --list --name --no-name --quiet"
    " --recursive --suffix= --test --verbose --fast --best --rsyncable --threads= --extreme"
    " --format= --compress --rm!deletes --ultra --output> --output-dir-flat~ --output-dir-mirror~"
    " --files?<!reads_listed --files0?<!reads_listed --filelist<!reads_listed"
)

_PACKERS: Final = {
    "gzip": (
        *("gzip pigz", "bzip2 pbzip2 lbzip2", "xz", "lzma", "lzip", "compress"),
        "gunzip bunzip2 lbunzip2 unxz unlzma uncompress unpigz lunzip",
    ),
    "zstd": ("zstd zstdmt", "lz4", "brotli", "unzstd", "unlz4 unbrotli"),
}
"""By their forms: those of one ending together."""
_OF_ZSTD: Final = " -S -T? -M? -B? -D< --patch-from< --trace>"
"""What means another thing to those of newer kinds, where a number never stands by itself."""

PACKING: Final = (
    Row(
        names="tar gtar bsdtar",
        reads=False,
        form="tar",
        read_links_flags="-h -L --dereference",
        flags="-A -c -d -r -t -u -x -f= -C= -a -b= -B -F=!runs -g~ -G -h -H= -i -I=!runs -j -J -k"
        " -K= -l -L= -m -M -n -N= -o -O -p -P!works_elsewhere -R -s -S -T<!takes_listed -U -v -V="
        " -w -W -X< -z -Z --create --extract --get --list --append --update --delete --diff"
        " --compare --concatenate --catenate --file= --directory= --gzip --gunzip --bzip2 --xz"
        " --lzma --zstd --lzip --auto-compress --verbose --exclude= --exclude-from< --exclude-vcs"
        " --strip-components= --checkpoint? --checkpoint-action=!runs --to-command=!runs"
        " --use-compress-program=!runs --info-script=!runs --new-volume-script=!runs"
        " --rsh-command=!runs --rmt-command=!runs --absolute-names!works_elsewhere"
        " --absolute-paths!works_elsewhere --insecure!works_elsewhere --files-from<!takes_listed"
        " --transform=!may_change --xform=!may_change --one-top-level? --overwrite --keep-old-files"
        " --skip-old-files --preserve-permissions --same-permissions --same-owner --no-same-owner"
        " --no-same-permissions --dereference --remove-files!deletes --to-stdout --wildcards"
        " --no-wildcards --totals --owner= --group= --mode= --mtime= --sort= --format="
        " --numeric-owner --warning= --index-file> --anchored --no-recursion --null --help"
        " --version",
    ),
    Row(
        names="jar",
        reads=False,
        form="tar",
        flags="-c -x -t -u -f= -v -0 -M --create --extract --list --update --file= --verbose",
    ),
    Row(
        names="unzip",
        reads=False,
        form="unzip",
        flags="-a -b -B -c -C -d= -f -I= -j -K -l -L -M -n -o -O= -p -P= -q -t -u -U -v -V -W -x -X"
        " -Z -z",
    ),
    Row(
        names="zip",
        reads=False,
        form="zip",
        read_links_flags=ALWAYS,
        skip_links_flags="-y --symlinks",
        flags="-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -A -b= -c -d!deletes -D -e -f -F -g -i= -j -k -l"
        " -m!deletes -n= -o -P= -q -r -R -S -t= -T -TT=!runs --unzip-command=!runs -u -v -x= -X -y"
        " -z -@ --recurse-paths --quiet --exclude= --include= --junk-paths --symlinks"
        " --move!deletes",
    ),
    *(
        Row(
            names=names,
            reads=False,
            operands=Kind.WRITE,
            recursive_flags="-r --recursive",
            read_links_flags=ALWAYS if "lz4" in names else "",
            follow_links_flags="-f --force -c --stdout --to-stdout -l --list -t --test",
            shows_operands=True,
            form=form,
            flags=_PACKER + _OF_ZSTD * (form == "zstd"),
        )
        for form, all_ in _PACKERS.items()
        for names in all_
    ),
    Row(
        names="7z 7za 7zr 7zz",
        reads=False,
        form="7z",
        read_links_flags=ALWAYS,
        skip_links_flags="-snl",
        flags="-y -r -so -si -bd -sdel!deletes -snl -spf!works_elsewhere -spf2!works_elsewhere",
    ),
    Row(names="ranlib", reads=False, operands=Kind.WRITE, shows_operands=True),
    Row(
        names="ar",
        reads=False,
        operands=Kind.WRITE,
        patterns=1,
        shows_operands=True,
    ),
    Row(
        names="cpio pax",
        reads=False,
        operands=Kind.WRITE,
        shows_operands=True,
        form="cpio",
        flags="-i -o -p -r -t -w -d -m -u -v -F= -D~ -E< -I< -O> --rsh-command=!runs --to-stdout"
        " --extract --create --list --absolute-filenames!works_elsewhere --no-absolute-filenames",
    ),
    Row(
        names="rsync",
        reads=False,
        irreversible_uses=REMOTES,
        dry_run_flags="-n --dry-run",
        operands=Kind.READ,
        target=Kind.WRITE,
        recursive_flags=ALWAYS,
        renaming_flags="-R --relative",
        parents_flags="-R --relative",
        form="rsync",
        read_links_flags="-L -k --copy-links --copy-dirlinks --copy-unsafe-links",
        flags="-0 -4 -6 -8 -a -A -b -B= -c -C -d -D -E -e=!runs -f= -F -g -h -H -i -I -k -K -l -L"
        " -m -M= -n -N -o -O -p -P -q -r -R -s -S -t -T~ -u -U -v -V -W -x -X -y -z --archive"
        " --verbose --quiet --recursive --relative --update --inplace --append --dirs --links"
        " --copy-links --copy-dirlinks --copy-unsafe-links --safe-links --munge-links"
        " --keep-dirlinks --perms --executability --owner --group --devices --specials --times"
        " --sparse --dry-run --whole-file --checksum --existing --ignore-existing --delete!deletes"
        " --delete-before!deletes --delete-during!deletes --delete-after!deletes"
        " --delete-delay!deletes --delete-excluded!deletes --remove-source-files!deletes --force"
        " --max-size= --min-size= --partial --partial-dir~ --exclude= --exclude-from< --include="
        " --include-from< --files-from< --filter= --cvs-exclude --compress --human-readable"
        " --progress --info= --stats --itemize-changes --log-file> --password-file< --list-only"
        " --bwlimit= --rsh=!runs --rsync-path=!runs --backup --backup-dir~ --suffix= --temp-dir~"
        " --chmod= --chown= --no-owner --no-group --no-perms --mkpath --timeout= --port="
        " --out-format= --compare-dest^ --copy-dest^ --link-dest^ --write-batch> --read-batch<",
    ),
)
