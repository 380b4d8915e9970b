"""The settings of a repository that make no reading command of git run something.

A setting is harmless that only changes how things look, or that no command uses which only reads:
such commands reach no other machine, ask for no passwords, merge nothing and start no editor. What
draws objects from elsewhere, looks for a signature or chooses a pager is none of them.
"""

from typing import Final

__all__ = [
    "AS_WRITTEN",
    "FOR_READERS",
    "HARMLESS",
    "HARMLESS_BELOW",
    "HARMLESS_SECTIONS",
    "NEVER",
    "SECTIONS_FOR_READERS",
]

SECTIONS_FOR_READERS: Final = frozenset(
    """alias credential difftool gui gitk imap mergetool sendemail sequence
    branchless codespaces cola fork forge gerrit gh git-town github gitbutler gitflow gitlab
    gitreview glab graphite hub magit sourcetree stgit svn svn-remote tower vscode""".split()
)
"""Sections that no command heeds which only reads, while others run some of their values.

The last of them are those of other tools, which git itself does not know.
"""

HARMLESS_SECTIONS: Final = SECTIONS_FOR_READERS | frozenset(
    """advice am apply author blame branch checkout clean clone color column commit commitgraph
    committer fetch gc grep http i18n index init log maintenance notes pack pull push rebase receive
    repack rerere safe sparse ssh stash status tag transfer url user versionsort worktree""".split()
)

FOR_READERS: Final = frozenset(
    """core.editor core.askpass core.sshcommand diff.guitool diff.tool gc.recentobjectshook
    init.templatedir merge.guitool merge.tool""".split()
)
"""Settings of which the same is true, though nothing else in their sections is run."""

NEVER: Final = frozenset(
    """alias.whatchanged alias.whatchanged.command log.showsignature
    status.submodulesummary""".split()
)
"""Settings of these sections that do run something: a command that git gave up may be an alias."""

HARMLESS: Final = FOR_READERS | frozenset(
    """core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase
    core.precomposeunicode core.symlinks core.autocrlf core.eol core.safecrlf core.quotepath
    core.abbrev core.compression core.loosecompression core.bigfilethreshold core.packedgitlimit
    core.packedgitwindowsize core.deltabasecachelimit core.preloadindex core.untrackedcache
    core.checkstat core.trustctime core.sharedrepository core.sparsecheckout
    core.sparsecheckoutcone core.longpaths core.fscache core.protecthfs core.protectntfs
    core.whitespace core.commentchar core.commentstring core.multipackindex core.commitgraph
    core.fsync core.fsyncmethod core.fsyncobjectfiles core.createobject core.hidedotfiles
    core.warnambiguousrefs core.notesref core.splitindex core.checkroundtripencoding
    core.disambiguate core.usereplacerefs core.restrictinheritedhandles core.excludesfile
    diff.algorithm diff.autorefreshindex diff.colormoved diff.colormovedws diff.context
    diff.dirstat diff.ignoresubmodules diff.indentheuristic diff.interhunkcontext
    diff.mnemonicprefix diff.nopatch diff.noprefix diff.relative diff.renamelimit diff.renames
    diff.statgraphwidth diff.statnamewidth diff.suppressblankempty diff.wordregex
    diff.wserrorhighlight
    extensions.compatobjectformat extensions.noop extensions.objectformat
    extensions.preciousobjects extensions.relativeworktrees extensions.worktreeconfig
    feature.experimental feature.manyfiles
    gpg.format gpg.mintrustlevel gpg.ssh.allowedsignersfile
    lfs.activitytimeout lfs.allowincompletepush lfs.basictransfersonly lfs.concurrenttransfers
    lfs.dialtimeout lfs.fetchexclude lfs.fetchinclude lfs.locksverify lfs.pushurl
    lfs.repositoryformatversion lfs.skipdownloaderrors lfs.url
    merge.autostash merge.branchdesc merge.conflictstyle merge.defaulttoupstream
    merge.directoryrenames merge.ff merge.log merge.renamelimit merge.renames
    merge.renormalize merge.stat merge.suppressdest merge.verbosity
    remote.pushdefault
    submodule.active submodule.alternateerrorstrategy submodule.alternatelocation
    submodule.fetchjobs submodule.propagatebranches submodule.recurse""".split()
)

HARMLESS_BELOW: Final = frozenset(
    """diff.*.algorithm diff.*.binary diff.*.cachetextconv diff.*.funcname diff.*.wordregex
    diff.*.xfuncname filter.*.required gpg.*.allowedsignersfile lfs.*.access lfs.*.contenttype
    lfs.*.locksverify merge.*.name merge.*.recursive
    remote.*.fetch remote.*.followremotehead remote.*.gh-resolved remote.*.glab-resolved
    remote.*.lfsurl remote.*.mirror remote.*.prune remote.*.prunetags remote.*.push
    remote.*.pushurl remote.*.skipdefaultupdate remote.*.skipfetchall remote.*.tagopt remote.*.url
    submodule.*.active submodule.*.branch submodule.*.fetchrecursesubmodules submodule.*.ignore
    submodule.*.shallow submodule.*.url""".split()
)
"""The same for settings with a name in the middle."""

AS_WRITTEN: Final[dict[str, frozenset[str]]] = {
    "core.fsmonitor": frozenset({"true", "false", ""}),
    "diff.submodule": frozenset({"log", "short"}),
    "extensions.refstorage": frozenset({"files", "reftable"}),
    "merge.*.driver": frozenset({"true"}),
    "filter.lfs.clean": frozenset({"git-lfs clean -- %f", "git-lfs clean %f"}),
    "filter.lfs.smudge": frozenset(
        {
            "git-lfs smudge -- %f",
            "git-lfs smudge %f",
            "git-lfs smudge --skip -- %f",
            "git-lfs smudge --skip %f",
        }
    ),
    "filter.lfs.process": frozenset({"git-lfs filter-process", "git-lfs filter-process --skip"}),
    "filter.git-crypt.clean": frozenset({"git-crypt clean", '"git-crypt" clean'}),
    "filter.git-crypt.smudge": frozenset({"git-crypt smudge", '"git-crypt" smudge'}),
    "diff.git-crypt.textconv": frozenset({"git-crypt diff", '"git-crypt" diff'}),
}
"""Settings that are harmless with these values: git's own doing, or a known program's."""
