"""Reading commands of programs that otherwise do more, each with its own flags.

`go` builds and fetches, and `go list` tells what there is. A row stands here for such a command,
with the words that make it one; its flags may stand before them as well, unless the words are
flags themselves. It is asked only where it makes the command a reading one: whatever it does not
name leaves the command to the program's own row, and to rules.

Left out is what asks the network or runs what a project has: versions of modules, what is compiled
for its answer, tools that a project may bring in the place of those of the language.
"""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.rows import ALWAYS, Row

__all__ = ["ORDERS"]

_UNITS: Final = (
    "-a --all -l --full -q --quiet --no-pager --no-legend --plain --user --system --failed"
    " -n= --lines= -o= --output= -t= --type= --state="
)

_OTHERS: Final = ".hg .svn .bzr .fslckout _FOSSIL_"
"""Repositories of other kinds, which go asks for the state of what it tells of."""

ORDERS: Final = (
    Row(
        names="go list",
        operands=Kind.LOOK,
        form="modules",
        recursive_flags=ALWAYS,
        flags="-f= -json? -deps -m -e -find -test -tags=",
        steering_files=_OTHERS,
    ),
    Row(
        names="go doc", form="modules", flags="-all -c -cmd -short -src -u", steering_files=_OTHERS
    ),
    Row(names="go version", recursive_flags=ALWAYS, flags="-m -v", required_flags="-m"),
    Row(
        names="terraform fmt, tofu fmt",
        default_folder_flags=ALWAYS,
        recursive_flags="-recursive --recursive",
        hidden_flags="",
        flags="-check --check -recursive --recursive -diff --diff -no-color --no-color",
        operand_ends_flags=True,
        required_flags="-check --check",
    ),
    Row(
        names="helm lint",
        default_folder_flags=ALWAYS,
        recursive_flags=ALWAYS,
        hidden_flags="",
        form="charts",
        flags="--strict --quiet --with-subcharts --debug -n= --namespace= --kube-version= --set="
        " --set-string= --set-json=",
    ),
    Row(names="conda list, mamba list", operands=None, flags="-n= --name= --json -e --export -f"),
    Row(names="pip cache dir, pip3 cache dir", operands=None, max_read_operands=0),
    Row(
        names="systemctl status, systemctl is-active, systemctl is-enabled, systemctl is-failed",
        operands=None,
        flags=_UNITS,
    ),
    Row(
        names="systemctl list-units, systemctl list-unit-files, systemctl list-timers,"
        " systemctl list-sockets, systemctl list-dependencies",
        operands=None,
        flags=_UNITS,
    ),
    Row(
        names="cargo nextest",
        operands=None,
        max_read_operands=0,
        flags="--version -V",
        required_flags="--version -V",
        # What it is called may also be another name for any command of cargo.
        steering_files="rust-toolchain rust-toolchain.toml .cargo/config .cargo/config.toml",
    ),
    Row(
        names="ar t, ar tv, ar vt, ar tvO, ar -t, ar -tv",
        form="strings",
    ),
    # What stands behind the name of a page is a file that it is written to.
    Row(
        names="cmake --help-command, cmake --help-module, cmake --help-policy,"
        " cmake --help-property, cmake --help-variable, cmake --help-manual",
        operands=None,
        max_read_operands=1,
    ),
    Row(names="cmake -E cat"),
    Row(names="cmake -E echo, cmake -E echo_append", operands=None, form="words"),
    Row(names="cmake -E compare_files", flags="--ignore-eol"),
    Row(
        names="cmake -E md5sum, cmake -E sha1sum, cmake -E sha224sum, cmake -E sha256sum,"
        " cmake -E sha384sum, cmake -E sha512sum",
    ),
    Row(names="cmake -E capabilities", operands=None, max_read_operands=0),
    Row(
        names="clang-tidy --list-checks, clang-tidy -list-checks",
        operands=None,
        max_read_operands=0,
        flags="--checks= -checks=",
    ),
    Row(
        names="ninja",
        operands=None,
        form="ninja",
        flags="-C^ -f< -t= -v --verbose --quiet",
    ),
)
