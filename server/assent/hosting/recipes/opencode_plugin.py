"""The plugin for opencode: runs the hook before each tool, and waits for it."""

from typing import Final

import orjson

from assent.hosting.hooks.hook_places import HookLine

__all__ = ["connected_plugin", "plugin"]

_HEARD: Final = """\
import { spawn } from "node:child_process"

const [PROGRAM, ...WORDS] = %(words)s
const UNANSWERED = "Assent could not rule on this call, so it was not run."

const heard = (told, cwd) =>
  new Promise((done, fail) => {
    const hook = spawn(PROGRAM, WORDS, { cwd, stdio: ["pipe", "pipe", "pipe"] })
    const [said, why] = [[], []]
    hook.stdout.on("data", (piece) => said.push(piece))
    hook.stderr.on("data", (piece) => why.push(piece))
    hook.on("error", () => fail(new Error(UNANSWERED)))
    hook.on("close", (code) => {
      if (code === 0) done(Buffer.concat(said).toString())
      else fail(new Error(Buffer.concat(why).toString().trim() || UNANSWERED))
    })
    hook.stdin.on("error", () => {})
    hook.stdin.end(JSON.stringify(told))
  })

const ruling = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(UNANSWERED)
  }
}

"""

_TEXT: Final = """\
// Written by Assent. It asks Assent about each call, and lets none run that was not allowed.
%(heard)sexport const Assent = async ({ client, directory }) => {
  const parents = new Map()
  const allowed = new Set()
  const parentOf = async (id) => {
    if (!parents.has(id)) {
      const { data } = await client.session.get({ path: { id }, throwOnError: true })
      parents.set(id, data.parentID ?? "")
    }
    return parents.get(id)
  }
  const permission = async ({ id, sessionID, tool }) => {
    // Whoever speaks with opencode is asked only about the calls of its own session.
    if ((await parentOf(sessionID)) === "") return
    const response = tool && allowed.has(sessionID + " " + tool.callID) ? "once" : "reject"
    await client.postSessionIdPermissionsPermissionId({
      path: { id: sessionID, permissionID: id },
      body: { response },
    })
  }
  return {
    event: async ({ event }) => {
      if (event.type === "permission.asked") await permission(event.properties)
      const begun = event.type === "session.created" ? event.properties.info : undefined
      if (begun === undefined) return
      parents.set(begun.id, begun.parentID ?? "")
      const told = { event: "session", session: begun.id, cwd: directory }
      await heard(told, directory).catch(() => {})
    },
    "tool.execute.before": async (input, output) => {
      const { tool, sessionID, callID } = input
      const told = {
        event: "tool",
        session: sessionID,
        parent: await parentOf(sessionID),
        tool,
        call: callID,
        input: output.args,
        cwd: directory,
      }
      const ruled = ruling(await heard(told, directory))
      if (ruled.decision !== "allow") throw new Error(ruled.reason || UNANSWERED)
      for (const name of Object.keys(output.args)) delete output.args[name]
      Object.assign(output.args, ruled.input)
      allowed.add(sessionID + " " + callID)
    },
    "tool.execute.after": async ({ sessionID, callID }) => {
      allowed.delete(sessionID + " " + callID)
    },
  }
}
"""


_CONNECTED: Final = """\
// Written by Assent (`assent connect opencode`); `assent disconnect opencode` takes it away.
%(heard)sexport const Assent = async ({ client, directory }) => {
  const parents = new Map()
  const parentOf = async (id) => {
    if (!parents.has(id)) {
      const { data } = await client.session.get({ path: { id }, throwOnError: true })
      parents.set(id, data.parentID ?? "")
    }
    return parents.get(id)
  }
  const rootOf = async (id) => {
    const parent = await parentOf(id)
    return parent === "" ? id : rootOf(parent)
  }
  return {
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      const session = await rootOf(sessionID)
      const told = { event: "tool", session, parent: "", tool, call: callID, input: output.args }
      const answer = await heard({ ...told, cwd: directory }, directory)
      // The hook lets a call go without a word where Assent is not installed any more.
      if (answer === "") return
      const ruled = ruling(answer)
      if (ruled.decision !== "allow") throw new Error(ruled.reason || UNANSWERED)
      for (const name of Object.keys(output.args)) delete output.args[name]
      Object.assign(output.args, ruled.input)
    },
  }
}
"""


def plugin(line: str) -> str:
    """Its text where Assent hosts it, for a hook's command line."""
    return _with(_TEXT, ("/bin/sh", "-c", line))


def connected_plugin(line: HookLine) -> str:
    """Its text in the person's own folder, where opencode asks its own questions as well."""
    return _with(_CONNECTED, line.spawned)


def _with(text: str, words: tuple[str, ...]) -> str:
    whole = text.replace("%(heard)s", _HEARD)
    return whole.replace("%(words)s", orjson.dumps(words).decode())
