"""Command lines that run a stub in some roundabout way, or only mention it.

A name is spelled in one of many ways, and put into contexts, one in the other. Some are then
changed at a few places, as a slip of the finger would. Others are signs of the shell's grammar in
any order, which nobody means, and which a grammar may part otherwise than a shell does.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from fuzz.bwrapped import STUBS

__all__ = ["command"]

SPELLINGS: Final[tuple[str, ...]] = (
    *("@",) * 12,
    "@ x", "@ -a 'b c' d", "@ x y", "'@'", '"@"', "\\@", "@''", "''@", '""@""', "e''@", "$'@'",
    "$'\\x65vil'", "$'\\145vil'", "$'\\u0065'vil", "ev\\il", "e\\v\\i\\l", "ev\\\nil", "\\\n@",
    "{@,x}", "{@,@}", "{,@}", "e{vil,}", "evi?", "ev[i]l", "e*", "./../bin/@", "$PWD/../bin/@",
    "`echo @`", "$(echo @)", '"$(echo @)"', "$(printf %s @)", "${x:-@}", "${x:=@}", "${x-`@`}",
    "$x@", "${x}@", "$(echo ev)il", "$@@", "$*@", '"$@"@', "${x+}@", "ev${x}il", "$'ev''il'",
    "e'vi'l", 'e"vi"l', "evi'l'", '$"@"', "@\\\n", "{@..@}", "ev{i,}l", "${u:0:0}@", "!@", "~/@",
    "x=@;$x", "x=@; $x y", 'x=@ y=z;"$x"', "x=(@ y); ${x[0]}", "x=ev; ${x}il", "set -- @; $1",
    'set -- @; "$@"', "x=vil; e$x", "x=live; rev<<<$x|sh",
)  # fmt: skip
"""`@` is the name of a stub; a spelling of `evil` goes with that name alone."""

CONTEXTS: Final[tuple[str, ...]] = (
    *("%",) * 4,
    "true; %", "true && %", "false || %", "true | %", "% | cat", "% & wait", "! %", "% && true",
    "% > o", "> o %", "2>&1 % >o", "<a.txt %", "%<a.txt", "( % )", "{ %; }",
    "if true; then %; fi", "if %; then :; fi", "if false; then :; elif %; then :; fi",
    "if false; then :; else %; fi", "for i in 1; do %; done", "for i in $( % ); do :; done",
    "for ((i=0;i<1;i++)); do %; done", "while %; do break; done", "until %; do break; done",
    "while true; do %; break; done", "case x in x) %;; esac", "case x in (x) % ;; esac",
    "case x in y) ;; *) % ;& z) : ;; esac", "case $(%) in *) ;; esac", "case x in $(%)) ;; esac",
    "select i in a; do %; done <<< 1", "f() { %; }; f", "f() ( % ); f", "function f { %; }; f",
    "function f() { % ; }\nf", "f() { %; }", "f()\n{\n%\n}\nf", "echo $(%)", 'echo "$(%)"',
    "echo `%`", 'echo "`%`"', "x=$(%)", "x=`%`", "x=$(%) y=1 true", "cat <(%)", "true > >(%)",
    "cat < <(%)", "echo ${x:-$(%)}", 'echo "${x:-$(%)}"', "echo ${x:-`%`}",
    "echo ${x+a}${x:-'$(%)'}", "echo ${PWD/$(%)/b}", "echo ${PWD:$(%)}", "echo ${#x} $(%)",
    "echo ${x:?$(%)}", "echo $((1+$(%)))", "echo $((`%`))", "echo $[1+$(%)]", "((x=$(%)))",
    "((1)) && %", "let x=$(%)", "a[$(%)]=1", "echo ${a[$(%)]}", "a=([$(%)]=1)", "a=($(%) b)",
    "x='a[$(%)]'; echo $((x))", "x='a[$(%)]'; ((x))", "[[ -v 'a[$(%)]' ]]", "[ -v 'a[$(%)]' ]",
    "test -v 'a[$(%)]'", "printf -v 'a[$(%)]' x", "read 'a[$(%)]' <<< x",
    "x='a[$(%)]'; [[ $x -eq 1 ]]", "[[ 'a[$(%)]' -eq 1 ]]", "declare -i 'x=a[$(%)]'",
    "declare 'a[$(%)]=1'", "unset 'a[$(%)]'", "x='$(%)'; echo ${x@P}", "[[ $(%) == x ]]",
    "[[ x =~ $(%) ]]", "[[ -f $(%) ]]", '[ -f "$(%)" ]', "[[ x == y ]] || %",
    "[[ x && y ]] && %", "[ x ] && %", "test x && %", "x=1 %", "x=1 y='a b' %", "x= %", "x+=1 %",
    "cat <<E\n$(%)\nE", "cat <<E\n`%`\nE", "cat <<'E'\n$(%)\nE", "cat <<-E\n\t$(%)\n\tE",
    "cat <<-E\n\t`%`\n\tE", 'cat <<E\n"$(%)"\nE', 'cat <<"E" && %\n$(true)\nE',
    "cat <<E | cat; %\nx\nE", "cat <<E\nE\n%", "cat <<A <<B; %\na\nA\nb\nB",
    "cat <<E\nx\\\nE\n$(%)\nE", "cat <<E\n\\$(%)\nE", "cat <<E\n${x:-$(%)}\nE", "cat <<<$(%)",
    'cat <<< "$(%)"', "cat <<E\n$x\nE\n%", "bash <<E\n%\nE", "bash <<'E'\n%\nE", "sh <<<'%'",
    "echo '%' | bash", "bash -c '%'", "sh -c '%'", 'bash -c "%"', "bash -lc '%'",
    "bash -c -- '%'", "bash -ec '%'", "bash --norc -c '%'", "bash +e -c '%'",
    "bash -o pipefail -c '%'", "eval %", "eval '%'", 'eval "%"', "trap '%' EXIT",
    "trap '%' DEBUG; true", "alias x='%'; x", "coproc %", "coproc x { %; }", "time %",
    "time -p %", "time { %; }", "time ( % )", "time x=1 %", "time ! %", "! time %", "env %",
    "env x=1 %", 'env -i PATH="$PATH" %', "env -u x %", "env -S '%'", 'env - PATH="$PATH" %',
    "timeout 2 %", "timeout -s KILL 2 %", "nice %", "nice -n 5 %", "nice -5 %", "nohup %",
    "stdbuf -o0 %", "setsid %", "setsid -w %", "command %", "command -p %", "builtin command %",
    "exec %", "exec -a x %", "(exec %)", "echo x | xargs %", "xargs -n1 % <a.txt",
    "echo x | xargs -I{} %", "echo '%' | xargs -I{} sh -c '{}'", "echo a | xargs -n 1 -P 2 %",
    "find . -maxdepth 0 -exec % \\;", "find . -maxdepth 0 -exec % {} +",
    "find a.txt -execdir % ';'", "ionice -c 3 %", "chrt -o 0 %", "taskset 1 %", "flock o %",
    "flock o -c '%'", "script -qc '%' o", "sudo %", "env env %", "env nice timeout 3 %",
    "true # x\n%", "true #x; $(%)\n", "echo a#b; %", "echo a # b\n%", "echo $(echo a # b\n%)",
    '"$(echo a # b\n%)"', "# %", "true;# %", "echo '#' ; %", "echo \\# ; %", "true \\\n && %",
    "true && \\\n%", "true |\n%", "true &&\n\n%", "\n\n%", "true\n%\n", "true\\\n;%",
    "tr\\\nue; %", "  \t%", "%;", "%&", "echo '%'", 'echo "%"', "echo %", "echo \\%",
    "echo $'%'", "printf '%s' '%'", "true '$(%)'", 'true "\\$(%)"', "true '`%`'",
    'true "\\`%\\`"', "true $'`%`'", "mapfile -C '%' -c 1 a < a.txt", "complete -F x y; %",
    "BASH_ENV=x %", "PATH=$PATH %", "PS4='$(%)'; set -x; :", "IFS=x; %", "x=y; % $x",
    "set -e; %", "shopt -s extglob; %", "cd src && %", "cd src; %", "(cd src; %)", "pushd . ; %",
    "source /dev/stdin <<< '%'", ". <(echo '%')", "enable -n echo; %", "echo $( ( % ) )",
    "echo $((1)) $( (%) )", 'echo "${x:-"$(%)"}"', 'echo "$(echo "$(%)")"',
    "echo `echo \\`%\\``", 'echo "`echo \\"$(%)\\"`"', "echo {a,$(%)}", "echo {1..3}; %",
    "echo ~ $(%)", "echo *$(%)", "echo $'a' $(%)", "echo a >&2; %", "echo a &>o; %",
    "echo a |& %", "% 2>&1 | cat >o", "{fd}>o %", "exec 3>o; %", "exec >o; %", ">o", ">o; %",
    "cat 0<a.txt; %", "1>o %", "% 3<&0", "% >&2 2>&-", "getopts a x; %",
    "while read -r l; do %; done < a.txt", "while read -r l; do $l; done <<< '%'",
    "read x <<< '%'; $x", "read x <<< '%'; eval \"$x\"", "printf -v x %s '%'; $x",
    "for x in %; do $x; done", "for x in '%'; do eval $x; done", "x='%'; bash -c \"$x\"",
    "x='%' bash -c '$x'", "export x='%'; bash -c 'eval $x'",
    "function f { % ; }; export -f f; bash -c f", 'f() { "$@"; }; f %', "f() { $1; }; f '%'",
    'f() { eval "$*"; }; f %', 'test x -a "$(%)"', "echo $(<a.txt) $(%)", "echo ${!x} $(%)",
    "echo ${x#$(%)}", "echo ${x%$(%)}", "echo ${x//$(%)/}", "echo ${x^$(%)}",
    'echo "${x[@]:$(%)}"', "wait; %", "true & %", "{ true; } && %", "{ true; } | %",
    "(true) || %", "(false) || %", "if true; then :; fi; %", "if true; then :; fi | %",
    "case x in x) ;; esac; %", "case x in esac; %", "for i in; do :; done; %", "{ %; } > o 2>&1",
    "if [ x = x ]; then %; fi > o", "( % ) < a.txt", "[[ ( x ) ]]; %", "[[ ! x ]] || %",
    "[[ x -nt y || $(%) ]]", "declare x=$(%)", "local x=$(%)", "export x=`%`",
    'readonly x="$(%)"', "declare -a a=($(%))", "typeset x=$(%)", "export x y=1; %",
    "unset x; %", "hash -p /tmp/x y; %", "return 0; %", "exit; %", "break; %",
    "true || exit 1; %", "shift; %", "echo \"${x:-'$(%)'}\"", "cat <<E\n${x:-'$(%)'}\nE",
    "echo \"${x#'$(%)'}\"", "echo \"${x:-$'$(%)'}\"", "echo \"${x:-'`%`'}\"",
    'echo "$(( 1 + ${x:-$(%)}1 ))"', "for PATH in .; do %; done", "bash src/b.py; %",
    "cat <<'E' | %\nx\nE", "% <<< x", "% <<E\nx\nE", "x=1 <<E %\nE", "command -v x; %",
    "git() { %; }; git x", "git() { :; }; command git; %", "case x in x|y) %;; esac",
    "echo $(case x in x) %;; esac)", "if ! %; then :; fi", "[[ x =~ ^(x) ]] && %",
    "echo ${x:-{a,b}} $(%)", "while false; do :; done; %", "until true; do :; done && %",
    "echo 'a\n'%", 'echo "a\n"; %', "echo a;# x\n%", "{ echo a; } 2>&1; %", "env -S 'x=1 %'",
    "xargs -a a.txt %", "xargs %< a.txt", "exec %; true", "eval -- '%'", "trap -- '%' 0",
    "time -- %", "bash -x -c '%'", "bash -c '%' x y", "bash -c 'x=1; %' &  wait",
    "sh -ec '%' | cat", "echo $(bash -c '%')", "find . -name a.txt -exec sh -c '%' \\;",
    "find . -maxdepth 0 -ok % \\; < a.txt", "timeout --signal=KILL 2 %", "timeout -k 1 2 %",
    "nice --adjustment=3 %", "stdbuf --output=0 %", "env --unset=x %", "env --chdir=src %",
    "nohup -- %", "setsid --wait %", "command -- %", "chroot / %", "su -c '%'",
    "cat a.txt | while read -r l; do %; done", "ls | xargs -I@ echo @; %", "printf '%s' x; %",
    "[ 1 -eq 1 ] && %", "[[ 1 -eq 1 ]] && %", "i=0; ((i++)); %",
    "i=0; while [ $i -lt 1 ]; do %; i=$((i+1)); done", "x=a y=b; echo $x$y; %",
    "declare -A m=([a]=$(%))", 'echo "${m[$(%)]}"', "select x in $(%); do break; done < a.txt",
    'printf "$(%)"', '[ -n "`%`" ]', 'echo \\"; % ; echo \\"', "echo $'\\''; % #'",
    "echo ''\\''%'\\'''", "echo \"'\" ; % ; echo \"'\"", "echo 'x' # '\n% #'", "# '\n% # '",
    "cat <<\\E\n'\nE\n% # '", "cat <<E\n'\nE\n% # '",
    "[ a || % ]", "[ a && % ]", "[ a | % ]", "[ a & % ]", "[ a; % ]", "[ (%) ]", "[ a\n% ]",
    "[ ! a || % ]", "[ -n a || % ] && true", "[ a = b || % ]", "[ a = b|% ]", "[ a =~ b|% ]",
    "[ x -a ( % ) ]", "if [ a || % ]; then :; fi", "! [ % || b ]",
    "while [ a | % ]; do break; done",
    "test a || %", "test a | %", "[ a <(%) ]", "[ a -o $(%) ]", "[ a > o ]", "[ a >> o ] && %",
    "[ % ] > o", "test % > o", "[ a 2> o ]", "[ a &> o ]", "[ a < a.txt ] || %", "[ a '||' % ]",
    "[ a \\|\\| % ]", "[[ a || % ]]", "[[ a && % ]]", "[[ a > o ]]", "[[ a < o ]]", "[[ (%) ]]",
    "[[ ! a || % ]]", "[[ a =~ b|% ]]", "[[ a =~ (b|%) ]]", "[[ a == @(b|%) ]]", "[[ a &&\n% ]]",
    "[[ a ]] > o", "[[ a || % ]] > o", "[[ a | % ]]", "[[ a; % ]]", "[[ a\n% ]]", "[[ a & % ]]",
    "sh -c '[[ a || % ]]'", "sh -c '[[ a > o ]]'", "dash -c '[ a || % ]'",
    "if [[ a || % ]]; then :; fi",
    "time > o", "time -p > o; %", "! time > o", "time >o | %", "time % > o", "{ time > o; }",
    "((a || (%)))", "((1 > 2))", "(( (%) ))", "((%))", "((1)); %", "for ((;1>2;)); do %; done",
    "echo $[1 > 2 ]", "echo $((1 > 2))", "echo $( (%) > o)", "function evil\n{ :; }\n%",
    "function vile\n{ :; }\nvile; %", "a[1]=% b", "a[1]=b %", "x+=% b", "x+=a %", "declare x=a %",
    "% &> o", "% &>> o", "% >& o", "% |& cat", "echo a &>o; %", "% 10>o", "% {fd}>o", "% 2>&1>o",
    "% <<<$(%)", "echo $'%' > o", "echo {%,a} > o", "select i in a\ndo %\ndone", "% <> o",
    "case a in [a]) % ;; esac", "case a in (a|b) % ;; esac", "case a in @(a|%)) ;; esac",
    "case a in a) % ;;& b) ;; esac", "case % in a) ;; esac > o", "case a in $(%)|b) ;; esac",
    "coproc % > o", "coproc { %; } > o", "coproc x % > o", "time -p -- %", "time\n%", "time; %",
    "cat <<E%\nE\n", "cat <<'E E'\n$(%)\nE E\n%", "cat <<E\\\nF\nEF\n%", "cat <<$(%)\n$(%)\n",
    "cat <<E >o\n$(%)\nE", "a[$(%)]= true", "a[1]=$(%)", "a[$(%)]+=1", "a+=($(%))", "a=([1]=$(%))",
    "declare -a a=([1]=$(%))", "export x=$(%) > o", "readonly x=`%` > o", "echo ${x:=$(%)}",
    "echo ${x-'a'$(%)}", 'echo "${x-\'a\'$(%)}"', "echo ${x/a/$(%)}", "echo ${x:$(%):1}",
    "echo ${x,,$(%)}", "echo ${!x@} $(%)", "echo ${x@Q} $(%)", "echo @(a|$(%))", "echo !(%)",
    "echo a{b,$(%)}c", "echo {a..c}$(%)", "echo a#$(%)", "true;#\n%", "true #\\\n%", "tr\\\nue; %",
    "true &\\\n& %", "true &\n%", "[ a ]& %", "[ a ]&& %", "[ a ]|| %", "[[ a ]]&& %", "[ a ]&%",
    "[ a ];% ", "[ a ]\n%", "[ a]; %", "[a ]; %", "[ a ] b || %", "[ a || % ] b", "[ a ]] || %",
    "x=1 [ a || % ]", "time [ a || % ]", "command [ a || % ]", "env [ a || % ]", "> o [ a || % ]",
    "x='1 %'; timeout -k1 $x", "x='1 %'; nice -n$x",
    "x='o %'; flock $x",
    ": $((1/0)); x=:\n%", "{ f() { :; }; } < nosuch\n%", "{ f() { :; }; } >&9; f; %",
    "exit < nosuch; %",
    "false || exit < nosuch; %", "{ exit; } >&9; %", ": $((1/0)); evil() { :; }\n%", ": > o | %",
    ": > o & %", "> o | %", "> o && %", "! > o", "{ > o; }", "( > o )", "$( > o )", "> o < a.txt",
)  # fmt: skip
"""`%` is a command."""

_FRAMES: Final = (
    "evil %", "x=%", "x=evil; %", "evil x >%", "evil a%", "[[ % ]]", "[[ x == % ]]",
    "[[ x =~ % ]]", "(( % ))", "for i in %; do evil $i; done",
    "case % in a) evil;; *) vile;; esac", 'evil "%"', "a[%]=3", "evil ${%}", "evil ${x:-%}",
    "evil ${x/%}", "evil $((%))", "x=(% )", "evil $%", "evil a$x%", "export x=%",
    "evil() { vile; }; %", "if %; then evil; fi", "evil <<E\n%\nE\n", "$(%)", "evil `%`",
    "x=% evil", "evil <%", "time %", "! %", "coproc %", "evil {%}", "evil 2>%",
)  # fmt: skip
_SIGNS: Final = (
    "$", "evil", "{", "}", "(", ")", "'a'", '"a"', "`vile`", "$(vile)", "$x", "${x}", "=", "[",
    "]", "<", ">", "&", "|", "#", "-", "1", "!", "*", "@", "?", ":", "\\", "~", "+=", "((", "))",
    "[[", "]]", "$'a'", '$"a"', ";", "\n", "\\\n", "<<<", ">&", "&>", "2>", ",", "%", "^",
)  # fmt: skip
_ENDS: Final = ("", " evil b", "; evil")

_LETTERS: Final = " \t\n\\'\"`$(){}[];&|<>#!*?~=-+,.:@%^/ex1é"


def command(random: Random) -> str:
    """One command line."""
    return _strung(random) if random.random() < 0.4 else _told(random)


def _strung(random: Random) -> str:
    """A few signs in a row, with blanks between some of them."""
    signs = "".join(
        random.choice(_SIGNS) + random.choice(("", "", " ")) for _ in range(random.randint(1, 6))
    )
    before, _, behind = random.choice(_FRAMES).partition("%")
    return before + signs + random.choice((behind, behind, "")) + random.choice(_ENDS)


def _told(random: Random) -> str:
    """A stub that runs in some roundabout way, or is only mentioned."""
    name = random.choice(STUBS) if random.random() < 0.2 else "evil"
    spelled = random.choice(SPELLINGS)
    if "evil".find(spelled) < 0 and "@" not in spelled:
        name = "evil"
    text = spelled.replace("@", name)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        text = _put(random.choice(CONTEXTS), text, random)
    if random.random() < 0.25:
        text = _slip(text, random)
    return text.replace("\0", "")


def _put(context: str, text: str, random: Random) -> str:
    """Put a command in a context; quotes of the context are kept whole now and then."""
    before, percent, after = context.rpartition("%s") if "%s" in context else ("", "", context)
    if percent:
        head, mark, tail = after.partition("%")
        return before + percent + head + (text if mark else "") + tail
    quote = _QUOTE.get(context[max(context.find("%") - 1, 0)])
    return context.replace("%", quote(text) if quote and random.random() < 0.8 else text)


_QUOTE: Final[dict[str, Callable[[str], str]]] = {
    "'": lambda it: it.replace("'", "'\\''"),
    '"': lambda it: it.replace("\\", "\\\\").replace('"', '\\"').replace("`", "\\`"),
}


def _slip(text: str, random: Random) -> str:
    """Change, double, swap or drop a few characters."""
    letters = list(text)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(letters) + 1)
        match random.randrange(4):
            case 0:
                letters.insert(at, random.choice(_LETTERS))
            case 1 if at < len(letters):
                letters[at] = random.choice(_LETTERS)
            case 2 if at < len(letters):
                del letters[at]
            case _:
                start = random.randrange(len(letters) + 1)
                letters[at:at] = letters[start : start + random.randint(1, 6)]
    return "".join(letters)
