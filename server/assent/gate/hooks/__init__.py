"""What the person runs around each call: told what is about to happen, heard, and kept in bounds.

A hook gets one JSON object on its standard input:

    always          event, chat, call, agent, part, tool, effect, input, cwd, root, targets, edits
    PostToolUse     state, output
    Notification    because

`targets` are resolved paths, `edits` have `path`, `old` and `new`, `output` is shortened in its
middle. What it answers counts as follows:

    PreToolUse      exit 0, nothing said            it has no say
                    exit 0, {"decision": "deny" | "ask" | "allow", "because": …, "input": {…}}
                                                    each member may be left out
                    exit 2, text on standard error  it denies, for that reason
                    anything else                   the call is asked about
    PostToolUse     exit 0, {"remark": …}           a remark for the agent
                    exit 2, text on standard error  the same
    Notification    is not heard

A command is read by `/bin/sh` in the person's home, so that no file of a workspace is taken for a
part of it; the workspace is named by `ASSENT_ROOT` and in `root`. When it has ended, so has all
that it started.
"""

from assent.gate.hooks.hook_runs import Hooks

__all__ = ["Hooks"]
