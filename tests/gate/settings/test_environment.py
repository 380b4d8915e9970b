"""Which variables our processes are started with, and how the others reach the server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from assent.gate.processes.shell_environment import inherited, variables
from assent.gate.settings.environment import STARTED_WITH, is_kept

_PRINTS = (
    "import json, os, sys; from assent.gate.settings import environment as e;"
    "before = os.getpid(); e.start_without_keys();"
    "print(json.dumps([dict(os.environ), e.STARTED_WITHOUT, os.getpid(), sys.argv[1:]]))"
)
_EXTENSION = Path(__file__).parents[3] / "client-ts" / "src" / "shared" / "protocol.ts"


def started(**env: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", _PRINTS, "one", "two words"]
    return subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True)


def test_a_variable_is_kept_only_where_its_name_says_that_it_holds_no_key() -> None:
    kept = (
        "PATH HOME LANG LC_ALL TERM TMPDIR XDG_STATE_HOME HTTPS_PROXY no_proxy SSL_CERT_FILE"
        " SSH_AUTH_SOCK JAVA_HOME NVM_DIR PYTHONPATH ASSENT_STATE_DIR OLLAMA_HOST CODEX_HOME"
        " PLAYWRIGHT_BROWSERS_PATH PGPASSFILE CLAUDE_CONFIG_DIR GOPATH"
    )
    left = (
        "ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY GITHUB_TOKEN AWS_SECRET_ACCESS_KEY"
        " AWS_SESSION_TOKEN PGPASSWORD DATABASE_URL NPM_CONFIG__AUTH PASSWORD OUR_GATEWAY X"
        " VSCODE_IPC_HOOK_CLI ELECTRON_RUN_AS_NODE VSCODE_NLS_DIR BASH_FUNC_f%% PATHS openai_key"
    )
    assert [name for name in kept.split() if not is_kept(name)] == []
    assert [name for name in left.split() if is_kept(name)] == []


def test_what_commands_and_agents_are_given_is_kept_or_they_would_not_get_it() -> None:
    names = [*os.environ, *"HTTP_PROXY XDG_DATA_DIRS NIX_PATH GOBIN WSL_INTEROP TERM".split()]
    given = dict.fromkeys(names, "x")
    handed = {**inherited(given), **variables(given, {})}
    assert [name for name in names if name in handed and not is_kept(name)] == []


def test_a_program_starts_again_in_its_place_and_has_the_others_in_memory() -> None:
    strange = "wörter\nand \udcff"
    process = started(PATH=os.environ["PATH"], THE_KEY="s3cr3t", ODD=strange)
    env, others, pid, words = json.loads(process.communicate()[0])
    assert pid == process.pid
    assert words == ["one", "two words"]
    assert others == {"THE_KEY": "s3cr3t", "ODD": strange}
    assert env.keys() <= {"PATH", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}


def test_what_is_too_long_for_a_pipe_is_left_out_before_any_key() -> None:
    process = started(THE_KEY="s3cr3t", LONG="x" * 100_000, LONGER="y" * 120_000)
    env, others, _, _ = json.loads(process.communicate()[0])
    assert others["THE_KEY"] == "s3cr3t"
    assert not {"LONG", "LONGER", "THE_KEY"} & env.keys()


def test_nothing_is_started_again_where_nothing_would_be_left_out() -> None:
    calls_exec = "import os; os.execve = None; " + _PRINTS
    env = {"PATH": os.environ["PATH"], "ASSENT_STARTED_WITHOUT": "1:0"}
    words = [sys.executable, "-c", calls_exec]
    told = json.loads(subprocess.run(words, env=env, capture_output=True, check=True).stdout)
    assert told[1] == {}


def test_the_extension_starts_the_server_with_the_same_variables() -> None:
    text = _EXTENSION.read_text("utf-8")
    found = re.search(r"^export const STARTED_WITH = (.+);$", text, re.MULTILINE)
    assert found is not None
    assert json.loads(found[1]) == f"^(?:{STARTED_WITH})$"
