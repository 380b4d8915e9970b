/**
 * The same server as `house.py`, in the usual library of TypeScript's language servers.
 *
 * It does what is measured and no more: unlike ours, it checks no shape of what it is sent.
 */

"use strict";

const { closeSync, fsyncSync, openSync, readFileSync, writeSync } = require("node:fs");
const { join } = require("node:path");
const { performance } = require("node:perf_hooks");
const { createConnection, TextDocumentSyncKind } = require("vscode-languageserver/node");

const connection = createConnection(process.stdin, process.stdout);
const first = JSON.parse(readFileSync(process.env.ASSENT_BENCH_CARD, "utf8"));
const waiting = new Map();
let journal = null;

connection.onInitialize(() => ({
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.None,
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  },
  serverInfo: { name: "peer" },
}));

connection.onRequest("tool/approvalResponse", (params) => {
  const resolve = waiting.get(params.approvalId);
  if (!resolve || params.digest !== first.digest || params.revision !== 1) {
    return { kind: "unknown", because: "There is no such ticket." };
  }
  if (journal !== null) {
    const row = { kind: "decided", chat: params.chatId, ticket: params.approvalId, by: "user" };
    writeSync(journal, `${JSON.stringify(row)}\n`);
    fsyncSync(journal);
  }
  resolve(params.optionId);
  return { kind: "applied", outcome: "allowed", by: "user", because: "You allowed it." };
});

connection.onRequest("agent/prompt", async (params) => {
  const [word, count] = params.text.split(" ");
  return { reason: "done", because: await todo[word](Number(count)) };
});

const todo = {
  async bare(count) {
    for (let number = 0; number < count; number += 1) {
      await ask(number);
    }
    return "";
  },
  async durable(count) {
    journal = openSync(join(process.env.ASSENT_STATE_DIR, "peer.jsonl"), "a");
    await todo.bare(count);
    closeSync(journal);
    journal = null;
    return "";
  },
  async stream(count) {
    const text = "a few words of what an agent says ";
    for (let number = 0; number < count; number += 1) {
      connection.sendNotification("agent/event", event(number, text));
      if (number % 100 === 99) {
        await new Promise(setImmediate);
      }
    }
    return "";
  },
  async flood(size) {
    let last = performance.now();
    let longest = 0;
    const ticks = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 5);
    const text = "x".repeat(1000);
    for (let number = 0; number < Math.floor(size / text.length); number += 1) {
      connection.sendNotification("agent/event", event(number, text));
      await new Promise(setImmediate);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    clearInterval(ticks);
    return String(longest);
  },
};

function ask(number) {
  const approvalId = `a${String(number).padStart(6, "0")}`;
  const answer = new Promise((resolve) => waiting.set(approvalId, resolve));
  connection.sendNotification("tool/approvalRequest", { ...first, seq: number, approvalId });
  return answer.then((optionId) => {
    waiting.delete(approvalId);
    return optionId;
  });
}

function event(number, text) {
  const said = { kind: "said", who: "agent", messageId: "m1", append: text };
  return { epoch: "e1", seq: number, chatId: "c1", event: said };
}

connection.listen();
