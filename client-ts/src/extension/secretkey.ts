import type { Messages } from "../protocol";

/** Where the editor keeps a secret that the server knows by this name. */
export function secretKey(name: Messages["secret/get"]["params"]["name"]): string {
  return `assent.${name}`;
}
