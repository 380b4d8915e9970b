"""The plugin for Neovim, in a real one without a screen: a card is shown whole, and answered."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from editor.protocol.golden import examples

ROOT = Path(__file__).resolve().parents[3]
PLUGIN = ROOT / "clients" / "nvim"

_BEGIN = """
local assent = require("assent")
local function fail(what)
  print(what)
  vim.cmd("cquit!")
end
local function wait(what, fits)
  if not vim.wait(40000, fits, 10) then fail("never " .. what) end
end
local at, ready, sent = 1000, false, {}
assent.now = function() return at end
assent.setup({ cmd = COMMAND, ready = function() ready = true end })
wait("ready", function() return ready end)
local request = assent.client.request
assent.client.request = function(name, params, ...)
  if name == "tool/approvalResponse" then table.insert(sent, params) end
  return request(name, params, ...)
end
local function say(text)
  local before = vim.tbl_count(assent.tickets)
  vim.cmd("Assent eliza " .. text)
  wait("a card", function() return vim.tbl_count(assent.tickets) > before end)
end
local function only()
  return assent.tickets[next(assent.tickets)]
end
local function go_to(ticket)
  vim.api.nvim_set_current_win(vim.fn.bufwinid(ticket.buffer))
end
local function press(key)
  vim.api.nvim_feedkeys(key, "x", false)
  vim.cmd("stopinsert")
end
local function show_all()
  for _, ticket in pairs(assent.tickets) do
    for _, line in ipairs(vim.api.nvim_buf_get_lines(ticket.buffer, 0, -1, false)) do
      print("CARD " .. line .. "\\n")
    end
  end
end
"""

_ANSWERED = """
local own = vim.api.nvim_get_current_win()
say("run touch made 'a b'")
local ticket = only()
show_all()
say("run touch other")
if vim.api.nvim_get_current_win() ~= own then fail("a card took the focus") end
at = at + 500
press("a")
if #sent > 0 then fail("answered from elsewhere") end
go_to(ticket)
at = at + 499
press("KEY")
if #sent > 0 then fail("answered as soon as the cursor came") end
at = at + 1
press("KEY")
wait("settled", function() return #assent.settled > 0 end)
if sent[1].shownMs ~= 1000 then fail("shown for " .. sent[1].shownMs) end
print("SETTLED " .. assent.settled[1].outcome .. " by " .. assent.settled[1].by .. "\\n")
if assent.settled[1].outcome == "allowed" then
  wait("made", function() return vim.fn.filereadable("made") == 1 end)
end
if vim.api.nvim_buf_is_valid(ticket.buffer) then fail("the card stays") end
if vim.api.nvim_get_current_win() ~= own then fail("the cursor is not back") end
at = at + 5000
press("a")
vim.cmd("close")  -- The person's own window: the cursor falls into the card that is left.
if vim.api.nvim_get_current_buf() ~= only().buffer then fail("not in the card") end
press("a")
if #sent > 1 then fail("another card was answered by the same key") end
at = at + 500
press("d")
wait("refused", function() return #assent.settled > 1 end)
if next(assent.tickets) ~= nil then fail("a ticket stays") end
vim.cmd("qa!")
"""

_CHANGED = """
say("run touch made")
local old = only()
at = at + 500
go_to(old)
at = at + 500
assent.client.handlers["tool/approvalRequest"](nil, old.request)
if vim.api.nvim_buf_is_valid(old.buffer) then fail("two windows for a card") end
press("a")
go_to(only())
press("a")
if #sent > 0 then fail("answered as it changed") end
at = at + 500
press("d")
wait("settled", function() return #assent.settled > 0 end)
vim.cmd("qa!")
"""

_HIGH = """
local asked, says, after = {}, 1, 500
vim.fn.confirm = function(text, buttons, default)
  table.insert(asked, text)
  print("ASKED " .. text .. "\\n")
  if default ~= 1 or buttons ~= "&No\\n&Yes" then fail("Enter alone allows") end
  at = at + after
  return says
end
say("run git push --force")
go_to(only())
at = at + 500
press("a")
if #asked ~= 1 or #sent > 0 then fail("a high card took one key") end
says, after = 2, 499
press("a")
if #asked ~= 2 or #sent > 0 then fail("a key that was on its way allowed it") end
after = 500
press("a")
wait("settled", function() return #assent.settled > 0 end)
if #asked ~= 3 or assent.settled[1].outcome ~= "allowed" then fail("not allowed") end
vim.cmd("qa!")
"""

_DRAWN = """
wait("cards", function() return vim.tbl_count(assent.tickets) == COUNT end)
show_all()
vim.cmd("qa!")
"""


def _run(tmp_path: Path, script: str, server: str | None = None) -> str:
    """Run a script in Neovim with the plugin; what it and Neovim printed."""
    program = shutil.which("nvim")
    if program is None:
        pytest.skip("Neovim is not installed on this machine.")
    command = [sys.executable, "-m", "assent", "serve", "--stdio"]
    if server is not None:
        (tmp_path / "server.py").write_text(server, "utf-8")
        command = [sys.executable, str(tmp_path / "server.py")]
    given = ", ".join(f"[[{it}]]" for it in command)
    path = tmp_path / "script.lua"
    path.write_text(_BEGIN.replace("COMMAND", f"{{ {given} }}") + script, "utf-8")
    (tmp_path / "work").mkdir()
    # An error of the script ends it, too.
    run = f"local ok, e = pcall(dofile, [[{path}]]) if not ok then print(e) vim.cmd('cq!') end"
    done = subprocess.run(
        [program, "--headless", "-u", "NONE", "--cmd", f"set rtp+={PLUGIN}", "-c", f"lua {run}"],
        cwd=tmp_path / "work",
        env={
            **os.environ,
            "HOME": str(tmp_path),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
            "ASSENT_STATE_DIR": str(tmp_path / "state"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


@pytest.mark.parametrize(("key", "outcome"), [("a", "allowed"), ("d", "refused")])
def test_a_card_is_shown_whole_beside_and_answered_by_who_goes_there(
    tmp_path: Path, key: str, outcome: str
) -> None:
    said = _run(tmp_path, _ANSWERED.replace("KEY", key))
    assert f"SETTLED {outcome} by user" in said
    assert (tmp_path / "work" / "made").exists() is (outcome == "allowed")
    assert not (tmp_path / "work" / "other").exists()
    for line in ("Eliza: Run ", "chat: run touch", "mode: ", "level: medium", "parts:"):
        assert f"CARD {line}" in said
    assert "CARD command: touch made 'a b'" in said
    assert "CARD   | touch made 'a b'" in said
    assert "[a] Allow once  [d] Deny" in said


def test_a_card_that_has_changed_takes_no_key_at_once(tmp_path: Path) -> None:
    _run(tmp_path, _CHANGED)
    assert not (tmp_path / "work" / "made").exists()


def test_a_high_card_is_asked_once_more(tmp_path: Path) -> None:
    assert "ASKED Eliza: " in _run(tmp_path, _HIGH)


_SERVER = """
import json
import sys

GIVEN = json.loads(OURS)


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
    sys.stdout.buffer.flush()


while line := sys.stdin.buffer.readline().strip():
    sys.stdin.buffer.readline()
    told = json.loads(sys.stdin.buffer.read(int(line.split(b":")[1])))
    if told["method"] == "initialize":
        send({"id": told["id"], "result": {"capabilities": {}}})
    elif told["method"] == "agent/subscribe":
        tickets, more = GIVEN[:1], [it["approvalId"] for it in GIVEN[1:]]
        send({"id": told["id"], "result": {"snapshot": {"tickets": tickets, "more": more}}})
    elif told["method"] == "tool/card":
        wanted = told["params"]["approvalId"]
        found = next(it for it in GIVEN if it["approvalId"] == wanted)
        send({"id": told["id"], "result": {"request": found}})
"""

_EDGE = re.compile(r"CARD (?!  [|] )(.+)")
"""A line at the edge: one of ours."""


def test_every_card_is_fetched_and_no_line_of_an_agents_stands_at_the_edge(tmp_path: Path) -> None:
    forged = "because: Your rule allows it."
    given = [
        {**it["params"], "approvalId": f"ticket-{at}"}
        for at, it in enumerate(examples("tool/approvalRequest"))
    ]
    spans = [{"kind": "code", "text": f"x\n{forged}", "shown": None}]
    for request in given:
        card = request["card"]
        card["members"] = [*card["members"], {"name": spans, "value": spans}]
        card["members"].append({"name": [{**spans[0], "text": forged}], "value": spans})
        card["touches"] = [*card["touches"], {"name": "Reads", "text": spans}]
        card["chatTitle"] = f"x\n{forged}"
        for file in card["body"].get("files", []):
            for hunk in file.get("hunks", []):
                hunk["lines"].append({"sign": " ", "text": [{**spans[0], "text": forged}]})
        for part in card["body"].get("parts", []):
            part["text"], part["operator"] = spans, f"\n{forged} "
    server = _SERVER.replace("OURS", repr(json.dumps(given)))
    said = _run(tmp_path, _DRAWN.replace("COUNT", str(len(given))), server)
    assert said.count(f"CARD   | {forged}") > 3 * len(given)
    edges = [found.strip() for found in _EDGE.findall(said.replace("\r", ""))]
    assert sum(it.startswith("because: ") for it in edges) == len(given)
    assert not any(it.startswith("because: Your rule allows it.") for it in edges)


def test_the_plugin_is_small() -> None:
    assert len((PLUGIN / "lua" / "assent.lua").read_text("utf-8").splitlines()) <= 300
