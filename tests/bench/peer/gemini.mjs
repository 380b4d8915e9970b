/**
 * The same decisions by gemini-cli's own policy engine, with rules as its settings would make them.
 *
 * Its rules count by priority, so what denies stands before what asks, and that before what allows.
 */

import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { PolicyEngine } from "@google/gemini-cli-core/dist/src/policy/policy-engine.js";
import { buildArgsPatterns, escapeRegex } from "@google/gemini-cli-core/dist/src/policy/utils.js";

const WARMING = 200;
const PASSES = 5;
const DECISIONS = { allow: "allow", ask: "ask_user", deny: "deny" };
const VERDICTS = { allow: "allow", ask_user: "ask", deny: "deny" };
const PRIORITIES = { allow: 1, ask: 2, deny: 3 };
const FILE_TOOLS = { read: "read_file", write: "write_file" };

const ABOUT = {
  shell: ({ words }) => ({
    toolName: "run_shell_command",
    argsPattern: new RegExp(buildArgsPatterns(undefined, words.join(" "))[0]),
  }),
  path: ({ verb, folder, ending }) => ({
    toolName: FILE_TOOLS[verb],
    argsPattern: new RegExp(
      `${escapeRegex(`"file_path":"${folder}/`)}${ending ? `[^/"]*${escapeRegex(ending)}"` : ""}`,
    ),
  }),
  mcp: ({ server, tool }) => ({ toolName: `mcp_${server}_${tool}`, mcpName: server }),
  fetch: ({ host, below }) => ({
    toolName: "web_fetch",
    argsPattern: new RegExp(`"url":"https?://${below ? '[^/"]*\\.' : ""}${escapeRegex(host)}[/"]`),
  }),
};

const CALLED = {
  shell: ({ command }) => [{ name: "run_shell_command", args: { command } }],
  list: ({ command }) => [{ name: "run_shell_command", args: { command } }],
  path: ({ verb, path }) => [
    {
      name: FILE_TOOLS[verb],
      args: { file_path: path, ...(verb === "write" && { content: "a few words\n" }) },
    },
  ],
  mcp: ({ server, tool, number }) => [{ name: `mcp_${server}_${tool}`, args: { number } }, server],
  fetch: ({ url }) => [{ name: "web_fetch", args: { url } }],
};

// It tells what it does in every decision, which its own program drops as well.
console.debug = () => {};

const given = JSON.parse(readFileSync(process.argv[2], "utf8"));
// Each has the same members in the same order, as its own loader makes them: others are far slower.
const rules = given.rules.map((rule) => {
  const { toolName, mcpName, argsPattern } = ABOUT[rule.kind](rule);
  return {
    toolName,
    subagent: undefined,
    mcpName,
    decision: DECISIONS[rule.verdict],
    priority: PRIORITIES[rule.verdict],
    modes: undefined,
    interactive: undefined,
    toolAnnotations: undefined,
    allowRedirection: undefined,
    source: "measured",
    denyMessage: undefined,
    argsPattern,
  };
});
const engine = new PolicyEngine({ rules });
const calls = given.calls.map((call) => [call.kind, ...(CALLED[call.kind]?.(call) ?? [])]);

const verdicts = [];
for (const [, call, server] of calls.slice(0, WARMING)) {
  verdicts.push(call ? VERDICTS[(await engine.check(call, server)).decision] : "");
}
const took = {};
for (const kind of new Set(calls.filter(([, call]) => call).map(([kind]) => kind))) {
  took[kind] = await taken(calls.filter(([of, call]) => of === kind && call));
}
process.stdout.write(JSON.stringify({ took, verdicts }));

/** How long each took, in µs, in every pass, as `taking.py` has it. */
async function taken(ofKind) {
  const took = [];
  const end = performance.now() + Number(process.argv[3]) * 1000;
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (const [, call, server] of ofKind) {
      const began = performance.now();
      await engine.check(call, server);
      const done = performance.now();
      took.push((done - began) * 1000);
      if (done > end) {
        return took;
      }
    }
  }
  return took;
}
