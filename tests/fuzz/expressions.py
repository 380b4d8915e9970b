"""Command lines whose operands are paths that only the shell works out, one put into the other.

An expression becomes a path in some roundabout way; a command reads, writes or removes it, after
something that assigns, moves or lists. `§` stands for an expression, `¶` for a command.
"""

from random import Random
from typing import Final

__all__ = ["command"]

_NAMES: Final = (
    *("src", "a.txt", "x", ".", "..", "src/lib", "src/lib/a.txt", "link_in", "link_out", "list"),
    *("./x", "../x", "src/../x", "secret", "secret/key", ".env", "a b", "/", "~", "ws", "lib"),
    *("-n", "...", "*", "s*", "?", ".*", "*/", "**", "[a-x]*", "{src,x}", "{.,..}", "{1..2}"),
)

_LIKELY: Final = (
    *("$PWD", '"$PWD"', "$(pwd)", '"$(pwd)"', "$x", '"$x"', "$HOME", "$OLDPWD"),
    *("$(dirname §)", '"$(dirname §)"', "$(basename §)", '"$(basename §)"', "$(echo §)"),
)
"""What agents write all the time, and so most often in a place that nobody thought of."""

_VALUES: Final = (
    *("$PWD", '"$PWD"', "${PWD}", "$(pwd)", '"$(pwd)"', "`pwd`", "$(pwd -P)", "~+", "~-"),
    *("$OLDPWD", '"$OLDPWD"', "$HOME", '"$HOME"', "${HOME}", "~", "$x", '"$x"', "${x}", "$y"),
    *('"${PWD%/*}"', "${PWD%/*}", '"${PWD##*/}"', '"${PWD/ws/}"', '"${PWD:0:4}"', "${#PWD}"),
    *('"${x%/*}"', "${x##*/}", "${x/a/b}", "${x/s/..}", "${x//[a-z]/.}", "${x:0:3}", "${x#*/}"),
    *("${x%.txt}", "${x^^}", '"${x:-§}"', "${x:+§}", "${y:-..}", "$((1+1))", "$(($#+1))", "$1"),
    *('"$@"', "$*", "$_", "$0", "$#", "$?", "$RANDOM", "$'\\x2e\\x2e'", "$'..'", "\\.\\.", "'..'"),
    *("$(dirname §)", '"$(dirname §)"', "$(basename §)", '"$(basename § .txt)"', "`dirname §`"),
    *("$(dirname $(dirname §))", "$(realpath §)", '"$(readlink -f §)"', "$(readlink link_out)"),
    *("$(git rev-parse --show-toplevel)", "$(git rev-parse --show-cdup)", "$(echo §)"),
    *('"$(printf %s §)"', "$(printf '%s\\n' §)", "$(ls)", "$(ls §)", "$(ls -d §)", "$(cat list)"),
    *("$(ls | head -1)", "$(find . -name x)", '"$(find § -name a.txt | head -n 1)"', "$(<list)"),
    *("$(cd § && pwd)", "$(cd §; dirname $PWD)", "$(grep -rl one src)", "$(seq 2)", "$(wc -l <x)"),
    *("$(dirname -- §)", "$(basename -a § §)", "$(basename -s .txt §)", "$(cat <<< §)", "<(ls)"),
    *("$(date +%F)", "$(git ls-files)", "${x:1}", '"${x:(-2)}"', "${!x}", "${x@Q}", "${@:1}"),
)

_JOINED: Final = (
    *("§/§", "§/§", "§/§", "§§", "§.§", "§-§", '"§"§', "§/../§", "§/..", "§.bak", "§/./§", "./§"),
    *("../§", "src/§", "§/x", "§/a.txt", "a§", "§x", ".§", "§.", "§/{§,§}", "{§,§}", "§:§", "§/*"),
    *("§/.*", "/§", "~/§", "~+/§", "~-/§", "§//§", "§=§", "'§'", '"§/§"', "§{,.bak}", "§ §"),
)

_COMMANDS: Final = (
    *("cat §", "cat §", "cat -- §", "head -1 §", "wc -l < §", "cat < §", "grep -r one §", "ls §"),
    *("find § -type f", "diff § §", "sort §", "sed -n p §", "du §", "od -c §", "tail -n +1 § §"),
    *("cp § §", "cp -r § §", "mv § §", "rm -f §", "rm -r §", "touch §", "mkdir -p §", "rmdir §"),
    *("tee § <<< hi", "echo hi > §", "echo hi >> §", ": > §", "echo hi | tee -a §", "ln -s § §"),
    *("git log -- §", "git -C § status", "cat § > §", "sort -u § §", "uniq §", "xxd §", "file §"),
    *("cmp § §", "cut -c1 §", "rev §", "nl §", "echo §", "grep -f § §", "cp -t § §", "rg one §"),
)

_AROUND: Final = (
    *("¶",) * 20,
    *("x=§; ¶", "x=§; ¶", "x=§ && ¶", "x=§; x=$x/§; ¶", "x=§; y=$x; ¶"),
    *("cd §; ¶", "cd § && ¶", "cd § && cd § && ¶", "pushd §; ¶", "pushd § && popd; ¶", "cd -; ¶"),
    *("cd § && cd - && ¶", "x=$PWD; cd §; ¶", "x=$(pwd); cd § && ¶", "cd § && x=$PWD; cd -; ¶"),
    *("for x in § §; do ¶; done", "for x in §; do ¶; done", "export x=§; ¶", "set -- § §; ¶"),
    *("read x <<< §; ¶", "(cd §; ¶)", "(cd § && ¶); ¶", "{ cd §; ¶; }", "f() { ¶; }; f §"),
    *("ls § | while read -r x; do ¶; done", "find § | while read -r x; do ¶; done"),
    *("while IFS= read -r x; do ¶; done < list", "f() { cd §; }; f; ¶", "f() { x=§; }; f; ¶"),
    *("bash -c '¶' _ §", 'bash -c "¶"', "sh -c '¶' _ § §", "env -C § ¶", "env x=§ bash -c '¶'"),
    *("find § -name a.txt -exec ¶ {} \\;", "find § -execdir cat {} +", "ls § | xargs cat"),
    *("echo § | xargs cat", "printf '%s\\n' § | xargs -I{} cat {}/x", "ls | xargs -I{} cat §/{}"),
    *(
        "x=§ ¶",
        "x=§; case $x in *) ¶;; esac",
        "[ -d § ] && ¶",
        "[[ -f § ]] || ¶",
        "if cd §; then ¶; fi",
    ),
    *("cd § || cd §; ¶", "cd § || exit; ¶", "x=§; unset x; ¶", "set -- §; shift; ¶", "x=a; ¶; ¶"),
    *("i=0; while [ $i -lt 2 ]; do cd §; ¶; i=$((i+1)); done", "x=(§ §); ¶", "declare x=§; ¶"),
    *("mapfile -t x < list; ¶", "IFS=/ read -r x y <<< §; ¶", "printf -v x %s §; ¶", "x+=§; ¶"),
    *("cd § | ¶", "cd § & ¶", "true || cd §; ¶", "cd § 2>/dev/null; ¶", "cd -P §; ¶", "cd -- §; ¶"),
    *(
        "local x=§; ¶",
        "readonly x=§; ¶",
        "x=§ y=$x/§; ¶",
        "CDPATH=§; cd src; ¶",
        "cd; ¶",
        "cd ~; ¶",
    ),
    *("mkdir -p n/§ && cd n && ¶", "ln -s § z; cat z/§", "touch §; ¶", "¶; cd §; ¶", "timeout 1 ¶"),
    *("select x in §; do ¶; break; done <<< 1", "until cd §; do break; done; ¶", "time ¶", "! ¶"),
)


def command(random: Random) -> str:
    """One command line."""
    text = random.choice(_AROUND)
    if random.random() < 0.15:
        text = text.replace("¶", random.choice(_AROUND), 1)
    while "¶" in text:
        text = text.replace("¶", random.choice(_COMMANDS), 1)
    left = random.choice((1, 2, 2, 3, 5))
    while "§" in text:
        left -= 1
        text = text.replace("§", _expression(random, left), 1)
    return text


def _expression(random: Random, left: int) -> str:
    """One expression, with others in it as long as that may go on."""
    kind = random.random()
    if left > 0 and kind < 0.25:
        return random.choice(_JOINED)
    if left > 0 and kind < 0.55:
        return random.choice(_LIKELY)
    chosen = random.choice(_VALUES if left > 0 and kind < 0.75 else _NAMES)
    return chosen if left > 0 else chosen.replace("§", "src")
