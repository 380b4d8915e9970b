/** What went wrong, as a person is told: the server's words in the editor's language. */

import { said } from "../../shared/server-sentences";

export function reasonOf(error: unknown): string {
  return error instanceof Error ? said(error.message) : String(error);
}
