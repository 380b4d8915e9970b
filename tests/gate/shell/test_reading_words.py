"""Words, as the program would be given them."""

import json
import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from hypothesis import example, given
from hypothesis import strategies as st

from assent.gate.shell.anchored_paths import InFolder
from assent.gate.shell.word import Word
from gate.shell.reading import only, opaque, read, words_of
from tables import each_row


def given_by_bash(text: str) -> list[str]:
    """The words that the real shell would give to `cat`."""
    printed = text.replace("cat ", "printf '%s\\0' ")
    ran = subprocess.run(["bash", "-c", printed], capture_output=True, check=True, text=True)
    return ran.stdout.split("\0")[:-1]


@each_row(
    ("text", "given"),
    [
        ("'a b'", "a b"),
        ('"a b"', "a b"),
        ("a\\ b", "a b"),
        ("a'b'\"c\"d", "abcd"),
        ("''a", "a"),
        ("$'a\\tb\\x41\\101\\u00e9'", "a\tbAAé"),
        ('"a \\"b\\" \\$c \\`d\\` \\e"', 'a "b" $c `d` \\e'),
        ('"a\\\nb"', "ab"),
        ('"a b `"', None),
        ("'a\nb'", "a\nb"),
        ("\\*", "*"),
        ('"~/x"', "~/x"),
        ("--a='b c'", "--a=b c"),
        ("é\\ ü", "é ü"),
        ("a#b", "a#b"),
        ("''", ""),
    ],
)
def test_quotes_are_taken_away_as_the_shell_does(text: str, given: str | None) -> None:
    if given is None:
        assert opaque(f"echo {text}")
        return
    word = only(f"echo {text}").argv[1]
    assert (word.text, word.known, word.home) == (given, True, False)


def test_an_unquoted_pattern_stands_for_names_of_files() -> None:
    assert [it.glob for it in only("ls *.py 'a*' a? [b] \\*").argv[1:]] == [
        True,
        False,
        True,
        True,
        False,
    ]


def test_braces_become_several_words() -> None:
    assert [it.text for it in words_of("rm {a,b}/{1..3} x{,.bak} '{a,b}' {a} {01..03}")] == (
        "rm a/1 a/2 a/3 b/1 b/2 b/3 x x.bak {a,b} {a} 01 02 03".split()
    )


def test_too_many_braces_cannot_be_told() -> None:
    assert opaque("echo {1..1000000000}")


@each_row(
    "text",
    [
        "n='1 .env'; cat -n$n f",
        "n=' a  b '; cat x$n",
        "n='a b'; cat ${n}c $n$n",
        'n=\'a b\'; cat "$n" x"$n"$n',
        "n='a ~/x'; cat $n",
        "n='a '; cat $n~/x",
        "n=$'a\\tb\\nc'; cat $n",
        "n='a b'; cat {x,$n}/y",
        "n='a \"b c\"'; cat $n",
        "n='a b'; x=$n; cat $x",
        "n='a b'; [ $n ] || cat $n",
    ],
)
def test_a_value_with_blanks_is_split_as_the_shell_splits_it(text: str) -> None:
    assert [it.path for it in words_of(text)[1:]] == [
        f"./{it}" if it.startswith("~") else it for it in given_by_bash(text)
    ]
    assert all(it.known for it in words_of(text))


@each_row(
    "text",
    [
        "cat $(dirname src/a.py)",
        'cat "$(dirname src/a.py)/b.py"',
        "cat $(dirname a) $(dirname /a) $(dirname a/..) $(dirname .././b/c)",
        "cat $(basename src/a.py) $(basename /etc/a) $(basename ..) $(basename ./.a)",
        "cat $(basename src/a.py .py).js $(basename .py .py) $(basename a/b.py py)",
        "f=src/x/a.py; cat $(dirname $f)/$(basename $f .py)_test.py",
        "d=$(dirname src/x/a.py); cat $d $(dirname $d) `basename $d`",
    ],
)
def test_parts_of_a_known_path_are_what_the_programs_say(text: str) -> None:
    [cat] = [it for it in read(text).commands if it.name == "cat"]
    assert [(it.text, it.known) for it in cat.argv[1:]] == [
        (it, True) for it in given_by_bash(text)
    ]


@each_row(
    "text",
    [
        "cat $(dirname -z a/b)",
        "cat $(dirname a/b c/d)",
        "cat $(dirname a/b > x)",
        "cat $(basename a/b > /dev/null)",
        "cat $(basename -a a/b c/d)",
        "cat $(dirname a//b)",
        "cat $(dirname a/b/)",
        "cat $(dirname 'a b/c')",
        "cat $(dirname a/* )",
        "cat $(dirname $x)",
        "cat $(dirname a/b; echo x)",
        "cat $(dirname a/b | tr a b)",
        "dirname() { echo /etc; }; cat $(dirname a/b)",
        "f() { dirname() { echo /etc; }; }; f; cat $(dirname a/b)",
    ],
)
def test_what_may_be_other_parts_is_not_known(text: str) -> None:
    [cat] = [it for it in read(text).commands if it.name == "cat"]
    assert not cat.argv[1].known


@each_row(
    "text",
    [
        "n=x; ny=.env; cat {f,$n}y",
        "n=x; nz=.env; cat {$n,f}{z,y}",
        "n=.env; cat {f,$}n",
        "n=.env; cat {$,b}{n,m}",
    ],
)
def test_braces_may_give_a_variable_another_name(text: str) -> None:
    assert ".env" in given_by_bash(text)
    assert opaque(text)


def test_what_is_not_known_or_stands_for_files_is_not_split() -> None:
    for text in ("cat -n$x", "n='*.py a'; cat $n", "n='a\\ b'; cat $n", "n=' '; cat $n"):
        assert [(it.known, it.several) for it in words_of(text)[1:]] == [(False, True)]
    assert opaque("n='1 a[$(id)]'; [[ $n -eq 1 ]]")


def test_home_is_told_from_a_letter() -> None:
    given = only('ls ~ ~/a "~/b" "$HOME/c" \\~/d $HOME "${HOME}"').argv[1:]
    assert [(it.text, it.home) for it in given] == [
        ("~", True),
        ("~/a", True),
        ("~/b", False),
        ("~/c", True),
        ("~/d", False),
        ("~", True),
        ("~", True),
    ]
    assert not only("ls ~somebody/x").argv[1].known
    assert not only("dd of=~/.bashrc").argv[1].known


def test_the_path_of_the_folder_is_no_dot_but_leads_there() -> None:
    given = only('ls "$PWD" $PWD/a').argv[1:]
    assert [it.there.text for it in given] == [".", "./a"]
    assert all(isinstance(it, InFolder) for it in given)
    assert read("ls $(pwd)").commands[0].argv[1].there.text == "."


def test_a_variable_that_nobody_set_is_not_known() -> None:
    quoted, bare, every = only('ls "$x" $x "$@"').argv[1:]
    assert (quoted.known, quoted.several, quoted.text) == (False, False, '"$x"')
    assert (bare.known, bare.several) == (False, True)
    assert every.several


@each_row(
    ("text", "given", "choices"),
    [
        ("x=foo; cat $x", "foo", ()),
        ("D=src && ls $D/a", "src/a", ()),
        ('x="a b"; cat "$x"', "a b", ()),
        ("x=a; x=b; cat $x", "b", ()),
        ("for x in a b; do cat $x; done", "a", ("a", "b")),
        ('for x in a b; do cat "src/$x.py"; done', "src/a.py", ("src/a.py", "src/b.py")),
        ("if c; then x=a; else x=b; fi; cat $x", "a", ("a", "b")),
        ("for x in {1..3}; do cat f$x; done", "f1", ("f1", "f2", "f3")),
    ],
)
def test_a_variable_that_the_script_sets_is_what_it_sets(
    text: str, given: str, choices: tuple[str, ...]
) -> None:
    word = words_of(text)[1]
    assert word.choices == choices
    assert word.text == given
    assert word.known or word.choices or word.listed


@each_row(
    "text",
    [
        "c && x=a; cat $x",
        "x='*'; cat $x",
        "x=a; read x; cat $x",
        "x=a; read -r x; cat $x",
        "x=a; unset x; cat $x",
        "x=a; printf -v x b; cat $x",
        "x=a; declare x; cat $x",
        "x=a; x+=b; cat $x",
        "x=a; x[0]=b; cat $x",
        "(x=a); cat $x",
        "x=a | true; cat $x",
        "x=a & cat $x",
        "f() { x=b; }; x=a; f; cat $x",
        "x=a; while c; do cat $x; x=$y; done; cat $x",
        "x=a; for x in *; do :; done; cat $x",
        "x=$(c); cat $x",
        "x=a cat $x",
        "x=(a b); cat $x",
    ],
)
def test_a_variable_that_may_be_something_else_is_not_known(text: str) -> None:
    word = words_of(text)[1]
    assert not word.known
    assert not word.choices


@each_row("text", ["$?", "$#", "$$", "$((1+2))", "${#x}", "$RANDOM"])
def test_a_number_is_a_name_in_the_folder_and_no_flag(text: str) -> None:
    word = only(f"echo {text}").argv[1]
    assert (word.known, word.listed, word.several, word.text) == (False, True, False, "./0")


@each_row(
    "text",
    [
        'for f in src/*.py; do wc "$f"; done',
        "for f in *; do wc $f; done",
        'for f in $(git ls-files); do wc "$f"; done',
        'find . -name "*.py" | while read -r f; do wc "$f"; done',
        'while read -r f; do wc "$f"; done < <(git ls-files)',
        "wc $(git ls-files '*.py')",
        "wc $(git diff --name-only HEAD~1 | grep py | head -3)",
        "git ls-files | sort | xargs wc",
        "rg -l foo src | xargs wc",
        "grep -rl foo src | xargs -n1 wc",
        "find src -type f -print0 | xargs -0 wc",
        "find . -type f -exec wc {} +",
        "ls | xargs -I{} wc {}",
        'for f in *.py; do wc "${f%.py}"; done',
    ],
)
def test_a_name_out_of_a_list_of_files_is_below_the_folder(text: str) -> None:
    word = words_of(text)[-1]
    assert (word.known, word.listed) == (False, True)


@each_row(
    "text",
    [
        "cat list | xargs wc",
        "find ../a | xargs wc",
        "find . -printf '/%p' | xargs wc",
        "ls /etc | xargs wc",
        "ls -l | xargs wc",
        "git ls-files | sed 's#^#/etc/#' | xargs wc",
        "git log --format=%s | xargs wc",
        "grep -rn foo src | xargs wc",
        "grep -rl foo / | xargs wc",
        "cd $x && git ls-files | xargs wc",
        "for f in ../*; do wc $f; done",
        "for f in /etc/*; do wc $f; done",
        'git ls-files | while read -r f; do wc "/etc/$f"; done',
        'for f in src/* docs/*; do wc "/etc/$f"; done',
        'for f in *; do wc "$f/../../x"; done',
        "for f in $(cat list); do wc $f; done",
    ],
)
def test_a_name_out_of_anything_else_is_not(text: str) -> None:
    word = words_of(text)[-1]
    assert (word.known, word.listed) == (False, False)


def test_a_listed_word_says_by_its_beginning_whether_it_may_be_a_flag() -> None:
    assert words_of("find . | xargs wc")[-1].text.startswith("./")
    assert words_of('for f in src/*; do wc "$f"; done')[-1].text.startswith("src/")
    assert words_of('for f in *; do wc "$f"; done')[-1].text.startswith("*")


@each_row(
    ("text", "given"),
    [
        ("wc \"$(cat <<'EOF'\na `b` (it's $c)\n\nEOF\n)\"", "a `b` (it's $c)"),
        ("wc \"$(cat <<-'EOF'\n\ta\n\t\tb\n\tEOF\n)\"", "a\nb"),
        ('wc "see $(cat <<EOF\na\nEOF\n)."', "see a."),
        ("x=$(cat <<'EOF'\na b\nEOF\n); wc \"$x\"", "a b"),
        ("wc $(cat <<'EOF'\na b\nEOF\n)", None),
        ("x=$(cat <<'EOF'\na b\nEOF\n); wc $x", "b"),
        ('wc "$(cat <<EOF\n$a\nEOF\n)"', None),
        ("wc \"$(cat 3<<'EOF'\na\nEOF\n)\"", None),
        ("wc \"$(cat -n <<'EOF'\na\nEOF\n)\"", None),
        ("wc \"$(cat <<'EOF' b\na\nEOF\n)\"", None),
        ("wc \"$(cat <<'EOF' <b\na\nEOF\n)\"", None),
        ("wc \"$(tac <<'EOF'\na\nEOF\n)\"", None),
        ("wc \"$(cat <<'EOF' | tac\na\nEOF\n)\"", None),
        ("wc \"$(cat <<'EOF'; ls\na\nEOF\n)\"", None),
    ],
)
def test_a_here_document_that_is_only_shown_is_its_text(text: str, given: str | None) -> None:
    word = next(it for it in read(text).commands if it.name == "wc").argv[-1]
    assert (word.text if word.known else None) == given


@each_row("listing", ["rg -l a src", "git ls-files", "find src", "seq 0", "date +%F >&2", "ls src"])
def test_where_nothing_may_be_listed_what_follows_may_lead_anywhere(listing: str) -> None:
    for text in (f"cat $({listing})/etc/passwd", f'cat "$({listing})"/etc/passwd'):
        assert not words_of(text)[1].listed


CASES = Path(__file__).parents[1] / "ruling" / "cases"


def words_of_cases() -> Iterator[Word]:
    """Every word of the commands of each fifth case."""
    for file in ("attacks.jsonl", "everyday.jsonl"):
        for line in (CASES / file).read_text("utf-8").splitlines()[::5]:
            given = json.loads(line).get("call", {}).get("input")
            command = given.get("command") if isinstance(given, dict) else None
            for it in read(command).commands if isinstance(command, str) else ():
                yield from it.argv
                yield from (each.value for each in it.assignments)
                yield from (each.target for each in it.redirects)


def test_the_flags_of_a_word_go_together_as_the_page_of_theory_says() -> None:
    seen = set(words_of_cases())
    assert any(it.choices for it in seen)
    assert any(it.listed and it.empty and it.by for it in seen)
    for it in seen:
        assert not (it.known and (it.choices or it.listed or it.several or it.empty)), it
        assert it.listed or not it.empty, it
        assert it.listed or not it.by or "--show-toplevel" in [each.text for each in it.by[0]], it


SETS: Final = "A=one; B=two; C=three; set -- four; "
SIGNS: Final = ("$A", "${B}", "$C", "$1", '"$A"', "$(echo x)")
BETWEEN: Final = ("/", ":", ".", "-", "/x", "=a", "@", ",b.", "/x-1/", "'/$A'", "")
WORDS: Final = st.lists(
    st.tuples(st.sampled_from(SIGNS), st.sampled_from(BETWEEN)), min_size=1, max_size=5
).map(lambda pairs: "".join(chain.from_iterable(pairs)))


@given(st.lists(WORDS, min_size=1, max_size=20), st.sampled_from(["cat {}", "cat x {} y"]))
@example(["$A/$B/c", "$A:$B.c", "$A-x$1/c", '"$A"/$C.d', "$A/${B}/$C/$A/e"], "cat {}")
def test_variables_side_by_side_are_one_word_wherever_letters_follow(
    spelled: list[str], line: str
) -> None:
    text = SETS + line.format(" ".join(spelled))
    script = read(text)
    given_ = next(it for it in script.commands if it.name == "cat").argv[1:]
    assert not script.opaque
    told = [it.text for it in given_ if it.known]
    real = given_by_bash(text)
    # What `set --` gives is of the whole shell, and what a command prints is not known.
    assert len(given_) == len(real)
    assert told == [real[at] for at, it in enumerate(given_) if it.known]


@each_row(
    "text",
    [
        "X=$A/$B/c; cat $X",
        "X=$A/$B/c make",
        "export X=$A:$B/c",
        "for f in $A/$B/c; do cat $f; done",
        "cat < $A/$B/c > $A/$C/d",
        "cat <<< $A/$B/c",
        "x=(a $A/$B/c)",
        "echo $(cat $A/$B/c)",
        "sh -c 'cat $A/$B/c'",
        '[ -f "$A/$B/c" ] && cat $A/$B.c',
        "cat $X/$Y/z <<E\n$A/$B/c\nE",
    ],
)
def test_no_letters_behind_a_second_variable_are_a_word_of_their_own(text: str) -> None:
    script = read(text)
    assert not script.opaque
    assert not any(
        it.text.startswith(("B/c", "B.c")) for each in script.commands for it in each.argv
    )


@each_row("text", ["time { echo a; {evil,x}; }", "time { a >o; {b,c} d; }"])
def test_a_brace_with_more_in_its_word_opens_no_group(text: str) -> None:
    said = set(opaque(text))
    assert "This could not be told apart as the shell would." in said
    assert said <= {
        "This could not be told apart as the shell would.",
        "This is no command line that could be read whole.",
    }


def test_a_word_of_many_variables_is_doubted_and_read_in_little_time() -> None:
    text = "cat " + "/".join(f"$A{at}" for at in range(1_500)) + "/x"
    assert set(opaque(text)) == {"This is too tangled to be read."}


def test_commands_stand_where_they_stand_whatever_was_read_in_them() -> None:
    text = "cat $A/$B/c; rm $A/$B/$C/d <<E\n$(ls x)\nE\ndate; sh -c 'a $A/$B/c'"
    told = [text[it.start : it.end] for it in read(text).commands]
    assert told == [
        "cat $A/$B/c",
        "rm $A/$B/$C/d <<E",
        "ls x",
        "date",
        "sh -c 'a $A/$B/c'",
        "sh -c 'a $A/$B/c'",
    ]


@each_row(
    ("text", "told"),
    [("cat notes$$", False), ("cat /tmp/x$$", False), ("cat a$$$$", False), ("cat a$", True)],
)
def test_the_number_of_the_shell_is_no_sign_at_the_end_of_a_word(text: str, told: bool) -> None:
    word = only(text).argv[1]
    assert word.known is told
    assert word.text != "notes$"


@each_row(
    "text",
    [
        "cat $ b",
        "A=$ cat b",
        "A=x$ cat b",
        'cat "a$ b" "$ "',
        "cat $\\ b",
        "cat <<<$ b",
        "cat a$$$ b",
        "B=b; cat $B$ c",
    ],
)
def test_a_dollar_before_a_blank_is_a_dollar(text: str) -> None:
    (command,) = (it for it in read(text).commands if it.argv)
    name, *words = command.argv
    assert name.text == "cat"
    told = [(it.text, it.known) for it in words]
    # Which number the shell itself has nobody knows.
    given = [(it, "$$$" not in text or it == "b") for it in given_by_bash(text)]
    assert [it for it in told if it[1]] == [it for it in given if it[1]]
    assert len(told) == len(given)


@each_row(
    ("text", "given"),
    [
        ('f() { local n=$1; shift; "$@"; }; f 3 cat b c', ["b", "c"]),
        ('f() { shift 2; "$@"; }; f 1 2 cat b', ["b"]),
        ('f() { shift; cat "$1" "$2"; }; f a b c', ["b", "c"]),
        ("f() { shift; for i in 1; do $@; done; }; f a cat b", ["b"]),
    ],
)
def test_what_is_given_moves_up_with_shift(text: str, given: list[str]) -> None:
    words = [it.argv[1:] for it in read(text).commands if it.name == "cat"]
    assert [[it.text for it in each if it.known] for each in words] == [given]


@each_row(
    "text",
    [
        'f() { shift 2; cat "$1"; }; f b',
        'f() { shift; cat "$1"; }; f b',
        'f() { shift 3; cat "$1"; }; f b c',
        'f() { shift "$n"; cat "$1"; }; f b c d',
        'f() { if true; then shift; fi; cat "$2"; }; f b c',
        'f() { while true; do cat "$1"; shift; done; }; f b c',
        'shift; cat "$1"',
    ],
)
def test_what_shift_may_not_take_away_is_not_known(text: str) -> None:
    words = [it.argv[1] for it in read(text).commands if it.name == "cat"]
    assert words
    assert not any(it.known for it in words)


@each_row("text", ["n=$(seq 3); echo $((n + 1))", "n=$(jq length a); echo $((n))"])
def test_several_numbers_are_none_to_compute_with(text: str) -> None:
    assert opaque(text)
    assert not opaque("for i in $(seq 3); do echo $((i + 1)); done")


@each_row(
    ("path", "known"),
    [
        ("$d/$e.txt", True),
        ("$d/run-$e", True),
        ("$d/out-1/$e", True),
        ("$d/$i.txt", True),
        ("$d/$e", False),
        ("$d/${e}r", False),
        ("$d/../$e.txt", False),
        ("$d/$e/x.txt", False),
        ("$d/etc/$e", False),
    ],
)
def test_where_mktemp_fails_no_folder_of_the_system_is_meant(path: str, known: bool) -> None:
    text = f'd=$(mktemp -d); for i in 1 2; do for e in us dev; do cat "{path}"; done; done'
    (word,) = (it.argv[1] for it in read(text).commands if it.name == "cat")
    assert word.listed is known
    assert not known or word.text.startswith("/tmp/tmp.…/")


@each_row(
    "text",
    [
        "time {\n ls\n}",
        "time (ls)",
        "time -p for i in 1; do ls; done",
        "true && time if ls; then :; fi",
    ],
)
def test_time_before_a_construct_changes_nothing_of_it(text: str) -> None:
    script = read(text)
    assert not script.opaque
    assert [it.name for it in script.commands if it.name not in (":", "true")] == ["ls"]
    assert read(text, "sh").opaque


@each_row(
    "counting",
    [
        "stat -c %s a",
        "curl -s -o /dev/null -w '%{http_code}' localhost:80/x",
        "find src -name a | wc -l | tr -d ' '",
    ],
)
def test_what_only_prints_a_number_is_computed_with(counting: str) -> None:
    assert not opaque(f"n=$({counting}); echo $((n + 1))")


def test_lines_are_counted_in_each_file_that_a_pattern_names() -> None:
    loop = 'for f in {}; do n=$(grep -c a "$f"); echo $((n + 1)); done'
    assert not opaque(loop.format("src/*"))
    assert opaque(loop.format("*"))


@each_row(
    "printing",
    [
        "stat -c '%s %n' a",
        "stat -c %n a",
        "stat -c %s *",
        "jq .a a",
        "jq length a",
        "curl -s -w '%{http_code}' localhost",
        "curl -s -o /dev/null -D - -w '%{http_code}' localhost",
        "curl -s -o /dev/null -w '%{url_effective}' localhost",
        "curl -s 'http://a.org/?-o/dev/null%{a}'",
        "curl -s -o /dev/null -w '%{http_code}' a.org b.org",
        "curl -s -w '%{http_code} -o /dev/null' a.org",
        "curl -s -o - -o /dev/null -w '%{http_code}' a.org",
        "cat a | tr -d ' '",
        "wc -l | tr -d ' ' a",
        'grep -c a "$f"',
    ],
)
def test_what_may_print_more_than_a_number_is_not(printing: str) -> None:
    assert opaque(f"n=$({printing}); echo $((n + 1))")


def test_a_line_that_may_be_given_up_matters_only_where_another_follows() -> None:
    line = "n=$(wc -l < a)\necho $((1 / n)); ls"
    assert not opaque(line)
    assert opaque(f"{line}\nls")


@each_row(
    ("text", "known"),
    [
        ('n=x; cat "$HOME"$n', False),
        ('cat "$PWD$(basename a/x)"', False),
        ('n=/x; cat "$HOME$n"', True),
        ('n=x; d=$HOME/a; cat "$d$n"', True),
    ],
)
def test_what_stands_at_a_folder_without_a_slash_is_beside_it(text: str, known: bool) -> None:
    (word,) = (it.argv[1] for it in read(text).commands if it.name == "cat")
    assert word.known is known
