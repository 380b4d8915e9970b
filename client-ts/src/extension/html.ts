/**
 * The page that the view's script fills.
 *
 * It may run our one script and nothing else, fetch nothing, and turn no text into markup.
 */

/** What of the page differs from window to window. */
export interface Page {
  /** Fresh for each page. */
  readonly nonce: string;
  /** Where the editor serves our own files from. */
  readonly cspSource: string;
  readonly script: string;
  readonly style: string;
}

/** The policy: everything is forbidden that is not named. */
export function contentPolicy({ nonce, cspSource }: Page): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
  ].join("; ");
}

/** The whole page. */
export function pageOf(page: Page): string {
  return `<!DOCTYPE html>
<html lang="en">
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
