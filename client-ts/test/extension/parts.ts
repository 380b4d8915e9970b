/** Parts of the editor that are only made and looked at. They belong to the editor of the tests. */

import type { Uri } from "./places";

export class TabInputText {
  constructor(readonly uri: Uri) {}
}
export class TabInputTextDiff {
  readonly modified = undefined;
}
export class ThemeColor {
  constructor(readonly id: string) {}
}
export class ThemeIcon {
  constructor(readonly id: string) {}
}
export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState?: number,
  ) {}
}
/** Where progress is shown. */
export const ProgressLocation = { Window: 10, Notification: 15 } as const;

/** Where a tab is opened. */
export const ViewColumn = { Active: -1 } as const;

export const TreeItemCheckboxState = { Unchecked: 0, Checked: 1 } as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;

export interface Layer {
  defaultValue?: unknown;
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

export interface FakeItem {
  readonly label: string;
  readonly kind?: number;
  readonly description?: string;
  readonly detail?: string;
  readonly value?: unknown;
}

/** A box for a line of text. */
export interface FakeInput {
  readonly title?: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly validateInput?: (text: string) => Promise<unknown>;
}

/** What a message box showed. */
export interface Message {
  readonly kind: "info" | "warning" | "error";
  readonly text: string;
  readonly options: unknown;
  readonly buttons: readonly string[];
}
