"""`assent explain`: how the gate would rule on a call, for a person or as lines for machines.

Nothing is run. A line that cannot be read is answered with an error, and the run goes on.
"""

import argparse
import functools
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from assent.cli.json_words import arguments_in, members_of, no_number
from assent.gate.call.calls import Premise, canonical
from assent.gate.call.errors import AssentError, CallUnreadable
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.hardlinks import guarded_by
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.explain import (
    DUPLICATE,
    KINDS,
    Question,
    as_json,
    call_of,
    explain,
    ruled,
    with_tasks,
)
from assent.gate.ruling.policy import Policy
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.settings.paths import (
    MAX_SETTINGS_BYTES,
    managed_file,
    state_path,
    user_settings_files,
    workspace_settings_file,
)
from assent.gate.settings.premises import premises_of_machine
from assent.gate.text.host_and_port import host_and_port
from assent.gate.values import evolve

if TYPE_CHECKING:
    from assent.gate.call.calls import Call
    from assent.gate.settings.own import Own

__all__ = ["answers", "main"]

_MEMBERS: Final = frozenset({"id", "tool", "input", "agent", "policy"})
_MARKS: Final = {Verdict.ALLOW: "✓", Verdict.ASK: "?", Verdict.DENY: "✗"}
_WORKFLOW: Final = "workflow:"
_NOBODY: Final = "agent"
"""Who asks where nobody is named."""
_WORDS: Final = {
    Verdict.ALLOW: "Allowed without asking.",
    Verdict.ASK: "You would be asked.",
    Verdict.DENY: "Denied.",
}


def main(rest: Sequence[str]) -> int:
    """Answer one question in words, or many as JSON."""
    asked = _parser().parse_args(list(rest))
    root, home = Path(asked.workspace).absolute(), Path(asked.home).expanduser().absolute()
    known = premises_of_machine(state_path(), home, [str(root)])
    premises = Premises.of(known, [str(root)])
    places = Places(roots=(str(root),), home=str(home), premises=premises)
    try:
        policy, own, places = _standing(asked, places, known)
        places = evolve(places, guarded=guarded_by(policy.book.rules, places.home))
    except AssentError as error:
        sys.stderr.write(f"assent: {error}\n")
        return 1
    if asked.jsonl:
        return _answer_all(sys.stdin, places, policy)
    if not asked.tool or (not asked.what and asked.tool in KINDS):
        sys.stderr.write("assent: say what to explain, such as: assent explain shell 'ls -l'\n")
        return 2
    try:
        call = _own_call(asked, own, policy, places)
        given = {} if call else _input(asked.tool, asked.what or "", asked.arguments)
    except (ValueError, CallUnreadable) as error:
        sys.stderr.write(f"assent: {error}\n")
        return 2
    if call is None:
        call = call_of(Question(tool=asked.tool, input=given, agent=asked.agent), places)
    ruling = ruled(call, policy, places)
    sys.stdout.writelines(f"{line}\n" for line in _describe_ruling(ruling))
    if policy.book.allows_in_sandbox and _may_be_boxed(call):
        there = ruled(evolve(call, untried=""), policy, places)
        if there.in_sandbox:
            sys.stdout.write(f"Where it can run in the sandbox: {_seen(there.because)}\n")
    if ruling.verdict is Verdict.ASK and policy.trusted:
        sys.stdout.writelines(f"{line}\n" for line in _describe_suggestions(call, policy, places))
    return 0


def _may_be_boxed(call: "Call") -> bool:
    """Whether it may run in the sandbox; only commands of Assent's own agent do."""
    return call.agent in {_NOBODY, "assent"} and not call.input.get("background")


def answers(lines: Iterator[str], places: Places, policy: Policy) -> Iterator[dict[str, Any]]:
    """The answer to each line that is not blank, in order."""
    policy_of = functools.lru_cache(maxsize=256)(lambda text: _policy_of(text, places, policy))
    return (_answer(line, places, policy_of) for line in lines if line.strip())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="assent explain", description="Say what the gate would say of a call; nothing is run."
    )
    parser.add_argument(
        "tool",
        nargs="?",
        help="shell, read, write, fetch, network, mcp, run, agent, or a tool of Assent's",
    )
    parser.add_argument(
        "what",
        nargs="?",
        help="the command, the path, the URL, the host with its port, or the name",
    )
    parser.add_argument("arguments", nargs="?", help="of mcp, run and tools: a JSON object")
    parser.add_argument("--jsonl", action="store_true", help="read a JSON object from each line")
    parser.add_argument("--workspace", default=".", metavar="DIR", help="the workspace's folder")
    parser.add_argument("--home", default="~", metavar="DIR", help="the person's home")
    parser.add_argument("--settings", metavar="FILE", help="a settings.json whose rules hold")
    parser.add_argument("--mode", choices=[mode.value for mode in Mode], help="the chat's mode")
    parser.add_argument("--agent", default=_NOBODY, help="the agent that asks")
    return parser


def _own_call(
    asked: argparse.Namespace, own: "Own | None", policy: Policy, places: Places
) -> "Call | None":
    """The call that a tool of our own agent makes; None of what is no such tool."""
    is_workflow = asked.tool == "run" and asked.what.startswith(_WORKFLOW)
    if asked.tool in KINDS and not is_workflow:
        return None
    # The tools take long to load.
    from assent.cli.own_tools import RUNS, bench_of, own_call, takes  # noqa: PLC0415

    tool = RUNS if is_workflow else asked.tool
    first = takes(tool)
    if first is None:
        return None
    what = asked.what.removeprefix(_WORKFLOW) if is_workflow else asked.what or ""
    if what.startswith("{") and asked.arguments is None:
        given = arguments_in(what)
    else:
        given = {**({first: what} if what else {}), **arguments_in(asked.arguments)}
    return own_call(tool, given, asked.agent, bench_of(asked.agent, own, policy, places))


def _standing(
    asked: argparse.Namespace, places: Places, known: Sequence[Premise]
) -> "tuple[Policy, Own | None, Places]":
    """The policy of the settings in reach, or of the file that was named; and what ours has.

    The places are those given, with the programs that the settings have started.
    """
    own = [Path(asked.settings)] if asked.settings else user_settings_files(Path(places.home))
    workspace = None if asked.settings else Path(places.roots[0])
    files = [*own, *([workspace_settings_file(workspace)] if workspace else [])]
    mode = Mode(asked.mode) if asked.mode else None
    if asked.settings or managed_file().exists() or any(_speaks_of_us(path) for path in files):
        # Reading settings takes a library that a question without any should not wait for.
        from assent.cli.policy_of_files import standing_of_files  # noqa: PLC0415

        return standing_of_files(own, workspace, places, mode, time.time(), known=known)
    return Policy(mode=mode or Mode.DEFAULT, now=time.time(), trusted=True), None, places


def _speaks_of_us(path: Path) -> bool:
    """Whether a settings file may have a setting of ours; one that cannot be read may."""
    try:
        return b"assent." in read_ordinary(path, MAX_SETTINGS_BYTES)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _input(tool: str, what: str, arguments: str | None) -> dict[str, Any]:
    """The input of a call; raises `ValueError` where its arguments are none."""
    if arguments is not None and tool not in {"mcp", "run"}:
        raise ValueError(f"`{tool}` takes one word: put what belongs together between quotes.")
    match tool:
        case "shell":
            return {"command": what}
        case "read":
            return {"path": what}
        case "write":
            return {"path": what, "content": ""}
        case "fetch":
            return {"url": what}
        case "network":
            host, port = host_and_port(what)
            if not port.isdecimal():
                raise ValueError("Say the port too, such as: assent explain network x.org:443")
            return {"host": host, "port": int(port)}
        case "mcp":
            server, _, name = what.partition(":")
            return {"server": server, "tool": name, "arguments": arguments_in(arguments)}
        case "run":
            return {"name": what, "arguments": arguments_in(arguments)}
        case _:
            return {"name": what}


def _describe_ruling(ruling: Ruling) -> Iterator[str]:
    """A ruling in words."""
    yield f"{_MARKS[ruling.verdict]} {_WORDS[ruling.verdict]} {_seen(ruling.because)}"
    if ruling.rule is not None:
        yield f"  rule: {ruling.rule}" + (f" ({ruling.source})" if ruling.source else "")
    for part in ruling.parts:
        yield f"  {_MARKS[part.verdict]} {_seen(part.text)}"
        yield f"      {_seen(part.because)}"
    for deed in ruling.deeds:
        where = "" if deed.inside else " (outside the workspace)"
        yield f"  · {deed.kind} {_seen(deed.what)}{where}"


def _describe_suggestions(call: "Call", policy: Policy, places: Places) -> Iterator[str]:
    """What *Always allow…* on the card would begin with."""
    # Looking for rules takes more than ruling does.
    from assent.gate.ruling.suggestions import suggested_rules  # noqa: PLC0415

    rules = suggested_rules(with_tasks(call, places), policy, places).allow
    if rules:
        yield "A card would suggest to always allow:"
        yield from (f"  {_seen(rule)}" for rule in rules)


def _seen(text: str) -> str:
    """A text of which no letter acts on the terminal."""
    return "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in text)


def _answer_all(lines: TextIO, places: Places, policy: Policy) -> int:
    for answer in answers(iter(lines), places, policy):
        sys.stdout.write(json.dumps(answer, ensure_ascii=True) + "\n")
    return 0


def _answer(line: str, places: Places, policy_of: Callable[[str], Policy]) -> dict[str, Any]:
    try:
        case = json.loads(line, object_pairs_hook=members_of, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        return {"id": None, "error": f"This line is not JSON: {error}"}
    if not isinstance(case, dict) or not isinstance(case.get("tool"), str):
        case_id = case.get("id") if isinstance(case, dict) else None
        return {"id": case_id, "error": "This line names no tool."}
    try:
        policy = policy_of(canonical(case.get("policy")))
    except (ValueError, RecursionError) as error:
        return {"id": case.get("id"), "error": str(error)}
    agent = case.get("agent", "agent")
    named = isinstance(agent, str) and agent
    question = Question(
        tool=case["tool"],
        input=case.get("input"),
        agent=agent if named else "agent",
        problem=_problem(case) or (None if named else "Its agent is no name."),
    )
    return {"id": case.get("id"), **as_json(explain(question, policy, places))}


def _problem(case: Mapping[str, Any]) -> str | None:
    """What is wrong with a line that is JSON and names a tool."""
    unknown = next((name for name in case if name not in _MEMBERS), None)
    if unknown == DUPLICATE:
        return "A member stands in it twice."
    return None if unknown is None else f"It has a member `{unknown[:40]}` that nobody knows."


def _policy_of(text: str, places: Places, policy: Policy) -> Policy:
    """The policy that a case names; raise `ValueError` for what is none."""
    given = json.loads(text)
    if given is None:
        return policy
    if not isinstance(given, Mapping):
        raise ValueError("Its policy is no object.")  # noqa: TRY004 -- what is wrong is what it says
    mode = given.get("mode", Mode.DEFAULT.value)
    if not isinstance(mode, str) or mode not in set(Mode):
        raise ValueError("Its policy names no mode.")
    from assent.cli.policy_of_files import book_of_case  # noqa: PLC0415 -- only where a case has rules

    book = book_of_case(given, places)
    return Policy(mode=Mode(mode), book=book, now=policy.now, trusted=True)
