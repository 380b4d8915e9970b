"""The git commands that change files, the repository, or another machine's repository."""

from typing import Final

from assent.gate.programs.deeds import Kind
from assent.gate.programs.irreversible_uses import IrreversibleUse
from assent.gate.programs.rows import ALWAYS, Row
from assent.gate.programs.tables.services import GIT_LOG_INS

__all__ = ["GIT_CHANGES"]

_NET: Final = (
    "-v -q -u -f -t -a -p -n -j= -k -o= -4 -6 -d -P -i -s= -S? -X= -r? --verbose --quiet --all"
    " --mirror --delete --tags --no-tags --dry-run --porcelain --force --force-with-lease?"
    " --force-if-includes --recurse-submodules? --[no-]thin --receive-pack=!runs --exec=!runs"
    " --upload-pack=!runs --set-upstream --[no-]progress --prune --[no-]verify --follow-tags"
    " --[no-]signed? --atomic --push-option= --ipv4 --ipv6 --depth= --deepen= --unshallow"
    " --shallow-since= --shallow-exclude= --rebase? --no-rebase --ff --ff-only --no-ff --squash"
    " --[no-]commit --[no-]edit --strategy= --strategy-option= --autostash --no-autostash --append"
    " --jobs= --multiple --repo= --refmap= --server-option= --filter= --stdin --prune-tags --keep"
    " --update-shallow"
)

_SWITCH: Final = (
    "-q -f -b= -B= -t -l -m -p -d -c= -C= -s= -S -W -N -2 -3 --quiet --force --detach --track?"
    " --no-track --guess --no-guess --orphan= --ours --theirs --merge --conflict= --patch --source="
    " --staged --worktree --soft --mixed --hard --keep --create= --force-create= --discard-changes"
    " --[no-]overlay --[no-]recurse-submodules? --pathspec-from-file< --pathspec-file-nul"
    " --[no-]progress --ignore-other-worktrees"
)

GIT_CHANGES: Final = (
    Row(
        names="checkout",
        reads=False,
        operands=Kind.WRITE,
        form="checkout",
        flags=_SWITCH,
        irreversible_uses=(IrreversibleUse(form="checkout", sparing_flags="-p --patch"),),
    ),
    Row(
        names="switch, reset",
        reads=False,
        operands=Kind.WRITE,
        form="places",
        flags=_SWITCH,
        irreversible_uses=(
            IrreversibleUse(tools="reset", flags="--hard", form="reset"),
            IrreversibleUse(
                tools="switch",
                flags="-f --force --discard-changes",
                sentence="Throws away all changes that are not committed.",
            ),
        ),
    ),
    Row(
        names="restore",
        reads=False,
        operands=Kind.WRITE,
        recursive_flags=ALWAYS,
        form="restore",
        flags=_SWITCH,
        irreversible_uses=(IrreversibleUse(form="restored", sparing_flags="-p --patch"),),
    ),
    Row(
        names="add, stage",
        reads=False,
        operands=Kind.LOOK,
        form="add",
        flags="-n -v -f -i -p -e -u -A -N --all --update --force --dry-run --verbose --patch"
        " --interactive --edit --intent-to-add --renormalize --chmod= --pathspec-from-file<"
        " --pathspec-file-nul --ignore-errors --no-all --sparse --refresh",
    ),
    Row(
        names="rm",
        reads=False,
        operands=Kind.DELETE,
        recursive_flags="-r",
        destructive_flags="-r",
        dry_run_flags="-n --dry-run --cached",
        flags="-n -q -r -f --dry-run --quiet --force --cached --ignore-unmatch --sparse"
        " --pathspec-from-file< --pathspec-file-nul",
    ),
    Row(
        names="mv",
        changes_only_named=True,
        reads=False,
        shows_operands=True,
        operands=Kind.DELETE,
        target=Kind.WRITE,
        recursive_flags=ALWAYS,
        flags="-v -n -f -k --verbose --dry-run --force --sparse",
        moves=True,
        dry_run_flags="-n --dry-run",
    ),
    Row(
        names="clean",
        reads=False,
        operands=Kind.DELETE,
        recursive_flags=ALWAYS,
        default_folder_flags=ALWAYS,
        flags="-n -q -f -d -x -X -i -e= --dry-run --quiet --force --interactive --exclude=",
        dry_run_flags="-n --dry-run",
        irreversible_uses=(
            IrreversibleUse(
                flags="-x -X",
                sparing_flags="-n --dry-run -i --interactive",
                sentence="Removes for good what git does not have, ignored files such as `.env`"
                " too.",
            ),
            IrreversibleUse(
                sparing_flags="-n --dry-run -i --interactive",
                sentence="Removes for good all files that git does not have.",
            ),
        ),
    ),
    Row(
        names="commit",
        reads=False,
        operands=Kind.LOOK,
        flags="-q -v -F< -m= -c= -C= -t< -s -e -n -a -i -o -p -S? -u? -z --quiet --verbose"
        " --file< --author="
        " --date= --message= --reedit-message= --reuse-message= --fixup= --squash= --reset-author"
        " --trailer= --signoff --template< --[no-]edit --cleanup= --[no-]status --[no-]gpg-sign?"
        " --all"
        " --include --interactive --patch --only --[no-]verify --dry-run --short --branch"
        " --porcelain"
        " --long --null --amend --no-post-rewrite --untracked-files? --allow-empty"
        " --allow-empty-message --pathspec-from-file< --pathspec-file-nul",
    ),
    Row(
        names="push, fetch, pull, ls-remote, submodule update, remote update,"
        " remote show, remote prune",
        reads=False,
        operands=None,
        flags=_NET,
        form="remote",
        irreversible_uses=(
            IrreversibleUse(
                tools="push",
                sparing_flags="-n --dry-run",
                valued_flags="--branches?",
                form="pushed",
            ),
        ),
    ),
    Row(
        names="clone",
        reads=False,
        operands=None,
        form="clone",
        flags="-v -q -n -l -s -j= -o= -b= -u=!runs -c=!may_change -4 -6 --verbose --quiet"
        " --progress --no-checkout --bare --mirror --local --no-hardlinks --shared"
        " --recurse-submodules? --recursive? --jobs= --template<!runs --reference^"
        " --reference-if-able^ --dissociate --origin= --branch= --upload-pack=!runs --depth="
        " --shallow-since= --shallow-exclude= --[no-]single-branch --no-tags --shallow-submodules"
        " --separate-git-dir~ --config=!may_change --server-option= --filter= --sparse"
        " --remote-submodules --bundle-uri=!connects_elsewhere",
    ),
    Row(
        names="init",
        reads=False,
        operands=Kind.WRITE,
        default_folder_flags=ALWAYS,
        form="init",
        flags="-q -b= --quiet --bare --template<!runs --separate-git-dir~ --object-format="
        " --initial-branch= --shared?",
    ),
    Row(
        names="apply, am",
        reads=False,
        operands=Kind.READ,
        form="apply",
        flags="-p= -C= -R -v -q -3 -N -s -k -b -i -c --check --stat --numstat --summary --index"
        " --cached --reverse --directory~ --unsafe-paths!works_elsewhere --3way --reject --verbose"
        " --quiet --whitespace= --exclude= --include= --recount --allow-empty --continue --skip"
        " --abort --quit --resolved --signoff --keep-cr --build-fake-ancestor> --ignore-whitespace"
        " --ignore-space-change --unidiff-zero --binary --no-add --intent-to-add --allow-overlap"
        " --inaccurate-eof",
    ),
    Row(
        names="rebase",
        reads=False,
        operands=None,
        flags="-i -q -v -n -f -p -r? -m -s= -X= -x=!runs --exec=!runs --onto= --continue --skip"
        " --abort --quit --interactive --autosquash --no-autosquash --autostash --keep-empty --root"
        " --strategy= --strategy-option= --rebase-merges? --edit-todo --show-current-patch"
        " --signoff --no-verify --update-refs --fork-point --no-fork-point --quiet --verbose"
        " --merge --apply --empty=",
    ),
    Row(
        names="merge, cherry-pick, revert",
        reads=False,
        operands=None,
        flags="-n -e -m= -F< -x -s= -X= -S? -q -v --no-commit --no-edit --edit --no-ff --ff"
        " --ff-only --squash --abort --continue --quit --skip --strategy=!runs --strategy-option="
        " --message= --file< --mainline= --allow-unrelated-histories --signoff --no-verify --stat"
        " --autostash",
    ),
    Row(
        names="submodule add",
        reads=False,
        operands=None,
        form="submodule",
        flags="-b= -f --name= --reference^ --depth= --force --quiet",
    ),
    Row(names="submodule foreach, bisect run", reads=False, operands=None, form="runs"),
    Row(
        names="difftool, mergetool",
        reads=False,
        operands=Kind.READ,
        flags="-t= -x=!runs --extcmd=!runs -y -d -g --tool= --no-prompt --dir-diff",
    ),
    Row(
        names="worktree add",
        reads=False,
        operands=Kind.WRITE,
        form="first",
        flags="-b= -B= -f -d"
        " --detach --force --checkout --no-checkout --lock --orphan --track --quiet",
    ),
    Row(
        names="worktree remove",
        reads=False,
        operands=Kind.DELETE,
        recursive_flags=ALWAYS,
        flags="-f --force",
        irreversible_uses=(
            IrreversibleUse(
                flags="-f --force",
                sentence="Removes the working tree {rest}, with changes that are not committed.",
            ),
        ),
    ),
    Row(
        names="worktree move",
        reads=False,
        operands=Kind.DELETE,
        target=Kind.WRITE,
        flags="-f",
        moves=True,
    ),
    Row(
        names="archive",
        reads=False,
        form="revs",
        flags="-o> --output> --format= --prefix= -v -l -0 -1 -9 --remote=!connects_elsewhere"
        " --exec=!runs --add-file< --worktree-attributes",
    ),
    Row(
        names="format-patch",
        reads=False,
        operands=None,
        form="patches",
        flags="-o~ --output-directory~"
        " --stdout -n -N -k -s -v= -p -# --numbered --no-numbered --start-number= --cover-letter"
        " --subject-prefix= --signoff --output>",
    ),
    Row(names="bundle create", reads=False, operands=Kind.WRITE, form="first", flags="--all -q"),
    Row(
        names="hash-object",
        reads=False,
        operands=Kind.READ,
        flags="-t= -w --stdin --path^ --no-filters",
    ),
    Row(
        names="remote add, remote set-url, remote rename, remote remove, remote rm, remote"
        " set-head, remote set-branches",
        reads=False,
        operands=None,
        form="stored",
    ),
    Row(
        names="config set, config unset, config edit, config rename-section, config remove-section",
        reads=False,
        operands=None,
        form="stored",
        flags="--global --system --local --worktree -f~ --file~"
        " --type= --append --all --comment= --value= --fixed-value",
    ),
    Row(names="sparse-checkout", reads=False, operands=None, form="sparse"),
    Row(
        names="lfs install, lfs uninstall, lfs update",
        reads=False,
        operands=None,
        form="everywhere",
    ),
    Row(
        names="maintenance start, maintenance register, maintenance stop, maintenance unregister",
        reads=False,
        operands=None,
        form="everywhere",
    ),
    Row(
        names="filter-branch",
        reads=False,
        operands=None,
        form="runs",
        irreversible_uses=(
            IrreversibleUse(sentence="Writes the history of this repository anew."),
        ),
    ),
    Row(
        names="filter-repo",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                sentence="Writes the history of this repository anew, and forgets the old one.",
                sparing_flags="--analyze --dry-run",
            ),
        ),
    ),
    Row(
        names="stash, stash push, stash save",
        reads=False,
        operands=None,
        form="stash",
        flags="-p -S -k -u -a -q -m= --patch --staged --[no-]keep-index --include-untracked --all"
        " --quiet --message= --pathspec-from-file< --pathspec-file-nul",
    ),
    Row(
        names="stash drop, stash clear",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(sentence="Throws away what was put aside in {rest|the stash}."),
        ),
    ),
    Row(
        names="checkout-index, read-tree, stash pop, stash apply, stash branch",
        reads=False,
        operands=None,
        form="apply",
    ),
    Row(
        names="credential, credential-store, credential-cache, credential-osxkeychain,"
        " credential-manager, credential-libsecret, credential-wincred",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=GIT_LOG_INS,
    ),
    Row(
        names="reflog expire, reflog delete",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                sparing_flags="-n --dry-run",
                sentence="Forgets where branches were, and with that commits that no branch has.",
            ),
        ),
    ),
    Row(
        names="gc, prune",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(
            IrreversibleUse(
                form="collected", valued_flags="--prune?", sparing_flags="-n --dry-run"
            ),
        ),
    ),
    Row(
        names="update-ref",
        reads=False,
        operands=None,
        form="untold",
        irreversible_uses=(IrreversibleUse(flags="-d", sentence="Deletes the reference {rest}."),),
    ),
    Row(
        names="update-index",
        reads=False,
        operands=Kind.LOOK,
        flags="--assume-unchanged --refresh"
        " --no-assume-unchanged --skip-worktree --no-skip-worktree -q --chmod= --add --remove",
    ),
)
