"""An agent of a few lines that runs hooks as Claude Code does, and is recognised as that package.

It runs a tool unless its hook says no in the words that Claude Code knows: a hook that is missing,
breaks off or prints nonsense keeps nothing from running. Its only tool touches a file.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import evolve

from assent.hosting.connection.spec import AgentSpec

__all__ = ["CLAUDE", "ODD", "packaged"]

Make = Callable[..., AgentSpec]

ODD: dict[str, dict[str, Any]] = {
    "no session": {"session_id": None},
    "another event": {"hook_event_name": "PostToolUse"},
    "no tool": {"tool_name": ""},
    "an input that is no object": {"tool_input": "touch made"},
    "no id": {"tool_use_id": 7},
}
"""What a hook may be handed in another form than it should be."""

CLAUDE = '''
def hooks_of(new):
    options = new["params"]["_meta"]["claudeCode"]["options"]
    # Nothing of a repository, and the servers of its person with the rest of their settings.
    assert (options["settingSources"], options["strictMcpConfig"]) in (
        ([], True),
        (["user"], False),
    )
    return options["settings"]["hooks"]

def run_hook(line, payload):
    payload = {"cwd": HERE, **payload}
    done = subprocess.run(["sh", "-c", line], input=json.dumps(payload), capture_output=True,
                          text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr

def begin_hooked():
    global HOOKS
    send(id=until("initialize")["id"], result={"protocolVersion": 1, "agentCapabilities": {}})
    new = until("session/new")
    HOOKS = hooks_of(new)
    line = HOOKS["SessionStart"][0]["hooks"][0]["command"]
    run_hook(line, {"hook_event_name": "SessionStart", "session_id": "s"})
    send(id=new["id"], result={"sessionId": "s"})
    return until("session/prompt")["id"]

def use(path, name="toolu_1", **more):
    """Touch a file, unless the hook refuses; what it said."""
    given = {"command": f"touch {path}", "description": "list the files"}
    update(sessionUpdate="tool_call", toolCallId=name, title="ls", kind="read",
           status="pending", rawInput=given)
    line = HOOKS["PreToolUse"][0]["hooks"][0]["command"]
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash",
               "tool_input": given, "tool_use_id": name, **more}
    code, printed, error = run_hook(line, payload)
    if code == 2:
        update(sessionUpdate="tool_call_update", toolCallId=name, status="failed")
        return "blocked: " + error
    try:
        decision = json.loads(printed)["hookSpecificOutput"]
    except ValueError:
        decision = {}
    if decision.get("permissionDecision") == "deny":
        update(sessionUpdate="tool_call_update", toolCallId=name, status="failed")
        return "denied: " + decision["permissionDecisionReason"]
    given = decision.get("updatedInput", given)
    subprocess.run(["sh", "-c", given["command"]], check=True)
    update(sessionUpdate="tool_call_update", toolCallId=name, status="completed")
    return "ran"
'''


def packaged(
    make: Make, folder: Path, body: str, name: str = "@agentclientprotocol/claude-agent-acp"
) -> AgentSpec:
    """An agent whose program lies in a package of that name."""
    spec = make(CLAUDE + body)
    package = folder / "node_modules" / name
    package.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {"name": name, "version": "0", "bin": "agent"}
    (package / "package.json").write_text(json.dumps(manifest), "utf-8")
    program = package / "agent"
    program.write_text(f"#!{spec.command}\n" + Path(spec.args[0]).read_text("utf-8"), "utf-8")
    program.chmod(0o755)
    # Its person has no settings of it.
    env = {**spec.env, "CLAUDE_CONFIG_DIR": str(folder / "config")}
    return evolve(spec, command=str(program), args=(), env=env)
