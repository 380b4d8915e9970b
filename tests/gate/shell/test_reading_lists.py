"""Words that come out of lists of files, of counts and of states of the files."""

from gate.shell.reading import read, words_of
from tables import each_row

LISTED = [
    ("find src -name x | xargs wc", "src/…"),
    ("find /a/b -name x | xargs wc", "/a/b/…"),
    ("find . | xargs wc", "./…"),
    ("find a b | xargs wc", "./…"),
    ("find src -exec wc {} \\;", "src/…"),
    ("find . -exec wc {} +", "./…"),
    ("find . -exec wc {}.bak \\;", "./….bak"),
    ("find . -exec sh -c 'wc \"$1\"' _ {} \\;", "./…"),
    ("git ls-files | xargs wc", "…"),
    ("git ls-files 'src/*.ts' | xargs wc", "src/…"),
    ("git ls-files -- src | xargs wc", "src/…"),
    ("git diff --name-only main..HEAD | xargs wc", "…"),
    ("grep -rl x src | xargs wc", "src/…"),
    ("rg -l x src | xargs wc", "src/…"),
    ("rg -l -t py x | xargs wc", "…"),
    ("ls src | xargs -I{} wc src/{}", "src/…"),
    ("ls -d .git/* | xargs wc", ".git/…"),
    ("find . | grep x | sort -u | head -n 5 | xargs wc", "./…"),
    ('git ls-files | while IFS= read -r f; do wc "$f"; done', "…"),
    ('find . -print0 | while IFS= read -r -d "" f; do wc "$f"; done', "./…"),
    ('git ls-files | while read -r f || [ -n "$f" ]; do wc "$f"; done', "…"),
    ('for f in src/*.js; do wc "${f%.js}.ts"; done', "src/*.ts"),
    ('for f in *.js; do wc "/etc/$f"; done', "/etc/*.js"),
    ('for f in src/*.js; do wc "out/$(basename "$f")"; done', "out/*.js"),
    ('for f in src/*.js; do wc "out/$(basename "$f" .js).ts"; done', "out/*.ts"),
    ('find src | while read -r f; do wc "out/$(basename "$f")"; done', "out/…"),
    ('wc "/tmp/x-$(date +%F).tgz"', "/tmp/x-./0-….tgz"),
    ('for f in src/*; do wc "${f%.js}.ts"; done', "src/*.ts"),
    ('for f in src/*.js src/*.ts; do wc "$f"; done', "src/…"),
    ('find src | while read -r f; do wc "${f%/*}"; done', "./…"),
]


@each_row(("text", "told"), LISTED)
def test_a_name_out_of_a_list_says_where_it_lies(text: str, told: str) -> None:
    word = words_of(text)[-1]
    assert (word.listed, word.text) == (True, told)
    assert not read(text).opaque


ANYTHING = [
    'find src | while read -r f; do wc "out/$(basename "$f" .js)"; done',
    'find src | while read -r f; do wc "out/$(basename "$f" "$x")"; done',
    'for f in src/*.js; do wc "$(basename -s "$f")"; done',
    "ls | grep x list | xargs wc",
    "grep x list | xargs wc",
    "ls | tail -c 4 | xargs wc",
    "ls | head -c4 | xargs wc",
    "ls | head 5 | xargs wc",
    "ls | tac -s x | xargs wc",
    "ls | uniq -c | xargs wc",
    "ls | grep -f list x | xargs wc",
    "ls | grep x < list | xargs wc",
    "ls | grep x <<< /etc/passwd | xargs wc",
    "ls | xargs -d c wc",
    "ls | xargs -dc wc",
    "ls | xargs -a list wc",
    "ls | xargs wc < list",
    "ls | xargs -I{} wc ../{}",
    "ls -l | xargs wc",
    "ls -A | xargs wc",
    "ls -d .* | xargs wc",
    "ls ../a | xargs wc",
    "git show --name-only | xargs wc",
    "git show --name-only --format=/etc/passwd | xargs wc",
    "git diff --name-only --line-prefix=/etc/ | xargs wc",
    "git diff --name-only -p | xargs wc",
    "git grep -l x :/ | xargs wc",
    "git ls-files :/ | xargs wc",
    "git -C .. ls-files | xargs wc",
    "find -L . | xargs wc",
    "find . -follow | xargs wc",
    "find . -printf x | xargs wc",
    "find ~ | xargs wc",
    "find ../a | xargs wc",
    "find $x | xargs wc",
    "find -L . -exec wc {} \\;",
    "find . -follow -exec wc {} \\;",
    "find ~ -exec wc {} \\;",
    "find .. -exec wc {} \\;",
    "find a /b -exec wc {} \\;",
    "find $x -exec wc {} \\;",
    "find . -exec wc {}. \\;",
    "find . -exec wc /etc{} \\;",
    "find . -exec wc {}/../x \\;",
    "git ls-files | while IFS=c read -r f; do wc $f; done",
    "git ls-files | while read -r a f; do wc $f; done",
    "git ls-files | while read -r -N 2 f; do wc $f; done",
    "git ls-files | while read -r -d c f; do wc $f; done",
    "git ls-files | while read -u 3 f; do wc $f; done",
    "git ls-files | while read -r f < list; do wc $f; done",
    "git ls-files | while read -r f <<< /etc; do wc $f; done",
    "while read -r f; do wc $f; done < <(tail list)",
    'find . | while read -r f; do wc ".$f"; done',
    'find . | while read -r f; do wc "$f."; done',
    'ls | { read -r f; wc "$f/etc/passwd"; }',
    'git log --name-only --format= | while read -r f; do wc "$f/etc"; done',
    'find . | while read -r f; do wc "${f%.js}"; done',
    'for f in src/* .git/*; do wc "$f"; done',
    'wc "$!"',
    "wc .git$(grep -c a b)/x",
    "wc $(true | { echo /etc/passwd; nproc; })",
    "a=b; a=/etc/passwd c=$a; b=c; b=$x; wc $b",
    "a=b; read -aa <<< c; wc $a",
    "a=b; mapfile -t a < c; wc $a",
    "MAPFILE=b; mapfile -t < c; wc $MAPFILE",
    "_=b; true c; wc $_",
    "sh -c 'set -- c; wc \"$1\"' _ b",
]


@each_row("text", ANYTHING)
def test_what_may_be_anything_is_not_known(text: str) -> None:
    word = words_of(text)[-1]
    assert (word.known, word.listed) == (False, False)


def test_assignments_of_one_line_take_effect_one_after_the_other() -> None:
    assert words_of("a=/etc/passwd c=$a; wc $c")[-1].text == "/etc/passwd"


def test_a_variable_that_a_small_shell_does_not_have_is_one_of_the_script() -> None:
    text = "sh -c 'RANDOM=/etc/passwd; wc $RANDOM'"
    assert read(text).opaque
    assert not read("wc $RANDOM", "sh").commands[0].argv[1].listed


@each_row(
    "text",
    [
        "wc $(git rev-parse HEAD)",
        "wc $(git merge-base HEAD main)..HEAD",
        "b=$(git merge-base HEAD main); wc $b",
        "for c in $(git log --format=%h -5); do wc $c; done",
        "wc x-$(date +%Y-%m-%d)",
        "wc origin/$(git branch --show-current)",
    ],
)
def test_what_git_and_the_clock_give_is_one_word_and_no_flag(text: str) -> None:
    word = words_of(text)[-1]
    assert word.listed
    assert not word.several
    assert not word.text.startswith("-")


def test_one_who_gets_many_names_gets_two() -> None:
    assert [it.text for it in words_of("find . -print0 | xargs -0 wc")] == ["wc", "./…", "./…"]
    assert [it.text for it in words_of("find . -exec wc {} +")] == ["wc", "./…", "./…"]
    assert [it.text for it in words_of("echo a | xargs wc")] == ["wc", "a"]
    assert words_of("echo a b | xargs wc")[-1].choices == ("a", "b")


@each_row(
    "text",
    [
        "f(){ unset make; }; make(){ :; }; f; make",
        "make(){ unset -f make; }; make; make",
        'f(){ unset -f "$1"; }; make(){ :; }; f make; make',
        "make(){ :; }; unset -f make; make",
        "false && make(){ :; }; make",
        "(make(){ :; }); make",
    ],
)
def test_a_function_that_may_be_gone_hides_no_program(text: str) -> None:
    assert not [it for it in read(text).commands if it.name == "make"][-1].wraps


def test_a_function_that_is_there_is_what_it_runs() -> None:
    assert read("make(){ ls; }; make").commands[-1].wraps
