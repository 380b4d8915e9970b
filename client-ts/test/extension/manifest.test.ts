import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, mock, test } from "node:test";
import { STILL_MS } from "../../src/shared/card";
import { commandTable, type Parts } from "../../src/extension/commands";
import { contentPolicy, pageOf } from "../../src/extension/editor/html-page";
import { doOutside } from "../../src/extension/editor/page-requests";
import type { CardCommand } from "../../src/shared/host-messages";
import { fake } from "./editor";
import { settle, ticket } from "./made";

declare const __CLIENT__: string;

interface Manifest {
  readonly main: string;
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly keybindings: readonly { readonly command: string; readonly when: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string }>> };
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly media: { readonly svg: string; readonly altText: string }; readonly description: string }[];
    }[];
  };
}

const MANIFEST = JSON.parse(readFileSync(join(__CLIENT__, "package.json"), "utf8")) as Manifest;
const WORDS = JSON.parse(readFileSync(join(__CLIENT__, "package.nls.json"), "utf8")) as Readonly<Record<string, string>>;
const { contributes } = MANIFEST;
const DECLARED = contributes.commands.map(({ command }) => command);

/** Parts of which only what a test needs is there. */
function parts(change: Record<string, unknown>): Parts {
  return change as unknown as Parts;
}

beforeEach(() => fake.reset());

describe("the manifest and the code", () => {
  test("declare the same commands", () => {
    const made = Object.keys(commandTable(parts({}))).map((name) => `assent.${name}`);
    assert.deepEqual([...DECLARED].sort(), made.sort());
  });

  test("keys and menus name commands that there are", () => {
    const named = [...contributes.keybindings, ...Object.values(contributes.menus).flat()];
    for (const { command } of named) {
      assert.ok(DECLARED.includes(command), command);
    }
  });

  test("every command is in the palette under Assent", () => {
    assert.ok(contributes.commands.every(({ category }) => category === "Assent"));
  });

  test("allowing and denying by a key needs the shown card, and the focus where it cannot be meant for a text", () => {
    for (const command of ["assent.allowOnce", "assent.deny"]) {
      const key = contributes.keybindings.find((one) => one.command === command);
      assert.match(key?.when ?? "", /^assent\.cardShown && \(assent\.cardFocused \|\| \(.*assent\.composerEmpty\)\)$/u);
    }
  });

  test("what a workspace may not decide is restricted until it is trusted", () => {
    const { supported, restrictedConfigurations } = MANIFEST.capabilities.untrustedWorkspaces;
    assert.equal(supported, "limited");
    for (const key of ["mode", "bypassPermissions", "agents", "interpreter", "serverCommand"]) {
      assert.ok(restrictedConfigurations.includes(`assent.${key}`), key);
    }
  });

  test("what starts the server is not a workspace's to say", () => {
    const { properties } = contributes.configuration;
    assert.equal(properties["assent.serverCommand"]?.scope, "machine");
    assert.equal(properties["assent.interpreter"]?.scope, "machine-overridable");
  });

  test("the walkthrough has five steps, whose pictures and commands there are", () => {
    const steps = contributes.walkthroughs[0]?.steps ?? [];
    assert.equal(steps.length, 5);
    for (const { media, description } of steps) {
      const picture = readFileSync(join(__CLIENT__, media.svg), "utf8");
      // In the colours of the theme, and with words for whoever sees none.
      assert.match(picture, /var\(--vscode-foreground, #888\)/u, media.svg);
      assert.doesNotMatch(picture, /<script|href=|\son\w+=/u, media.svg);
      // The editor draws it where no style stands in an element: all of it would be black.
      assert.doesNotMatch(picture, /<style|\sstyle=/u, media.svg);
      assert.ok((WORDS[media.altText.replaceAll("%", "")] ?? "").length > 20, media.svg);
      // Of what is written it draws bold words and links, and leaves other signs standing.
      assert.doesNotMatch(WORDS[description.replaceAll("%", "")] ?? "", /`|(?<!\*)\*(?!\*)/u);
      const [, command = ""] = /command:([\w.]+)/u.exec(WORDS[description.replaceAll("%", "")] ?? "") ?? [];
      assert.ok(DECLARED.includes(command), command);
    }
  });
});

describe("the page of the view", () => {
  const page = {
    nonce: "N0nce",
    cspSource: "https://files.example",
    script: "https://files.example/w.js",
    style: "https://files.example/w.css",
    words: { Deny: '<b>"Ablehnen"</b> & mehr' },
    language: "de",
  };

  test("has exactly this policy", () => {
    assert.equal(
      contentPolicy(page),
      "default-src 'none'; script-src 'nonce-N0nce'; style-src https://files.example; " +
        "font-src https://files.example; img-src https://files.example data:; media-src data:; form-action 'none'; " +
        "base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
    );
  });

  test("carries the policy, and one script with the nonce", () => {
    const html = pageOf(page);
    assert.ok(html.includes(`content="${contentPolicy(page)}"`));
    assert.deepEqual(html.match(/<script[^>]*>/gu), ['<script nonce="N0nce" src="https://files.example/w.js">']);
    assert.doesNotMatch(html, /\son\w+=|style=|javascript:/u);
  });

  test("says in which language it is, and hands the words on without making markup of them", () => {
    const [, language, words = ""] = /<html lang="([^"]*)" dir="ltr" data-words="([^"]*)">/u.exec(pageOf(page)) ?? [];
    assert.equal(language, "de");
    assert.doesNotMatch(words, /</u);
    const read = words.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    assert.deepEqual(JSON.parse(read), page.words);
  });
});

describe("what a view may do outside", () => {
  const refused = ["command:assent.allowOnce", "file:///etc/passwd", "vscode://x", "javascript:alert(1)", "data:text/html,x"];
  for (const url of refused) {
    test(`does not open ${url}`, async () => {
      assert.equal(await doOutside({ kind: "openLink", url }), false);
      assert.deepEqual([fake.opened, fake.executed], [[], []]);
    });
  }

  test("opens https, http and mailto through the editor", async () => {
    for (const url of ["https://example.org/a", "http://example.org", "mailto:a@example.org"]) {
      assert.equal(await doOutside({ kind: "openLink", url }), true);
    }
    assert.equal(fake.opened.length, 3);
  });

  test("opens the address that was shown, to the letter", async () => {
    const url = "https://accounts.example/authorize?id=ok&state=a%26redirect_uri%3Dhttps://evil.example&n=%E4%BA%AC#%23";
    assert.equal(await doOutside({ kind: "openLink", url }), true);
    assert.deepEqual(fake.opened, [url]);
  });

  test("runs none but its three commands", async () => {
    const command = "allowOnce" as "showLog";
    assert.equal(await doOutside({ kind: "runCommand", command }), false);
    assert.equal(await doOutside({ kind: "runCommand", command: "showLog" }), true);
    assert.deepEqual(
      fake.executed.map((one) => one.command),
      ["assent.showLog"],
    );
  });
});

describe("a command about the shown card", () => {
  const ABOUT: readonly CardCommand[] = [
    "allowOnce",
    "allowChat",
    "deny",
    "denyTell",
    "keepWaiting",
    "stopAsking",
    "next",
    "previous",
    "openDiff",
  ];
  for (const command of ABOUT) {
    test(`${command} goes to the view, if a card is on the screen, and to the list otherwise`, async () => {
      const wishes: unknown[] = [];
      let lists = 0;
      const review = { next: () => Promise.resolve(void (lists += 1)) };
      const pages = (cardShown: string | null) => ({
        looks: { cardShown },
        front: { wish: (wish: unknown) => wishes.push(wish) },
      });
      await commandTable(parts({ review, pages: pages("a") }))[command]?.();
      assert.deepEqual([wishes, lists], [[{ kind: "command", command }], 0]);
      await commandTable(parts({ review, pages: pages(null) }))[command]?.();
      assert.deepEqual([wishes.length, lists], [1, 1]);
    });
  }

  test("the buttons of a diff answer for what the diff showed", async () => {
    const shown = ticket("a", { revision: 4, digest: "d4" });
    const answers: unknown[] = [];
    const table = commandTable(
      parts({
        diffs: { ticketAt: () => ({ ticket: shown, shownMs: 900 }), close: () => Promise.resolve() },
        review: {
          answer: (...answer: readonly unknown[]) => {
            answers.push(answer);
            return Promise.resolve(true);
          },
        },
      }),
    );
    await table["rejectDiff"]?.();
    await settle();
    assert.deepEqual(answers, [
      [
        shown,
        { id: "id-of-denyOnce", kind: "denyOnce", label: "Deny", detail: "", rules: [], scopes: [], inSandbox: false, choices: [] },
        { shownMs: 900 },
      ],
    ]);
  });
});

describe("a command about a chat or an agent", () => {
  const chat = { chatId: "c1", agentName: "Eliza", title: "T", mode: "default", running: false };
  function made(chats: readonly object[], agents: readonly object[] = []) {
    const requests: unknown[] = [];
    const wishes: unknown[] = [];
    const table = commandTable(
      parts({
        follower: { waiting: { tickets: [ticket("a", { chatId: "c1" })], agents, chats } },
        server: { request: (...asked: readonly unknown[]) => Promise.resolve(void requests.push(asked)) },
        view: { reveal: () => Promise.resolve(true), wish: (wish: unknown) => wishes.push(wish) },
      }),
    );
    return { table, requests, wishes };
  }

  test("closes a chat unasked where nothing runs", async () => {
    const { table, requests } = made([chat]);
    await table["closeChat"]?.();
    assert.deepEqual([requests, fake.messages], [[["agent/closeChat", { chatId: "c1" }]], []]);
  });

  test("says what closing denies where an agent works, and closes only after a yes", async () => {
    const { table, requests } = made([{ ...chat, running: true }]);
    await table["closeChat"]?.();
    assert.deepEqual(requests, []);
    const [asked] = fake.messages;
    assert.deepEqual(asked?.options, { modal: true, detail: "Eliza will be stopped. 1 waiting call will be denied." });
    fake.presses = ["Close the Chat"];
    await table["closeChat"]?.();
    assert.deepEqual(requests, [["agent/closeChat", { chatId: "c1" }]]);
  });

  test("shows the chat that was chosen", async () => {
    const { table, wishes } = made([chat]);
    await table["pickChat"]?.();
    assert.deepEqual(wishes, [{ kind: "showChat", chatId: "c1" }]);
  });

  test("asks again in a chat that is in Auto", async () => {
    const { table, requests } = made([{ ...chat, mode: "auto" }]);
    await table["askAgain"]?.();
    assert.deepEqual(requests, [["agent/setMode", { chatId: chat.chatId, mode: "default" }]]);
  });

  test("asks again for the rest where it fails for one, and says for which", async () => {
    mock.timers.enable({ apis: ["Date"] });
    const requests: unknown[] = [];
    const server = {
      request: (...asked: readonly unknown[]) => {
        requests.push(asked);
        return requests.length === 1 ? Promise.reject(new Error("The disk is full.")) : Promise.resolve();
      },
    };
    const agents = [{ id: "codex", name: "Codex", bypassed: true }];
    const chats = [{ ...chat, mode: "auto" }];
    const table = commandTable(parts({ follower: { waiting: { tickets: [], agents, chats } }, server }));
    const done = table["askAgain"]?.();
    mock.timers.tick(STILL_MS);
    fake.picks[0]?.choose("All of them");
    mock.timers.reset();
    await assert.rejects(Promise.resolve(done), { message: "Codex: The disk is full." });
    assert.deepEqual(requests, [
      ["agent/bypass", { agentId: "codex", on: false }],
      ["agent/setMode", { chatId: "c1", mode: "default" }],
    ]);
  });

  test("stops asking for an agent that was chosen from those that are asked about", async () => {
    mock.timers.enable({ apis: ["Date"] });
    const agents = [
      { id: "eliza", name: "Eliza", bypassed: true },
      { id: "codex", name: "Codex", bypassed: false },
    ];
    const { table, requests } = made([], agents);
    const done = table["stopAskingFor"]?.();
    const [list] = fake.picks;
    assert.deepEqual(list?.labels(), ["Codex"]);
    mock.timers.tick(STILL_MS);
    list.choose("Codex");
    await done;
    mock.timers.reset();
    assert.deepEqual(requests, [["agent/bypass", { agentId: "codex", on: true }]]);
  });
});
