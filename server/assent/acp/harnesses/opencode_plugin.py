"""The plugin by which opencode asks: it runs the hook before each tool, and waits for it."""

from typing import Final

import orjson

__all__ = ["plugin"]

_TEXT: Final = """\
// Written by Assent. It asks Assent about each call, and lets none run that was not allowed.
import { spawn } from "node:child_process"

const LINE = %(line)s
const UNANSWERED = "Assent could not rule on this call, so it was not run."

const heard = (told, cwd) =>
  new Promise((done, fail) => {
    const hook = spawn("/bin/sh", ["-c", LINE], { cwd, stdio: ["pipe", "pipe", "pipe"] })
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

export const Assent = async ({ client, directory }) => {
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


def plugin(line: str) -> str:
    """Its text, for a hook's command line."""
    return _TEXT.replace("%(line)s", orjson.dumps(line).decode())
