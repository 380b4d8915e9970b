/**
 * The page that the view's script fills.
 *
 * It may run our one script and nothing else, fetch nothing, and turn no text into markup.
 */

import type { Words } from "../../shared/l10n";

/** What of the page differs from window to window. */
export interface Page {
  /** Fresh for each page. */
  readonly nonce: string;
  /** Where the editor serves our own files from. */
  readonly cspSource: string;
  readonly script: string;
  readonly style: string;
  /** What is said there in the editor's language, and which one that is. */
  readonly words: Words;
  readonly language: string;
}

/** The policy: everything is forbidden that is not named. */
export function contentPolicy({ nonce, cspSource }: Page): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    "media-src data:",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
  ].join("; ");
}

/** The whole page. */
export function pageOf(page: Page): string {
  return `<!DOCTYPE html>
<html lang="${quoted(page.language)}" dir="ltr" data-words="${quoted(JSON.stringify(page.words))}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${contentPolicy(page)}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Assent</title>
  <link rel="stylesheet" href="${page.style}">
</head>
<body>
  <script nonce="${page.nonce}" src="${page.script}"></script>
</body>
</html>
`;
}

/** A text as the value of an attribute. */
function quoted(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
