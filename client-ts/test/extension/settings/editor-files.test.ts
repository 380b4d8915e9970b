import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, test } from "node:test";
import type { ExtensionContext } from "vscode";
import { premises } from "../../../src/extension/settings/editor-files";
import { settingsFiles } from "../../../src/extension/settings/settings-files";
import type { EditorPlace } from "../../../src/shared/protocol";
import { env, ExtensionMode, extensions, Uri } from "../editor";

/** Where editors of several kinds keep a person's settings, and where they keep all their data. */
const EDITORS = [
  ["a desktop's own package", "/home/ada/.config/Code/User", "/home/ada/.config/Code"],
  ["Flatpak", "/home/ada/.var/app/com.visualstudio.code/config/Code/User", "/home/ada/.var/app/com.visualstudio.code/config/Code"],
  ["portable", "/media/stick/code/data/user-data/User", "/media/stick/code/data/user-data"],
  ["a folder of one's own", "/srv/kept here/User", "/srv/kept here"],
  ["the browser", "/home/ada/.local/share/code-server/User", "/home/ada/.local/share/code-server"],
  ["a remote host", "/home/ada/.vscode-server/data/User", "/home/ada/.vscode-server/data"],
  ["a fork", "/home/ada/.config/Positron/User", "/home/ada/.config/Positron"],
  ["one that keeps no folder for users", "/home/ada/.theia", "/home/ada/.theia"],
] as const;

declare const __CLIENT__: string;

/** Where profiles have their settings: the server's tests hold its own reading against the same ones. */
const PROFILES = JSON.parse(readFileSync(join(__CLIENT__, "..", "tests", "gate", "settings", "profiles.json"), "utf8")) as readonly {
  readonly settings: string;
  readonly own: string;
}[];

const OWN = Uri.file("/opt/ext/assent.assent-0.1.0");

function reported(user: string, extensionMode: number = ExtensionMode.Production): readonly EditorPlace[] {
  const globalStorageUri = Uri.file(`${user}/globalStorage/assent.assent`);
  return premises({ globalStorageUri, extensionUri: OWN, extensionMode } as unknown as ExtensionContext);
}

function of(kind: EditorPlace["kind"], places: readonly EditorPlace[]): readonly string[] {
  return places.filter((place) => place.kind === kind).map(({ uri }) => Uri.parse(uri).path);
}

beforeEach(() => {
  extensions.all = [];
  env.remoteName = undefined;
});

describe("what makes the editor what it is", () => {
  for (const [name, user, data] of EDITORS) {
    test(`is where ${name} keeps it`, () => {
      const places = reported(user);
      assert.deepEqual(of("settings", places), [`${user}/settings.json`]);
      assert.deepEqual(of("data", places), [data, `${user}/globalStorage/assent.assent`]);
      assert.ok(of("secrets", places).every((path) => path.startsWith(`${user}/globalStorage/`)));
    });
  }

  for (const { settings, own } of PROFILES) {
    test(`knows which editor's profile has ${settings}`, () => {
      const found = of("settings", reported(settings.slice(0, -"/settings.json".length)));
      assert.deepEqual(found, [...new Set([settings, own])]);
    });
  }

  test("includes the settings and secrets of every profile, whichever of them is active", () => {
    const user = join(mkdtempSync(join(tmpdir(), "assent-")), "Code", "User");
    // As VS Code keeps them: the default profile, named ones by their ids, its own one deeper.
    const profiles = [
      user,
      join(user, "profiles", "-1f0b9a5d"),
      join(user, "profiles", "3c44e0d2"),
      join(user, "profiles", "system", "agents"),
    ];
    for (const profile of profiles) {
      mkdirSync(join(profile, "globalStorage", "assent.assent"), { recursive: true });
      mkdirSync(join(profile, "snippets"));
      writeFileSync(join(profile, "settings.json"), "{}");
      writeFileSync(join(profile, "globalStorage", "state.vscdb"), "");
    }
    for (const active of profiles) {
      const places = reported(active);
      const [settings, secrets] = [of("settings", places), of("secrets", places)];
      for (const profile of profiles) {
        assert.ok(settings.includes(`${profile}/settings.json`), `${profile}, while ${active} is active`);
        assert.ok(secrets.includes(`${profile}/globalStorage/state.vscdb`), `${profile}, while ${active} is active`);
      }
      assert.equal(new Set(settings).size, settings.length);
      assert.ok(settings.every((path) => !path.includes("snippets") && !path.includes("globalStorage")));
      assert.deepEqual(of("data", places), [join(user, ".."), `${active}/globalStorage/assent.assent`]);
    }
  });

  test("is not looked for above a folder that only looks like one of profiles", () => {
    const places = reported("/home/User/profiles/ada/kept/.theia");
    assert.deepEqual(of("data", places)[0], "/home/User/profiles/ada/kept/.theia");
  });

  test("includes the settings file that it names, and the same where there is none yet", () => {
    const user = join(mkdtempSync(join(tmpdir(), "assent-")), "User");
    mkdirSync(user);
    const before = of("settings", reported(user));
    writeFileSync(join(user, "settings.json"), "{}");
    const named = settingsFiles(Uri.file(`${user}/globalStorage/assent.assent`) as never).user;
    assert.deepEqual(before, [Uri.parse(named ?? "").path]);
    assert.deepEqual(of("settings", reported(user)), before);
  });

  test("includes this extension, and each folder in which extensions lie, once", () => {
    extensions.all = ["/opt/ext/a", "/opt/ext/b", "/usr/share/code/extensions/git"].map((path) => ({
      extensionUri: Uri.file(path),
    }));
    const places = reported("/home/ada/.config/Code/User");
    assert.deepEqual(of("extension", places), [OWN.path]);
    assert.deepEqual(of("extensions", places), ["/opt/ext", "/usr/share/code/extensions"]);
  });

  test("leaves out what an extension that is being developed lies among", () => {
    extensions.all = [{ extensionUri: OWN }];
    const places = reported("/home/ada/.config/Code/User", ExtensionMode.Development);
    assert.deepEqual(of("extensions", places), []);
    assert.deepEqual(of("extension", places), [OWN.path]);
  });

  test("has something of every kind that the server knows", () => {
    const known: Record<EditorPlace["kind"], true> = {
      settings: true,
      data: true,
      secrets: true,
      extension: true,
      extensions: true,
      program: true,
    };
    const kinds = new Set(reported("/home/ada/.config/Code/User").map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), Object.keys(known).sort());
  });

  test("includes the editor's own program", () => {
    const places = reported("/home/ada/.config/Code/User");
    assert.deepEqual(of("program", places), [env.appRoot, process.execPath]);
  });

  test("is nothing on this machine where the editor keeps it elsewhere", () => {
    const globalStorageUri = new Uri("vscode-userdata", "/User/globalStorage/assent.assent");
    const places = premises({ globalStorageUri, extensionUri: OWN, extensionMode: 1 } as unknown as ExtensionContext);
    assert.deepEqual([...of("settings", places), ...of("data", places), ...of("secrets", places)], []);
    assert.deepEqual(of("extension", places), [OWN.path]);
  });
});
