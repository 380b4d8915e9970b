"""Faults in what is judged of a command by what may run before it, and in what a rule means."""

from typing import Final

from mutants.mutant import Mutant, of

__all__ = ["TABLE"]

_TURNING: Final = ("gate/ruling/test_turning.py",)
_TRAPPED: Final = ("gate/ruling/test_trapped.py",)
_FETCHED: Final = ("gate/ruling/test_downloaded_code.py",)
_QUOTED: Final = ("gate/ruling/test_quoted_commands.py",)
_APPLIED: Final = ("gate/ruling/test_patched_places.py",)

TABLE: Final[tuple[Mutant, ...]] = (
    *of(
        "gate/ruling/patched_places.py",
        _APPLIED,
        (
            "patch-on-the-disk",
            "A patch that lies on the disk is not looked into.",
            "texts = [*filter(None, (*own, *read))]",
            "texts = [*filter(None, read)]",
        ),
        (
            "patch-that-is-handed-on",
            "A patch that another command reads and hands on is not looked into.",
            "texts = [*filter(None, (*own, *read))]",
            "texts = [*filter(None, own)]",
        ),
        (
            "patch-in-the-text",
            "A patch that the text of the call writes is not looked into.",
            "names = dict.fromkeys(named_anywhere(context.text))",
            "names = dict.fromkeys(named_anywhere(''))",
        ),
        (
            "patch-in-a-list",
            "Of the patches that a list names none is looked into.",
            "yield from (files or ())[:_MAX_FILES_READ]",
            "yield from ()",
        ),
        (
            "patch-that-cannot-be-read",
            "A patch that cannot be read is taken for a harmless one.",
            "unread = None in (*own, *read) or any(map(_ENCODED.search, texts))",
            "unread = any(map(_ENCODED.search, texts))",
        ),
        (
            "patch-in-other-letters",
            "A mail in other letters is taken for what stands there.",
            " or any(map(_ENCODED.search, texts))",
            "",
        ),
        (
            "patch-in-pieces",
            "Pieces of a patch that are handed on together are read each by itself.",
            '(*texts, "".join(texts)) if texts[1:] else texts',
            "texts",
        ),
        (
            "patch-with-many-names",
            "A patch with more names than are looked at is taken for a harmless one.",
            " or len(names) > _MAX_NAMES",
            "",
        ),
        (
            "patch-that-is-made",
            "A patch that another command makes is taken for what lies there.",
            "made = any(not _hands_on(maker, files) for maker in makers)",
            "made = False",
        ),
        (
            "patch-in-a-folder",
            "The folder in which a patch is applied stands before none of its names.",
            "for folder, at in product(folders,",
            'for folder, at in product([""],',
        ),
    ),
    *of(
        "gate/ruling/denied_words.py",
        ("gate/ruling/test_read_code.py",),
        (
            "code-that-lists-by-a-pattern",
            "Of the files that code finds by a pattern none is held against the rules.",
            "found = [context.facts.names(pattern, folder)]",
            "found: list[tuple[str, ...] | None] = []",
        ),
        (
            "code-that-looks-below",
            "Code that looks through folders finds nothing below.",
            "        if _DEEP.search(text):\n            last",
            "        if False:\n            last",
        ),
    ),
    *of(
        "gate/ruling/downloaded_code.py",
        _FETCHED,
        (
            "code-that-runs-its-input",
            "A program whose own code runs what it is fed is taken for one that only reads it.",
            "ways = (how, _runs_lines, _is_told)",
            "ways = (how, _is_told)",
        ),
        (
            "shell-at-the-other-end",
            "A shell may be given to whoever is at the other end.",
            " or _hands_a_shell(command)",
            "",
        ),
        (
            "file-that-is-only-named",
            "What another program fetches may be run where its name alone tells that.",
            " or _is_only_named(context, command, judged)",
            "",
        ),
        (
            "source-that-is-fetched",
            "A source that was fetched may be built and run.",
            "{*programs_in(command), *_taken_up(command)}",
            "{*programs_in(command)}",
        ),
    ),
    *of(
        "gate/ruling/quoted_commands.py",
        ("gate/ruling/test_read_code.py",),
        (
            "code-that-removes-all",
            "Code that goes through a folder and removes what it finds removes nothing.",
            "if walks is not None and _REMOVING",
            "if walks is None and _REMOVING",
        ),
        (
            "code-that-reads-all",
            "Code that goes through a folder and reads what it finds reads nothing.",
            "return copied or (_walks(code) is not None and _TAKES",
            "return copied and (_walks(code) is not None and _TAKES",
        ),
    ),
    *of(
        "gate/ruling/docker_context.py",
        ("gate/ruling/test_docker_context.py",),
        (
            "build-list-that-was-changed",
            "A list of what a build leaves out counts although it was just changed.",
            " or any(finding.changed for finding in case.before)",
            "",
        ),
        (
            "build-list-that-takes-in",
            "A list of what a build leaves out counts although it takes some in again.",
            'if any(line.startswith("!") for line in lines):',
            "if False:",
        ),
        (
            "build-by-any-reader",
            "Whatever reads how to build is believed to be given no more than the list lets it.",
            'return plain and all(_USUAL.match(it) for it in _READERS.findall(text or ""))',
            "return plain",
        ),
    ),
    *of(
        "gate/ruling/effects_between_commands.py",
        _TURNING,
        (
            "function-in-its-place",
            "What a function runs is judged as if it ran where it stands.",
            " or command.aside == ALL_THAT_FOLLOWS",
            "",
        ),
        (
            "substitution-afterwards",
            "What a substitution runs counts as if it ran after its command.",
            "return later.depth > command.depth and later.start < command.end",
            "return False",
        ),
    ),
    *of(
        "gate/ruling/shell.py",
        _TURNING,
        (
            "links-of-those-before",
            "A link that is made behind a command leads nowhere in the next turn of a loop.",
            "judges[at](met[at], led=(*chain(*(led[other] for other in others[at])),))",
            "judges[at](met[at], led=(*chain(*led[:at]),))",
        ),
    ),
    *of(
        "gate/shell/compounds.py",
        _TURNING,
        (
            "loop-once",
            "A loop is judged as if it went round once.",
            "with record.beside():\n        return",
            "if record:\n        return",
        ),
    ),
    *of(
        "gate/shell/record.py",
        _TRAPPED,
        (
            "trap-that-changes",
            "A trap may change what the rest finds.",
            "if told and plain and settled and",
            "if told and plain and",
        ),
        (
            "trap-in-this-folder",
            "A trap runs in the folder where it was set.",
            "None if here.notes.moves else state.folders",
            "state.folders",
        ),
    ),
    *of(
        "gate/shell/notes.py",
        _TRAPPED,
        (
            "trap-of-now",
            "A trap finds its variables as they were when it was set.",
            "frozenset(odd | self.held & (again | self.unset))",
            "frozenset(odd)",
        ),
    ),
    *of(
        "gate/ruling/downloaded_code.py",
        _FETCHED,
        (
            "fetched-in-words",
            "Code that is fetched into the words of a program is not asked about.",
            "if within and says_unknown(command):\n        return True",
            "if within and says_unknown(command):\n        return False",
        ),
        (
            "fetched-by-a-pipe",
            "Code that comes through a pipe is not asked about.",
            "return (_is_piped(source, command) or within) and",
            "return within and",
        ),
    ),
    *of(
        "gate/ruling/quoted_commands.py",
        _QUOTED,
        (
            "removals-not-read",
            "What a program reads is not looked through for removals.",
            "(*texts, command.told_by(context.text))",
            "texts",
        ),
        (
            "removals-of-tails",
            "A program that is named among the words of another is not looked at.",
            "yield from filter(_ruins, _tails(command))",
            "yield from ()",
        ),
    ),
    *of(
        "gate/ruling/required_permissions.py",
        ("gate/programs/test_prefix_scope.py",),
        (
            "loss-is-meant",
            "A rule for the first words covers what is lost for good.",
            "return why or loss_beyond(rule.words, command.argv)",
            "return why",
        ),
    ),
    *of(
        "gate/ruling/unparsed_parts.py",
        _FETCHED,
        (
            "sourced-stream",
            "What another program pours in may be sourced in Auto.",
            "target is not None and not _is_poured(target) and (target.inside or not brought)",
            "target is not None and (target.inside or not brought)",
        ),
    ),
    *of(
        "gate/ruling/unparsed_parts.py",
        ("gate/ruling/test_variables.py",),
        (
            "programs-from-anywhere",
            "A folder that an agent fills comes before those of the machine in Auto.",
            "return folder.inside and not refuses",
            "return folder.inside",
        ),
        (
            "put-anywhere",
            "A variable has things put where a change is asked about.",
            "not (kept and change_of(target))",
            "True",
        ),
    ),
    *of(
        "gate/ruling/required_permissions.py",
        ("gate/ruling/test_without_another.py",),
        (
            "asks-wherever-it-is-led",
            "A request that a rule lets be made goes on to whatever host its answer names.",
            "plain and not any(map(_ELSEWHERE.match, texts))",
            "plain",
        ),
    ),
    *of(
        "gate/ruling/programs.py",
        ("gate/ruling/test_plain_writers.py",),
        (
            "writes-by-any-program",
            "A program of the workspace writes files as the one whose name it has.",
            " or only_fills(context, command, case.deeds)",
            "",
        ),
    ),
    *of(
        "gate/ruling/plain_writers.py",
        ("gate/ruling/test_plain_writers.py",),
        (
            "overwrites-what-git-lacks",
            "Accept edits lets a command overwrite what git does not have.",
            "return plain and case.context.facts.can_be_restored(place.lies)",
            "return plain",
        ),
        (
            "moves-and-overwrites",
            "Accept edits lets a file be moved and another be put over it.",
            'return case.command.program == "mv" and _is_kept_elsewhere(case)',
            'return case.command.program == "mv"',
        ),
        (
            "formats-with-other-flags",
            "A formatter that is told to put other code in place passes.",
            "and flags <= _FORMAT_FLAGS",
            "",
        ),
    ),
    *of(
        "gate/ruling/plain_writers.py",
        ("gate/ruling/test_without_another.py",),
        (
            "fills-whole-folders",
            "A rule about files lets a command fill folders and take files away.",
            "all(moves or (touch.kind is Kind.WRITE and not touch.tree) for touch in written)",
            "True",
        ),
    ),
    *of(
        "gate/rules/path_texts.py",
        ("gate/rules/test_suggest.py",),
        (
            "offers-the-home",
            "A rule is offered for a folder that holds all that a person works on.",
            'folder.count("/") < _LEAST_NAMES or ',
            "",
        ),
    ),
    *of(
        "gate/programs/study.py",
        ("gate/ruling/test_without_another.py",),
        (
            "named-in-the-workspace",
            "A program of the workspace is believed to be what it is called.",
            "if deeds.named and (not trusted or name not in row.names.split()):",
            "if deeds.named and not words:",
        ),
    ),
    *of(
        "gate/ruling/killing.py",
        ("gate/ruling/test_killing.py",),
        (
            "machine-ends",
            "What ends the machine is no question.",
            "return not told and ending.fullmatch",
            "return told and ending.fullmatch",
        ),
        (
            "parent-by-its-name",
            "The number of a parent is no question where it is no word of its own.",
            "if _PARENT in _text_of(context, command):",
            "if _PARENT in ():",
        ),
    ),
    *of(
        "gate/ruling/denied_words.py",
        ("gate/ruling/test_variables.py",),
        (
            "handed-by-a-variable",
            "A path that is denied is handed to a program by a variable.",
            "[*told, *_given_in(command, given)]",
            "[*told]",
        ),
    ),
    *of(
        "gate/ruling/written_code.py",
        ("gate/ruling/test_written_scripts.py",),
        (
            "written-and-run",
            "What a call writes into a script that it runs is not looked at.",
            "told = [code[it] for it in sorted(code)]",
            "told = list[str]()",
        ),
    ),
    *of(
        "gate/ruling/written_code.py",
        ("gate/ruling/test_read_code.py",),
        (
            "made-of-another",
            "A script that is a copy of one that was written is not looked at.",
            "for place in one.places if place.kind is not Kind.WRITE}",
            "for place in one.places if ()}",
        ),
    ),
    *of(
        "gate/ruling/uploads.py",
        ("gate/ruling/test_uploads.py",),
        (
            "sent-by-a-variable",
            "What is read here is sent where a variable holds it.",
            "not word.listed and is_computed(script, word, command, answers) for word in unknown",
            'not word.listed and "$(" in word.text for word in unknown',
        ),
    ),
    *of(
        "gate/shell/computed_words.py",
        ("gate/ruling/test_uploads.py",),
        (
            "computed-by-another",
            "A variable that holds another one is computed by nothing.",
            "{assignment.name for _, assignment in lost if _names(found, assignment.value)}",
            "frozenset()",
        ),
        (
            "given-to-a-function",
            "What a function is called with is computed by nothing.",
            "found |= _GIVEN if any(_names(found, word) for _, word in given) else frozenset()",
            "found |= frozenset()",
        ),
    ),
    *of(
        "gate/ruling/required_permissions.py",
        ("gate/ruling/test_read_code.py",),
        (
            "any-input",
            "A rule for a program means whatever it is fed.",
            "if fed and not (is_written_here(command, text) and",
            "if () and not (is_written_here(command, text) and",
        ),
        (
            "any-pipe",
            "A rule for an interpreter means whatever is piped to it.",
            "(is_written_here(command, text) and means_any_code",
            "(text and means_any_code",
        ),
    ),
    *of(
        "gate/ruling/killing.py",
        ("gate/ruling/test_read_code.py",),
        (
            "started-elsewhere",
            "What another shell has started is ended unasked.",
            "return begun and numbers != []",
            "return numbers != []",
        ),
    ),
    *of(
        "gate/ruling/killing.py",
        ("gate/ruling/test_killing.py",),
        (
            "filled-by-a-builtin",
            "A variable that a builtin fills holds what was started here.",
            "if held is None or _FILLING.search(bare):",
            "if held is None:",
        ),
    ),
    *of(
        "gate/ruling/refusals.py",
        ("gate/ruling/test_read_code.py",),
        (
            "host-in-the-input",
            "A host that is denied stands in what a program is fed.",
            "in {*_IN_CODE.findall(text), *words} - named:",
            "in set[str]():",
        ),
    ),
    *of(
        "gate/ruling/programs.py",
        ("gate/ruling/test_library_modules.py",),
        (
            "module-of-the-folder",
            "Python loads a file of the folder in the place of a module of its own.",
            "if _is_among(it, names)), None)",
            "if ()), None)",
        ),
        (
            "module-put-there",
            "Such a file is put there by the same call.",
            "any(_puts_module(finding, below, names) for finding in case.before)",
            "()",
        ),
    ),
    *of(
        "gate/shell/heredocs.py",
        ("gate/shell/test_reading_doubts.py",),
        (
            "body-in-a-substitution",
            "What a substitution runs behind a marker is taken for the document.",
            ' != "c" or len(scan.open) > scan.first:',
            ' != "c":',
        ),
    ),
    *of(
        "gate/ruling/required_permissions.py",
        ("gate/ruling/test_without_another.py",),
        (
            "linked-from-a-folder",
            "A link that is found in a folder is what a rule for that means.",
            "return context.facts.links_in(target.resolved, all_=True) == ()",
            "return True",
        ),
    ),
    *of(
        "gate/shell/tree_sitter_fixes.py",
        ("gate/shell/test_reading_commands.py",),
        (
            "joined-lines",
            "The end of a line behind a pipe of three is read over.",
            "return [end for end in ends if end is not None]",
            "return []",
        ),
    ),
    *of(
        "gate/shell/tree_sitter_fixes.py",
        ("gate/shell/test_reading_words.py", "gate/shell/test_reading_doubts.py"),
        (
            "dollar-before-a-blank",
            "A command behind a dollar and a blank is taken for the name of a variable.",
            'return _MERE.sub(".", source) if "$" in source else source',
            "return source",
        ),
        (
            "hash-behind-joined-lines",
            "What goes on with the word of the line before is taken for a comment.",
            "return start < at and not apart and start + 1 not in ends",
            "return False",
        ),
    ),
    *of(
        "gate/shell/commands.py",
        ("gate/shell/test_reading_doubts.py",),
        (
            "word-behind-a-shut-file",
            "A word that stands behind a file that is shut is nothing's.",
            'if text[:1] == "-" != text:',
            "if ():",
        ),
    ),
    *of(
        "gate/shell/effects.py",
        ("gate/shell/test_reading_words.py",),
        (
            "shift-too-far",
            "`shift` takes away what nobody knows to be there.",
            'if len(said) > 1 or by not in "123456789" or by not in state.variables:',
            'if len(said) > 1 or by not in "123456789":',
        ),
    ),
    *of(
        "gate/shell/word_joining.py",
        ("gate/shell/test_reading_words.py",),
        (
            "name-at-the-root",
            "Where `mktemp` fails, any name may be that of a folder of the system.",
            'return bool((_NAMED_AT_ROOT if "*" in left else _AT_ROOT).fullmatch(left))',
            "return True",
        ),
    ),
    *of(
        "gate/programs/options.py",
        ("gate/programs/test_study.py",),
        (
            "pattern-as-a-value",
            "A pattern in the place of a value is one name alone.",
            "if value.glob and row.operands is not None:",
            "if ():",
        ),
    ),
    *of(
        "gate/ruling/repositories.py",
        ("gate/ruling/test_repositories.py",),
        (
            "foreign-repository",
            "A rule about git means any repository that lies here.",
            "(start for start in starts if _top(context, start) not in own)",
            "()",
        ),
    ),
    *of(
        "gate/ruling/command_analysis.py",
        ("gate/ruling/test_left_out.py",),
        (
            "makes-what-is-there",
            "Whatever writes files is taken to write only those that are there.",
            "return not (checks or anew)",
            "return False",
        ),
    ),
    *of(
        "gate/programs/excluding_options.py",
        ("gate/ruling/test_left_out.py",),
        (
            "left-out-behind",
            "What tar has packed by then is taken to be left out.",
            "and first == 3",
            "and first",
        ),
    ),
    *of(
        "gate/programs/searched_names.py",
        ("gate/ruling/test_left_out.py",),
        (
            "left-out-everywhere",
            "What is left out here is taken to be left out everywhere.",
            'everywhere = {name for name, where in names if where == "everywhere"}',
            "everywhere = {name for name, where in names}",
        ),
        (
            "find-alone",
            "What the first folder of a search decides is taken for all of them.",
            "return any(may_find(tests, start, sample) for start in starts)",
            "return all(may_find(tests, start, sample) for start in starts)",
        ),
    ),
    *of(
        "gate/ruling/searched_files.py",
        ("gate/ruling/test_left_out.py",),
        (
            "found-above",
            "What lies in a folder that is removed is looked for by its own name alone.",
            'for it in above(path.split("/")))',
            "for it in [path])",
        ),
    ),
    *of(
        "gate/ruling/denied_below.py",
        ("gate/ruling/test_left_out.py",),
        (
            "finder-fills",
            "A search is taken to fill nothing, whatever it is told.",
            "finds = command.program in FINDERS and judged.deeds.known",
            "finds = command.program in FINDERS",
        ),
    ),
    *of(
        "gate/shell/read.py",
        ("gate/shell/test_reading_against_bash.py",),
        (
            "calls-once",
            "Calls that come to light in the body of a function are not read with.",
            "if called == record.called:",
            "if record is not first:",
        ),
    ),
    *of(
        "gate/shell/effects.py",
        ("gate/shell/test_reading_against_bash.py",),
        (
            "shift-keeps-all",
            "Behind `shift`, `$@` is taken for what it was.",
            'for given in "0123456789@":',
            'for given in "0123456789":',
        ),
    ),
    *of(
        "gate/shell/record.py",
        ("gate/ruling/test_trapped.py",),
        (
            "job-again",
            "What is assigned behind a trap is not looked at again.",
            "record.held |= names\n    return",
            "return",
        ),
        (
            "any-number",
            "Whatever a trap is told in double quotes is taken for the number of a job.",
            'if not all(is_job(Unknown(text=f"${name}"), here) for name in names):',
            "if ():",
        ),
    ),
    *of(
        "gate/shell/commands.py",
        ("gate/shell/test_reading_doubts.py",),
        (
            "any-descriptor",
            "A document on any descriptor is taken for what is read.",
            "return usual and lone",
            "return lone",
        ),
        (
            "first-input",
            "What stands behind a document is taken to leave it what is read.",
            "    parts.feed = None\n    return usual",
            "    return usual",
        ),
    ),
    *of(
        "gate/shell/record.py",
        ("gate/shell/test_reading_doubts.py",),
        (
            "unseen-cd",
            "A `cd` that stands nowhere in the text changes no folder.",
            "if name in MOVERS and not here.notes.moves:",
            "if ():",
        ),
        (
            "any-builtin",
            "A variable may stand for a builtin that changes the rest.",
            "if any(bare_name(text) in _OF_THE_SHELL for text in head.texts):",
            "if ():",
        ),
    ),
    *of(
        "gate/ruling/denied_below.py",
        ("gate/ruling/test_patched.py",),
        (
            "links-anew",
            "What git makes anew of a link is taken for a file.",
            "any(place.kind is Kind.WRITE and _is_link(place) for place in case.places)",
            "False",
        ),
    ),
    *of(
        "gate/ruling/uploads.py",
        ("gate/ruling/test_uploads.py",),
        (
            "own-function",
            "A function that has the name of a program is taken for it.",
            "own = one.name in script.functions or one.wraps",
            "own = one.wraps",
        ),
    ),
    *of(
        "gate/ruling/uploads.py",
        ("gate/ruling/test_cases.py", "gate/ruling/test_uploads.py"),
        (
            "same-name",
            "What a program of the same name says may be sent anywhere.",
            "return found.hosts == deeds.hosts and found.known and not reads",
            "return True",
        ),
        (
            "sifts-files",
            "What sifts lines is taken to read no file.",
            "return deeds.reading and not deeds.touches",
            "return True",
        ),
    ),
    *of(
        "gate/programs/patches.py",
        ("gate/programs/test_patches.py",),
        (
            "renamed-nowhere",
            "What a patch renames is not told.",
            'yield of_git[3] or ""',
            'yield ""',
        ),
        (
            "old-name-alone",
            "Of a patch only the old name of a file is told.",
            "for it in (old[1], new[1]) if it)",
            "for it in (old[1],) if it)",
        ),
    ),
    *of(
        "gate/shell/function_calls.py",
        ("gate/shell/test_reading_against_bash.py",),
        (
            "called-last",
            "A function is taken to be called as it is called last.",
            "found.setdefault(command.name, {})[command.argv[1:]] = None",
            "found[command.name] = {command.argv[1:]: None}",
        ),
    ),
)
"""What somebody thought of, about judging."""
