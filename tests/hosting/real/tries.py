"""A call of each tool that an agent offers to its model, with the calls that lead to it."""

import base64
import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from hosting.real.known import Use
from hosting.real.model import Model
from hosting.real.script import result, script

__all__ = ["TRIES", "UNTRIED", "Try", "laid_out", "later_in", "tools_of"]

Try = tuple[Use, ...]
"""The last of these calls is the one that is tried; those before it lead to it."""

_LISTS: Final = re.compile(r"deferred tools are now available[^\n]*:\n((?:\w+\n)+)")
_SEARCH: Final = "are reachable through `tool_search`"
_LINE: Final = re.compile(r'^- "(\w+)": ', re.MULTILINE)
_DOT: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_BOOK: Final = json.dumps(
    {
        "cells": [
            {
                "cell_type": "code",
                "id": "first",
                "metadata": {},
                "source": ["1"],
                "outputs": [],
                "execution_count": None,
            }
        ],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)


def laid_out(folder: Path) -> None:
    """Make a repository with what the tools need."""
    (folder / "sub").mkdir(parents=True)
    (folder / "dot.png").write_bytes(base64.b64decode(_DOT))
    (folder / "book.ipynb").write_text(_BOOK, "utf-8")
    for words in ("init -q", "add .", "-c user.name=x -c user.email=x@y commit -qm first"):
        subprocess.run(["git", *words.split()], cwd=folder, check=True)


def tools_of(calls: Try) -> set[str]:
    """The tools that are tried by these calls."""
    tool, given = calls[-1]
    # Qwen Code has the tools that it tells of later called by another one.
    return {tool, str(given["name"])} if tool == "tool_call" else {tool}


def later_in(asked: list[dict[str, Any]]) -> set[str]:
    """The tools that are named to the model and offered only once it looks for them."""
    texts = list(_texts(asked))
    lists = [found[1] for text in texts for found in _LISTS.finditer(text)]
    named = {name for text in lists for name in text.split()}
    # Those of Qwen Code, each with what it is for.
    return named | {found[1] for text in texts if _SEARCH in text for found in _LINE.finditer(text)}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _bash(command: str, **more: Any) -> Use:
    return "Bash", {"command": command, "description": "look", **more}


def _claude_hires(here: Path, **more: Any) -> Use:
    given = {"description": "sub", "subagent_type": "general-purpose", **more}
    return "Agent", {**given, "prompt": script(_bash(f"touch {here}/inner"))}


def _claudes_later(here: Path, model: Model) -> Mapping[str, Try]:
    """Those that it names and offers only once its model has looked for them."""

    def later(tool: str, **given: Any) -> Try:
        return ("ToolSearch", {"query": f"select:{tool}", "max_results": 1}), (tool, given)

    book = {"notebook_path": f"{here}/book.ipynb", "cell_id": "first", "new_source": "2"}
    watch = {"command": f"touch {here}/watched", "description": "look", "timeout_ms": 3000}
    # To nobody: the turn in which an agent is woken that had just ended may never end itself.
    message = {"to": "nobody", "message": "hello", "summary": "hello"}
    waits = _bash("sleep 600", run_in_background=True)
    return {
        "EnterPlanMode": later("EnterPlanMode"),
        "ExitPlanMode": later("ExitPlanMode", plan="first this, then that"),
        "EnterWorktree": later("EnterWorktree", name="aside"),
        "ExitWorktree": later("ExitWorktree", action="keep"),
        "Monitor": later("Monitor", **watch),
        "NotebookEdit": (
            ("Read", {"file_path": f"{here}/book.ipynb"}),
            *later("NotebookEdit", **book),
        ),
        "SendMessage": later("SendMessage", **message),
        "TaskStop": (waits, *later("TaskStop", task_id=result(r"with ID: (\w+)"))),
        "WebFetch": later("WebFetch", url=f"{model.url}/models", prompt="what is it"),
        "WebSearch": later("WebSearch", query="hello"),
    }


def _claudes(here: Path, model: Model) -> Mapping[str, Try]:
    flow = "export const meta = {name: 'x', description: 'y'}\nreturn 1\n"
    read = ("Read", {"file_path": f"{here}/a.txt"})
    change = {"file_path": f"{here}/a.txt", "old_string": "hello", "new_string": "changed"}
    return {
        "Agent": (_claude_hires(here),),
        "Agent in front": (_claude_hires(here, run_in_background=False),),
        "Bash": (_bash(f"touch {here}/made"),),
        "Bash in the background": (_bash(f"touch {here}/behind", run_in_background=True),),
        "Edit": (read, ("Edit", change)),
        "ListAgents": (("ListAgents", {}),),
        "Read": (read,),
        "ReportFindings": (("ReportFindings", {"findings": []}),),
        "ScheduleWakeup": (("ScheduleWakeup", {"stop": True}),),
        "Skill": (("Skill", {"skill": "init"}),),
        "ToolSearch": (("ToolSearch", {"query": "notebook", "max_results": 3}),),
        "ToolSearch for as many as it likes": (("ToolSearch", {"query": "notebook"}),),
        "Workflow": (("Workflow", {"script": flow}),),
        "Write": (("Write", {"file_path": f"{here}/new.txt", "content": "one\ntwo\n"}),),
        **_claudes_later(here, model),
    }


_ASKS: Final = {"sandbox_permissions": "require_escalated", "justification": "look"}


def _exec(command: str, **more: Any) -> Use:
    return "exec_command", {"cmd": command, **more}


def _codexes_agents(here: Path) -> Mapping[str, Try]:
    inner = script(_exec(f"touch {here}/inner", **_ASKS))
    hired = ("multi_agent_v1/spawn_agent", {"message": inner})
    agent = result(r'"agent_id\\*":\s*\\*"([\w-]+)')
    return {
        "multi_agent_v1/spawn_agent": (hired,),
        "multi_agent_v1/send_input": (
            hired,
            ("multi_agent_v1/send_input", {"target": agent, "message": "hello"}),
        ),
        "multi_agent_v1/wait_agent": (
            hired,
            ("multi_agent_v1/wait_agent", {"targets": [agent], "timeout_ms": 10000}),
        ),
        "multi_agent_v1/close_agent": (hired, ("multi_agent_v1/close_agent", {"target": agent})),
        "multi_agent_v1/resume_agent": (
            hired,
            ("multi_agent_v1/close_agent", {"target": agent}),
            ("multi_agent_v1/resume_agent", {"id": agent}),
        ),
    }


def _codexes(here: Path, _: Model) -> Mapping[str, Try]:
    patch = ("*** Begin Patch", "*** Add File: new.txt", "+one", "+two", "*** End Patch")
    option = [{"label": "a", "description": "b"}, {"label": "c", "description": "d"}]
    question = {"id": "q", "header": "h", "question": "?", "options": option}
    return {
        "exec_command": (_exec("mkdir made", **_ASKS),),
        "exec_command with a folder": (_exec("touch beside", workdir=f"{here}/sub", **_ASKS),),
        "exec_command that waits": (_exec("sleep 3; touch waited", yield_time_ms=500, **_ASKS),),
        "exec_command that fails": (_exec("false", **_ASKS),),
        "exec_command that reads": (_exec("cat a.txt"),),
        "exec_command that patches": (_exec("\n".join(("apply_patch <<'EOF'", *patch, "EOF"))),),
        "exec_command in the box": (_exec("touch boxed"),),
        "write_stdin": (
            _exec("cat", tty=True, yield_time_ms=500, **_ASKS),
            ("write_stdin", {"session_id": result(r"session ID (\d+)"), "chars": "x\n"}),
        ),
        "view_image": (("view_image", {"path": f"{here}/dot.png"}),),
        **_codexes_agents(here),
        "create_goal": (("create_goal", {"objective": "first this"}),),
        "get_goal": (("get_goal", {}),),
        "update_goal": (("update_goal", {"status": "complete"}),),
        "request_user_input": (("request_user_input", {"questions": [question]}),),
    }


def _copilots(here: Path, model: Model) -> Mapping[str, Try]:
    def run(command: str, **more: Any) -> Use:
        return "bash", {"command": command, "description": "look", **more}

    def hire(name: str, **more: Any) -> Use:
        given = {"agent_type": "general-purpose", "description": "d", "name": name, **more}
        return "task", {**given, "prompt": script(run(f"touch {here}/inner"))}

    # Its turn ends no sooner than what it started in the background.
    waits = run("sleep 5", mode="async", shellId="waits")
    change = {"path": f"{here}/a.txt", "old_str": "hello", "new_str": "changed"}
    return {
        "bash": (run(f"touch {here}/made"),),
        "bash in the background": (run(f"touch {here}/behind", mode="async", shellId="behind"),),
        "read_bash": (waits, ("read_bash", {"shellId": "waits", "delay": 5})),
        "stop_bash": (waits, ("stop_bash", {"shellId": "waits"})),
        "fetch_copilot_cli_documentation": (("fetch_copilot_cli_documentation", {}),),
        "list_bash": (("list_bash", {}),),
        "view": (("view", {"path": f"{here}/a.txt"}),),
        "create": (("create", {"path": f"{here}/new.txt", "file_text": "one\ntwo\n"}),),
        "edit": (("edit", change),),
        "sql": (("sql", {"description": "look", "query": "select 1"}),),
        "task": (hire("one", mode="sync"),),
        "task in the background": (hire("two", mode="background"),),
        "read_agent": (
            hire("three", mode="background"),
            (
                "read_agent",
                {"agent_id": result(r"agent_id: ([\w-]+)"), "wait": True, "timeout": 10},
            ),
        ),
        "list_agents": (("list_agents", {}),),
        "write_agent": (
            hire("four", mode="background"),
            ("write_agent", {"agent_id": result(r"agent_id: ([\w-]+)"), "message": "hello"}),
        ),
        "grep": (("grep", {"pattern": "hello", "paths": str(here)}),),
        "glob": (("glob", {"pattern": "*.txt"}),),
    }


def _geminis(here: Path, model: Model) -> Mapping[str, Try]:
    def run(command: str, **more: Any) -> Use:
        return "run_shell_command", {"command": command, "description": "look", **more}

    change = {"old_string": "hello", "new_string": "changed", "instruction": "change it"}
    # Where it looks for the plan of each of its sessions.
    planned = run(
        "for d in ~/.gemini/tmp/*/*/; do mkdir -p $d/plans; echo first > $d/plans/plan.md; done"
    )
    sub = {"agent_name": "codebase_investigator", "prompt": script(run(f"touch {here}/inner"))}
    waits = run("sleep 600", is_background=True)
    return {
        "update_topic": (("update_topic", {"strategic_intent": "look"}),),
        "list_directory": (("list_directory", {"dir_path": str(here)}),),
        "read_file": (("read_file", {"file_path": f"{here}/a.txt"}),),
        "grep_search": (("grep_search", {"pattern": "hello"}),),
        "glob": (("glob", {"pattern": "*.txt"}),),
        "replace": (("replace", {"file_path": f"{here}/a.txt", **change}),),
        "replace in no file": (("replace", {"file_path": f"{here}/none.txt", **change}),),
        "replace in an empty file": (
            (
                "replace",
                {
                    "file_path": f"{here}/fresh.txt",
                    "old_string": "",
                    "new_string": "x\n",
                    "instruction": "make it",
                },
            ),
        ),
        "write_file": (("write_file", {"file_path": f"{here}/new.txt", "content": "one\ntwo\n"}),),
        "web_fetch": (("web_fetch", {"prompt": f"fetch {model.url}/models"}),),
        "run_shell_command": (run(f"touch {here}/made"),),
        "run_shell_command that fails": (run("false"),),
        "list_background_processes": (("list_background_processes", {}),),
        "read_background_output": (
            waits,
            ("read_background_output", {"pid": result(r"PID: (\d+)")}),
        ),
        "google_web_search": (("google_web_search", {"query": "hello"}),),
        "write_todos": (
            ("write_todos", {"todos": [{"description": "first", "status": "pending"}]}),
        ),
        "invoke_agent": (("invoke_agent", sub),),
        "activate_skill": (("activate_skill", {"name": "skill-creator"}),),
        "enter_plan_mode": (planned, ("enter_plan_mode", {})),
        "exit_plan_mode": (("exit_plan_mode", {"plan_filename": "plan.md"}),),
    }


def _qwen_runs(command: str, **more: Any) -> Use:
    given = {"command": command, "description": "look", "is_background": False}
    return "run_shell_command", {**given, **more}


def _qwens_later(here: Path, model: Model) -> Mapping[str, Try]:
    """Those that it names and has another one call."""

    def later(tool: str, **given: Any) -> Try:
        asked = {"name": tool, "arguments": given}
        return ("tool_search", {"query": f"select:{tool}"}), ("tool_call", asked)

    waits = _qwen_runs("sleep 600", is_background=True)
    return {
        "cron_create": later("cron_create", cron="0 0 1 1 *", prompt="hello"),
        "cron_list": later("cron_list"),
        "cron_delete": later("cron_delete", id="none"),
        "enter_worktree": later("enter_worktree", name="aside"),
        "exit_worktree": later("exit_worktree", name="aside", action="keep"),
        "loop_wakeup": later("loop_wakeup", delaySeconds=3600, prompt="hello", reason="look"),
        "monitor": later("monitor", command=f"touch {here}/watched", description="look"),
        "read_mcp_resource": later("read_mcp_resource", server_name="none", uri="x:y"),
        "record_artifact": later("record_artifact", title="x", workspacePath="a.txt", kind="file"),
        "report_findings": later("report_findings", findings=[]),
        "send_message": later("send_message", to="none", message="hello"),
        "task_stop": (waits, *later("task_stop", task_id=result(r"id: (bg_\w+)"))),
        "web_fetch": later("web_fetch", url=f"{model.url}/models", prompt="what is it"),
        "zoom_image": later("zoom_image", file_path=f"{here}/dot.png", x1=0, y1=0, x2=500, y2=500),
    }


def _qwens(here: Path, model: Model) -> Mapping[str, Try]:
    def hire(**more: Any) -> Use:
        given = {"description": "d", "subagent_type": "general-purpose", **more}
        return "agent", {**given, "prompt": script(_qwen_runs(f"touch {here}/inner"))}

    book = {"notebook_path": f"{here}/book.ipynb", "cell_id": "first", "new_source": "2"}
    read = ("read_file", {"file_path": f"{here}/a.txt"})
    change = {"file_path": f"{here}/a.txt", "old_string": "hello", "new_string": "changed"}
    option = [{"label": "a", "description": "b"}, {"label": "c", "description": "d"}]
    question = {"question": "Which?", "header": "h", "options": option}
    return {
        "agent": (hire(run_in_background=False),),
        "agent in the background": (hire(run_in_background=True),),
        "ask_user_question": (("ask_user_question", {"questions": [question]}),),
        "edit": (read, ("edit", change)),
        "get_goal": (("get_goal", {}),),
        "glob": (("glob", {"pattern": "*.txt"}),),
        "grep_search": (("grep_search", {"pattern": "hello"}),),
        "list_agents": (("list_agents", {}),),
        "notebook_edit": (
            ("read_file", {"file_path": f"{here}/book.ipynb"}),
            ("notebook_edit", book),
        ),
        "read_file": (read,),
        "run_shell_command": (_qwen_runs(f"touch {here}/made"),),
        "run_shell_command in the background": (
            _qwen_runs(f"touch {here}/behind", is_background=True),
        ),
        "skill": (("skill", {"skill": "dataviz"}),),
        "tool_search": (("tool_search", {"query": "cron"}),),
        "update_goal": (("update_goal", {"status": "complete", "reason": "done"}),),
        "write_file": (("write_file", {"file_path": f"{here}/new.txt", "content": "one\ntwo\n"}),),
        **_qwens_later(here, model),
        "enter_plan_mode": (("enter_plan_mode", {}),),
        "exit_plan_mode": (("exit_plan_mode", {"plan": "first this, then that"}),),
    }


def _opencodes(here: Path, model: Model) -> Mapping[str, Try]:
    def run(command: str, **more: Any) -> Use:
        return "bash", {"command": command, "description": "look", **more}

    change = {"filePath": f"{here}/a.txt", "oldString": "hello", "newString": "changed"}
    todo = [{"content": "first", "status": "pending", "priority": "high"}]
    sub = {
        "description": "d",
        "subagent_type": "general",
        "prompt": script(run(f"touch {here}/inner")),
    }
    read = ("read", {"filePath": f"{here}/a.txt"})
    return {
        "bash": (run(f"touch {here}/made"),),
        "bash with a folder": (run("touch beside", workdir=f"{here}/sub"),),
        "edit": (read, ("edit", change)),
        "glob": (("glob", {"pattern": "*.txt"}),),
        "grep": (("grep", {"pattern": "hello"}),),
        "read": (read,),
        "skill": (("skill", {"name": "customize-opencode"}),),
        "task": (("task", sub),),
        "todowrite": (("todowrite", {"todos": todo}),),
        "webfetch": (("webfetch", {"url": f"{model.url}/models", "format": "text"}),),
        "write": (("write", {"filePath": f"{here}/new.txt", "content": "one\ntwo\n"}),),
    }


TRIES: Final[Mapping[str, Callable[[Path, Model], Mapping[str, Try]]]] = {
    "claude": _claudes,
    "codex": _codexes,
    "copilot": _copilots,
    "gemini": _geminis,
    "qwen": _qwens,
    "opencode": _opencodes,
}

_HOSTS: Final = "The host of the model runs it, and nothing happens here."
UNTRIED: Final[Mapping[str, Mapping[str, str]]] = {
    "claude": {
        "AskUserQuestion": "It asks by a form, which `test_questions.py` tries.",
        "DeferredToolPlaceholder": "It stands for tools to come and is none.",
        "web_search": _HOSTS,
    },
    "codex": {
        "web_search": _HOSTS,
    },
}
"""The tools that are offered and cannot be tried, each with the reason."""
