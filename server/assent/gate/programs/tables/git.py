"""The commands of git that read."""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.irreversible_uses import IrreversibleUse
from assent.gate.programs.rows import ALWAYS, Row
from assent.gate.programs.tables.git_changes import GIT_CHANGES

__all__ = ["GIT"]

_DIFF: Final = (
    " -p -u -U? -W -a -b -w -B? -M? -C? -D -R -s -z -S= -G= -O< -l= -I= -0 -X? -t -r -c -m"
    " --[no-]patch --unified? --[no-]function-context --raw --patch-with-raw --patch-with-stat"
    " --numstat --shortstat --dirstat? --cumulative --dirstat-by-file? --check --summary"
    " --name-only --name-status --[no-]stat? --stat-width= --stat-name-width= --stat-graph-width="
    " --stat-count= --[no-]compact-summary --binary --[no-]full-index --[no-]color?"
    " --ws-error-highlight= --[no-]abbrev? --src-prefix= --dst-prefix= --line-prefix= --no-prefix"
    " --default-prefix --inter-hunk-context= --output-indicator-new= --output-indicator-old="
    " --output-indicator-context= --break-rewrites? --find-renames? --irreversible-delete"
    " --find-copies? --[no-]find-copies-harder --no-renames --[no-]rename-empty --[no-]follow"
    " --[no-]minimal --ignore-all-space --ignore-space-change --ignore-space-at-eol"
    " --ignore-cr-at-eol --ignore-blank-lines --ignore-matching-lines= --[no-]indent-heuristic"
    " --patience --histogram --diff-algorithm= --anchored= --word-diff? --word-diff-regex="
    " --color-words? --[no-]color-moved? --color-moved-ws= --no-color-moved-ws --[no-]relative?"
    " --[no-]text --[no-]exit-code --[no-]quiet --ext-diff!runs --no-ext-diff --textconv!runs"
    " --no-textconv --ignore-submodules? --submodule? --ita-invisible-in-index"
    " --ita-visible-in-index --pickaxe-all --pickaxe-regex --rotate-to= --skip-to= --find-object="
    " --diff-filter= --output> --cc --combined-all-paths --root --merge-base --base --ours --theirs"
    " --cached --staged --no-index --diff-merges= --no-diff-merges --dd --remerge-diff -1 -2 -3"
)

_REVS: Final = (
    " -# -n= -i -E -F -P -g --max-count= --skip= --since= --after= --until= --before="
    " --since-as-filter= --max-age= --min-age= --author= --committer= --grep-reflog= --grep="
    " --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp"
    " --fixed-strings --perl-regexp --remove-empty --merges --[no-]min-parents= --[no-]max-parents="
    " --no-merges --first-parent --exclude-first-parent-only --not --all --branches? --tags?"
    " --remotes? --glob= --exclude= --exclude-hidden= --reflog --alternate-refs --single-worktree"
    " --ignore-missing --bisect --stdin --cherry-mark --cherry-pick --left-only --right-only"
    " --cherry --walk-reflogs --merge --boundary --use-bitmap-index --progress="
    " --simplify-by-decoration --show-pulls --full-history --full-diff --dense --sparse"
    " --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse"
    " --objects --objects-edge --unpacked --no-walk? --do-walk --pretty? --format="
    " --[no-]abbrev-commit --oneline --encoding= --[no-]expand-tabs? --[no-]notes? --show-notes?"
    " --relative-date --date= --parents --children --left-right --graph --no-graph"
    " --show-linear-break? --count --timestamp --header --[no-]source --[no-]use-mailmap"
    " --[no-]mailmap --[no-]decorate? --[no-]decorate-refs= --[no-]decorate-refs-exclude="
    " --clear-decorations --log-size -L: --[no-]commit-header --quiet -q --filter= --no-filter"
    " --disk-usage? --in-commit-order --show-signature!runs --no-object-names --missing="
    " --exclude-promisor-objects"
)

_LIST: Final = (
    " --contains= --no-contains= --merged? --no-merged? --sort= --points-at= --format="
    " --[no-]color?"
    " --[no-]column? --ignore-case -i --omit-empty"
)

_READING: Final = (
    Row(names="log, whatchanged, reflog show", flags=_DIFF + _REVS, form="revs"),
    Row(names="show", flags=_DIFF + _REVS, form="revs"),
    Row(
        names="diff, diff-tree, diff-index, diff-files",
        flags=_DIFF + _REVS + " --no-commit-id --root",
        form="revs",
    ),
    Row(
        names="range-diff",
        flags=_DIFF + _REVS + " --creation-factor= --[no-]dual-color",
        form="revs",
    ),
    Row(names="rev-list", flags=_DIFF + _REVS + " -v", form="revs"),
    Row(
        names="shortlog",
        flags=_REVS
        + " -s -e -c -n -w? --numbered --summary --email --committer --group= --output>",
        form="revs",
    ),
    Row(
        names="status",
        operands=Kind.LOOK,
        read_contents_flags="-v --verbose",
        flags="-s -b -v -z -u? -M? -uno -unormal -uall --short --branch --show-stash --porcelain?"
        " --long"
        " --verbose --untracked-files? --ignore-submodules? --ignored? --[no-]column?"
        " --[no-]ahead-behind --[no-]renames --find-renames? --null --no-short --no-branch"
        " --no-verbose --no-show-stash",
    ),
    Row(
        names="blame, annotate",
        form="revs",
        flags="-b -L= -l -t -S< -p -M? -C? -f -n -s -e -w -c -h -# --root --show-stats --reverse?"
        " --porcelain --line-porcelain --incremental --encoding= --contents< --date="
        " --[no-]progress"
        " --ignore-rev= --ignore-revs-file< --color-lines --color-by-age --score-debug --show-name"
        " --show-number --show-email --abbrev? --first-parent --since= --minimal"
        " --diff-algorithm= --output>",
    ),
    Row(
        names="branch",
        operands=None,
        form="listing",
        no_pattern_flags="-l --list --contains --no-contains --merged --no-merged --points-at"
        " --with --without",
        flags="-a -r -v -vv -l -q --all --remotes --verbose --list --show-current --[no-]abbrev?"
        " --with= --without= --quiet" + _LIST,
        irreversible_uses=(
            IrreversibleUse(
                flags="-D", sentence="Deletes {rest|branches}, with commits that no other has."
            ),
            IrreversibleUse(
                flags="-d --delete",
                other_flags="-f --force",
                sentence="Deletes {rest|branches}, with commits that no other has.",
            ),
        ),
    ),
    Row(
        names="tag",
        operands=None,
        form="listing",
        no_pattern_flags="-l --list -n --contains --no-contains --merged --no-merged --points-at",
        flags="-l -n? --list" + _LIST,
    ),
    Row(names="remote", operands=None, max_read_operands=0, flags="-v --verbose", form="listing"),
    Row(names="remote get-url", operands=None, flags="--push --all"),
    Row(names="stash list", flags=_DIFF + _REVS, form="revs"),
    Row(
        names="stash show", flags=_DIFF + " --[no-]include-untracked --only-untracked", form="revs"
    ),
    Row(
        names="config",
        operands=None,
        operand_ends_flags=True,
        form="config",
        flags="--global --system --local --worktree -f~ --file~ --blob= --get --get-all"
        " --get-regexp --get-urlmatch --replace-all --add --unset --unset-all --rename-section"
        " --remove-section -l --list --fixed-value -e!may_change --edit!may_change --get-color"
        " --get-colorbool --type= --no-type --bool --int --bool-or-int --bool-or-str --path"
        " --expiry-date -z --null --name-only --includes!reads_listed --no-includes --show-origin"
        " --show-scope --default= --comment= --value= --all --append --regexp --url= --show-names",
    ),
    Row(
        names="rev-parse",
        form="revs",
        flags="--sq --sq-quote --is-inside-git-dir --is-inside-work-tree --is-bare-repository"
        " --is-shallow-repository --show-toplevel --show-cdup --show-prefix --show-object-format?"
        " --git-dir --absolute-git-dir --git-common-dir --git-path="
        " --show-superproject-working-tree"
        " --shared-index-path --path-format= --abbrev-ref? --symbolic --symbolic-full-name --short?"
        " --verify -q --quiet --revs-only --no-revs --flags --no-flags --default= --prefix= --not"
        " --all --branches? --tags? --remotes? --glob= --exclude= --since= --after= --until="
        " --before="
        " --local-env-vars --disambiguate= --resolve-git-dir^ --end-of-options",
    ),
    Row(
        names="ls-files",
        operands=Kind.LOOK,
        default_folder_flags=ALWAYS,
        recursive_flags=ALWAYS,
        read_contents_flags="--eol",
        flags="-c -d -m -o -i -s -k -u -z -t -v -f -x= -X< --cached --deleted --modified --others"
        " --ignored --stage --killed --[no-]directory --eol --[no-]empty-directory --unmerged"
        " --resolve-undo --exclude= --exclude-from< --exclude-standard"
        " --full-name --recurse-submodules --error-unmatch --with-tree= --abbrev? --debug"
        " --deduplicate --sparse --format=",
    ),
    Row(
        names="ls-tree",
        operands=Kind.LOOK,
        patterns=1,
        flags="-d -r -t -l -z --long --name-only --name-status --object-only --full-name"
        " --full-tree"
        " --format= --abbrev?",
    ),
    Row(
        names="describe",
        operands=None,
        flags="--contains --debug --all --tags --long --first-parent --abbrev? --exact-match"
        " --candidates= --match= --exclude= --always --dirty? --broken?",
    ),
    Row(names="reflog", flags=_DIFF + _REVS, form="revs"),
    Row(names="reflog exists, reflog list", operands=None),
    Row(
        names="cat-file",
        form="revs",
        flags="-p -t -s -e -z -Z --batch? --batch-check? --batch-command? --batch-all-objects"
        " --buffer --follow-symlinks --unordered --textconv!runs --filters!runs --path="
        " --allow-unknown-type --[no-]use-mailmap --[no-]mailmap",
    ),
    Row(
        names="merge-base",
        operands=None,
        flags="-a --all --octopus --independent --is-ancestor --fork-point",
    ),
    Row(
        names="grep",
        patterns=1,
        no_pattern_flags="-e -f",
        recursive_flags=ALWAYS,
        default_folder_flags=ALWAYS,
        form="gitgrep",
        flags="-v -i -w -a -I -r -E -G -F -P -n -h -H -l -L -z -o -c -p -W -q -e= -f< -A= -B= -C="
        " -m= -# -O?!runs --open-files-in-pager?!runs --textconv!runs --no-textconv --cached"
        " --no-index --untracked --[no-]exclude-standard --recurse-submodules --invert-match"
        " --ignore-case --word-regexp --text --[no-]recursive --max-depth= --extended-regexp"
        " --basic-regexp --fixed-strings --perl-regexp --line-number --column --full-name"
        " --files-with-matches --name-only --files-without-match --null --only-matching --count"
        " --[no-]color? --break --heading --context= --before-context= --after-context= --threads="
        " --show-function --function-context --and --or --not --quiet --all-match --max-count="
        " --parent-basename=",
    ),
    Row(
        names="check-ignore, check-attr",
        operands=Kind.LOOK,
        flags="-q -v -z -n -a --quiet --verbose --stdin --non-matching --no-index --all --cached",
    ),
    Row(
        names="name-rev",
        operands=None,
        flags="--name-only --tags --refs= --exclude= --all --stdin"
        " --annotate-stdin --[no-]undefined --always",
    ),
    Row(
        names="show-ref",
        operands=None,
        flags="-d -q -s? --tags --heads --branches --verify --head"
        " --dereference --hash? --abbrev? --quiet --exclude-existing? --exists",
    ),
    Row(
        names="for-each-ref",
        operands=None,
        flags="-s -p --shell --perl --python --tcl --count="
        " --exclude= --stdin --include-root-refs" + _LIST,
    ),
    Row(
        names="show-branch",
        operands=None,
        flags="-a -r --all --remotes --current --topo-order"
        " --sparse --more? --list --merge-base --independent --topics --no-name --sha1-name",
    ),
    Row(names="cherry", operands=None, flags="-v --abbrev? --verbose"),
    Row(names="count-objects", operands=None, flags="-v -H --verbose --human-readable"),
    Row(
        names="symbolic-ref",
        operands=None,
        max_read_operands=1,
        flags="-q --short --quiet",
        form="listing",
    ),
    Row(names="version", operands=None, flags="--build-options"),
    Row(names="worktree list", operands=None, flags="-v -z --porcelain --verbose --expire="),
    Row(names="submodule status", operands=Kind.LOOK, flags="--cached --recursive -q --quiet"),
    Row(names="notes list, notes show, bisect log", operands=None),
    Row(names="var", operands=None, reads=False),
)

GIT: Final = (*_READING, *GIT_CHANGES)
