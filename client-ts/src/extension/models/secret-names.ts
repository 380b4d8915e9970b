import type { Messages } from "../../shared/protocol";

type Name = Messages["secret/get"]["params"]["name"];

const VARIABLE = "variable.";

/** Where the editor keeps a secret that the server knows by this name. */
export function secretKey(name: Name): string {
  return `assent.${name}`;
}

/** The value of the variable that a name stands for, which is kept in no storage. */
export function variableNamed(name: Name): string | undefined {
  return name.startsWith(VARIABLE) ? process.env[name.slice(VARIABLE.length)] : undefined;
}
