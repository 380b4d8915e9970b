/** What the view has anyway, and lends to what is fetched. */

import type { Tools } from "../fetched";

export let html: Tools["html"];
export let render: Tools["render"];
export let t: Tools["t"];

/** Work with these from now on. */
export function work(tools: Tools): void {
  ({ html, render, t } = tools);
}

/** The bytes of something as an address. */
export function addressOf({ mime, data }: { readonly mime: string; readonly data: string }): string {
  return `data:${mime};base64,${data}`;
}
