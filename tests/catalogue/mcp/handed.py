"""Agents of a few lines that use the servers which they were handed, as programs they start."""

import textwrap
from collections.abc import Callable
from pathlib import Path

from assent.hosting.connection.spec import AgentSpec
from hosting.eliza.hooked import packaged

__all__ = ["Make", "hooked", "using"]

Make = Callable[..., AgentSpec]

_USING = '''
class Server:
    """One that it was handed: started as any server, and spoken with by lines."""
    def __init__(self, entry):
        assert entry["env"] == [] and set(entry) == {"name", "command", "args", "env"}
        env = {**os.environ, "PYTHONPATH": "/nowhere", "ASSENT_STATE_DIR": "/nowhere"}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([entry["command"], *entry["args"]], stdin=pipe,
                                        stdout=pipe, stderr=pipe, env=env)
        self.last = 0
        self.told = []

    def send(self, **body):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **body}).encode() + b"\\n")
        self.process.stdin.flush()

    def begin(self, method, **params):
        self.last += 1
        self.send(id=self.last, method=method, params=params)
        return self.last

    def result(self, number):
        while line := self.process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == number:
                return message["result"] if "result" in message else message["error"]["message"]
            self.told.append(message)
        return "gone: " + self.process.stderr.read().decode()

    def ask(self, method, **params):
        return self.result(self.begin(method, **params))

    def use(self, tool, given=None, **meta):
        told = self.ask("tools/call", name=tool, arguments=given or {}, _meta=meta)
        return told["content"][0]["text"] if isinstance(told, dict) else told

def handed():
    """Everything up to the first prompt; the servers by their names."""
    global PROMPT, ENTRIES, NEW
    send(id=until("initialize")["id"], result={"protocolVersion": 1, "agentCapabilities": {}})
    NEW = new = until("session/new")
    ENTRIES = {it["name"]: it for it in new["params"]["mcpServers"]}
    send(id=new["id"], result={"sessionId": "s"})
    servers = {name: Server(it) for name, it in ENTRIES.items()}
    PROMPT = until("session/prompt")["id"]
    return servers


def told_by(number, server, given, status="pending"):
    """A call as most agents tell of it, whose harness names the tool."""
    return {"toolCallId": number, "title": "A tool", "kind": "other", "status": status,
            "name": server, "rawInput": given}

def await_go(path):
    """Wait until the test says that it may go on."""
    open(path).close()
'''


_HOOKED = """
def handed_hooked():
    global HOOKS
    servers = handed()
    HOOKS = hooks_of(NEW)
    return servers
"""


def using(make: Make, body: str) -> AgentSpec:
    """An agent that is handed servers, and does something with them."""
    return make(f"{_USING}\n{textwrap.dedent(body)}\nend(PROMPT)\n")


def hooked(make: Make, folder: Path, body: str) -> AgentSpec:
    """One that runs hooks as Claude Code does, which is known by its package."""
    return packaged(make, folder, f"{_USING}\n{_HOOKED}\n{textwrap.dedent(body)}\nend(PROMPT)\n")
