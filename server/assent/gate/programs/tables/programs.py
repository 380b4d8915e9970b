"""Programs that do whatever they are told: their words don't tell all of it."""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.irreversible_uses import IrreversibleUse
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.services import KEYS

__all__ = ["PROGRAMS"]

PROGRAMS: Final = (
    Row(
        names="perl ruby",
        reads=False,
        operands=None,
        form="perl",
        operand_ends_flags=True,
        flags="-i? -e= -E= -a -c -n -p -s -S -t -T -u -U -v -w -W -X -F? -I? -M? -m? -C? -0? -l?"
        " -x?",
    ),
    Row(
        names="gcc g++ cc c++ c99 clang clang++ gfortran ld as rustc ghc ocamlc ocamlopt",
        reads=False,
        operands=None,
        form="outputs",
    ),
    Row(
        names="bat batcat",
        flags="-n -p -P -A -l= -r= -H= -d -s -f -u -S -L!runs -V -h -m= --pager=!runs --style="
        " --color= --paging= --language= --line-range= --plain --number --show-all --theme="
        " --decorations= --wrap= --tabs= --terminal-width= --highlight-line= --file-name= --diff"
        " --map-syntax= --list-themes!runs --list-languages!runs --no-paging --force-colorization"
        " --squeeze-blank --italic-text= --unbuffered --config-file --config-dir --cache-dir"
        " --diff-context= --nonprintable-notation= --chop-long-lines --generate-config-file!writes"
        " --version --help",
    ),
    Row(
        names="gpg gpg2",
        reads=False,
        operands=None,
        form="outputs",
        # Its name is the beginning of others, which show a secret key.
        flags="--export",
        irreversible_uses=(
            IrreversibleUse(
                flags="--delete-secret-keys --delete-secret-key",
                sentence="Deletes a secret key: what only it can open is lost.",
            ),
            *KEYS,
        ),
    ),
    Row(
        names="script",
        reads=False,
        operands=Kind.WRITE,
        form="sessions",
        flags="-a -c=!runs -e -f -q -V -O> -I> -B> -T> -t? -E= -m= -o= --append --command=!runs"
        " --quiet --flush --return --force --echo= --output-limit= --log-out> --log-in> --log-io>"
        " --log-timing>",
    ),
)
