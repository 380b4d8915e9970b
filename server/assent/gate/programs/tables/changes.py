"""Tools that change files: none only reads, and their words tell what they change."""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.irreversible_uses import IrreversibleUse
from assent.gate.programs.rows import ALWAYS, Row

__all__ = ["CHANGES"]

_READ, _LOOK, _WRITE, _DELETE = Kind.READ, Kind.LOOK, Kind.WRITE, Kind.DELETE

_MODE: Final = "-r -w -x -X -s -t"
"""Not flags: the bits that are taken away."""

CHANGES: Final = (
    Row(
        names="rm grm srm",
        changes_only_named=True,
        reads=False,
        operands=_DELETE,
        recursive_flags="-r -R --recursive",
        destructive_flags="-r -R --recursive",
        flags="-d -f -i -I -r -R -v -P -W -x --dir --force --interactive? --no-preserve-root"
        " --preserve-root? --one-file-system --recursive --verbose --help --version",
    ),
    Row(names="unlink", reads=False, operands=_DELETE, flags="--help --version"),
    Row(
        names="rmdir",
        changes_only_named=True,
        reads=False,
        operands=_DELETE,
        flags="-p -v --parents --verbose --ignore-fail-on-non-empty --help --version",
    ),
    Row(
        names="trash trash-put",
        reads=False,
        operands=_DELETE,
        recursive_flags=ALWAYS,
        destructive_flags=ALWAYS,
        flags="-f -r -R -v -rf -fr --force",
    ),
    Row(
        names="rimraf del-cli del trash-cli",
        form="globbing",
        reads=False,
        operands=_DELETE,
        recursive_flags=ALWAYS,
        destructive_flags=ALWAYS,
        flags="-f -r -R -v -rf -fr -g --[no-]glob --preserve-root --force --dry-run --dot"
        " --verbose",
    ),
    Row(
        names="shred wipe",
        reads=False,
        operands=_DELETE,
        recursive_flags="-r",
        destructive_flags=ALWAYS,
        flags="-r -q -f -n= -s= -u -v -x -z --force --iterations= --random-source< --size="
        " --remove? --verbose --exact --zero --help",
        irreversible_uses=(
            IrreversibleUse(sentence="Destroys what is in {rest|it}: nothing can bring it back."),
        ),
    ),
    Row(
        names="tee gtee",
        changes_only_named=True,
        form="tee",
        reads=False,
        operands=_WRITE,
        flags="-a -i -p --append --ignore-interrupts --output-error? --help --version",
    ),
    Row(names="sponge", reads=False, operands=_WRITE, flags="-a"),
    Row(
        names="cp gcp",
        changes_only_named=True,
        reads=False,
        operands=_READ,
        target=_WRITE,
        target_flags="-t --target-directory",
        renaming_flags="--parents -T --no-target-directory",
        parents_flags="--parents",
        form="cp",
        read_links_flags="-L --dereference",
        recursive_flags="-r -R -a --recursive --archive",
        flags="-a -b -c -d -f -H -i -l -L -n -N -p -P -r -R -s -S= -t~ -T -u -v -x -X -Z --archive"
        " --attributes-only --backup? --copy-contents --debug --dereference --force --interactive"
        " --keep-directory-symlink --link --no-clobber --no-dereference --no-preserve= --parents"
        " --preserve? --recursive --reflink? --remove-destination --sparse="
        " --strip-trailing-slashes"
        " --symbolic-link --suffix= --target-directory~ --no-target-directory --update? --verbose"
        " --one-file-system --context? --help --version",
    ),
    Row(
        names="mv gmv",
        changes_only_named=True,
        moves=True,
        renaming_flags="-T --no-target-directory",
        reads=False,
        operands=_DELETE,
        target=_WRITE,
        target_flags="-t --target-directory",
        recursive_flags=ALWAYS,
        destructive_flags=ALWAYS,
        form="mv",
        flags="-b -f -h -i -n -S= -t~ -T -u -v -Z --backup? --debug --exchange --force"
        " --interactive"
        " --no-clobber --no-copy --strip-trailing-slashes --suffix= --target-directory~"
        " --no-target-directory --update? --verbose --context --help --version",
    ),
    Row(
        names="ln gln link",
        renaming_flags="-T --no-target-directory",
        reads=False,
        operands=_WRITE,
        target=_WRITE,
        target_flags="-t --target-directory",
        form="ln",
        flags="-b -d -f -F -h -i -L -n -P -r -s -S= -t~ -T -v -w --backup? --directory --force"
        " --interactive --logical --no-dereference --physical --relative --symbolic --suffix="
        " --target-directory~ --no-target-directory --verbose --help --version",
    ),
    Row(
        names="install ginstall",
        renaming_flags="-T --no-target-directory",
        reads=False,
        operands=_READ,
        target=_WRITE,
        target_flags="-t --target-directory",
        form="install",
        flags="-b -B= -c -C -d -D -f= -g= -h= -l= -m= -M -o= -p -s -S= -t~ -T -U -v -Z --backup?"
        " --compare --directory --group= --mode= --owner= --preserve-timestamps --strip"
        " --strip-program=!runs --suffix= --target-directory~ --no-target-directory --verbose",
    ),
    Row(
        names="touch gtouch",
        changes_only_named=True,
        reads=False,
        operands=_WRITE,
        flags="-a -A= -c -d= -f -h -m -r^ -t= --date= --no-create --no-dereference --reference^"
        " --time= --help --version",
    ),
    Row(
        names="mkdir gmkdir",
        changes_only_named=True,
        reads=False,
        operands=_WRITE,
        flags="-m= -p -v -Z --mode= --parents --verbose --context? --help --version",
    ),
    Row(names="mkfifo mknod", reads=False, operands=_WRITE, flags="-m= -Z --mode= --context?"),
    Row(
        names="mktemp",
        reads=False,
        operands=_WRITE,
        form="mktemp",
        flags="-d -q -u -t -p~ --directory --dry-run --quiet --suffix= --tmpdir?",
    ),
    Row(
        names="truncate gtruncate",
        reads=False,
        operands=_WRITE,
        destructive_flags="-s --size",
        flags="-c -o -r^ -s= --no-create --io-blocks --reference^ --size= --help --version",
    ),
    Row(names="fallocate", reads=False, operands=_WRITE, flags="-l= -o= -c -d -i -n -p -v -x -z"),
    Row(names="dd dcfldd dc3dd", reads=False, operands=None, form="dd"),
    Row(
        names="chmod gchmod",
        irreversible_uses=(IrreversibleUse(flags="-R --recursive", form="chmod"),),
        reads=False,
        operands=_WRITE,
        patterns=1,
        no_pattern_flags=f"--reference {_MODE}",
        recursive_flags="-R --recursive",
        destructive_flags="-R --recursive",
        flags=f"-c -f -h -H -L -P -R -v {_MODE} --changes --no-preserve-root --preserve-root"
        " --quiet"
        " --silent --verbose --reference^ --recursive --dereference --no-dereference",
    ),
    Row(
        names="chown chgrp gchown chcon setfacl",
        reads=False,
        operands=_WRITE,
        patterns=1,
        no_pattern_flags="--reference -m -x -b -k",
        recursive_flags="-R --recursive",
        destructive_flags="-R --recursive",
        flags="-c -f -h -H -L -n -P -R -v -x -m= -b -k --changes --dereference --no-dereference"
        " --from= --no-preserve-root --preserve-root --quiet --silent --verbose --reference^"
        " --recursive",
    ),
    Row(
        names="chattr",
        reads=False,
        operands=_WRITE,
        patterns=1,
        no_pattern_flags="-p -v",
        recursive_flags="-R",
        flags="-R -V -f -v= -p=",
    ),
    Row(
        names="split csplit",
        reads=False,
        operands=_READ,
        target=_WRITE,
        flags="-a= -b= -C= -d -e -l= -n= -t= -u -x -f~ -k -q -s -z --filter=!runs --bytes= --lines="
        " --number= --numeric-suffixes? --suffix-length= --additional-suffix= --verbose",
    ),
    Row(
        names="patch gpatch",
        reads=False,
        dry_run_flags="--dry-run",
        operands=_WRITE,
        default_folder_flags=ALWAYS,
        recursive_flags=ALWAYS,
        form="patch",
        flags="-b -B= -c -C -d~ -D= -e -E -f -F= -g= -i< -l -n -N -o> -p= -r> -R -s -t -T -u -v"
        " -V= -x= -Y= -z= -Z --strip= --input< --output> --reject-file> --directory~ --dry-run"
        " --reverse --forward --backup --suffix= --prefix= --basename-prefix= --force --batch"
        " --silent --quiet --verbose --unified --binary",
    ),
    Row(
        names="dos2unix unix2dos",
        reads=False,
        operands=_WRITE,
        shows_operands=True,
        flags="-k -q -b -f -o -c= -n",
    ),
    Row(
        names="rename prename",
        moves=True,
        dry_run_flags="-n --no-act",
        reads=False,
        operands=_DELETE,
        shows_operands=True,
        patterns=1,
        flags="-v -n -f -e=!runs --verbose --no-act",
    ),
    Row(
        names="mkfs mke2fs mkswap wipefs blkdiscard mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs"
        " mkfs.btrfs"
        " mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat",
        reads=False,
        operands=_DELETE,
        recursive_flags=ALWAYS,
        destructive_flags=ALWAYS,
        flags="-a -c -f -F -t= -L= -m= -n -q -v -V --all --force",
    ),
    Row(
        names="fdisk sfdisk",
        dry_run_flags="-l --list",
        reads=False,
        operands=_DELETE,
        recursive_flags=ALWAYS,
        destructive_flags=ALWAYS,
        flags="-l -s -a -f -q --list --script",
    ),
    Row(
        names="cfdisk gdisk sgdisk parted",
        reads=False,
        operands=_DELETE,
        recursive_flags=ALWAYS,
        destructive_flags=ALWAYS,
        flags="-s -a -f -q --script",
    ),
    Row(
        names="ed ex red",
        reads=False,
        operands=_WRITE,
        shows_operands=True,
        form="editor",
        flags="-s -p= -v -G -r -E -q",
    ),
    Row(
        names="vi vim nvim view vimdiff rvim rview nano pico micro hx emacs",
        reads=False,
        operands=_WRITE,
        shows_operands=True,
        form="visual",
        flags="-c=!runs -e -s -E -R -n -u<!runs -S<!runs -es -Es --cmd=!runs --eval=!runs --batch"
        " -f -l<!runs --headless",
    ),
    Row(
        names="crontab",
        reads=False,
        operands=_READ,
        form="crontab",
        flags="-u= -l -r!deletes -e!may_change -i",
        dry_run_flags="-l",
        irreversible_uses=(
            IrreversibleUse(flags="-r", sentence="Removes all jobs of your crontab."),
        ),
    ),
)
