"""The plugin for Neovim, in a real one without a screen: a card is shown whole, and answered."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "clients" / "nvim"

_SCRIPT = """
local assent = require("assent")
local function wait(what, fits)
  if not vim.wait(40000, fits, 10) then
    print("never " .. what)
    vim.cmd("cquit!")
  end
end
local ready, ended = false, false
assent.setup({{
  cmd = {{ "{python}", "-m", "assent", "serve", "--stdio" }},
  ready = function() ready = true end,
}})
wait("ready", function() return ready end)
vim.cmd("Assent eliza run touch made 'a b'")
wait("a card", function() return next(assent.tickets) ~= nil end)
local ticket = assent.tickets[next(assent.tickets)]
for _, line in ipairs(vim.api.nvim_buf_get_lines(ticket.buffer, 0, -1, false)) do
  print("CARD " .. line .. "\\n")
end
if vim.api.nvim_get_current_buf() == ticket.buffer then
  print("the card took the focus")
  vim.cmd("cquit!")
end
vim.api.nvim_feedkeys("a", "x", false)
vim.cmd("stopinsert")
if #assent.settled > 0 then vim.cmd("cquit!") end
vim.api.nvim_set_current_win(vim.fn.bufwinid(ticket.buffer))
vim.api.nvim_feedkeys("{key}", "x", false)
wait("settled", function() return #assent.settled > 0 end)
print("SETTLED " .. assent.settled[1].outcome .. " by " .. assent.settled[1].by .. "\\n")
if assent.settled[1].outcome == "allowed" then
  wait("made", function() return vim.fn.filereadable("made") == 1 end)
end
if next(assent.tickets) ~= nil or vim.api.nvim_buf_is_valid(ticket.buffer) then
  vim.cmd("cquit!")
end
vim.cmd("qa!")
"""


@pytest.mark.parametrize(("key", "outcome"), [("a", "allowed"), ("d", "refused")])
def test_a_card_is_shown_whole_beside_and_answered_by_who_goes_there(
    tmp_path: Path, key: str, outcome: str
) -> None:
    program = shutil.which("nvim")
    if program is None:
        pytest.skip("Neovim is not installed on this machine.")
    script = tmp_path / "script.lua"
    script.write_text(_SCRIPT.format(python=sys.executable, key=key), "utf-8")
    (tmp_path / "work").mkdir()
    # An error of the script ends it, too.
    run = f"local ok, e = pcall(dofile, [[{script}]]) if not ok then print(e) vim.cmd('cq!') end"
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
        timeout=30,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert f"SETTLED {outcome} by user" in said
    assert (tmp_path / "work" / "made").exists() is (outcome == "allowed")
    for line in ("Eliza: Run ", "level: medium", "command: touch made 'a b'"):
        assert f"CARD {line}" in said
    assert "[a] Allow once  [d] Deny" in said


def test_the_plugin_is_small() -> None:
    assert len((PLUGIN / "lua" / "assent.lua").read_text("utf-8").splitlines()) <= 300
