"""Faults in what a rule for first words grants, and in what is read of code in words."""

from typing import Final

from mutants.mutant import Mutant, of

__all__ = ["TABLE"]

TABLE: Final[tuple[Mutant, ...]] = (
    *of(
        "gate/programs/prefix_scope.py",
        ("gate/programs/test_prefix_scope.py",),
        (
            "own-language",
            "A word in a program's own language runs nothing.",
            "said = (_by_scope, _by_form, _by_name, defined, spoken,",
            "said = (_by_scope, _by_form, _by_name, defined,",
        ),
        (
            "behind-form",
            "A file behind the form of a report is taken for one, whatever it is.",
            "said = (_by_scope, _by_form, _by_name,",
            "said = (_by_scope, _by_name,",
        ),
        (
            "any-word-of-a-file",
            "The words of a file are never flags.",
            "if word is not None:",
            "if False:",
        ),
    ),
    *of(
        "gate/programs/nested_execution/passed_on.py",
        ("gate/programs/test_prefix_scope.py",),
        (
            "strange-flag-writes",
            "A flag that nothing is known of writes over nothing.",
            "return may_write(name, paths, glued=glued, made=made)",
            "return False",
        ),
    ),
    *of(
        "gate/ruling/registries.py",
        ("gate/ruling/test_registries.py",),
        (
            "unread-settings",
            "Where what says the hosts cannot be read, nothing does.",
            "if None in texts:",
            "if not texts:",
        ),
        (
            "no-home-settings",
            "The settings of the home name no host.",
            "*filter(_of_home, files),",
            "",
        ),
        (
            "unknown-words",
            "A word that is not known names no host.",
            "return not known or told or _STEERED",
            "return told or _STEERED",
        ),
        (
            "said-by-the-call",
            "What the call itself sets names no host.",
            "texts.append(_said_by_call(context))",
            "texts.append('')",
        ),
    ),
    *of(
        "gate/ruling/downloaded_code.py",
        ("gate/ruling/test_downloaded_code.py",),
        (
            "code-from-afar",
            "Code that brings in what lies at an address brings in nothing.",
            "if _BRINGS_CODE.search(words) or (told and _BRINGS_CODE.search(told)):",
            "if told and _BRINGS_CODE.search(told):",
        ),
        (
            "told-to-run",
            "What a program is told to run is read by it alone.",
            "ways = (how, _runs_lines, _is_told)",
            "ways = (how, _runs_lines)",
        ),
    ),
    *of(
        "gate/programs/harmless_values.py",
        ("gate/programs/test_prefix_scope.py",),
        (
            "over-hand",
            "What is built may take the place of what people write.",
            "Escape.OVERWRITES_SOURCE: lambda it: not by_hand_in(it),",
            "Escape.OVERWRITES_SOURCE: lambda it: True,",
        ),
    ),
    *of(
        "gate/programs/reports.py",
        ("gate/programs/test_prefix_scope.py",),
        (
            "made-over-project",
            "What makes files may put them in the place of any file of the project.",
            "if made else bool(paths)",
            "if False else bool(paths) and not made",
        ),
        (
            "glued-alone",
            "A file in the same word as its flag is no value of it.",
            "return named or (glued and last in _FORMED | _MADE_BY)",
            "return named",
        ),
    ),
    *of(
        "gate/text/concatenated_texts.py",
        ("gate/ruling/test_read_code.py",),
        (
            "not-readable",
            "What code makes readable is not read.",
            "*sorted(pieces), *readings)",
            "*sorted(told))",
        ),
        (
            "no-places",
            "What code asks for its place by is no beginning of a path.",
            "_NUMBERED.sub(_letter, spelled_out(code))",
            "_NUMBERED.sub(_letter, code)",
        ),
    ),
    *of(
        "gate/text/decoded_names.py",
        ("gate/ruling/test_read_code.py",),
        (
            "no-numbers",
            "Letters that are told in a row of numbers are not read.",
            "return bytes(numbers) if",
            "return bytes() if",
        ),
        (
            "no-own-names",
            "A thing that code gives a name of its own is another one.",
            "_REPLACED.sub(_replaced, with_own_names(code))",
            "_REPLACED.sub(_replaced, code)",
        ),
        (
            "constants-unknown",
            "A text that has a name stands for nothing in another.",
            "texts.get(match[1] or match[2], match[0])",
            "match[0]",
        ),
        (
            "first-alone",
            "What a language replaces is taken for one way of it.",
            "for count in (1, -1))",
            "for count in (-1,))",
        ),
    ),
    *of(
        "gate/ruling/denied_words.py",
        ("gate/ruling/test_read_code.py",),
        (
            "reads-by-itself",
            "No runtime reads a file by itself.",
            "if told_of or (any(",
            "if (any(",
        ),
    ),
    *of(
        "gate/ruling/programs.py",
        ("gate/ruling/test_named_programs.py",),
        (
            "pattern-flag",
            "No file makes a flag of a pattern.",
            "if (flag := _flag_in(case)) is not None:",
            "if (flag := None) is not None:",
        ),
    ),
    *of(
        "gate/ruling/refusals.py",
        ("gate/ruling/test_read_code.py",),
        (
            "host-joined",
            "A host that code puts together is none.",
            "for host in _HOSTS.findall(code)} - hosts",
            "for host in _HOSTS.findall(code)} & hosts",
        ),
    ),
    *of(
        "gate/programs/tables/hosts.py",
        ("gate/ruling/test_read_code.py",),
        (
            "own-pattern",
            "What is uploaded is the file of that name.",
            'schemes += [word.text for word in sorted_.of("-T --upload-file")]',
            "schemes += []",
        ),
        (
            "header-host",
            "A header says nothing of whom a request is for.",
            "host_of(part_of(header, to)) for header in headers",
            "host_of(part_of(header, to)) for header in ()",
        ),
    ),
    *of(
        "gate/programs/tables/sed.py",
        ("gate/ruling/test_emptying.py",),
        (
            "sed-leaves",
            "A script that takes every line away leaves something.",
            "return deeds_of(row, sorted_, touches, escapes=escapes, empties=empties)",
            "return deeds_of(row, sorted_, touches, escapes=escapes, empties=False)",
        ),
    ),
    *of(
        "gate/ruling/quoted_commands.py",
        ("gate/ruling/test_read_code.py",),
        (
            "own-removal",
            "A removal by a name of the code's own is none.",
            "text = with_own_names(text)",
            "text = str(text)",
        ),
    ),
    *of(
        "gate/ruling/shell.py",
        ("gate/ruling/test_inner_commands.py",),
        (
            "words-run",
            "What stands before a command is taken to run it.",
            "outer = runners.get(id(command.runner)) if command.carried else None",
            "outer = judged[-1] if command.carried and judged else None",
        ),
    ),
)
"""What somebody thought of, about shapes and code."""
