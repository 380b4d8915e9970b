/**
 * A workspace in PATH never becomes the gate: PATHs as people have them, with real folders, and
 * programs in them that leave a mark when they are run.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { ExtensionContext } from "vscode";
import { findCommand, NothingToStart } from "../../../src/extension/server/launch";
import { isInside, pathOutside, programsOf, startOf } from "../../../src/extension/server/programs";
import { fake, Uri, workspace } from "../editor";

const SYSTEM = "/usr/local/bin:/usr/bin:/bin";
const NAMES = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "bash", "env"];
const before = process.env["PATH"];

let top: string;
let root: string;
let machine: string;
let mark: string;
let context: ExtensionContext;

beforeEach(() => {
  fake.reset();
  top = realpathSync(mkdtempSync(join(tmpdir(), "assent-")));
  [root, machine, mark] = [join(top, "till"), join(top, "machine"), join(top, "mark")];
  mkdirSync(root);
  mkdirSync(join(machine, "extension", "bundled"), { recursive: true });
  writeFileSync(join(machine, "extension", "bundled", "start.py"), "print('the gate')\n");
  Object.assign(workspace, { workspaceFolders: [{ uri: Uri.file(root) }], isTrusted: true });
  context = {
    extensionPath: join(machine, "extension"),
    globalState: { get: () => undefined, update: () => Promise.resolve() },
  } as unknown as ExtensionContext;
});

afterEach(() => {
  process.env["PATH"] = before;
  Object.assign(workspace, { workspaceFolders: undefined, isTrusted: true });
  rmSync(top, { recursive: true });
});

/** Programs that leave the mark, and then do what their names say. */
function plant(folder: string, names: readonly string[] = NAMES): string {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const program = join(folder, name);
    writeFileSync(program, `#!/bin/sh\n/bin/echo ${name} >> ${mark}\nexec /usr/bin/${name} "$@"\n`);
    chmodSync(program, 0o755);
  }
  return folder;
}

/** Each name in a folder as a link to that name elsewhere. */
function linkAll(folder: string, to: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of NAMES) {
    symlinkSync(join(to, name), join(folder, name));
  }
  return folder;
}

const LAID: Readonly<Record<string, () => string>> = {
  "a venv": () => plant(join(root, ".venv", "bin")),
  "a link to a venv": () => {
    plant(join(root, ".venv", "bin"));
    symlinkSync(join(root, ".venv"), join(machine, "env"));
    return join(machine, "env", "bin");
  },
  "an honest venv": () => linkAll(join(root, ".venv", "bin"), "/usr/bin"),
  relative: () => {
    plant(join(root, "bin"));
    return "bin";
  },
  "a dot": () => {
    plant(root);
    return ".";
  },
  empty: () => {
    plant(root);
    return "";
  },
  direnv: () => plant(join(root, ".direnv", "bin")),
  "node_modules/.bin": () => linkAll(join(root, "node_modules", ".bin"), plant(join(root, "node_modules", "odd"))),
  "a folder where anybody may write": () => {
    const open = plant(join(machine, "open"));
    chmodSync(open, 0o1777);
    return open;
  },
  "a folder in one where anybody may write": () => {
    const folder = plant(join(machine, "open", "bin"));
    chmodSync(join(machine, "open"), 0o777);
    return folder;
  },
  "links into the workspace": () => linkAll(join(machine, "bin"), plant(join(root, "tools"))),
  "links through the workspace": () => {
    const there = plant(join(machine, "real"));
    symlinkSync(there, join(root, "link"));
    return linkAll(join(machine, "bin"), join(root, "link"));
  },
  "dots in it": () => `${plant(join(root, ".venv", "bin"))}/../bin/.`,
  "scripts for an interpreter of the workspace": () => {
    const inner = plant(join(root, "bin"), ["bash"]);
    const here = join(machine, "shims");
    mkdirSync(here);
    writeFileSync(join(here, "python3"), '#!/usr/bin/env bash\nexec /usr/bin/python3 "$@"\n');
    chmodSync(join(here, "python3"), 0o755);
    return `${inner}:${here}`;
  },
};

function ranOnStart({ command, args, cwd }: { command: string; args: readonly string[]; cwd: string }): string {
  return execFileSync(command, [...args], { cwd, encoding: "utf8" });
}

describe("a PATH with a folder of the workspace", () => {
  for (const [kind, lay] of Object.entries(LAID)) {
    for (const isTrusted of [true, false]) {
      test(`${kind} never becomes the gate, and does not keep it from starting${isTrusted ? "" : ", in Restricted Mode"}`, async () => {
        Object.assign(workspace, { isTrusted });
        process.env["PATH"] = `${lay()}:${SYSTEM}`;
        const start = await findCommand(context);
        assert.equal(ranOnStart(start), "the gate\n");
        assert.ok(!existsSync(mark));
        assert.ok(!isInside(start.command, [root]));
      });
    }
  }

  test("and nothing else has no Python, and it is said where it was looked for", async () => {
    process.env["PATH"] = plant(join(root, ".venv", "bin"));
    await assert.rejects(findCommand(context), /none on this machine's path outside of this workspace/u);
    assert.ok(!existsSync(mark));
  });

  test("is the workspace however the workspace is spelled", async () => {
    symlinkSync(root, join(machine, "alias"));
    const planted = plant(join(root, "bin"));
    for (const folder of [join(machine, "alias"), `${root}/`, join(root, "bin", "..")]) {
      assert.deepEqual(programsOf("env", { path: `${planted}:/usr/bin`, folders: [folder] }), ["/usr/bin/env"]);
      assert.equal(pathOutside({ path: `${planted}:.::/usr/bin`, folders: [folder] }), "/usr/bin");
    }
    assert.equal(await Promise.resolve(existsSync(mark)), false);
  });

  test("hides nothing where the whole machine is the workspace", () => {
    assert.deepEqual(programsOf("env", { path: "/usr/bin", folders: ["/"] }), ["/usr/bin/env"]);
  });

  test("is told from one whose name only begins alike, or has other capitals", () => {
    for (const name of ["tilley", "TILL"]) {
      const other = plant(join(top, name, "bin"), ["env"]);
      const same = existsSync(join(top, name.toLowerCase(), "bin", "env"));
      const found = programsOf("env", { path: other, folders: [root] });
      assert.equal(found.length, name === "TILL" && same ? 0 : 1);
    }
  });
});

describe("what a person named", () => {
  test("by a name is looked for outside of the workspace", async () => {
    process.env["PATH"] = `${plant(join(root, ".venv", "bin"))}:${SYSTEM}`;
    fake.layers = { interpreter: { globalValue: "python3" } };
    assert.ok(!isInside((await findCommand(context)).command, [root]));
    fake.layers = { serverCommand: { globalValue: ["env", "serve"] } };
    assert.ok(!isInside((await findCommand(context)).command, [root]));
    fake.layers = { serverCommand: { globalValue: ["only-here"] } };
    plant(join(root, ".venv", "bin"), ["only-here"]);
    await assert.rejects(findCommand(context), /only-here, from the setting `assent\.serverCommand`/u);
    assert.ok(!existsSync(mark));
  });

  test("by a path may lie in a workspace that they trust, and in no other", async () => {
    const own = join(plant(join(root, ".venv", "bin")), "python3");
    for (const layers of [{ interpreter: { globalValue: own } }, { serverCommand: { globalValue: [own, "serve"] } }]) {
      fake.layers = layers;
      Object.assign(workspace, { isTrusted: true });
      assert.equal((await findCommand(context)).command, own);
      rmSync(mark, { force: true });
      Object.assign(workspace, { isTrusted: false });
      await assert.rejects(findCommand(context), NothingToStart);
      assert.ok(!existsSync(mark));
    }
  });

  test("and is a script, is read by no program of the workspace", async () => {
    const script = join(machine, "assent");
    writeFileSync(script, "#!/usr/bin/env python3\nprint('the gate')\n");
    chmodSync(script, 0o755);
    process.env["PATH"] = `${plant(join(root, "bin"))}:${SYSTEM}`;
    fake.layers = { serverCommand: { globalValue: [script, "serve"] } };
    assert.equal(ranOnStart(await findCommand(context)), "the gate\n");
    assert.ok(!existsSync(mark));
    writeFileSync(script, "#!/usr/bin/env -S A=b python3\n");
    assert.equal(startOf(script, { path: SYSTEM, folders: [] }), null);
  });
});
