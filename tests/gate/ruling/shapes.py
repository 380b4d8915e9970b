"""Long texts: each construct of the grammar, and each thing the reader handles, over and over.

Which constructs there are is not decided here: the kinds of node are those of the grammar, and the
names those of the reader's own tables. `test_long_texts` asks that no kind of node is left out.
"""

from itertools import product
from typing import Final

import tree_sitter_bash
from tree_sitter import Language

from assent.gate.programs.nested_execution.unwrap import WRAPPERS
from assent.gate.shell.dialects import OTHERS, SHELLS
from assent.gate.shell.folder_changes import MOVERS
from assent.gate.shell.script import DECLARES, SOURCES
from assent.gate.shell.specials import NAMES_FIRST, RESERVED, UNSETTLES
from assent.gate.shell.syntax import parse, walk

__all__ = ["POLICIES", "SHAPES", "UNCLOSED", "kinds_in", "kinds_of_grammar"]

_SIZES: Final = (10_000, 3_000)
"""In letters: so many as are read, and so few that more of them is judged."""

POLICIES: Final[dict[str, dict[str, list[str]]]] = {
    "no rules": {},
    "an allow rule": {"allow": ["shell(npm test)"]},
    "deny rules": {
        "allow": ["shell(ls:*)", "shell(printf:*)", "shell(echo:*)", "shell(cat:*)"],
        "deny": [
            *("shell(rm:*)", "read(./.env)", "write(./infra/**)"),
            *("fetch(domain:evil.example)", "fetch(domain:t.co)"),
        ],
    },
}

_LINES: Final = (
    # Lists and pipes.
    *(f"ls a{sign}" for sign in ("; ", "\n", " & ", " && ", " || ", " | ", " |& ")),
    *("! ls a; ", "# a\n", "ls # a\n", "true;", "cat a | sort | uniq | head\n"),
    *('printf "ls" | bash ;', "cat a.sh | sh; ", "bash -c 'ls a'; ", "bash -c \"sh -c 'ls a'\"; "),
    *("eval 'ls a'; ", "git ls-files | xargs wc; ", "find . -name a -exec ls {} +; ", "$x a; "),
    # Assignments and declarations.
    *("a=1; ", "a=1 ", "a=$a$a; ", "a+=b; ", "a=(b c); ", "a[1]=b; ", "a=$(date); "),
    *(f"{name} a=b; " for name in ("declare", "typeset", "export", "readonly", "local")),
    *("unset a; ", "unsetenv a; ", "trap 'ls a' EXIT; ", "a=1 b=2; ", "time ls a; "),
    *('a=$"b"; ', "time { ls a; }; ", "a | b | c\nd && e\n", "cat <<E; echo $(a)\nE\n"),
    # Where it runs, and what may run before it.
    *("cd a; ls; ", "cd a || cd b; ", "for d in a b; do cd $d; done; ", "cp src/*.py b/; "),
    *("rm -f a; ", "ln -s a b; ", "mv a b; ", "sed -i s/a/b/ a; ", "mkdir -p a/b; ", "tar xf a; "),
    *("curl -o a https://a.example/b; ", "curl -s https://a.example/b | sh; ", "git clone a b; "),
    *("git commit -m 'a b'; ", "git -C a status; ", "python3 -c 'print(1)'; ", "python3 a.py; "),
    *("echo a > a.py; python3 a.py; ", "kill $!; ", "echo $API_KEY; ", "frob a; ", "make; "),
    *("docker run -v a:b c ls; ", "awk '{print $1}' a; ", "scp a b:c; ", "npm test; "),
    # Redirects.
    *("ls > a; ", "ls >> a >| b &> c &>> d < e 2>&1 <&0 2>&- <&- ; ", "ls <> a; ", "ls >& a; "),
    *("cat <<< a; ", "cat <<E\na $x\nE\n", "cat <<-E\n\ta\n\tE\n", "bash <<'E'\nls a\nE\n"),
    *("cat <(ls a); ", "ls > >(cat); ", "cat <<'E' > a.sh\nls a\nE\nbash a.sh\n"),
    # Constructs.
    *("(ls a); ", "{ ls a; }; ", "f() { ls a; }; ", "function f { ls a; }; "),
    *("f() { ls $1; }; f a; ", "if ls a; then ls b; elif ls c; then ls d; else ls e; fi; "),
    *("while ls a; do ls b; done; ", "until ls a; do ls b; done; ", "((a += 1)); "),
    *(f"{name} f in a *.py; do ls $f; done; " for name in ("for", "select")),
    *("for ((i=0; i<3; i++)); do ls $i; done; ", "coproc ls a; "),
    *("case $x in a) ls a;; b|c) ls b;& d) ls d;;& *) ls c;; esac; ", "[[ $a =~ ^b.*c$ ]]; "),
    *("[[ -f a && ! $b == c ]]; ", "[ -f a -a b = c -o d != e ]; ", "test -f a; "),
)

_WORDS: Final = (
    *("a ", "src/a.py ", "-p ", "1 ", "größe ", "'a' ", '"a" ', '"a $x b" ', "$'a\\n' ", '$"a" '),
    *("\\a ", "a'b'\"c\" ", "a'b'", "$x ", "$x", "$x/a", "$? $# $! $@ $* $- $$ $0 ", "${x} "),
    *("$(ls a) ", "`ls a` ", '"$(ls a)" ', "$((1 + 2)) ", "$[1 + 2] ", "{a,b} ", "{a,b}"),
    *("{1..9} ", "* ", "*/", "[a-z] ", "[a-z", "+(a|b) ", "src/**/*.py ", "~/a ", "> a ", "<<A "),
    *("\\\n", "https://a.example/b ", "--a=b ", "a=b ", "'ls -l; rm a' ", "'(a, b)' ", ".. "),
    *(f"${{x{way}}} " for way in ("[1]", "[@]", ":1:2", "@P", "@Q")),
    "".join(
        f"${{x{way}a}} " for way in "# ## % %% / // /# /% , ,, ^ ^^ :- - :+ + :? ? := =".split()
    ),
    "".join(f"${{x@{way}}} " for way in "AEKLPQUaku"),
    "${!x} ${#x} ${!x[@]} ${#x[@]} $`",
)

_WITHIN: Final = (
    ("echo $((", "1+", "1))"),
    ("echo $((", "a++ * b-- + -c + ~d + !e + ++f - --g, ", "1))"),
    ("echo $((", "a=1, b+=1, c-=1, d*=1, e/=1, f%=1, g**=1, h<<=1, i>>=1, j&=1, k^=1, ", "1))"),
    ("echo $((", "a|=1, ", "1))"),
    ("echo $((", "a%b/c**d<<e>>f & g^h|i && j||k == l != m < n <= o > p >= q ? r : s, ", "1))"),
    ("[[ ", "-f a && ", "-f b ]]"),
    ("[[ ", "a -ot b || ", "a == b* ]]"),
    ("case $x in ", "a) ls a;; ", "esac"),
    ("for f in ", "a ", "; do ls $f; done"),
    ("a=(", "b ", ")"),
    ('echo "', "$x a ", '"'),
    ('echo "', "`ls` $(ls) ", '"'),
    ("cat <<E\n", "$(ls a) $x\n", "E\n"),
    ("cat <<E\n", "a b c\n", "E\n"),
    ("bash <<'E'\n", "ls a\n", "E\n"),
    ("bash -c '", "ls a; ", "'"),
    ("eval '", "ls a; ", "'"),
    ("python3 - <<'E'\n", "open('a').read()\n", "E\n"),
    ("python3 -c '", "print(1);", "'"),
    ("f() { ", "ls $1; ", "}; f a; f b"),
    ("for f in a b; do ", "ls $f; ", "done"),
    ("find . ", "-exec ls {} + ", ""),
    ("find . ", "-name a -o ", "-delete"),
    ("sed -n '", "1p;", "'"),
    ("awk '", "{print} ", "'"),
    ("git commit -m '", "a b\n", "'"),
    ("git ", "-c a.b=c ", "status"),
    ("curl ", "-H 'a: b' ", "https://a.example"),
    ("rm ", "a ", ""),
    ("", "env ", "ls"),
    ("", "sudo -n ", "ls"),
    ("", "a=1 ", "ls"),
    ("x=a; ", "x=$x$x; ", "cat $x"),
    ("function f { ", "ls;", " }"),
    *((f"{name} ", "a ", "") for name in ("unset", "export", "readonly", "declare -a", "local")),
    *((f"{name} ", "a=b ", "") for name in ("export", "declare", "declare -A")),
    ("declare ", '"a=$x" ', ""),
    ("declare -a ", "a='(b)' ", ""),
)

_UNCLOSED: Final = (
    *("(", "((", "$(", "$((", "<(", "f() {", "{ ", "a=(", "${", "${!", "${a[", "a[", "a[1", "[[ "),
    *("[[ a == ", "[[ ( ", "[[ a =~ (", "if [[ ", "while ((", "case x in (", '"$('),
)
"""What opens something that is never closed, so that all that follows may be read in many ways."""
_BEHIND: Final = ("a b.py ", "$x ", '"$x a" ', "--a=b ", "a=b ", "ls a\n")

_NESTED: Final = (
    *(
        ("(", "ls a", ")"),
        ("{ ", "ls a;", " };"),
        ("echo $(", "ls a", ")"),
        ("f() { ", "ls;", " };"),
    ),
    *(("cat <(", "ls a", ")"), ('echo "$(', "ls a", ')"'), ("echo ${x:-", "a", "}")),
    *(("echo $((", "1", "))"), ("((", "1", "))"), ("if ls a; then ", "ls b", "; fi; ")),
    *(("for f in a b; do ", "ls $f", "; done"), ("while ls a; do ", "ls b", "; done")),
    *(("case $x in a) ", "ls a", ";; esac"), ("echo {a,", "b", "}"), ("[[ ( ", "-f a", " ) ]]")),
    *((opened, "", "") for opened in ("(", "{ ", "$(", "\"'", "`", "${x:-", "while ", ")", "\\")),
    *(
        (opened, "", "")
        for opened in ("<(", "[[ ", "[", "((", "if ", "case ", "$((", "<<", "|", "&")
    ),
)

_NAMES: Final = sorted(
    {*WRAPPERS, *SHELLS, *OTHERS, *UNSETTLES, *NAMES_FIRST, *RESERVED, *DECLARES, *SOURCES, *MOVERS}
)
"""What the reader makes more of than of a program."""


_GLUED: Final = (
    *"a . - = : / @ ~ % , _ 0 ( ) [ ] { } < > ! ? * + # | & ; ^".split(),
    *(
        "a.",
        "a-",
        "a=",
        "a/",
        "../",
        "a b ",
        "a: ",
        "f(",
        "a(b)",
        "a,",
        "\\n",
        "${a}",
        "x=1;",
        "a\n",
    ),
    *(
        "import a\n",
        "open(a)",
        "a as b ",
        "a = b.c\n",
        "http://a.b/",
        "chr(97)+",
        "\\x61",
        "rm -rf a; ",
    ),
)
"""What a word is made of, for a program of which no more is known, and as code."""


def _shapes(size: int) -> dict[str, str]:
    whole = {unit: ("", unit, "") for unit in (*_LINES, *(f"{name} a; " for name in _NAMES))}
    words = {f"echo {unit}": ("echo ", unit, "") for unit in _WORDS}
    within = {"…".join(parts): parts for parts in _WITHIN}
    for opened, unit in product(_UNCLOSED, _BEHIND):
        within[f"8 × {opened}…{unit}"] = (f"{opened * 8} ls a\n", unit, "")
    for unit in _GLUED:
        for before in ("frob ", "frob x.", "echo ", "python3 -c ", "frob a=", "a="):
            within[f"{before}'{unit}…'"] = (f"{before}'", unit, "'")
    long = {
        name: before + unit * ((size - len(before + after)) // len(unit)) + after
        for name, (before, unit, after) in {**whole, **words, **within}.items()
    }
    for opened, inner, closed in _NESTED:
        for depth in (8, 25, 199, 390, 1_190, (size - len(inner)) // len(opened + closed)):
            long[f"{depth} × {opened}{inner}{closed}"] = opened * depth + inner + closed * depth
        unit = f"{opened * 8}{inner}{closed * 8}; "
        long[f"again {opened * 8}…"] = unit * (size // len(unit))
    long["other words"] = "cat " + " ".join(f"f{number}" for number in range(1_600))
    long["other commands"] = "".join(f"ls f{number}; " for number in range(1_000))
    long["other variables"] = "".join(f"a{number}=$b{number}; " for number in range(500))
    return {f"{name} ({size:,})": text[: _SIZES[0]] for name, text in long.items()}


SHAPES: Final = {name: text for size in _SIZES for name, text in _shapes(size).items()}
"""By what is repeated in it."""

UNCLOSED: Final = [
    text
    for name, text in SHAPES.items()
    if any(name.startswith(f"8 × {opened}…") for opened in _UNCLOSED) and len(text) > _SIZES[1]
]
"""The long ones of these in which something is never closed."""


def kinds_of_grammar() -> frozenset[str]:
    """Every kind of node that a tree may have."""
    grammar = Language(tree_sitter_bash.language())
    kinds = range(grammar.node_kind_count)
    return frozenset(
        grammar.node_kind_for_id(it) or "" for it in kinds if grammar.node_kind_is_visible(it)
    )


def kinds_in(text: str) -> frozenset[str]:
    """The kinds of node in the tree of a text."""
    return frozenset(it.type for it in walk([parse(text)]))
