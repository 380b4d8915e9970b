"""The faults that are planted: those that somebody thought of, and those found in the source.

A fault that no test can notice is told as equivalent, with the reason.
"""

from pathlib import Path
from typing import Final

from mutants import agents, judging, shapes
from mutants.mutant import Mutant, of
from mutants.sites import Site, sites

__all__ = ["AREAS", "EQUIVALENT", "TABLE", "planted"]

_DIGEST: Final = ("gate/admit/test_digest.py",)
_GATE: Final = ("gate/admit", "gate/hooks/test_before.py")
_JOURNAL: Final = ("gate/journal",)
_KEEPER: Final = ("gate/processes/test_families.py",)
_LOOSER: Final = tuple(
    f"gate/settings/test_{it}.py" for it in ("own", "reading", "rules", "never_widens")
)
_OPTIONS: Final = ("gate/programs/test_options.py",)
_SHAPE: Final = ("gate/programs/test_prefix_scope.py",)
_WIDENING: Final = "editor/wire/test_bypass.py::test_"

_RULINGS: Final = (
    "gate/ruling/test_rulings.py",
    "gate/ruling/test_decide.py",
    "gate/ruling/test_modes.py",
    "gate/ruling/test_raising.py",
    "gate/ruling/test_protected.py",
    "gate/ruling/test_plan.py",
    "gate/ruling/test_tops.py",
    "gate/ruling/test_hook_verdicts.py",
    "gate/ruling/test_reasons.py",
    "gate/rules/test_suggest.py",
    "gate/ruling/test_cases.py",
)
_KEPT: Final = (
    "gate/journal/test_journal.py",
    "gate/journal/test_seal.py",
    "gate/journal/test_planted.py",
    "gate/journal/test_letting_go.py",
    "gate/journal/test_ledger.py",
)

AREAS: Final[dict[str, tuple[str, ...]]] = {
    "gate/admit.py": _GATE,
    "gate/approvals/desk.py": ("gate/approvals",),
    "gate/disk/freshness.py": ("gate/admit/test_freshness.py", "gate/programs/test_code.py"),
    "gate/settings/attestation.py": ("gate/settings/test_attestation.py",),
    "gate/settings/sealed_answers.py": ("gate/settings/test_attestation.py",),
    "gate/settings/reading.py": _LOOSER,
    "gate/settings/claims.py": _LOOSER,
    "gate/ruling/decide.py": _RULINGS,
    "gate/ruling/ruling_context.py": _RULINGS,
    "gate/call/modes.py": _RULINGS,
    "gate/call/verdicts.py": _RULINGS,
    "gate/journal/journal.py": _KEPT,
    "gate/journal/file.py": _KEPT,
    "gate/journal/ledger.py": ("gate/journal/test_ledger.py", "gate/admit/test_admit.py"),
    "gate/journal/chain.py": _KEPT,
}
"""Where each condition is turned round and each step left out; and the tests, nearest first."""


TABLE: Final[tuple[Mutant, ...]] = (
    *agents.TABLE,
    *judging.TABLE,
    *shapes.TABLE,
    *of(
        "gate/ruling/secret_flows.py",
        ("gate/ruling/test_walks.py",),
        (
            "walks-read-keys",
            "What a walk finds is read though keys of the gate lie among it.",
            "if not any(map(_reads_anything, all_)):",
            "if all_:",
        ),
    ),
    *of(
        "gate/ruling/killing.py",
        ("gate/ruling/test_killing.py",),
        (
            "found-is-ended",
            "A hook is ended by a number that was looked up by its name.",
            "return found and _are_found(context, commands, own)",
            "return False",
        ),
        (
            "line-is-not-looked-at",
            "A hook is ended by the words that started it.",
            'it.line if sorted_.has("-f --full") else it.name',
            "it.name",
        ),
    ),
    *of(
        "gate/call/calls.py",
        _DIGEST,
        ("digest-code", "What a named script says is not bound.", '"code": code, ', ""),
        ("digest-chat", "A call of another chat has the same digest.", '"chat": self.chat, ', ""),
        ("digest-call", "Another call has the same digest.", '"call": self.id, ', ""),
        ("digest-agent", "Another agent's call has it.", '            "agent": self.agent,\n', ""),
        (
            "digest-targets",
            "A call whose paths lead elsewhere has the same digest.",
            '            "targets": [target.resolved for target in self.targets],\n',
            "",
        ),
        (
            "digest-spelled",
            "A path counts as it is spelled, not as it resolves.",
            "target.resolved for target in self.targets",
            "target.spelled for target in self.targets",
        ),
        (
            "digest-old",
            "What an edit found is not bound.",
            "astuple(edit)[: None if edit.stretch else 5]",
            "(edit.path, *astuple(edit)[2 : None if edit.stretch else 5])",
        ),
        ("digest-cwd", "The folder it runs in is not bound.", '            "cwd": self.cwd,\n', ""),
        (
            "digest-action",
            "What is done to files is not bound.",
            '            "action": self.action,\n',
            "",
        ),
    ),
    *of(
        "gate/programs/flag_lexicon.py",
        _SHAPE,
        *(
            (
                f"lexicon-{meaning.lower()}",
                f"No name of a flag says that it {broken}.",
                f"    Meaning.{meaning}: _names(\n",
                f'    Meaning.{meaning}: (lambda *_, **__: _names(""))(\n',
            )
            for meaning, broken in (
                ("RUNS", "runs something"),
                ("STEERS", "sends a command elsewhere"),
                ("WRITES", "changes files"),
                ("WIDENS", "widens what a command may"),
            )
        ),
    ),
    *of(
        "gate/programs/prefix_scope.py",
        _SHAPE,
        (
            "shape-first-choice",
            "Only the first of the texts that a word may be is looked at.",
            "for at in range(most):",
            "for at in range(most and 1):",
        ),
        (
            "shape-any-value",
            "A flag that the rule gives a value may come again with another.",
            "if of == name and word.text != value.text",
            "if of == name and word.text != value.text and False",
        ),
        (
            "shape-operands",
            "A rule that ends in an address grants further ones.",
            "    if not both.max_operands:\n",
            "    if True:\n",
        ),
    ),
    *of(
        "gate/programs/nested_execution/passed_on.py",
        _SHAPE,
        (
            "shape-settings",
            "A setting that says what is run is an operand like any other.",
            "if code or runs or (",
            "if code and runs or (",
        ),
    ),
    *of(
        "gate/ruling/required_permissions.py",
        _SHAPE,
        (
            "shape-one-rule",
            "Of several rules that allow, only the first counts.",
            "    if not rule_matches.others:\n",
            "    if True:\n",
        ),
    ),
    *of(
        "gate/ruling/folders.py",
        ("gate/ruling/test_tops.py",),
        (
            "top-whatever-stands-before",
            "What stands before it does not count where git is to find the repository.",
            "    if tops and not (sure and _is_untouched(max(tops), before)):\n",
            "    if False:\n",
        ),
    ),
    *of(
        "gate/shell/read.py",
        ("gate/ruling/test_tops.py",),
        (
            "top-again-and-again",
            "What runs again is taken to ask the same repository.",
            "if isinstance(answered, InTop) and not runs_once(here):",
            "if False:",
        ),
    ),
    *of(
        "gate/shell/state.py",
        ("gate/ruling/test_tops.py", "gate/shell"),
        (
            "folder-kept",
            "A variable with the path of the folder is kept where that is left.",
            "if not isinstance(word, InFolder | InTop)",
            "if True",
        ),
    ),
    *of(
        "gate/ruling/destinations.py",
        ("gate/ruling/test_tops.py",),
        (
            "top-in-two-words",
            "The blanks in the path of a repository are overlooked.",
            "if top is None or (word.splits and not ONE_WORD.fullmatch(top)):",
            "if top is None:",
        ),
    ),
    *of(
        "gate/ruling/asked_in_every_mode.py",
        ("gate/ruling/test_emptying.py",),
        (
            "each-file",
            "Removing each file that a listing holds is no removal of everything.",
            "if (ruins or each or over) and _is_whole(context, place, target):",
            "if (ruins or over) and _is_whole(context, place, target):",
        ),
        (
            "each-emptied",
            "Emptying each file of a folder is no change of everything.",
            "if (ruins or each or over) and _is_whole(context, place, target):",
            "if (ruins or each) and _is_whole(context, place, target):",
        ),
    ),
    *of(
        "gate/programs/reports.py",
        ("gate/programs/test_prefix_scope.py",),
        (
            "any-report",
            "Whatever a flag names where a report is written is one.",
            "return all(map(_is_told, _PARTS.split(value)))",
            "return True",
        ),
    ),
    *of(
        "gate/ruling/downloaded_code.py",
        ("gate/ruling/test_downloaded_code.py",),
        (
            "fetched-words",
            "What is written out of words with what is fetched in them is not fetched.",
            "return _handed_on(kept | {*_poured(bringing, judged, text)}, judged)",
            "return _handed_on(kept, judged)",
        ),
    ),
    *of(
        "gate/programs/code_inputs.py",
        ("gate/programs/test_meaning.py", "gate/programs"),
        (
            "typed",
            "What is typed into an editor or a debugger is no code.",
            "        return _ONCE.isdisjoint(rest)\n",
            "        return False\n",
        ),
        (
            "unknown-reads-nothing",
            "A program of which nothing is known runs nothing of what it reads.",
            "    return not _is_known(words[0])\n",
            "    return False\n",
        ),
    ),
    *of(
        "gate/ruling/programs.py",
        ("gate/ruling", "gate/programs"),
        (
            "whichever-program",
            "A program of the workspace is taken for the system's.",
            "    if program.why is not None:\n",
            "    if False:\n",
        ),
    ),
    *of(
        "gate/rules/environment.py",
        ("gate/rules", "gate/ruling/test_variables.py"),
        (
            "any-variable",
            "A rule allows whatever variables a command is given.",
            "    return (name for name, value in given.items() if not is_plain(name, value))\n",
            "    return (name for name, value in given.items() if False)\n",
        ),
    ),
    *of(
        "gate/ruling/outside_paths.py",
        ("gate/ruling/test_emptying.py",),
        (
            "behind-a-colon",
            "A path behind a colon in the value of a flag is overlooked.",
            "_OF_FLAG if flagged else _PARTS",
            "_PARTS",
        ),
    ),
    *of(
        "gate/rules/path_index.py",
        ("gate/rules",),
        (
            "named-path",
            "A path is denied by where it leads only, and not by how it is called.",
            "        if named and named != resolved:\n",
            "        if False:\n",
        ),
    ),
    *of(
        "gate/ruling/inner_commands.py",
        ("gate/ruling",),
        (
            "any-rule-vouches",
            "A rule for a program vouches for whatever that runs.",
            "    far = _vouching(outer, inner) if outer is not None else None\n",
            "    far = InnerScope.ALL if outer is not None else None\n",
        ),
    ),
    *of(
        "gate/disk/freshness.py",
        ("gate/admit/test_freshness.py",),
        (
            "unreadable-is-fresh",
            "A file that can no longer be read counts as unchanged.",
            'return f"It can no longer be told what this would change: {error}"',
            "return None",
        ),
        (
            "only-edits-are-fresh",
            "A path that leads elsewhere by now goes unnoticed.",
            "_moved(call, places) or _edited(call, buffers)",
            "_edited(call, buffers)",
        ),
        (
            "only-paths-are-fresh",
            "A file with other content goes unnoticed.",
            "_moved(call, places) or _edited(call, buffers)",
            "_moved(call, places)",
        ),
    ),
    *of(
        "gate/programs/nested_execution/wrappers.py",
        _OPTIONS,
        (
            "unknown-option-sure",
            "An option that nobody knows leaves no doubt what runs.",
            "found.sure = found.sure and not given.strange",
            "found.sure = found.sure",
        ),
        (
            "short-for-several",
            "An option of a wrapper that may be short for several is taken for one.",
            "name not in row.known and sum(long.startswith(name) for long in row.longs) > 1",
            "False",
        ),
    ),
    *of(
        "gate/programs/selecting_options.py",
        _OPTIONS,
        (
            "steering-chooses",
            "An option that steers elsewhere is left out before a command.",
            "sorted_.strange or sorted_.strangers or sorted_.escapes",
            "sorted_.strange or sorted_.strangers",
        ),
    ),
    *of(
        "gate/programs/find_tests.py",
        _OPTIONS,
        (
            "find-begins-here",
            "Behind its own options `find` looks in other folders than it is taken to.",
            'word.text in _BEFORE or word.text[:2] in ("-D", "-O")',
            "word.text in _BEFORE",
        ),
    ),
    *of(
        "gate/admit.py",
        _GATE,
        (
            "ruled-again-rebound",
            "A card that is judged anew is bound to what the call says by now.",
            "self._ticket(call, ticket.digest, ruling)\n        revised = evolve(ticket, ",
            (
                "self._ticket(call, call.digest, ruling)\n"
                "        revised = evolve(ticket, digest=again.digest, "
            ),
        ),
        (
            "row-after-run",
            "A decision is handed to the journal and not waited for.",
            "row = await self.journal.keep(decided(call, settlement, ticket), picture)",
            "row = self.journal.note(decided(call, settlement, ticket))",
        ),
        (
            "unkept-runs",
            "A call runs whose row could not be written.",
            "return (unkept(error) if unkept else settlement), None",
            "return settlement, None",
        ),
        (
            "question-unkept-asks",
            "A question is shown whose row could not be written.",
            "ask(ticket, lambda: self._before(way, ticket.id, ruling))",
            "ask(ticket, None)",
        ),
        (
            "grant-for-once",
            "What was allowed once is allowed for the chat.",
            "chosen is OptionKind.ALLOW_CHAT",
            "chosen is not None",
        ),
        (
            "grants-of-all-chats",
            "What was granted in one chat holds in another.",
            "*self.grants.of(call.chat)",
            "*(it for chat in self.grants.chats() for it in self.grants.of(chat))",
        ),
        (
            "killed-succeeds",
            "A call that was cancelled is told as failed.",
            "ended = Ended(state=State.KILLED)",
            "ended = Ended(state=State.FAILED)",
        ),
    ),
    *of(
        "gate/journal/journal.py",
        _JOURNAL,
        (
            "begin-deferred",
            "Two servers read the same last row and both write behind it.",
            '"begin immediate"',
            '"begin"',
        ),
        (
            "rows-vanish-unseen",
            "Rows vanish while the journal is in use, and calls run on.",
            "self._file.refuse_losses(database, newest)",
            "pass",
        ),
    ),
    *of(
        "gate/journal/file.py",
        _JOURNAL,
        (
            "row-unsynced",
            "A row may be lost by a power cut.",
            "synchronous = full",
            "synchronous = off",
        ),
        (
            "journal-readable",
            "Others may read the journal.",
            "self._path.chmod(0o600)",
            "pass",
        ),
    ),
    *of(
        "gate/journal/chain.py",
        ("gate/journal/test_journal.py",),
        (
            "chain-unlinked",
            "A row is not bound to the one before.",
            '"previous": previous}',
            '"previous": START}',
        ),
        ("chain-hash-unread", "A changed row does not show.", "_hash_of(row))", 'row["hash"])'),
    ),
    *of(
        "gate/processes/keeper.py",
        _KEEPER,
        (
            "keeper-dumpable",
            "What it keeps can look into the keeper.",
            "prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)",
            "prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)",
        ),
        (
            "keeper-no-reaper",
            "Orphans leave the keeper.",
            "prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)",
            "prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)",
        ),
        (
            "keeper-asks-alone",
            "Who does not end when asked goes on.",
            "self._family.signal(signal.SIGKILL)\n        self._kill_at",
            "self._kill_at",
        ),
    ),
    *of(
        "editor/window/consent/widening_consent.py",
        (
            f"{_WIDENING}a_bypass_is_attested_and_in_the_journal_before_it_stands_in_the_settings",
            f"{_WIDENING}a_bypass_that_the_settings_do_not_take_leaves_nothing_attested",
            f"{_WIDENING}a_person_who_draws_back_from_a_looser_mode_keeps_the_one_there_was",
        ),
        (
            "mode-undialogued",
            "A mode is raised although the person drew back.",
            'f"Use {name}",\n        )\n        return None if agreed else _DREW_BACK',
            'f"Use {name}",\n        )\n        return None',
        ),
        (
            "bypass-written-first",
            "A bypass stands in the settings before it is attested.",
            (
                "            await self._workspace.attest(wish, Outcome.ALLOWED)\n"
                "            await self._write_or_revoke(wish, {**self._written(), agent: True})\n"
            ),
            (
                "            await self._write_or_revoke(wish, {**self._written(), agent: True})\n"
                "            await self._workspace.attest(wish, Outcome.ALLOWED)\n"
            ),
        ),
        (
            "bypass-unjournaled",
            "A bypass is granted without a row.",
            'await self._journal.keep(wish_row(wish, Outcome.ALLOWED, "You stopped asking"))',
            "pass",
        ),
        (
            "bypass-lies-in-wait",
            "A bypass that could not be written is in force once somebody else writes it.",
            "            self._workspace.revoke(wish)\n",
            "",
        ),
    ),
    *of(
        "editor/window/server.py",
        (f"{_WIDENING}what_waits_when_the_window_closes_is_refused_for_that",),
        (
            "nothing-refused",
            "What waits when the editor goes is not refused.",
            "await self.run.room.end_all(gone)",
            "del gone",
        ),
    ),
    *of(
        "gate/approvals/waiting_room.py",
        ("gate/approvals",),
        (
            "ends-unawaited",
            "Nobody waits until the ends of all questions are kept.",
            "await asyncio.wait(ends)",
            "pass",
        ),
        (
            "deadline-outlives",
            "The deadline of a question ends the one that is put in its place.",
            """            if seat.alarm is not None:
                seat.alarm.cancel()
            # A waiter""",
            "            # A waiter",
        ),
    ),
    *of(
        "gate/settings/own.py",
        _LOOSER,
        (
            "models-of-anybody",
            "A workspace names where a key is sent.",
            '_models(said(keys, "models").get(Layer.USER), complaints)',
            '_models(next(iter(said(keys, "models").values()), None), complaints)',
        ),
        (
            "search-of-anybody",
            "A workspace names where is searched.",
            '_search_url(said(keys, "searchUrl").get(Layer.USER), complaints)',
            '_search_url(next(iter(said(keys, "searchUrl").values()), None), complaints)',
        ),
        (
            "turns-of-anybody",
            "A workspace makes turns longer.",
            "if layer is Layer.USER else default",
            "if layer else default",
        ),
    ),
    *of(
        "gate/settings/hooks.py",
        _LOOSER,
        (
            "hooks-of-anybody",
            "A workspace's hooks run.",
            "if layer is Layer.USER or (\n            wanted and",
            "if layer or (\n            wanted and",
        ),
    ),
    *of(
        "gate/settings/folders.py",
        _LOOSER,
        (
            "folders-of-anybody",
            "A workspace adds folders.",
            "if layer is Layer.USER or (wanted and",
            "if layer or (wanted and",
        ),
    ),
    *of(
        "gate/settings/claims.py",
        _LOOSER,
        (
            "untrusted-grants",
            "A grant counts in a workspace without trust.",
            "return self._trusted and standing is Standing.GRANTED",
            "return standing is Standing.GRANTED",
        ),
        (
            "declined-holds",
            "A wish holds that was declined.",
            "standing is Standing.GRANTED",
            "standing is not None",
        ),
    ),
    *of(
        "gate/settings/sealed_answers.py",
        ("gate/settings/test_attestation.py",),
        (
            "seal-of-no-records",
            "The seal does not cover what was answered.",
            "canonical(contents.model_dump())",
            'canonical(contents.model_dump(exclude={"records"}))',
        ),
    ),
    *of(
        "agent/loop/model_call.py",
        ("agent/loop/test_calls.py",),
        (
            "planted-unordered",
            "A tool that may change a file is not waited for.",
            "may_change = Effect.WRITE in {made.tool.effect, call.effect}",
            "may_change = made.tool.name in {'edit_file', 'write_file'}",
        ),
    ),
)
"""What somebody thought of."""

EQUIVALENT: Final[dict[str, str]] = {}
"""Of the faults that were found in the source, those that change nothing that anybody sees."""


def planted(root: Path) -> list[Mutant | Site]:
    """All of them, as the source stands."""
    return [*TABLE, *(site for file in AREAS for site in sites(root, file))]
