"""Commands of the shell itself, and those that only compute with their words."""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.rows import Row

__all__ = ["BUILTINS"]

BUILTINS: Final = (
    Row(names="cd chdir pushd", operands=Kind.LOOK, flags="-L -P -e -@", form="cd"),
    Row(names="popd dirs", operands=None, form="words", prints_no_words=True),
    Row(names="pwd", operands=None, flags="-L -P --logical --physical --help --version"),
    Row(names="echo", operands=None, form="words"),
    Row(names="printf", operands=None, form="printf"),
    Row(names="true false :", operands=None, form="words", prints_no_words=True),
    Row(
        names="exit return break continue shift wait trap",
        operands=None,
        form="words",
        prints_no_words=True,
    ),
    Row(names="test [ [[", operands=Kind.LOOK, form="test", prints_no_words=True),
    Row(names="which", operands=None, flags="-a -s --all --skip-alias --help --version"),
    Row(names="type", operands=None, flags="-a -f -p -P -t"),
    Row(names="command", operands=None, flags="-v -V -p", form="command"),
    Row(names="whereis", operands=None, flags="-b -m -s -u -l"),
    Row(names="whatis apropos", operands=None, flags="-d -e -l -r -s= -w -V"),
    Row(names="hash", operands=None, flags="-r", prints_no_words=True),
    Row(names="shopt", operands=None, flags="-s -u -q -p", prints_no_words=True),
    Row(names="set", operands=None, form="set"),
    Row(
        names="export readonly local declare typeset",
        operands=None,
        form="names",
        flags="-a -A -i -r -x",
    ),
    Row(
        names="read",
        operands=None,
        form="read",
        flags="-a= -d= -e -i= -n= -N= -p= -r -s -t= -u=",
    ),
    Row(names="mapfile readarray", operands=None, form="read", flags="-d= -n= -O= -s= -t -u="),
    Row(names="expr", operands=None, form="words"),
    Row(names="seq", operands=None, form="words"),
    Row(names="factor", operands=None, flags="-h --exponents --help --version"),
    Row(names="sleep", operands=None, flags="--help --version", prints_no_words=True),
    Row(names="yes", operands=None, form="words"),
    Row(names="clear reset", operands=None, flags="-x", prints_no_words=True),
    Row(names="times jobs", operands=None, flags="-l -p -n -r -s"),
    Row(names="disown", operands=None, flags="-a -h -r"),
    Row(names="cal ncal", operands=None, flags="-1 -3 -h -j -m -M -s -S -y -w -b -C -e -J -p"),
    Row(
        names="numfmt",
        operands=None,
        flags="-d= -z -M --debug --delimiter= --field= --format= --from-unit= --from= --grouping"
        " --header? --invalid= --padding= --round= --suffix= --to-unit= --to= --zero-terminated"
        " --unit-separator= --help --version",
    ),
    Row(names="tput", operands=None, form="tput"),
)
